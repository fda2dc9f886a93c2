//! Step 1 of a run: finds the positions that can arise, tier by tier from the start.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use zerocopy::{FromBytes, IntoBytes};

use super::{Edge, LaneSheets, Link, Moves, NodeOf, NodePart, Part, Sheet, SheetMut, Tiered, first_image};
use crate::Result;
use crate::cache::Uses;
use crate::space::BitMap;
use crate::two_steps::{WordSection, add_words, with_words};
use yomikiri_table::blocks::{Lanes, ROWS_PER_BLOCK};
use yomikiri_table::memory::Zeros;
use yomikiri_table::{NewSection, Progress, SectionBlocks, Store, parallel};

/// Enumerates all tiers of `graph` into `store`, which gets one section per tier, in the graph's order. Sections that
/// exist already are kept. The tally of a section counts the tier's canonical positions under byte 0. A cache of
/// `memory` bytes keeps the lanes of recent tiers.
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
    let mut cache = LaneSheets::new(memory);
    let first = store.entries.len();
    let mut uses = Uses::new(graph.len(), parents[first..].iter().flatten().map(|link| link.child));
    for (number, node) in graph.iter().enumerate().skip(first) {
        let part = Part::whole(node.rows);
        let mut lanes = start(game, graph, number, &part, &mut cache)?;
        for Link { child: parent, step } in parents[number].iter().copied() {
            if !store.entries[parent].blocks.is_empty() {
                let from_part = Part::whole(graph[parent].rows);
                let from = load(
                    game,
                    NodePart { node: &graph[parent], part: &from_part },
                    &store.section(parent),
                    parent,
                    &mut cache,
                )?;
                let edge = Edge { parent: &graph[parent], child: node, step };
                let into = SheetMut { part: &part, rows: &mut lanes };
                game.reach(edge, Moves::All, Sheet { part: &from_part, rows: &from }, into);
            }
            if uses.done(parent) {
                cache.drop_tier(parent);
            }
        }
        finish(game, node, &part, &mut lanes);
        with_section(game, node, &part, &lanes, |section| store.append(section))?;
        cache.put(number, Arc::new(lanes));
        progress.advance(node.rows as u64);
    }
    let positions: u64 = store.entries.iter().map(|entry| entry.tally.positions()).sum();
    progress.end(&format!("{positions} positions"));
    Ok(())
}

/// Returns the lanes of a part before any moves are made: one word for each row, with a bit for each lane that has a
/// position. If the start is in the part, the start and its images have their bits set. All other bits are 0.
pub fn start<G: Tiered>(
    game: &G,
    graph: &[NodeOf<G>],
    tier: usize,
    part: &Part,
    cache: &mut LaneSheets,
) -> Result<Zeros<Lanes>> {
    let mut lanes = cache.fresh(part.rows(), 0)?;
    if tier == 0 {
        let node = &graph[0];
        let key = game.rank(&game.start()) - node.base;
        let row = (key >> 6) as u32;
        let images = game.images(node);
        for row in std::iter::once(row).chain(images.iter().map(|image| image.apply(row))) {
            if let Some(at) = part.index(row) {
                lanes[at] |= 1 << (key & 63);
            }
        }
    }
    Ok(lanes)
}

/// Completes the lanes of a part after the moves of all links that lead to its tier. The graph has only one image of
/// each parent tier, and moves from its other images are not made. They would lead to the images of the rows reached so
/// far, so this function adds those images.
pub fn finish<G: Tiered>(game: &G, node: &NodeOf<G>, part: &Part, lanes: &mut [Lanes]) {
    let images = game.images(node);
    if !images.is_empty() {
        let reached = lanes.to_vec();
        parallel::each_part_mut(lanes, ROWS_PER_BLOCK, |block, lanes| {
            for (at, lanes) in (block * ROWS_PER_BLOCK..).zip(lanes) {
                let row = part.row(at);
                let of_image = |image: &BitMap| part.index(image.apply(row)).map_or(0, |at| reached[at]);
                *lanes = images.iter().fold(*lanes, |lanes, image| lanes | of_image(image));
            }
        });
    }
    game.close(node, SheetMut { part, rows: lanes });
}

