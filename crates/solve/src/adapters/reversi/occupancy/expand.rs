//! A step of the enumeration: finds the positions of an occupancy (a set of occupied squares) from the positions of the
//! ply before.

use super::occupancies::{Occupancies, images_between, least_image};
use super::placing::Placing;
use super::sets::{ColourMap, Symmetry, each_colours, words_per_occupancy};
use yomikiri_rules::bits::{set_bits, squares_of};
use yomikiri_rules::games::reversi::board::{Board, Squares};
use yomikiri_rules::games::reversi::lines;

/// Enumerates the positions of an occupancy of [`Occupancies::of`]. Pulls them from its parents in `before`, which has
/// all words of the ply before. The result goes to `words`, which must be zeroed.
///
/// There are [`words_per_occupancy`] words. Bit `c` is the position with the colours `c`, a number with a bit for each
/// disc: set if the disc belongs to the side to move. The step reads no words other than `before`, so occupancies can
/// be done in any order.
pub fn expand(occupancies: &Occupancies, occupied: Squares, before: &[u64], words: &mut [u64]) {
    pull(occupancies, occupied, before, words);
    close(occupancies.board, occupied, words);
}

/// Adds the positions of an occupancy that arise by placing a disc. If several symmetric images of a position have this
/// occupancy, adds at least one of them.
fn pull(occupancies: &Occupancies, occupied: Squares, before: &[u64], words: &mut [u64]) {
    let board = occupancies.board;
    let size = words_per_occupancy(occupied.count_ones() - 1);
    for (parent, square) in parents(board, occupied) {
        let Some(number) = occupancies.find(parent) else { continue };
        let from = &before[number * size..][..size];
        if from.iter().all(|&word| word == 0) {
            continue;
        }
        let image = images_between(board, parent | 1 << square, occupied)
            .next()
            .expect("a symmetry maps the squares after the move to `occupied`");
        let Some(placing) = Placing::new(board, parent, square, image) else { continue };
        for (high, &word) in from.iter().enumerate() {
            if word == 0 {
                continue;
            }
            let from_high = placing.high(high);
            for low in set_bits(word) {
                let (turned, child) = placing.child(from_high, high, low as usize);
                words[(child >> 6) as usize] |= u64::from(turned != 0) << (child & 63);
            }
        }
    }
}

/// Returns the moves that lead to an image of `occupied` by symmetry. Each move is the canonical set of occupied
/// squares before the move and the square of the placed disc.
fn parents(board: Board, occupied: Squares) -> Vec<(Squares, u8)> {
    let of_square = |square: u8| {
        let rest = occupied & !(1 << square);
        let parent = least_image(board, rest);
        let images = images_between(board, rest, parent);
        images.map(move |image| (parent, board.image(image, 1 << square).trailing_zeros() as u8))
    };
    let mut parents: Vec<(Squares, u8)> = squares_of(occupied).flat_map(of_square).collect();
    parents.sort_unstable();
    parents.dedup();
    parents
}

/// Replaces the positions of an occupancy with their canonical forms, removes the position in which the side to move
/// has no disc, and adds the positions after passes.
fn close(board: Board, occupied: Squares, words: &mut [u64]) {
    // In a position without set colour bits, the side to move has no disc, and the game is over.
    words[0] &= !1;
    if words.iter().all(|&word| word == 0) {
        return;
    }
    let symmetry = Symmetry::new(board, occupied);
    if !symmetry.is_trivial() {
        fold(&symmetry, words);
    }
    let painting = ColourMap::new(occupied);
    let (all, empty) = ((1u32 << occupied.count_ones()) - 1, board.squares() & !occupied);
    let mut passed = Vec::new();
    each_colours(words, |colours| {
        let (own, other) = painting.discs(colours as usize);
        if lines::legal_moves(own, other, empty) == 0 && lines::legal_moves(other, own, empty) != 0 {
            passed.push(symmetry.least(all ^ colours));
        }
    });
    passed.iter().for_each(|&colours| words[(colours >> 6) as usize] |= 1 << (colours & 63));
}

/// Replaces each position of the bit set `words` with its symmetric image whose colours are the smallest number.
fn fold(symmetry: &Symmetry, words: &mut [u64]) {
    let mut others = Vec::new();
    each_colours(words, |colours| {
        if symmetry.least(colours) != colours {
            others.push(colours);
        }
    });
    for colours in others {
        words[(colours >> 6) as usize] &= !(1 << (colours & 63));
        let least = symmetry.least(colours);
        words[(least >> 6) as usize] |= 1 << (least & 63);
    }
}
