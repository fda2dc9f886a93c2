//! The effect of placing a disc on one square of one occupancy: maps the colours before the move to those after it by
//! tables.
//!
//! Colours are a number: bit `i` is set if the disc on the `i`-th occupied square belongs to the side to move. A ray of
//! occupied squares runs from the square in each direction. The discs turned on a ray depend only on the colours along
//! it. The number is cut into bytes, and each byte has a table of its own. The XOR of the three entries is a word. Its
//! upper half has the colours in the child's numbering of squares; its lower half has the colours along the rays, as
//! two bytes. Each of these two bytes is looked up in another table, which has the discs that are turned.

use super::sets::by_eights;
use yomikiri_rules::bits::squares_of;
use yomikiri_rules::games::reversi::board::{Board, RANK_STEP, Squares};

/// The number of squares along rays that one table of turned discs covers.
const BIN: u32 = 8;

/// The first bit of the child's colours in a looked-up word. The bits below it are the colours along rays, [`BIN`] bits
/// for each table of turned discs.
const COLOURS: u32 = 32;

/// The effect that placing a disc on one square has on the colours of an occupancy.
pub struct Placing {
    /// Three look-up tables, each indexed by eight bits of the colours; the first table by the lowest eight.
    colours: [[u64; 256]; 3],
    /// The mask of all discs in the child's numbering. A look-up XORs it in, which inverts every colour, because the
    /// side to move changes.
    all: u64,
    /// Look-up tables of the discs turned, each indexed by the colours of eight squares along rays. The discs are in
    /// the child's numbering.
    turned: [[u32; 256]; 2],
}

impl Placing {
    /// Makes the tables for a disc on `square`, which is free in `occupied`. `image` is the index of the symmetry that
    /// maps the board after the move to the child. Returns `None` if the move turns no disc, whatever the colours are.
    pub fn new(board: Board, occupied: Squares, square: u8, image: usize) -> Option<Placing> {
        let child = board.image(image, occupied | 1 << square);
        let child_bit = |from: u8| (child & (board.image(image, 1 << from) - 1)).count_ones();
        let mut placing = Placing { colours: [[0; 256]; 3], all: 0, turned: [[0; 256]; 2] };
        let mut words: [u64; 64] = [0; 64];
        for from in squares_of(occupied) {
            words[usize::from(from)] = 1 << (COLOURS + child_bit(from));
        }
        let mut used = [0; 2];
        for ray in long_rays(board, occupied, square) {
            let length = ray.len() as u32;
            let bin = usize::from(used[0] + length > BIN);
            for (at, &from) in ray.iter().enumerate() {
                words[usize::from(from)] |= 1 << (bin as u32 * BIN + used[bin] + at as u32);
            }
            add_ray(&mut placing.turned[bin], used[bin], ray.iter().map(|&from| 1 << child_bit(from)));
            used[bin] += length;
        }
        if used == [0, 0] {
            return None;
        }
        placing.all = words.iter().fold(0, |all, word| all | word >> COLOURS << COLOURS);
        placing.colours = by_eights(squares_of(occupied).map(|from| words[usize::from(from)]));
        Some(placing)
    }

    /// Returns the part of the look-up that depends only on `high`, the colours shifted right by 6.
    #[inline(always)]
    pub fn high(&self, high: usize) -> u64 {
        self.all ^ self.colours[1][high >> 2 & 255] ^ self.colours[2][high >> 10 & 255]
    }

    /// Returns the discs turned (0 if the move is illegal) and the colours after the move, both in the child's
    /// numbering. `from_high` is [`Placing::high`] of `high`, and `low` is the lowest six colours.
    #[inline(always)]
    pub fn child(&self, from_high: u64, high: usize, low: usize) -> (u32, u32) {
        let word = from_high ^ self.colours[0][(high << 6 | low) & 255];
        let turned = self.turned[0][(word & 255) as usize] | self.turned[1][(word >> BIN & 255) as usize];
        (turned, (word >> COLOURS) as u32 ^ turned)
    }
}

