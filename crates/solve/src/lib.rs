//! From rules to values: whole tables, what lies below single positions, proofs, and checks of all of them.
//!
//! A small board is solved in memory, or into a folder, where the table gets its name only after every value in it has
//! been checked by the plain rules. Both ways come to the same:
//!
//! ```
//! # #[cfg(feature = "write")] {
//! use std::time::Duration;
//!
//! use yomikiri_rules::games::reversi::Reversi;
//! use yomikiri_rules::{Game, Score, Value};
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
//! Who wins a game that never repeats a position can be proved without a table, and the proof be checked by nothing but
//! the rules:
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
//! // True as long as the search is to go on.
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
//! # What is stable
//!
//! Tables and certificates as files. [`pipeline::analyze`], [`SolveOptions`], [`Solvable`], [`Search`], [`SolveError`],
//! [`proof::Prover`] and [`certificate`] are meant for other programs. Kernels ([`tiers`], [`levels`], [`retrograde`],
//! [`sparse`], [`alphabeta`]) and the traits by which games join them ([`Adapter`], [`adapters`]) change with what is
//! fast, and so do estimates.
//!
//! # Parts
//!
//! `brute` is the oracle of the tests, `tiers` the kernel for dense acyclic games, `levels` the
//! one for sparse acyclic games and for the subgame of a late position (`subgame`, for one question); `retrograde` is
//! the kernel for dense cyclic games, `sparse` the one for cyclic games of few positions. `search` stands for what
//! finds the values of single positions without a table, as `alphabeta` does for acyclic games with what it keeps by
//! `transposition`; `proof` is df-pn for acyclic games with two outcomes, `certificate` what others can check a proof
//! by, and `strategy` stands for what knows who wins and how. `checkpoint` keeps searches in files. `audit` checks
//! tables.
//!
//! `solvable` is what the command asks of a game, `adapter` what a game adds to its kernel, `kernels` ties the two:
//! which kernel solves which game. `lookup` asks a table for many positions at once, `resident` is a table in memory
//! for that, `move_counts` how many of their moves win. `pipeline` is the whole way of a table, `two_steps` a run of an
//! acyclic game with a store for either step, `options` what a run is asked to do, and `memory` where large pieces of
//! it come from.

// Without `write` much of what only whole runs use is left over.
#![cfg_attr(not(feature = "write"), allow(dead_code, unused_imports))]

pub mod adapter;
pub mod adapters;
pub mod alphabeta;
pub mod audit;
pub mod brute;
mod cache;
pub mod certificate;
#[cfg(feature = "write")]
pub mod checkpoint;
#[cfg(feature = "write")]
pub mod cluster;
mod counts;
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
mod options;
pub mod perft;
#[cfg(feature = "write")]
pub mod pipeline;
#[cfg(feature = "write")]
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
pub use error::{Result, SolveError};
pub use evaluate::{Evaluate, Playable};
pub use options::{Costs, SolveOptions};
pub use resident::{Resident, Wins};
pub use search::{Bounded, Search, Solution, best_line};
pub use solvable::{Solvable, Solved};
pub use strategy::Strategy;
