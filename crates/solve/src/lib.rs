//! Solvers for the games in `yomikiri_rules`. They make and check tables. A table has the positions of a whole game, or
//! one position and all positions that can follow it.
//!
//! A small board can be solved in memory, or into a file in a folder. The file gets its final name only after every
//! value in it has been checked against the plain rules. Both methods give the same values:
//!
//! ```
//! # #[cfg(feature = "write")] {
//! use std::time::Duration;
//!
//! use yomikiri_rules::games::reversi::Reversi;
//! use yomikiri_rules::{CodedValue, Game, Score};
//! use yomikiri_solve::{Solvable, SolveOptions, pipeline};
//! use yomikiri_table::Silent;
//!
//! let game = Reversi::parse("rev3x3")?;
//! let solved = game.solve_subgame(&game.start(), 16 << 20, &Silent)?;
//! let byte = solved.byte(game.rank(&game.start())).expect("the start is one of them");
//! let value = Score::from_byte(byte);
//!
//! let folder = tempfile::tempdir()?;
//! let checkpoint = Duration::from_secs(60);
//! let options = SolveOptions { memory: 128 << 20, force: false, checkpoint, progress: &Silent };
//! let finished = pipeline::analyze(&game, None, folder.path(), &options)?;
//! assert_eq!(game.probe(&finished.table, &game.start())?, value);
//! # }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Stability
//!
//! The file format of tables is stable. [`pipeline::analyze`], [`SolveOptions`], [`Solvable`] and [`SolveError`] are
//! meant for other programs. The kernels ([`tiers`], [`levels`], [`retrograde`], [`sparse`]) and the traits that games
//! implement for them ([`Adapter`], [`adapters`]) may change whenever that makes a solver faster. So may estimates.
//!
//! # Modules
//!
//! - Kernels: `tiers` for dense acyclic games; `levels` for sparse acyclic games, and for the positions that can follow
//!   a late position (`subgame`); `retrograde` for dense cyclic games; `sparse` for cyclic games of few positions.
//! - Checks: `audit` checks tables.
//! - Games: `solvable` is the interface that the command uses. `adapter` is the trait for the parts of a solver that a
//!   game implements itself. `kernels` implements `solvable` for every game, with the kernel of that game. `any`
//!   implements both traits for games that are known only at run time.
//! - Look-ups: `lookup` looks up many positions of a table at once. `resident` keeps a table in memory for this.
//!   `move_counts` counts the moves of positions by outcome.
//! - Runs: `pipeline` makes and audits a table. `two_steps` enumerates and solves an acyclic game, with a store for
//!   each step. `options` has the options of a run.

#![warn(missing_docs)]
// Without `write`, many items that only whole runs use are dead code.
#![cfg_attr(not(feature = "write"), allow(dead_code, unused_imports))]

pub mod adapter;
pub mod adapters;
mod any;
pub mod audit;
mod cache;
#[cfg(feature = "write")]
pub mod cluster;
mod counts;
mod error;
pub mod estimate;
#[cfg(test)]
mod heaps;
pub mod kernels;
mod key_index;
pub mod levels;
pub mod lookup;
pub mod move_counts;
mod options;
pub mod perft;
#[cfg(feature = "write")]
pub mod pipeline;
mod resident;
mod resident_rows;
pub mod retrograde;
mod solvable;
mod sorted_keys;
pub mod space;
pub mod sparse;
pub mod subgame;
pub mod tiers;
#[cfg(feature = "write")]
mod two_steps;

pub use adapter::Adapter;
pub use error::{Breach, Result, SolveError, TooLarge, Wrong};
pub use options::{Costs, SolveOptions};
pub use resident::{Resident, Wins};
pub use solvable::{Solvable, Solved};
