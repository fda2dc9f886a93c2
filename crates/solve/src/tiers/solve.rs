//! Step 2 of a run: finds the values of all positions, tier by tier from the end.

use std::sync::Arc;

use super::enumerate::{fill_images, part_key, stored_lanes};
use super::{Edge, Moves, NodeOf, NodePart, Part, Row, RowSheets, Sheet, SheetMut, Tiered};
use crate::cache::Uses;
use crate::counts::ByteCounts;
use crate::{Result, Wrong};

use yomikiri_rules::bits::set_bits;
use yomikiri_table::blocks::{Lanes, ROWS_PER_BLOCK, decode_block, encode_block};
use yomikiri_table::memory::Zeros;
use yomikiri_table::{NewSection, Progress, SectionBlocks, Store, TableError, Tally, parallel};

/// Finds the values of all tiers of `graph` and appends them to `store`. The last tier comes first, so that section `k`
/// is tier `graph.len() - 1 - k`. `reach` is the finished enumeration. Sections that exist already are kept. A cache of
/// `memory` bytes keeps the values of recent tiers.
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
    let mut cache = RowSheets::new(memory);
    for &number in rest {
        let node = &graph[number];
        if !full(number) {
            store.append(empty_section(node.base, node.rows))?;
            continue;
        }
        let part = Part::whole(node.rows);
        let mut rows = cache.fresh(node.rows, Row::filled(game.worst(node.ply)))?;
        // Tiers without undecided positions are read, too, because moves to them can end the game.
        for link in &node.links {
            let (child, child_part) = (&graph[link.child], Part::whole(graph[link.child].rows));
            let section = store.section(graph.len() - 1 - link.child);
            let sheet = load(game, NodePart { node: child, part: &child_part }, &section, link.child, &mut cache)?;
            let edge = Edge { parent: node, child, step: link.step };
            let into = SheetMut { part: &part, rows: &mut rows };
            game.improve(edge, Moves::All, Sheet { part: &child_part, rows: &sheet }, into);
            drop(sheet);
            if uses.done(link.child) {
                cache.drop_tier(link.child);
            }
        }
        game.end_rows(node, SheetMut { part: &part, rows: &mut rows });
        let lanes = stored_lanes(&part, &reach.section(number))?;
        with_section(game, NodePart { node, part: &part }, &lanes, &rows, |section| store.append(section))??;
        game.lift(node, SheetMut { part: &part, rows: &mut rows });
        cache.put(number, Arc::new(rows));
        progress.advance(cost(node));
    }
    let positions: u64 = store.entries.iter().map(|entry| entry.tally.positions()).sum();
    progress.end(&format!("{positions} values"));
    Ok(())
}

/// Returns the work for a tier, as a number of rows to read or write: `rows * (links + 1)`.
pub fn cost<T, S>(node: &super::Node<T, S>) -> u64 {
    (node.rows * (node.links.len() + 1)) as u64
}

/// Returns a section of `rows` rows without positions.
pub fn empty_section(key: u64, rows: usize) -> NewSection<'static> {
    NewSection { key, rows: rows as u64, tally: Tally::default(), blocks: 0, plain: &|_| Vec::new() }
}

/// Calls `act` with the section of a part's values. `lanes` has the positions to store. Returns an error if one of them
/// has no value.
pub fn with_section<G: Tiered, T>(
    game: &G,
    NodePart { node, part }: NodePart<G>,
    lanes: &[Lanes],
    rows: &[Row],
    act: impl FnOnce(NewSection) -> T,
) -> Result<T> {
    let table = game.table_bytes(node.ply);
    let encode = |block: usize| {
        let first = block * ROWS_PER_BLOCK;
        let (lanes, rows) = (&lanes[first..lanes.len().min(first + ROWS_PER_BLOCK)], &rows[first..]);
        encode_block(lanes, |row, lane| table[rows[row].0[lane] as usize])
    };
    let blocks = parallel::map(lanes.len().div_ceil(ROWS_PER_BLOCK), encode);
    let count = |block: usize| {
        let words = ROWS_PER_BLOCK.min(lanes.len() - block * ROWS_PER_BLOCK) * size_of::<Lanes>();
        let mut counts = ByteCounts::default();
        blocks[block][words..].iter().for_each(|&byte| counts.add(byte));
        counts
    };
    let counts = parallel::reduce(blocks.len(), count, ByteCounts::merged);
    let without = counts.without_value();
    if without > 0 {
        return Err(Wrong::WithoutValue { positions: without, tier: format!("{:?}", node.tier) }.into());
    }
    let mut tally = Tally::default();
    counts.add_to(&mut tally, node.ply);
    let plain = |block: usize| blocks[block].clone();
    let (key, rows) = (part_key(node, part), part.rows() as u64);
    Ok(act(NewSection { key, rows, tally, blocks: blocks.len(), plain: &plain }))
}

/// Returns the lifted sheet of a finished part, from the cache or else from the part's section. For each row and lane,
/// it has the value of a move to the row from a position in the lane ([`Tiered::lift`]). `unit` is the index of the
/// part in the cache.
pub fn load<G: Tiered>(
    game: &G,
    NodePart { node, part }: NodePart<G>,
    section: &dyn SectionBlocks,
    unit: usize,
    cache: &mut RowSheets,
) -> Result<Arc<Zeros<Row>>> {
    if let Some(sheet) = cache.get(unit) {
        return Ok(sheet);
    }
    let table = game.table_bytes(node.ply);
    let mut absolute = [0u8; 256];
    for (byte, &stored) in table.iter().enumerate().filter(|(_, stored)| **stored != 0) {
        absolute[stored as usize] = byte as u8;
    }
    let mut rows = cache.unfilled(part.rows())?;
    set_rows(&mut rows, section, |byte| absolute[byte as usize])?;
    fill_images(&game.images(node), part, &mut rows);
    game.lift(node, SheetMut { part, rows: &mut rows });
    let sheet = Arc::new(rows);
    cache.put(unit, sheet.clone());
    Ok(sheet)
}

/// Reads the bytes of a section as rows of 64 lanes, and translates each byte with `translate`. Lanes without a
/// position get 0.
pub fn stored_rows(
    part: &Part,
    section: &dyn SectionBlocks,
    translate: impl Fn(u8) -> u8 + Sync,
) -> Result<Vec<Row>, TableError> {
    let mut rows = vec![Row::filled(0); part.rows()];
    set_rows(&mut rows, section, translate)?;
    Ok(rows)
}

/// Overwrites rows with those of a section, as [`stored_rows`] returns them.
fn set_rows(
    rows: &mut [Row],
    section: &dyn SectionBlocks,
    translate: impl Fn(u8) -> u8 + Sync,
) -> Result<(), TableError> {
    let has_blocks = section.count() > 0;
    parallel::try_each_part_mut(rows, ROWS_PER_BLOCK, |block, rows| {
        // The rows are cleared here, while they are in the nearest cache.
        rows.fill(Row::filled(0));
        if !has_blocks {
            return Ok(());
        }
        let bytes = section.block(block)?;
        let whole = decode_block(&bytes, rows.len(), |row, set, mine| {
            let mut mine = mine.iter();
            for lane in set_bits(set) {
                rows[row].0[lane as usize] = mine.next().map_or(0, |&byte| translate(byte));
            }
        });
        whole.ok_or_else(|| section.damaged("a block of values has the wrong size"))
    })
}
