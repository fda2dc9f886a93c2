//! Ranks within one row without closing gaps: tables made for the row, in two halves.

use yomikiri_rules::games::pyonpyon::Board;
use yomikiri_rules::games::pyonpyon::board::Squares;
use yomikiri_rules::games::pyonpyon::combinations::choose;
use yomikiri_rules::games::pyonpyon::index::{Index, Row};

/// Squares of the lower half; 25 squares make an upper half of 12.
const LOW: u32 = 13;

/// For one row: the other side's ranks, from those pieces as the other side sees them.
pub struct Ranks {
    low: [u16; 1 << LOW],
    high: [u16; 1 << (25 - LOW)],
}

impl Ranks {
    /// Tables for a row; `taken` are the row's own pieces as the other side sees them.
    pub fn new(index: &Index, board: Board, row: &Row, taken: Squares) -> Ranks {
        let mut ranks = Ranks { low: [0; 1 << LOW], high: [0; 1 << (25 - LOW)] };
        let free = board.squares() & !taken;
        let size = u32::from(board.files);
        // A half turn: the other side's square s is seen here as the last square less s, so its upper half comes first.
        let terms = |square: u32| {
            let closed = index.closed(row, board.area() - 1 - square);
            std::array::from_fn(|number| choose(closed, number as u32 + 1) as u16)
        };
        let terms: Vec<[u16; 5]> =
            (0..25).map(|square| if free >> square & 1 == 1 { terms(square) } else { [0; 5] }).collect();
        let (low, high) = terms.split_at(LOW as usize);
        fill(&mut ranks.low, free & ((1 << LOW) - 1), low, |bits| size.checked_sub(bits));
        fill(&mut ranks.high, free >> LOW, high, |bits| (bits <= size).then_some(0));
        ranks
    }

    /// The rank of the other side's pieces.
    #[inline]
    pub fn rank(&self, pieces: Squares) -> u32 {
        let (low, high) = (pieces & ((1 << LOW) - 1), pieces >> LOW);
        u32::from(self.low[low as usize]) + u32::from(self.high[high as usize])
    }
}

/// Writes the part of the rank that each subset of `free` has. `terms` are what a square adds as first, second, ... of
/// the set, the highest square being the first; `below` tells how many come before a half with so many bits.
fn fill(table: &mut [u16], free: u32, terms: &[[u16; 5]], below: impl Fn(u32) -> Option<u32>) {
    let next = |&set: &u32| Some(set.wrapping_sub(free) & free).filter(|&set| set != 0);
    for set in std::iter::successors(Some(0), next) {
        let Some(below) = below(set.count_ones()) else { continue };
        let (mut rest, mut number, mut sum) = (set, below as usize, 0);
        while rest != 0 {
            let highest = 31 - rest.leading_zeros();
            sum += terms[highest as usize][number];
            number += 1;
            rest ^= 1 << highest;
        }
        table[set as usize] = sum;
    }
}
