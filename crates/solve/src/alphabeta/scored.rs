//! Values of games as scores.

use yomikiri_rules::{Distance, Outcome, Score, Value};

/// A value as a number that alpha-beta search can negate from one side to the other. A score belongs to the ply of
/// its position ([`yomikiri_rules::Game::ply`]); along best play it changes its sign with the side and nothing
/// else.
pub trait Scored: Value {
    /// No score is greater.
    const MOST: i32;

    fn to_score(self, ply: u32) -> i32;

    fn of_score(score: i32, ply: u32) -> Self;

    /// What to ask about first while a score is known to be from `lower` to `upper`, if `alpha` is what closes in best.
    fn window(_lower: i32, _upper: i32, alpha: i32) -> i32 {
        alpha
    }

    /// A score for people: what a search with a null window asks about and answers.
    fn score_text(score: i32, ply: u32) -> String;

    /// The question of a search with the null window above `alpha`, for people.
    fn question(alpha: i32, ply: u32) -> String;
}

impl Scored for Score {
    const MOST: i32 = Score::MOST as i32;

    fn to_score(self, _: u32) -> i32 {
        self.points().into()
    }

    fn of_score(score: i32, _: u32) -> Score {
        Score::new(score)
    }

    fn score_text(score: i32, _: u32) -> String {
        format!("{score:+}")
    }

    fn question(alpha: i32, _: u32) -> String {
        format!("score above {alpha:+}")
    }
}

/// More plies than any game with distances takes.
const END: i32 = 256;

/// A win is worth the more, the earlier its ply; a draw is worth 0. Every move must lead to the next ply.
impl Scored for Distance {
    const MOST: i32 = END;

    fn to_score(self, ply: u32) -> i32 {
        let left = |plies: u16| END - (ply as i32 + i32::from(plies));
        match self {
            Distance::Win(plies) => left(plies.0),
            Distance::Draw => 0,
            Distance::Loss(plies) => -left(plies.0),
        }
    }

    fn of_score(score: i32, ply: u32) -> Distance {
        let plies = || (END - score.abs() - ply as i32) as u16;
        match score {
            1.. => Distance::new(Outcome::Win, plies()),
            0 => Distance::Draw,
            ..0 => Distance::new(Outcome::Loss, plies()),
        }
    }

    /// The outcome first, then halves of the interval.
    fn window(lower: i32, upper: i32, alpha: i32) -> i32 {
        match (lower, upper) {
            (..0, 1..) => alpha.clamp(-1, 0),
            (0, 1..) => 0,
            (..0, 0) => -1,
            _ => lower + (upper - lower) / 2,
        }
    }

    fn score_text(score: i32, ply: u32) -> String {
        match Distance::of_score(score, ply) {
            Distance::Win(plies) => format!("a win in {plies}"),
            Distance::Draw => "a draw".into(),
            Distance::Loss(plies) => format!("a loss in {plies}"),
        }
    }

    fn question(alpha: i32, ply: u32) -> String {
        match alpha {
            0 => "a win".into(),
            -1 => "a draw at least".into(),
            _ => format!("better than {}", Distance::score_text(alpha, ply)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use yomikiri_rules::Plies;

    #[test]
    fn scores_order_values_and_lead_back() {
        let values: Vec<Distance> = (0..60)
            .map(|plies| Distance::Loss(Plies(plies)))
            .chain([Distance::Draw])
            .chain((0..60).rev().map(|plies| Distance::Win(Plies(plies))))
            .collect();
        let scores: Vec<i32> = values.iter().map(|value| value.to_score(7)).collect();
        assert!(scores.is_sorted_by(|a, b| a < b), "{scores:?}");
        assert!(values.iter().zip(&scores).all(|(&value, &score)| Distance::of_score(score, 7) == value));
        for value in values {
            assert_eq!(value.of_move().to_score(6), -value.to_score(7));
        }
    }

    #[test]
    fn outcomes_are_asked_for_first() {
        let window = Distance::window;
        assert_eq!([-90, -1, 0, 90].map(|alpha| window(-100, 100, alpha)), [-1, -1, 0, 0]);
        assert_eq!([window(0, 100, 60), window(-100, 0, -60)], [0, -1]);
        assert_eq!([window(20, 100, 21), window(-100, -20, -21), window(5, 6, 5)], [60, -60, 5]);
    }
}
