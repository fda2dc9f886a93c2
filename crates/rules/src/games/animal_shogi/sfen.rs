//! Positions as SFEN: `gle/1c1/1C1/ELG b - 1`.
//!
//! The four fields are: the ranks `a` to `d`, each from file 3 to file 1, with capital letters for Black, numbers for
//! empty squares and `+c` for a hen; the side to move; the pieces in hand, such as `2Ce`, or `-`; and the number of the
//! next move, from 1 on. Some programs leave out the number, others count from 0; both are read.

use super::board::Position;
use super::text::{ROWS, board_lines, board_of_lines};
use crate::{Side, TextError, notation};

/// The number of fields of an SFEN.
pub const FIELDS: usize = 4;

/// Returns the position as SFEN. `ply` is the number of plies before the position.
pub fn text(position: &Position, ply: usize) -> String {
    let (board, turn) = position.side.pick([(position.board, 'b'), (position.board.rotated(), 'w')]);
    let lines = board_lines(&board);
    let (rows, hand) = lines.rsplit_once('\n').unwrap_or((&lines, ""));
    let rows: Vec<Vec<char>> = rows.lines().map(|row| row.chars().collect()).collect();
    let ranks = notation::fen(0..4, 3, |column, row| piece_text(rows[usize::from(row)][usize::from(column)]));
    let hand = if hand.is_empty() { "-".into() } else { counted(hand) };
    format!("{ranks} {turn} {hand} {}", ply + 1)
}

/// Returns the SFEN of a piece, from its letter in a board text, or `None` for an empty square.
fn piece_text(letter: char) -> Option<String> {
    Some(match letter {
        '.' => return None,
        'H' => "+C".into(),
        'h' => "+c".into(),
        _ => letter.to_string(),
    })
}

/// Replaces each run of two or more equal letters by its length and the letter.
fn counted(letters: &str) -> String {
    let mut text = String::new();
    let mut rest = letters;
    while let Some(letter) = rest.chars().next() {
        let after = rest.trim_start_matches(letter);
        match rest.len() - after.len() {
            1 => text.push(letter),
            count => text += &format!("{count}{letter}"),
        }
        rest = after;
    }
    text
}

/// Reads the fields of an SFEN: three, or four with the number of the next move.
pub fn parse(fields: &[&str]) -> Result<Position, TextError> {
    let (board, turn, hand) = match *fields {
        [board, turn, hand] => (board, turn, hand),
        [board, turn, hand, ply] if is_number(ply) => (board, turn, hand),
        [_, _, _, ply] => {
            let problem = format!("is not a number from 0 to {}", u32::MAX);
            return Err(notation::of_field("number", ply)(problem));
        }
        _ => {
            let problem = format!("has {} of the {FIELDS} fields board, turn, hands, number", fields.len());
            return Err(TextError::new("SFEN", problem));
        }
    };
    let side = match turn {
        "b" => Side::Black,
        "w" => Side::White,
        _ => return Err(notation::of_field("turn", turn)("is neither b nor w".into())),
    };
    position(board, hand, side)
}

/// Returns true if `text` is the number of a move. Some programs count from 0.
fn is_number(text: &str) -> bool {
    text.bytes().all(|letter| letter.is_ascii_digit()) && text.parse::<u32>().is_ok()
}

/// Reads a position from its ranks and its hands in the notation of SFEN. `side` is the side to move.
pub fn position(ranks: &str, hand: &str, side: Side) -> Result<Position, TextError> {
    if ranks.contains('.') {
        return Err(TextError::new("board", "has a dot; empty squares are numbers from 1 to 3"));
    }
    let rows: Vec<String> = ranks.split('/').map(row_of_rank).collect();
    if rows.len() != ROWS {
        return Err(TextError::new("board", format!("has {} ranks, not {ROWS}", rows.len())));
    }
    let hand = hand_letters(hand).map_err(notation::of_field("hands", hand))?;
    let seen_by_black = board_of_lines(&format!("{}\n{hand}", rows.join("\n")))?;
    let board = side.pick([seen_by_black, seen_by_black.rotated()]);
    Ok(Position { board, side })
}

/// Rewrites a rank as a row of a board text. Does not check the rank: the reader of the board text does.
fn row_of_rank(rank: &str) -> String {
    let row = rank.replace("+C", "H").replace("+c", "h");
    let square = |letter: char| match letter {
        '1'..='3' => ".".repeat(letter as usize - '0' as usize),
        _ => letter.to_string(),
    };
    row.chars().map(square).collect()
}

