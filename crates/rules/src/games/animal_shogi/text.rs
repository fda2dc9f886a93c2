//! Keys, board texts, moves and diagrams.

use std::ops::ControlFlow;

use super::AnimalShogi;
use super::board::{Board, COLUMN_SQUARES, Kind, OPPONENT_HAND, Position, SQUARES, Squares};
use super::moves::Move;
use crate::{Game, Side, TextError, notation};

/// The key of the starting position.
pub const START_KEY: &str = "000a0039c41b002";

/// The number of hexadecimal digits of a key.
pub const KEY_DIGITS: usize = 15;

/// The number of rows of a board text, without the line for the hands.
pub const ROWS: usize = COLUMN_SQUARES;
const COLUMNS: usize = 3;

/// Reads a key. Accepts any board with all eight pieces.
pub fn board_of_key(text: &str) -> Result<Board, TextError> {
    let bad = |problem: String| TextError::new(format!("key \"{text}\""), problem);
    if let Some(letter) = text.chars().find(|letter| !letter.is_ascii_hexdigit()) {
        return Err(bad(format!("\"{letter}\" is not a hexadecimal digit")));
    }
    if text.len() != KEY_DIGITS {
        return Err(bad(format!("has {} digits, but a key has {KEY_DIGITS}", text.len())));
    }
    let key = u64::from_str_radix(text, 16).map_err(|_| bad("is not a hexadecimal number".into()))?;
    board_of_number(key).map_err(bad)
}

/// Reads a key that is given as a number of 60 bits. The error describes the problem.
pub fn board_of_number(key: u64) -> Result<Board, String> {
    let mut maker = BoardBuilder::new((key >> 48) as u16);
    for square in 0..SQUARES {
        let digit = (key >> (4 * (SQUARES - 1 - square)) & 15) as usize;
        match digit {
            0 => {}
            1..=5 => maker.place(Kind::ALL[digit - 1], true, square),
            9..=13 => maker.place(Kind::ALL[digit - 9], false, square),
            _ => return Err(format!("the digit {digit:x} on {} is not a piece", square_text(square))),
        }
    }
    maker.finish()
}

/// Builds a board piece by piece, and checks the pieces at the end.
struct BoardBuilder {
    board: Board,
    /// The squares of the side to move's pieces, except lions.
    own: Squares,
    /// The squares of the side to move's lions, then those of the opponent's lions.
    lions: [Vec<u8>; 2],
}

impl BoardBuilder {
    fn new(hands: u16) -> BoardBuilder {
        BoardBuilder { board: Board::of_lions(0, 0, hands), own: 0, lions: [const { Vec::new() }; 2] }
    }

    fn place(&mut self, kind: Kind, own: bool, square: usize) {
        if kind == Kind::Lion {
            self.lions[usize::from(!own)].push(square as u8);
            return;
        }
        self.board = self.board.with(kind, square as u8);
        if own {
            self.own |= 1 << square;
        }
    }

    fn finish(self) -> Result<Board, String> {
        let one_lion = |lions: &[u8], whose: &str| match *lions {
            [square] => Ok(square),
            [] => Err(format!("the {whose} has no lion")),
            _ => Err(format!("the {whose} has {} lions", lions.len())),
        };
        let (own, opponent) = (one_lion(&self.lions[0], "side to move")?, one_lion(&self.lions[1], "opponent")?);
        let board = self.board;
        let sets = [
            (Kind::Elephant, board.elephants(), "elephants"),
            (Kind::Giraffe, board.giraffes(), "giraffes"),
            (Kind::Chick, board.chicks(), "chicks and hens"),
        ];
        for (kind, set, name) in sets {
            let held = board.in_hand(kind, 0) + board.in_hand(kind, OPPONENT_HAND);
            let count = set.count_ones() + u32::from(held);
            if count != 2 {
                return Err(format!("{count} {name} on the board and in hand, not 2"));
            }
        }
        let lions = Board::of_lions(own, opponent, board.hands());
        let whole = lions.with_sets(board.elephants(), board.giraffes(), board.chicks());
        Ok(whole.with_hens(board.hens()).with_owner(self.own))
    }
}

