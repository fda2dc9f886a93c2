//! Depth-first proof-number search (df-pn): who wins a position of a game in which no position repeats.
//!
//! Two outcomes are told apart; where a game has draws, the caller says for which side they count. Sources: Allis et
//! al., "Proof-number search", 1994; Nagai, "Df-pn algorithm for searching AND/OR trees", 2002; Pawlewicz and Lew,
//! "Improving depth-first PN-search: 1 + epsilon trick", 2007; Kaneko, "Parallel depth first proof number search",
//! 2010.
//!
//! `game` says what a game has to tell and `plain` tells it for every game that never repeats. `numbers` are the
//! proof numbers, `table` is the transposition table, `prover` what threads share, `search` the search of one thread,
//! `recent` what it comes back to, `solver` solves one position by all threads or many by one, `moves` all moves of a
//! position, `within` how soon it is won, `state` tells how far they are, and `checkpoint` keeps it all in files.

pub mod checkpoint;
mod game;
mod moves;
mod numbers;
mod plain;
mod prover;
mod recent;
mod search;
mod solver;
mod state;
mod table;
mod within;

pub use game::{DepthFirst, FullPosition, Move, ProofGame, SolveEndgame, Stop};
pub use moves::Played;
pub use numbers::ProofNumbers;
pub use plain::PlainProof;
pub use prover::Prover;
pub use search::Stopped;
pub use solver::Solver;
pub use state::{Candidate, State};
pub use within::Within;
