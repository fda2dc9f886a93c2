//! Notation of positions and moves.
//!
//! A position is `<board> <turn>`: the ranks from rank 1 on, separated by `/`, with `x` for Black, `o` for White, and a
//! number for each run of empty squares. The turn is `x` or `o`. A move is written as its two squares, such as `b5c1`.

use super::Pyonpyon;
use super::board::{Board, Position, Squares};
use super::moves::Move;
use super::rules::Rules;
use crate::bits::set_bits;
use crate::{Formats, Game, Side, TextError, notation};

/// The notations that this file reads.
pub const FORMATS: Formats = Formats {
    positions: "startpos, board and turn, such as \"ooo/3/3/xxx x\", also after pfen or xfen",
    games: Formats::DEFAULT_GAMES,
    suites: Formats::DEFAULT_SUITES,
};

const FILE_NAMES: &[u8] = b"abcde";

/// Returns the letter for a side, both as a piece and as the side to move.
pub fn letter(side: Side) -> char {
    side.pick(['x', 'o'])
}

/// Returns the name of the square with this bit index: file, then rank.
pub fn square_name(board: Board, bit: u32) -> String {
    let (file, rank) = board.file_and_rank(bit);
    notation::square_name(file, rank)
}

/// Returns the notation of a move: the names of its two squares, such as `b5c1`.
pub fn move_text(board: Board, mv: Move) -> String {
    [mv.from, mv.to].map(|bit| square_name(board, u32::from(bit))).concat()
}

/// Reads the name of a square and returns its bit index, or `None` if the board has no such square.
fn parse_square(board: Board, name: &str) -> Option<u32> {
    notation::parse_square(name, board.files, board.ranks).map(|(file, rank)| board.bit(file, rank))
}

/// Reads the two squares of a move. Does not check that the move is legal.
pub fn parse_squares(board: Board, text: &str) -> Result<Move, String> {
    if matches!(text, "resign" | "draw") {
        return Err("ends a game, but is not a move on the board".into());
    }
    let names = text.split_at_checked(2).filter(|(_, to)| to.len() == 2);
    let (from, to) = names.ok_or("is not two squares, such as b5c1")?;
    let Board { files, ranks } = board;
    let square = |name| {
        let bit = parse_square(board, name).map(|bit| bit as u8);
        bit.ok_or_else(|| format!("\"{name}\" is not a square of the {files}x{ranks} board"))
    };
    Ok(Move { from: square(from)?, to: square(to)? })
}

/// Reads a legal move. The error says why the text is not a legal move.
pub fn parse_legal_move(game: &Pyonpyon, position: &Position, text: &str) -> Result<Move, TextError> {
    let bad = |problem: String| TextError::new(format!("move \"{text}\""), problem);
    let mv = parse_squares(game.rules.board, text).map_err(bad)?;
    let legal = game.legal_moves(position);
    if legal.contains(&mv) { Ok(mv) } else { Err(bad(why_illegal(game, position, mv))) }
}

fn why_illegal(game: &Pyonpyon, position: &Position, mv: Move) -> String {
    let name = |bit: u8| square_name(game.rules.board, u32::from(bit));
    let (from, to) = (name(mv.from), name(mv.to));
    let (own, other) = (letter(position.side), letter(position.side.other()));
    let stands = |bit: u8, pieces: Squares| pieces >> bit & 1 == 1;
    if game.is_terminal(position) {
        return "the game is over: the pieces of a side have reached their goal".into();
    }
    if stands(mv.from, position.other) {
        return format!("the piece on {from} belongs to {other}, but {own} is to move");
    }
    if !stands(mv.from, position.own) {
        return format!("there is no piece on {from}");
    }
    if mv.from == mv.to {
        return "a piece must not end where it started: passing is illegal".into();
    }
    if stands(mv.to, position.own | position.other) {
        return format!("{to} is not empty");
    }
    let reached = game.lines.destinations(position.own | position.other, u32::from(mv.from));
    let reached: Vec<_> = set_bits(reached).map(|bit| name(bit as u8)).collect();
    match reached.is_empty() {
        true => format!("the piece on {from} cannot go anywhere"),
        false => format!("the piece on {from} can go to {}", reached.join(" ")),
    }
}

