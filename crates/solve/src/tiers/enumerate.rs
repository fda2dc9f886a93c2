//! Step 1: which positions can arise, tier by tier from the start.

use std::sync::Arc;

use rayon::prelude::*;

use super::{Edge, Link, NodeOf, Tiered};
use crate::Result;
use crate::cache::{Cache, Uses};
use crate::two_steps::{read_words, with_words};
use yomikiri_table::blocks::{Lanes, ROWS_PER_BLOCK};
use yomikiri_table::{NewSection, Progress, SectionBlocks, Store, TableError};

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
        let lanes = reached(game, graph, number, &parents[number], |parent| {
            let from = match store.entries[parent].blocks.is_empty() {
                true => None,
                false => Some(load(game, &graph[parent], &store.section(parent), (parent, &mut cache))?),
            };
            if uses.done(parent) {
                cache.drop_tier(parent);
            }
            Ok(from)
        })?;
        with_section(game, node, &lanes, |section| store.append(section))?;
        cache.put(number, Arc::new(lanes));
        progress.advance(node.rows as u64);
    }
    let positions: u64 = store.entries.iter().map(|entry| entry.tally.positions()).sum();
    progress.end(&format!("{positions} positions"));
    Ok(())
}

/// The lanes of a tier that can arise, all images among them. `sheet` gives that of a parent, `None` if it has no
/// positions.
pub fn reached<G: Tiered>(
    game: &G,
    graph: &[NodeOf<G>],
    number: usize,
    parents: &[Link<G::Step>],
    mut sheet: impl FnMut(usize) -> Result<Option<Arc<Vec<Lanes>>>>,
) -> Result<Vec<Lanes>> {
    let node = &graph[number];
    let mut lanes = vec![0; node.rows];
    if number == 0 {
        mark_start(game, node, &mut lanes);
    }
    for link in parents {
        if let Some(from) = sheet(link.child)? {
            let edge = Edge { parent: &graph[link.child], child: node, step: link.step };
            game.reach(edge, &from, 0, &mut lanes);
        }
    }
    if game.has_images(node) {
        let reached = lanes.clone();
        game.add_images(node, &reached, 0, &mut lanes);
    }
    game.close(node, 0, &mut lanes);
    Ok(lanes)
}

/// Links turned round: for every tier, where its positions come from (`child` is the parent's number).
pub fn parents_of<G: Tiered>(graph: &[NodeOf<G>]) -> Vec<Vec<Link<G::Step>>> {
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

/// Makes the section of a tier's lanes; rows that are not their own first image are left out.
pub fn with_section<G: Tiered, T>(game: &G, node: &NodeOf<G>, lanes: &[Lanes], act: impl FnOnce(NewSection) -> T) -> T {
    let first = game.first_image(node);
    let own = |row: usize| if first(row as u32) == row as u32 { lanes[row] } else { 0 };
    with_words((node.base, node.ply), node.rows, ROWS_PER_BLOCK, own, act)
}

/// The lanes of a finished tier as its section has them: first images only.
pub fn stored_lanes<G: Tiered>(node: &NodeOf<G>, section: &dyn SectionBlocks) -> Result<Vec<Lanes>, TableError> {
    read_words(section, node.rows, ROWS_PER_BLOCK)
}

/// The full sheet of lanes of a finished tier, from memory or its section.
pub fn load<G: Tiered>(
    game: &G,
    node: &NodeOf<G>,
    section: &dyn SectionBlocks,
    (number, cache): (usize, &mut Cache<Lanes>),
) -> Result<Arc<Vec<Lanes>>, TableError> {
    if let Some(lanes) = cache.get(number) {
        return Ok(lanes);
    }
    let stored = stored_lanes::<G>(node, section)?;
    let first = game.first_image(node);
    let lanes =
        Arc::new((0..stored.len()).into_par_iter().map(|row| stored[first(row as u32) as usize]).collect::<Vec<_>>());
    cache.put(number, lanes.clone());
    Ok(lanes)
}
