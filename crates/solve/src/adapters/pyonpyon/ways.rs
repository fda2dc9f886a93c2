//! What the parts of an audit share: between which squares a piece can go, by all the pieces that stay.
//!
//! A move is a piece that goes between two squares while all others, one less than there are, stay where they are. So
//! of the pieces that stay follow all moves of positions that have them and one more, whichever side's they are.

use rayon::prelude::*;

use yomikiri_rules::games::pyonpyon::board::{Board, Squares};
use yomikiri_rules::games::pyonpyon::combinations::{Combinations, choose};
use yomikiri_rules::games::pyonpyon::moves::{Lines, bits};

/// Most squares that are empty when one piece is up: 16 on 5x5.
pub const EMPTY: usize = 16;

/// For each empty square, upwards: the empty squares from which a piece can come to it, bit `i` for the `i`-th upwards.
pub type Origins = [u16; EMPTY];

/// Squares of the lower half of a board; 25 squares make an upper half of 12.
const LOW: u32 = 13;

/// What follows from the board alone. 65 MB on 5x5.
pub struct Ways {
    numbers: Numbers,
    /// By the number of the squares of all pieces but one.
    origins: Vec<Origins>,
    /// Sets of one side's pieces among the squares that the other side leaves free, moved together.
    pub sets: Combinations,
    /// The same less one piece.
    pub staying: Combinations,
    /// By the rank of such a set less one piece: the ranks in `sets` with each of the other squares, upwards.
    pub with: Vec<[u16; EMPTY]>,
    /// By the rank in `sets`: the rank of the set turned half round.
    pub turned: Vec<u16>,
    /// Squares that are empty when one piece is up.
    pub empty: usize,
}

impl Ways {
    pub fn new(board: Board, lines: &Lines) -> Ways {
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
        let origins = occupied.into_par_iter().map(|occupied| origins(lines, occupied)).collect();
        Ways { numbers, origins, sets, staying, with, turned, empty: (area - 2 * pieces + 1) as usize }
    }

    /// The number of the squares of all pieces but one.
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
    for (number, from) in bits(empty).enumerate() {
        for to in bits(lines.destinations(occupied | 1 << from, from)) {
            let place = (empty & ((1 << to) - 1)).count_ones();
            origins[place as usize] |= 1 << number;
        }
    }
    origins
}

/// Numbers from 0 on for the sets of as many squares: where those begin that have the same upper half, and which one
/// it is among the lower halves of its size. Two look-ups that do not wait for each other.
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

    /// All sets.
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
