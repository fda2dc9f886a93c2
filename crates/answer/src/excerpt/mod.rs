//! Excerpts of tables. An excerpt is made for one side: in each position, this side has one fixed best move, and the
//! other side may play any move. The excerpt gives the values of all positions that can arise in this way. It is much
//! smaller than its table, but its side plays as well as with the whole table.
//!
//! `write` makes the file; this module reads it. docs/format.md has the layout.

#[cfg(feature = "write")]
mod write;

#[cfg(feature = "write")]
pub use write::{Excerpted, write_excerpt};

use std::cmp::Reverse;
use std::path::Path;

use serde::{Deserialize, Serialize};
use yomikiri_rules::{AnyGame, AnyMove, AnyPosition, AnyValue, Game, Side, Value};
use yomikiri_table::source::ReadAt;
use yomikiri_table::{IndexKind, Result, Table, TableError, probe};

use super::oracle::JudgedMove;

/// The bit in the header's field `value_codec` that marks a file as an excerpt, the part of a table that one side needs
/// to play its best.
const MARK: u8 = 16;

/// The meta data of an excerpt. The rule code and the revision number of the game's rules are in the header.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Meta {
    /// The position from which the excerpt starts, in the game's notation.
    root: String,
    /// The name of the side that plays by the excerpt. Only positions with this side to move are listed.
    side: String,
}

/// An open excerpt of a table. It gives the values of all positions that can arise while one side plays one fixed best
/// move in each position. The values of other positions are unknown.
pub struct Excerpt<'a> {
    game: &'a AnyGame,
    table: Table,
    side: Side,
}

impl<'a> Excerpt<'a> {
    /// Returns true if `table` is an excerpt, of any game.
    pub fn is_in(table: &Table) -> bool {
        table.header.value_codec & MARK != 0
    }

    /// Opens the excerpt of a table of `game` that `source` contains. An excerpt of another variant is an error. Errors
    /// name the file `path`.
    pub fn open(game: &'a AnyGame, source: Box<dyn ReadAt>, path: &Path) -> Result<Self> {
        let codec = game.codec() as u8 | MARK;
        let table = Table::from_source(source, path, &game.code(), game.rules_revision(), codec)?;
        if table.header.index_kind != IndexKind::SortedKeys {
            return Err(TableError::foreign(path, "is not an excerpt of a table"));
        }
        let meta: Meta = table.meta_as()?;
        let side = [Side::Black, Side::White].into_iter().find(|side| side.name() == meta.side);
        let side = side.ok_or_else(|| table.damaged(format!("{:?} is not a side", meta.side)))?;
        Ok(Excerpt { game, table, side })
    }

    /// Returns the side that plays by the excerpt.
    pub fn side(&self) -> Side {
        self.side
    }

    /// Returns the value of a position, or `None` if it is unknown.
    pub fn value(&self, position: &AnyPosition) -> Result<Option<AnyValue>> {
        Ok(self.values(&[*position])?[0])
    }

    /// Returns the legal moves of a position, each with its value if the value is known. The best moves come first, and
    /// moves with unknown values last.
    pub fn judge(&self, position: &AnyPosition) -> Result<Vec<JudgedMove>> {
        let moves = self.game.legal_moves(position);
        let positions: Vec<_> = moves.iter().map(|&mv| self.game.play(position, mv)).collect();
        let values = self.values(&positions)?;
        let judged = moves.into_iter().zip(positions).zip(values).map(|((mv, position), value)| {
            let value = value.map(Value::of_move);
            JudgedMove { mv, position, outcome: value.map(Value::outcome), value }
        });
        let mut judged: Vec<_> = judged.collect();
        judged.sort_by_key(|mv| Reverse(mv.value));
        Ok(judged)
    }

    /// Returns the line of best play from a position: each move with the position after it. The line ends after `most`
    /// plies, when the game is over, at a position with unknown value, or when a position repeats.
    pub fn line(&self, position: &AnyPosition, most: usize) -> Result<Vec<(AnyMove, AnyPosition)>> {
        let (mut line, mut here, mut seen) = (Vec::new(), *position, vec![self.game.canonical(position)]);
        while line.len() < most && self.value(&here)?.is_some() {
            let Some(best) = self.judge(&here)?.into_iter().next().filter(|best| best.value.is_some()) else { break };
            here = best.position;
            line.push((best.mv, here));
            let canonical = self.game.canonical(&here);
            if seen.contains(&canonical) {
                break;
            }
            seen.push(canonical);
        }
        Ok(line)
    }

    /// Returns the value of each position, or `None` if the value is unknown. If the side that plays by the excerpt is
    /// to move, the value is looked up. If the other side is to move, the value is the best value of all moves, and is
    /// known only if the values of all moves are known.
    fn values(&self, positions: &[AnyPosition]) -> Result<Vec<Option<AnyValue>>> {
        let game = self.game;
        let after = |position: &AnyPosition| -> Vec<AnyPosition> {
            game.legal_moves(position).into_iter().map(|mv| game.play(position, mv)).collect()
        };
        let is_listed = |position: &AnyPosition| game.side(position) == self.side;
        // In some games, a position without moves is over although `is_terminal` returns false for it.
        let is_over = |position: &AnyPosition| game.terminal_value(position).is_some();
        let replies = |position: &AnyPosition| match is_listed(position) || is_over(position) {
            true => Vec::new(),
            false => after(position),
        };
        let replies: Vec<Vec<AnyPosition>> = positions.iter().map(replies).collect();
        let open = |position: &&AnyPosition| is_listed(position) && !is_over(position);
        let asked = positions.iter().chain(replies.iter().flatten()).filter(open);
        let mut keys: Vec<u64> = asked.map(|position| game.rank(position)).collect();
        keys.sort_unstable();
        keys.dedup();
        let bytes = probe::listed(&self.table, &keys)?;
        let known = |position: &AnyPosition| match game.terminal_value(position) {
            Some(value) => Ok(Some(value)),
            None if !is_listed(position) => Ok(None),
            None => {
                let at = keys.binary_search(&game.rank(position)).expect("was asked for");
                bytes[at].map(|byte| probe::value_of_byte(game, &self.table, byte)).transpose()
            }
        };
        let value = |(position, replies): (&AnyPosition, &Vec<AnyPosition>)| {
            if replies.is_empty() {
                return known(position);
            }
            let values = replies.iter().map(known).collect::<Result<Option<Vec<AnyValue>>>>()?;
            Ok(values.and_then(|values| values.into_iter().map(Value::of_move).max()))
        };
        positions.iter().zip(&replies).map(value).collect()
    }
}
