//! Positions as bits.
//!
//! Squares are counted as in the key: down the right column, then the middle, then the left one, as the side to move
//! sees the board; `square = 4 * column + row`, and a set of squares has bit `square`.

use std::hash::{Hash, Hasher};

use crate::value::Side;

pub const SQUARES: usize = 12;
pub const COLUMN_SQUARES: usize = 4;

/// A set of squares, bits 0 to 11.
pub type Squares = u16;

pub const ALL_SQUARES: Squares = 0xfff;
/// The last rank for the side to move (its opponent's home rank), and the other way round.
pub const TOP_RANK: Squares = 0x111;
pub const BOTTOM_RANK: Squares = 0x888;

/// Kinds of pieces in the order of the rule code; the number is the digit of the key minus 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Kind {
    Lion = 0,
    Elephant = 1,
    Giraffe = 2,
    Chick = 3,
    Hen = 4,
}

impl Kind {
    pub const ALL: [Kind; 5] = [Kind::Lion, Kind::Elephant, Kind::Giraffe, Kind::Chick, Kind::Hen];
    /// Kinds that can be held in hand, in the order of the key's hand digits from low to high.
    pub const HAND: [Kind; 3] = [Kind::Elephant, Kind::Giraffe, Kind::Chick];

    pub fn name(self) -> &'static str {
        ["lion", "elephant", "giraffe", "chick", "hen"][self as usize]
    }

    /// Letter of the side to move's piece; the opponent's is lower case.
    pub fn letter(self) -> char {
        ['L', 'E', 'G', 'C', 'H'][self as usize]
    }

    pub fn of_letter(letter: char) -> Option<Kind> {
        Kind::ALL.into_iter().find(|kind| kind.letter() == letter.to_ascii_uppercase())
    }
}

/// Pieces on the board and in hand, seen by the side to move at the bottom.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Board {
    pub own_lion: u8,
    pub opponent_lion: u8,
    /// The side to move's pieces of all kinds.
    pub own: Squares,
    /// Both sides' pieces; hens are among the chicks.
    pub elephants: Squares,
    pub giraffes: Squares,
    pub chicks: Squares,
    pub hens: Squares,
    /// Pieces in hand, two bits each, from bit 0: the side to move's elephants, giraffes, chicks, then the
    /// opponent's.
    pub hands: u16,
}

/// Lowest bit of the opponent's hand.
pub const OPPONENT_HAND: u32 = 6;

impl Board {
    #[inline]
    pub fn lions(&self) -> Squares {
        1 << self.own_lion | 1 << self.opponent_lion
    }

    #[inline]
    pub fn occupied(&self) -> Squares {
        self.lions() | self.elephants | self.giraffes | self.chicks
    }

    #[inline]
    pub fn opponent(&self) -> Squares {
        self.occupied() & !self.own
    }

    /// Both sides' pieces of one kind.
    #[inline]
    pub fn pieces(&self, kind: Kind) -> Squares {
        match kind {
            Kind::Lion => self.lions(),
            Kind::Elephant => self.elephants,
            Kind::Giraffe => self.giraffes,
            Kind::Chick => self.chicks & !self.hens,
            Kind::Hen => self.hens,
        }
    }

    /// Pieces of a kind in hand; `shift` is 0 for the side to move, [`OPPONENT_HAND`] for the other.
    #[inline]
    pub fn in_hand(&self, kind: Kind, shift: u32) -> u16 {
        self.hands >> (shift + hand_bit(kind)) & 3
    }

    pub fn kind_at(&self, square: usize) -> Option<Kind> {
        Kind::ALL.into_iter().find(|&kind| self.pieces(kind) >> square & 1 == 1)
    }