/// Returns the position as `<board> <turn>`.
pub fn fen(board: Board, position: &Position) -> String {
    let ranks = notation::fen(0..board.ranks, board.files, |file, rank| piece(board, position, file, rank).map(letter));
    format!("{ranks} {}", letter(position.side))
}

/// Returns the side that has a piece on a square, or `None` if the square is empty.
fn piece(board: Board, position: &Position, file: u8, rank: u8) -> Option<Side> {
    let bit = board.bit(file, rank);
    [Side::Black, Side::White].into_iter().find(|&side| position.pieces(side) >> bit & 1 == 1)
}

/// Reads `startpos` or a position, optionally followed by `moves ...`. A leading `position` is skipped, and so is
/// `pfen` or `xfen` before the board.
pub fn parse_notation(game: &Pyonpyon, text: &str) -> Result<Position, TextError> {
    notation::parse_position(game, text, &["pfen", "xfen"], "<board> <turn>", |words| parse_fields(&game.rules, words))
}

fn parse_fields<'a, 'b>(rules: &Rules, words: &'a [&'b str]) -> Result<(Position, &'a [&'b str]), TextError> {
    let [board, turn, rest @ ..] = words else {
        let (fields, Board { files, ranks }) = (words.len(), rules.board);
        let problem = format!("has {fields} of the two fields board ({files}x{ranks}) and turn (x or o)");
        return Err(TextError::new("position", problem));
    };
    let (black, white) = parse_board(rules.board, board).map_err(notation::of_field("board", board))?;
    let position = match *turn {
        "x" => Position { own: black, other: white, side: Side::Black },
        "o" => Position { own: white, other: black, side: Side::White },
        _ => return Err(notation::of_field("turn", turn)("is neither x nor o".into())),
    };
    Ok((position, rest))
}

/// Reads the pieces of Black and of White.
fn parse_board(board: Board, text: &str) -> Result<(Squares, Squares), String> {
    let ranks: Vec<u8> = (1..=board.ranks).collect();
    let (mut black, mut white): (Squares, Squares) = (0, 0);
    for (file, rank, side) in notation::parse_fen(text, board.files, &ranks, "pieces", 5)? {
        *side.pick([&mut black, &mut white]) |= 1 << board.bit(file, rank);
    }
    for (name, pieces) in [('x', black), ('o', white)] {
        if pieces.count_ones() != u32::from(board.files) {
            let count = pieces.count_ones();
            return Err(format!("has {count} {name}, but each side has {} pieces", board.files));
        }
    }
    Ok((black, white))
}

/// Returns the author's diagram of the board. The author's line above the board, with the number of moves and
/// repetitions, is left out because it needs the history of the game.
pub fn diagram(board: Board, position: &Position) -> String {
    picture_of(board, |file, rank| piece(board, position, file, rank).map(letter))
}

/// Like [`diagram`], for any pieces. `piece` takes a file and a rank and returns the character of the piece, or `None`
/// for an empty square.
pub fn picture_of(board: Board, piece: impl Fn(u8, u8) -> Option<char>) -> String {
    let rule = format!("  {}+\n", "+---".repeat(usize::from(board.files)));
    let mut text = rule.clone();
    for rank in 0..board.ranks {
        text += &format!("{} ", rank + 1);
        for file in 0..board.files {
            text += &format!("| {} ", piece(file, rank).unwrap_or(' '));
        }
        text += &format!("|\n{rule}");
    }
    let names = FILE_NAMES[..usize::from(board.files)].iter().map(|&name| name as char);
    text + "    " + &names.map(String::from).collect::<Vec<_>>().join("   ")
}
