//! Evaluation for play: pieces on the board and in hand, and how far the lions have advanced.

use crate::evaluate::Evaluate;
use yomikiri_rules::Side;
use yomikiri_rules::games::animal_shogi::AnimalShogi;
use yomikiri_rules::games::animal_shogi::board::{Board, Kind, OPPONENT_HAND, Position, Squares};
use yomikiri_rules::games::animal_shogi::rules::Rules;

/// The value of each square of a piece's reach: the largest number of squares that the piece can attack from any one
/// square.
const REACH: i32 = 40;

/// The value of a piece in hand, in percent of its value on the board.
const IN_HAND: i32 = 110;

/// The value of each rank by which a lion has advanced.
const ADVANCE: i32 = 15;

/// Returns the value of a piece of a kind. It grows with the number of squares that the piece attacks.
fn worth(rules: &Rules, kind: Kind) -> i32 {
    let most = rules.own[kind as usize].iter().map(|squares| squares.count_ones()).max();
    50 + REACH * most.unwrap_or(0) as i32
}

/// Returns the value of all pieces of a side. `squares` has the squares that the side occupies. `hand` selects the
/// side's hand, as in [`Board::in_hand`]: 0 for the side to move, [`OPPONENT_HAND`] for the opponent.
fn standing(rules: &Rules, board: &Board, squares: Squares, hand: u32) -> i32 {
    let kinds = [
        (Kind::Elephant, board.elephants()),
        (Kind::Giraffe, board.giraffes()),
        (Kind::Chick, board.chicks() & !board.hens()),
        (Kind::Hen, board.hens()),
    ];
    let on_board = kinds.map(|(kind, set)| worth(rules, kind) * (set & squares).count_ones() as i32);
    let in_hand = Kind::HAND.map(|kind| worth(rules, kind) * i32::from(board.in_hand(kind, hand)) * IN_HAND / 100);
    on_board.iter().sum::<i32>() + in_hand.iter().sum::<i32>()
}

impl Evaluate<AnimalShogi> for AnimalShogi {
    fn game(&self) -> &AnimalShogi {
        self
    }

    fn evaluate(&self, position: &Position) -> i32 {
        let board = &position.board;
        let own = standing(&self.rules, board, board.own(), 0);
        let other = standing(&self.rules, board, !board.own(), OPPONENT_HAND);
        let (own_row, other_row) = (board.own_lion() % 4, board.opponent_lion() % 4);
        own - other + ADVANCE * (i32::from(3 - own_row) - i32::from(other_row))
    }

    /// Returns the number of the side's pieces on the board and in hand, without the lion.
    fn material(&self, position: &Position, side: Side) -> i32 {
        let board = &position.board;
        let (squares, hand) = if side == position.side { (board.own(), 0) } else { (!board.own(), OPPONENT_HAND) };
        let pieces = board.elephants() | board.giraffes() | board.chicks();
        let in_hand = Kind::HAND.map(|kind| i32::from(board.in_hand(kind, hand)));
        (pieces & squares).count_ones() as i32 + in_hand.iter().sum::<i32>()
    }

    /// Returns the key of the canonical board. Terminal positions have a key, too.
    fn fingerprint(&self, position: &Position) -> u64 {
        position.board.canonical().key()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use yomikiri_rules::{Game, Notation};

    fn guess(text: &str) -> i32 {
        let game = AnimalShogi::parse("val1n").unwrap();
        game.evaluate(&game.parse_position(text).unwrap())
    }

    #[test]
    fn pieces_count_for_the_side_to_move() {
        assert_eq!(guess("startpos"), 0);
        assert!(guess("startpos moves 2c2b") < -100, "a chick was taken");
        let game = AnimalShogi::parse("val1n").unwrap();
        let taken = game.parse_position("startpos moves 2c2b").unwrap();
        assert_eq!((game.material(&taken, Side::Black), game.material(&taken, Side::White)), (4, 3 - 1 + 1 - 1));
    }
}
