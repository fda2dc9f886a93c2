//! Table bytes as numbers in columns.

use yomikiri_rules::{Game as Rules, Measure, Outcome, Plies, Value, with_game};

use crate::game::Game;

/// What stands for an outcome or a score that is not known.
pub const UNKNOWN: i8 = -128;

/// What stands for the plies of a draw, or for plies that are not known.
pub const NO_PLIES: i16 = -1;

/// What each table byte means; 0, and what no value has, is not known.
pub struct Meanings {
    /// 1 win, 0 draw, -1 loss.
    pub outcomes: [i8; 256],
    pub measures: Measures,
}

/// The measure of the values of a game.
pub enum Measures {
    Plies(Box<[i16; 256]>),
    Scores(Box<[i8; 256]>),
}

impl Meanings {
    /// Of the values of a game.
    pub fn of(game: &Game) -> Meanings {
        fn of<G: Rules>(_: &G) -> Meanings {
            Meanings::of_values::<G::Value>()
        }
        with_game!(&*game.rules, game => of(game))
    }

    fn of_values<V: Value>() -> Meanings {
        let values: [Option<V>; 256] = std::array::from_fn(|byte| V::from_byte(byte as u8));
        let outcome = |value: V| match value.outcome() {
            Outcome::Win => 1,
            Outcome::Draw => 0,
            Outcome::Loss => -1,
        };
        let plies = |value: V| value.plies().map_or(NO_PLIES, |Plies(plies)| plies as i16);
        let score = |value: V| match value.measure() {
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

/// A number for each byte.
pub fn column<T: Copy>(bytes: &[u8], meanings: &[T; 256]) -> Vec<T> {
    bytes.iter().map(|&byte| meanings[usize::from(byte)]).collect()
}
