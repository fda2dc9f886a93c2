//! Reaching: makes the moves on one way from the positions of one tier, the parent, to another, the child. A sheet
//! holds the lanes of each row of a tier as bits. A lane of a row is the position with one set of cleared targets. The
//! lanes that moves reach are added to the child's sheet.

use super::bundles::Bundles;
use super::line::{EdgeMoves, Line, Modify, is_modify, mirrored_way};
use super::rows::{Cells, Rows, each_cell};
use crate::tiers::{Lanes, Moves, SliceImage};
use yomikiri_rules::games::binarsi::rules::Rules;

fn reach_by_modify(modify: &Modify, moves: Moves, Cells { cells, rows }: Cells<Lanes, impl Rows>, into: &mut [Lanes]) {
    let (line, to_parent, illegal) = (modify.line, &modify.placed, &modify.illegal);
    let lanes_of = |row| rows.index(row).map_or(0, |at| cells[at]);
    if moves != Moves::Common && illegal.is_empty() {
        return reach_by_bundles(modify, moves, lanes_of, into);
    }
    let contents = line.contents();
    let held: Vec<u32> = contents.iter().copied().filter(|&content| rows.may_have(content, line.mask)).collect();
    if moves == Moves::Common {
        let any_of = |context| held.iter().fold(0, |lanes, content| lanes | lanes_of(context | content));
        return each_cell(into, |index, lanes| *lanes |= any_of(to_parent.apply(index) & !line.mask));
    }
    each_cell(into, |index, lanes| {
        let row = to_parent.apply(index);
        let (content, context) = (row & line.mask, row & !line.mask);
        let (results, count) = line.results(context);
        let partners = illegal.partners(context, content);
        let rotations = (1..line.length).map(|k| line.rotated(content, k));
        let all = if results[..count].contains(&content) { &held[..] } else { &[] };
        for before in all.iter().copied().chain(rotations).filter(|before| !partners.contains(&Some(*before))) {
            *lanes |= lanes_of(context | before);
        }
    });
}

/// Does the work of [`reach_by_modify`] bundle by bundle, so that each of the parent's rows is read once per bundle.
/// All modifies of the variant must be legal, and `moves` must not be [`Moves::Common`].
fn reach_by_bundles(modify: &Modify, moves: Moves, lanes_of: impl Fn(u32) -> Lanes + Sync, into: &mut [Lanes]) {
    let (line, to_parent) = (modify.line, &modify.placed);
    let bundles = Bundles::new(modify);
    let scratch = || [(); 2].map(|()| vec![0; bundles.contents.len()]);
    bundles.tiling.each(into, scratch, |[before, turned], tile| {
        for &place in &bundles.contexts {
            let context = to_parent.apply((tile.first | place.index) as u32) & !line.mask;
            let contents = before.iter_mut().zip(&bundles.contents);
            contents.for_each(|(lanes, content)| *lanes = lanes_of(context | content));
            let any = before.iter().fold(0, |any, lanes| any | lanes);
            if any == 0 {
                continue;
            }
            bundles.turn(before, &0, turned, |mine, theirs| *mine |= theirs);
            if moves == Moves::All {
                let (results, count) = line.results(context);
                results[..count].iter().for_each(|&result| turned[bundles.number(result)] |= any);
            }
            bundles.rows.iter().for_each(|&(row, number)| *tile.cell(place | row) |= turned[number]);
        }
    });
}

/// Adds to `into` the lanes that moves on one way lead to. `into` has the rows of a slice of the child's tier, and
/// `from` is the sheet of the parent's tier. `to_parent` maps the indices of the slice to rows of the parent, and `own`
/// maps them to rows of the child.
pub fn reach_slice(
    rules: &Rules,
    EdgeMoves { parent, child, step, moves }: EdgeMoves,
    from: Cells<Lanes, impl Rows>,
    to_parent: SliceImage,
    into: &mut [Lanes],
    own: &SliceImage,
) {
    if is_modify(parent, step.way) {
        let modify = Modify::new(rules, parent, step.way, to_parent);
        return reach_by_modify(&modify, moves, from, into);
    }
    let line = Line::new_way(child, mirrored_way(rules, step.way, step.image));
    each_cell(into, |index, lanes| {
        let row = own.apply(index);
        let (results, count) = line.new_results(row & !line.mask);
        if results[..count].contains(&(row & line.mask)) {
            *lanes |= from.rows.index(to_parent.apply(index)).map_or(0, |at| from.cells[at]);
        }
    });
}
