//! One file for each target.

pub mod answers;
pub mod boards;
pub mod certificates;
pub mod checkpoints;
pub mod codes;
pub mod journals;
pub mod parts;
pub mod positions;
pub mod records;
pub mod searches;
pub mod sessions;
pub mod surveys;
pub mod tables;
