//! Binarsi for the kernels. In the tier kernel, a sheet has a row for each arrangement of stones in a tier, and a row
//! has a lane for each set of cleared targets. A way is a file or rank of the board, and a modify is a move on a way
//! inside the rectangle of stones.
//!
//! `sheet` implements the steps of the tier kernel. `reach` and `gather` make moves between sheets, and `bundles`
//! groups rows that differ only on one way. `lift` converts finished rows for the tiers of the ply before. `rows` finds
//! rows in sheets, and `line` applies the operators of a way to them. `absolute` defines the bytes of sheets, and
//! `illegal` finds the modifies that some variants forbid. `plain_rows` makes the moves of rows by the plain rules, for
//! the audit. `capacity` is for estimates, and `solve` gives the kernel costs and estimates.

mod absolute;
mod bundles;
mod capacity;
mod gather;
mod illegal;
mod lift;
mod line;
mod plain_rows;
mod reach;
mod rows;
mod sheet;
mod solve;
