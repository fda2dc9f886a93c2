//! Checking finished tables by the plain rules, through the same door that queries use.
//!
//! An audit shares nothing with the kernel that made a table but the format and the keys. Whatever the kind of table,
//! it holds three things against the rules: every stored value equals the minimax of the values of its children; what
//! can arise is in the table, and nothing else is; the counts in the meta data are those of the positions. In acyclic
//! games minimax alone makes all values right, by induction from the last ply. In cyclic games a win or loss leads one
//! ply nearer to the end with each move, and a draw has a move to a draw and none to a loss, on both sides for ever.
//!
//! `keys` (tables of sorted keys), `tiers`, `retrograde` and `retrograde_of_all` are the audits by kind of table,
//! `sample` checks positions drawn at random, `meta` what a table says of itself, `look_ups` that a query reads what the
//! audits have read. Tables of occupancies are checked in the adapter of their game.

mod keys;
mod look_ups;
mod meta;
mod retrograde;
mod retrograde_of_all;
mod sample;
#[cfg(feature = "write")]
mod tiers;

pub use keys::audit_keys;
pub use look_ups::check_look_ups;
pub use meta::{check_meta, check_root};
pub use retrograde::{audit_retrograde, retrograde_sample};
pub use retrograde_of_all::audit_retrograde_of_all;
pub use sample::{search_sample, verify_sample};
#[cfg(feature = "write")]
pub(crate) use tiers::{Audit, AuditedSections, KeepMarks, Marks};
#[cfg(feature = "write")]
pub use tiers::{PARTS, audit_tiers, is_kept, remove_kept};

use std::collections::BTreeMap;
use std::fmt::Display;
use std::path::Path;

use crate::space::SharedSet;
use crate::{Result, SolveError};
use yomikiri_rules::{Game, Value};
use yomikiri_table::{IndexKind, Table, TableError, Tally};

/// How the name of a table ends that has not been audited yet.
pub const UNAUDITED: &str = "unaudited";

/// What is wrong with a position of a table.
#[derive(Clone, Copy, Debug, thiserror::Error)]
pub enum Breach {
    #[error("is no position of this game")]
    NoPosition,
    #[error("has a child that is not in the table")]
    MissingChild,
    #[error("has a move to no tier of its own")]
    ForeignMove,
    #[error("does not have the value of its best move")]
    WrongValue,
    #[error("cannot arise: no move leads to it")]
    Unreached,
    #[error("is in the table but cannot arise")]
    Superfluous,
    #[error("can arise but is not in the table")]
    Missing,
}

/// The error that says what is wrong with the position of a key in a file.
fn wrong<G: Game>(game: &G, path: &Path, key: u64, what: impl Display) -> SolveError {
    let position = game.unrank(key);
    let text = position.map_or(format!("key {key}"), |position| game.position_text(&position));
    SolveError::Wrong(format!("{}: {text} {what}", path.display()))
}

/// A table, and the rules that it is held against.
pub struct Auditor<'a, G> {
    pub game: &'a G,
    pub table: &'a Table,
}

impl<G: Game> Auditor<'_, G> {
    /// The error that says what is wrong with the position of a key.
    pub fn wrong(&self, key: u64, what: impl Display) -> SolveError {
        wrong(self.game, self.table.path(), key, what)
    }

    /// The position of a key.
    pub fn position(&self, key: u64) -> Result<G::Position> {
        self.game.unrank(key).ok_or_else(|| self.wrong(key, Breach::NoPosition))
    }

    /// Checks that a stored byte is the minimax over `children`, the values of all children by the side to move there;
    /// `None` is a child that the table lacks. Without children, the byte must be the value of the game's end.
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
            let value = value?.ok_or_else(|| self.wrong(key, Breach::MissingChild))?;
            best = best.max(Some(value.of_move()));
        }
        match G::Value::from_byte(byte) == best.or_else(|| self.game.terminal_value(position)) {
            true => Ok(()),
            false => Err(self.wrong(key, Breach::WrongValue)),
        }
    }

    /// Checks a stored byte against all moves by the rules; `value_of` looks undecided children up. `moves` lends its
    /// memory.
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

    /// Checks that the table is of one of these kinds; else look-ups would not find what the audit has seen.
    pub fn expect_kind(&self, kinds: &[IndexKind]) -> Result<()> {
        match kinds.contains(&self.table.header.index_kind) {
            true => Ok(()),
            false => Err(self.table.damaged("is of another kind than tables of this game are").into()),
        }
    }

    /// The error of a table that lacks the position it starts from.
    pub fn without_root(&self) -> TableError {
        self.table.damaged("has no value for its first position")
    }

    /// Checks that what was counted, positions and ended ones, is what the meta data and the header say.
    pub fn check_counts(&self, tally: &Tally, ended: &BTreeMap<u8, u64>) -> Result<()> {
        let meta = self.table.meta()?;
        let same =
            *tally == meta.tally && *ended == meta.ended && tally.positions() == self.table.header.positions.get();
        if same { Ok(()) } else { Err(self.wrong_counts()) }
    }

    fn wrong_counts(&self) -> SolveError {
        self.table.damaged("the counts in its meta data are not those of its positions").into()
    }
}

/// The place of the first position that no move has led to.
pub fn first_unreached(reached: &SharedSet, places: u64) -> Option<u64> {
    use rayon::prelude::*;
    (0..places).into_par_iter().find_first(|&place| !reached.contains(place))
}

/// Values as ranks of one byte, the greater the better for the side to move, from 1 on; 0 is no value. The best move is
/// then a maximum of bytes.
pub struct ValueRanks {
    /// By the table byte of a position: the rank of a move to it, for the side that makes the move.
    pub of_move: [u8; 256],
    /// By the table byte of a position: its own rank, which is that of its best move. 0 for values that no move has.
    pub of_position: [u8; 256],
    /// The inverse of `of_move`.
    pub bytes: [u8; 256],
}

impl ValueRanks {
    pub fn new<V: Value>() -> ValueRanks {
        let of_move = |byte: u8| V::from_byte(byte).map(V::of_move);
        let mut order: Vec<V> = (0..=255).filter_map(of_move).collect();
        order.sort();
        order.dedup();
        let rank =
            |value: Option<V>| value.and_then(|value| order.binary_search(&value).ok()).map_or(0, |at| at as u8 + 1);
        let of_move = std::array::from_fn(|byte| rank(of_move(byte as u8)));
        let mut bytes = [0; 256];
        (0..=255).for_each(|byte: u8| bytes[usize::from(of_move[usize::from(byte)])] = byte);
        bytes[0] = 0;
        ValueRanks { of_move, bytes, of_position: std::array::from_fn(|byte| rank(V::from_byte(byte as u8))) }
    }
}
