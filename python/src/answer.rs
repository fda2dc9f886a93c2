//! The value of a position with the values of all its moves.

use pyo3::prelude::*;
use yomikiri_answer::Answer as Ranked;
use yomikiri_rules::Notation;

use crate::game::{Game, Position};
use crate::value::Value;

/// A legal move, its value for the side that makes it, and the position after it.
#[pyclass(frozen, get_all, module = "yomikiri")]
pub struct Move {
    /// The move in the game's notation.
    text: String,
    /// The value of the move for the side that makes it. The plies of the value include the move itself.
    value: Value,
    /// The position after the move.
    position: Position,
}

/// The value of a position and of every legal move.
#[pyclass(frozen, get_all, module = "yomikiri")]
pub struct Answer {
    /// The value of the position.
    value: Value,
    /// The legal moves, best first. Equally good moves are in the order of the notation. Empty if the game is over.
    moves: Vec<Py<Move>>,
}

impl Answer {
    pub fn of(py: Python<'_>, game: &Game, answer: Ranked) -> PyResult<Answer> {
        let moves = answer.moves.into_iter().map(|mv| {
            let position = Position { game: game.clone(), position: mv.position };
            Py::new(py, Move { text: game.rules.move_text(mv.mv), value: Value::of(mv.value), position })
        });
        Ok(Answer { value: Value::of(answer.value), moves: moves.collect::<PyResult<_>>()? })
    }
}

#[pymethods]
impl Move {
    fn __str__(&self) -> &str {
        &self.text
    }

    fn __repr__(&self) -> String {
        format!("<Move {}: {}>", self.text, self.value.outcome)
    }
}

#[pymethods]
impl Answer {
    fn __repr__(&self) -> String {
        format!("<Answer {}, {} moves>", self.value.outcome, self.moves.len())
    }
}
