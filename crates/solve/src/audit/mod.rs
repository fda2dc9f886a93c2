//! Audits: checks of finished tables by the plain rules.
//!
//! An audit shares only the format and the keys with the kernel that made the table. Every audit checks three things.
//! Each stored value equals the minimax value of the children. The table holds exactly the positions that can arise; a
//! table of all positions holds every position that is not over. The counts in the meta data are those of the
//! positions. The first check alone proves all values. In acyclic games, this follows by induction from the last ply.
//! In cyclic games, a win or loss follows from children that are nearer to the end. A drawn position has a move to a
//! draw but no winning move, so either side can avoid losing for ever.
//!
//! `keys` audits sorted keys of acyclic games, and `tiers` audits tiers. `retrograde` audits tables of cyclic games.
//! `retrograde_of_all` audits tables of all positions. `sample` checks positions drawn at random, and `meta` checks the
//! meta data. `look_ups` checks that queries read the same values as audits. Tables of occupancies are audited in the
//! adapter of their game.

mod keys;
mod look_ups;
mod meta;
mod retrograde;
mod retrograde_of_all;
mod sample;
#[cfg(feature = "write")]
mod tiers;

pub use keys::{audit_keys, memory_of_keys};
pub use look_ups::check_look_ups;
pub use meta::{check_meta, check_root};
pub use retrograde::{audit_retrograde, audit_retrograde_sample};
pub use retrograde_of_all::audit_retrograde_of_all;
pub use sample::{audit_sample, search_sample};
#[cfg(feature = "write")]
pub(crate) use tiers::{Audit, AuditedSections, KeepMarks, Marks, PartPlace};
#[cfg(feature = "write")]
pub use tiers::{CHECKPOINT_EXTENSIONS, audit_tiers, has_checkpoint, memory_of_tiers, remove_checkpoint};

use std::collections::BTreeMap;
use std::path::Path;

use crate::space::SharedSet;
use crate::{Breach, Result, SolveError, Wrong};
use yomikiri_rules::{CodedValue, Notation, Value};
use yomikiri_table::{IndexKind, Table, TableError, Tally, parallel};

/// The file extension of a table that has not been audited yet.
pub const UNAUDITED: &str = "unaudited";

/// Returns an error about the position of `key` in the file at `path`. The error names the position or, if no position
/// has the key, the key itself.
fn key_error<G: Notation>(game: &G, path: &Path, key: u64, breach: Breach) -> SolveError {
    let position = game.unrank(key);
    let position = position.map_or(format!("key {key}"), |position| game.position_text(&position));
    Wrong::Position { path: path.to_path_buf(), position, breach }.into()
}

/// A table and the rules to check it against.
pub struct Auditor<'a, G> {
    /// The rules.
    pub game: &'a G,
    /// The table.
    pub table: &'a Table,
}

