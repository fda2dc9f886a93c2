//! Values of games as scores.

use yomikiri_rules::{Distance, Outcome, Score, Value};

/// A value that alpha-beta search can represent as an integer score and negate. The score of a value can depend on the
/// ply of the position ([`yomikiri_rules::Game::ply`]). The position after a best move can thus have the same score
/// with the opposite sign, although the end is one ply nearer.
pub trait Scored: Value {
    /// The greatest score.
    const MAX: i32;

    /// Returns the score of this value in a position of ply `ply`.
    fn to_score(self, ply: u32) -> i32;

    /// Returns the value whose score in a position of ply `ply` is `score`: the inverse of [`Scored::to_score`].
    fn from_score(score: i32, ply: u32) -> Self;

    /// Narrows the interval from `lower` to `upper`, both inclusive, to the scores that a nonterminal position can
    /// have. The position is at ply `_ply`, and the game ends after at most `_plies_left` more plies.
    fn narrow(lower: i32, upper: i32, _ply: u32, _plies_left: u32) -> [i32; 2] {
        [lower, upper]
    }

    /// Returns the `alpha` of the next null window, given that the score is between `lower` and `upper`, inclusive. The
    /// parameter `alpha` is a suggestion.
    fn window(_lower: i32, _upper: i32, alpha: i32) -> i32 {
        alpha
    }

    /// Returns a score in words, for progress messages.
    fn score_text(score: i32, ply: u32) -> String;

    /// Returns the question of a null-window search above `alpha`, in words, for progress messages.
    fn question(alpha: i32, ply: u32) -> String;
}

impl Scored for Score {
    const MAX: i32 = Score::MAX as i32;

    fn to_score(self, _: u32) -> i32 {
        self.points().into()
    }

    fn from_score(score: i32, _: u32) -> Score {
        Score::new(score)
    }

    fn score_text(score: i32, _: u32) -> String {
        format!("{score:+}")
    }

    fn question(alpha: i32, _: u32) -> String {
        format!("score above {alpha:+}")
    }
}

/// A ply later than the end of every game whose values are distances.
const END: i32 = 256;

/// A win scores 256 minus the ply at which the game ends, so that earlier wins score more. A loss scores the same,
/// negated, and a draw scores 0. Every move must lead to the next ply.
impl Scored for Distance {
    const MAX: i32 = END;

    fn to_score(self, ply: u32) -> i32 {
        let left = |plies: u16| END - (ply as i32 + i32::from(plies));
        match self {
            Distance::Win(plies) => left(plies.0),
            Distance::Draw => 0,
            Distance::Loss(plies) => -left(plies.0),
        }
    }

    fn from_score(score: i32, ply: u32) -> Distance {
        let plies = || (END - score.abs() - ply as i32) as u16;
        match score {
            1.. => Distance::new(Outcome::Win, plies()),
            0 => Distance::Draw,
            ..0 => Distance::new(Outcome::Loss, plies()),
        }
    }

    /// The soonest win ends the game at the next ply, and the latest win at the last possible ply. No score lies
    /// between a draw and the latest win or loss.
    fn narrow(lower: i32, upper: i32, ply: u32, plies_left: u32) -> [i32; 2] {
        let [soonest, latest] = [1, plies_left as i32].map(|plies| END - ply as i32 - plies);
        let at_least = |lower: i32| match lower {
            1.. => lower.max(latest),
            _ if lower > -latest => 0,
            _ => lower.max(-soonest),
        };
        [at_least(lower), -at_least(-upper)]
    }

    /// Asks for the outcome first, then halves the interval.
    fn window(lower: i32, upper: i32, alpha: i32) -> i32 {
        match (lower, upper) {
            (..0, 1..) => alpha.clamp(-1, 0),
            (0, 1..) => 0,
            (..0, 0) => -1,
            _ => lower + (upper - lower) / 2,
        }
    }

    fn score_text(score: i32, ply: u32) -> String {
        match Distance::from_score(score, ply) {
            Distance::Win(plies) => format!("a win in {plies}"),
            Distance::Draw => "a draw".into(),
            Distance::Loss(plies) => format!("a loss in {plies}"),
        }
    }

    fn question(alpha: i32, ply: u32) -> String {
        match alpha {
            0 => "a win".into(),
            -1 => "at least a draw".into(),
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
        assert!(values.iter().zip(&scores).all(|(&value, &score)| Distance::from_score(score, 7) == value));
        for value in values {
            assert_eq!(value.of_move().to_score(6), -value.to_score(7));
        }
    }

    /// Narrows the scores of a position five plies before the end of a game of 42 plies.
    #[test]
    fn only_possible_plies_are_asked_about() {
        let possible = |lower, upper| Distance::narrow(lower, upper, 37, 5);
        let [soonest, latest] = [1, 5].map(|plies| Distance::Win(Plies(plies)).to_score(37));
        assert_eq!(possible(-END, END), [-soonest, soonest]);
        assert_eq!([possible(1, END), possible(-END, -1)], [[latest, soonest], [-soonest, -latest]]);
        assert_eq!([possible(0, END), possible(-END, 0)], [[0, soonest], [-soonest, 0]]);
        assert_eq!([possible(1 - latest, END), possible(-END, latest - 1)], [[0, soonest], [-soonest, 0]]);
        assert_eq!(possible(latest + 1, latest + 2), [latest + 1, latest + 2]);
        assert_eq!(Score::narrow(-3, 9, 37, 5), [-3, 9]);
    }

    #[test]
    fn outcomes_are_asked_for_first() {
        let window = Distance::window;
        assert_eq!([-90, -1, 0, 90].map(|alpha| window(-100, 100, alpha)), [-1, -1, 0, 0]);
        assert_eq!([window(0, 100, 60), window(-100, 0, -60)], [0, -1]);
        assert_eq!([window(20, 100, 21), window(-100, -20, -21), window(5, 6, 5)], [60, -60, 5]);
    }
}
