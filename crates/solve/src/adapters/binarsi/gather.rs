//! Gathering: for each row of a tier, the parent, merges the cells of the rows to which moves on one way lead. These
//! rows are in another tier, the child. The cell of a row is its entry in a sheet. It has one byte for each lane (set
//! of cleared targets) or one byte for the whole row.

use super::bundles::Bundles;
use super::line::{Contexts, EdgeMoves, Line, Modify, is_modify, mirrored_way, row_map};
use super::rows::{Cells, Rows, Whole, each_cell};
use crate::space::TilePlace;
use crate::tiers::{Moves, Row, Sheet, SheetMut, SliceImage};
use yomikiri_rules::games::binarsi::rules::Rules;
use yomikiri_table::memory::prefetch;

/// An operation that merges the cells (entries of rows in a sheet) to which several moves of a row lead.
pub trait Merge {
    type Cell: Copy + Send + Sync;

    /// The neutral cell: merging begins with it.
    const NOTHING: Self::Cell;

    /// True if merging a cell twice gives the same as merging it once.
    const IS_IDEMPOTENT: bool;

    fn merge(into: &mut Self::Cell, other: &Self::Cell);
}

/// Merges cells by the maximum of the bytes of each lane, which is the best value for Black.
pub struct Highest;

/// Merges cells by the minimum of the bytes of each lane, which is the best value for White.
pub struct Lowest;

/// Merges cells by the sum of the bytes of each lane.
pub struct Sum;

/// Merges cells that have one number for the whole row, by their sum.
pub struct RowSum;

impl Merge for Highest {
    type Cell = Row;

    const NOTHING: Row = Row([0; 64]);
    const IS_IDEMPOTENT: bool = true;

    #[inline(always)]
    fn merge(into: &mut Row, other: &Row) {
        into.raise(other);
    }
}

impl Merge for Lowest {
    type Cell = Row;

    const NOTHING: Row = Row([255; 64]);
    const IS_IDEMPOTENT: bool = true;

    #[inline(always)]
    fn merge(into: &mut Row, other: &Row) {
        into.lower(other);
    }
}

impl Merge for Sum {
    type Cell = Row;

    const NOTHING: Row = Row([0; 64]);
    const IS_IDEMPOTENT: bool = false;

    #[inline(always)]
    fn merge(into: &mut Row, other: &Row) {
        into.add(other);
    }
}

impl Merge for RowSum {
    type Cell = u8;

    const NOTHING: u8 = 0;
    const IS_IDEMPOTENT: bool = false;

    #[inline(always)]
    fn merge(into: &mut u8, other: &u8) {
        *into = into.wrapping_add(*other);
    }
}

fn gather_by_modify<M: Merge>(modify: &Modify, moves: Moves, from: Cells<M::Cell, impl Rows>, into: &mut [M::Cell]) {
    let Cells { cells, rows } = from;
    let (line, to_child, illegal) = (modify.line, &modify.placed, &modify.illegal);
    if M::IS_IDEMPOTENT && moves != Moves::Common && illegal.is_empty() {
        return gather_by_bundles::<M>(modify, moves, from, into);
    }
    let take = |cell: &mut M::Cell, row| {
        if let Some(at) = rows.index(row) {
            M::merge(cell, &cells[at]);
        }
    };
    let take_results = |cell: &mut M::Cell, context: u32| {
        let (results, count) = line.results(context);
        for result in &results[..count] {
            take(cell, context | result);
        }
    };
    if moves == Moves::Common {
        return each_cell(into, |index, cell| take_results(cell, to_child.apply(index) & !line.mask));
    }
    let contexts = Contexts::new(modify);
    let is_shared = moves == Moves::All && illegal.is_empty();
    let mut shared = vec![M::NOTHING; if is_shared { contexts.count as usize } else { 0 }];
    each_cell(&mut shared, |number, cell| take_results(cell, contexts.context(number)));
    each_cell(into, |index, cell| {
        let row = to_child.apply(index);
        let (content, context) = (row & line.mask, row & !line.mask);
        if illegal.is_empty() {
            if is_shared {
                M::merge(cell, &shared[contexts.number(row) as usize]);
            }
            for k in 1..line.length {
                take(cell, context | line.rotated(content, k));
            }
            return;
        }
        let partners = illegal.partners(context, content);
        let (results, count) = line.results(context);
        let rotations = (1..line.length).map(|k| line.rotated(content, k));
        for after in results[..count].iter().copied().chain(rotations).filter(|after| !partners.contains(&Some(*after)))
        {
            take(cell, context | after);
        }
    });
}

