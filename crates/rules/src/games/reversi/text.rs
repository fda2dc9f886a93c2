//! Notation of positions and moves, and board diagrams.
//!
//! A position is `<board> <side>`: the squares in reading order, `X` or `*` for Black, `O` for White, `-` or `.` for an
//! empty square; the side is `X` or `O`. A move is a square, such as `f5`, or `pass`.

use super::Reversi;
use super::board::{Board, Position, Squares};
use super::moves::{self, Move};
use crate::bits::squares_of;
use crate::{Formats, Game, Presentation, Side, TextError, notation};

/// The notations that this folder reads.
pub const FORMATS: Formats = Formats {
    positions: "startpos, all squares and the side, such as \"---OX... X\", boards of GGS, such as [8 ... *]",
    games: "transcripts, such as f5d6c3 or 1. f5 d6, GGF, such as (;GM[Othello]...;)",
    suites: "OBF, such as \"<board> <side>; f5:+2;\"; on 8x8 also .wtb files of the WTHOR database",
};

/// Returns the letter for a side, both as a disc and as the side to move.
fn letter(side: Side) -> char {
    side.pick(['X', 'O'])
}

/// Returns the side with this letter, in upper or lower case. `*` also stands for Black. Returns `None` for other
/// characters.
fn side_of(letter: char) -> Option<Side> {
    match letter {
        'X' | 'x' | '*' => Some(Side::Black),
        'O' | 'o' => Some(Side::White),
        _ => None,
    }
}

/// Returns the name of the square with this bit index: file, then rank.
pub fn square_name(square: u8) -> String {
    notation::square_name(square % 8, square / 8)
}

/// Returns the names of squares, separated by spaces.
fn square_names(squares: Squares) -> String {
    squares_of(squares).map(square_name).collect::<Vec<_>>().join(" ")
}

/// Reads the name of a square and returns its bit index, or `None` if the board has no such square. Case is ignored.
pub fn parse_square(board: Board, name: &str) -> Option<u8> {
    let square = notation::parse_square(&name.to_ascii_lowercase(), board.files, board.ranks);
    square.map(|(file, rank)| board.bit(file, rank) as u8)
}

/// Returns the notation of a move: the name of the square, or `pass`.
pub fn move_text(mv: Move) -> String {
    match mv {
        Move::Place(square) => square_name(square),
        Move::Pass => "pass".into(),
    }
}

/// The texts that stand for a pass in game records.
const PASSES: [&str; 5] = ["--", "pass", "pa", "ps", "pp"];

/// Returns true if `text` is a pass. Case is ignored.
fn is_pass(text: &str) -> bool {
    PASSES.iter().any(|pass| text.eq_ignore_ascii_case(pass))
}

/// Reads a move without checking that it is legal. The error describes the problem.
pub fn parse_move(board: Board, text: &str) -> Result<Move, String> {
    if is_pass(text) {
        return Ok(Move::Pass);
    }
    let last = square_name(board.bit(board.files - 1, board.ranks - 1) as u8);
    parse_square(board, text)
        .map(Move::Place)
        .ok_or_else(|| format!("is neither a square of this board, a1 to {last}, nor \"pass\" or \"--\""))
}

/// Reads a legal move. The error says why the text is not a legal move.
pub fn parse_legal_move(game: &Reversi, position: &Position, text: &str) -> Result<Move, TextError> {
    let mv = parse_move(game.rules.board, text).and_then(|mv| check_legal(game, position, mv).map(|()| mv));
    mv.map_err(|problem| TextError::new(format!("move \"{text}\""), problem))
}

/// Checks that a move is legal. The error says why it is not.
pub fn check_legal(game: &Reversi, position: &Position, mv: Move) -> Result<(), String> {
    if let Some(reason) = game.end_reason(position) {
        return Err(format!("the game is over: {reason}"));
    }
    let legal = moves::legal(game.rules.board, position);
    let (side, letter) = (position.side, letter(position.side));
    match mv {
        Move::Pass if legal == 0 => Ok(()),
        Move::Pass => Err(format!("{side} ({letter}) has moves and cannot pass: {}", square_names(legal))),
        Move::Place(square) if legal >> square & 1 == 1 => Ok(()),
        Move::Place(square) if position.occupied() >> square & 1 == 1 => {
            Err(format!("{} is not empty", square_name(square)))
        }
        Move::Place(_) if legal == 0 => Err(format!("{side} ({letter}) has no move and must pass")),
        Move::Place(_) => Err(format!("{letter} would turn no disc there; legal moves: {}", square_names(legal))),
    }
}

