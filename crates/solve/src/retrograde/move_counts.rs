//! Counts the moves of positions in cyclic games, by means of a table in memory with a byte for every key.

use super::{Cyclic, read};
use crate::Result;
use crate::move_counts::{CountMoves, MoveCounts};
use yomikiri_rules::{CodedValue, Value};
use yomikiri_table::memory::Zeros;
use yomikiri_table::probe::position_of;
use yomikiri_table::{Table, parallel};

/// Counts the moves that the rules allow, and takes the values of the children from a table in memory.
pub struct DenseCounts<'a, G> {
    game: &'a G,
    table: &'a Table,
    bytes: Zeros<u8>,
}

impl<'a, G: Cyclic> DenseCounts<'a, G> {
    /// Reads the table into memory: a byte for each key below [`Cyclic::open_keys`].
    pub fn new(game: &'a G, table: &'a Table) -> Result<DenseCounts<'a, G>> {
        Ok(DenseCounts { game, table, bytes: read(game, table)? })
    }

    fn counts_of(&self, key: u64, moves: &mut Vec<G::Move>) -> Result<MoveCounts> {
        let game = self.game;
        let position = position_of(game, self.table, key)?;
        game.moves(&position, moves);
        let mut counts = MoveCounts::default();
        for &mv in &*moves {
            let child = game.play(&position, mv);
            let value = match game.is_terminal(&child) {
                true => game.terminal_value(&child),
                false => self.bytes.get(game.rank(&child) as usize).and_then(|&byte| G::Value::from_byte(byte)),
            };
            let missing = || self.table.damaged(format!("has no value for {}", game.position_text(&child)));
            counts.add(value.ok_or_else(missing)?.of_move().outcome());
        }
        Ok(counts)
    }
}

impl<G: Cyclic> CountMoves for DenseCounts<'_, G> {
    fn count(&mut self, keys: &[u64]) -> Result<Vec<MoveCounts>> {
        parallel::try_flat_map(keys.len(), 64, |share| {
            let mut moves = Vec::new();
            keys[share].iter().map(|&key| self.counts_of(key, &mut moves)).collect()
        })
    }
}
