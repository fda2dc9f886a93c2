//! Searches that are stopped: by the time, or by somebody who has waited long enough.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use serde::Serialize;
use yomikiri_rules::{Game, Measure, Outcome, Side, Value};
use yomikiri_solve::Bounded;
use yomikiri_table::threads;

use super::found::{microseconds, short, work};
use crate::error::Failure;
use crate::signals;
use crate::stop::Stop;

/// Stops a search in time.
pub struct Watch {
    /// Set when the search is to stop.
    pub stop: Arc<AtomicBool>,
    limit: Option<Duration>,
    is_late: Arc<AtomicBool>,
}

impl Watch {
    /// Begins to count the time, if there is a limit, and to listen to signals.
    pub fn begin(limit: Option<Duration>) -> Result<Watch, Failure> {
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
        Ok(Watch { stop, limit, is_late })
    }

    /// Why it has stopped.
    pub fn reason(&self) -> Stop {
        let late = self.limit.filter(|_| self.is_late.load(Ordering::Relaxed));
        late.map_or(Stop::Signal, Stop::Time)
    }
}

/// A position of whose value the bounds are known.
pub struct Stopped<'a, G: Game> {
    pub game: &'a G,
    pub position: G::Position,
    pub known: Bounded<G::Value>,
    pub time: Duration,
    pub reason: Stop,
}

/// A bound of a value, for the side to move.
#[derive(Serialize)]
pub struct Bound {
    outcome: Outcome,
    #[serde(flatten)]
    measure: Measure,
}

/// The object that `solve --json` prints where the value is not known.
#[derive(Serialize)]
pub struct Report {
    rules: String,
    position: String,
    to_move: Side,
    /// `time` or `signal`.
    stopped: &'static str,
    at_least: Bound,
    at_most: Bound,
    /// Positions looked at.
    nodes: u64,
    seconds: f64,
}

impl<G: Game> Stopped<'_, G> {
    pub fn report(&self) -> Report {
        let bound = |value: G::Value| Bound { outcome: value.outcome(), measure: value.measure() };
        Report {
            rules: self.game.code(),
            position: self.game.position_text(&self.position),
            to_move: self.game.side(&self.position),
            stopped: self.reason.name(),
            at_least: bound(self.known.at_least),
            at_most: bound(self.known.at_most),
            nodes: self.known.nodes,
            seconds: microseconds(self.time),
        }
    }

    /// Board, bounds and what they took, in lines.
    pub fn text(&self) -> String {
        let Stopped { game, position, known, .. } = self;
        let (board, name, side) = (game.board_text(position), game.position_text(position), game.side(position));
        let [least, most] = [known.at_least, known.at_most].map(short);
        let took = work(known.nodes, self.time);
        format!("{board}\n{name}\nFor {side}, who is to move: {least} at least, {most} at most.\nnodes      {took}")
    }

    /// The line about it.
    pub fn failure(&self) -> Failure {
        self.reason.failure(&self.game.code())
    }
}
