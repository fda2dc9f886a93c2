//! A run on many machines: the tiers of a board, their parts, and the folder for its files.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::tiers::{Cut, Link, NodeOf, Tiered, enumerate};
use crate::{Result, TooLarge};
use yomikiri_table::Storage;

/// A step that units go through. A unit is a part of a tier, or the moves that are common to all parts of a tier.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Step {
    /// Finds the positions of a unit that can arise. All units whose moves lead to it must be enumerated first.
    Enumerate,
    /// Finds the values of a unit. The unit must be enumerated first, and all units that its moves lead to must be
    /// solved first.
    Solve,
    /// Checks the values of a unit. The unit itself and all units that its moves lead to must be solved first. All
    /// units whose moves lead to it must be audited first.
    Audit,
    /// Merges the parts of a tier into one section. These parts, and all units whose moves lead to them, must be
    /// audited first.
    Pack,
}

impl Step {
    /// All steps, in the order in which units go through them.
    pub const ALL: [Step; 4] = [Step::Enumerate, Step::Solve, Step::Audit, Step::Pack];
}

/// The purpose that the marker file in a run's folder states.
const PURPOSE: &str = "work of a cluster";

/// A run over all tiers of a board on many machines, and the folder for its files.
pub struct ClusterRun<'a, G: Tiered> {
    pub(super) game: &'a G,
    pub(super) graph: Vec<NodeOf<G>>,
    pub(super) parents: Vec<Vec<Link<G::Step>>>,
    pub(super) cuts: Vec<Cut>,
    /// For each tier, the index of its first unit. The last entry is the total number of parts.
    pub(super) firsts: Vec<usize>,
    pub(super) storage: &'a Storage,
    pub(super) folder: String,
    /// Set once the folder is known to belong to this run.
    begun: OnceLock<()>,
    /// The memory that a step may use, in bytes.
    pub(super) memory: u64,
    pub(super) read: AtomicU64,
    pub(super) written: AtomicU64,
}

impl<'a, G: Tiered> ClusterRun<'a, G> {
    /// Creates a run that cuts tiers of more than `uncut` rows into parts.
    ///
    /// # Errors
    ///
    /// Returns [`TooLarge`] if a tier of the board has more than 2^30 rows, or if a step over a part takes more than
    /// `memory` bytes.
    pub fn new(game: &'a G, storage: &'a Storage, memory: u64, uncut: usize) -> Result<Self> {
        if game.largest_tier().is_none() {
            return Err(TooLarge::Rows(game.code()).into());
        }
        let graph = game.tier_graph();
        let parents = enumerate::parents_of::<G>(&graph);
        let cut = |node: &NodeOf<G>| match node.rows > uncut {
            true => Cut::new(node.rows, game.pins(node), &game.images(node)),
            false => Cut::whole(node.rows),
        };
        let cuts: Vec<Cut> = graph.iter().map(cut).collect();
        let mut firsts = vec![0];
        for cut in &cuts {
            firsts.push(firsts[firsts.len() - 1] + cut.parts.len());
        }
        let folder = format!("{}.run", game.code());
        let [read, written] = [0, 0].map(AtomicU64::new);
        let begun = OnceLock::new();
        let run = ClusterRun { game, graph, parents, cuts, firsts, storage, folder, begun, memory, read, written };
        let needed = run.least_memory();
        match needed <= memory {
            true => Ok(run),
            false => Err(TooLarge::Step { code: game.code(), needed, allowed: memory }.into()),
        }
    }

    /// Creates the folder of the run with a marker file in it, or takes over the folder of a run that has stopped. Call
    /// it before any step, from one process at a time.
    ///
    /// # Errors
    ///
    /// Fails if a folder of that name belongs to someone else.
    pub fn begin(&self) -> Result<()> {
        let below: Vec<String> =
            Step::ALL.iter().flat_map(|step| [step.folder().into(), step.common_folder()]).collect();
        Ok(self.storage.take_folder(&self.folder, PURPOSE, &below)?)
    }

    /// Returns an error unless the folder belongs to the run: nothing is written or deleted in other folders.
    pub(super) fn check_begun(&self) -> Result<()> {
        if self.begun.get().is_none() {
            self.storage.check_folder(&self.folder, PURPOSE)?;
            let _ = self.begun.set(());
        }
        Ok(())
    }

    /// Deletes the folder if it holds nothing but unfinished files.
    pub(super) fn forget_folder(&self) -> Result<()> {
        Ok(self.storage.forget_folder(&self.folder, PURPOSE)?)
    }

    /// Returns the number of bytes read from the storage, and the number written to it.
    pub fn moved(&self) -> (u64, u64) {
        (self.read.load(Ordering::Relaxed), self.written.load(Ordering::Relaxed))
    }
}
