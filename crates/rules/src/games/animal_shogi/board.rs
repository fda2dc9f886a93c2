//! Positions as bitboards.
//!
//! Squares are numbered as the side to move sees the board, in the order of the digits of [`Board::key`]: down the
//! right column, then the middle column, then the left one. So `square = 4 * column + row`, with column 0 on the right.
//! Bit `square` of a set stands for the square.

use std::hash::{Hash, Hasher};

use crate::Side;

/// The number of squares of the board.
pub const SQUARES: usize = 12;
/// The number of squares in a column.
pub const COLUMN_SQUARES: usize = 4;

/// A set of squares, bits 0 to 11.
pub type Squares = u16;

/// All squares of the board.
pub const ALL_SQUARES: Squares = 0xfff;
/// The last rank for the side to move, which is the opponent's home rank.
pub const TOP_RANK: Squares = 0x111;
/// The last rank for the opponent, which is the home rank of the side to move.
pub const BOTTOM_RANK: Squares = 0x888;

/// The kinds of pieces, in the order of the digits of the rule code. In a key, the digit for a piece of the side to
/// move is the discriminant of its kind plus 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Kind {
    /// The piece whose capture wins. In the standard game it steps in all eight directions.
    Lion = 0,
    /// The piece that steps diagonally in the standard game.
    Elephant = 1,
    /// The piece that steps forward, back and sideways in the standard game.
    Giraffe = 2,
    /// The piece that steps forward in the standard game. It promotes to a hen on the last rank.
    Chick = 3,
    /// A promoted chick, which moves like a gold general of shogi in the standard game.
    Hen = 4,
}

impl Kind {
    /// All kinds, in the order of the digits of the rule code.
    pub const ALL: [Kind; 5] = [Kind::Lion, Kind::Elephant, Kind::Giraffe, Kind::Chick, Kind::Hen];
    /// The kinds that can be in hand, in the order of their bits in [`Board::hands`], from the lowest on.
    pub const HAND: [Kind; 3] = [Kind::Elephant, Kind::Giraffe, Kind::Chick];

    /// Returns the English name in lower case.
    pub fn name(self) -> &'static str {
        ["lion", "elephant", "giraffe", "chick", "hen"][self as usize]
    }

    /// Returns the letter for a piece of the side to move. The opponent's pieces have the same letter in lower case.
    pub fn letter(self) -> char {
        ['L', 'E', 'G', 'C', 'H'][self as usize]
    }

    /// Returns the kind with this letter in either case, or `None` if no kind has it.
    pub fn of_letter(letter: char) -> Option<Kind> {
        Kind::ALL.into_iter().find(|kind| kind.letter() == letter.to_ascii_uppercase())
    }
}

/// The pieces on the board and in hand, seen by the side to move, which sits at the bottom. The type has only two
/// words, so that a position stays in registers while moves are tried.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Board {
    /// Five sets of squares of 12 bits each, from bit 0 on: elephants, chicks (including hens), all pieces of the side
    /// to move, hens, giraffes.
    sets: u64,
    /// The hands in bits 0 to 11, the square of the side to move's lion in bits 12 to 15, and the square of the
    /// opponent's lion in bits 16 to 19.
    rest: u32,
}

/// `Board::sets` has the set of elephants from this bit on. The next four constants are the first bits of the other
/// sets.
const ELEPHANTS: u32 = 0;
const CHICKS: u32 = 12;
const OWN: u32 = 24;
const HENS: u32 = 36;
const GIRAFFES: u32 = 48;

/// The mask of the first bits of all five sets in `Board::sets`. `EACH << square` has the bits of `square` in all sets.
const EACH: u64 = 1 << ELEPHANTS | 1 << CHICKS | 1 << OWN | 1 << HENS | 1 << GIRAFFES;

/// The lowest bit of the square of the side to move's lion in `Board::rest`. [`OPPONENT_LION`] is the same for the
/// opponent's lion.
const OWN_LION: u32 = 12;
const OPPONENT_LION: u32 = 16;

/// The lowest bit of the opponent's hand in [`Board::hands`].
pub const OPPONENT_HAND: u32 = 6;

impl Board {
    /// Makes a board with only two pieces: the side to move's lion on `own` and the opponent's lion on `opponent`.
    /// `hands` has the pieces in hand, as in [`Board::hands`].
    #[inline]
    pub fn of_lions(own: u8, opponent: u8, hands: u16) -> Board {
        let rest = u32::from(hands) | u32::from(own) << OWN_LION | u32::from(opponent) << OPPONENT_LION;
        Board { sets: 1 << (OWN + u32::from(own)), rest }
    }

