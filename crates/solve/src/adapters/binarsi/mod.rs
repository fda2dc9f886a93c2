//! Binarsi for the kernels: `sheet` (whole tiers at once), `line` (the ways of their rows) and `plain_rows` (the same
//! by the plain rules, for the audit), `absolute` (bytes of sheets), `illegal` (modifies that some variants forbid),
//! `capacity` (room on a board, for estimates), `solve` (which kernel solves it), `proof_hooks`, `prior` and
//! `certificate_moves` (what it adds to proofs and certificates), `evaluate` and `reading` (for play).

mod absolute;
mod capacity;
mod certificate_moves;
mod evaluate;
mod illegal;
mod line;
mod plain_rows;
#[cfg(feature = "write")]
mod prior;
#[cfg(feature = "write")]
mod proof_hooks;
mod reading;
mod sheet;
mod solve;

#[cfg(feature = "write")]
pub use proof_hooks::BinarsiProof;
