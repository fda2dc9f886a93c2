//! Many questions at once: positions in any order, looked up in the order of their keys, so that each block of a table
//! is opened once.

use rayon::prelude::*;
use serde::Serialize;

use super::answerer::Answerer;
use super::json::{QueryReport, ValueReport};
use super::oracle::{Answer, RankedMove, Source};
use yomikiri_rules::{Game, Value};
use yomikiri_solve::lookup::values_of;
use yomikiri_solve::{Resident, Result, Solvable, SolveError};
use yomikiri_table::{Progress, Table};

/// How much is told of each position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Detail {
    /// Key and value: [`ValueReport`].
    Value,
    /// All moves as well: [`QueryReport`].
    Moves,
}

/// The answer to a line that is no position, or of which nothing is known.
#[derive(Debug, Serialize)]
struct Refusal<'a> {
    error: &'a str,
}

/// Answers lines, each a position or the text of a key, or what is wrong with it, in their order, as JSON without a
/// line break. Lines that cannot be answered have `{"error":"..."}`. What the table of the whole game does not have is
/// asked for one by one, as [`QueryReport::ask`] does. A damaged file is an error.
pub fn answer_lines<'a, G: Solvable>(
    answerer: &mut Answerer<'a, G>,
    lines: &[Result<String, String>],
    detail: Detail,
    memory: u64,
    progress: &'a dyn Progress,
) -> Result<Vec<String>> {
    answerer.expect_many();
    let game = answerer.game();
    let table = if game.has_keys() { answerer.whole_table()? } else { None };
    let read = |line: &Result<String, String>| {
        let line = line.as_ref().map_err(|wrong| refusal(wrong))?;
        game.parse_position(line.trim()).map_err(|error| refusal(&error.to_string()))
    };
    let positions: Vec<Result<G::Position, String>> = lines.par_iter().map(read).collect();
    let mut told = match table.as_ref().and_then(|oracle| Some((oracle.table()?, oracle.resident()))) {
        Some((table, resident)) => tell_by_table(game, table, resident, &positions, detail)?,
        None => vec![None; positions.len()],
    };
    for (position, told) in positions.into_iter().zip(&mut told).filter(|(_, told)| told.is_none()) {
        *told = Some(match position {
            Err(refused) => refused,
            Ok(position) => match ask(answerer, &position, detail, memory, progress) {
                Ok(told) => told,
                Err(error @ SolveError::Table(_)) => return Err(error),
                Err(error) => refusal(&error.to_string()),
            },
        });
    }
    Ok(told.into_iter().flatten().collect())
}

/// The JSON about one position.
fn ask<'a, G: Solvable>(
    answerer: &mut Answerer<'a, G>,
    position: &G::Position,
    detail: Detail,
    memory: u64,
    progress: &'a dyn Progress,
) -> Result<String> {
    Ok(match detail {
        Detail::Value => json(&ValueReport::ask(answerer, position, memory, progress)?),
        Detail::Moves => json(&QueryReport::ask(answerer, position, memory, progress)?),
    })
}

fn json(report: &impl Serialize) -> String {
    serde_json::to_string(report).expect("reports are plain data")
}

fn refusal(error: &str) -> String {
    json(&Refusal { error })
}

/// What has to be known of a position: its own value and those of the positions after its moves.
struct Asked<'a, G: Game> {
    position: G::Position,
    /// Moves with the positions after them.
    moves: Vec<(G::Move, G::Position)>,
    /// The values, once they are known: its own, then those after the moves.
    values: &'a [Option<G::Value>],
}

/// What a table of the whole game tells of each position; `None` of those that it does not have.
fn tell_by_table<G: Solvable>(
    game: &G,
    table: &Table,
    resident: Option<&Resident>,
    positions: &[Result<G::Position, String>],
    detail: Detail,
) -> Result<Vec<Option<String>>> {
    let expand = |position: &Result<G::Position, String>| {
        let position = *position.as_ref().ok()?;
        let legal = if detail == Detail::Moves { game.legal_moves(&position) } else { Vec::new() };
        let moves = legal.into_iter().map(|mv| (mv, game.play(&position, mv))).collect();
        Some(Asked { position, moves, values: &[] })
    };
    let mut asked: Vec<Option<Asked<G>>> = positions.par_iter().map(expand).collect();
    // A position and those after its moves, one after the other.
    let values = values_of(game, table, resident, &asked.iter().flatten().flat_map(Asked::all).collect::<Vec<_>>())?;
    let mut rest = &values[..];
    for asked in asked.iter_mut().flatten() {
        (asked.values, rest) = rest.split_at(1 + asked.moves.len());
    }
    let tell = |asked: &Option<Asked<G>>| match asked {
        Some(asked) if asked.values[0].is_some() => asked.tell(game, table, detail).map(Some),
        // Not in the table, and so are all that come after it.
        _ => Ok(None),
    };
    asked.par_iter().map(tell).collect()
}

impl<G: Solvable> Asked<'_, G> {
    fn all(&self) -> impl Iterator<Item = &G::Position> {
        std::iter::once(&self.position).chain(self.moves.iter().map(|(_, position)| position))
    }

    /// The JSON by the values.
    fn tell(&self, game: &G, table: &Table, detail: Detail) -> Result<String> {
        let found = |position: &G::Position, value: Option<G::Value>| {
            let missing = || table.damaged(format!("has no value for {}", game.position_text(position)));
            value.ok_or_else(|| SolveError::from(missing()))
        };
        let value = found(&self.position, self.values[0])?;
        if detail == Detail::Value {
            return Ok(json(&ValueReport::exact(game, &self.position, value)));
        }
        let moves = self.moves.iter().zip(&self.values[1..]).map(|(&(mv, position), &value)| {
            Ok(RankedMove { mv, value: found(&position, value)?.of_move(), position })
        });
        let answer = Answer::of(value, moves.collect::<Result<_>>()?);
        let source = game.terminal_value(&self.position).is_none().then_some(Source::Table);
        Ok(json(&QueryReport::exact(game, &self.position, &answer, source)))
    }
}
