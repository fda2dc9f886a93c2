//! The kinds of values that Binarsi has provers for.

use super::endgame_solver::PlayEndgameSolver;
use super::proof_hooks::BinarsiProof;
use crate::alphabeta::{Plain, Solver};
use crate::evaluate::EndgameSolver;
#[cfg(feature = "write")]
use crate::position_proof::{PositionProof, ProofOfPosition, ProofOptions, plain_proof};
use crate::proof::Proofs;
use crate::{Decide, Search};
#[cfg(feature = "write")]
use yomikiri_rules::TextError;
#[cfg(feature = "write")]
use yomikiri_rules::games::binarsi::board::Position;
use yomikiri_rules::games::binarsi::goal::Goal;
use yomikiri_rules::games::binarsi::{Binarsi, BinarsiOf};
use yomikiri_rules::games::binarsi_points::BinarsiPoints;
use yomikiri_rules::{Distance, Game, Score};

/// A type of values for positions of Binarsi, such as distances or scores. The methods return the prover, the search
/// and the endgame solver for positions with such values.
pub trait Decided: Goal {
    /// True if there is a prover.
    const HAS_PROOFS: bool = false;

    /// Returns the prover of the game ([`crate::Searchable::decider`]), or `None` if there is none.
    fn decider(_game: &BinarsiOf<Self>, _memory: u64, _threads: usize) -> Option<Box<dyn Decide<BinarsiOf<Self>>>> {
        None
    }

    /// Returns the search for exact values ([`crate::Searchable::searcher`]), or `None` if there is none.
    fn searcher(_game: &BinarsiOf<Self>, _memory: u64) -> Option<Box<dyn Search<BinarsiOf<Self>>>> {
        None
    }

    /// Returns the proof of a position ([`crate::Searchable::proof`]).
    #[cfg(feature = "write")]
    fn proof(
        game: &BinarsiOf<Self>,
        position: &Position,
        options: &ProofOptions,
    ) -> Result<Option<Box<dyn PositionProof>>, TextError>;

    /// Returns the endgame solver for play ([`crate::Evaluate::endgame_solver`]), or `None` if there is none.
    fn endgame_solver(_game: &BinarsiOf<Self>, _bytes: usize) -> Option<Box<dyn EndgameSolver<BinarsiOf<Self>>>> {
        None
    }
}

/// There is no prover, because the winner alone does not determine a score.
impl Decided for Score {
    fn searcher(game: &BinarsiPoints, memory: u64) -> Option<Box<dyn Search<BinarsiPoints>>> {
        game.has_keys().then(|| Box::new(Solver::new(Plain::new(game.clone()), memory)) as _)
    }

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