/// Does the work of [`gather_by_modify`] bundle by bundle, so that each of the child's rows is read once per bundle.
/// All modifies of the variant must be legal, and `moves` must not be [`Moves::Common`]. The merge must be idempotent,
/// because several moves to the same row may be merged only once.
fn gather_by_bundles<M: Merge>(
    modify: &Modify,
    moves: Moves,
    Cells { cells, rows }: Cells<M::Cell, impl Rows>,
    into: &mut [M::Cell],
) {
    let (line, to_child) = (modify.line, &modify.placed);
    let bundles = Bundles::new(modify);
    let scratch = || [(); 2].map(|()| vec![M::NOTHING; bundles.contents.len()]);
    bundles.tiling.each(into, scratch, |[after, turned], tile| {
        let first = tile.first;
        let context_at = |place: TilePlace| to_child.apply((first | place.index) as u32) & !line.mask;
        for (at, &place) in bundles.contexts.iter().enumerate() {
            // The rows of a bundle lie far apart in memory, so the next bundle is prefetched while this one is merged.
            if let Some(&next) = bundles.contexts.get(at + 1) {
                let context = context_at(next);
                let children = bundles.contents.iter().filter_map(|content| rows.index(context | content));
                children.for_each(|at| prefetch(&cells[at]));
                bundles.rows.iter().for_each(|&(row, _)| tile.prefetch(next | row));
            }
            let context = context_at(place);
            for (cell, content) in after.iter_mut().zip(&bundles.contents) {
                *cell = rows.index(context | content).map_or(M::NOTHING, |at| cells[at]);
            }
            let mut shared = M::NOTHING;
            if moves == Moves::All {
                let (results, count) = line.results(context);
                results[..count].iter().for_each(|&result| M::merge(&mut shared, &after[bundles.number(result)]));
            }
            bundles.turn(after, &shared, turned, M::merge);
            bundles.rows.iter().for_each(|&(row, number)| M::merge(tile.cell(place | row), &turned[number]));
        }
    });
}

/// Merges into each row of `into` the cells of the rows to which the moves of `edge` lead. `into` is the sheet of the
/// parent's tier or of a part of it ([`crate::tiers::Part`]). `from` is such a sheet of the child's tier. Moves to rows
/// that `from` does not have are skipped.
pub fn gather<M: Merge>(rules: &Rules, edge: EdgeMoves, from: Sheet<M::Cell>, into: SheetMut<M::Cell>) {
    let EdgeMoves { parent, child, step, .. } = edge;
    let map = row_map(rules, parent, step.image, child);
    for (slice, cells) in into.part.slices(into.rows) {
        let to_child = slice.image(&map);
        if from.part.is_whole() {
            gather_slice::<M>(rules, edge, Cells { cells: from.rows, rows: &Whole }, to_child, cells);
        } else {
            gather_slice::<M>(rules, edge, Cells { cells: from.rows, rows: from.part }, to_child, cells);
        }
    }
}

fn gather_slice<M: Merge>(
    rules: &Rules,
    EdgeMoves { parent, child, step, moves }: EdgeMoves,
    from: Cells<M::Cell, impl Rows>,
    to_child: SliceImage,
    into: &mut [M::Cell],
) {
    let way = mirrored_way(rules, step.way, step.image);
    if is_modify(parent, step.way) {
        let modify = Modify::new(rules, child, way, to_child);
        return gather_by_modify::<M>(&modify, moves, from, into);
    }
    let line = Line::new_way(child, way);
    each_cell(into, |index, cell| {
        let context = to_child.apply(index);
        let (results, count) = line.new_results(context);
        for result in &results[..count] {
            if let Some(at) = from.rows.index(context | result) {
                M::merge(cell, &from.cells[at]);
            }
        }
    });
}
