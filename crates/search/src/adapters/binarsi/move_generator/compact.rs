//! Compact positions for searches. They lack the plies at which targets were cleared, because those are only displayed.

use yomikiri_rules::Side;
use yomikiri_rules::games::binarsi::board::{FIRST_FILE, Position, Rect, Squares};
use yomikiri_rules::games::binarsi::rules::Rules;
use yomikiri_rules::games::binarsi::targets::{self, Verdict};

/// A position for searches, 24 bytes. Positions with the same stones, locks and cleared targets are equal, even if the
/// targets were cleared at different plies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct CompactPosition {
    /// The squares of the black stones.
    pub stones: Squares,
    /// The squares of the stones of both colours, which form a rectangle.
    pub squares: Squares,
    /// The locked ways, see [`yomikiri_rules::games::binarsi::board::Way::lock`].
    pub locks: u16,
    /// The cleared targets, see [`yomikiri_rules::games::binarsi::targets`].
    pub targets: u8,
}

impl CompactPosition {
    /// The squares of the white stones.
    #[inline]
    pub fn white(&self) -> Squares {
        self.squares & !self.stones
    }

    /// Returns the side that would win if the stones were counted now.
    #[inline]
    pub fn counted(&self, rules: &Rules) -> Side {
        rules.stones_winner(self.stones.count_ones(), self.white().count_ones())
    }

    /// Returns the winner if cleared targets have ended the game, otherwise `None`.
    #[inline]
    pub fn by_targets(&self, rules: &Rules) -> Option<Side> {
        match targets::verdict(self.targets) {
            Verdict::Open => None,
            Verdict::Won(side) => Some(side),
            Verdict::Count => Some(self.counted(rules)),
        }
    }

    /// The squares whose stones can never change again, because both their ways are locked.
    #[inline]
    pub fn fixed(&self) -> Squares {
        let files = FIRST_FILE * u64::from(self.locks & 0x7f);
        let ranks = 0x7f * SPREAD[usize::from(self.locks >> 7)];
        files & ranks
    }

    /// Converts to a full position. `before` is the position one move earlier. Targets that were already cleared in
    /// `before` keep the plies at which they were cleared. Newly cleared targets get the ply of the converted position.
    pub fn after(&self, before: &Position) -> Position {
        let CompactPosition { stones, squares, locks, targets } = *self;
        let rect = if squares == before.rect.squares() { Some(before.rect) } else { Rect::around(squares) };
        let mut position = Position { stones, rect: rect.unwrap_or(before.rect), locks, targets, ..*before };
        let fresh = targets & !before.targets;
        if fresh != 0 {
            let ply = position.ply() as u8;
            let bits = (0..6).filter(|bit| fresh >> bit & 1 == 1);
            bits.for_each(|bit| position.clear_plies[bit] = ply);
        }
        position
    }

    /// Converts to a full position. The plies at which targets were cleared are unknown and set to 0.
    pub fn position(&self) -> Position {
        let CompactPosition { stones, squares, locks, targets } = *self;
        let rect = Rect::around(squares).unwrap_or(Rect { width: 1, height: 1, file: 0, rank: 0 });
        Position { stones, rect, locks, targets, clear_plies: [0; 6] }
    }

    /// Returns the number of plies since the start.
    #[inline]
    pub fn ply(&self) -> u32 {
        let width = (self.squares >> (self.squares.trailing_zeros() & !7) & 0x7f).count_ones();
        width + self.squares.count_ones() / width - 2 + self.locks.count_ones()
    }
}

impl From<&Position> for CompactPosition {
    fn from(position: &Position) -> CompactPosition {
        let Position { stones, rect, locks, targets, .. } = *position;
        CompactPosition { stones, squares: rect.squares(), locks, targets }
    }
}

/// Indexed by number: the bits of the number, spread eight bits apart like the squares of a file.
pub static SPREAD: [Squares; 128] = {
    let mut table = [0; 128];
    let mut number = 0;
    while number < 128 {
        let mut bit = 0;
        while bit < 7 {
            table[number] |= (number as u64 >> bit & 1) << (8 * bit);
            bit += 1;
        }
        number += 1;
    }
    table
};

/// Gathers bits 0, 8, up to 48 into a number: the inverse of `SPREAD`. All other bits must be clear.
#[inline]
pub fn gathered(bits: Squares) -> u64 {
    bits.wrapping_mul(0x0102_0408_1020_4080) >> 56
}

#[cfg(test)]
mod tests {
    use super::*;
    use yomikiri_rules::games::binarsi::Binarsi;
    use yomikiri_rules::{Game, Notation};

    #[test]
    fn spread_bits_are_gathered_again() {
        for (&squares, number) in SPREAD.iter().zip(0..) {
            assert_eq!(gathered(squares), number);
        }
    }

    #[test]
    fn fixed_squares_lie_on_two_locked_ways() {
        let game = Binarsi::parse("bin7x6").unwrap();
        let text = "7/xxxxx2/xxxox2/oooxx2/oooox2/7 b 2345d 4/11////9 12";
        let position = CompactPosition::from(&game.parse_position(text).unwrap());
        assert_eq!(position.fixed(), 0b1_1110 << 24);
        assert_eq!(position.ply(), 12);
    }
}
