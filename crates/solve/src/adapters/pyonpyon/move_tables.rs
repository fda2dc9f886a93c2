//! Tables for all parts of an audit: the squares between which a piece can move, for each set of pieces that stay.
//!
//! A move takes one piece from square to square, and all others stay. So the pieces that stay determine the moves of
//! all positions with these pieces and one more, whichever side the pieces belong to.

use yomikiri_rules::bits::set_bits;
use yomikiri_rules::games::pyonpyon::Pyonpyon;
use yomikiri_rules::games::pyonpyon::board::Squares;
use yomikiri_rules::games::pyonpyon::combinations::{Combinations, choose};
use yomikiri_rules::games::pyonpyon::moves::Lines;
use yomikiri_table::parallel;

/// The maximum number of empty squares while the moving piece is off the board: 16 on 5x5.
pub const EMPTY: usize = 16;

/// For each empty square in ascending order, the set of empty squares from which a piece can come to it. Bit `i` of
/// such a set is the `i`-th empty square.
pub type Origins = [u16; EMPTY];

/// The number of squares in the lower half of a board. On 25 squares the upper half has 12.
const LOW: u32 = 13;

/// Tables that depend on the board alone; 65 MB on 5x5.
pub struct MoveTables {
    numbers: Numbers,
    /// The origins of moves ([`Origins`]), for each set of squares that all pieces but one occupy. The index is
    /// [`MoveTables::number`].
    origins: Vec<Origins>,
    /// All sets of one side's pieces, as closed sets: each consists of indices among the squares that the other side
    /// leaves free.
    pub sets: Combinations,
    /// All sets of one side's pieces with one piece missing. Like [`MoveTables::sets`], they consist of indices among
    /// the squares that the other side leaves free.
    pub staying: Combinations,
    /// For each set of `staying`: the ranks, in `sets`, of the sets that have one square more, in ascending order of
    /// the added square.
    pub with: Vec<[u16; EMPTY]>,
    /// For each set of `sets`, the rank of the set turned by 180 degrees.
    pub turned: Vec<u16>,
    /// The number of empty squares while the moving piece is off the board.
    pub empty: usize,
    /// For each part of an audit, the index of a row. The part consists of the positions whose children are in that
    /// row. In all these positions the other side has the same pieces, and the parts are in ascending order of these
    /// pieces. So successive parts check keys that are close together.
    pub rows: Vec<u32>,
}

impl MoveTables {
    pub fn new(game: &Pyonpyon) -> MoveTables {
        let (board, lines) = (game.rules.board, &game.lines);
        let (area, pieces) = (board.area(), u32::from(board.files));
        let free = area - pieces;
        let (sets, staying) = (Combinations::new(free, pieces), Combinations::new(free, pieces - 1));
        let with = |&set: &u32| {
            let mut ranks = [0; EMPTY];
            let others = (0..free).filter(|square| set >> square & 1 == 0);
            ranks.iter_mut().zip(others).for_each(|(rank, square)| *rank = sets.rank(set | 1 << square) as u16);
            ranks
        };
        let with = staying.sets().iter().map(with).collect();
        let turned = sets.sets().iter().map(|&set| sets.rank(set.reverse_bits() >> (32 - free)) as u16).collect();
        let numbers = Numbers::new(area, 2 * pieces - 1);
        let mut occupied = vec![0; numbers.count as usize];
        for set in numbers.all() {
            occupied[numbers.of(set) as usize] = set;
        }
        let origins = parallel::flat_map(occupied.len(), 64, |share| {
            occupied[share].iter().map(|&occupied| origins(lines, occupied)).collect()
        });
        let mut rows: Vec<u32> = (0..game.index.rows() as u32).collect();
        rows.sort_unstable_by_key(|&number| board.rotated(game.index.row_at(number as usize).own));
        let empty = (area - 2 * pieces + 1) as usize;
        MoveTables { numbers, origins, sets, staying, with, turned, empty, rows }
    }

    /// Returns the index in `origins` of `occupied`, the squares that all pieces but one occupy.
    #[inline]
    pub fn number(&self, occupied: Squares) -> u32 {
        self.numbers.of(occupied)
    }

    #[inline]
    pub fn origins(&self, number: u32) -> &Origins {
        &self.origins[number as usize]
    }
}

fn origins(lines: &Lines, occupied: Squares) -> Origins {
    let mut origins = [0; EMPTY];
    let empty = lines.squares() & !occupied;
    for (number, from) in set_bits(empty).enumerate() {
        for to in set_bits(lines.destinations(occupied | 1 << from, from)) {
            let place = (empty & ((1 << to) - 1)).count_ones();
            origins[place as usize] |= 1 << number;
        }
    }
    origins
}

/// Dense indices, from 0, of the sets of `size` squares. The index of a set is the sum of two numbers. The first is the
/// lowest index of the sets with the same upper half. The second is the index of the set's lower half among all lower
/// halves with the same number of squares. The look-ups of the two numbers do not depend on each other.
struct Numbers {
    low: Vec<u16>,
    high: Vec<u32>,
    size: u32,
    count: u32,
}

impl Numbers {
    fn new(area: u32, size: u32) -> Numbers {
        let width = area.min(LOW);
        let mut seen = [0; LOW as usize + 1];
        let low = (0..1u32 << width).map(|half| {
            let seen = &mut seen[half.count_ones() as usize];
            *seen += 1;
            *seen - 1
        });
        let low = low.collect();
        let mut count = 0;
        let high = (0..1u32 << (area - width)).map(|half| {
            let first = count;
            count += size.checked_sub(half.count_ones()).map_or(0, |below| choose(width, below));
            first
        });
        Numbers { low, high: high.collect(), size, count }
    }

    fn of(&self, set: Squares) -> u32 {
        u32::from(self.low[(set & ((1 << LOW) - 1)) as usize]) + self.high[(set >> LOW) as usize]
    }

    /// Returns all sets of `size` squares.
    fn all(&self) -> impl Iterator<Item = Squares> {
        let halves =
            (0..self.high.len() as u32).flat_map(|high| (0..self.low.len() as u32).map(move |low| (high, low)));
        halves.map(|(high, low)| high << LOW | low).filter(|set| set.count_ones() == self.size)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_dense() {
        for (area, size) in [(6, 3), (15, 5), (20, 9)] {
            let numbers = Numbers::new(area, size);
            let mut met = vec![false; numbers.count as usize];
            for set in (0..1u32 << area).filter(|set| set.count_ones() == size) {
                assert!(!std::mem::replace(&mut met[numbers.of(set) as usize], true), "{set:b}");
            }
            assert!(met.iter().all(|&met| met) && numbers.all().count() == met.len(), "{size} of {area}");
        }
    }
}