/// Reads the five lines of a board text: four rows, the last rank of the side to move first, then the pieces in hand.
/// Capital letters are pieces of the side to move.
pub fn board_of_lines(text: &str) -> Result<Board, TextError> {
    let lines: Vec<&str> = text.lines().map(str::trim).collect();
    // If the text ends after the rows, or in an empty line, no pieces are in hand.
    let (rows, hand) = match lines.as_slice() {
        [rows @ .., hand] if rows.len() == ROWS => (rows, *hand),
        rows if rows.len() == ROWS => (rows, ""),
        _ => {
            let problem =
                format!("has {} lines, but a board has {ROWS} rows and a line of pieces in hand", lines.len());
            return Err(TextError::new("board", problem));
        }
    };
    let mut maker = BoardBuilder::new(0);
    for (row, line) in rows.iter().enumerate() {
        read_row(&mut maker, row, line)?;
    }
    for letter in hand.chars() {
        hold(&mut maker, letter).map_err(|problem| TextError::new(format!("hands \"{hand}\""), problem))?;
    }
    maker.finish().map_err(|problem| TextError::new("board", problem))
}

fn read_row(maker: &mut BoardBuilder, row: usize, line: &str) -> Result<(), TextError> {
    let bad = |problem: String| TextError::new(format!("row {} \"{line}\"", row + 1), problem);
    let count = line.chars().count();
    if count != COLUMNS {
        return Err(bad(format!("has {count} squares, but a row has {COLUMNS}")));
    }
    for (column, letter) in line.chars().enumerate().filter(|(_, letter)| *letter != '.') {
        let kind = Kind::of_letter(letter).ok_or_else(|| {
            bad(format!("\"{letter}\" is not one of the letters L, E, G, C, H, l, e, g, c, h or a dot"))
        })?;
        maker.place(kind, letter.is_ascii_uppercase(), (COLUMNS - 1 - column) * COLUMN_SQUARES + row);
    }
    Ok(())
}

fn hold(maker: &mut BoardBuilder, letter: char) -> Result<(), String> {
    let kind = Kind::of_letter(letter).filter(|kind| Kind::HAND.contains(kind));
    let kind = kind.ok_or_else(|| format!("\"{letter}\" is not one of the letters E, G, C, e, g, c"))?;
    let shift = if letter.is_ascii_uppercase() { 0 } else { OPPONENT_HAND };
    if maker.board.in_hand(kind, shift) == 2 {
        return Err(format!("more than two {}s", kind.name()));
    }
    maker.board = maker.board.with_in_hand(kind, shift);
    Ok(())
}

/// Returns the five lines of a board text, without a line break at the end.
pub fn board_lines(board: &Board) -> String {
    let rows: Vec<String> = (0..ROWS).map(|row| row_text(board, row)).collect();
    format!("{}\n{}{}", rows.join("\n"), hand_text(board, 0), hand_text(board, OPPONENT_HAND).to_lowercase())
}

/// Returns the squares of a row, from file 3 to file 1.
fn row_text(board: &Board, row: usize) -> String {
    let squares = (0..COLUMNS).rev().map(|column| column * COLUMN_SQUARES + row);
    squares.map(|square| letter_at(board, square)).collect()
}

fn letter_at(board: &Board, square: usize) -> char {
    match board.kind_at(square) {
        None => '.',
        Some(kind) if board.own() >> square & 1 == 1 => kind.letter(),
        Some(kind) => kind.letter().to_ascii_lowercase(),
    }
}

/// Returns the pieces in one hand as capital letters: elephants, then giraffes, then chicks. `shift` selects the hand
/// as in [`Board::in_hand`].
fn hand_text(board: &Board, shift: u32) -> String {
    let held = |kind: Kind| kind.letter().to_string().repeat(board.in_hand(kind, shift).into());
    Kind::HAND.into_iter().map(held).collect()
}

/// Returns the name of a square, `1a` to `3d`: file from the right, then rank from the top, as Black sees the board.
pub fn square_text(square: usize) -> String {
    format!("{}{}", square / COLUMN_SQUARES + 1, (b'a' + (square % COLUMN_SQUARES) as u8) as char)
}

/// Returns the text of a move, such as `2c2b`, `2b2a+` or `C*3b`.
pub fn move_text(mv: Move) -> String {
    let to = square_text(mv.to.into());
    match mv.from {
        None => format!("{}*{to}", mv.kind.letter()),
        Some(from) => format!("{}{to}{}", square_text(from.into()), if mv.promotes { "+" } else { "" }),
    }
}

