//! Step 1: which positions can arise.

use std::collections::BTreeMap;

use rayon::prelude::*;

use super::Cyclic;
use super::steps::{Chunk, expand};
use crate::space::{Batch, Ended, SharedSet};
use yomikiri_table::Progress;

/// What can arise from the start.
pub struct Reached {
    /// Undecided positions.
    pub open: SharedSet,
    pub positions: u64,
    /// Number of decided positions by table byte.
    pub ended: BTreeMap<u8, u64>,
}

/// The sets that a breadth-first search fills.
struct Search {
    open: SharedSet,
    frontier: SharedSet,
    next: SharedSet,
    ended: Ended,
}

/// Finds everything that can arise from the start, ply by ply.
pub fn enumerate<G: Cyclic>(game: &G, progress: &dyn Progress) -> Reached {
    progress.begin("Step 1: enumerate", 0);
    let set = || SharedSet::new(game.open_keys().into());
    let mut search = Search { open: set(), frontier: set(), next: set(), ended: Ended::new(game.keys().into()) };
    let start = game.start();
    let mut positions = 0;
    if !game.is_terminal(&start) {
        let key = game.rank(&start);
        search.open.insert(key);
        search.frontier.insert(key);
        positions = 1;
    }
    let mut fresh = positions;
    while fresh > 0 {
        fresh = (0..search.frontier.chunks()).into_par_iter().map(|chunk| search.expand(game, chunk, progress)).sum();
        positions += fresh;
        search.frontier.clear();
        std::mem::swap(&mut search.frontier, &mut search.next);
    }
    let ended = search.ended.counts();
    progress.end(&format!("{positions} positions, {} more in which the game is over", ended.values().sum::<u64>()));
    Reached { open: search.open, positions, ended }
}

impl Search {
    /// Adds the children of a chunk of the frontier to `open`, the new ones to `next` too; returns how many are new.
    fn expand<G: Cyclic>(&self, game: &G, chunk: u64, progress: &dyn Progress) -> u64 {
        let mut fresh = 0;
        let mut add = |key: G::Key| {
            if self.open.insert(key.into()) {
                self.next.insert(key.into());
                fresh += 1;
            }
        };
        let mut over = [0; 256];
        let mut note = |(key, byte): (G::Key, u8)| self.ended.note(key.into(), byte, &mut over);
        let (mut open, mut ended) = (Batch::new(), Batch::new());
        let expanded = expand(
            game,
            &Chunk(&self.frontier, chunk),
            |key| {
                self.open.prefetch(key.into());
                open.push(key, &mut add);
            },
            |key, byte| {
                self.ended.prefetch(key.into());
                ended.push((key, byte), &mut note);
            },
        );
        open.flush(&mut add);
        ended.flush(&mut note);
        self.ended.add(&over);
        progress.advance(expanded);
        fresh
    }
}
