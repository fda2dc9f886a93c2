//! The values of many positions or keys in a table, and what that tells of the moves of some.

use rayon::prelude::*;

use crate::move_counts::{CountMoves, MoveCounts};
use crate::{Resident, Result, Solvable};
use yomikiri_rules::Value;
use yomikiri_table::Table;
use yomikiri_table::probe::{position_of, value_of_byte};

/// The values of positions, by the rules where the game is over; `None` of those that the table does not have. They are
/// looked up in the order of their keys, so that each block is opened once, or none of a table that is `resident`.
pub fn values_of<G: Solvable>(
    game: &G,
    table: &Table,
    resident: Option<&Resident>,
    positions: &[&G::Position],
) -> Result<Vec<Option<G::Value>>> {
    let key = |position: &&G::Position| match game.is_terminal(position) {
        true => Err(game.terminal_value(position)),
        false => Ok(game.rank(position)),
    };
    let keys: Vec<Result<u64, Option<G::Value>>> = positions.par_iter().map(key).collect();
    let mut sorted: Vec<u64> = keys.iter().flatten().copied().collect();
    sorted.par_sort_unstable();
    sorted.dedup();
    let bytes = game.probe_all(table, resident, &sorted)?;
    let find = |key: Result<u64, Option<G::Value>>| match key {
        Err(over) => Ok(over),
        Ok(key) => match sorted.binary_search(&key).map(|at| bytes[at]) {
            Ok(0) | Err(_) => Ok(None),
            Ok(byte) => Ok(Some(value_of_byte(table, byte)?)),
        },
    };
    keys.into_par_iter().map(find).collect()
}

/// Keys looked up at a time, which bounds the memory that is kept beside them.
const TOGETHER: usize = 1 << 24;

/// Returns the table bytes of the values of keys in any order: those of [`values_of`] for the positions that
/// [`yomikiri_rules::Game::unrank`] has for them, 0 where the table has no value, and 0 for numbers that are the key of
/// no position.
pub fn bytes_of_keys<G: Solvable>(
    game: &G,
    table: &Table,
    resident: Option<&Resident>,
    keys: &[u64],
) -> Result<Vec<u8>> {
    let mut bytes = vec![0; keys.len()];
    for (keys, bytes) in keys.chunks(TOGETHER).zip(bytes.chunks_mut(TOGETHER)) {
        look_up(game, table, resident, keys, bytes)?;
    }
    let by_rules = |(byte, &key): (&mut u8, &u64)| {
        let position = game.unrank(key).filter(|position| game.is_terminal(position));
        *byte = position.and_then(|position| game.terminal_value(&position)).map_or(0, Value::to_byte);
    };
    bytes.par_iter_mut().zip(keys).filter(|(byte, _)| **byte == 0).for_each(by_rules);
    Ok(bytes)
}

/// Sorts keys, looks them up, and writes each byte to the place of its key.
fn look_up<G: Solvable>(
    game: &G,
    table: &Table,
    resident: Option<&Resident>,
    keys: &[u64],
    bytes: &mut [u8],
) -> Result<()> {
    let mut places: Vec<(u64, u32)> = keys.iter().copied().zip(0..).collect();
    places.par_sort_unstable();
    let sorted: Vec<u64> = places.par_iter().map(|&(key, _)| key).collect();
    let found = game.probe_all(table, resident, &sorted)?;
    places.iter().zip(found).for_each(|(&(_, place), byte)| bytes[place as usize] = byte);
    Ok(())
}

/// Positions whose moves are in memory at the same time.
const GROUP: usize = 1 << 16;

/// Counts by the rules, and by looking up where each move leads.
pub struct ByLookup<'a, G> {
    pub game: &'a G,
    pub table: &'a Table,
}

impl<G: Solvable> CountMoves for ByLookup<'_, G> {
    fn count(&mut self, keys: &[u64]) -> Result<Vec<MoveCounts>> {
        let mut counts = Vec::with_capacity(keys.len());
        for keys in keys.chunks(GROUP) {
            let children = |&key: &u64| {
                let position = position_of(self.game, self.table, key)?;
                let moves = self.game.legal_moves(&position);
                Ok(moves.into_iter().map(|mv| self.game.play(&position, mv)).collect())
            };
            let children: Vec<Vec<G::Position>> = keys.par_iter().map(children).collect::<Result<_>>()?;
            let values = values_of(self.game, self.table, None, &children.iter().flatten().collect::<Vec<_>>())?;
            let mut rest = values.iter().zip(children.iter().flatten());
            for children in &children {
                let mut mine = MoveCounts::default();
                for (value, position) in rest.by_ref().take(children.len()) {
                    let missing =
                        || self.table.damaged(format!("has no value for {}", self.game.position_text(position)));
                    mine.add(value.ok_or_else(missing)?.of_move().outcome());
                }
                counts.push(mine);
            }
        }
        Ok(counts)
    }
}