impl<G: Notation> Auditor<'_, G> {
    /// Returns an error about the position of a key.
    pub fn error(&self, key: u64, breach: Breach) -> SolveError {
        key_error(self.game, self.table.path(), key, breach)
    }

    /// Returns the position of a key, or an error if no position has the key.
    pub fn position(&self, key: u64) -> Result<G::Position> {
        self.game.unrank(key).ok_or_else(|| self.error(key, Breach::NoPosition))
    }

    /// Checks that a stored byte is the minimax value of a position. `children` has the value of each child, for the
    /// side to move there, or `None` if the child is not in the table. Without children, the byte must be the value of
    /// the end of the game.
    #[inline]
    pub fn check_minimax(
        &self,
        key: u64,
        byte: u8,
        position: &G::Position,
        children: impl Iterator<Item = Result<Option<G::Value>, TableError>>,
    ) -> Result<()> {
        let mut best = None;
        for value in children {
            let value = value?.ok_or_else(|| self.error(key, Breach::MissingChild))?;
            best = best.max(Some(value.of_move()));
        }
        match self.game.value_of_byte(byte) == best.or_else(|| self.game.terminal_value(position)) {
            true => Ok(()),
            false => Err(self.error(key, Breach::WrongValue)),
        }
    }

    /// Makes all moves of a position by the rules, and checks the stored byte against the values of the children.
    /// `value_of` looks up the value of a nonterminal child. `moves` is a buffer.
    pub fn check_moves(
        &self,
        key: u64,
        byte: u8,
        position: &G::Position,
        moves: &mut Vec<G::Move>,
        mut value_of: impl FnMut(&G::Position) -> Result<Option<G::Value>, TableError>,
    ) -> Result<()> {
        let game = self.game;
        game.moves(position, moves);
        let children = moves.iter().map(|&mv| {
            let child = game.play(position, mv);
            if game.is_terminal(&child) { Ok(game.terminal_value(&child)) } else { value_of(&child) }
        });
        self.check_minimax(key, byte, position, children)
    }

    /// Checks that the table is of one of these kinds. In a table of any other kind, look-ups would not find the
    /// positions that the audit has checked.
    pub fn expect_kind(&self, kinds: &[IndexKind]) -> Result<()> {
        match kinds.contains(&self.table.header.index_kind) {
            true => Ok(()),
            false => Err(self.table.damaged("has another index kind than tables of this game").into()),
        }
    }

    /// Returns the error of a table that lacks its root position.
    pub fn without_root(&self) -> TableError {
        self.table.damaged("the root position has no value")
    }

    /// Checks that the meta data and the header have the counts of `tally` and of `ended`, the number of ended
    /// positions by table byte.
    pub fn check_counts(&self, tally: &Tally, ended: &BTreeMap<u8, u64>) -> Result<()> {
        let meta = self.table.meta()?;
        let same =
            *tally == meta.tally && *ended == meta.ended && tally.positions() == self.table.header.positions.get();
        if same { Ok(()) } else { Err(self.wrong_counts()) }
    }

    fn wrong_counts(&self) -> SolveError {
        self.table.damaged("counts in the meta data do not match the positions").into()
    }
}

/// Returns the lowest index below `places` that is not in `reached`, the set of indices of positions to which moves
/// lead. Returns `None` if the set has all these indices.
pub fn first_unreached(reached: &SharedSet, places: u64) -> Option<u64> {
    parallel::first(places as usize, 1 << 12, |place| !reached.contains(place as u64)).map(|place| place as u64)
}

/// Maps values to grades, so that the best move is the one with the greatest grade. Grades are 1 to 255: the greater
/// the grade, the better for the side to move. Grade 0 means no value.
pub struct ValueGrades {
    /// The grade of a move, for the side that makes it, indexed by the table byte of the position after the move.
    pub of_move: [u8; 256],
    /// The grade of the best move of a position, indexed by the table byte of that position. 0 for table bytes that no
    /// best move can give.
    pub of_position: [u8; 256],
    /// The table byte of the position after a move, indexed by the grade of the move: the inverse of `of_move`.
    pub bytes: [u8; 256],
}

impl ValueGrades {
    /// Grades all values of a type.
    pub fn new<V: CodedValue>() -> ValueGrades {
        let of_move = |byte: u8| V::from_byte(byte).map(V::of_move);
        let mut order: Vec<V> = (0..=255).filter_map(of_move).collect();
        order.sort();
        order.dedup();
        let grade =
            |value: Option<V>| value.and_then(|value| order.binary_search(&value).ok()).map_or(0, |at| at as u8 + 1);
        let of_move = std::array::from_fn(|byte| grade(of_move(byte as u8)));
        let mut bytes = [0; 256];
        (0..=255).for_each(|byte: u8| bytes[usize::from(of_move[usize::from(byte)])] = byte);
        bytes[0] = 0;
        ValueGrades { of_move, bytes, of_position: std::array::from_fn(|byte| grade(V::from_byte(byte as u8))) }
    }
}
