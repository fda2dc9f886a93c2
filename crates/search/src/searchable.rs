//! The interface of games for everything that works without a table.

use std::path::Path;

use crate::evaluate::{ByRules, Evaluate};
#[cfg(feature = "write")]
use crate::position_proof::{PositionProof, ProofOptions};
use crate::{Decide, Search, Strategy};
use yomikiri_rules::Notation;
#[cfg(feature = "write")]
use yomikiri_rules::TextError;
use yomikiri_table::TableError;
use yomikiri_table::source::ReadAt;

/// The searches, provers, certificates and evaluation of a game. Every method has a default, which suits a plain game.
///
/// ```
/// use yomikiri_rules::{AnyGame, Game, Notation, Outcome, Side, Value};
/// use yomikiri_search::Searchable;
/// use yomikiri_table::Silent;
///
/// let connect_four = AnyGame::parse("con4x4")?;
/// let search = connect_four.searcher(16 << 20).expect("Connect Four has a search");
/// assert_eq!(search.solve(&connect_four.start(), &Silent).value.outcome(), Outcome::Draw);
///
/// let binarsi = AnyGame::parse("bin3x3")?;
/// let mut prover = binarsi.decider(16 << 20, 0).expect("Binarsi has a prover");
/// assert_eq!(prover.winner(&binarsi.start(), &mut |_| true)?, Some(Side::White));
/// assert!(binarsi.has_proofs() && !connect_four.has_proofs());
///
/// let reversi = AnyGame::parse("rev8x8")?;
/// assert_eq!(reversi.evaluator().material(&reversi.start(), Side::Black), 2);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait Searchable: Notation {
    /// Returns the evaluator for play without a table. The default knows only the rules.
    fn evaluator(&self) -> Box<dyn Evaluate<Self>> {
        Box::new(ByRules(self.clone()))
    }

    /// Returns a search for the values of single positions that uses at most `memory` bytes; `None` if the game has
    /// none.
    fn searcher(&self, _memory: u64) -> Option<Box<dyn Search<Self>>> {
        None
    }

    /// True if [`Searchable::decider`] returns a prover.
    fn has_proofs(&self) -> bool {
        false
    }

    /// Returns a prover for single positions that uses at most `memory` bytes and `threads` threads. With 0 threads, it
    /// works on the thread that calls it. `None` if the game has no prover ([`Searchable::has_proofs`]). A game can
    /// have a prover only if its values consist of a winner and a number of plies.
    fn decider(&self, _memory: u64, _threads: usize) -> Option<Box<dyn Decide<Self>>> {
        None
    }

    /// Returns the proof of a position, for long runs with checkpoints and certificates; `None` if the game can repeat
    /// positions.
    ///
    /// # Errors
    ///
    /// If the variant has no proofs, because its positions have no keys.
    #[cfg(feature = "write")]
    fn proof(
        &self,
        _position: &Self::Position,
        _options: &ProofOptions,
    ) -> Result<Option<Box<dyn PositionProof>>, TextError> {
        Ok(None)
    }

    /// Opens the certificate in `source`. Errors name `path`. The default, for games without certificates, returns an
    /// error.
    fn strategy(&self, _source: Box<dyn ReadAt>, path: &Path) -> Result<Box<dyn Strategy<Self>>, TableError> {
        Err(TableError::foreign(path, format!("{} has no certificates", self.code())))
    }
}
