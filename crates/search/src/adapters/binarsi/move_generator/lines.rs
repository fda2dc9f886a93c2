//! Lines of stones that clear targets: the lines on the board, and the lines that are still possible.

use super::compact::CompactPosition;
use yomikiri_rules::games::binarsi::board::Squares;
use yomikiri_rules::games::binarsi::rules::Rules;
use yomikiri_rules::games::binarsi::targets::{BLACK_ALL, WHITE_ALL};

/// The distance in bits between adjacent stones of a line: across, down, and on the two kinds of diagonals.
const UNITS: [u32; 4] = [1, 8, 9, 7];

/// The places for lines of one length in one direction. A place is the set of squares of one possible line. In a bit
/// set, its square with the lowest bit stands for the place.
#[derive(Clone, Copy, Debug)]
struct Places {
    /// All places on the board, each by its square with the lowest bit.
    all: Squares,
    /// The distances, in bits, of three successive shifts. Each shift combines a bit set with its shifted copy. After
    /// all three, the bits of all squares of a line are combined.
    shifts: [u32; 3],
    unit: u32,
    length: u32,
}

fn board(rules: &Rules) -> Squares {
    (0..rules.ranks).fold(0, |set, rank| set | ((1u64 << rules.files) - 1) << (8 * rank))
}

impl Places {
    fn new(rules: &Rules, unit: u32, length: u8) -> Places {
        // A line of 8 or 9 stones fits on no board.
        let steps = [1, 2, 4].map(|reached| u32::from(length.min(8)).saturating_sub(reached).min(reached));
        let board = board(rules);
        let shifts = steps.map(|step| step * unit);
        let places = Places { all: board, shifts, unit, length: length.min(8).into() };
        let all = if length > 7 { 0 } else { places.within(board) };
        Places { all, ..places }
    }

    /// Returns the places (possible lines) that lie completely inside `squares`, each by its lowest square.
    #[inline]
    fn within(&self, squares: Squares) -> Squares {
        let [first, second, third] = self.shifts;
        let set = squares & squares >> first;
        let set = set & set >> second;
        set & set >> third & self.all
    }

    /// Returns the squares of all places (possible lines) that lie completely inside `squares`.
    #[inline]
    fn covered(&self, squares: Squares) -> Squares {
        self.shifts.iter().fold(self.within(squares), |set, shift| set | set << shift)
    }

    /// Returns the places (possible lines) that have no square in `squares`, each by its lowest square.
    #[inline]
    fn without(&self, squares: Squares) -> Squares {
        let [first, second, third] = self.shifts;
        let set = squares | squares >> first;
        let set = set | set >> second;
        !(set | set >> third) & self.all
    }

    /// Returns the places (possible lines) that have exactly one, exactly two, and exactly three of their squares in
    /// `squares`. Each place is given by its lowest square.
    #[inline]
    fn with(&self, squares: Squares) -> [Squares; 3] {
        // The counts of all places in bit-sliced form. Once a bit of `fours` is set, it stays set: it means four or
        // more.
        let [mut ones, mut twos, mut fours] = [0; 3];
        for step in 0..self.length {
            let set = squares >> (step * self.unit);
            let carry = ones & set;
            ones ^= set;
            fours |= twos & carry;
            twos ^= carry;
        }
        [ones & !twos, twos & !ones, ones & twos].map(|set| set & !fours & self.all)
    }
}

/// The number of places (lines of squares) where a target can still be cleared: in all, and by the number of stones
/// that a place lacks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TargetDistance {
    /// The number of lines of squares that have no fixed stone ([`CompactPosition::fixed`]) of the wrong colour.
    pub open: u32,
    /// Of the lines that [`TargetDistance::open`] counts, the numbers of those that lack one stone, two stones, and
    /// three stones.
    pub lacking: [u32; 3],
}

/// The places of all targets on a board: the lines of squares that can clear them.
#[derive(Clone, Debug)]
pub struct TargetPlaces {
    /// The possible lines of each target, for both directions of a diagonal target. For any other target, both elements
    /// are equal.
    targets: [[Places; 2]; 6],
    /// All squares of the board.
    board: Squares,
}

impl TargetPlaces {
    /// Finds the possible lines of the six targets, from the board and the target lengths of `rules`.
    pub fn new(rules: &Rules) -> TargetPlaces {
        let [short, diagonal, long] = rules.lengths;
        let places = |unit: usize, length| Places::new(rules, UNITS[unit], length);
        let straight = |unit, length| [places(unit, length); 2];
        let slopes = [places(2, diagonal), places(3, diagonal)];
        let board = board(rules);
        TargetPlaces {
            board,
            targets: [straight(0, short), slopes, straight(1, long), straight(1, short), slopes, straight(0, long)],
        }
    }

    /// Returns the targets that have a line of stones on the board but are not yet in `position.targets`, as a bit set.
    #[inline]
    pub fn fresh(&self, position: &CompactPosition) -> u8 {
        let colours = [position.stones, position.white()];
        let mut found = 0;
        for target in 0..6 {
            if position.targets >> target & 1 == 0 && self.clears(target, colours[target / 3]) {
                found |= 1 << target;
            }
        }
        found
    }

    /// Returns the places (possible lines) of a target in each of its directions.
    #[inline]
    fn places(&self, target: usize) -> &[Places] {
        let directions = if target % 3 == 1 { 2 } else { 1 };
        &self.targets[target][..directions]
    }

    /// Returns true if the stones `own` clear the target.
    #[inline]
    pub fn clears(&self, target: usize, own: Squares) -> bool {
        self.places(target).iter().any(|places| places.within(own) != 0)
    }

    /// Returns the squares of all lines of the stones `own` that clear `target`.
    #[inline]
    pub fn covered(&self, target: usize, own: Squares) -> Squares {
        self.places(target).iter().fold(0, |squares, places| squares | places.covered(own))
    }

    /// Returns `attainable` without the targets of each side that can no longer clear all three of its targets. A side
    /// can still clear all three if each missing target has a possible line without a fixed stone of the wrong colour.
    #[inline]
    pub fn attainable(&self, position: &CompactPosition, attainable: u8) -> u8 {
        let fixed = position.fixed();
        let closed = |wrong: Squares, target: usize| {
            position.targets >> target & 1 == 0 && self.places(target).iter().all(|places| places.without(wrong) == 0)
        };
        let mut left = attainable;
        for (first, all, wrong) in [(0, BLACK_ALL, fixed & !position.stones), (3, WHITE_ALL, fixed & position.stones)] {
            if attainable & all != 0 && (first..first + 3).any(|target| closed(wrong, target)) {
                left &= !all;
            }
        }
        left
    }

    /// Returns the [`TargetDistance`] of each target; `None` for targets that have been cleared.
    pub fn prospects(&self, position: &CompactPosition) -> [Option<TargetDistance>; 6] {
        let fixed = position.fixed();
        let own = [position.stones, position.white()];
        let wrong = [fixed & !position.stones, fixed & position.stones];
        std::array::from_fn(|target| {
            let (side, mut prospect) = (target / 3, TargetDistance::default());
            for places in self.places(target) {
                let open = places.without(wrong[side]);
                prospect.open += open.count_ones();
                let lacking = places.with(self.board & !own[side]);
                for (count, set) in prospect.lacking.iter_mut().zip(lacking) {
                    *count += (set & open).count_ones();
                }
            }
            (position.targets >> target & 1 == 0).then_some(prospect)
        })
    }
}
