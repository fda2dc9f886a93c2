//! The [`Adapter`] of Binarsi.

use std::path::Path;

use super::proof_hooks::BinarsiProof;
use crate::adapter::Adapter;
use crate::certificate::open_strategy;
use crate::estimate::{self, Estimate, Limits};
use crate::proof::Proofs;
use crate::{Costs, Decide, Strategy};
use yomikiri_rules::games::binarsi::board::Position;
use yomikiri_rules::games::binarsi::goal::Goal;
use yomikiri_rules::games::binarsi::{Binarsi, BinarsiOf};
use yomikiri_rules::{Distance, Score};
use yomikiri_table::TableError;
use yomikiri_table::source::ReadAt;

/// A kind of value that can have a prover.
pub trait Decided: Goal {
    /// True if there is a prover.
    const HAS_PROOFS: bool = false;

    /// Returns the prover of the game ([`Adapter::decider`]), or `None` if there is none.
    fn decider(_game: &BinarsiOf<Self>, _memory: u64, _threads: usize) -> Option<Box<dyn Decide<BinarsiOf<Self>>>> {
        None
    }
}

/// There is no prover, because the winner alone says too little where points count.
impl Decided for Score {}

impl Decided for Distance {
    const HAS_PROOFS: bool = true;

    fn decider(game: &Binarsi, memory: u64, threads: usize) -> Option<Box<dyn Decide<Binarsi>>> {
        Some(Box::new(Proofs::new(BinarsiProof::new(game), memory, threads)))
    }
}

impl<V: Decided> Adapter for BinarsiOf<V> {
    fn costs(&self) -> Costs {
        Costs { table: 0.33, work: 0.25, rate: 8e6 }
    }

    fn has_proofs(&self) -> bool {
        V::HAS_PROOFS
    }

    fn estimate_from(&self, root: &Position) -> Estimate {
        estimate::positions(self, root, Limits::default())
    }

    fn decider(&self, memory: u64, threads: usize) -> Option<Box<dyn Decide<Self>>> {
        V::decider(self, memory, threads)
    }

    fn strategy(&self, source: Box<dyn ReadAt>, path: &Path) -> Result<Box<dyn Strategy<Self>>, TableError> {
        open_strategy(self, source, path)
    }
}
