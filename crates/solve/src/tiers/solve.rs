//! Step 2: what every position is worth, tier by tier from the end.

use std::sync::Arc;

use rayon::prelude::*;

use super::enumerate::stored_lanes;
use super::{Edge, NodeOf, Row, Tiered};
use crate::cache::{Cache, Uses};
use crate::counts::ByteCounts;
use crate::{Result, SolveError};
use yomikiri_table::blocks::{Lanes, ROWS_PER_BLOCK, decode_block, encode_block, for_each_lane};
use yomikiri_table::{NewSection, Progress, Store, TableError, Tally};

/// Values all tiers of `graph` into `store`, the last tier first, so that section `k` is tier `graph.len() - 1 - k`.
/// `reach` is the finished enumeration. Sections that are there already are kept.
pub fn solve<G: Tiered>(
    game: &G,
    graph: &[NodeOf<G>],
    reach: &Store,
    store: &mut Store,
    memory: u64,
    progress: &dyn Progress,
) -> Result<()> {
    let full = |number: usize| !reach.entries[number].blocks.is_empty();
    let work: u64 = (0..graph.len()).filter(|&number| full(number)).map(|number| cost(&graph[number])).sum();
    progress.begin("Step 2: solve", work);
    let done = store.entries.len();
    let order: Vec<usize> = (0..graph.len()).rev().collect();
    progress.advance(order[..done].iter().filter(|&&number| full(number)).map(|&number| cost(&graph[number])).sum());
    let rest = &order[done..];
    let mut uses =
        Uses::new(graph.len(), rest.iter().filter(|&&n| full(n)).flat_map(|&n| &graph[n].links).map(|link| link.child));
    let mut cache = Cache::new(memory);
    for &number in rest {
        let node = &graph[number];
        if !full(number) {
            append_empty(node, store)?;
            continue;
        }
        let mut rows = vec![Row::filled(game.worst(node.ply)); node.rows];
        for link in &node.links {
            // A tier without open positions still tells who has won in it.
            let sheet = load(game, graph, store, link.child, &mut cache)?;
            let edge = Edge { parent: node, child: &graph[link.child], step: link.step };
            game.improve(edge, &sheet, 0, &mut rows);
            if uses.done(link.child) {
                cache.drop_tier(link.child);
            }
        }
        game.end_rows(node, 0, &mut rows);
        append(game, node, &stored_lanes::<G>(node, reach, number)?, &rows, store)?;
        game.lift(node, 0, &mut rows);
        cache.put(number, Arc::new(rows));
        progress.advance(cost(node));
    }
    let positions: u64 = store.entries.iter().map(|entry| entry.tally.positions()).sum();
    progress.end(&format!("{positions} values"));
    Ok(())
}

/// Work for a tier: its rows once per bundle of moves.
pub fn cost<T, S>(node: &super::Node<T, S>) -> u64 {
    (node.rows * (node.links.len() + 1)) as u64
}

fn append_empty<T, S>(node: &super::Node<T, S>, store: &mut Store) -> Result<(), TableError> {
    let plain = |_| Vec::new();
    store.append(NewSection {
        key: node.base,
        rows: node.rows as u64,
        tally: Tally::default(),
        blocks: 0,
        plain: &plain,
    })
}

fn append<G: Tiered>(game: &G, node: &NodeOf<G>, lanes: &[Lanes], rows: &[Row], store: &mut Store) -> Result<()> {
    let table = game.table_bytes(node.ply);
    let counts = count_bytes(lanes, rows, &table);
    let without = counts.without_value();
    if without > 0 {
        return Err(SolveError::Wrong(format!("{without} positions of tier {:?} got no value", node.tier)));
    }
    let mut tally = Tally::default();
    counts.add_to(&mut tally, node.ply);
    let plain = |block: usize| {
        let first = block * ROWS_PER_BLOCK;
        let end = (first + ROWS_PER_BLOCK).min(lanes.len());
        encode_block(&lanes[first..end], |row, lane| table[rows[first + row].0[lane] as usize])
    };
    let blocks = lanes.len().div_ceil(ROWS_PER_BLOCK);
    store.append(NewSection { key: node.base, rows: node.rows as u64, tally, blocks, plain: &plain })?;
    Ok(())
}

/// How many positions have each table byte.
fn count_bytes(lanes: &[Lanes], rows: &[Row], table: &[u8; 256]) -> ByteCounts {
    let chunks = lanes.par_chunks(ROWS_PER_BLOCK).zip(rows.par_chunks(ROWS_PER_BLOCK));
    let count = |(lanes, rows): (&[Lanes], &[Row])| {
        let mut counts = ByteCounts::default();
        for (&set, row) in lanes.iter().zip(rows) {
            for_each_lane(set, |lane| counts.add(table[row.0[lane] as usize]));
        }
        counts
    };
    chunks.map(count).reduce(ByteCounts::default, ByteCounts::merged)
}

/// The lifted sheet of a finished tier, from memory or the store.
fn load<G: Tiered>(
    game: &G,
    graph: &[NodeOf<G>],
    store: &Store,
    number: usize,
    cache: &mut Cache<Row>,
) -> Result<Arc<Vec<Row>>> {
    if let Some(sheet) = cache.get(number) {
        return Ok(sheet);
    }
    let node = &graph[number];
    let table = game.table_bytes(node.ply);
    let mut absolute = [0u8; 256];
    for (byte, &stored) in table.iter().enumerate().filter(|(_, stored)| **stored != 0) {
        absolute[stored as usize] = byte as u8;
    }
    let section = graph.len() - 1 - number;
    let mut rows = stored_rows(node, store, section, |byte| absolute[byte as usize])?;
    let first = game.first_image(node);
    for row in 0..rows.len() {
        let image = first(row as u32) as usize;
        rows[row] = rows[image];
    }
    game.lift(node, 0, &mut rows);
    let sheet = Arc::new(rows);
    cache.put(number, sheet.clone());
    Ok(sheet)
}

/// A section's bytes, each through `translate`; zero where there is no position.
fn stored_rows<T: Sync, S: Sync>(
    node: &super::Node<T, S>,
    store: &Store,
    section: usize,
    translate: impl Fn(u8) -> u8 + Sync,
) -> Result<Vec<Row>, TableError> {
    let mut rows = vec![Row::filled(0); node.rows];
    if store.entries[section].blocks.is_empty() {
        return Ok(rows);
    }
    rows.par_chunks_mut(ROWS_PER_BLOCK).enumerate().try_for_each(|(block, rows)| {
        let bytes = store.read(section, block)?;
        let whole = decode_block(&bytes, rows.len(), |row, set, mine| {
            let mut mine = mine.iter();
            for_each_lane(set, |lane| rows[row].0[lane] = mine.next().map_or(0, |&byte| translate(byte)));
        });
        whole.ok_or_else(|| store.damaged("a block of values has the wrong size"))
    })?;
    Ok(rows)
}
