//! Step 1: which positions can arise.

use std::ops::ControlFlow;

use rayon::prelude::*;

use super::batch::Batch;
use super::{Child, Cyclic};
use crate::progress::Progress;
use crate::space::SharedSet;

/// Undecided positions that can arise from the start.
pub struct Reached {
    pub open: SharedSet,
    pub positions: u64,
}

/// Finds everything below the start, ply by ply.
pub fn reach<G: Cyclic>(game: &G, progress: &dyn Progress) -> Reached {
    progress.begin("Step 1: enumerate", 0);
    let keys = u64::from(game.open_keys());
    let (open, mut last, mut next) = (SharedSet::new(keys), SharedSet::new(keys), SharedSet::new(keys));
    let start = game.start();
    let mut positions = 0;
    if !game.decided(&start) {
        let key = game.key(&start);
        open.insert(key);
        last.insert(key);
        positions = 1;
    }
    let mut fresh = positions;
    while fresh > 0 {
        progress.advance(fresh);
        fresh = (0..last.chunks()).into_par_iter().map(|chunk| expand(game, chunk, &last, &open, &next)).sum();
        positions += fresh;
        last.clear();
        std::mem::swap(&mut last, &mut next);
    }
    progress.end(&format!("{positions} positions"));
    Reached { open, positions }
}

/// Adds the children of a chunk of `last` to `open`, the new ones to `next` too; returns how many are new.
fn expand<G: Cyclic>(game: &G, chunk: u64, last: &SharedSet, open: &SharedSet, next: &SharedSet) -> u64 {
    let mut fresh = 0;
    let mut add = |key: u32| {
        if open.insert(key.into()) {
            next.insert(key.into());
            fresh += 1;
        }
    };
    let mut batch = Batch::of(open);
    last.visit_chunk(chunk, |key| {
        let _ = game.children(&game.board(key as u32), |child| {
            if let Child::Open(key) = child {
                batch.push(key, &mut add);
            }
            ControlFlow::Continue(())
        });
    });
    batch.flush(&mut add);
    fresh
}
