//! Binarsi for the kernels: `sheet` (whole tiers at once), `reach` and `gather` (what moves do to sheets), `bundles`
//! (rows that differ on one way alone), `lift` (rows as the ply before sees them), `rows` and `line` (rows and their
//! ways), `plain_rows` (moves of rows by the plain rules, for the audit), `absolute` (bytes of sheets), `illegal`
//! (modifies that some variants forbid), `capacity` (room on a board, for estimates), `solve` (which kernel solves it),
//! `proof_hooks`, `prior` and `certificate_moves` (what it adds to proofs and certificates), `evaluate` and `reading`
//! (for play).

mod absolute;
mod bundles;
mod capacity;
mod certificate_moves;
mod evaluate;
mod gather;
mod illegal;
mod lift;
mod line;
mod plain_rows;
#[cfg(feature = "write")]
mod prior;
#[cfg(feature = "write")]
mod proof_hooks;
mod reach;
mod reading;
mod rows;
mod sheet;
mod solve;

#[cfg(feature = "write")]
pub use proof_hooks::BinarsiProof;
