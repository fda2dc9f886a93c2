//! Who wins: depth-first proof-number search.
//!
//! A proof number says how many positions have to be decided at least, by what is known, to prove that the side to move
//! wins (`wins`), or that it loses (`loses`). The search goes on where it is nearest to a proof and comes back once the
//! numbers have grown past what makes another place nearer. `place` tells which positions are the same, `table` keeps the
//! numbers, `guess` begins them, `search` is the search, `prover` its threads, `judge` one thread that answers for one position after the other, `state`
//! how far they are, `checkpoint` keeps it all in files.

pub mod checkpoint;
mod guess;
mod judge;
mod place;
mod prover;
mod search;
mod state;
mod table;

pub(super) use judge::Judge;
pub use prover::{Numbers, Prover};
pub(super) use search::Stopped;
pub use state::{Candidate, State};