/// Returns the position as `<board> <side>`.
pub fn board_and_side(board: Board, position: &Position) -> String {
    let disc = |square| disc_at(position, square).map_or('-', letter);
    let squares: String = squares_of(board.squares()).map(disc).collect();
    format!("{squares} {}", letter(position.side))
}

/// Returns the side that has a disc on a square, or `None` if the square is empty.
fn disc_at(position: &Position, square: u8) -> Option<Side> {
    [Side::Black, Side::White].into_iter().find(|&side| position.discs(side) >> square & 1 == 1)
}

/// Reads `startpos` or `<board> <side>`, optionally followed by `moves ...`, or the moves of a game from the start.
pub fn parse_position(game: &Reversi, text: &str) -> Result<Position, TextError> {
    let bad = |problem: &str| TextError::new("position", problem);
    let words: &[&str] = &text.split_whitespace().collect::<Vec<_>>();
    let (start, words) = match words {
        [] => return Err(bad("is empty; write startpos, <board> <side> or moves such as f5d6c3")),
        ["startpos", rest @ ..] => (game.start(), rest),
        [first, ..] if begins_transcript(first) => return play_all(game, &game.start(), words),
        [board, side, rest @ ..] => (parse_board_and_side(game.rules.board, board, side)?, rest),
        [board] => {
            parse_board(game.rules.board, board)?;
            return Err(bad("has no side after the board; write X (Black) or O (White)"));
        }
    };
    play_all(game, &start, notation::moves_after(words)?)
}

/// Returns true if a word starts like a transcript: with a move number, or with the name of a square on a board of any
/// size.
pub fn begins_transcript(word: &str) -> bool {
    split_number(word).is_some() || matches!(word.as_bytes(), [b'a'..=b'z' | b'A'..=b'Z', b'0'..=b'9', ..])
}

fn play_all(game: &Reversi, start: &Position, words: &[&str]) -> Result<Position, TextError> {
    let played = read_transcript(game, start, words)?;
    Ok(played.iter().fold(*start, |position, &mv| game.play(&position, mv)))
}

fn parse_board_and_side(board: Board, squares: &str, side: &str) -> Result<Position, TextError> {
    let [black, white] = parse_board(board, squares)?;
    let mut letters = side.chars();
    match (letters.next().and_then(side_of), letters.next()) {
        (Some(Side::Black), None) => Ok(Position { own: black, other: white, side: Side::Black }),
        (Some(Side::White), None) => Ok(Position { own: white, other: black, side: Side::White }),
        _ => Err(TextError::new(format!("side \"{side}\""), "is neither X (Black) nor O (White)")),
    }
}

/// Reads the discs of Black and of White.
fn parse_board(board: Board, text: &str) -> Result<[Squares; 2], TextError> {
    let (mut black, mut white) = (0, 0);
    for ((letter, square), number) in text.chars().zip(squares_of(board.squares())).zip(1..) {
        match (letter, side_of(letter)) {
            (_, Some(Side::Black)) => black |= 1 << square,
            (_, Some(Side::White)) => white |= 1 << square,
            ('-' | '.', _) => {}
            _ => {
                let place = format!("board square {} (character {number})", square_name(square));
                let known = "discs are X or * and O, empty squares - or .";
                return Err(TextError::new(place, format!("\"{letter}\" is unknown; {known}")));
            }
        }
    }
    let (count, Board { files, ranks }) = (text.chars().count(), board);
    if count != board.area() as usize {
        let problem = format!("has {count} squares, but {files} files and {ranks} ranks have {}", board.area());
        return Err(TextError::new("board", problem));
    }
    Ok([black, white])
}

