//! Depth-first proof-number search (df-pn): proves the winner of a position, for games that never repeat a position.
//!
//! The search distinguishes two outcomes. If the game has draws, the caller chooses the side for which they count as
//! wins. Sources: Allis et al., "Proof-number search", 1994; Nagai, "Df-pn algorithm for searching AND/OR trees", 2002;
//! Pawlewicz and Lew, "Improving depth-first PN-search: 1 + epsilon trick", 2007; Kaneko, "Parallel depth first proof
//! number search", 2010.
//!
//! `game` is the trait that a game implements; `plain` implements it for every game that never repeats a position.
//! `numbers` defines proof numbers, and `table` is the transposition table. `prover` is the state that threads share,
//! and `race` starts the threads. `search` is the search of one thread, and `recent` is a cache of its child lists.
//! `solver` solves one position on all threads, or many positions on one thread. `moves` decides all moves of a
//! position, and `within` finds the distance to a win. `decide` offers all of that behind one interface, for many
//! questions. `state` is the progress of a proof, and `checkpoint` saves and restores it.

#[cfg(feature = "write")]
pub mod checkpoint;
mod decide;
mod game;
mod moves;
mod numbers;
mod plain;
mod prover;
#[cfg(feature = "write")]
mod race;
mod recent;
mod search;
mod solver;
mod state;
mod table;
mod within;

pub use decide::Proofs;
pub use game::{DepthFirst, FullPosition, Move, ProofGame, SolveEndgame, StopFn};
pub use moves::Played;
pub use numbers::ProofNumbers;
pub use plain::PlainProof;
pub use prover::Prover;
pub use search::Stopped;
pub use solver::Solver;
pub use state::{Candidate, ProofState};
pub use within::WithDeadline;
