//! How far a share of points is from the truth.

use serde::Serialize;

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
    /// inference, Journal of the American Statistical Association 22, 1927, pages 209-212; recommended by Brown, Cai and
    /// DasGupta, Interval estimation for a binomial proportion, Statistical Science 16, 2001, pages 101-133):
    ///
    /// `(p + z^2/2n +- z sqrt(v/n + z^2/4n^2)) / (1 + z^2/n)` with `v = p(1 - p)`, the variance of results that are 0 or 1.
    ///
    /// With draws `v` is the variance of the points that were made, `(wins + draws/4)/n - p^2`, as is usual for results
    /// between 0 and 1; it is smaller, so the interval lies within Wilson's and never leaves 0 to 1. Where all results are
    /// the same, it still has a width of about `z^2/n`.
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
