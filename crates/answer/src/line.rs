//! Continuations of a position: best play by exact values, or winning play by a certificate or an opening.

use serde::{Deserialize, Serialize};

use super::answerer::{Answerer, FoundSource};
use super::oracle::{Oracle, Source, Trust};
use yomikiri_rules::{AnyGame, AnyMove, AnyPosition, AnyValue, Game, Notation, Side, Value};
use yomikiri_solve::{Result, SolveError};
use yomikiri_table::Progress;

/// A line of moves from a position, and its source.
pub struct MoveLine {
    /// Each move with the position after it.
    pub steps: Vec<(AnyMove, AnyPosition)>,
    /// The reason why the line ends.
    pub ends: LineEnd,
    /// The source of the moves. A certificate or an opening gives only the winner's moves; the loser then makes its
    /// first legal move each time.
    pub known_by: Source,
    /// The state of that certificate or opening; `None` for other sources.
    pub trust: Option<Trust>,
    /// The value of the position before the first move, for the side to move there; `None` if it is not known.
    pub value: Option<AnyValue>,
    /// The winner; `None` in a draw.
    pub winner: Option<Side>,
}

/// The reason why a line ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub enum LineEnd {
    /// The game is over.
    Over,
    /// A position repeats.
    Repeats,
    /// The line has reached the requested number of plies.
    Cut,
    /// The certificate or opening says no more, and the rest of the game is too large to solve.
    Open,
}

/// A line of moves, as JSON.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct LineReport {
    /// The moves, in the game's notation.
    pub moves: Vec<String>,
    /// The reason why the line ends.
    pub ends: LineEnd,
    /// The source of the moves. With `certificate` or `opening`, the loser makes its first legal move each time.
    pub known_by: Source,
    /// The state of that certificate or opening; absent for other sources.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub certificate: Option<Trust>,
}

impl MoveLine {
    /// Makes the report of the line.
    pub fn report(&self, game: &AnyGame) -> LineReport {
        let moves = self.steps.iter().map(|&(mv, _)| game.move_text(mv)).collect();
        LineReport { moves, ends: self.ends, known_by: self.known_by, certificate: self.trust }
    }

    /// Returns the last position of the line, or `start` if it has no moves.
    fn last(&self, start: &AnyPosition) -> AnyPosition {
        self.steps.last().map_or(*start, |&(_, after)| after)
    }
}

impl<'a> Answerer<'a> {
    /// Returns a line of at most `most` plies from a nonterminal position, by the source that [`Answerer::find`]
    /// chooses. After the last move that a certificate or an opening knows, the line continues by exact values.
    pub fn line(
        &mut self,
        position: &AnyPosition,
        most: usize,
        memory: u64,
        progress: &'a dyn Progress,
    ) -> Result<MoveLine> {
        let game = self.game();
        let mut line = match self.find(position, memory, progress)? {
            FoundSource::Exact(oracle) => {
                let value = oracle.value(position)?;
                let winner = value.outcome().winner(game.side(position));
                let steps = best_steps(&oracle, position, most)?;
                MoveLine {
                    steps,
                    ends: LineEnd::Cut,
                    known_by: oracle.source(),
                    trust: None,
                    value: Some(value),
                    winner,
                }
            }
            FoundSource::Certified(certificates) => {
                let winner = certificates.winner(position)?;
                let (steps, (known_by, trust)) = (certificates.line(position, most)?, certificates.source(position)?);
                let mut line =
                    MoveLine { steps, ends: LineEnd::Cut, known_by, trust: Some(trust), value: None, winner };
                let last = line.last(position);
                if game.terminal_value(&last).is_none() && line.steps.len() < most {
                    let left = most - line.steps.len();
                    match self.exact(&last, memory, progress) {
                        Ok(oracle) => line.steps.extend(best_steps(&oracle, &last, left)?),
                        Err(SolveError::TooLarge(_)) => return Ok(MoveLine { ends: LineEnd::Open, ..line }),
                        Err(error) => return Err(error),
                    }
                }
                line
            }
            FoundSource::Excerpted(excerpt) => {
                let value = excerpt.value(position)?;
                let winner = value.and_then(|value| value.outcome().winner(game.side(position)));
                let steps = excerpt.line(position, most)?;
                MoveLine { steps, ends: LineEnd::Cut, known_by: Source::Excerpt, trust: None, value, winner }
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

fn best_steps(oracle: &Oracle, position: &AnyPosition, most: usize) -> Result<Vec<(AnyMove, AnyPosition)>> {
    Ok(oracle.line(position, most)?.into_iter().map(|step| (step.mv, step.position)).collect())
}
