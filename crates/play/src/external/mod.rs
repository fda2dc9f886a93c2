//! Other programs that answer on their standard output, and are ended whatever happens. What they write to standard
//! error goes where this program's goes. No wait is without a limit.

pub mod process;
