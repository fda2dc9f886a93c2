//! Keys: rank and unrank of positions.
//!
//! A file with `h` discs is encoded as the number `2^h - 1 + c`, where bit `i` of `c` is set if the disc on rank `i`
//! belongs to the side to move, with rank 0 at the bottom. This takes `ranks + 1` bits, and the highest value is
//! unused. The key has the numbers of all files side by side, the leftmost file in the lowest bits. Equivalently, the
//! key is the sum of two bitboards with `ranks + 1` bits for each file: the discs of the side to move, and all discs.
//! Positions have keys on boards whose keys fit 64 bits.

use super::board::{Board, FILE_STEP, Position, Squares};

/// Returns the number of bits of one file in a key.
#[inline]
fn width(board: Board) -> u32 {
    u32::from(board.ranks) + 1
}

/// Returns true if keys fit 64 bits, as they do on all boards but 8x8.
pub fn has_keys(board: Board) -> bool {
    u32::from(board.files) * width(board) <= u64::BITS
}

/// Returns the upper bound of all keys, exclusive.
pub fn end(board: Board) -> u64 {
    let full_file = (1 << width(board)) - 2;
    (0..board.files).fold(0, |key, _| key << width(board) | full_file) + 1
}

/// Returns the key of the position itself. Its mirror image has another key, unless the position is symmetric.
#[inline]
pub fn rank(board: Board, position: &Position) -> u64 {
    let occupied = position.occupied();
    let discs = |squares: Squares, file: u8| squares >> (FILE_STEP * u32::from(file)) & 0xff;
    let file = |file| discs(position.own, file) + discs(occupied, file);
    (0..board.files).rev().fold(0, |key, at| key << width(board) | file(at))
}

/// Returns the position with this key. Returns `None` if the bits of a file encode no stack of discs, or if the key has
/// bits above those of the files. Does not check how many discs each side has.
#[inline]
pub fn unrank(board: Board, mut key: u64) -> Option<Position> {
    let (mut own, mut occupied) = (0, 0);
    for file in 0..u32::from(board.files) {
        let number = key & ((1 << width(board)) - 1);
        let height = (number + 1).ilog2();
        if height > u32::from(board.ranks) {
            return None;
        }
        let discs = (1 << height) - 1;
        own |= (number - discs) << (FILE_STEP * file);
        occupied |= discs << (FILE_STEP * file);
        key = key.unbounded_shr(width(board));
    }
    (key == 0).then_some(Position { own, other: occupied & !own })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn boards() -> impl Iterator<Item = Board> {
        (3..=8).flat_map(|files| (3..=8).map(move |ranks| Board { files, ranks })).filter(|&board| has_keys(board))
    }

    #[test]
    fn the_largest_key_is_the_full_board() {
        for board in boards() {
            let full = Position { own: board.squares(), other: 0 };
            assert_eq!(rank(board, &full), end(board) - 1);
            assert_eq!(unrank(board, end(board) - 1), Some(full));
            assert_eq!(unrank(board, end(board)), None);
            assert_eq!(unrank(board, u64::MAX), None);
        }
        assert_eq!(boards().count(), 35);
    }

    #[test]
    fn small_keys_read_back() {
        for board in boards() {
            let known = (0..5000).filter_map(|key| unrank(board, key).map(|position| (key, position)));
            let known: Vec<(u64, Position)> = known.collect();
            assert!(known.len() > 1000 && known.iter().all(|(key, position)| rank(board, position) == *key));
            assert!(known.iter().all(|(_, position)| position.occupied() & !board.squares() == 0));
        }
    }
}
