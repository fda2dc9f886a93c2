//! Binarsi for the kernels. `sheet` implements the steps of the tier kernel. `reach` and `gather` make moves between
//! sheets, and `bundles` groups rows that differ only on one way. `lift` converts rows for the ply before. `rows` and
//! `line` handle rows and their ways. `absolute` defines the bytes of sheets, and `illegal` finds modifies that some
//! variants forbid. `plain_rows` makes moves of rows by the plain rules, for the audit. `capacity` is for estimates,
//! and `solve` gives the kernel costs, estimates and provers. `proof_hooks`, `prior` and `certificate_moves` are for
//! proofs and certificates, `evaluate` and `endgame_solver` for play.

mod absolute;
mod bundles;
mod capacity;
mod certificate_moves;
mod endgame_solver;
mod evaluate;
mod gather;
mod illegal;
mod lift;
mod line;
mod plain_rows;
mod prior;
mod proof_hooks;
mod reach;
mod rows;
mod sheet;
mod solve;

pub use proof_hooks::BinarsiProof;
