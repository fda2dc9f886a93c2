//! Where the values of a position and of all that can follow it come from.

use std::path::Path;

use super::probe::{open, probe};
use crate::game::Game;
use crate::solve::layers::{self, Layers};
use crate::solve::{Progress, Solvable, SolveError};
use crate::table::{Table, name};
use crate::value::Value;

/// What knows the values.
pub enum Source {
    /// A table, whole or from a later position.
    Table(Table),
    /// All positions below the one asked for, solved for this question.
    Solved { layers: Layers, values: Vec<Vec<u8>> },
}

/// Answers about one position and everything below it.
pub struct Oracle<'a, G: Game> {
    pub game: &'a G,
    pub source: Source,
}

/// A legal move with its value for the side that makes it, counted from before the move.
pub struct RankedMove<G: Game> {
    pub mv: G::Move,
    pub value: G::Value,
    pub position: G::Position,
}

/// A position's value and its moves, the best first.
pub struct Answer<G: Game> {
    pub value: G::Value,
    pub moves: Vec<RankedMove<G>>,
}

impl<'a, G: Solvable> Oracle<'a, G> {
    /// Finds a source for `position`: the table of the whole game, a table from an earlier position, or, if they do
    /// not have it, a search below it that keeps at most `memory` bytes. A damaged table is an error.
    pub fn find(
        game: &'a G,
        folder: &Path,
        position: &G::Position,
        memory: u64,
        progress: &dyn Progress,
    ) -> Result<Self, SolveError> {
        let code = game.code();
        let whole = name::whole(folder, &code);
        let candidates = whole.exists().then_some(whole).into_iter().chain(name::all_below(folder, &code));
        for path in candidates {
            let table = open(game, &path)?;
            if probe::<G::Value>(&table, game.key(position))?.is_some() {
                return Ok(Oracle { game, source: Source::Table(table) });
            }
        }
        let layers = enumerate_below(game, position, memory, progress)?;
        let values = layers::solve(game, &layers, progress);
        Ok(Oracle { game, source: Source::Solved { layers, values } })
    }

    /// The value of a position the source reaches.
    pub fn value(&self, position: &G::Position) -> Result<G::Value, SolveError> {
        if self.game.decided(position) {
            return self.game.end(position).ok_or_else(|| self.missing(position));
        }
        let key = self.game.key(position);
        let value =
            match &self.source {
                Source::Table(table) => probe(table, key)?,
                Source::Solved { layers, values } => layers.levels.iter().zip(values).find_map(|(keys, bytes)| {
                    keys.binary_search(&key).ok().and_then(|at| G::Value::from_byte(bytes[at]))
                }),
            };
        value.ok_or_else(|| self.missing(position))
    }

    fn missing(&self, position: &G::Position) -> SolveError {
        let text = self.game.position_text(position);
        match &self.source {
            Source::Table(table) => table.damaged(format!("has no value for {text}")).into(),
            Source::Solved { .. } => SolveError::Wrong(format!("{text} was not reached by the search")),
        }
    }

    /// The value of `position` and of every legal move; equal moves stay in the order of their notation.
    pub fn answer(&self, position: &G::Position) -> Result<Answer<G>, SolveError> {
        let mut legal = Vec::new();
        self.game.moves(position, &mut legal);
        let rank = |mv| {
            let child = self.game.play(position, mv);
            Ok(RankedMove { mv, value: self.value(&child)?.of_move(), position: child })
        };
        let mut moves = legal.into_iter().map(rank).collect::<Result<Vec<_>, SolveError>>()?;
        moves.sort_by_key(|mv| std::cmp::Reverse(mv.value));
        Ok(Answer { value: self.value(position)?, moves })
    }

    /// Best play from `position` to the end: every move with the position after it.
    pub fn line(&self, position: &G::Position) -> Result<Vec<RankedMove<G>>, SolveError> {
        let mut line = Vec::new();
        let mut here = *position;
        loop {
            let answer = self.answer(&here)?;
            let Some(best) = answer.moves.into_iter().next() else { return Ok(line) };
            here = best.position;
            line.push(best);
        }
    }
}

/// Enumerates what lies below a position. If it is not little, the estimate is asked before more memory is taken.
fn enumerate_below<G: Solvable>(
    game: &G,
    position: &G::Position,
    memory: u64,
    progress: &dyn Progress,
) -> Result<Layers, SolveError> {
    /// Memory of a search that is over before an estimate would be.
    const LITTLE: u64 = 16 << 20;
    match layers::enumerate(game, position, memory.min(LITTLE), progress) {
        Err(SolveError::TooLarge(_)) if memory > LITTLE => {
            refuse_hopeless(game, position, memory)?;
            layers::enumerate(game, position, memory, progress)
        }
        done => done,
    }
}

/// Refuses a search that would take far more memory than it may have, without starting it.
fn refuse_hopeless<G: Solvable>(game: &G, position: &G::Position, memory: u64) -> Result<(), SolveError> {
    /// Estimates below late positions can be too high by some such factor.
    const DOUBT: f64 = 30.0;
    let about = game.estimate(position).total();
    if about < DOUBT * memory as f64 / layers::memory_for(1) as f64 {
        return Ok(());
    }
    let text = game.position_text(position);
    Err(SolveError::TooLarge(format!(
        "no table has {text}, and about {about:.1e} positions lie below it: too many to search; ask about a later one"
    )))
}
