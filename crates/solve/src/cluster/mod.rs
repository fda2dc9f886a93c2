//! A whole board made by many machines: every machine takes some parts of tiers of one ply through one step, and what
//! is finished lies in a storage that all of them see, a section in a file of its own. Who does what, and when, is
//! decided elsewhere; a step may be done twice or broken off at any moment, for its files are there whole or not at all
//! and depend on nothing but the rules.
//!
//! What is taken through a step is a *unit*, and has a number: first all parts of all tiers, in their order, then for
//! every tier what its parts share. The files of a unit are named by its tier, and its part if the tier is cut
//! (`000123-05`). Below the folder of a run lie `reach/UNIT` (positions that can arise), `values/UNIT`,
//! `marks/UNIT/GROUP` (where the moves of a group of units have led to, until the unit they lead to is audited),
//! `audit/GROUP`, a line of JSON that says which units have passed, and `common/STEP/TIER`, what the moves that are
//! common to all parts of a tier make. A group is named by its first unit.

mod audit;
mod files;
mod pack;
mod run;
mod sheets;
mod steps;
mod tables;
mod units;
mod ways;

pub use run::{ClusterRun, Step};
pub use sheets::KeptSheets;
pub use units::Unit;
