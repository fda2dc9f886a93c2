//! Positions as bits.
//!
//! Squares are counted as in the key: down the right column, then the middle, then the left one, as the side to move
//! sees the board; `square = 4 * column + row`, and a set of squares has bit `square`.

use std::hash::{Hash, Hasher};

use crate::Side;

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

/// Pieces on the board and in hand, seen by the side to move at the bottom. Two words, so that a position stays in
/// registers while moves are tried.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Board {
    /// Five sets of squares, twelve bits each, from bit 0: elephants, chicks (with hens), the side to move's pieces of
    /// all kinds, hens, giraffes.
    sets: u64,
    /// From bit 0: hands (12 bits), the side to move's lion and the opponent's (a square in 4 bits each).
    rest: u32,
}

/// Where the sets begin in `Board::sets`.
const ELEPHANTS: u32 = 0;
const CHICKS: u32 = 12;
const OWN: u32 = 24;
const HENS: u32 = 36;
const GIRAFFES: u32 = 48;

/// Bit 0 of all five sets.
const EACH: u64 = 1 << ELEPHANTS | 1 << CHICKS | 1 << OWN | 1 << HENS | 1 << GIRAFFES;

/// Where the lions are in `Board::rest`.
const OWN_LION: u32 = 12;
const OPPONENT_LION: u32 = 16;

/// Lowest bit of the opponent's hand.
pub const OPPONENT_HAND: u32 = 6;

impl Board {
    /// A board with lions and hands and nothing else.
    #[inline]
    pub fn of_lions(own: u8, opponent: u8, hands: u16) -> Board {
        let rest = u32::from(hands) | u32::from(own) << OWN_LION | u32::from(opponent) << OPPONENT_LION;
        Board { sets: 1 << (OWN + u32::from(own)), rest }
    }

    #[inline]
    fn set(&self, at: u32) -> Squares {
        (self.sets >> at) as Squares & ALL_SQUARES
    }

    /// The side to move's pieces of all kinds.
    #[inline]
    pub fn own(&self) -> Squares {
        self.set(OWN)
    }

    /// Both sides' elephants.
    #[inline]
    pub fn elephants(&self) -> Squares {
        self.set(ELEPHANTS)
    }

    /// Both sides' giraffes.
    #[inline]
    pub fn giraffes(&self) -> Squares {
        self.set(GIRAFFES)
    }

    /// Both sides' chicks and hens.
    #[inline]
    pub fn chicks(&self) -> Squares {
        self.set(CHICKS)
    }

    /// Both sides' hens.
    #[inline]
    pub fn hens(&self) -> Squares {
        self.set(HENS)
    }

    /// Square of the side to move's lion.
    #[inline]
    pub fn own_lion(&self) -> u8 {
        (self.rest >> OWN_LION & 15) as u8
    }

    /// Square of the opponent's lion.
    #[inline]
    pub fn opponent_lion(&self) -> u8 {
        (self.rest >> OPPONENT_LION & 15) as u8
    }

    /// Pieces in hand, two bits each, from bit 0: the side to move's elephants, giraffes, chicks, then the
    /// opponent's. The same order as in the key.
    #[inline]
    pub fn hands(&self) -> u16 {
        (self.rest & 0xfff) as u16
    }

    #[inline]
    pub fn lions(&self) -> Squares {
        1 << self.own_lion() | 1 << self.opponent_lion()
    }

    #[inline]
    pub fn occupied(&self) -> Squares {
        self.lions() | self.elephants() | self.giraffes() | self.chicks()
    }

    #[inline]
    pub fn opponent(&self) -> Squares {
        self.occupied() & !self.own()
    }

    /// Both sides' pieces of one kind.
    #[inline]
    pub fn pieces(&self, kind: Kind) -> Squares {
        match kind {
            Kind::Lion => self.lions(),
            Kind::Elephant => self.elephants(),
            Kind::Giraffe => self.giraffes(),
            Kind::Chick => self.chicks() & !self.hens(),
            Kind::Hen => self.hens(),
        }
    }

    /// Pieces of a kind in hand; `shift` is 0 for the side to move, [`OPPONENT_HAND`] for the other.
    #[inline]
    pub fn in_hand(&self, kind: Kind, shift: u32) -> u16 {
        self.hands() >> (shift + hand_bit(kind)) & 3
    }

    pub fn kind_at(&self, square: usize) -> Option<Kind> {
        Kind::ALL.into_iter().find(|&kind| self.pieces(kind) >> square & 1 == 1)
    }

