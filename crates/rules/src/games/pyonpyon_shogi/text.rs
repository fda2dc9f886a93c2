//! Notation of positions and moves.
//!
//! A position is `<board> <turn>`, the first two fields of SFEN: the ranks from rank 1 on, separated by `/`, with
//! letters for pieces, in upper case for Black, and a number for each run of empty squares. The turn is `b` or `w`. A
//! move is written as its two squares, such as `b5c1`.

use super::board::{Kinds, Position};
use super::kinds::Kind;
use super::{PyonpyonShogi, Rules};
use crate::bits::set_bits;
use crate::games::pyonpyon::Board;
use crate::games::pyonpyon::board::Squares;
use crate::games::pyonpyon::moves::Move;
use crate::games::pyonpyon::text::{parse_squares, picture_of, square_name};
use crate::{Formats, Game, Side, TextError, notation};

/// The notations that this file reads.
pub const FORMATS: Formats = Formats {
    positions: "startpos, the first two fields of SFEN, such as \"pgp/3/3/PGP b\", also after sfen or xfen",
    games: Formats::DEFAULT_GAMES,
    suites: Formats::DEFAULT_SUITES,
};

/// Returns the letter for a side to move.
pub fn letter(side: Side) -> char {
    side.pick(['b', 'w'])
}

/// Returns the letter for a piece.
pub fn piece_letter(kind: Kind, side: Side) -> char {
    side.pick([kind.letter(), kind.letter().to_ascii_lowercase()])
}

fn read_piece(letter: char) -> Option<(Kind, Side)> {
    let side = if letter.is_ascii_lowercase() { Side::White } else { Side::Black };
    Kind::from_letter(letter.to_ascii_uppercase()).map(|kind| (kind, side))
}

/// Reads a legal move. The error says why the text is not a legal move.
pub fn parse_legal_move(game: &PyonpyonShogi, position: &Position, text: &str) -> Result<Move, TextError> {
    let bad = |problem: String| TextError::new(format!("move \"{text}\""), problem);
    let mv = parse_squares(game.rules.base.board, text).map_err(bad)?;
    let legal = game.legal_moves(position);
    if legal.contains(&mv) { Ok(mv) } else { Err(bad(why_illegal(game, position, mv))) }
}

fn why_illegal(game: &PyonpyonShogi, position: &Position, mv: Move) -> String {
    let name = |bit: u8| square_name(game.rules.base.board, u32::from(bit));
    let (from, to, side) = (name(mv.from), name(mv.to), position.side);
    let stands = |bit: u8, pieces: Squares| pieces >> bit & 1 == 1;
    if game.is_terminal(position) {
        return "the game is over: the pieces of a side have reached their goal".into();
    }
    if stands(mv.from, position.other) {
        return format!("the piece on {from} is {}'s, but {side} is to move", side.other());
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
    let (square, kind) = (u32::from(mv.from), position.kinds.at(mv.from.into()));
    let reached = game.destinations(side, kind, position.own | position.other, square);
    let reached: Vec<_> = set_bits(reached).map(|bit| name(bit as u8)).collect();
    match reached.is_empty() {
        true => format!("the {} on {from} cannot go anywhere", kind.name()),
        false => format!("from {from}, the {} can go to {}", kind.name(), reached.join(" ")),
    }
}

/// Returns the position as `<board> <turn>`.
pub fn fen(board: Board, position: &Position) -> String {
    let ranks = notation::fen(0..board.ranks, board.files, |file, rank| piece(board, position, file, rank));
    format!("{ranks} {}", letter(position.side))
}

/// Returns the letter for the piece on a square, or `None` if the square is empty.
fn piece(board: Board, position: &Position, file: u8, rank: u8) -> Option<char> {
    let bit = board.bit(file, rank);
    let side = [Side::Black, Side::White].into_iter().find(|&side| position.pieces(side) >> bit & 1 == 1)?;
    Some(piece_letter(position.kinds.at(bit), side))
}

/// Returns a diagram of the board, with Black's pieces in capital letters.
pub fn diagram(board: Board, position: &Position) -> String {
    picture_of(board, |file, rank| piece(board, position, file, rank))
}

/// Reads `startpos` or a position, optionally followed by `moves ...`. A leading `position` is skipped, and so is
/// `sfen` or `xfen` before the board.
pub fn parse_notation(game: &PyonpyonShogi, text: &str) -> Result<Position, TextError> {
    notation::parse_position(game, text, &["sfen", "xfen"], "<board> <turn>", |words| parse_fields(&game.rules, words))
}

fn parse_fields<'a, 'b>(rules: &Rules, words: &'a [&'b str]) -> Result<(Position, &'a [&'b str]), TextError> {
    let [board, turn, rest @ ..] = words else {
        let (fields, Board { files, ranks }) = (words.len(), rules.base.board);
        let problem = format!("has {fields} of the two fields board ({files}x{ranks}) and turn (b or w)");
        return Err(TextError::new("position", problem));
    };
    let (black, white, kinds) = parse_board(rules, board).map_err(notation::of_field("board", board))?;
    let position = match *turn {
        "b" => Position { own: black, other: white, kinds, side: Side::Black },
        "w" => Position { own: white, other: black, kinds, side: Side::White },
        _ => return Err(notation::of_field("turn", turn)("is neither b nor w".into())),
    };
    Ok((position, rest))
}

/// Reads the pieces of Black and of White, and their kinds.
fn parse_board(rules: &Rules, text: &str) -> Result<(Squares, Squares, Kinds), String> {
    let board = rules.base.board;
    let ranks: Vec<u8> = (1..=board.ranks).collect();
    let (mut black, mut white, mut kinds) = (0, 0, Kinds::default());
    let mut of_side = [Vec::new(), Vec::new()];
    let pieces = ("pieces are PLNSGBR and plnsgbr", 5);
    for (file, rank, (kind, side)) in notation::parse_pieces(text, board.files, &ranks, pieces, read_piece)? {
        let bit = board.bit(file, rank);
        *side.pick([&mut black, &mut white]) |= 1 << bit;
        kinds.put(bit, kind);
        of_side[side as usize].push(kind);
    }
    let letters = |mut kinds: Vec<Kind>| {
        kinds.sort_unstable();
        kinds.into_iter().map(Kind::letter).collect::<String>()
    };
    let expected = letters(rules.kinds().to_vec());
    for (side, found) in [Side::Black, Side::White].into_iter().zip(of_side.map(letters)) {
        if found != expected {
            let found = if found.is_empty() { "nothing".into() } else { found };
            return Err(format!("{side} has {found}, but each side must have {expected}"));
        }
    }
    Ok((black, white, kinds))
}
