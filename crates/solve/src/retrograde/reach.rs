//! Step 1: which positions can arise.

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use rayon::prelude::*;

use super::Cyclic;
use super::batch::Batch;
use super::ended::Ended;
use crate::space::SharedSet;
use yomikiri_rules::value::{Timed, Value};
use yomikiri_table::progress::Progress;

/// What can arise from the start.
pub struct Reached {
    /// Undecided positions.
    pub open: SharedSet,
    pub positions: u64,
    /// Number of decided positions by table byte.
    pub ended: BTreeMap<u8, u64>,
}

/// The sets a search through all positions fills.
struct Search {
    open: SharedSet,
    last: SharedSet,
    next: SharedSet,
    ended: Ended,
}

/// Finds everything below the start, ply by ply.
pub fn reach<G: Cyclic>(game: &G, progress: &dyn Progress) -> Reached {
    progress.begin("Step 1: enumerate", 0);
    let set = || SharedSet::new(game.open_keys().into());
    let mut search = Search { open: set(), last: set(), next: set(), ended: Ended::new(game.keys()) };
    let start = game.start();
    let mut positions = 0;
    if !game.decided(&start) {
        let key = game.key(&start);
        search.open.insert(key);
        search.last.insert(key);
        positions = 1;
    }
    let mut fresh = positions;
    while fresh > 0 {
        fresh = (0..search.last.chunks()).into_par_iter().map(|chunk| search.expand(game, chunk, progress)).sum();
        positions += fresh;
        search.last.clear();
        std::mem::swap(&mut search.last, &mut search.next);
    }
    let ended = search.ended.counts();
    progress.end(&format!("{positions} positions, {} more in which the game is over", ended.values().sum::<u64>()));
    Reached { open: search.open, positions, ended }
}

impl Search {
    /// Adds the children of a chunk of `last` to `open`, the new ones to `next` too; returns how many are new.
    fn expand<G: Cyclic>(&self, game: &G, chunk: u64, progress: &dyn Progress) -> u64 {
        let mut fresh = 0;
        let mut add = |key: u32| {
            if self.open.insert(key.into()) {
                self.next.insert(key.into());
                fresh += 1;
            }
        };
        let mut over = [0; 256];
        let mut note = |(key, byte): (u32, u8)| self.ended.note(key, byte, &mut over);
        let (mut open, mut ended, mut block) = (Batch::new(), Batch::new(), G::Block::default());
        let mut expanded = 0;
        self.last.visit_chunk(chunk, |key| {
            expanded += 1;
            let _ = game.children(&game.board(key as u32, &mut block), |child, over| {
                let key = game.key_of(child);
                match over {
                    None => {
                        self.open.prefetch(key.into());
                        open.push(key, &mut add);
                    }
                    Some((outcome, plies)) => {
                        self.ended.prefetch(key);
                        ended.push((key, G::Value::of(outcome, plies.into()).to_byte()), &mut note);
                    }
                }
                ControlFlow::Continue(())
            });
        });
        open.flush(&mut add);
        ended.flush(&mut note);
        self.ended.add(&over);
        progress.advance(expanded);
        fresh
    }
}