fn hand_letters(field: &str) -> Result<String, String> {
    if field == "-" {
        return Ok(String::new());
    }
    let (mut letters, mut count) = (String::new(), None);
    for letter in field.chars() {
        match (letter, count) {
            ('1' | '2', None) => count = Some(letter as usize - '0' as usize),
            (letter, _) if letter.is_ascii_alphabetic() => {
                letters += &letter.to_string().repeat(count.take().unwrap_or(1));
            }
            _ => return Err(format!("\"{letter}\" is neither a piece nor a count (1 or 2) followed by a piece")),
        }
    }
    if count.is_some() { Err("ends with a count; a piece must follow it".into()) } else { Ok(letters) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::animal_shogi::AnimalShogi;
    use crate::{Game, Notation};

    fn fields(text: &str) -> Vec<&str> {
        text.split(' ').collect()
    }

    #[test]
    fn known_positions() {
        let game = AnimalShogi::parse("val1n").unwrap();
        assert_eq!(text(&game.start(), 0), "gle/1c1/1C1/ELG b - 1");
        for (moves, sfen) in [("2c2b", "gle/1C1/3/ELG w C 2"), ("2c2b 1a2b 3d2c C*3b", "gl1/ce1/1E1/1LG b C 5")] {
            let position = game.parse_position(&format!("startpos moves {moves}")).unwrap();
            let ply = moves.split(' ').count();
            assert_eq!(parse(&fields(sfen)).map(|position| text(&position, ply)), Ok(sfen.into()));
            assert_eq!(parse(&fields(sfen)[..3]), parse(&fields(sfen)), "the number may be left out");
            assert_eq!(text(&position, ply), sfen);
        }
    }

    #[test]
    fn random_games_are_read_back() {
        let game = AnimalShogi::parse("val1n").unwrap();
        let (mut seed, mut hens) = (1u64, 0);
        for _ in 0..200 {
            let mut position = game.start();
            for ply in 0..60 {
                let sfen = text(&position, ply);
                assert_eq!(parse(&fields(&sfen)), Ok(position), "{sfen}");
                hens += usize::from(sfen.contains('+'));
                let moves = game.legal_moves(&position);
                if moves.is_empty() {
                    break;
                }
                seed = seed.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(1);
                position = game.play(&position, moves[(seed >> 33) as usize % moves.len()]);
            }
        }
        assert!(hens > 20, "{hens}");
    }

    #[test]
    fn mistakes_are_named() {
        let problem = |text: &str| parse(&fields(text)).unwrap_err().to_string();
        assert_eq!(problem("gle/1c1/1C1/ELG b"), "SFEN: has 2 of the 4 fields board, turn, hands, number");
        assert_eq!(problem("gle/1c1/1C1/ELG x - 1"), "turn field \"x\": is neither b nor w");
        assert_eq!(
            problem("gle/1c1/1C1/ELG b 3C 1"),
            "hands field \"3C\": \"3\" is neither a piece nor a count (1 or 2) followed by a piece"
        );
        assert_eq!(problem("gle/1c1/1C1/ELG b 2 1"), "hands field \"2\": ends with a count; a piece must follow it");
        for number in ["one", "+1", "-1", "1.0", "99999999999"] {
            let expected = format!("number field \"{number}\": is not a number from 0 to 4294967295");
            assert_eq!(problem(&format!("gle/1c1/1C1/ELG b - {number}")), expected);
        }
        for number in ["0", "4294967295"] {
            assert!(parse(&fields(&format!("gle/1c1/1C1/ELG b - {number}"))).is_ok(), "{number}");
        }
        assert_eq!(problem("gle/.c./1C1/ELG b - 1"), "board: has a dot; empty squares are numbers from 1 to 3");
        assert!(problem("gle/1c1/1C1/ELG b C 1").contains("chicks"));
        assert!(problem("gle/1c2/1C1/ELG b - 1").starts_with("row 2"));
        // A hand is not read as a fifth rank, nor a fifth rank as a hand.
        for (text, ranks) in [("gle/1c1/ELG b C 1", 3), ("gle/3/3/ELG/Cc b - 1", 5), ("gle/3/3/ELG/ b Cc 1", 5)] {
            assert_eq!(problem(text), format!("board: has {ranks} ranks, not 4"));
        }
    }
}
