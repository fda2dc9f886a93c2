//! The result of a match, in the form of the public JSON report of `yomikiri match`. docs/match.md describes the
//! report.

use serde::{Deserialize, Serialize};

use super::judge::Mistakes;
use super::seat::PlayerFault;

/// The summary of a match.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MatchSummary {
    /// The rule code.
    pub rules: String,
    /// The number of games that were finished.
    pub games: u32,
    /// The number of games of the whole match, finished or not.
    pub asked: u32,
    /// The reason why games are missing; `None` if all games were played.
    pub stopped: Option<String>,
    /// The seed of the match.
    pub seed: u64,
    /// The number of random plies with which each game begins.
    pub opening: u32,
    /// The number of openings in the file; `None` if the openings are random.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub openings: Option<usize>,
    /// The number of plies after which a game is a draw.
    pub max_plies: u32,
    /// The results of player A.
    pub a: PlayerSummary,
    /// The results of player B.
    pub b: PlayerSummary,
    /// The results of the side that moves first, whichever player it was.
    pub black: Results,
    /// The lengths of games in plies, including the opening; `None` without games.
    pub plies: Option<Lengths>,
    /// The number of different games. Games with the same moves count once.
    pub different_games: u32,
    /// The number of games for each kind of end, the most frequent first.
    pub ended: Vec<EndCount>,
    /// The mean margins of A and of Black in points; `None` if no game has a margin.
    pub margin: Option<Margins>,
}

/// The results of one player.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PlayerSummary {
    /// The player's name with all its options.
    pub player: String,
    /// The results of all games.
    pub together: Results,
    /// The results of the games in which the player had Black.
    pub as_black: Results,
    /// The results of the games in which the player had White.
    pub as_white: Results,
    /// The number of moves that the player chose.
    pub moves: u32,
    /// The mean time of a move in milliseconds; `None` without moves.
    pub mean_ms: Option<f64>,
    /// The longest time of a move in milliseconds; `None` without moves.
    pub longest_ms: Option<f64>,
    /// The numbers of games that the player lost by faults.
    pub failures: Failures,
    /// The player's mistakes, as judged by the table; `None` if there is no table of the rule code.
    pub mistakes: Option<Mistakes>,
}

/// The numbers of wins, draws and losses, and the share of points (a win is one point, a draw half a point).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Results {
    /// The number of games won.
    pub wins: u32,
    /// The number of games drawn.
    pub draws: u32,
    /// The number of games lost, faults included.
    pub losses: u32,
    /// The points divided by the number of games; `None` without games.
    pub share: Option<PointShare>,
}

impl Results {
    /// Creates results from the numbers of wins, draws and losses, and computes the share of points.
    pub fn of([wins, draws, losses]: [u32; 3]) -> Results {
        Results { wins, draws, losses, share: PointShare::of(wins, draws, losses) }
    }
}

/// The lengths of games in plies, including the opening.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Lengths {
    /// The plies of the shortest game.
    pub min: u64,
    /// The mean number of plies, rounded to six decimal places.
    pub mean: f64,
    /// The plies of the longest game.
    pub max: u64,
}

/// The number of games with the same kind of end.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct EndCount {
    /// The kind of end, in a few words ([`Finish::kind`](super::Finish::kind)).
    pub how: String,
    /// The number of games with this end.
    pub games: u32,
    /// The number of games with this end that Black won.
    pub black: u32,
    /// The number of games with this end that White won.
    pub white: u32,
}

/// The mean margin of player A and of Black, in points, over the games that ended on the board.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Margins {
    /// The mean margin of player A; negative if its opponent has more points.
    pub a: f64,
    /// The mean margin of Black; negative if White has more points.
    pub black: f64,
}

/// The number of games that a player lost by each kind of fault.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Failures {
    /// The number of games in which no move came in time.
    pub time: u32,
    /// The number of games in which the program sent an illegal move.
    pub illegal_move: u32,
    /// The number of games in which the program ended or closed its output.
    pub ended: u32,
    /// The number of games for which the program did not start or did not say that it was ready.
    pub not_ready: u32,
}

impl Failures {
    /// Counts a game that was lost by `fault`.
    pub fn add(&mut self, fault: &PlayerFault) {
        *match fault {
            PlayerFault::Late(_) => &mut self.time,
            PlayerFault::Illegal(_) => &mut self.illegal_move,
            PlayerFault::Ended => &mut self.ended,
            PlayerFault::Unready(_) => &mut self.not_ready,
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

    /// Returns the number of games lost by any fault.
    pub fn all(self) -> u32 {
        [self.time, self.illegal_move, self.ended, self.not_ready].into_iter().fold(0, u32::saturating_add)
    }
}

/// The 97.5th percentile of the standard normal distribution. 95 % of the distribution lie within this many standard
/// deviations of the mean.
const Z: f64 = 1.959_963_984_540_054;

/// A share of points with its confidence interval, each from 0 to 1.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct PointShare {
    /// Points divided by games: a win is one point, a draw half a point.
    pub points: f64,
    /// The lower end of the 95 % confidence interval.
    pub low: f64,
    /// The upper end of the 95 % confidence interval.
    pub high: f64,
}

impl PointShare {
    /// Returns the share of points of these results, or `None` if there are no games.
    ///
    /// Without draws, the confidence interval is the score interval of Wilson (Probable inference, the law of
    /// succession, and statistical inference, Journal of the American Statistical Association 22, 1927, pages 209-212;
    /// recommended by Brown, Cai and DasGupta, Interval estimation for a binomial proportion, Statistical Science 16,
    /// 2001, pages 101-133):
    ///
    /// `(p + z^2/2n +- z sqrt(v/n + z^2/4n^2)) / (1 + z^2/n)` with `v = p(1 - p)`, the variance of results that are 0
    /// or 1.
    ///
    /// With draws, `v` is the variance of the points of a game, `(wins + draws/4)/n - p^2`, which is the usual variance
    /// of results from 0 to 1. This `v` is smaller than `p(1 - p)`, so the interval lies within Wilson's and never
    /// leaves the range from 0 to 1. If all results are the same, the interval still has a width of about `z^2/n`.
    pub fn of(wins: u32, draws: u32, losses: u32) -> Option<PointShare> {
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
        Some(PointShare { points: rounded(points), low: bound(middle - half), high: bound(middle + half) })
    }
}

/// Rounds a number to six decimal places.
pub fn rounded(number: f64) -> f64 {
    (number * 1e6).round() / 1e6
}