    /// The board with the piece on a square, but for lions, taken away.
    #[inline]
    pub fn without(self, square: u8) -> Board {
        Board { sets: self.sets & !(EACH << square), ..self }
    }

    /// The board with a piece of the opponent's, no lion, on an empty square.
    #[inline]
    pub fn with(self, kind: Kind, square: u8) -> Board {
        let sets = match kind {
            Kind::Lion => 0,
            Kind::Elephant => 1 << ELEPHANTS,
            Kind::Giraffe => 1 << GIRAFFES,
            Kind::Chick => 1 << CHICKS,
            Kind::Hen => 1 << CHICKS | 1 << HENS,
        };
        Board { sets: self.sets | sets << square, ..self }
    }

    /// The board with some of the pieces on it made the side to move's, beside those that are.
    #[inline]
    pub fn owning(self, squares: Squares) -> Board {
        Board { sets: self.sets | u64::from(squares) << OWN, ..self }
    }

    /// The board with some of its chicks made hens.
    #[inline]
    pub fn with_hens(self, squares: Squares) -> Board {
        Board { sets: self.sets | u64::from(squares) << HENS, ..self }
    }

    /// The board with sets of pieces on empty squares, all the opponent's.
    #[inline]
    pub fn with_sets(self, elephants: Squares, giraffes: Squares, chicks: Squares) -> Board {
        let sets = u64::from(elephants) << ELEPHANTS | u64::from(giraffes) << GIRAFFES | u64::from(chicks) << CHICKS;
        Board { sets: self.sets | sets, ..self }
    }

    /// The board with the side to move's lion on another square.
    #[inline]
    pub fn with_own_lion(self, square: u8) -> Board {
        let sets = self.sets & !(1 << (OWN + u32::from(self.own_lion()))) | 1 << (OWN + u32::from(square));
        Board { sets, rest: self.rest & !(15 << OWN_LION) | u32::from(square) << OWN_LION }
    }

    /// The board with the opponent's lion on another square.
    #[inline]
    pub fn with_opponent_lion(self, square: u8) -> Board {
        Board { rest: self.rest & !(15 << OPPONENT_LION) | u32::from(square) << OPPONENT_LION, ..self }
    }

    /// The board with one piece more in a hand, which has room for it.
    #[inline]
    pub fn holding(self, kind: Kind, shift: u32) -> Board {
        Board { rest: self.rest + (1 << (shift + hand_bit(kind))), ..self }
    }

    /// The board with one piece less in a hand, which has one.
    #[inline]
    pub fn spending(self, kind: Kind, shift: u32) -> Board {
        Board { rest: self.rest - (1 << (shift + hand_bit(kind))), ..self }
    }

    /// The same position seen by the other side: turned half round, colours swapped.
    #[inline]
    pub fn rotated(&self) -> Board {
        let hands = self.hands() >> OPPONENT_HAND | (self.hands() & 0x3f) << OPPONENT_HAND;
        let turned = |square: u8| SQUARES as u8 - 1 - square;
        let board = Board::of_lions(turned(self.opponent_lion()), turned(self.own_lion()), hands);
        let sets = [self.elephants(), self.giraffes(), self.chicks()].map(reversed);
        let board = board.with_sets(sets[0], sets[1], sets[2]);
        board.with_hens(reversed(self.hens())).owning(reversed(self.opponent()))
    }

    /// Left and right swapped.
    #[inline]
    pub fn mirrored(&self) -> Board {
        let column = EACH * 0xf;
        let sets = (self.sets & column) << 8 | self.sets & column << 4 | self.sets >> 8 & column;
        let board =
            Board::of_lions(mirrored_square(self.own_lion()), mirrored_square(self.opponent_lion()), self.hands());
        Board { sets, ..board }
    }

    /// The key of exactly this board: 60 bits, hands first, then a digit per square: 0 empty, 1 to 5 the side to
    /// move's lion, elephant, giraffe, chick, hen, 9 to 13 the opponent's.
    pub fn key(&self) -> u64 {
        (0..SQUARES).fold(u64::from(self.hands()), |key, square| {
            let digit = self.kind_at(square).map_or(0, |kind| {
                let side = if self.own() >> square & 1 == 1 { 1 } else { 9 };
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
        let squares = (0..SQUARES).rev().map(|square| match (board.kind_at(square), board.own() >> square & 1) {
            (None, _) => 0,
            (Some(kind), 1) => kind as u64 + 9,
            (Some(kind), _) => kind as u64 + 1,
        });
        let hands = u64::from(board.hands() >> 6 | (board.hands() & 63) << 6);
        format!("{:015x}", squares.fold(hands, |key, digit| key << 4 | digit))
    }
}
