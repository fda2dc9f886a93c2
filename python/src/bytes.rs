//! Converts table bytes, which encode values, to columns of numbers.

use pyo3::PyResult;
use yomikiri_rules::{AnyValue, Game as _, Measure, Outcome, Plies, Value as _};
use yomikiri_table::memory;

use crate::errors;
use crate::game::Game;

/// The number for an unknown outcome or score.
pub const UNKNOWN: i8 = -128;

/// The number for the plies of a draw, and for unknown plies.
pub const NO_PLIES: i16 = -1;

/// The meanings of all table bytes. Byte 0, and any other byte that encodes no value, means unknown.
pub struct Meanings {
    /// The outcome that each byte means: 1 for a win, 0 for a draw, -1 for a loss, else [`UNKNOWN`].
    pub outcomes: [i8; 256],
    pub measures: Measures,
}

/// The plies or scores of all table bytes, according to the measure of the game.
pub enum Measures {
    Plies(Box<[i16; 256]>),
    Scores(Box<[i8; 256]>),
}

impl Meanings {
    /// Returns the meanings for the values of a game.
    pub fn of(game: &Game) -> Meanings {
        let values: [Option<AnyValue>; 256] = std::array::from_fn(|byte| game.rules.value_of_byte(byte as u8));
        let outcome = |value: AnyValue| match value.outcome() {
            Outcome::Win => 1,
            Outcome::Draw => 0,
            Outcome::Loss => -1,
        };
        let plies = |value: AnyValue| value.plies().map_or(NO_PLIES, |Plies(plies)| plies as i16);
        let score = |value: AnyValue| match value.measure() {
            Measure::Score { score } => score,
            Measure::Distance { .. } => UNKNOWN,
        };
        let is_score = values.iter().flatten().any(|value| matches!(value.measure(), Measure::Score { .. }));
        let measures = match is_score {
            true => Measures::Scores(values.map(|value| value.map_or(UNKNOWN, score)).into()),
            false => Measures::Plies(values.map(|value| value.map_or(NO_PLIES, plies)).into()),
        };
        Meanings { outcomes: values.map(|value| value.map_or(UNKNOWN, outcome)), measures }
    }
}

/// Returns the meaning of each of `bytes`, or a `MemoryError` if the system refuses the memory.
pub fn column<T: Copy>(bytes: &[u8], meanings: &[T; 256]) -> PyResult<Vec<T>> {
    let mut numbers = memory::vec_with_capacity(bytes.len()).map_err(errors::solve)?;
    numbers.extend(bytes.iter().map(|&byte| meanings[usize::from(byte)]));
    Ok(numbers)
}
