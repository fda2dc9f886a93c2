//! Codes of one game: what a digit says of moves that no piece can ever make does not matter, nor which of the two
//! pieces beside the lion is called the elephant.

use super::board::{Kind, mirrored_square};
use super::moves::Move;
use super::rules::Rules;

/// Bits of a digit: the directions that lead to a rank nearer to the last one, and those to one farther from it.
const ONWARD: u8 = 0b00011;
const BACK: u8 = 0b11000;

impl Rules {
    /// Of the rules of the same game those with the least digits, the try rule rather on.
    ///
    /// - An elephant and a giraffe that exchange their moves are the mirror image of the start, and nothing else tells
    ///   one from the other ([`Move::exchanged`] is the move there).
    /// - A lion that does not go onward stays on its home rank: it cannot go back either, and the try rule means
    ///   nothing.
    /// - A chick without moves never promotes. One that goes nowhere back promotes on the last rank, and a hen that
    ///   goes nowhere back stays there, so that it cannot go onward either.
    pub fn least_of_same_game(&self) -> Rules {
        let [mut lion, elephant, giraffe, chick, mut hen] = self.digits;
        let lion_stays = lion & ONWARD == 0;
        if lion_stays {
            lion &= !BACK;
        }
        if chick == 0 {
            hen = 0;
        } else if (chick | hen) & BACK == 0 {
            hen &= !ONWARD;
        }
        let digits = [lion, elephant.min(giraffe), elephant.max(giraffe), chick, hen];
        Rules::new(digits, self.try_rule || lion_stays)
    }

    /// Whether the elephant of the rules is the giraffe of [`Rules::least_of_same_game`].
    pub fn exchanges(&self) -> bool {
        self.digits[Kind::Elephant as usize] > self.digits[Kind::Giraffe as usize]
    }
}

impl Move {
    /// The move of the mirror image, with elephant and giraffe exchanged.
    pub fn exchanged(self) -> Move {
        let kind = match self.kind {
            Kind::Elephant => Kind::Giraffe,
            Kind::Giraffe => Kind::Elephant,
            kind => kind,
        };
        Move { from: self.from.map(mirrored_square), to: mirrored_square(self.to), kind, ..self }
    }
}
