//! Where the values of a position and of all that can follow it come from.

use std::collections::HashSet;
use std::path::Path;

use yomikiri_rules::game::Game;
use yomikiri_rules::value::Value;
use yomikiri_solve::{Search, Solvable, SolveError, Solved};
use yomikiri_table::probe::open;
use yomikiri_table::progress::Progress;
use yomikiri_table::{Table, TableError, name};

/// Memory of all positions below one that are sooner solved than searched.
const LITTLE: u64 = 16 << 20;

/// What knows the values.
pub enum Source<'a, G: Game> {
    /// A table, whole or from a later position.
    Table(Table),
    /// All positions below the one asked for, solved for this question.
    Solved(Solved),
    /// A search, position by position.
    Search(Box<dyn Search<G>>, &'a dyn Progress),
}

/// Answers about one position and everything below it.
pub struct Oracle<'a, G: Game> {
    pub game: &'a G,
    pub source: Source<'a, G>,
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
    /// The table that has `position`: that of the whole game or one from an earlier position. A damaged table is an error.
    pub fn by_table(game: &'a G, folder: &Path, position: &G::Position) -> Result<Option<Self>, TableError> {
        let code = game.code();
        let whole = Some(name::whole(folder, &code)).filter(|path| path.exists());
        for path in whole.into_iter().chain(name::all_below(folder, &code)) {
            let table = open(game, &path)?;
            if game.probe(&table, position)?.is_some() {
                return Ok(Some(Oracle { game, source: Source::Table(table) }));
            }
        }
        Ok(None)
    }

    /// Finds a source for `position`: the table of the whole game, a table from an earlier position, or, if they do
    /// not have it, all positions below it or a search, which keep at most `memory` bytes. A damaged table is an error.
    pub fn find(
        game: &'a G,
        folder: &Path,
        position: &G::Position,
        memory: u64,
        progress: &'a dyn Progress,
    ) -> Result<Self, SolveError> {
        match Oracle::by_table(game, folder, position)? {
            Some(oracle) => Ok(oracle),
            None => Oracle::beyond_tables(game, folder, position, memory, progress),
        }
    }

    /// All positions below `position`, or a search, for a position that no table has.
    pub(super) fn beyond_tables(
        game: &'a G,
        folder: &Path,
        position: &G::Position,
        memory: u64,
        progress: &'a dyn Progress,
    ) -> Result<Self, SolveError> {
        let code = game.code();
        let known = name::whole(folder, &code).exists();
        match without_table(game, position, memory, progress) {
            Ok(source) => Ok(Oracle { game, source }),
            Err(SolveError::TooLarge(_)) if known => {
                let text = game.position_text(position);
                Err(SolveError::TooLarge(format!(
                    "{text} cannot arise in a game of {code}: its table does not have it"
                )))
            }
            Err(error) => Err(error),
        }
    }

    /// The value of a position the source reaches.
    pub fn value(&self, position: &G::Position) -> Result<G::Value, SolveError> {
        self.known(position)?.ok_or_else(|| self.missing(position))
    }

    /// The value of a position; `None` if the source does not reach it.
    pub fn known(&self, position: &G::Position) -> Result<Option<G::Value>, TableError> {
        if self.game.decided(position) {
            return Ok(self.game.end(position));
        }
        match &self.source {
            Source::Table(table) => self.game.probe(table, position),
            Source::Solved(solved) => Ok(solved.byte(self.game.key(position)).and_then(G::Value::from_byte)),
            Source::Search(search, progress) => Ok(Some(search.solve(position, *progress).value)),
        }
    }

    fn missing(&self, position: &G::Position) -> SolveError {
        let text = self.game.position_text(position);
        match &self.source {
            Source::Table(table) => table.damaged(format!("has no value for {text}")).into(),
            Source::Solved(_) | Source::Search(..) => {
                SolveError::Wrong(format!("{text} was not reached by the search"))
            }
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
        // All before any that fails, so that a source that waits for bytes is asked for those of every move at once.
        let moves: Vec<Result<_, SolveError>> = legal.into_iter().map(rank).collect();
        let mut moves = moves.into_iter().collect::<Result<Vec<_>, _>>()?;
        moves.sort_by_key(|mv| std::cmp::Reverse(mv.value));
        Ok(Answer { value: self.value(position)?, moves })
    }

    /// Best play from `position` to the end, or, in a draw, until a position comes again: every move with the position
    /// after it.
    pub fn line(&self, position: &G::Position) -> Result<Vec<RankedMove<G>>, SolveError> {
        let mut line: Vec<RankedMove<G>> = Vec::new();
        let mut seen = HashSet::from([self.game.canonical(position)]);
        let mut here = *position;
        while let Some(best) = self.answer(&here)?.moves.into_iter().next() {
            here = best.position;
            line.push(best);
            if !seen.insert(self.game.canonical(&here)) {
                break;
            }
        }
        Ok(line)
    }
}

/// All positions below `position` if they are few, or a search if it reaches so far; where the game has no search that
/// does, all positions as far as `memory` allows.
fn without_table<'a, G: Solvable>(
    game: &G,
    position: &G::Position,
    memory: u64,
    progress: &'a dyn Progress,
) -> Result<Source<'a, G>, SolveError> {
    let all = |memory| game.solve_below(position, memory, progress).map(Source::Solved);
    // How far a search reaches does not depend on what it remembers.
    match game.searcher(0).map(|search| search.reach(position)) {
        None => all(memory),
        Some(Err(why)) => all(memory).map_err(|error| match error {
            SolveError::TooLarge(problem) => {
                SolveError::TooLarge(format!("{problem} ({why}; solve finds the value alone)"))
            }
            other => other,
        }),
        Some(Ok(())) => match all(memory.min(LITTLE)) {
            Err(SolveError::TooLarge(problem)) => {
                let search = game.searcher(memory).ok_or(SolveError::TooLarge(problem))?;
                Ok(Source::Search(search, progress))
            }
            few => few,
        },
    }
}
