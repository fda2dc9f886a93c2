//! Makes the reports of positions and their moves.

use super::answerer::{Answerer, FoundSource};
use super::json::{LegalMove, LegalMoves, MoveReport, QueryReport, ValueBound, ValueReport};
use super::key_text::KeyText;
use super::oracle::{Answer, JudgedMove, Source, Trust};
use crate::view::Viewed;
use yomikiri_rules::{AnyGame, AnyPosition, AnyValue, Game, Measure, Notation, Outcome, Side, Value};
use yomikiri_solve::Result;
use yomikiri_table::Progress;

impl QueryReport {
    /// Reports everything that is known about a position and its moves, from the source that [`Answerer::find`]
    /// chooses. The value of a terminal position comes from the rules. The field `points` is left `None`;
    /// [`Points::of`](super::Points::of) looks it up.
    pub fn ask<'a>(
        answerer: &mut Answerer<'a>,
        position: &AnyPosition,
        memory: u64,
        progress: &'a dyn Progress,
    ) -> Result<QueryReport> {
        let game = answerer.game();
        if let Some(value) = game.terminal_value(position) {
            return Ok(QueryReport::exact(game, position, &Answer::over(value), None));
        }
        let found = answerer.find(position, memory, progress)?;
        QueryReport::of(answerer, position, &found, true, progress)
    }

    /// Makes the report of a nonterminal position from the source of its value. If `moves` is false, the report has no
    /// moves, because the value of each move could need its own search.
    pub fn of<'a>(
        answerer: &mut Answerer<'a>,
        position: &AnyPosition,
        found: &FoundSource<'a>,
        moves: bool,
        progress: &'a dyn Progress,
    ) -> Result<QueryReport> {
        let game = answerer.game();
        Ok(match found {
            FoundSource::Exact(oracle) => {
                let without = || oracle.value(position).map(|value| Answer::of(value, Vec::new()));
                let answer = if moves { oracle.answer(position) } else { without() };
                QueryReport::exact(game, position, &answer?, Some(oracle.source()))
            }
            FoundSource::Certified(certificates) => {
                let (winner, source) = (certificates.winner(position)?, certificates.source(position)?);
                let moves = if moves { answerer.judge(position, progress)? } else { Vec::new() };
                QueryReport::certified(game, position, winner, source, &moves)
            }
            FoundSource::Excerpted(excerpt) => {
                let value = excerpt.value(position)?.expect("it was found");
                let moves = if moves { excerpt.judge(position)? } else { Vec::new() };
                QueryReport::excerpted(game, position, value, &moves)
            }
        })
    }

    /// Makes a report of exact values. `source` is `None` if the rules give the value because the game is over.
    pub fn exact(game: &AnyGame, position: &AnyPosition, answer: &Answer, source: Option<Source>) -> QueryReport {
        let moves = answer.moves.iter().map(|mv| MoveReport {
            mv: game.move_text(mv.mv),
            outcome: Some(mv.value.outcome()),
            measure: mv.value.measure(),
            position: game.text_with_side(&mv.position),
            key: KeyText::of(game, &mv.position),
        });
        let value = Some(answer.value);
        QueryReport {
            source,
            moves: moves.collect(),
            ..QueryReport::judged(game, position, Some(answer.value.outcome()), value, &[])
        }
    }

    /// Makes a report from certificates or an opening, which give the winner but not the distance.
    pub fn certified(
        game: &AnyGame,
        position: &AnyPosition,
        winner: Option<Side>,
        (source, trust): (Source, Trust),
        moves: &[JudgedMove],
    ) -> QueryReport {
        // If all moves have exact values, the best one is the value of the position.
        let best =
            moves.iter().map(|mv| mv.value).collect::<Option<Vec<_>>>().and_then(|values| values.into_iter().max());
        let outcome = Outcome::of_winner(winner, game.side(position));
        QueryReport {
            source: Some(source),
            certificate: Some(trust),
            ..QueryReport::judged(game, position, Some(outcome), best, moves)
        }
    }

    /// Makes a report from an excerpt, which has exact values of the position and of some of its moves.
    fn excerpted(game: &AnyGame, position: &AnyPosition, value: AnyValue, moves: &[JudgedMove]) -> QueryReport {
        let report = QueryReport::judged(game, position, Some(value.outcome()), Some(value), moves);
        QueryReport { source: Some(Source::Excerpt), ..report }
    }

    /// Returns true if the report has neither plies nor a score: the value is not known, or it is a draw in a game with
    /// distances as values.
    pub fn is_distance_open(&self) -> bool {
        self.measure == Measure::Distance { plies: None }
    }

    /// Makes a report from an outcome, a value and moves, as far as they are known. The caller fills in the source.
    pub(super) fn judged(
        game: &AnyGame,
        position: &AnyPosition,
        outcome: Option<Outcome>,
        value: Option<AnyValue>,
        moves: &[JudgedMove],
    ) -> QueryReport {
        let to_move = game.side(position);
        QueryReport {
            rules: game.code(),
            position: game.text_with_side(position),
            key: KeyText::of(game, position),
            to_move,
            outcome,
            measure: measure_of(value),
            winner: outcome.and_then(|outcome| outcome.winner(to_move)),
            source: None,
            points: None,
            certificate: None,
            at_least: None,
            at_most: None,
            moves: moves.iter().map(|mv| MoveReport::judged(game, mv)).collect(),
        }
    }
}

impl ValueReport {
    /// Takes the value from a report with moves, and drops the moves.
    pub fn of(report: QueryReport) -> ValueReport {
        let QueryReport { key, outcome, measure, certificate, .. } = report;
        ValueReport { key, outcome, measure, certificate }
    }

    /// Makes the report of an exact value.
    pub fn exact(game: &AnyGame, position: &AnyPosition, value: AnyValue) -> ValueReport {
        let (key, outcome) = (KeyText::of(game, position), Some(value.outcome()));
        ValueReport { key, outcome, measure: value.measure(), certificate: None }
    }
}

impl ValueBound {
    /// Makes the report of a bound.
    pub fn of(bound: AnyValue) -> ValueBound {
        ValueBound { outcome: bound.outcome(), measure: bound.measure() }
    }
}

impl MoveReport {
    /// Makes the report of a move whose outcome and value may be unknown.
    pub(super) fn judged(game: &AnyGame, mv: &JudgedMove) -> MoveReport {
        MoveReport {
            mv: game.move_text(mv.mv),
            outcome: mv.outcome,
            measure: measure_of(mv.value),
            position: game.text_with_side(&mv.position),
            key: KeyText::of(game, &mv.position),
        }
    }
}

/// Returns the distance or the score of a value. If the value is not known, returns a distance without plies.
fn measure_of<V: Value>(value: Option<V>) -> Measure {
    value.map_or(Measure::Distance { plies: None }, Value::measure)
}

impl LegalMoves {
    /// Returns all legal moves, or none if the game is over.
    pub fn of(game: &AnyGame, position: &AnyPosition) -> LegalMoves {
        let moves = game.legal_moves(position);
        let legal = |mv| {
            let after = game.play(position, mv);
            let (position, key) = (game.text_with_side(&after), KeyText::of(game, &after));
            LegalMove { mv: game.move_text(mv), position, key }
        };
        LegalMoves { moves: moves.into_iter().map(legal).collect() }
    }
}
