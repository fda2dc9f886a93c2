//! Openings: the winners of all canonical positions of the first plies, for games that never repeat a position. Early
//! positions take longest to prove, so they are looked up.
//!
//! `levels` lists the positions, and `group` divides those of a ply into groups. `prove` proves a group and checks its
//! certificates. `record` stores the results, and `outcomes` derives the winners of earlier plies from them. `file` is
//! the opening file, which answers the same questions as a certificate. docs/format.md has the layout.

mod file;
#[cfg(feature = "write")]
mod group;
mod levels;
mod outcomes;
#[cfg(feature = "write")]
mod prove;
#[cfg(feature = "write")]
mod record;

pub use file::{OUTCOME_CODEC, OpeningFile, opening_of};
#[cfg(feature = "write")]
pub use group::{PlyGroup, groups};
#[cfg(feature = "write")]
pub use levels::last_ply;
pub use levels::{MAX_PLIES, levels};
pub use outcomes::Outcomes;
#[cfg(feature = "write")]
pub use prove::{CertificateSummary, GroupProof, GroupQueue, HORIZON, ProveError, ProvedPositions, QueuedPosition};
#[cfg(feature = "write")]
pub use record::Record;