/// Reads a legal move. The `+` is optional, because promotion is forced.
pub fn parse_legal_move(game: &AnimalShogi, position: &Position, text: &str) -> Result<Move, TextError> {
    parse_one_of(&game.legal_moves(position), text, || match game.is_terminal(position) {
        true => "is not legal: the game is over",
        false => "is not legal: there is no legal move",
    })
}

/// Reads a move that the pieces can make, even if the game is over. A move that takes the opponent's lion is an error.
pub fn parse_playable_move(game: &AnimalShogi, position: &Position, text: &str) -> Result<Move, TextError> {
    let lion = Move::square_seen_by(position.side, position.board.opponent_lion());
    let mut moves = Vec::new();
    legal_moves(game, position, &mut moves);
    if moves.iter().any(|&mv| mv.to == lion && is_named(mv, text)) {
        return Err(TextError::new(
            format!("move \"{text}\""),
            "takes the lion, so the game ends without another position",
        ));
    }
    moves.retain(|mv| mv.to != lion);
    parse_one_of(&moves, text, || "is not legal: there is no legal move")
}

/// Returns true if `text` names the move. The `+` is optional.
fn is_named(mv: Move, text: &str) -> bool {
    let name = move_text(mv);
    name == text || name.strip_suffix('+') == Some(text)
}

/// Reads one of `moves`. `none` gives the problem to report if `moves` is empty.
fn parse_one_of(moves: &[Move], text: &str, none: impl Fn() -> &'static str) -> Result<Move, TextError> {
    let found = moves.iter().find(|&&mv| is_named(mv, text));
    found.copied().ok_or_else(|| {
        let problem = match (moves.is_empty(), is_move(text)) {
            (_, false) => "is not a move; write moves like 2c2b or C*3b".into(),
            (true, _) => none().into(),
            (false, true) => {
                let names: Vec<_> = moves.iter().map(|&mv| move_text(mv)).collect();
                format!("is not legal here; legal moves: {}", names.join(" "))
            }
        };
        TextError::new(format!("move \"{text}\""), problem)
    })
}

/// Returns true if `text` has the form of a move.
fn is_move(text: &str) -> bool {
    let bytes = text.strip_suffix('+').unwrap_or(text).as_bytes();
    let square = |file: u8, rank: u8| (b'1'..=b'3').contains(&file) && (b'a'..=b'd').contains(&rank);
    match *bytes {
        [b'E' | b'G' | b'C', b'*', file, rank] => square(file, rank),
        [file, rank, to_file, to_rank] => square(file, rank) && square(to_file, to_rank),
        _ => false,
    }
}

/// Returns a diagram of the board as Black sees it, with Black's pieces in capital letters.
pub fn diagram(position: &Position) -> String {
    let board = if position.side == Side::Black { position.board } else { position.board.rotated() };
    let line = |row: usize| {
        let beside = match row {
            0 => format!("   White holds {}", held_or_nothing(&board, OPPONENT_HAND).to_lowercase()),
            3 => format!("   Black holds {}", held_or_nothing(&board, 0)),
            _ => String::new(),
        };
        (char::from(b'a' + row as u8), row_text(&board, row), beside)
    };
    let framed = notation::framed("321", (0..ROWS).map(line), &format!("{} to move", position.side));
    format!("{framed}\n{:015x}", position.board.key())
}

fn held_or_nothing(board: &Board, shift: u32) -> String {
    let held = hand_text(board, shift);
    if held.is_empty() { "-".into() } else { held }
}

/// Replaces the contents of `moves` by all moves that the pieces can make, in the order of [`Board::after_moves`]. Does
/// not check if the game is over.
pub fn legal_moves(game: &AnimalShogi, position: &Position, moves: &mut Vec<Move>) {
    moves.clear();
    let seen = position.board.rotated();
    let side = position.side;
    // The generator numbers squares as the other side sees them.
    let square = |square: u8| Move::square_seen_by(side.other(), square);
    let _ = seen.after_moves(&game.rules, |step, _, _| {
        let from = step.from.map(square);
        moves.push(Move { from, to: square(step.to), kind: step.kind, promotes: step.promotes, side });
        ControlFlow::Continue(())
    });
}
