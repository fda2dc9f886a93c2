//! How a position goes on: best play by exact values, or a game that a certificate wins.

use serde::Serialize;

use super::answerer::{Answerer, Found};
use super::oracle::{Oracle, Source};
use yomikiri_rules::{Game, Side, Value};
use yomikiri_solve::{Result, Solvable};
use yomikiri_table::Progress;

/// Moves from a position on.
pub struct Line<G: Game> {
    /// Every move with the position after it.
    pub steps: Vec<(G::Move, G::Position)>,
    pub ends: LineEnd,
    /// What tells so. A certificate tells who wins, and moves of the winner; those of the loser are the first there
    /// are.
    pub known_by: Source,
    /// The value of the first position, where that is known.
    pub value: Option<G::Value>,
    /// Who wins; none if nobody does.
    pub winner: Option<Side>,
}

/// Why a line goes no further.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub enum LineEnd {
    /// The game is over.
    Over,
    /// A position has come again.
    Repeats,
    /// No more plies were asked for.
    Cut,
}

/// A line as JSON.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct LineReport {
    pub moves: Vec<String>,
    pub ends: LineEnd,
    pub known_by: Source,
}

impl<G: Game> Line<G> {
    /// The moves and what they rest on.
    pub fn report(&self, game: &G) -> LineReport {
        let moves = self.steps.iter().map(|&(mv, _)| game.move_text(mv)).collect();
        LineReport { moves, ends: self.ends, known_by: self.known_by }
    }

    /// The position after the last move of the line from `start`.
    fn last(&self, start: &G::Position) -> G::Position {
        self.steps.last().map_or(*start, |&(_, after)| after)
    }
}

impl<'a, G: Solvable> Answerer<'a, G> {
    /// How a position that is not over goes on, for `most` plies at most, by what [`Answerer::find`] finds. Where a
    /// certificate lists nothing any more, exact values go on.
    pub fn line(
        &mut self,
        position: &G::Position,
        most: usize,
        memory: u64,
        progress: &'a dyn Progress,
    ) -> Result<Line<G>> {
        let game = self.game();
        let mut line = match self.find(position, memory, progress)? {
            Found::Exact(oracle) => {
                let value = oracle.value(position)?;
                let winner = value.outcome().winner(game.side(position));
                let steps = best_steps(&oracle, position, most)?;
                Line { steps, ends: LineEnd::Cut, known_by: oracle.source(), value: Some(value), winner }
            }
            Found::Certified(certificates) => {
                let winner = certificates.winner(position)?;
                let steps = certificates.line(position, most)?;
                let mut line = Line { steps, ends: LineEnd::Cut, known_by: Source::Certificate, value: None, winner };
                let last = line.last(position);
                if game.terminal_value(&last).is_none() && line.steps.len() < most {
                    let left = most - line.steps.len();
                    line.steps.extend(best_steps(&self.exact(&last, memory, progress)?, &last, left)?);
                }
                line
            }
            Found::Excerpted(excerpt) => {
                let value = excerpt.value(position)?;
                let winner = value.and_then(|value| value.outcome().winner(game.side(position)));
                let steps = excerpt.line(position, most)?;
                Line { steps, ends: LineEnd::Cut, known_by: Source::Excerpt, value, winner }
            }
        };
        line.ends = match game.terminal_value(&line.last(position)) {
            Some(_) => LineEnd::Over,
            None if line.steps.len() >= most => LineEnd::Cut,
            None => LineEnd::Repeats,
        };
        Ok(line)
    }
}

fn best_steps<G: Solvable>(
    oracle: &Oracle<G>,
    position: &G::Position,
    most: usize,
) -> Result<Vec<(G::Move, G::Position)>> {
    Ok(oracle.line(position, most)?.into_iter().map(|step| (step.mv, step.position)).collect())
}
