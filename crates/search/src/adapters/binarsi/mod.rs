//! Binarsi without a table. `move_generator` is a fast implementation of the rules for searches. `proof_hooks`, `prior`
//! and `move_bytes` are for proofs and certificates, `opening` proves openings, `evaluate` and `endgame_solver` for play.

mod endgame_solver;
mod evaluate;
mod move_bytes;
pub mod move_generator;
#[cfg(feature = "write")]
mod opening;
mod prior;
mod proof_hooks;

use std::path::Path;

use crate::certificate::open_strategy;
use crate::evaluate::{EndgameSolver, Evaluate};
use crate::proof::Proofs;
#[cfg(feature = "write")]
use crate::proof::{PositionProof, ProofOfPosition, ProofOptions, plain_proof};
use crate::{Decide, Searchable, Strategy};
use endgame_solver::PlayEndgameSolver;
use evaluate::BinarsiEvaluator;
#[cfg(feature = "write")]
use yomikiri_rules::TextError;
use yomikiri_rules::games::binarsi::board::Position;
use yomikiri_rules::games::binarsi::goal::Goal;
use yomikiri_rules::games::binarsi::{Binarsi, BinarsiOf};
#[cfg(feature = "write")]
use yomikiri_rules::games::binarsi_points::BinarsiPoints;
use yomikiri_rules::{Distance, Score};
use yomikiri_table::TableError;
use yomikiri_table::source::ReadAt;

#[cfg(feature = "write")]
pub use opening::{OpeningEvents, OpeningProver};
pub use proof_hooks::BinarsiProof;

/// A kind of value that can have a prover and an endgame solver.
pub trait Decided: Goal {
    /// True if there is a prover.
    const HAS_PROOFS: bool = false;

    /// Returns the prover of the game ([`Searchable::decider`]), or `None` if there is none.
    fn decider(_game: &BinarsiOf<Self>, _memory: u64, _threads: usize) -> Option<Box<dyn Decide<BinarsiOf<Self>>>> {
        None
    }

    /// Returns the proof of a position ([`Searchable::proof`]).
    #[cfg(feature = "write")]
    fn proof(
        game: &BinarsiOf<Self>,
        position: &Position,
        options: &ProofOptions,
    ) -> Result<Option<Box<dyn PositionProof>>, TextError>;

    /// Returns the endgame solver for play ([`Evaluate::endgame_solver`]), or `None` if there is none.
    fn endgame_solver(_game: &BinarsiOf<Self>, _bytes: usize) -> Option<Box<dyn EndgameSolver<BinarsiOf<Self>>>> {
        None
    }
}

/// There is no prover, because the winner alone says too little where points count.
impl Decided for Score {
    #[cfg(feature = "write")]
    fn proof(
        game: &BinarsiPoints,
        position: &Position,
        options: &ProofOptions,
    ) -> Result<Option<Box<dyn PositionProof>>, TextError> {
        plain_proof(game, position, options)
    }
}

impl Decided for Distance {
    const HAS_PROOFS: bool = true;

    fn decider(game: &Binarsi, memory: u64, threads: usize) -> Option<Box<dyn Decide<Binarsi>>> {
        Some(Box::new(Proofs::new(BinarsiProof::new(game), memory, threads)))
    }

    #[cfg(feature = "write")]
    fn proof(
        game: &Binarsi,
        position: &Position,
        options: &ProofOptions,
    ) -> Result<Option<Box<dyn PositionProof>>, TextError> {
        Ok(Some(Box::new(ProofOfPosition::new(BinarsiProof::new(game), position, options))))
    }

    fn endgame_solver(game: &Binarsi, bytes: usize) -> Option<Box<dyn EndgameSolver<Binarsi>>> {
        Some(Box::new(PlayEndgameSolver::new(game, bytes)))
    }
}

impl<V: Decided> Searchable for BinarsiOf<V> {
    fn evaluator(&self) -> Box<dyn Evaluate<Self>> {
        Box::new(BinarsiEvaluator::new(self))
    }

    fn has_proofs(&self) -> bool {
        V::HAS_PROOFS
    }

    fn decider(&self, memory: u64, threads: usize) -> Option<Box<dyn Decide<Self>>> {
        V::decider(self, memory, threads)
    }

    #[cfg(feature = "write")]
    fn proof(&self, position: &Position, options: &ProofOptions) -> Result<Option<Box<dyn PositionProof>>, TextError> {
        V::proof(self, position, options)
    }

    fn strategy(&self, source: Box<dyn ReadAt>, path: &Path) -> Result<Box<dyn Strategy<Self>>, TableError> {
        open_strategy(self, source, path)
    }
}
