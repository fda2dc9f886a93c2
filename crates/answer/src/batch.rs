//! Answers many questions at once. The positions may come in any order, but they are looked up in key order, so that
//! each block of a table is opened once.

use std::ops::Range;

use serde::Serialize;

use super::answerer::Answerer;
use super::json::{QueryReport, ValueReport};
use super::oracle::{Answer, RankedMove, Source};
use super::proof::{ProofObserver, ProofQuestion};
use yomikiri_rules::{AnyGame, AnyMove, AnyPosition, AnyValue, Game, Notation, Value};
use yomikiri_solve::lookup::values_of;
use yomikiri_solve::{Resident, Result, SolveError};
use yomikiri_table::{Progress, Table, parallel};

/// Settings of [`answer_lines`].
#[derive(Clone, Copy, Debug)]
pub struct BatchSettings {
    /// Memory in bytes for the subgame or search of a position that no table has.
    pub memory: u64,
    /// The parts of each answer. An answer is a [`QueryReport`] if it has moves, otherwise a [`ValueReport`].
    pub question: ProofQuestion,
}

/// The minimum number of positions that one thread takes at a time.
const SHARE: usize = 16;

/// The answer to a line that is not a position or cannot be answered.
#[derive(Debug, Serialize)]
struct Refusal<'a> {
    error: &'a str,
}

/// Answers `lines`. A line is a position or the text of a key; a line that could not be read is an `Err`. Calls `tell`
/// with each answer, in the order of the lines, as JSON without a line break. A line that cannot be answered gets
/// `{"error":"..."}`. Positions that the table of the whole game does not have are answered one by one
/// ([`QueryReport::prove`]). A damaged file is an error.
pub fn answer_lines<'a>(
    answerer: &mut Answerer<'a>,
    lines: &[Result<String, String>],
    batch: BatchSettings,
    progress: &'a dyn Progress,
    watch: &mut dyn ProofObserver,
    tell: &mut dyn FnMut(&str),
) -> Result<()> {
    answerer.expect_many();
    let game = answerer.game();
    let table = if game.has_keys() { answerer.whole_table()? } else { None };
    let read = |line: &Result<String, String>| {
        let line = line.as_ref().map_err(|wrong| refusal(wrong))?;
        game.parse_position(line.trim()).map_err(|error| refusal(&error.to_string()))
    };
    let read_some = |range: Range<usize>| lines[range].iter().map(read).collect();
    let positions: Vec<Result<AnyPosition, String>> = parallel::flat_map(lines.len(), SHARE, read_some);
    let told = match table.as_ref().and_then(|oracle| Some((oracle.table()?, oracle.resident()))) {
        Some((table, resident)) => tell_by_table(game, table, resident, &positions, batch.question.moves)?,
        None => vec![None; positions.len()],
    };
    for (position, told) in positions.into_iter().zip(told) {
        match (told, position) {
            (Some(told), _) | (None, Err(told)) => tell(&told),
            (None, Ok(position)) => match ask(answerer, &position, batch, progress, watch) {
                Ok(told) => tell(&told),
                Err(error @ SolveError::Table(_)) => return Err(error),
                Err(error) => tell(&refusal(&error.to_string())),
            },
        }
    }
    Ok(())
}

/// Returns the answer for one position as JSON.
fn ask<'a>(
    answerer: &mut Answerer<'a>,
    position: &AnyPosition,
    batch: BatchSettings,
    progress: &'a dyn Progress,
    watch: &mut dyn ProofObserver,
) -> Result<String> {
    let BatchSettings { memory, question } = batch;
    let report = QueryReport::prove(answerer, position, memory, question, progress, watch)?;
    Ok(if question.moves { json(&report) } else { json(&ValueReport::of(report)) })
}

fn json(report: &impl Serialize) -> String {
    serde_json::to_string(report).expect("reports are plain data")
}

fn refusal(error: &str) -> String {
    json(&Refusal { error })
}

/// A position to look up together with the positions after its moves.
struct PositionLookup<'a> {
    position: AnyPosition,
    /// Each legal move with the position after it. Empty if the answer has no moves.
    moves: Vec<(AnyMove, AnyPosition)>,
    /// The value of the position, then the values of the positions after its moves. A value is `None` if the table does
    /// not have the position. Empty until the look-up.
    values: &'a [Option<AnyValue>],
}

/// Returns the answer for each position as JSON, in the same order, from a table of the whole game. An answer is `None`
/// if the table does not have the position, or if the element of `positions` is an `Err`.
fn tell_by_table(
    game: &AnyGame,
    table: &Table,
    resident: Option<&Resident>,
    positions: &[Result<AnyPosition, String>],
    moves: bool,
) -> Result<Vec<Option<String>>> {
    let expand = |position: &Result<AnyPosition, String>| {
        let position = *position.as_ref().ok()?;
        let legal = if moves { game.legal_moves(&position) } else { Vec::new() };
        let moves = legal.into_iter().map(|mv| (mv, game.play(&position, mv))).collect();
        Some(PositionLookup { position, moves, values: &[] })
    };
    let expand_some = |range: Range<usize>| positions[range].iter().map(expand).collect();
    let mut asked: Vec<Option<PositionLookup>> = parallel::flat_map(positions.len(), SHARE, expand_some);
    // The list has each position, then the positions after its moves.
    let values =
        values_of(game, table, resident, &asked.iter().flatten().flat_map(PositionLookup::all).collect::<Vec<_>>())?;
    let mut rest = &values[..];
    for asked in asked.iter_mut().flatten() {
        (asked.values, rest) = rest.split_at(1 + asked.moves.len());
    }
    let tell = |asked: &Option<PositionLookup>| match asked {
        Some(asked) if asked.values[0].is_some() => asked.tell(game, table, moves).map(Some),
        // The caller answers positions that are not in the table one by one.
        _ => Ok(None),
    };
    parallel::try_flat_map(asked.len(), SHARE, |range| asked[range].iter().map(tell).collect())
}

impl PositionLookup<'_> {
    fn all(&self) -> impl Iterator<Item = &AnyPosition> {
        std::iter::once(&self.position).chain(self.moves.iter().map(|(_, position)| position))
    }

    /// Returns the answer as JSON. `values` must have been looked up.
    fn tell(&self, game: &AnyGame, table: &Table, moves: bool) -> Result<String> {
        let found = |position: &AnyPosition, value: Option<AnyValue>| {
            let missing = || table.damaged(format!("has no value for {}", game.position_text(position)));
            value.ok_or_else(|| SolveError::from(missing()))
        };
        let value = found(&self.position, self.values[0])?;
        if !moves {
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
