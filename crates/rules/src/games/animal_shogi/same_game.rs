//! Codes that stand for the same game. They differ only in moves that no piece can ever make, or by an exchange of the
//! names of elephant and giraffe.

use super::board::{Kind, mirrored_square};
use super::moves::Move;
use super::rules::Rules;

/// The bits of a rule code's digit for the forward directions, straight and diagonal. [`BACK`] has the bits for the
/// backward directions.
const ONWARD: u8 = 0b00011;
const BACK: u8 = 0b11000;

impl Rules {
    /// Returns the representative of all rules that are the same game as these. The reductions below make the digits
    /// smaller. If the try rule makes no difference, the representative includes it.
    ///
    /// - Elephant and giraffe can exchange their moves: the game is then the mirror image of this one, because the two
    ///   kinds differ only in their moves and their starting squares. [`Move::exchanged`] returns the corresponding
    ///   move.
    /// - A lion without forward moves stays on its home rank, so its backward moves and the try rule have no effect.
    /// - A chick without moves never promotes, so the hen's moves have no effect. If neither chick nor hen can go
    ///   backward, a chick promotes on the last rank and the hen stays there, so the hen's forward moves have no
    ///   effect.
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

    /// Returns true if [`Rules::least_of_same_game`] exchanges the moves of elephant and giraffe.
    pub fn exchanges(&self) -> bool {
        self.digits[Kind::Elephant as usize] > self.digits[Kind::Giraffe as usize]
    }
}

impl Move {
    /// Returns this move in the game in which elephant and giraffe have exchanged their moves: mirrored left to right,
    /// and with these two kinds exchanged.
    pub fn exchanged(self) -> Move {
        let kind = match self.kind {
            Kind::Elephant => Kind::Giraffe,
            Kind::Giraffe => Kind::Elephant,
            kind => kind,
        };
        Move { from: self.from.map(mirrored_square), to: mirrored_square(self.to), kind, ..self }
    }
}
