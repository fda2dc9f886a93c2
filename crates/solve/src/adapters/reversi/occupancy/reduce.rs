//! A step of the valuation: values the positions of one occupancy (set of occupied squares) from the values of the next
//! ply.

use super::occupancies::{Occupancies, images_between, least_image};
use super::placing::Placing;
use super::sets::{ColourMap, Symmetry, each_colours, words_per_occupancy};
use yomikiri_rules::bits::squares_of;
use yomikiri_rules::games::reversi::board::{Position, Squares};
use yomikiri_rules::games::reversi::lines;
use yomikiri_rules::games::reversi::rules::Rules;
use yomikiri_rules::{Side, Value};
use yomikiri_table::parallel;

/// The byte of a position without a legal move. It is greater than the byte of any score.
const NO_MOVE: u8 = u8::MAX;

/// The number of words of the bit set of positions in which one thread counts the positions at a time.
const PART: usize = 1 << 16;

/// The positions of a ply with their table bytes.
pub struct PlySheet {
    /// The positions as a bit set, in the layout that [`super::expand`] describes.
    words: Vec<u64>,
    /// For each word, the number of positions in all words before it.
    before: Vec<u32>,
    /// The bytes in the order of positions. One spare byte at the end keeps look-ups of missing positions in bounds.
    bytes: Vec<u8>,
}

impl PlySheet {
    /// Makes the sheet of the positions in `words`. `bytes` has the byte of each position, in the same order.
    pub fn new(words: Vec<u64>, mut bytes: Vec<u8>) -> PlySheet {
        assert!(u32::try_from(bytes.len()).is_ok(), "a ply has more positions than a sheet can count");
        let parts: Vec<&[u64]> = words.chunks(PART).collect();
        let counts = parallel::map(parts.len(), |part| parts[part].iter().map(|word| word.count_ones()).sum());
        let sums = counts.iter().scan(0, |sum, count: &u32| Some(std::mem::replace(sum, *sum + count)));
        let sums: Vec<u32> = sums.collect();
        let mut before = vec![0; words.len()];
        parallel::each_part_mut(&mut before, PART, |part, before| {
            let mut count = sums[part];
            for (before, word) in before.iter_mut().zip(parts[part]) {
                *before = count;
                count += word.count_ones();
            }
        });
        bytes.push(0);
        PlySheet { words, before, bytes }
    }

    /// Returns the byte of the position at bit `lane` of a word; an arbitrary byte if there is no such position.
    #[inline(always)]
    pub fn byte(&self, word: usize, lane: u32) -> u8 {
        let earlier = self.words[word] & ((1 << lane) - 1);
        self.bytes[(self.before[word] + earlier.count_ones()) as usize]
    }
}

/// Values the positions of one ply from the table bytes of the next ply.
pub struct Valuer<'a> {
    rules: Rules,
    occupancies: &'a Occupancies,
    /// The positions of the next ply, which have one disc more, with their table bytes.
    below: &'a PlySheet,
    /// The table bytes of terminal positions, indexed by the number of discs of the side to move. The first list is for
    /// this ply, the second for the next ply.
    ends: [Vec<u8>; 2],
}

impl<'a> Valuer<'a> {
    pub fn new(rules: Rules, occupancies: &'a Occupancies, discs: u32, below: &'a PlySheet) -> Valuer<'a> {
        Valuer { rules, occupancies, below, ends: [ends(rules, discs), ends(rules, discs + 1)] }
    }

    /// Returns the table bytes of the positions of one occupancy (set of occupied squares), in the order of their bits
    /// in `words`. Reads only these words and the bytes of the next ply, so occupancies can be valued in any order.
    pub fn bytes(&self, occupied: Squares, words: &[u64]) -> Vec<u8> {
        let mut colours = Vec::new();
        each_colours(words, |here| colours.push(here));
        let mut least = vec![NO_MOVE; colours.len()];
        let empty = self.rules.board.squares() & !occupied;
        for square in squares_of(empty) {
            self.place(occupied, square, &colours, &mut least);
        }
        let painting = ColourMap::new(occupied);
        let byte = |(&colours_here, &byte): (&u32, &u8)| {
            if byte != NO_MOVE {
                return of_move(byte);
            }
            let (own, other) = painting.discs(colours_here as usize);
            if lines::legal_moves(other, own, empty) == 0 {
                return self.ends[0][own.count_ones() as usize];
            }
            least[self.place_after_pass(occupied, colours_here, &colours)]
        };
        colours.iter().zip(&least).map(byte).collect()
    }

    /// Looks up the child of each position after a disc on `square`. Updates `least`: for each position, the least byte
    /// of the children looked up so far.
    fn place(&self, occupied: Squares, square: u8, colours: &[u32], least: &mut [u8]) {
        let board = self.rules.board;
        let occupied_then = least_image(board, occupied | 1 << square);
        let image = images_between(board, occupied | 1 << square, occupied_then)
            .next()
            .expect("a symmetry maps the squares to their least image");
        let Some(placing) = Placing::new(board, occupied, square, image) else { return };
        let ends = &self.ends[1];
        if occupied_then == board.squares() {
            return improve(&placing, colours, least, |child| ends[child.count_ones() as usize]);
        }
        let number = self.occupancies.find(occupied_then).expect("an occupancy and one more disc are an occupancy");
        let first = number * words_per_occupancy(occupied_then.count_ones());
        let value = |child: u32| match child {
            0 => ends[0],
            _ => self.below.byte(first + (child >> 6) as usize, child & 63),
        };
        let symmetry = Symmetry::new(board, occupied_then);
        match symmetry.is_trivial() {
            true => improve(&placing, colours, least, value),
            false => improve(&placing, colours, least, |child| value(symmetry.least(child))),
        }
    }

    /// Returns the index in `colours` of the position after a pass. `before` has the colours before the pass.
    fn place_after_pass(&self, occupied: Squares, before: u32, colours: &[u32]) -> usize {
        let all = (1 << occupied.count_ones()) - 1;
        let after = Symmetry::new(self.rules.board, occupied).least(all ^ before);
        colours.binary_search(&after).expect("the position after a pass can arise")
    }
}