    /// The same position seen by the other side: turned half round, colours swapped.
    #[inline]
    pub fn rotated(&self) -> Board {
        // One reversal of 60 bits turns five sets; their order turns round with them.
        let sets = [self.elephants, self.giraffes, self.opponent(), self.hens, self.chicks];
        let packed = sets.iter().fold(0u64, |packed, &set| packed << SQUARES | u64::from(set));
        let turned = packed.reverse_bits() >> 4;
        let set = |number: u32| (turned >> (48 - 12 * number)) as u16 & ALL_SQUARES;
        Board {
            own_lion: SQUARES as u8 - 1 - self.opponent_lion,
            opponent_lion: SQUARES as u8 - 1 - self.own_lion,
            own: set(2),
            elephants: set(4),
            giraffes: set(3),
            chicks: set(0),
            hens: set(1),
            hands: self.hands >> OPPONENT_HAND | (self.hands & 0x3f) << OPPONENT_HAND,
        }
    }

    /// Left and right swapped.
    #[inline]
    pub fn mirrored(&self) -> Board {
        Board {
            own_lion: mirrored_square(self.own_lion),
            opponent_lion: mirrored_square(self.opponent_lion),
            own: mirrored(self.own),
            elephants: mirrored(self.elephants),
            giraffes: mirrored(self.giraffes),
            chicks: mirrored(self.chicks),
            hens: mirrored(self.hens),
            hands: self.hands,
        }
    }

    /// The key of exactly this board: 60 bits, hands first, then a digit per square: 0 empty, 1 to 5 the side to
    /// move's lion, elephant, giraffe, chick, hen, 9 to 13 the opponent's.
    pub fn key(&self) -> u64 {
        (0..SQUARES).fold(u64::from(self.hands), |key, square| {
            let digit = self.kind_at(square).map_or(0, |kind| {
                let side = if self.own >> square & 1 == 1 { 1 } else { 9 };
                side + kind as u64
            });
            key << 4 | digit
        })
    }

    /// The smaller of the keys of the board and its mirror image.
    pub fn canonical_key(&self) -> u64 {
        self.key().min(self.mirrored().key())
    }

    /// Of the board and its mirror image, the one with the smaller key.
    pub fn canonical(&self) -> Board {
        let mirror = self.mirrored();
        if mirror.key() < self.key() { mirror } else { *self }
    }
}

/// Bit of a kind's count in a hand.
#[inline]
pub fn hand_bit(kind: Kind) -> u32 {
    match kind {
        Kind::Elephant => 0,
        Kind::Giraffe => 2,
        _ => 4,
    }
}

/// The set turned half round.
#[inline]
pub fn reversed(set: Squares) -> Squares {
    set.reverse_bits() >> 4
}

/// The set with left and right swapped.
#[inline]
pub fn mirrored(set: Squares) -> Squares {
    (set & 0x00f) << 8 | set & 0x0f0 | set >> 8
}

#[inline]
pub fn mirrored_square(square: u8) -> u8 {
    // Columns 0, 1, 2 become 2, 1, 0.
    8 - (square & 0xc) + (square & 3)
}

/// A board and whose turn it is. The turn only decides how moves and boards are written: positions are equal when the
/// boards are, each seen by the side to move.
#[derive(Clone, Copy, Debug)]
pub struct Position {
    pub board: Board,
    pub turn: Side,
}

impl PartialEq for Position {
    fn eq(&self, other: &Position) -> bool {
        self.board == other.board
    }
}

impl Eq for Position {}

impl Hash for Position {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.board.hash(state);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::animal_shogi::text::board_of_key;

    #[test]
    fn turning_and_mirroring_twice_changes_nothing() {
        let board = board_of_key("51000a09001b002").unwrap();
        assert_eq!(board.rotated().rotated(), board);
        assert_eq!(board.mirrored().mirrored(), board);
        assert_eq!(board.rotated().mirrored(), board.mirrored().rotated());
        assert_eq!(format!("{:015x}", board.rotated().key()), expected_rotation(&board));
    }

    /// The rotation square by square.
    fn expected_rotation(board: &Board) -> String {
        let squares = (0..SQUARES).rev().map(|square| match (board.kind_at(square), board.own >> square & 1) {
            (None, _) => 0,
            (Some(kind), 1) => kind as u64 + 9,
            (Some(kind), _) => kind as u64 + 1,
        });
        let hands = u64::from(board.hands >> 6 | (board.hands & 63) << 6);
        format!("{:015x}", squares.fold(hands, |key, digit| key << 4 | digit))
    }
}
