//! Searches that a time limit or a signal stops.

use std::borrow::Cow;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use serde::{Deserialize, Serialize};
use yomikiri_answer::ValueBound;
use yomikiri_rules::{AnyGame, AnyPosition, AnyValue, Game, Measure, Notation, Presentation, Side};
use yomikiri_search::Bounded;
use yomikiri_table::threads;

use super::solved_position::{microseconds, work};
use crate::error::Failure;
use crate::signals;
use crate::stop::StopReason;

/// Stops a search at its time limit or on a signal.
pub struct SearchTimer {
    /// Set when the search is to stop.
    pub stop: Arc<AtomicBool>,
    limit: Option<Duration>,
    is_late: Arc<AtomicBool>,
}

impl SearchTimer {
    /// Starts the clock, if there is a limit, and installs the signal handlers.
    pub fn begin(limit: Option<Duration>) -> Result<SearchTimer, Failure> {
        let (stop, is_late) = (Arc::<AtomicBool>::default(), Arc::<AtomicBool>::default());
        signals::set_on_stop_then_end(&stop)?;
        if let Some(limit) = limit {
            let (stop, is_late) = (stop.clone(), is_late.clone());
            threads::start("time", move || {
                std::thread::sleep(limit);
                is_late.store(!stop.load(Ordering::Relaxed), Ordering::Relaxed);
                stop.store(true, Ordering::Relaxed);
            })?;
        }
        Ok(SearchTimer { stop, limit, is_late })
    }

    /// Returns the reason why the search was stopped. Call it after a stop.
    pub fn reason(&self) -> StopReason {
        let late = self.limit.filter(|_| self.is_late.load(Ordering::Relaxed));
        late.map_or(StopReason::Signal, StopReason::Time)
    }
}

/// A position whose search was stopped, with the bounds of its value so far.
pub struct BoundedPosition<'a> {
    pub game: &'a AnyGame,
    pub position: AnyPosition,
    pub known: Bounded<AnyValue>,
    pub time: Duration,
    pub reason: StopReason,
}

/// The JSON report of `solve` if the search was stopped before it found the value.
#[derive(Serialize, Deserialize)]
pub struct OpenSearchReport {
    rules: String,
    position: String,
    pub to_move: Side,
    /// The reason why the search was stopped: `time` or `signal`.
    stopped: Cow<'static, str>,
    pub at_least: ValueBound,
    pub at_most: ValueBound,
    /// The number of positions searched.
    pub nodes: u64,
    seconds: f64,
}

/// Returns a sentence with the known bounds of the value for `side`: "The value for Black, who is to move, is at least
/// +8." Returns `None` if there are no bounds.
pub fn bounds_text(side: Side, at_least: Option<&ValueBound>, at_most: Option<&ValueBound>) -> Option<String> {
    let part = |words, bound: Option<&ValueBound>| bound.map(|bound| format!("at {words} {}", bound_text(bound)));
    let parts: Vec<String> = part("least", at_least).into_iter().chain(part("most", at_most)).collect();
    (!parts.is_empty()).then(|| format!("The value for {side}, who is to move, is {}.", parts.join(" and ")))
}

/// Formats a bound: "+8", "a loss in 4 plies".
fn bound_text(bound: &ValueBound) -> String {
    match bound.measure {
        Measure::Score { score: 0 } => "0".into(),
        Measure::Score { score } => format!("{score:+}"),
        Measure::Distance { plies: Some(plies) } => format!("a {} in {plies}", bound.outcome),
        Measure::Distance { plies: None } => format!("a {}", bound.outcome),
    }
}

impl BoundedPosition<'_> {
    pub fn report(&self) -> OpenSearchReport {
        OpenSearchReport {
            rules: self.game.code(),
            position: self.game.position_text(&self.position),
            to_move: self.game.side(&self.position),
            stopped: self.reason.name().into(),
            at_least: ValueBound::of(self.known.at_least),
            at_most: ValueBound::of(self.known.at_most),
            nodes: self.known.nodes,
            seconds: microseconds(self.time),
        }
    }

    /// Formats the board, the bounds, the number of positions searched and the time.
    pub fn text(&self) -> String {
        let BoundedPosition { game, position, known, .. } = self;
        let (board, name, side) = (game.board_text(position), game.position_text(position), game.side(position));
        let [least, most] = [known.at_least, known.at_most].map(ValueBound::of);
        let bounds = bounds_text(side, Some(&least), Some(&most)).unwrap_or_default();
        let took = work(known.nodes, self.time);
        format!("{board}\n{name}\n{bounds}\nnodes      {took}")
    }

    /// Returns the failure that says that the value is still open.
    pub fn failure(&self) -> Failure {
        self.reason.failure(&self.game.code())
    }
}