/// Lowers `least` of each position to the byte of its child after the move `placing`, if the move is legal and the byte
/// is less.
#[inline(always)]
fn improve(placing: &Placing, colours: &[u32], least: &mut [u8], value: impl Fn(u32) -> u8) {
    for (&colours, least) in colours.iter().zip(least) {
        let (high, low) = (colours as usize >> 6, colours as usize & 63);
        let (turned, child) = placing.child(placing.high(high), high, low);
        let byte = value(child);
        *least = if turned == 0 { *least } else { byte.min(*least) };
    }
}

/// Converts the byte of a child to the byte of the move that leads to it. The score is negated for the other side, and
/// opposite scores have opposite bytes.
fn of_move(byte: u8) -> u8 {
    byte.wrapping_neg()
}

/// Returns the table bytes of games that end with `discs` discs, indexed by the number of discs of the side to move.
fn ends(rules: Rules, discs: u32) -> Vec<u8> {
    let all: Squares = (1 << discs) - 1;
    let end = |own: u32| {
        let own = (1 << own) - 1;
        rules.score(&Position { own, other: all ^ own, side: Side::Black }).to_byte()
    };
    (0..=discs).map(end).collect()
}

#[cfg(test)]
mod tests {
    use super::super::enumerate::{FIRST, next_ply, start};
    use super::*;
    use crate::levels;
    use yomikiri_rules::games::reversi::Reversi;
    use yomikiri_rules::{Game, Score};
    use yomikiri_table::Silent;

    /// Values one occupancy at a time, the last one first.
    #[test]
    fn occupancies_in_any_order_have_the_values_of_sorted_keys() {
        for code in ["rev4x4", "rev3x5-p"] {
            let game = Reversi::parse(code).unwrap();
            let (board, occupancies) = (game.rules.board, Occupancies::new(game.rules));
            let mut plies = vec![start(&game, &occupancies)];
            for discs in FIRST + 1..board.area() {
                plies.push(next_ply(&occupancies, discs, &plies[plies.len() - 1], &Silent));
            }
            let sorted = levels::enumerate(&game, &game.start(), 1 << 30, &Silent).unwrap();
            let mut expected = levels::solve(&game, &sorted, &Silent);
            let mut below = PlySheet::new(Vec::new(), Vec::new());
            for (discs, words) in (FIRST..board.area()).zip(plies).rev() {
                let valuer = Valuer::new(game.rules, &occupancies, discs, &below);
                let slices = occupancies.of(discs).iter().zip(words.chunks(words_per_occupancy(discs))).rev();
                let mut found: Vec<_> = slices.map(|(&occupied, words)| valuer.bytes(occupied, words)).collect();
                found.reverse();
                let bytes = found.concat();
                if !bytes.is_empty() {
                    assert!(Some(&bytes) == expected.pop().as_ref(), "{code}: {discs} discs");
                }
                below = PlySheet::new(words, bytes);
            }
            assert!(expected.is_empty(), "{code}");
        }
    }

    #[test]
    fn bytes_of_scores_change_sides_as_numbers() {
        for score in (-64..=64).map(Score::new) {
            assert_eq!(of_move(score.to_byte()), score.of_move().to_byte());
            assert!(score.to_byte() < NO_MOVE);
        }
    }
}
