//! The positions of a table that are furthest from the end.

use std::cmp::Reverse;
use std::ops::Range;

use rayon::prelude::*;

use yomikiri_rules::game::Game;
use yomikiri_rules::value::Value;
use yomikiri_solve::{Solvable, SolveError};
use yomikiri_table::entries::{EntryReader, ranges};
use yomikiri_table::probe::position_of;
use yomikiri_table::progress::Progress;
use yomikiri_table::{Table, TableError};

/// A position found, ordered from the longest distance and then by key: distance in plies, key.
type Found = (Reverse<u16>, u64);

/// A position far from the end, with its value.
pub struct Far<G: Game> {
    pub position: G::Position,
    pub value: G::Value,
}

/// The `count` positions with the longest distance to the end, the longest first, those of equal distance by key; fewer if
/// fewer are won or lost.
pub fn longest<G: Solvable>(
    game: &G,
    table: &Table,
    count: usize,
    progress: &dyn Progress,
) -> Result<Vec<Far<G>>, SolveError> {
    progress.begin("longest", table.header.positions.get());
    let read = game.entry_reader(table)?;
    let found = ranges(table)
        .into_par_iter()
        .map(|range| longest_within::<G>(&read, range, count, progress))
        .try_reduce(Vec::new, |mine, theirs| Ok(first(mine.into_iter().chain(theirs).collect(), count)))?;
    progress.end("done");
    let position = |&(_, key): &Found| {
        let position = position_of(game, table, key)?;
        let value = game.probe(table, &position)?.ok_or_else(|| table.damaged("loses a position it has"))?;
        Ok(Far { position, value })
    };
    found.iter().map(position).collect()
}

fn longest_within<G: Solvable>(
    read: &EntryReader,
    range: Range<u64>,
    count: usize,
    progress: &dyn Progress,
) -> Result<Vec<Found>, TableError> {
    let entries = read(range)?;
    let plies = |&byte: &u8| G::Value::from_byte(byte).and_then(|value| value.plies());
    let found = entries.keys.iter().zip(&entries.bytes);
    let found = found.filter_map(|(&key, byte)| plies(byte).map(|plies| (Reverse(plies.0), key))).collect();
    progress.advance(entries.keys.len() as u64);
    Ok(first(found, count))
}

/// The first `count` in order.
fn first(mut found: Vec<Found>, count: usize) -> Vec<Found> {
    if found.len() > count && count > 0 {
        found.select_nth_unstable(count - 1);
    }
    found.truncate(count);
    found.sort_unstable();
    found
}
