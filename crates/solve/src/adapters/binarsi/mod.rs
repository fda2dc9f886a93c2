//! Binarsi for the kernels: `sheet` (whole tiers at once) and `plain_rows` (the same by the plain rules, for the audit), `capacity` (room on a board, for
//! estimates), `solve` (which kernel solves it), `proof` and `certificate` (boards without a table), `evaluate` and `reading` (for play).

mod capacity;
pub mod certificate;
mod evaluate;
mod plain_rows;
#[cfg(feature = "write")]
pub mod proof;
mod reading;
mod sheet;
mod solve;
