//! A table of animal shogi in memory. It has one byte and one bit for each position index. The bit is set if the
//! position is to be listed.

use std::ops::{ControlFlow, Range};

use yomikiri_rules::bits::set_bits;
use yomikiri_rules::games::animal_shogi::AnimalShogi;
use yomikiri_rules::games::animal_shogi::board::Board;
use yomikiri_rules::{CodedValue, ParityDistance, Value};
use yomikiri_solve::Result;
use yomikiri_solve::retrograde::{self, Cyclic};
use yomikiri_solve::space::{CHUNK, SharedSet};
use yomikiri_table::memory::Zeros;
use yomikiri_table::{Progress, Table, parallel};

/// A table of animal shogi in memory: the byte that encodes the value of each position, by the index of the position.
/// The byte is 0 if the table does not store the position.
pub struct StoredBytes<'a> {
    pub game: &'a AnimalShogi,
    table: &'a Table,
    bytes: Zeros<u8>,
}

impl<'a> StoredBytes<'a> {
    /// Reads the whole table. Calls `note` with the index and byte of each stored position.
    pub fn read(
        game: &'a AnimalShogi,
        table: &'a Table,
        progress: &dyn Progress,
        mut note: impl FnMut(u32, u8),
    ) -> Result<StoredBytes<'a>> {
        progress.begin("read", 0);
        let bytes = retrograde::read(game, table)?;
        bytes.iter().enumerate().filter(|(_, byte)| **byte != 0).for_each(|(number, &byte)| note(number as u32, byte));
        progress.end(&format!("{} positions", table.header.positions.get()));
        Ok(StoredBytes { game, table, bytes })
    }

    /// Returns the table byte of the position with the index `number`, or 0 if the table does not store the position.
    #[inline]
    pub fn byte(&self, number: u32) -> u8 {
        self.bytes.get(number as usize).copied().unwrap_or(0)
    }

    /// Returns the value of a board: by the rules if a lion decides the game, else from the table.
    pub fn value(&self, board: &Board) -> Result<ParityDistance> {
        if let Some(value) = self.game.verdict(board) {
            return Ok(value);
        }
        let value = ParityDistance::from_byte(self.byte(self.game.key_of(board)));
        value.ok_or_else(|| self.table.damaged(format!("has no value for {:015x}", board.canonical_key())).into())
    }
}

/// The stored positions, and the indices of the wanted positions, which are those to be listed. A decided position can
/// be wanted although the table does not store it. In a decided position, the lion can be taken or a try has succeeded.
pub struct Positions<'a> {
    pub stored: StoredBytes<'a>,
    wanted: SharedSet,
}

impl<'a> Positions<'a> {
    /// Selects every position that can arise. Positions in which the game is over are not in the table, so they are
    /// found as children of stored positions.
    pub fn all(game: &'a AnimalShogi, table: &'a Table, progress: &dyn Progress) -> Result<Positions<'a>> {
        let positions = Positions::read(game, table, progress, |_| true)?;
        positions.add_ended(progress);
        Ok(positions)
    }

    /// Selects the stored positions with at least `least` plies to the end, which excludes draws.
    pub fn from_depth(
        least: u16,
        game: &'a AnimalShogi,
        table: &'a Table,
        progress: &dyn Progress,
    ) -> Result<Positions<'a>> {
        Positions::read(game, table, progress, |byte| depth(byte) >= i32::from(least))
    }

    fn read(
        game: &'a AnimalShogi,
        table: &'a Table,
        progress: &dyn Progress,
        wants: impl Fn(u8) -> bool,
    ) -> Result<Positions<'a>> {
        let wanted = SharedSet::new(game.keys().into())?;
        let stored = StoredBytes::read(game, table, progress, |number, byte| {
            if wants(byte) {
                wanted.insert(number.into());
            }
        })?;
        Ok(Positions { stored, wanted })
    }

    /// Adds the children of stored positions to the positions to be listed, if the game is over in the child. The list
    /// must have all stored positions already.
    fn add_ended(&self, progress: &dyn Progress) {
        let game = self.stored.game;
        let chunks = u64::from(game.open_keys()).div_ceil(CHUNK);
        progress.begin("find decided", chunks);
        parallel::each(chunks as usize, |chunk| {
            let mut block = Default::default();
            self.wanted.visit_chunk(chunk as u64, |number| {
                // Skips decided positions, which other threads may have added: they have no children.
                if self.stored.byte(number as u32) != 0 {
                    let _ = game.children(&game.board(number as u32, &mut block), |child, over| {
                        if over.is_some() {
                            self.wanted.insert(game.key_of(child).into());
                        }
                        ControlFlow::Continue(())
                    });
                }
            });
            progress.advance(1);
        });
        progress.end(&format!("{} positions in all", self.count()));
    }

    /// Returns the number of positions to be listed.
    pub fn count(&self) -> u64 {
        self.wanted.count()
    }

    /// Calls `visit` with the index of each position to be listed, in ascending order. Visits only indices in the range
    /// `numbers`.
    #[inline]
    pub fn each(&self, numbers: Range<u32>, mut visit: impl FnMut(u32)) {
        for word in numbers.start / 64..numbers.end.div_ceil(64) {
            let mut bits = self.wanted.word(word.into());
            if word == numbers.start / 64 {
                bits &= u64::MAX << (numbers.start % 64);
            }
            for bit in set_bits(bits) {
                let number = word * 64 + bit;
                if number >= numbers.end {
                    break;
                }
                visit(number);
            }
        }
    }

    /// Returns the byte that encodes the value of a position, and true if the game is over in the position. The table
    /// does not store such positions; their byte comes from the rules.
    #[inline]
    pub fn byte(&self, number: u32, board: &Board) -> (u8, bool) {
        match self.stored.byte(number) {
            0 => (self.stored.game.verdict(board).map_or(0, Value::to_byte), true),
            byte => (byte, false),
        }
    }
}

/// Decodes a table byte: returns the number of plies to the end, or -1 for a draw.
#[inline]
pub fn depth(byte: u8) -> i32 {
    ParityDistance::from_byte(byte).and_then(Value::plies).map_or(-1, |plies| plies.0.into())
}
