//! Reads positions in all notations.

use super::AnimalShogi;
use super::board::Position;
use super::text::{board_of_key, board_of_lines};
use super::{bracket_fen, position_string, sfen};
use crate::{Formats, Game, Side, TextError, notation};

/// The notations that this folder reads.
pub const FORMATS: Formats = Formats {
    positions: "startpos, SFEN, FEN with hands in brackets, such as gle/1c1/1C1/ELG[-] w, dobutsu strings, such as \
                S/gle/-c-/-C-/ELG/-, 15 hexadecimal digits, a board text of five lines",
    games: Formats::DEFAULT_GAMES,
    suites: Formats::DEFAULT_SUITES,
};

/// Reads `startpos`, a key of 15 digits, an SFEN, a FEN with hands in brackets, a position string of dobutsu, or a
/// board text. All but the board text may be followed by ` moves ...`.
pub fn parse_notation(game: &AnimalShogi, text: &str) -> Result<Position, TextError> {
    if text.trim().contains(['\n', '\r']) {
        let lines: Vec<&str> = notation::lines(text.trim_end_matches([' ', '\t'])).collect();
        let first = lines.iter().position(|line| !line.is_empty()).unwrap_or_default();
        return Ok(Position { board: board_of_lines(&lines[first..].join("\n"))?, side: Side::Black });
    }
    let mut words: &[&str] = &text.split_whitespace().collect::<Vec<_>>();
    if let ["position", rest @ ..] = words {
        words = rest;
    }
    let seen_by_black = |board| Position { board, side: Side::Black };
    let (position, rest) = match words {
        [] => return Err(TextError::new("position", "is empty; write startpos, a key of 15 digits or an SFEN")),
        ["startpos", rest @ ..] => (game.start(), rest),
        ["sfen", fields @ ..] => parse_sfen(fields)?,
        [text, rest @ ..] if position_string::is_position(text) => (position_string::parse(text)?, rest),
        [board, ..] if bracket_fen::is_board(board) => bracket_fen::parse(words)?,
        [board, ..] if board.contains('/') => parse_sfen(words)?,
        [key, rest @ ..] => (seen_by_black(board_of_key(key)?), rest),
    };
    notation::play_all(game, position, notation::moves_after(rest)?.iter().copied())
}

/// Reads the fields of an SFEN. Returns the position and the remaining words.
fn parse_sfen<'a, 'b>(words: &'a [&'b str]) -> Result<(Position, &'a [&'b str]), TextError> {
    let end = words.iter().position(|&word| word == "moves").unwrap_or(words.len());
    let (fields, rest) = words.split_at(end.min(sfen::FIELDS));
    Ok((sfen::parse(fields)?, rest))
}
