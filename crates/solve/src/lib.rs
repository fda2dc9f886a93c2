//! Solvers for the games in `yomikiri_rules`. They make tables of whole games and of all positions that can follow one
//! position, prove winners, and check tables and proofs.
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
//! The winner of a game that never repeats a position can be proved without a table. Checking such a proof needs
//! nothing but the rules:
//!
//! ```
//! # #[cfg(feature = "write")] {
//! use yomikiri_rules::games::binarsi::Binarsi;
//! use yomikiri_rules::{Game, Side};
//! use yomikiri_solve::adapters::binarsi::BinarsiProof;
//! use yomikiri_solve::certificate::{self, CertificateFile};
//! use yomikiri_solve::proof::Prover;
//! use yomikiri_table::Silent;
//!
//! let game = Binarsi::parse("bin3x3")?;
//! let mut prover = Prover::new(BinarsiProof::new(&game), 16 << 20, 1);
//! // The callback returns true to continue the search.
//! let winner = prover.winner(&game.start(), |_| true).expect("nobody stops it");
//! assert_eq!(winner, Side::White);
//!
//! let proof = certificate::extract(&mut prover, &game.start(), winner, 3, |_| true)?;
//! let folder = tempfile::tempdir()?;
//! let path = folder.path().join("bin3x3.proof");
//! proof.write(&path)?;
//! let read = CertificateFile::<Binarsi>::open(&path)?.load()?;
//! let report = certificate::check(&read, &Silent)?;
//! assert!(report.winner_to_move > 0);
//! # }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Stability
//!
//! The file formats of tables and certificates are stable. [`pipeline::analyze`], [`SolveOptions`], [`Solvable`],
//! [`Search`], [`SolveError`], [`proof::Prover`] and [`certificate`] are meant for other programs. The kernels
//! ([`tiers`], [`levels`], [`retrograde`], [`sparse`], [`alphabeta`]) and the traits that games implement for them
//! ([`Adapter`], [`adapters`]) may change whenever that makes a solver faster. So may estimates.
//!
//! # Modules
//!
//! - Kernels: `tiers` for dense acyclic games; `levels` for sparse acyclic games, and for the positions that can follow
//!   a late position (`subgame`); `retrograde` for dense cyclic games; `sparse` for cyclic games of few positions.
//!   `brute` is the oracle of the tests.
//! - Single positions without a table: `search` is the interface of searches for exact values. `alphabeta` is such a
//!   search for acyclic games, and `transposition` is its table.
//! - Winners: `proof` is df-pn search for acyclic games with two outcomes. `certificate` is a file that lets others
//!   check a proof. `opening` is a file with the winners of all positions of the first plies. `strategy` is the
//!   interface to both files, and `decide` is the interface of provers.
//! - Files: `checkpoint` keeps the state of searches, `audit` checks tables.
//! - Games: `any` implements all of these for games that are known only at run time. `solvable` is the interface that
//!   the command uses. `adapter` is the trait for the parts of a solver that a game implements itself. `kernels`
//!   implements `solvable` for every game, with the kernel of that game.
//! - Look-ups: `lookup` looks up many positions of a table at once. `resident` keeps a table in memory for this.
//!   `move_counts` counts the moves of positions by outcome.
//! - Runs: `pipeline` makes and audits a table. `two_steps` enumerates and solves an acyclic game, with a store for
//!   each step. `options` has the options of a run, and `memory` allocates large pieces of memory.

#![warn(missing_docs)]
// Without `write`, many items that only whole runs use are dead code.
#![cfg_attr(not(feature = "write"), allow(dead_code, unused_imports))]

pub mod adapter;
pub mod adapters;
pub mod alphabeta;
mod any;
pub mod audit;
pub mod brute;
mod cache;
pub mod certificate;
#[cfg(feature = "write")]
pub mod checkpoint;
#[cfg(feature = "write")]
pub mod cluster;
mod counts;
mod decide;
mod error;
pub mod estimate;
pub mod evaluate;
#[cfg(test)]
mod heaps;
pub mod kernels;
pub mod levels;
pub mod lookup;
pub mod memory;
pub mod move_counts;
pub mod opening;
mod options;
pub mod perft;
#[cfg(feature = "write")]
pub mod pipeline;
pub mod proof;
mod resident;
mod resident_rows;
pub mod retrograde;
pub mod search;
mod solvable;
mod sorted_keys;
pub mod space;
pub mod sparse;
mod strategy;
pub mod subgame;
pub mod tiers;
pub mod transposition;
#[cfg(feature = "write")]
mod two_steps;

pub use adapter::Adapter;
pub use decide::{Decide, GoOn};
pub use error::{Result, SolveError};
pub use evaluate::Evaluate;
pub use options::{Costs, SolveOptions};
pub use resident::{Resident, Wins};
pub use search::{Bounded, Search, Solution, best_line};
pub use solvable::{Solvable, Solved};
pub use strategy::Strategy;
