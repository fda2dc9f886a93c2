//! A table of animal shogi in memory: a byte per number, and a bit for each position that a list wants.

use std::ops::{ControlFlow, Range};

use rayon::prelude::*;

use yomikiri_rules::games::animal_shogi::AnimalShogi;
use yomikiri_rules::games::animal_shogi::board::Board;
use yomikiri_rules::{ParityDistance, Value};
use yomikiri_solve::Result;
use yomikiri_solve::memory::Zeros;
use yomikiri_solve::retrograde::{self, Cyclic};
use yomikiri_solve::space::{CHUNK, SharedSet};
use yomikiri_table::{Progress, Table};

/// The table byte of every number; 0 where no position is stored.
pub struct Stored<'a> {
    pub game: &'a AnimalShogi,
    table: &'a Table,
    bytes: Zeros<u8>,
}

impl<'a> Stored<'a> {
    /// Reads the whole table and calls `note` with each number and its byte.
    pub fn read(
        game: &'a AnimalShogi,
        table: &'a Table,
        progress: &dyn Progress,
        mut note: impl FnMut(u32, u8),
    ) -> Result<Stored<'a>> {
        progress.begin("read", 0);
        let bytes = retrograde::read(game, table)?;
        bytes.iter().enumerate().filter(|(_, byte)| **byte != 0).for_each(|(number, &byte)| note(number as u32, byte));
        progress.end(&format!("{} positions", table.header.positions.get()));
        Ok(Stored { game, table, bytes })
    }

    /// The table byte of a number, 0 where no position is stored.
    #[inline]
    pub fn byte(&self, number: u32) -> u8 {
        self.bytes.get(number as usize).copied().unwrap_or(0)
    }

    /// The value of a board, by the rules if it is decided.
    pub fn value(&self, board: &Board) -> Result<ParityDistance> {
        if let Some(value) = self.game.verdict(board) {
            return Ok(value);
        }
        let value = ParityDistance::from_byte(self.byte(self.game.key_of(board)));
        value.ok_or_else(|| self.table.damaged(format!("has no value for {:015x}", board.canonical_key())).into())
    }
}

/// Stored positions and the numbers of those wanted, stored or decided.
pub struct Positions<'a> {
    pub stored: Stored<'a>,
    wanted: SharedSet,
}

impl<'a> Positions<'a> {
    /// Everything that can arise, decided positions too: they are the children of stored ones that are over.
    pub fn all(game: &'a AnimalShogi, table: &'a Table, progress: &dyn Progress) -> Result<Positions<'a>> {
        let positions = Positions::read(game, table, progress, |_| true)?;
        positions.add_ended(progress);
        Ok(positions)
    }

    /// The stored positions of at least so many plies to the end; no draws.
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
        let stored = Stored::read(game, table, progress, |number, byte| {
            if wants(byte) {
                wanted.insert(number.into());
            }
        })?;
        Ok(Positions { stored, wanted })
    }

    /// Wants the decided children of everything stored, all of which is wanted.
    fn add_ended(&self, progress: &dyn Progress) {
        let game = self.stored.game;
        progress.begin("find decided", u64::from(game.open_keys()).div_ceil(CHUNK));
        (0..u64::from(game.open_keys()).div_ceil(CHUNK)).into_par_iter().for_each(|chunk| {
            let mut block = Default::default();
            self.wanted.visit_chunk(chunk, |number| {
                // Decided positions that were found meanwhile have no children.
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

    /// How many positions are wanted.
    pub fn count(&self) -> u64 {
        self.wanted.count()
    }

    /// Calls `visit` with each wanted number of a range, upwards.
    #[inline]
    pub fn each(&self, numbers: Range<u32>, mut visit: impl FnMut(u32)) {
        for word in numbers.start / 64..numbers.end.div_ceil(64) {
            let mut bits = self.wanted.word(word.into());
            if word == numbers.start / 64 {
                bits &= u64::MAX << (numbers.start % 64);
            }
            while bits != 0 {
                let number = word * 64 + bits.trailing_zeros();
                if number >= numbers.end {
                    break;
                }
                visit(number);
                bits &= bits - 1;
            }
        }
    }

    /// The table byte that a position has, or would have if it were stored; and whether it is not because it is
    /// decided.
    #[inline]
    pub fn byte(&self, number: u32, board: &Board) -> (u8, bool) {
        match self.stored.byte(number) {
            0 => (self.stored.game.verdict(board).map_or(0, Value::to_byte), true),
            byte => (byte, false),
        }
    }
}

/// Plies to the end by a table byte, -1 for a draw.
#[inline]
pub fn depth(byte: u8) -> i32 {
    ParityDistance::from_byte(byte).and_then(Value::plies).map_or(-1, |plies| plies.0.into())
}
