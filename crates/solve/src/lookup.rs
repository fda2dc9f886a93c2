//! Look-ups of many positions or keys in a table, and counts of their moves.

use crate::move_counts::{CountMoves, MoveCounts};
use crate::{Resident, Result, Solvable};
use yomikiri_rules::Value;
use yomikiri_table::memory;
use yomikiri_table::probe::{position_of, value_of_byte};
use yomikiri_table::{Table, parallel};

/// Returns the value of each position, in order; `None` if the table does not have the position. If the game is over in
/// a position, its value comes from the rules. The keys are looked up in ascending order, so that each block is opened
/// only once or twice. If `resident` has the table in memory, no block is opened.
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
    let keys = parallel::flat_map(positions.len(), 256, |share| positions[share].iter().map(key).collect());
    let mut sorted: Vec<u64> = keys.iter().flatten().copied().collect();
    parallel::sort(&mut sorted);
    sorted.dedup();
    let bytes = game.probe_all(table, resident, &sorted)?;
    let find = |key: &Result<u64, Option<G::Value>>| match *key {
        Err(over) => Ok(over),
        Ok(key) => match sorted.binary_search(&key).map(|at| bytes[at]) {
            Ok(0) | Err(_) => Ok(None),
            Ok(byte) => Ok(Some(value_of_byte(game, table, byte)?)),
        },
    };
    parallel::try_flat_map(keys.len(), 256, |share| keys[share].iter().map(find).collect())
}

/// The number of keys looked up at a time. It limits the memory that is needed in addition to the result.
const TOGETHER: usize = 1 << 24;

/// The number of keys that a thread takes at a time, in order to find values by the rules.
const SHARE: usize = 1 << 10;

/// Returns the table byte of each key. The keys can have any order. The byte comes from the table or, if the game is
/// over in the key's position, from the rules. It is 0 if the table has no value, or if the key has no position.
pub fn bytes_of_keys<G: Solvable>(
    game: &G,
    table: &Table,
    resident: Option<&Resident>,
    keys: &[u64],
) -> Result<Vec<u8>> {
    let mut bytes = memory::vec_with_capacity(keys.len())?;
    bytes.resize(keys.len(), 0);
    for (keys, bytes) in keys.chunks(TOGETHER).zip(bytes.chunks_mut(TOGETHER)) {
        look_up(game, table, resident, keys, bytes)?;
    }
    let by_rules = |key: u64| {
        let position = game.unrank(key).filter(|position| game.is_terminal(position));
        position.and_then(|position| game.terminal_value(&position)).map_or(0, Value::to_byte)
    };
    parallel::each_part_mut(&mut bytes, SHARE, |number, bytes| {
        let keys = &keys[number * SHARE..];
        bytes.iter_mut().zip(keys).filter(|(byte, _)| **byte == 0).for_each(|(byte, &key)| *byte = by_rules(key));
    });
    Ok(bytes)
}

/// Looks up `keys` in the table, and writes the table byte of `keys[i]` to `bytes[i]`. Sorts the keys first, because
/// look-ups must be in ascending order.
fn look_up<G: Solvable>(
    game: &G,
    table: &Table,
    resident: Option<&Resident>,
    keys: &[u64],
    bytes: &mut [u8],
) -> Result<()> {
    let mut places: Vec<(u64, u32)> = keys.iter().copied().zip(0..).collect();
    parallel::sort(&mut places);
    let sorted: Vec<u64> = places.iter().map(|&(key, _)| key).collect();
    let found = game.probe_all(table, resident, &sorted)?;
    places.iter().zip(found).for_each(|(&(_, place), byte)| bytes[place as usize] = byte);
    Ok(())
}

/// The number of positions whose children are in memory at the same time.
const GROUP: usize = 1 << 16;

/// Counts the moves that the rules allow, and looks up the child of each move in the table.
pub struct LookupCounts<'a, G> {
    /// The rules of the variant.
    pub game: &'a G,
    /// The table of this variant, in which the children are looked up.
    pub table: &'a Table,
}

impl<G: Solvable> CountMoves for LookupCounts<'_, G> {
    fn count(&mut self, keys: &[u64]) -> Result<Vec<MoveCounts>> {
        let mut counts = Vec::with_capacity(keys.len());
        for keys in keys.chunks(GROUP) {
            let children = |&key: &u64| -> Result<Vec<G::Position>> {
                let position = position_of(self.game, self.table, key)?;
                let moves = self.game.legal_moves(&position);
                Ok(moves.into_iter().map(|mv| self.game.play(&position, mv)).collect())
            };
            let children = parallel::try_flat_map(keys.len(), 64, |share| keys[share].iter().map(children).collect())?;
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
