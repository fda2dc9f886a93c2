//! Evaluation for play: rows that can still be completed, and threats, which are empty squares that would complete a
//! row.
//!
//! On boards with an even number of ranks, a side that always answers above the other's disc gets every second square
//! of each file. White gets the even ranks this way, so Black's threats count for more on odd ranks (Allis, A
//! Knowledge-based Approach of Connect-Four, 1988).

use xxhash_rust::xxh3::xxh3_64;

use crate::evaluate::Evaluate;
use yomikiri_rules::games::connect_four::ConnectFour;
use yomikiri_rules::games::connect_four::board::{BOTTOM, Position, Squares};
use yomikiri_rules::games::connect_four::lines::{DIRECTIONS, Direction};
use yomikiri_rules::games::connect_four::moves::landings;
use yomikiri_rules::games::connect_four::rules::Rules;
use yomikiri_rules::{Game, Side};

/// The squares of ranks 1, 3, 5 and 7.
const ODD_RANKS: Squares = BOTTOM * 0x55;

/// The value of a disc for each line of four squares that contains the disc and no disc of the other side.
const DISC_IN_ROW: i32 = 10;
/// The value of a threat. `GOOD_RANK` is the bonus for a threat of Black on an odd rank or of White on an even rank, on
/// boards with an even number of ranks.
const THREAT: i32 = 100;
const GOOD_RANK: i32 = 150;
/// The value of a threat that the side to move can carry out at once.
const WINS_NOW: i32 = 10_000;

/// Returns the number of discs of a side in rows without discs of the other side. A disc counts once for each such row.
fn discs_in_open_rows(rules: &Rules, own: Squares, other: Squares) -> u32 {
    let in_direction = |direction: Direction| {
        let steps = (0..u32::from(rules.row)).map(|at| at * direction.step);
        let closed = steps.clone().fold(0, |closed, step| closed | other >> step);
        let open = rules.rows(direction) & !closed;
        steps.map(|step| (open & own >> step).count_ones()).sum::<u32>()
    };
    DIRECTIONS.into_iter().map(in_direction).sum()
}

/// Returns the empty squares on which a disc would complete a row of a side.
fn threats(rules: &Rules, own: Squares, empty: Squares) -> Squares {
    let in_direction = |direction: Direction| {
        let rows = rules.rows(direction);
        let steps = (0..u32::from(rules.row)).map(|at| at * direction.step);
        let completing = |last: u32| {
            let others = steps.clone().filter(|&step| step != last);
            others.fold(rows & empty >> last, |begins, step| begins & own >> step) << last
        };
        steps.clone().fold(0, |squares, last| squares | completing(last))
    };
    DIRECTIONS.into_iter().fold(0, |squares, direction| squares | in_direction(direction))
}

/// Returns the value of the discs and threats of one side.
fn standing(rules: &Rules, position: &Position, side: Side) -> i32 {
    let (own, other) = (position.discs(side), position.discs(side.other()));
    let threats = threats(rules, own, rules.board.squares() & !position.occupied());
    let good_ranks = match (rules.board.ranks % 2, side) {
        (0, Side::Black) => ODD_RANKS,
        (0, Side::White) => ODD_RANKS << 1,
        _ => 0,
    };
    let weighed = [(THREAT, threats), (GOOD_RANK, threats & good_ranks)];
    let threats: i32 = weighed.into_iter().map(|(weight, squares)| weight * squares.count_ones() as i32).sum();
    threats + DISC_IN_ROW * discs_in_open_rows(rules, own, other) as i32
}

impl Evaluate<ConnectFour> for ConnectFour {
    fn game(&self) -> &ConnectFour {
        self
    }

    /// Returns the evaluation. For scale, a disc counts 10 for each row that contains it and no disc of the other side.
    fn evaluate(&self, position: &Position) -> i32 {
        let (rules, side) = (&self.rules, position.side());
        let reached = landings(rules.board, position.occupied());
        let wins_now = threats(rules, position.own, reached) != 0;
        standing(rules, position, side) - standing(rules, position, side.other()) + i32::from(wins_now) * WINS_NOW
    }

    /// Returns the number of the side's discs in rows without discs of the other side. A disc counts once for each such
    /// row.
    fn material(&self, position: &Position, side: Side) -> i32 {
        discs_in_open_rows(&self.rules, position.discs(side), position.discs(side.other())) as i32
    }

    /// Returns the key of the position if the board has keys, else a hash of the canonical position.
    fn fingerprint(&self, position: &Position) -> u64 {
        if self.has_keys() {
            return self.rank(position);
        }
        let Position { own, other } = self.canonical(position);
        xxh3_64([own, other].map(u64::to_le_bytes).as_flattened())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use yomikiri_rules::Notation;
    use yomikiri_rules::games::connect_four::board::bit;

    fn guess(text: &str) -> i32 {
        let game = ConnectFour::parse("con7x6").unwrap();
        game.evaluate(&game.parse_position(text).unwrap())
    }

    #[test]
    fn threats_are_the_squares_that_complete_a_row() {
        let game = ConnectFour::parse("con7x6").unwrap();
        let position = game.parse_position("7/7/7/7/1OOO3/1XXX1X1 O").unwrap();
        let empty = game.rules.board.squares() & !position.occupied();
        let squares: Squares = [(0, 0), (4, 0)].iter().map(|&(file, rank)| 1 << bit(file, rank)).sum();
        assert_eq!(threats(&game.rules, position.discs(Side::Black), empty), squares);
    }

    #[test]
    fn the_middle_and_a_win_are_worth_having() {
        assert!(guess("41") > guess("11"), "Black in the middle, then at the edge");
        assert!(guess("414141") > WINS_NOW / 2, "Black wins at once");
    }
}
