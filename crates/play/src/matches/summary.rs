//! What a match came to: the JSON contract of `match`, described in docs/match.md.

use serde::{Deserialize, Serialize};

use super::judge::Mistakes;
use super::seat::Fault;

/// All games of a match together.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Summary {
    /// Rule code.
    pub rules: String,
    /// Games that were finished, and games asked for.
    pub games: u32,
    pub asked: u32,
    /// Why there are fewer games than asked for.
    pub stopped: Option<String>,
    pub seed: u64,
    /// Random plies at the beginning of each pair of games.
    pub opening: u32,
    pub max_plies: u32,
    pub a: PlayerSummary,
    pub b: PlayerSummary,
    /// What the side that moves first came to, whoever it was.
    pub black: Results,
    /// Plies of a game, those of the opening included; none without games.
    pub plies: Option<Lengths>,
    /// Games that are not move for move the same as an earlier one.
    pub different_games: u32,
    /// The ways games ended, the most frequent first.
    pub ended: Vec<Ended>,
    /// None in games without scores.
    pub margin: Option<Margins>,
}

/// One of the two players.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PlayerSummary {
    /// Its name with all options.
    pub player: String,
    pub together: Results,
    pub as_black: Results,
    pub as_white: Results,
    /// Moves it chose, and the milliseconds they took.
    pub moves: u32,
    pub mean_ms: Option<f64>,
    pub longest_ms: Option<f64>,
    pub failures: Failures,
    /// None without a table of the rule code.
    pub mistakes: Option<Mistakes>,
}

/// Results and the share of points they make.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Results {
    pub wins: u32,
    pub draws: u32,
    pub losses: u32,
    /// None without games.
    pub share: Option<Share>,
}

impl Results {
    pub fn of([wins, draws, losses]: [u32; 3]) -> Results {
        Results { wins, draws, losses, share: Share::of(wins, draws, losses) }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Lengths {
    pub min: u64,
    pub mean: f64,
    pub max: u64,
}

/// Games that ended in one way.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Ended {
    pub how: String,
    pub games: u32,
    /// Those that Black has won, and those that White has.
    pub black: u32,
    pub white: u32,
}

/// Mean points by which a player and a side have won the games that ended on the board.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Margins {
    pub a: f64,
    pub black: f64,
}

/// Games that a player lost by a fault.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Failures {
    pub time: u32,
    pub illegal_move: u32,
    pub ended: u32,
    pub not_ready: u32,
}

impl Failures {
    pub fn add(&mut self, fault: &Fault) {
        *match fault {
            Fault::Late(_) => &mut self.time,
            Fault::Illegal(_) => &mut self.illegal_move,
            Fault::Ended => &mut self.ended,
            Fault::Unready(_) => &mut self.not_ready,
        } += 1;
    }

    pub(super) fn merge(&mut self, other: Failures) {
        let pairs = [
            (&mut self.time, other.time),
            (&mut self.illegal_move, other.illegal_move),
            (&mut self.ended, other.ended),
            (&mut self.not_ready, other.not_ready),
        ];
        pairs.into_iter().for_each(|(count, more)| *count = count.saturating_add(more));
    }

    pub fn all(self) -> u32 {
        [self.time, self.illegal_move, self.ended, self.not_ready].into_iter().fold(0, u32::saturating_add)
    }
}

/// Standard deviations of the normal distribution between which 95 % of it lie.
const Z: f64 = 1.959_963_984_540_054;

/// A share of points with its confidence interval, all from 0 to 1.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Share {
    /// Points by games: a win is one, a draw half a point.
    pub points: f64,
    /// The 95 % confidence interval.
    pub low: f64,
    pub high: f64,
}

impl Share {
    /// The share of these results; `None` if there are none.
    ///
    /// Without draws this is the score interval of Wilson (Probable inference, the law of succession, and statistical
    /// inference, Journal of the American Statistical Association 22, 1927, pages 209-212; recommended by Brown, Cai
    /// and DasGupta, Interval estimation for a binomial proportion, Statistical Science 16, 2001, pages 101-133):
    ///
    /// `(p + z^2/2n +- z sqrt(v/n + z^2/4n^2)) / (1 + z^2/n)` with `v = p(1 - p)`, the variance of results that are 0
    /// or 1.
    ///
    /// With draws `v` is the variance of the points that were made, `(wins + draws/4)/n - p^2`, as is usual for
    /// results between 0 and 1; it is smaller, so the interval lies within Wilson's and never leaves 0 to 1. Where
    /// all results are the same, it still has a width of about `z^2/n`.
    pub fn of(wins: u32, draws: u32, losses: u32) -> Option<Share> {
        let [wins, draws, losses] = [wins, draws, losses].map(f64::from);
        let n = wins + draws + losses;
        if n == 0.0 {
            return None;
        }
        let points = (wins + draws / 2.0) / n;
        let variance = (wins + draws / 4.0) / n - points * points;
        let middle = points + Z * Z / (2.0 * n);
        let half = Z * (variance / n + Z * Z / (4.0 * n * n)).max(0.0).sqrt();
        let scale = 1.0 + Z * Z / n;
        let bound = |at: f64| rounded((at / scale).clamp(0.0, 1.0));
        Some(Share { points: rounded(points), low: bound(middle - half), high: bound(middle + half) })
    }
}

/// To six digits after the point.
pub fn rounded(number: f64) -> f64 {
    (number * 1e6).round() / 1e6
}
