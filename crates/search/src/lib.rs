//! Searches for the games in `yomikiri_rules`, without tables: proofs of who wins, certificates that let others check
//! them, exact values of single positions, and evaluation for play.
//!
//! The winner of a game that never repeats a position can be proved without a table. Checking such a proof needs
//! nothing but the rules:
//!
//! ```
//! # #[cfg(feature = "write")] {
//! use yomikiri_rules::games::binarsi::Binarsi;
//! use yomikiri_rules::{Game, Side};
//! use yomikiri_search::adapters::binarsi::BinarsiProof;
//! use yomikiri_search::certificate::{self, CertificateFile};
//! use yomikiri_search::proof::Prover;
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
//! The file formats of certificates and openings are stable. [`Searchable`], [`Search`], [`SearchError`],
//! [`proof::Prover`] and [`certificate`] are meant for other programs. The rest may change whenever that makes a search
//! faster, and so may evaluations.
//!
//! # Modules
//!
//! - Winners: `proof` is df-pn search for acyclic games with two outcomes. `certificate` is a file that lets others
//!   check a proof. `opening` is a file with the winners of all positions of the first plies. `strategy` is the
//!   interface to both files, and `decide` is the interface of provers. `position_proof` is the proof of one position
//!   of any game, with its checkpoints and its certificate.
//! - Values: `exact` is the interface of searches for exact values. `alphabeta` is such a search for acyclic games, and
//!   `transposition` is its table. `brute` is recursion with a hash map, the oracle of the tests.
//! - Play: `evaluate` is the interface of evaluators.
//! - Files: `checkpoint` keeps the state of searches.
//! - Games: `searchable` is the interface of a game to all of these. `adapters` implements it, a folder for each game.
//!   `any` implements it for games that are known only at run time.

#![warn(missing_docs)]
// Builds without the feature `write` do not use many of the items.
#![cfg_attr(not(feature = "write"), allow(dead_code, unused_imports))]

pub mod adapters;
pub mod alphabeta;
mod any;
pub mod brute;
pub mod certificate;
#[cfg(feature = "write")]
pub mod checkpoint;
mod decide;
mod error;
pub mod evaluate;
pub mod exact;
pub mod opening;
#[cfg(feature = "write")]
pub mod position_proof;
pub mod proof;
mod searchable;
mod strategy;
pub mod transposition;

#[cfg(feature = "write")]
pub use any::open_certificate;
pub use decide::{Decide, DecideProgress, GoOn};
pub use error::{Result, SearchError};
pub use evaluate::Evaluate;
pub use exact::{Bounded, Search, Solution, best_line};
pub use searchable::Searchable;
pub use strategy::Strategy;
