//! Positions in the FEN of programs for many chess variants: `gle/1c1/1C1/ELG[-] w 0 1`.
//!
//! The ranks are written as in an SFEN, followed by the pieces in hand in brackets. The field after the hands is the
//! side to move. White moves first in chess, so `w` is the side with the capital letters, which is Black in shogi, and
//! `b` is the other side. The last two fields are optional: the plies since the last capture and the number of the next
//! move. Source: the start position of the game in Fairy-Stockfish.

use super::board::Position;
use super::sfen;
use crate::{Side, TextError};

/// Returns true if `word` looks like a board with pieces in hand in brackets, such as `gle/1c1/1C1/ELG[-]`.
pub fn is_board(word: &str) -> bool {
    word.contains('/') && word.contains('[')
}

/// Reads a board, the side to move and the two optional numbers from the start of `words`. Returns the position and the
/// remaining words.
pub fn parse<'a, 'b>(words: &'a [&'b str]) -> Result<(Position, &'a [&'b str]), TextError> {
    let bad = |problem: String| TextError::new("FEN", problem);
    let [board, turn, rest @ ..] = words else {
        return Err(bad("has no side after the board; write w (the capital letters) or b".into()));
    };
    let (ranks, hand) = board.strip_suffix(']').and_then(|board| board.split_once('[')).ok_or_else(|| {
        bad(format!("board \"{board}\" does not end with pieces in hand in brackets, such as [Ce] or [-]"))
    })?;
    let side = match *turn {
        "w" => Side::Black,
        "b" => Side::White,
        _ => return Err(bad(format!("side \"{turn}\" is neither w nor b"))),
    };
    let is_number = |word: &&&str| word.parse::<u32>().is_ok();
    let numbers = rest.iter().take(2).take_while(is_number).count();
    let hand = if hand.is_empty() { "-" } else { hand };
    Ok((sfen::position(ranks, hand, side)?, &rest[numbers..]))
}
