//! Notation of positions and moves, and board diagrams.
//!
//! A move is the number of its file, from 1 at the left. A position is the moves of a game from the start, such as
//! `44435`, or `<board> <side>`: the ranks from the top, separated by `/`, with `X` for a black disc, `O` for a white
//! disc, and a number for each run of empty squares. The side is `X` or `O`.

use super::ConnectFour;
use super::board::{Board, FILE_STEP, Position, Squares, bit};
use super::moves::{self, Move};
use super::rules::Rules;
use crate::{Formats, Game, Presentation, Side, TextError, notation};

/// The notations that this folder reads.
pub const FORMATS: Formats = Formats {
    positions: "startpos, ranks from the top and the side, such as \"7/7/7/7/3O3/3X3 X\"",
    games: "transcripts, such as 44435",
    suites: "lines \"<transcript> <score>\" or \"<board> <side> <score>\"",
};

/// Returns the letter for a side, both as a disc and as the side to move.
fn letter(side: Side) -> char {
    side.pick(['X', 'O'])
}

/// Returns the side with this letter, in upper or lower case, or `None` for other letters.
fn side_of(letter: char) -> Option<Side> {
    match letter {
        'X' | 'x' => Some(Side::Black),
        'O' | 'o' => Some(Side::White),
        _ => None,
    }
}

/// Returns a side with its letter, such as `Black (X)`.
fn named(side: Side) -> String {
    format!("{side} ({})", letter(side))
}

/// Returns the side that has a disc on a square, or `None` if the square is empty.
fn disc_at(position: &Position, file: u8, rank: u8) -> Option<Side> {
    [Side::Black, Side::White].into_iter().find(|&side| position.discs(side) >> bit(file, rank) & 1 == 1)
}

/// Returns the notation of a move: the number of the file, counted from 1.
pub fn move_text(Move(file): Move) -> String {
    (file + 1).to_string()
}

/// Reads a legal move. The error says why the text is not a legal move.
fn read_move(game: &ConnectFour, position: &Position, text: &str) -> Result<Move, String> {
    if let Some(reason) = game.end_reason(position) {
        return Err(format!("the game is over: {reason}"));
    }
    let board = game.rules.board;
    let file = match text.as_bytes() {
        [digit @ b'1'..=b'8'] if digit - b'1' < board.files => digit - b'1',
        _ => return Err(format!("is not a file of this board, 1 to {}", board.files)),
    };
    match moves::landing(board, position.occupied(), file) {
        0 => Err(format!("file {text} is full")),
        _ => Ok(Move(file)),
    }
}

/// Reads a legal move. The error names the text and says why it is not a legal move.
pub fn parse_legal_move(game: &ConnectFour, position: &Position, text: &str) -> Result<Move, TextError> {
    read_move(game, position, text).map_err(|problem| TextError::new(format!("move \"{text}\""), problem))
}

/// Plays moves from `start` and returns the last position. Every character of `words` is a move. The error names the
/// first illegal move by its number, counted from 1.
fn play_all(game: &ConnectFour, start: &Position, words: &[&str]) -> Result<Position, TextError> {
    let digits = words.iter().flat_map(|word| word.split_inclusive(|_| true));
    notation::play_all(game, *start, digits)
}

/// Reads `startpos` or `<board> <side>`, optionally followed by `moves ...`, or the moves of a game from the start.
/// Refuses positions whose discs or rows cannot arise in a game.
pub fn parse_notation(game: &ConnectFour, text: &str) -> Result<Position, TextError> {
    let bad = |problem: &str| TextError::new("position", problem);
    let words: &[&str] = &text.split_whitespace().collect::<Vec<_>>();
    let (start, rest) = match words {
        [] => return Err(bad("is empty; write startpos, <board> <side> or moves such as 44435")),
        ["startpos", rest @ ..] => (game.start(), rest),
        [board, side, rest @ ..] if board.contains('/') => (parse_board_and_side(&game.rules, board, side)?, rest),
        [board] if board.contains('/') => {
            return Err(bad("has no side after the board; write X (Black) or O (White)"));
        }
        // The moves of a game from the start are a single word.
        [moves, rest @ ..] => (play_all(game, &game.start(), &[*moves])?, rest),
    };
    play_all(game, &start, notation::moves_after(rest)?)
}

