//! Step 1: which positions can arise, tier by tier from the start.

use std::sync::Arc;

use rayon::prelude::*;

use super::{Edge, Link, NodeOf, Tiered};
use crate::Result;
use crate::cache::{Cache, Uses};
use crate::two_steps::{append_words, read_words};
use yomikiri_table::blocks::{Lanes, ROWS_PER_BLOCK};
use yomikiri_table::{Progress, Store, TableError};

/// Enumerates all tiers of `graph` into `store`, which gets one section per tier in the graph's order. Sections that
/// are there already are kept. The tally's byte 0 counts a tier's canonical positions.
pub fn enumerate<G: Tiered>(
    game: &G,
    graph: &[NodeOf<G>],
    store: &mut Store,
    memory: u64,
    progress: &dyn Progress,
) -> Result<()> {
    let parents = parents_of::<G>(graph);
    let rows: u64 = graph.iter().map(|node| node.rows as u64).sum();
    progress.begin("Step 1: enumerate", rows);
    progress.advance(graph[..store.entries.len()].iter().map(|node| node.rows as u64).sum());
    let mut cache = Cache::new(memory);
    let first = store.entries.len();
    let mut uses = Uses::new(graph.len(), parents[first..].iter().flatten().map(|link| link.child));
    for (number, node) in graph.iter().enumerate().skip(first) {
        let mut lanes = vec![0; node.rows];
        if number == 0 {
            mark_start(game, node, &mut lanes);
        }
        for link in &parents[number] {
            let parent = link.child;
            if !store.entries[parent].blocks.is_empty() {
                let from = load(game, graph, store, parent, &mut cache)?;
                let edge = Edge { parent: &graph[parent], child: node, step: link.step };
                game.reach(edge, &from, 0, &mut lanes);
            }
            if uses.done(parent) {
                cache.drop_tier(parent);
            }
        }
        if game.has_images(node) {
            let reached = lanes.clone();
            game.add_images(node, &reached, 0, &mut lanes);
        }
        game.close(node, 0, &mut lanes);
        append(game, node, &lanes, store)?;
        cache.put(number, Arc::new(lanes));
        progress.advance(node.rows as u64);
    }
    let positions: u64 = store.entries.iter().map(|entry| entry.tally.positions()).sum();
    progress.end(&format!("{positions} positions"));
    Ok(())
}

/// Links turned round: for every tier, where its positions come from (`child` is the parent's number).
fn parents_of<G: Tiered>(graph: &[NodeOf<G>]) -> Vec<Vec<Link<G::Step>>> {
    let mut parents = vec![Vec::new(); graph.len()];
    for (number, node) in graph.iter().enumerate() {
        for link in &node.links {
            parents[link.child].push(Link { child: number, step: link.step });
        }
    }
    parents
}

/// Marks the start and its images in the first tier.
fn mark_start<G: Tiered>(game: &G, node: &NodeOf<G>, lanes: &mut [Lanes]) {
    let number = game.rank(&game.start()) - node.base;
    let (row, lane) = ((number >> 6) as u32, number & 63);
    let first = game.first_image(node);
    for (other, lanes) in lanes.iter_mut().enumerate() {
        if first(other as u32) == row {
            *lanes |= 1 << lane;
        }
    }
}

/// Writes a tier's lanes; rows that are not their own first image are left out.
fn append<G: Tiered>(game: &G, node: &NodeOf<G>, lanes: &[Lanes], store: &mut Store) -> Result<(), TableError> {
    let first = game.first_image(node);
    let own = |row: usize| if first(row as u32) == row as u32 { lanes[row] } else { 0 };
    append_words(store, (node.base, node.ply), node.rows, ROWS_PER_BLOCK, own)
}

/// The lanes of a finished tier as the store has them: first images only.
pub fn stored_lanes<G: Tiered>(node: &NodeOf<G>, store: &Store, number: usize) -> Result<Vec<Lanes>, TableError> {
    read_words(store, number, node.rows, ROWS_PER_BLOCK)
}

/// The full sheet of lanes of a finished tier, from memory or the store.
fn load<G: Tiered>(
    game: &G,
    graph: &[NodeOf<G>],
    store: &Store,
    number: usize,
    cache: &mut Cache<Lanes>,
) -> Result<Arc<Vec<Lanes>>, TableError> {
    if let Some(lanes) = cache.get(number) {
        return Ok(lanes);
    }
    let stored = stored_lanes::<G>(&graph[number], store, number)?;
    let first = game.first_image(&graph[number]);
    let lanes =
        Arc::new((0..stored.len()).into_par_iter().map(|row| stored[first(row as u32) as usize]).collect::<Vec<_>>());
    cache.put(number, lanes.clone());
    Ok(lanes)
}
