//! Boards and games in the notation of the Generic Game Server (GGS).
//!
//! A board is `[8 -------- ... -------- *]`: the number of files and ranks, the ranks from rank 1 on, with or without
//! blanks between them, and the side to move, `*` for Black and `O` for White. A game (GGF) is
//! `(;GM[Othello]BO[8 ... *]B[d3//0.1]W[c3]B[PA];)`: a list of properties, each a name with a text in brackets. `BO` is
//! the starting board. `B` and `W` are the moves in order; everything after a `/` in a move is an evaluation or a time.
//! The other properties are about players and clocks.
//! Source: M. Buro's description of the Generic Game Format.

use super::Reversi;
use super::board::Position;
use super::moves::Move;
use super::text;
use crate::{Game, Side, TextError};

/// Returns true if `text` starts like a GGS board or a GGF game.
pub fn is_ggs_text(text: &str) -> bool {
    text.starts_with('[') || text.starts_with("(;")
}

/// Reads a board, or the final position of a game.
pub fn parse(game: &Reversi, text: &str) -> Result<Position, TextError> {
    match text.strip_prefix('[') {
        Some(board) => {
            let board = board.strip_suffix(']').ok_or_else(|| bad("board", "does not end with ]"))?;
            parse_board(game, board)
        }
        None => parse_game(game, text),
    }
}

fn bad(field: &str, problem: impl Into<String>) -> TextError {
    TextError::new(field, problem)
}

/// Reads the size, the ranks and the side to move.
fn parse_board(game: &Reversi, text: &str) -> Result<Position, TextError> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let [size, ranks @ .., side] = &words[..] else {
        return Err(bad("board", "must have a size, the ranks and a side"));
    };
    let board = game.rules.board;
    if [board.files, board.ranks].iter().any(|length| length.to_string() != *size) {
        let problem = format!("does not match this board, which has {} files and {} ranks", board.files, board.ranks);
        return Err(bad(&format!("size \"{size}\""), problem));
    }
    let squares = ranks.concat();
    // Programs that save games leave the blanks between the ranks out.
    let is_whole = ranks.len() == 1 && squares.len() == usize::from(board.files) * usize::from(board.ranks);
    if ranks.len() != usize::from(board.ranks) && !is_whole {
        return Err(bad("board", format!("has {} ranks, not {}", ranks.len(), board.ranks)));
    }
    text::parse_position(game, &format!("{squares} {side}"))
}

/// Returns the properties of a game as pairs of name and text.
fn properties(text: &str) -> Result<Vec<(&str, &str)>, TextError> {
    let problem = "is not written as (;NAME[text]NAME[text];)";
    let inside = text.strip_prefix("(;").and_then(|rest| rest.strip_suffix(";)"));
    let mut rest = inside.ok_or_else(|| bad("game", problem))?.trim();
    let mut found = Vec::new();
    while !rest.is_empty() {
        let (name, after) = rest.split_once('[').ok_or_else(|| bad("game", problem))?;
        let (value, after) = after.split_once(']').ok_or_else(|| bad(&format!("property {name}"), "has no ]"))?;
        if name.is_empty() || !name.bytes().all(|letter| letter.is_ascii_alphanumeric()) {
            return Err(bad(&format!("property \"{name}\""), "is not a name of letters and digits"));
        }
        found.push((name, value));
        rest = after.trim_start();
    }
    Ok(found)
}

fn parse_game(game: &Reversi, text: &str) -> Result<Position, TextError> {
    let properties = properties(text)?;
    let of = |wanted: &str| properties.iter().find(|(name, _)| *name == wanted).map(|(_, value)| *value);
    if let Some(name) = of("GM").filter(|name| !name.eq_ignore_ascii_case("othello")) {
        return Err(bad("property GM", format!("\"{name}\" is another game; only games of Othello can be read")));
    }
    let mut position = of("BO").map_or_else(|| Ok(game.start()), |board| parse_board(game, board))?;
    let moves = properties.iter().filter(|(name, _)| matches!(*name, "B" | "W"));
    for (number, (name, value)) in (1..).zip(moves) {
        let side = if *name == "B" { Side::Black } else { Side::White };
        position = play(game, position, side, value).map_err(|error| error.numbered(number))?;
    }
    Ok(position)
}