/// Returns a diagram of the board. `+` marks the legal moves of the side to move.
pub fn diagram(board: Board, position: &Position) -> String {
    let legal = moves::legal(board, position);
    let line = |rank: u8| {
        let squares = (0..board.files).map(|file| mark(position, legal, board.bit(file, rank) as u8)).collect();
        let count = |side: Side| format!("   {side} {} {}", letter(side), position.discs(side).count_ones());
        let beside = match rank {
            0 => count(Side::Black),
            1 => count(Side::White),
            _ => String::new(),
        };
        (char::from(b'1' + rank), squares, beside)
    };
    let files = &"abcdefgh"[..usize::from(board.files)];
    notation::framed(files, (0..board.ranks).map(line), &whose_turn(board, position))
}

/// Returns the character of a square in a diagram.
fn mark(position: &Position, legal: Squares, square: u8) -> char {
    let empty = if legal >> square & 1 == 1 { '+' } else { '.' };
    disc_at(position, square).map_or(empty, letter)
}

fn whose_turn(board: Board, position: &Position) -> String {
    let side = position.side;
    if moves::is_over(board, position) {
        return "the game is over".into();
    }
    if moves::must_pass(board, position) { format!("{side} must pass") } else { format!("{side} to move") }
}

// Transcripts: the moves of a game without spaces, such as `f5d6c3--d3`, with `--` for a pass. A transcript may also be
// several words, with move numbers, such as `1. F5 f4 2. e3`.

/// Returns the moves as a transcript.
pub fn transcript(moves: &[Move]) -> String {
    let name = |&mv: &Move| match mv {
        Move::Place(_) => move_text(mv),
        Move::Pass => "--".into(),
    };
    moves.iter().map(name).collect()
}

/// Reads the moves of a game from `start`, in one word or several. Passes may be missing, as in most records. The
/// result has every pass up to the last move of the text. The error names a wrong move number, or else the first
/// unknown or illegal move and its index in the text, counted from 1.
pub fn read_transcript(game: &Reversi, start: &Position, words: &[&str]) -> Result<Vec<Move>, TextError> {
    check_numbers(words)?;
    let mut position = *start;
    let mut played = Vec::new();
    for (name, number) in words.iter().flat_map(|word| names(word)).zip(1..) {
        let place = |problem| TextError::new(format!("move \"{name}\" (move {number})"), problem);
        let mv = parse_move(game.rules.board, name).map_err(place)?;
        if mv != Move::Pass && moves::must_pass(game.rules.board, &position) {
            played.push(Move::Pass);
            position = position.passed();
        }
        check_legal(game, &position, mv).map_err(place)?;
        played.push(mv);
        position = game.play(&position, mv);
    }
    Ok(played)
}

/// Splits a word such as `1.` or `1.F5` into the move number and the rest. Returns `None` if the word has no move
/// number.
fn split_number(word: &str) -> Option<(&str, &str)> {
    let digits = word.len() - word.trim_start_matches(|letter: char| letter.is_ascii_digit()).len();
    let (number, rest) = word.split_at(digits);
    let moves = rest.trim_start_matches('.');
    (digits > 0 && moves.len() < rest.len()).then_some((number, moves))
}

/// Checks that move numbers count up from 1.
fn check_numbers(words: &[&str]) -> Result<(), TextError> {
    for ((number, _), expected) in words.iter().filter_map(|word| split_number(word)).zip(1u32..) {
        if number.parse() != Ok(expected) {
            return Err(TextError::new(format!("number \"{number}.\""), format!("should be {expected}.")));
        }
    }
    Ok(())
}

/// Returns the names of the moves in a word, after its move number if it has one.
pub fn names(word: &str) -> impl Iterator<Item = &str> {
    let mut rest = split_number(word).map_or(word, |(_, moves)| moves);
    std::iter::from_fn(move || {
        let pass = rest.get(..4).is_some_and(|start| start.eq_ignore_ascii_case("pass"));
        let letters = if pass { 4 } else { 2 };
        let end = rest.char_indices().nth(letters).map_or(rest.len(), |(at, _)| at);
        let (name, left) = rest.split_at(end);
        rest = left;
        (!name.is_empty()).then_some(name)
    })
}
