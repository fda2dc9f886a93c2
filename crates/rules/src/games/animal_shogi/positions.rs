//! Positions in all the ways in which they are written.

use super::AnimalShogi;
use super::board::Position;
use super::sfen;
use super::text::{board_of_key, board_of_lines};
use crate::{Game, Side, TextError, notation};

/// Reads `startpos`, a key of 15 digits, an SFEN or a board text; all but the last with ` moves ...` after them.
pub fn parse_notation(game: &AnimalShogi, text: &str) -> Result<Position, TextError> {
    let text = text.trim_end_matches(['\r', ' ', '\t']);
    if text.trim().contains('\n') {
        return Ok(Position { board: board_of_lines(text.trim_start_matches(['\r', '\n']))?, turn: Side::Black });
    }
    let mut words: &[&str] = &text.split_whitespace().collect::<Vec<_>>();
    if let ["position", rest @ ..] = words {
        words = rest;
    }
    let seen_by_black = |board| Position { board, turn: Side::Black };
    let (position, rest) = match words {
        [] => return Err(TextError::new("position", "is empty; write startpos, a key of 15 digits or an SFEN")),
        ["startpos", rest @ ..] => (game.start(), rest),
        ["sfen", fields @ ..] => parse_sfen(fields)?,
        [board, ..] if board.contains('/') => parse_sfen(words)?,
        [key, rest @ ..] => (seen_by_black(board_of_key(key)?), rest),
    };
    notation::play_all(game, position, notation::moves_behind(rest)?.iter().copied())
}

/// Reads the fields of an SFEN; what stands behind them is left.
fn parse_sfen<'a, 'b>(words: &'a [&'b str]) -> Result<(Position, &'a [&'b str]), TextError> {
    let (fields, rest) = words.split_at(words.len().min(sfen::FIELDS));
    Ok((sfen::parse(fields)?, rest))
}
