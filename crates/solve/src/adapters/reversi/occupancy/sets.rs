//! The positions of one ply as bits: one for each colouring of each occupancy (set of occupied squares).

use std::ops::BitOr;

use yomikiri_rules::bits::{set_bits, squares_of};
use yomikiri_rules::games::reversi::board::{Board, Squares};

/// Returns the number of 64-bit words of one occupancy with `discs` discs. Bit `c` is the position with the colours
/// `c`. Bit `i` of `c` is set if the disc on the `i`-th occupied square belongs to the side to move.
pub fn words_per_occupancy(discs: u32) -> usize {
    1 << discs.saturating_sub(6)
}

/// Calls `visit` with the colours (a number with a bit for each disc) of each position in the bit set `words`, in
/// ascending order.
#[inline(always)]
pub fn each_colours(words: &[u64], mut visit: impl FnMut(u32)) {
    for (high, &word) in (0..).zip(words) {
        for low in set_bits(word) {
            visit(high << 6 | low);
        }
    }
}

/// Makes three look-up tables, each indexed by eight bits of the colours; the first table by the lowest eight. An entry
/// is the OR of the items of `worth` for the colour bits that are set in its index.
pub fn by_eights<T: Copy + Default + BitOr<Output = T>>(worth: impl Iterator<Item = T>) -> [[T; 256]; 3] {
    let mut tables = [[T::default(); 256]; 3];
    for (bit, worth) in worth.enumerate() {
        let (table, step) = (&mut tables[bit / 8], 1 << (bit % 8));
        for entry in 0..step {
            table[step + entry] = table[entry] | worth;
        }
    }
    tables
}

/// Maps the colours of one occupancy to squares of the board, by look-up tables that are each indexed by eight bits of
/// the colours.
pub struct ColourMap {
    own: [[Squares; 256]; 3],
    occupied: Squares,
}

impl ColourMap {
    pub fn new(occupied: Squares) -> ColourMap {
        ColourMap { own: by_eights(squares_of(occupied).map(|square| 1 << square)), occupied }
    }

    /// Returns the discs of the side to move, then those of the other side.
    #[inline]
    pub fn discs(&self, colours: usize) -> (Squares, Squares) {
        let own = self.own[0][colours & 255] | self.own[1][colours >> 8 & 255] | self.own[2][colours >> 16 & 255];
        (own, self.occupied ^ own)
    }
}

/// The symmetries of one occupancy as maps of its colours.
pub struct Symmetry {
    /// For each symmetry other than the identity: three look-up tables, each indexed by eight bits of the colours.
    images: Vec<[[u32; 256]; 3]>,
}

impl Symmetry {
    pub fn new(board: Board, occupied: Squares) -> Symmetry {
        let kept = (1..board.image_count()).filter(|&number| board.image(number, occupied) == occupied);
        let image = |number: usize| {
            let place = |square: u8| (occupied & (board.image(number, 1 << square) - 1)).count_ones();
            by_eights(squares_of(occupied).map(|square| 1 << place(square)))
        };
        Symmetry { images: kept.map(image).collect() }
    }

    /// Returns true if the occupancy has no symmetry. Then all colours are canonical.
    #[inline]
    pub fn is_trivial(&self) -> bool {
        self.images.is_empty()
    }

    /// Returns the smallest number among `colours` and its images under the symmetries.
    #[inline]
    pub fn least(&self, colours: u32) -> u32 {
        let image = |tables: &[[u32; 256]; 3]| {
            let part = |at: usize| tables[at][(colours >> (8 * at) & 255) as usize];
            part(0) | part(1) | part(2)
        };
        self.images.iter().map(image).fold(colours, u32::min)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use yomikiri_rules::games::reversi::index::Packing;

    #[test]
    fn colours_are_those_of_keys_and_least_under_symmetry() {
        let board = Board { files: 5, ranks: 5 };
        let all_but_the_centre = board.squares() & !(1 << board.bit(2, 2));
        for (squares, symmetric) in
            [(all_but_the_centre, true), (0x0a_1f15_1f0a, true), (0x06_0600, true), (0x0e06, false)]
        {
            let [occupied, _] = board.smallest_image([squares, 0]);
            let (painting, packing, symmetry) =
                (ColourMap::new(occupied), Packing::new(occupied), Symmetry::new(board, occupied));
            assert_eq!(symmetry.is_trivial(), !symmetric, "{squares:x}");
            for colours in (0..500u32).map(|number| number.wrapping_mul(0x9e37_79b1) >> (32 - occupied.count_ones())) {
                let own = packing.unpack(colours.into());
                assert_eq!(painting.discs(colours as usize), (own, occupied ^ own));
                let [least, _] = board.smallest_image([own, occupied ^ own]);
                assert_eq!(u64::from(symmetry.least(colours)), packing.pack(least));
            }
        }
    }
}
