//! Solves a whole board on many machines. A task of a machine takes some tiers of one ply, or parts of tiers, through
//! one step. Finished work is in a storage that all machines can access, one file per section. This module does not
//! decide which machine does what, or when. A step may be repeated, or interrupted at any moment: its files are written
//! whole or not at all, and depend on nothing but the rules.
//!
//! A *unit* is the smallest piece of work in a step. Units have indices: first all parts of all tiers, in order, then
//! for each tier its *shared unit*, which is for the moves that are common to all its parts. The files of a unit are
//! named by its tier and, if the tier is cut, by its part (`000123-05`). A *group* is a list of units that are audited
//! together. It has the name of its first unit, after `common-` if that is a shared unit. The folder of a run holds:
//!
//! - `reach/UNIT`: positions that can arise.
//! - `values/UNIT`: values.
//! - `marks/UNIT/GROUP`: positions of a unit that the moves of a group lead to, until that unit is audited.
//! - `audit/GROUP`: a line of JSON with the units that have passed the audit.
//! - `common/STEP/TIER`: results of the moves that are common to all parts of a tier.

mod audit;
mod cut_edges;
mod files;
mod pack;
mod run;
mod sheets;
mod steps;
mod tables;
mod units;

pub use run::{ClusterRun, Step};
pub use sheets::KeptSheets;
pub use units::Unit;
