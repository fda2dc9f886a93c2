//! Lines of stones that clear targets: those that lie on the board, and those that still can.

use super::compact::CompactPosition;
use crate::games::binarsi::board::Squares;
use crate::games::binarsi::rules::Rules;
use crate::games::binarsi::targets::{BLACK_ALL, WHITE_ALL};

/// Distances between the stones of a line, in bits: across, down, and on the two kinds of diagonals.
const UNITS: [u32; 4] = [1, 8, 9, 7];

/// The places of lines of one length in one direction. A place is named by its square with the lowest bit.
#[derive(Clone, Copy, Debug)]
struct Places {
    /// Squares where a line can begin so that all of it is on the board.
    all: Squares,
    /// Three shifts one after the other that bring the squares of a line together.
    shifts: [u32; 3],
    unit: u32,
    length: u32,
}

fn board(rules: &Rules) -> Squares {
    (0..rules.ranks).fold(0, |set, rank| set | ((1u64 << rules.files) - 1) << (8 * rank))
}

impl Places {
    fn new(rules: &Rules, unit: u32, length: u8) -> Places {
        // A line of 8 or 9 fits no board.
        let steps = [1, 2, 4].map(|reached| u32::from(length.min(8)).saturating_sub(reached).min(reached));
        let board = board(rules);
        let shifts = steps.map(|step| step * unit);
        let places = Places { all: board, shifts, unit, length: length.min(8).into() };
        let all = if length > 7 { 0 } else { places.within(board) };
        Places { all, ..places }
    }

    /// Places all of whose squares are in the set.
    #[inline]
    fn within(&self, squares: Squares) -> Squares {
        let [first, second, third] = self.shifts;
        let set = squares & squares >> first;
        let set = set & set >> second;
        set & set >> third & self.all
    }

    /// The squares of all places whose squares are all in the set.
    #[inline]
    fn covered(&self, squares: Squares) -> Squares {
        self.shifts.iter().fold(self.within(squares), |set, shift| set | set << shift)
    }

    /// Places none of whose squares is in the set.
    #[inline]
    fn without(&self, squares: Squares) -> Squares {
        let [first, second, third] = self.shifts;
        let set = squares | squares >> first;
        let set = set | set >> second;
        !(set | set >> third) & self.all
    }

    /// Places by how many of their squares are in the set: one, two, three.
    #[inline]
    fn with(&self, squares: Squares) -> [Squares; 3] {
        // The numbers of all places, written in binary; four and more are not told apart.
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

/// How far a target is that has not been cleared.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Prospect {
    /// Places that hold no wrong stone which can never change again.
    pub open: u32,
    /// How many of them lack one, two and three stones.
    pub lacking: [u32; 3],
}

/// The places of all targets on a board.
#[derive(Clone, Debug)]
pub struct Lines {
    /// For each target two directions, the same one twice if it has but one.
    targets: [[Places; 2]; 6],
    /// All squares.
    board: Squares,
}

impl Lines {
    pub fn new(rules: &Rules) -> Lines {
        let [short, diagonal, long] = rules.lengths;
        let places = |unit: usize, length| Places::new(rules, UNITS[unit], length);
        let straight = |unit, length| [places(unit, length); 2];
        let slopes = [places(2, diagonal), places(3, diagonal)];
        let board = board(rules);
        Lines {
            board,
            targets: [straight(0, short), slopes, straight(1, long), straight(1, short), slopes, straight(0, long)],
        }
    }

    /// The targets that lie on the board and have not been cleared before.
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

    /// The places of a target, in each of its directions.
    #[inline]
    fn places(&self, target: usize) -> &[Places] {
        let directions = if target % 3 == 1 { 2 } else { 1 };
        &self.targets[target][..directions]
    }

    /// Whether a side with these stones clears its target.
    #[inline]
    pub fn clears(&self, target: usize, own: Squares) -> bool {
        self.places(target).iter().any(|places| places.within(own) != 0)
    }

    /// The squares of all lines with which a side with these stones clears its target.
    #[inline]
    pub fn covered(&self, target: usize, own: Squares) -> Squares {
        self.places(target).iter().fold(0, |squares, places| squares | places.covered(own))
    }

    /// Those of the targets in `attainable` whose side can still clear all that it misses, as far as fixed stones
    /// tell: for each of them some place holds no stone of the wrong colour that can never change again.
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

    /// How far each target is; `None` for those that have been cleared.
    pub fn prospects(&self, position: &CompactPosition) -> [Option<Prospect>; 6] {
        let fixed = position.fixed();
        let own = [position.stones, position.white()];
        let wrong = [fixed & !position.stones, fixed & position.stones];
        std::array::from_fn(|target| {
            let (side, mut prospect) = (target / 3, Prospect::default());
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