    #[inline]
    fn set(&self, at: u32) -> Squares {
        (self.sets >> at) as Squares & ALL_SQUARES
    }

    /// Returns all pieces of the side to move.
    #[inline]
    pub fn own(&self) -> Squares {
        self.set(OWN)
    }

    /// Returns the elephants of both sides.
    #[inline]
    pub fn elephants(&self) -> Squares {
        self.set(ELEPHANTS)
    }

    /// Returns the giraffes of both sides.
    #[inline]
    pub fn giraffes(&self) -> Squares {
        self.set(GIRAFFES)
    }

    /// Returns the chicks and hens of both sides.
    #[inline]
    pub fn chicks(&self) -> Squares {
        self.set(CHICKS)
    }

    /// Returns the hens of both sides.
    #[inline]
    pub fn hens(&self) -> Squares {
        self.set(HENS)
    }

    /// Returns the square of the side to move's lion.
    #[inline]
    pub fn own_lion(&self) -> u8 {
        (self.rest >> OWN_LION & 15) as u8
    }

    /// Returns the square of the opponent's lion.
    #[inline]
    pub fn opponent_lion(&self) -> u8 {
        (self.rest >> OPPONENT_LION & 15) as u8
    }

    /// Returns the pieces in hand, two bits for each count, from bit 0 on: elephants, giraffes and chicks of the side
    /// to move, then of the opponent. The top 12 bits of a key are these bits.
    #[inline]
    pub fn hands(&self) -> u16 {
        (self.rest & 0xfff) as u16
    }

    /// Returns the lions of both sides.
    #[inline]
    pub fn lions(&self) -> Squares {
        1 << self.own_lion() | 1 << self.opponent_lion()
    }

    /// Returns all pieces of both sides.
    #[inline]
    pub fn occupied(&self) -> Squares {
        self.lions() | self.elephants() | self.giraffes() | self.chicks()
    }

    /// Returns all pieces of the opponent.
    #[inline]
    pub fn opponent(&self) -> Squares {
        self.occupied() & !self.own()
    }

    /// Returns the pieces of both sides of one kind.
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

    /// Returns the number of pieces of a kind in hand. `shift` is 0 for the side to move and [`OPPONENT_HAND`] for the
    /// opponent.
    #[inline]
    pub fn in_hand(&self, kind: Kind, shift: u32) -> u16 {
        self.hands() >> (shift + hand_bit(kind)) & 3
    }

    /// Returns the kind of the piece on a square, or `None` if the square is empty.
    pub fn kind_at(&self, square: usize) -> Option<Kind> {
        Kind::ALL.into_iter().find(|&kind| self.pieces(kind) >> square & 1 == 1)
    }

    /// Removes the piece on a square. The piece must not be a lion.
    #[inline]
    pub fn without(self, square: u8) -> Board {
        Board { sets: self.sets & !(EACH << square), ..self }
    }

    /// Adds a piece of the opponent on an empty square. The piece must not be a lion.
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

    /// Gives the pieces on these squares to the side to move, in addition to the pieces that it already has.
    #[inline]
    pub fn with_owner(self, squares: Squares) -> Board {
        Board { sets: self.sets | u64::from(squares) << OWN, ..self }
    }

    /// Turns the chicks on these squares into hens.
    #[inline]
    pub fn with_hens(self, squares: Squares) -> Board {
        Board { sets: self.sets | u64::from(squares) << HENS, ..self }
    }

    /// Adds elephants, giraffes and chicks of the opponent on empty squares.
    #[inline]
    pub fn with_sets(self, elephants: Squares, giraffes: Squares, chicks: Squares) -> Board {
        let sets = u64::from(elephants) << ELEPHANTS | u64::from(giraffes) << GIRAFFES | u64::from(chicks) << CHICKS;
        Board { sets: self.sets | sets, ..self }
    }

    /// Moves the side to move's lion to another square.
    #[inline]
    pub fn with_own_lion(self, square: u8) -> Board {
        let sets = self.sets & !(1 << (OWN + u32::from(self.own_lion()))) | 1 << (OWN + u32::from(square));
        Board { sets, rest: self.rest & !(15 << OWN_LION) | u32::from(square) << OWN_LION }
    }