/// Adds a ray to a table of turned discs that already covers `used` squares. `discs` are the child's bits of the
/// squares of the ray, the nearest first.
fn add_ray(table: &mut [u32; 256], used: u32, discs: impl ExactSizeIterator<Item = u32>) {
    let length = discs.len() as u32;
    let mut turned = 0;
    // `nearest` is the index of the nearest own disc.
    for (nearest, disc) in discs.enumerate() {
        for further in 0..1 << (length - 1 - nearest as u32) {
            let own = (further << 1 | 1) << nearest;
            for before in 0..1 << used {
                table[own << used | before] = table[before] | turned;
            }
        }
        turned |= disc;
    }
}

/// Returns the rays of occupied squares that begin next to `square` and are long enough for discs to be turned. The
/// longest ray comes first.
fn long_rays(board: Board, occupied: Squares, square: u8) -> Vec<Vec<u8>> {
    const STEPS: [(i8, i8); 8] = [(1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (-1, -1), (1, -1), (-1, 1)];
    let mut rays: Vec<Vec<u8>> = STEPS.map(|step| ray(board, occupied, square, step)).into();
    rays.retain(|ray| ray.len() > 1);
    rays.sort_by_key(|ray| std::cmp::Reverse(ray.len()));
    rays
}

/// Returns the unbroken ray of occupied squares that begins next to `square`. Each step along the ray goes `files`
/// files and `ranks` ranks.
fn ray(board: Board, occupied: Squares, square: u8, (files, ranks): (i8, i8)) -> Vec<u8> {
    let step = RANK_STEP as i8 * ranks + files;
    let (mut file, mut at) = ((square % RANK_STEP as u8) as i8, square as i8);
    let next = || {
        (file, at) = (file + files, at + step);
        let inside = (0..board.files as i8).contains(&file) && (0..64).contains(&at);
        (inside && occupied >> at & 1 == 1).then_some(at as u8)
    };
    std::iter::from_fn(next).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use yomikiri_rules::Side;
    use yomikiri_rules::games::reversi::board::Position;
    use yomikiri_rules::games::reversi::index::Packing;
    use yomikiri_rules::games::reversi::moves::{self, Move};

    /// Compares the tables with the rules for a disc on one square, for the given colours of an occupancy, in every
    /// image of the board.
    fn agrees_with_the_rules(board: Board, occupied: Squares, square: u8, colours: impl Iterator<Item = u32> + Clone) {
        for image in 0..board.image_count() {
            let child_packing = Packing::new(board.image(image, occupied | 1 << square));
            let placing = Placing::new(board, occupied, square, image);
            for colours in colours.clone() {
                let own = Packing::new(occupied).unpack(colours.into());
                let position = Position { own, other: occupied ^ own, side: Side::Black };
                let (high, low) = (colours as usize >> 6, colours as usize & 63);
                let found = placing.as_ref().map(|placing| placing.child(placing.high(high), high, low));
                let found = found.filter(|(turned, _)| *turned != 0).map(|(_, child)| u64::from(child));
                let legal = moves::legal(board, &position) >> square & 1 == 1;
                let child = legal.then(|| moves::play(&position, Move::Place(square)));
                let expected = child.map(|child| child_packing.pack(board.image(image, child.own)));
                assert_eq!(found, expected, "{board:?}: square {square} of {occupied:x}, colours {colours:x}");
            }
        }
    }

    #[test]
    fn all_positions_of_a_small_board() {
        let board = Board { files: 3, ranks: 3 };
        for number in 0..512u64 {
            let occupied = (number & 7) | (number >> 3 & 7) << 8 | (number >> 6 & 7) << 16;
            for square in squares_of(board.squares() & !occupied) {
                agrees_with_the_rules(board, occupied, square, 0..1 << occupied.count_ones());
            }
        }
    }

    /// Covers the longest rays.
    #[test]
    fn the_last_square_of_larger_boards() {
        let sizes = (3..=8).flat_map(|files| (3..=8).map(move |ranks| Board { files, ranks }));
        for board in sizes.filter(|board| board.area() <= 25) {
            for square in squares_of(board.squares()) {
                let occupied = board.squares() & !(1 << square);
                let mask = (1 << occupied.count_ones()) - 1;
                let spread = (0..1000u32).map(move |number| number.wrapping_mul(0x9e37_79b1) >> 3 & mask);
                // With long runs of one colour, a move turns the most discs.
                let runs =
                    (0..25).map(move |bit| ((1 << bit) - 1) & mask).chain((0..25).map(move |bit| !(1 << bit) & mask));
                agrees_with_the_rules(board, occupied, square, spread.chain(runs));
            }
        }
    }
}
