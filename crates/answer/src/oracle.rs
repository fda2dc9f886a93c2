//! Exact values of a position and of all positions that can follow it.

use std::collections::HashSet;
use std::fmt;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use yomikiri_rules::{AnyGame, AnyMove, AnyPosition, AnyValue, Game, Notation, Outcome, Value};
use yomikiri_search::Search;
use yomikiri_solve::{Resident, Result, Solvable, SolveError, Solved, Wrong};
use yomikiri_table::probe::value_of_byte;
use yomikiri_table::{Progress, Table, TableError};

/// The source of an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub enum Source {
    /// A finished table.
    Table,
    /// The subgame: all positions that can follow the one asked about, solved for this question.
    Subgame,
    /// A certificate, which tells who wins, not how soon.
    Certificate,
    /// An opening, which tells who wins early positions, not how soon.
    Opening,
    /// The game's exact search.
    Search,
    /// A proof of the winner, made for this question. It does not give the distance.
    Proof,
    /// An excerpt of a table: exact values of the positions that arise when one side plays best.
    Excerpt,
}

impl Source {
    /// Returns the source in words, such as "the opening" or "an unchecked certificate". `self` must be a table, a
    /// proof, an opening or a certificate. `trust` is the state of an opening or a certificate, and `None` for others.
    pub fn in_words(self, trust: Option<Trust>) -> &'static str {
        match (self, trust) {
            (Source::Table, _) => "a table",
            (Source::Proof, _) => "a proof",
            (Source::Opening, Some(Trust::Unchecked)) => "an unchecked opening",
            (Source::Opening, _) => "the opening",
            (_, Some(Trust::Unchecked)) => "an unchecked certificate",
            _ => "a certificate",
        }
    }
}

/// Writes the word used in JSON.
impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.serialize(f)
    }
}

/// The state of a certificate or an opening: checked if it has passed `yomikiri check`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub enum Trust {
    /// `yomikiri check` has passed.
    Checked,
    /// `yomikiri check` has not passed at this location.
    Unchecked,
}

impl Trust {
    pub(super) fn of(is_checked: bool) -> Trust {
        if is_checked { Trust::Checked } else { Trust::Unchecked }
    }

    /// Returns the name: `checked` or `unchecked`.
    pub fn name(self) -> &'static str {
        match self {
            Trust::Checked => "checked",
            Trust::Unchecked => "unchecked",
        }
    }
}

/// The source of exact values.
pub(super) enum Values<'a> {
    /// A table of the whole game, or of the part of the game that can follow a later position. The second field is the
    /// same table in memory, if it was loaded.
    Table(Arc<Table>, Option<Arc<Resident>>),
    /// The solved subgame, that is, all positions that can follow the one asked about.
    Subgame(Solved),
    /// The game's search, which finds the value of one position at a time.
    Search(Box<dyn Search<AnyGame>>, &'a dyn Progress),
}

/// Exact values of a position and of all positions that can follow it.
pub struct Oracle<'a> {
    /// The game that the positions belong to.
    pub game: &'a AnyGame,
    pub(super) values: Values<'a>,
}

/// A legal move, the position after it, and the value for the side that makes the move. Plies count from before the
/// move.
pub struct RankedMove {
    /// The move.
    pub mv: AnyMove,
    /// The value for the side that makes the move.
    pub value: AnyValue,
    /// The position after the move.
    pub position: AnyPosition,
}

/// A legal move, the position after it, and what is known about the move.
pub struct JudgedMove {
    /// The move.
    pub mv: AnyMove,
    /// The position after the move.
    pub position: AnyPosition,
    /// The outcome for the side that makes the move, if it is known.
    pub outcome: Option<Outcome>,
    /// The value for the side that makes the move, if it is known exactly. Plies count from before the move.
    pub value: Option<AnyValue>,
}

/// The value of a position, and its moves, the best first.
pub struct Answer {
    /// The value for the side to move.
    pub value: AnyValue,
    /// All legal moves, the best first; empty if the game is over.
    pub moves: Vec<RankedMove>,
}

impl Answer {
    /// Creates an answer from a value and moves in the order of the notation. Moves of equal value keep that order.
    pub fn of(value: AnyValue, mut moves: Vec<RankedMove>) -> Answer {
        moves.sort_by_key(|mv| std::cmp::Reverse(mv.value));
        Answer { value, moves }
    }

    /// Creates the answer for a position in which the game is over.
    pub fn over(value: AnyValue) -> Answer {
        Answer { value, moves: Vec::new() }
    }
}

impl<'a> Oracle<'a> {
    /// Creates an oracle that reads a table.
    pub fn of_table(game: &'a AnyGame, table: Arc<Table>) -> Self {
        Oracle::of_resident(game, table, None)
    }

    /// Creates an oracle that reads a table. `resident` is the same table in memory, if it was loaded.
    pub(super) fn of_resident(game: &'a AnyGame, table: Arc<Table>, resident: Option<Arc<Resident>>) -> Self {
        Oracle { game, values: Values::Table(table, resident) }
    }

