//! Checks of a table's meta data that do not read its positions.

use crate::{Result, Solvable};
use yomikiri_table::{Meta, Table};

/// Checks the meta data of a table of the whole game, or of `root` and the positions that can follow it, without
/// reading positions. The meta data must name the right root position ([`check_root`]), and its counts must add up to
/// the number of positions in the header. It may count ended positions only if the game is cyclic.
pub fn check_meta<G: Solvable>(game: &G, root: Option<&G::Position>, table: &Table) -> Result<()> {
    check_root(game, root, table)?;
    let meta = table.meta()?;
    let agrees = positions(&meta) == Some(table.header.positions.get()) && (game.is_cyclic() || meta.ended.is_empty());
    if agrees { Ok(()) } else { Err(table.damaged("counts in the meta data do not match the header").into()) }
}

/// Checks that the meta data names `root`, or the start if `root` is `None`, as the root position. The key in the meta
/// data must be the key of the root position. The text of the position must be spelled as this program writes it.
pub fn check_root<G: Solvable>(game: &G, root: Option<&G::Position>, table: &Table) -> Result<()> {
    match names_root(game, root, &table.meta()?) {
        true => Ok(()),
        false => Err(table.damaged("the meta data names another first position").into()),
    }
}

/// Returns true if the meta data names `root`, or the start if `root` is `None`. If `root` is given, the text in the
/// meta data may be that of any position with the same key as `root`.
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

/// Returns the sum of the counts in the meta data, or `None` if it does not fit 64 bits.
fn positions(meta: &Meta) -> Option<u64> {
    meta.tally.plies.values().flat_map(|bytes| bytes.values()).try_fold(0, |sum: u64, &count| sum.checked_add(count))
}