/// Returns, for every tier, the links that lead to it. In these links, the field `child` is the index of the parent.
pub fn parents_of<G: Tiered>(graph: &[NodeOf<G>]) -> Vec<Vec<Link<G::Step>>> {
    let mut parents = vec![Vec::new(); graph.len()];
    for (number, node) in graph.iter().enumerate() {
        for link in &node.links {
            parents[link.child].push(Link { child: number, step: link.step });
        }
    }
    parents
}

/// Calls `act` with the section of a part's lanes. Only rows that equal their [`first_image`] are stored; the others
/// are left empty.
pub fn with_section<G: Tiered, T>(
    game: &G,
    node: &NodeOf<G>,
    part: &Part,
    lanes: &[Lanes],
    act: impl FnOnce(NewSection) -> T,
) -> T {
    let images = game.images(node);
    let own = |at: usize| {
        let row = part.row(at);
        if first_image(&images, row) == row { lanes[at] } else { 0 }
    };
    with_words(part_words(node, part), own, act)
}

/// Returns the key, the ply and the size of a section with one word for each row of a part.
pub fn part_words<T, S>(node: &super::Node<T, S>, part: &Part) -> WordSection {
    WordSection { key: part_key(node, part), ply: node.ply, words: part.rows(), block: ROWS_PER_BLOCK }
}

/// Returns the key of lane 0 in the first row of a part.
pub fn part_key<T, S>(node: &super::Node<T, S>, part: &Part) -> u64 {
    node.base + (u64::from(part.row(0)) << 6)
}

/// Reads the lanes of a finished part from its section. Only rows that equal their [`first_image`] have lanes.
pub fn stored_lanes(part: &Part, section: &dyn SectionBlocks) -> Result<Zeros<Lanes>> {
    let mut lanes = Zeros::new(part.rows())?;
    add_words(section, &mut lanes, ROWS_PER_BLOCK)?;
    Ok(lanes)
}

/// Returns the lanes of all rows of a finished part, from the cache or else from the part's section. `unit` is the
/// index of the part in the cache.
pub fn load<G: Tiered>(
    game: &G,
    NodePart { node, part }: NodePart<G>,
    section: &dyn SectionBlocks,
    unit: usize,
    cache: &mut LaneSheets,
) -> Result<Arc<Zeros<Lanes>>> {
    if let Some(lanes) = cache.get(unit) {
        return Ok(lanes);
    }
    let mut lanes = stored_lanes(part, section)?;
    fill_images(&game.images(node), part, &mut lanes);
    let lanes = Arc::new(lanes);
    cache.put(unit, lanes.clone());
    Ok(lanes)
}

/// Overwrites the content of each row of a part with the content of the row's [`first_image`]. The size of a row must
/// be a multiple of 8 bytes.
pub fn fill_images<T: FromBytes + IntoBytes>(images: &[BitMap], part: &Part, rows: &mut [T]) {
    if images.is_empty() {
        return;
    }
    let count = rows.len();
    let words: &[AtomicU64] = <[AtomicU64]>::mut_from_bytes(rows.as_mut_bytes()).expect("rows are words");
    let words_of = |at: usize| &words[at * (words.len() / count)..][..words.len() / count];
    let fill = |at: usize| {
        let row = part.row(at);
        let first = first_image(images, row);
        // Threads read only rows that are their own first image, and these rows do not change.
        if first != row
            && let Some(of_first) = part.index(first)
        {
            for (word, of_first) in words_of(at).iter().zip(words_of(of_first)) {
                word.store(of_first.load(Ordering::Relaxed), Ordering::Relaxed);
            }
        }
    };
    parallel::each_range(count, ROWS_PER_BLOCK, |share| share.for_each(fill));
}