/// Returns the position after `side` makes the move in `value`, the text of a `B` or `W` property. If the record leaves
/// out a pass before the move, the pass is played too.
fn play(game: &Reversi, position: Position, side: Side, value: &str) -> Result<Position, TextError> {
    let name = value.split('/').next().unwrap_or_default().trim();
    let mut position = position;
    if position.side != side {
        let pass = text::check_legal(game, &position, Move::Pass);
        pass.map_err(|_| {
            bad(&format!("move \"{name}\""), format!("is a move of {side}, but {} is to move", side.other()))
        })?;
        position = position.passed();
    }
    let mv = text::parse_legal_move(game, &position, name)?;
    Ok(game.play(&position, mv))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Notation;

    const START: &str = "8 -------- -------- -------- ---O*--- ---*O--- -------- -------- -------- *";

    #[test]
    fn boards_and_games_are_read() {
        let game = Reversi::parse("rev8x8").unwrap();
        let read = |text: &str| game.parse_position(text).unwrap();
        assert_eq!(read(&format!("[{START}]")), game.start());
        let moves = "B[f5//0.01]W[d6/-1.00/2.5]B[C3]";
        let told = format!("(;GM[Othello]PC[GGS/os]DT[2003-12-15]PB[a]PW[b]RE[-10.000]TY[8]BO[{START}]{moves};)");
        assert_eq!(read(&told), read("f5d6c3"));
        let without_blanks = format!("8 {}O*------*O{} *", "-".repeat(27), "-".repeat(27));
        assert_eq!(read(&told.replace(START, &without_blanks)), read("f5d6c3"));
        assert_eq!(read("(;B[f5] W[d6] B[c3];)"), read("f5d6c3"));
    }

    #[test]
    fn passes_are_told_or_left_out() {
        let game = Reversi::parse("rev4x4").unwrap();
        let moves = ["b1a1a2c1d4", "b1a1a2c1d4a3d1b4a4c4"];
        for moves in moves {
            let played = text::read_transcript(&game, &game.start(), &[moves]).unwrap();
            for tells_passes in [true, false] {
                let (mut position, mut told) = (game.start(), String::new());
                for &mv in &played {
                    let name = if mv == Move::Pass { "PA".into() } else { text::move_text(mv) };
                    if tells_passes || mv != Move::Pass {
                        told += &format!("{}[{name}]", if position.side == Side::Black { "B" } else { "W" });
                    }
                    position = game.play(&position, mv);
                }
                let read = game.parse_position(&format!("(;{told};)")).unwrap();
                let last_is_pass = played.last() == Some(&Move::Pass);
                assert!(read == position || last_is_pass && !tells_passes, "{told}");
            }
        }
    }

    #[test]
    fn mistakes_are_named() {
        let game = Reversi::parse("rev8x8").unwrap();
        let problem = |text: &str| game.parse_position(text).unwrap_err().to_string();
        for (text, expected) in [
            ("[8 *", "board: does not end with ]"),
            ("[8 -------- *]", "board: has 1 ranks, not 8"),
            ("[8 -------- -------- *]", "board: has 2 ranks, not 8"),
            ("[6 ------ *]", "size \"6\": does not match this board, which has 8 files and 8 ranks"),
            ("(;GM[Go];)", "property GM: \"Go\" is another game; only games of Othello can be read"),
            ("(;B[f5]", "game: is not written as (;NAME[text]NAME[text];)"),
            ("(;B[f5;)", "property B: has no ]"),
            ("(;B[f5]x y[d6];)", "property \"x y\": is not a name of letters and digits"),
            ("(;B[f5]B[d6];)", "move \"d6\" (move 2): is a move of Black, but White is to move"),
            ("(;B[a1];)", "move \"a1\" (move 1): X would turn no disc there; legal moves: d3 c4 f5 e6"),
        ] {
            assert_eq!(problem(text), expected);
        }
    }
}
