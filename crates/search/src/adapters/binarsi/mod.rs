//! Binarsi without a table. `move_generator` is a fast implementation of the rules for searches. `proof_hooks`, `prior`
//! and `move_bytes` are for proofs and certificates, `opening` proves openings, `evaluate` and `endgame_solver` for
//! play. `decided` says for which kinds of values there are provers.

mod decided;
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
#[cfg(feature = "write")]
use crate::position_proof::{PositionProof, ProofOptions};
use crate::{Decide, Evaluate, Search, Searchable, Strategy};
use decided::Decided;
use evaluate::BinarsiEvaluator;
#[cfg(feature = "write")]
use yomikiri_rules::TextError;
use yomikiri_rules::games::binarsi::BinarsiOf;
#[cfg(feature = "write")]
use yomikiri_rules::games::binarsi::board::Position;
use yomikiri_table::TableError;
use yomikiri_table::source::ReadAt;

#[cfg(feature = "write")]
pub use opening::{OpeningEvents, OpeningProver};
pub use proof_hooks::BinarsiProof;

impl<V: Decided> Searchable for BinarsiOf<V> {
    fn evaluator(&self) -> Box<dyn Evaluate<Self>> {
        Box::new(BinarsiEvaluator::new(self))
    }

    fn searcher(&self, memory: u64) -> Option<Box<dyn Search<Self>>> {
        V::searcher(self, memory)
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
