//! A run: the tiers of a board, how they are cut, and where its files lie.

use std::sync::atomic::{AtomicU64, Ordering};

use crate::tiers::{Cut, Link, NodeOf, Tiered, enumerate};
use crate::{Result, SolveError};
use yomikiri_table::Storage;

/// What is done with a unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Step {
    /// Needs the same step of those from which moves lead here.
    Enumerate,
    /// Needs the unit enumerated, and the same step of those to which moves lead.
    Solve,
    /// Needs the unit and those to which its moves lead solved, and the same step of those from which moves lead here.
    Audit,
    /// Makes one section of the parts of a tier. Needs all of them audited, and those from which moves lead there.
    Pack,
}

impl Step {
    pub const ALL: [Step; 4] = [Step::Enumerate, Step::Solve, Step::Audit, Step::Pack];
}

/// A run over a board, and where its files lie.
pub struct ClusterRun<'a, G: Tiered> {
    pub(super) game: &'a G,
    pub(super) graph: Vec<NodeOf<G>>,
    pub(super) parents: Vec<Vec<Link<G::Step>>>,
    pub(super) cuts: Vec<Cut>,
    /// The unit of the first part of each tier, and at the end the number of all parts.
    pub(super) firsts: Vec<usize>,
    pub(super) storage: &'a Storage,
    pub(super) folder: String,
    /// Bytes of memory that a step may use.
    pub(super) memory: u64,
    pub(super) read: AtomicU64,
    pub(super) written: AtomicU64,
}

impl<'a, G: Tiered> ClusterRun<'a, G> {
    /// A run that cuts tiers of more than so many rows. Refuses boards whose parts do not fit the memory.
    pub fn new(game: &'a G, storage: &'a Storage, memory: u64, uncut: usize) -> Result<Self> {
        if game.largest_tier().is_none() {
            return Err(SolveError::TooLarge(format!("{}: its tiers have more rows than numbers", game.code())));
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
        let run = ClusterRun { game, graph, parents, cuts, firsts, storage, folder, memory, read, written };
        let least = run.least_memory();
        match least <= memory {
            true => Ok(run),
            false => {
                let text = format!("{}: a step needs {least} bytes of memory, not {memory}", game.code());
                Err(SolveError::TooLarge(text))
            }
        }
    }

    /// Bytes that have been read from the storage, and written there.
    pub fn moved(&self) -> (u64, u64) {
        (self.read.load(Ordering::Relaxed), self.written.load(Ordering::Relaxed))
    }
}
