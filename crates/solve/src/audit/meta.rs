//! What a table says of itself, as far as that shows without its positions.

use crate::{Result, Solvable};
use yomikiri_table::{Meta, Table};

/// Checks the meta data of the table of what lies below `root`, or of the whole game, as far as that needs no look at
/// positions: [`check_root`]; that it counts as many positions as the header; that none are counted as over where
/// tables do not count those.
pub fn check_meta<G: Solvable>(game: &G, root: Option<&G::Position>, table: &Table) -> Result<()> {
    check_root(game, root, table)?;
    let meta = table.meta()?;
    let agrees = positions(&meta) == Some(table.header.positions.get()) && (G::CYCLIC || meta.ended.is_empty());
    if agrees { Ok(()) } else { Err(table.damaged("its meta data and its header count differently").into()) }
}

/// Checks that a table names `root`, or the start, as its first position: as the program writes it, with its key.
pub fn check_root<G: Solvable>(game: &G, root: Option<&G::Position>, table: &Table) -> Result<()> {
    match names_root(game, root, &table.meta()?) {
        true => Ok(()),
        false => Err(table.damaged("its meta data names another first position").into()),
    }
}

/// Whether meta data names `root`, or the start. Of what lies below a position the first may be any of its images.
fn names_root<G: Solvable>(game: &G, root: Option<&G::Position>, meta: &Meta) -> bool {
    let start = game.start();
    if !game.has_keys() || meta.root_key != game.rank(root.unwrap_or(&start)) {
        return false;
    }
    match root {
        None => meta.root == game.position_text(&start),
        Some(_) => game
            .parse_position(&meta.root)
            .is_ok_and(|named| game.rank(&named) == meta.root_key && game.position_text(&named) == meta.root),
    }
}

/// How many positions meta data counts; `None` if that is no number of 64 bits.
fn positions(meta: &Meta) -> Option<u64> {
    meta.tally.plies.values().flat_map(|bytes| bytes.values()).try_fold(0, |sum: u64, &count| sum.checked_add(count))
}