    /// Moves the opponent's lion to another square.
    #[inline]
    pub fn with_opponent_lion(self, square: u8) -> Board {
        Board { rest: self.rest & !(15 << OPPONENT_LION) | u32::from(square) << OPPONENT_LION, ..self }
    }

    /// Adds a piece to a hand, which must hold fewer than three of its kind. `shift` selects the hand as in
    /// [`Board::in_hand`].
    #[inline]
    pub fn with_in_hand(self, kind: Kind, shift: u32) -> Board {
        Board { rest: self.rest + (1 << (shift + hand_bit(kind))), ..self }
    }

    /// Takes a piece from a hand, which must have one of its kind. `shift` selects the hand as in [`Board::in_hand`].
    #[inline]
    pub fn without_in_hand(self, kind: Kind, shift: u32) -> Board {
        Board { rest: self.rest - (1 << (shift + hand_bit(kind))), ..self }
    }

    /// Returns the same position seen by the other side: rotated by 180 degrees, with the sides exchanged.
    #[inline]
    pub fn rotated(&self) -> Board {
        let hands = self.hands() >> OPPONENT_HAND | (self.hands() & 0x3f) << OPPONENT_HAND;
        let turned = |square: u8| SQUARES as u8 - 1 - square;
        let board = Board::of_lions(turned(self.opponent_lion()), turned(self.own_lion()), hands);
        let sets = [self.elephants(), self.giraffes(), self.chicks()].map(reversed);
        let board = board.with_sets(sets[0], sets[1], sets[2]);
        board.with_hens(reversed(self.hens())).with_owner(reversed(self.opponent()))
    }

    /// Mirrors the board left to right.
    #[inline]
    pub fn mirrored(&self) -> Board {
        let column = EACH * 0xf;
        let sets = (self.sets & column) << 8 | self.sets & column << 4 | self.sets >> 8 & column;
        let board =
            Board::of_lions(mirrored_square(self.own_lion()), mirrored_square(self.opponent_lion()), self.hands());
        Board { sets, ..board }
    }

    /// Returns the 60-bit key of this board itself, not of its mirror image: 12 bits for the hands at the top, then a
    /// digit of 4 bits for each square. An empty square has the digit 0. Lion, elephant, giraffe, chick and hen of the
    /// side to move have the digits 1 to 5, those of the opponent 9 to 13.
    pub fn key(&self) -> u64 {
        (0..SQUARES).fold(u64::from(self.hands()), |key, square| {
            let digit = self.kind_at(square).map_or(0, |kind| {
                let side = if self.own() >> square & 1 == 1 { 1 } else { 9 };
                side + kind as u64
            });
            key << 4 | digit
        })
    }

    /// Returns the smaller of the keys of the board and of its mirror image.
    pub fn canonical_key(&self) -> u64 {
        self.key().min(self.mirrored().key())
    }

    /// Returns the board or its mirror image, whichever has the smaller key.
    pub fn canonical(&self) -> Board {
        let mirror = self.mirrored();
        if mirror.key() < self.key() { mirror } else { *self }
    }
}

/// Returns the index of the lowest bit of a kind's count in a hand.
#[inline]
pub fn hand_bit(kind: Kind) -> u32 {
    match kind {
        Kind::Elephant => 0,
        Kind::Giraffe => 2,
        _ => 4,
    }
}

/// Rotates a set of squares by 180 degrees.
#[inline]
pub fn reversed(set: Squares) -> Squares {
    set.reverse_bits() >> 4
}

/// Mirrors a set of squares left to right.
#[inline]
pub fn mirrored(set: Squares) -> Squares {
    (set & 0x00f) << 8 | set & 0x0f0 | set >> 8
}

/// Returns the number of the square after mirroring left to right.
#[inline]
pub fn mirrored_square(square: u8) -> u8 {
    // Columns 0, 1, 2 become 2, 1, 0.
    8 - (square & 0xc) + (square & 3)
}

/// A board and the side to move. The board is seen by the side to move. Positions are equal if their boards are equal,
/// even if different sides are to move: the side only affects the notation of moves and boards.
#[derive(Clone, Copy, Debug)]
pub struct Position {
    /// The board as the side to move sees it.
    pub board: Board,
    /// The side to move. Comparisons and hashes ignore it.
    pub side: Side,
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

    /// Returns the key of the rotated board, found square by square.
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
