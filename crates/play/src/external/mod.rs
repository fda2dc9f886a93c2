//! Child processes that answer on standard output. They are always ended, even after an error. They share the standard
//! error of this program. Every wait has a time limit.

mod group;
pub mod process;
