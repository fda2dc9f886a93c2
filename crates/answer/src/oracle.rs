//! Exact values of a position and of all that can follow it.

use std::collections::HashSet;
use std::fmt;
use std::sync::Arc;

use serde::Serialize;

use yomikiri_rules::{Game, Outcome, Value};
use yomikiri_solve::{Resident, Result, Search, Solvable, SolveError, Solved};
use yomikiri_table::probe::value_of_byte;
use yomikiri_table::{Progress, Table, TableError};

/// Where an answer comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub enum Source {
    /// A finished table.
    Table,
    /// All positions below the one asked for, solved for this question.
    Subgame,
    /// A certificate: who wins, not how soon.
    Certificate,
    /// The game's exact search.
    Search,
    /// An excerpt of a table: exact values of what comes up when one side plays best.
    Excerpt,
}

/// The word in JSON.
impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.serialize(f)
    }
}

/// What has the values.
pub(super) enum Values<'a, G: Game> {
    /// A table, of the whole game or from a later position; in memory where that was asked for and helps.
    Table(Arc<Table>, Option<Arc<Resident>>),
    /// All positions below the one asked for.
    Subgame(Solved),
    /// A search, position by position.
    Search(Box<dyn Search<G>>, &'a dyn Progress),
}

/// Exact values of one position and everything below it.
pub struct Oracle<'a, G: Game> {
    pub game: &'a G,
    pub(super) values: Values<'a, G>,
}

/// A legal move with its value for the side that makes it, counted from before the move.
pub struct RankedMove<G: Game> {
    pub mv: G::Move,
    pub value: G::Value,
    pub position: G::Position,
}

/// A legal move, the position after it, and what is known of that.
pub struct JudgedMove<G: Game> {
    pub mv: G::Move,
    pub position: G::Position,
    /// Its outcome for the side that makes it, where that is known.
    pub outcome: Option<Outcome>,
    /// What it comes to for that side, where that is known exactly.
    pub value: Option<G::Value>,
}

/// A position's value and its moves, the best first.
pub struct Answer<G: Game> {
    pub value: G::Value,
    pub moves: Vec<RankedMove<G>>,
}

impl<G: Game> Answer<G> {
    /// A value and moves in the order of the notation, in which equal ones stay.
    pub fn of(value: G::Value, mut moves: Vec<RankedMove<G>>) -> Answer<G> {
        moves.sort_by_key(|mv| std::cmp::Reverse(mv.value));
        Answer { value, moves }
    }

    /// Of a position in which the game is over.
    pub fn over(value: G::Value) -> Answer<G> {
        Answer { value, moves: Vec::new() }
    }
}

impl<'a, G: Solvable> Oracle<'a, G> {
    /// By a table.
    pub fn of_table(game: &'a G, table: Arc<Table>) -> Self {
        Oracle::of_resident(game, table, None)
    }

    /// By a table that may be in memory.
    pub(super) fn of_resident(game: &'a G, table: Arc<Table>, resident: Option<Arc<Resident>>) -> Self {
        Oracle { game, values: Values::Table(table, resident) }
    }

    /// By all positions below one, solved in memory.
    pub fn of_subgame(game: &'a G, solved: Solved) -> Self {
        Oracle { game, values: Values::Subgame(solved) }
    }

    /// The table, if it is one.
    pub fn table(&self) -> Option<&Table> {
        match &self.values {
            Values::Table(table, _) => Some(table),
            Values::Subgame(_) | Values::Search(..) => None,
        }
    }

    /// The table in memory, if it is one that is there.
    pub fn resident(&self) -> Option<&Resident> {
        match &self.values {
            Values::Table(_, resident) => resident.as_deref(),
            Values::Subgame(_) | Values::Search(..) => None,
        }
    }

    /// Where the values come from.
    pub fn source(&self) -> Source {
        match self.values {
            Values::Table(..) => Source::Table,
            Values::Subgame(_) => Source::Subgame,
            Values::Search(..) => Source::Search,
        }
    }

    /// Whether the value of a position takes a few tenths of a second at most.
    pub fn is_quick(&self, position: &G::Position) -> bool {
        match &self.values {
            Values::Table(..) | Values::Subgame(_) => true,
            Values::Search(search, _) => search.is_quick(position),
        }
    }

    /// The value of a position the source reaches.
    pub fn value(&self, position: &G::Position) -> Result<G::Value> {
        self.known(position)?.ok_or_else(|| self.missing(position))
    }

    /// The value of a position; `None` if the source does not reach it.
    pub fn known(&self, position: &G::Position) -> Result<Option<G::Value>, TableError> {
        if self.game.is_terminal(position) {
            return Ok(self.game.terminal_value(position));
        }
        match &self.values {
            Values::Table(table, resident) => {
                let resident = resident.as_ref().and_then(|resident| resident.byte(self.game.rank(position)));
                match resident {
                    Some(0) => Ok(None),
                    Some(byte) => value_of_byte(table, byte).map(Some),
                    None => {
                        self.bring(table, &[position])?;
                        self.game.probe(table, position)
                    }
                }
            }
            Values::Subgame(solved) => Ok(solved.byte(self.game.rank(position)).and_then(G::Value::from_byte)),
            Values::Search(search, progress) => Ok(Some(search.solve(position, *progress).value)),
        }
    }

    /// From a table that is far away brings what tells of positions together, before each is looked up.
    fn bring(&self, table: &Table, positions: &[&G::Position]) -> Result<(), TableError> {
        if !table.is_far() {
            return Ok(());
        }
        let open = positions.iter().filter(|position| !self.game.is_terminal(position));
        let mut keys: Vec<u64> = open.map(|position| self.game.rank(position)).collect();
        keys.sort_unstable();
        keys.dedup();
        self.game.probe_all(table, None, &keys).map(drop)
    }

    fn missing(&self, position: &G::Position) -> SolveError {
        let text = self.game.position_text(position);
        match &self.values {
            Values::Table(table, _) => table.damaged(format!("has no value for {text}")).into(),
            Values::Subgame(_) | Values::Search(..) => {
                SolveError::Wrong(format!("{text} was not reached by the search"))
            }
        }
    }

    /// The value of `position` and of every legal move; equal moves stay in the order of their notation.
    pub fn answer(&self, position: &G::Position) -> Result<Answer<G>> {
        let legal = self.game.legal_moves(position);
        let children: Vec<_> = legal.iter().map(|&mv| self.game.play(position, mv)).collect();
        if let Values::Table(table, None) = &self.values {
            self.bring(table, &children.iter().collect::<Vec<_>>())?;
        }
        let rank = |(mv, child)| Ok(RankedMove { mv, value: self.value(&child)?.of_move(), position: child });
        // All before any that fails, so that a source that waits for bytes is asked for those of every move at once.
        let moves: Vec<Result<_, SolveError>> = legal.into_iter().zip(children).map(rank).collect();
        let moves = moves.into_iter().collect::<Result<Vec<_>, _>>()?;
        Ok(Answer::of(self.value(position)?, moves))
    }

    /// Best play from `position` to the end, or, in a draw, until a position comes again, for `most` plies at most:
    /// every move with the position after it.
    pub fn line(&self, position: &G::Position, most: usize) -> Result<Vec<RankedMove<G>>> {
        let mut line: Vec<RankedMove<G>> = Vec::new();
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
