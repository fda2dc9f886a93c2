//! Values of positions and moves.

use pyo3::prelude::*;
use yomikiri_rules::{Measure, Outcome, Plies, Value as Valued};

/// The value of a position for the side to move, or of a move for the side that makes it.
#[pyclass(frozen, eq, hash, get_all, module = "yomikiri")]
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Value {
    /// The outcome: ``"win"``, ``"draw"`` or ``"loss"``.
    pub outcome: &'static str,
    /// The plies to the end under best play; ``None`` for draws, in games about points, and if the plies are not known.
    pub plies: Option<u16>,
    /// The points by which the side of this value wins, negative if it loses; ``None`` in games that are not about
    /// points.
    pub score: Option<i8>,
}

impl Value {
    /// Converts a value of any game.
    pub fn of<V: Valued>(value: V) -> Value {
        Value::measured(value.outcome(), value.measure())
    }

    /// Makes a value from an outcome and its measure: the plies to the end, which may be unknown, or the points.
    pub fn measured(outcome: Outcome, measure: Measure) -> Value {
        let (plies, score) = match measure {
            Measure::Distance { plies } => (plies.map(|Plies(plies)| plies), None),
            Measure::Score { score } => (None, Some(score)),
        };
        Value { outcome: outcome.name(), plies, score }
    }
}

#[pymethods]
impl Value {
    fn __repr__(&self) -> String {
        let Value { outcome, plies, score } = self;
        let plies = plies.map_or(String::new(), |plies| format!(", plies={plies}"));
        let score = score.map_or(String::new(), |score| format!(", score={score}"));
        format!("<Value {outcome}{plies}{score}>")
    }
}