    /// Returns the table if it is the source of the values, else `None`.
    pub fn table(&self) -> Option<&Table> {
        match &self.values {
            Values::Table(table, _) => Some(table),
            Values::Subgame(_) | Values::Search(..) => None,
        }
    }

    /// Returns the copy of the table in memory. `None` if the source of the values is not a table, or if the table was
    /// not loaded.
    pub fn resident(&self) -> Option<&Resident> {
        match &self.values {
            Values::Table(_, resident) => resident.as_deref(),
            Values::Subgame(_) | Values::Search(..) => None,
        }
    }

    /// Returns the source of the values.
    pub fn source(&self) -> Source {
        match self.values {
            Values::Table(..) => Source::Table,
            Values::Subgame(_) => Source::Subgame,
            Values::Search(..) => Source::Search,
        }
    }

    /// Returns true if it takes at most a few tenths of a second to find the value of a position.
    pub fn is_quick(&self, position: &AnyPosition) -> bool {
        match &self.values {
            Values::Table(..) | Values::Subgame(_) => true,
            Values::Search(search, _) => search.is_quick(position),
        }
    }

    /// Returns the value of a position. A position whose value the source does not have is an error.
    pub fn value(&self, position: &AnyPosition) -> Result<AnyValue> {
        self.known(position)?.ok_or_else(|| self.missing(position))
    }

    /// Returns the value of a position, or `None` if the source does not have it.
    pub fn known(&self, position: &AnyPosition) -> Result<Option<AnyValue>, TableError> {
        if self.game.is_terminal(position) {
            return Ok(self.game.terminal_value(position));
        }
        match &self.values {
            Values::Table(table, resident) => {
                let resident = resident.as_ref().and_then(|resident| resident.byte(self.game.rank(position)));
                match resident {
                    Some(0) => Ok(None),
                    Some(byte) => value_of_byte(self.game, table, byte).map(Some),
                    None => {
                        self.prefetch(table, &[position])?;
                        self.game.probe(table, position)
                    }
                }
            }
            Values::Subgame(solved) => {
                Ok(solved.byte(self.game.rank(position)).and_then(|byte| self.game.value_of_byte(byte)))
            }
            Values::Search(search, progress) => Ok(Some(search.solve(position, *progress).value)),
        }
    }

    /// Fetches the blocks of all `positions` together if the table is remote, so that later look-ups of these positions
    /// need no requests of their own.
    fn prefetch(&self, table: &Table, positions: &[&AnyPosition]) -> Result<(), TableError> {
        if !table.is_remote() {
            return Ok(());
        }
        let open = positions.iter().filter(|position| !self.game.is_terminal(position));
        let mut keys: Vec<u64> = open.map(|position| self.game.rank(position)).collect();
        keys.sort_unstable();
        keys.dedup();
        self.game.probe_all(table, None, &keys).map(drop)
    }

    fn missing(&self, position: &AnyPosition) -> SolveError {
        let text = self.game.position_text(position);
        match &self.values {
            Values::Table(table, _) => table.damaged(format!("has no value for {text}")).into(),
            Values::Subgame(_) | Values::Search(..) => Wrong::Unreached(text).into(),
        }
    }

    /// Returns the value of `position`, and its legal moves with their values, the best first. Moves of equal value
    /// stay in the order of the notation.
    pub fn answer(&self, position: &AnyPosition) -> Result<Answer> {
        let legal = self.game.legal_moves(position);
        let children: Vec<_> = legal.iter().map(|&mv| self.game.play(position, mv)).collect();
        if let Values::Table(table, None) = &self.values {
            self.prefetch(table, &children.iter().collect::<Vec<_>>())?;
        }
        let rank = |(mv, child)| Ok(RankedMove { mv, value: self.value(&child)?.of_move(), position: child });
        // Looks up every move before the first error is returned. So if bytes of a remote table have yet to arrive, all
        // byte ranges that the answer needs are requested at once.
        let moves: Vec<Result<_, SolveError>> = legal.into_iter().zip(children).map(rank).collect();
        let moves = moves.into_iter().collect::<Result<Vec<_>, _>>()?;
        Ok(Answer::of(self.value(position)?, moves))
    }

    /// Returns best play from `position`, at most `most` plies. The line also ends when the game is over or a position
    /// repeats.
    pub fn line(&self, position: &AnyPosition, most: usize) -> Result<Vec<RankedMove>> {
        let mut line: Vec<RankedMove> = Vec::new();
        let mut seen = HashSet::from([self.game.canonical(position)]);
        let mut here = *position;
        while line.len() < most {
            let Some(best) = self.answer(&here)?.moves.into_iter().next() else { break };
            here = best.position;
            line.push(best);
            if !seen.insert(self.game.canonical(&here)) {
                break;
            }
        }
        Ok(line)
    }
}
