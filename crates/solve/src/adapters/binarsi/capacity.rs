//! The capacity of a board, which is the number of positions that could exist at a ply, for estimates.

use crate::estimate::{Capacity, choose};
use yomikiri_rules::games::binarsi::BinarsiOf;
use yomikiri_rules::games::binarsi::board::{Position, Rect};
use yomikiri_rules::games::binarsi::goal::Goal;
use yomikiri_rules::games::binarsi::index::spread_stones;
use yomikiri_rules::games::binarsi::rules::Rules;
use yomikiri_rules::games::binarsi::targets::{self, Verdict};

/// The number of rows (arrangements of stones in a rectangle) that [`states_per_row`] samples.
const ROWS: u64 = 512;

impl<V: Goal> Capacity for BinarsiOf<V> {
    const MEETING_EXPONENT: f64 = 0.0;

    /// Returns the width of the rectangle of stones in the high byte and its height in the low byte.
    fn class(&self, position: &Position) -> u32 {
        u16::from_be_bytes([position.rect.width, position.rect.height]).into()
    }

    fn capacity(&self, class: u32, ply: u32) -> f64 {
        let [width, height] = (class as u16).to_be_bytes();
        let ways = u32::from(width + height);
        let Some(locks) = (ply + 2).checked_sub(ways) else { return 0.0 };
        let rect = Rect { width, height, file: 0, rank: 0 };
        let rows = 2f64.powi(rect.area() as i32);
        // Each canonical position represents up to four mirror images.
        (placements(&self.rules, rect) * choose(ways, locks) * rows * states_per_row(&self.rules, rect) / 4.0).max(1.0)
    }
}

/// Returns the number of places on the board at which a rectangle of the size of `rect` can arise: it contains the
/// start square or a mirror image of this square.
fn placements(rules: &Rules, rect: Rect) -> f64 {
    let along = |board: u8, size: u8, start: u8| {
        let holds = |first: u8, square: u8| (first..first + size).contains(&square);
        let places = 0..=board - size;
        places.filter(|&first| holds(first, start) || holds(first, board - 1 - start)).count() as f64
    };
    along(rules.files, rect.width, rules.start_file) * along(rules.ranks, rect.height, rules.start_rank)
}

/// Returns the mean number of sets of cleared targets that a row of the rectangle can have while the game is open.
fn states_per_row(rules: &Rules, rect: Rect) -> f64 {
    let states = |row: u64| {
        let stones = spread_stones(rect, row);
        let lying = targets::on_board(rules, stones, rect.squares() & !stones);
        (0..64u8).filter(|state| state & lying == lying && targets::verdict(*state) == Verdict::Open).count()
    };
    let mask = (1u64 << rect.area()) - 1;
    // Multiples of an odd number cover the rows evenly.
    let rows = (0..ROWS).map(|number| number.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 20 & mask);
    rows.map(states).sum::<usize>() as f64 / ROWS as f64
}

#[cfg(test)]
mod tests {
    use crate::estimate::{Limits, positions};
    use yomikiri_rules::Game;
    use yomikiri_rules::games::binarsi::Binarsi;

    /// Checks that the estimate of every ply is off by a factor below `factor`, and that the relative error of the
    /// total is below `total`. The estimate counts the plies up to the first one with more than `exact` positions, and
    /// samples all later plies.
    fn close(code: &str, exact: usize, truth: &[u64], factor: f64, total: f64) {
        let game = Binarsi::parse(code).unwrap();
        let estimate = positions(&game, &game.start(), Limits { exact, sample: 300 });
        assert_eq!(estimate.by_ply.len(), truth.len(), "{code}");
        assert!(estimate.exact_plies < truth.len());
        for (ply, (&about, &count)) in estimate.by_ply.iter().zip(truth).enumerate() {
            let ratio = about / count as f64;
            assert!(ratio < factor && ratio > 1.0 / factor, "{code}: ply {ply}: {about:.0} for {count}");
        }
        let ratio = estimate.total() / truth.iter().sum::<u64>() as f64;
        assert!((ratio - 1.0).abs() < total, "{code}: total off by {ratio}");
    }

    #[test]
    fn estimates_are_near_the_truth() {
        close("bin3x3", 1000, &[1, 2, 11, 42, 196, 988, 4565, 14544, 21720, 11164, 2056], 2.0, 0.3);
        let truth =
            [1, 4, 26, 132, 878, 6441, 45803, 290294, 1518696, 5498188, 11175365, 11256430, 5875503, 1676390, 211052];
        close("bin4x4", 50_000, &truth, 2.0, 0.3);
    }

    #[test]
    fn the_full_board_is_estimated_to_its_last_ply() {
        let game = Binarsi::parse("bin7x6").unwrap();
        let estimate = positions(&game, &game.start(), Limits { exact: 2000, sample: 20 });
        assert_eq!(estimate.by_ply.len(), 25);
        assert_eq!(estimate.by_ply[..5], [1.0, 4.0, 30.0, 205.0, 1866.0]);
        assert!(estimate.total() > 1e12 && estimate.total() < 1e18);
    }
}