fn parse_board_and_side(rules: &Rules, text: &str, side: &str) -> Result<Position, TextError> {
    let [black, white] = parse_board(rules.board, text)?;
    let mut letters = side.chars();
    let Some(side) = letters.next().and_then(side_of).filter(|_| letters.next().is_none()) else {
        return Err(TextError::new(format!("side \"{side}\""), "is neither X (Black) nor O (White)"));
    };
    check_discs(rules.board, black | white)?;
    let counts = format!("{} X and {} O", black.count_ones(), white.count_ones());
    let bad = |problem: String| Err(TextError::new("board", problem));
    let Some(position) = Position::of_discs(black, white) else {
        return bad(format!("has {counts}; Black (X) moves first, so there must be as many X as O, or one more"));
    };
    if side != position.side() {
        let problem = format!("with {counts}, {} is to move", named(position.side()));
        return Err(TextError::new(format!("side \"{}\"", letter(side)), problem));
    }
    if rules.has_row(position.own) {
        return bad(format!("{} is to move but already has {} in a row", named(side), rules.row));
    }
    if !moves::has_possible_rows(rules, &position) {
        let other = named(side.other());
        return bad(format!("{other} has rows of {} that a single last move cannot have completed", rules.row));
    }
    Ok(position)
}

/// Returns an error if any disc has an empty square below it.
fn check_discs(board: Board, occupied: Squares) -> Result<(), TextError> {
    let squares = (0..board.ranks - 1).flat_map(|rank| (0..board.files).map(move |file| (file, rank)));
    let floating = |&(file, rank): &(u8, u8)| occupied >> bit(file, rank) & 0b11 == 0b10;
    match squares.into_iter().find(floating) {
        None => Ok(()),
        Some((file, rank)) => {
            let place = format!("board file {}, rank {}", file + 1, rank + 2);
            Err(TextError::new(place, "the disc has an empty square below it"))
        }
    }
}

/// Reads the discs of Black and of White. Does not check that they lie on other discs.
fn parse_board(board: Board, text: &str) -> Result<[Squares; 2], TextError> {
    let Board { files, ranks } = board;
    let count = text.split('/').count();
    if count != usize::from(ranks) {
        return Err(TextError::new("board", format!("has {count} ranks, not {ranks}")));
    }
    let (mut black, mut white) = (0, 0);
    for (line, rank) in text.split('/').zip((0..ranks).rev()) {
        let place = || format!("board rank {}", rank + 1);
        let mut file = 0;
        for letter in line.chars() {
            let skipped = letter.to_digit(10).filter(|count| (1..=8).contains(count));
            match (side_of(letter), skipped) {
                (Some(_), _) if file >= u32::from(files) => file += 1,
                (Some(side), _) => {
                    let discs = if side == Side::Black { &mut black } else { &mut white };
                    *discs |= 1 << (FILE_STEP * file + u32::from(rank));
                    file += 1;
                }
                (None, Some(count)) => file += count,
                (None, None) => {
                    let known = "discs are X and O, a number counts empty squares";
                    return Err(TextError::new(place(), format!("\"{letter}\" is unknown; {known}")));
                }
            }
        }
        if file != u32::from(files) {
            return Err(TextError::new(place(), format!("has {file} squares, not {files}")));
        }
    }
    Ok([black, white])
}

/// Returns the position as `<board> <side>`.
pub fn board_and_side(board: Board, position: &Position) -> String {
    let letter_at = |file, rank| disc_at(position, file, rank).map(letter);
    format!("{} {}", notation::fen((0..board.ranks).rev(), board.files, letter_at), letter(position.side()))
}

/// Returns a diagram of the board with the numbers of files and ranks.
pub fn diagram(rules: &Rules, position: &Position) -> String {
    let Board { files, ranks } = rules.board;
    let line = |rank: u8| {
        let squares = (0..files).map(|file| disc_at(position, file, rank).map_or('.', letter)).collect();
        let beside = match ranks - rank {
            1 => "   Black X",
            2 => "   White O",
            _ => "",
        };
        (char::from(b'1' + rank), squares, beside.into())
    };
    let turn = match moves::is_over(rules, position) {
        true => "the game is over".into(),
        false => format!("{} to move", position.side()),
    };
    notation::framed(&"12345678"[..usize::from(files)], (0..ranks).rev().map(line), &turn)
}
