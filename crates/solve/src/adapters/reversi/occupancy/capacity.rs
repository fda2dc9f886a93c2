//! The boards whose whole tables are made occupancy by occupancy, and the memory that a run needs.

use super::enumerate;
use yomikiri_rules::Game;
use yomikiri_rules::games::reversi::Reversi;
use yomikiri_rules::games::reversi::board::Board;

/// The maximum number of squares of a board. Three look-ups by eight colours each cover the 24 discs that are on the
/// board before the last move.
const MAX_SQUARES: u32 = 25;

/// The maximum number of squares of a board with three files or ranks. On larger boards of this shape, only few of the
/// possible colourings can arise, and the kernel of sorted keys is faster.
const MAX_SQUARES_IF_NARROW: u32 = 21;

/// Bytes of memory for the program itself and for small buffers.
const ROOM: u64 = 16 << 20;

/// Returns true if this kernel makes whole tables of the board.
pub fn takes(board: Board) -> bool {
    board.area() <= if board.files.min(board.ranks) == 3 { MAX_SQUARES_IF_NARROW } else { MAX_SQUARES }
}

/// Returns the memory that a run needs, in bytes: the bits of two plies; the counts, values and pending writes of the
/// later ply, which together have the size of its bits; the list of sections, one for each occupancy; and 16 MiB for the
/// program itself.
pub fn memory_needed(game: &Reversi) -> u64 {
    /// The size of a section in the list, with its counts of values, in bytes.
    const SECTION: u64 = 512;
    let plies = enumerate::FIRST..game.rules.board.area();
    let bits = |discs: u32| most_occupancies(game, discs) << discs.max(6) >> 3;
    let most = plies.clone().map(|discs| bits(discs) + 2 * bits(discs + 1)).max().unwrap_or(0);
    let sections: u64 = plies.map(|discs| most_occupancies(game, discs)).sum();
    most + SECTION * sections + ROOM
}

/// Estimates the number of occupancies with `discs` discs. The estimate is rarely too low. It counts the choices of
/// squares for the discs added since the start, divides by the number of symmetries of the start, and adds a margin.
fn most_occupancies(game: &Reversi, discs: u32) -> u64 {
    let board = game.rules.board;
    let start = game.start().occupied();
    let symmetries = (0..board.image_count()).filter(|&image| board.image(image, start) == start).count() as u64;
    let (free, added) = (u64::from(board.area() - enumerate::FIRST), u64::from(discs - enumerate::FIRST));
    let sets = (0..added).fold(1, |sets, taken| sets * (free - taken) / (taken + 1));
    sets.div_ceil(symmetries) * 21 / 20 + 1
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::adapters::reversi::occupancy::occupancies::Occupancies;

    #[test]
    fn memory_is_enough_for_the_occupancies_there_are() {
        for code in ["rev4x4", "rev4x5", "rev7x3", "rev6x4", "rev5x5"] {
            let game = Reversi::parse(code).unwrap();
            let occupancies = Occupancies::new(game.rules);
            let words = |discs: u32| enumerate::ply_words(&occupancies, discs) as u64;
            let most =
                (enumerate::FIRST..game.rules.board.area() - 1).map(|discs| words(discs) + 2 * words(discs + 1)).max();
            assert!(memory_needed(&game) >= 8 * most.unwrap() + ROOM, "{code}");
        }
    }
}
