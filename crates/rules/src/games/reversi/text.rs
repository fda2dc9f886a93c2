//! Positions and moves as people write them, and pictures of boards.
//!
//! A position is `<board> <side>`: the squares in reading order, `X` or `*` for Black, `O` for White, `-` or `.` for an
//! empty square; the side is `X` or `O`. A line of a test suite (OBF) is the same with `;` and remarks after it. Moves
//! are squares, as `f5`, or `pass`.

use super::Reversi;
use super::board::{Board, Position, Squares};
use super::moves::{self, Move};
use crate::{Game, Score, Side, TextError, notation};

/// The letter of a side's discs and turn.
fn letter(side: Side) -> char {
    side.pick(['X', 'O'])
}

/// The side of a letter.
fn side_of(letter: char) -> Option<Side> {
    match letter {
        'X' | 'x' | '*' => Some(Side::Black),
        'O' | 'o' => Some(Side::White),
        _ => None,
    }
}

/// The name of a square by its bit number: file, then rank.
pub fn square_name(square: u8) -> String {
    notation::square_name(square % 8, square / 8)
}

/// The names of squares with a space between them.
fn square_names(squares: Squares) -> String {
    moves::each(squares).map(square_name).collect::<Vec<_>>().join(" ")
}

/// Reads the name of a square of the board, in small letters or capitals.
pub fn parse_square(board: Board, name: &str) -> Option<u8> {
    let square = notation::parse_square(&name.to_ascii_lowercase(), board.files, board.ranks);
    square.map(|(file, rank)| board.bit(file, rank) as u8)
}

pub fn move_text(mv: Move) -> String {
    match mv {
        Move::Place(square) => square_name(square),
        Move::Pass => "pass".into(),
    }
}

/// Reads a move, legal or not; the error says what is wrong with it.
pub fn parse_move(board: Board, text: &str) -> Result<Move, String> {
    if text == "--" || text.eq_ignore_ascii_case("pass") {
        return Ok(Move::Pass);
    }
    let last = square_name(board.bit(board.files - 1, board.ranks - 1) as u8);
    parse_square(board, text)
        .map(Move::Place)
        .ok_or_else(|| format!("is neither a square of this board, a1 to {last}, nor \"pass\" or \"--\""))
}

/// Reads a move and says why it is not legal, if so.
pub fn parse_legal_move(game: &Reversi, position: &Position, text: &str) -> Result<Move, TextError> {
    let mv = parse_move(game.rules.board, text).and_then(|mv| check_legal(game, position, mv).map(|()| mv));
    mv.map_err(|problem| TextError::new(format!("move \"{text}\""), problem))
}

/// The error says why a move is not legal.
pub fn check_legal(game: &Reversi, position: &Position, mv: Move) -> Result<(), String> {
    if let Some(reason) = game.why_over(position) {
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

/// `<board> <side>`.
pub fn board_and_side(board: Board, position: &Position) -> String {
    let disc = |square| disc_at(position, square).map_or('-', letter);
    let squares: String = moves::each(board.squares()).map(disc).collect();
    format!("{squares} {}", letter(position.side))
}

/// Whose disc lies on a square.
fn disc_at(position: &Position, square: u8) -> Option<Side> {
    [Side::Black, Side::White].into_iter().find(|&side| position.discs(side) >> square & 1 == 1)
}

/// Reads `startpos` or `<board> <side>`, each with `moves ...` after it if there are any; the moves of a game from the
/// start alone; or a line of a test suite.
pub fn parse_notation(game: &Reversi, text: &str) -> Result<Position, TextError> {
    let bad = |problem: &str| TextError::new("position", problem);
    let head = text.split(';').next().unwrap_or_default();
    let words: &[&str] = &head.split_whitespace().collect::<Vec<_>>();
    let (start, words) = match words {
        [] => return Err(bad("is empty; write startpos, <board> <side> or moves as f5d6c3")),
        ["startpos", rest @ ..] => (game.start(), rest),
        [first, ..] if begins_with_square(first) => return play_all(game, &game.start(), words),
        [board, side, rest @ ..] => (parse_board_and_side(game.rules.board, board, side)?, rest),
        [board] => {
            parse_board(game.rules.board, board)?;
            return Err(bad("has no side after the board; write X (Black) or O (White)"));
        }
    };
    if words.is_empty() && remarks(text).is_some_and(|remarks| remarks.split_whitespace().any(|word| word == "moves")) {
        return Err(bad("has \"moves\" after the \";\", where only remarks can stand"));
    }
    play_all(game, &start, notation::moves_behind(words)?)
}

/// Whether a text is a pass or the name of a square, of whatever board.
pub fn looks_like_move(text: &str) -> bool {
    text == "--" || text.eq_ignore_ascii_case("pass") || text.len() == 2 && begins_with_square(text)
}

/// Whether a word begins with the name of a square, of whatever board.
pub fn begins_with_square(word: &str) -> bool {
    matches!(word.as_bytes(), [b'a'..=b'z' | b'A'..=b'Z', b'0'..=b'9', ..])
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

/// Reads the discs of Black and White.
fn parse_board(board: Board, text: &str) -> Result<[Squares; 2], TextError> {
    let (mut black, mut white) = (0, 0);
    for ((letter, square), number) in text.chars().zip(moves::each(board.squares())).zip(1..) {
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
        let problem = format!("has {count} squares, {files} files and {ranks} ranks make {}", board.area());
        return Err(TextError::new("board", problem));
    }
    Ok([black, white])
}

/// The board with the legal moves of the side to move marked `+`.
pub fn picture(board: Board, position: &Position) -> String {
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

/// What a picture shows on a square.
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

// The moves of a game in a row without spaces, as `f5d6c3--d3`: squares, and `--` for a pass.

/// Moves as a transcript.
pub fn transcript(moves: &[Move]) -> String {
    let name = |&mv: &Move| match mv {
        Move::Place(_) => move_text(mv),
        Move::Pass => "--".into(),
    };
    moves.iter().map(name).collect()
}

/// Reads the moves of a game from `start` on, in one word or several. Passes may be left out, as most records do; here
/// they are among the moves. The error names the first move that is none, or not legal, by its number in the text.
pub fn read_transcript(game: &Reversi, start: &Position, words: &[&str]) -> Result<Vec<Move>, TextError> {
    let mut position = *start;
    let mut played = Vec::new();
    for (name, number) in words.iter().flat_map(|word| names(word)).zip(1..) {
        let place = |problem| TextError::new(format!("move \"{name}\" (number {number} of moves)"), problem);
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

/// The names of moves that a word is made of.
pub fn names(word: &str) -> impl Iterator<Item = &str> {
    let mut rest = word;
    std::iter::from_fn(move || {
        let pass = rest.get(..4).is_some_and(|start| start.eq_ignore_ascii_case("pass"));
        let letters = if pass { 4 } else { 2 };
        let end = rest.char_indices().nth(letters).map_or(rest.len(), |(at, _)| at);
        let (name, left) = rest.split_at(end);
        rest = left;
        (!name.is_empty()).then_some(name)
    })
}

// What lines of test suites (OBF) say beside the position: `<board> <side>; d3:+2; c4:-6; % a remark`.

/// The remarks after the position, without what follows a `%`.
pub fn remarks(text: &str) -> Option<&str> {
    let (_, remarks) = text.split_once(';')?;
    remarks.split('%').next()
}

/// The score of the best of the moves that a line has scores for; `None` if it has none. Remarks that do not begin with
/// a square or a pass and a colon are no scores.
pub fn best_score(game: &Reversi, position: &Position, text: &str) -> Result<Option<Score>, TextError> {
    let scored = remarks(text).into_iter().flat_map(|remarks| remarks.split(';'));
    let scored = scored.filter_map(|remark| remark.split_once(':'));
    let scored = scored.map(|(name, score)| (name.trim(), score.trim()));
    let scored = scored.filter(|(name, _)| looks_like_move(name));
    let scores = scored.map(|(name, score)| score_of_move(game, position, name, score));
    Ok(scores.collect::<Result<Vec<_>, _>>()?.into_iter().max())
}

fn score_of_move(game: &Reversi, position: &Position, name: &str, score: &str) -> Result<Score, TextError> {
    parse_legal_move(game, position, name)?;
    let most = i32::from(Score::MOST);
    let points = score.parse().ok().filter(|points| (-most..=most).contains(points));
    let problem = || format!("score \"{score}\" is no number from -{most} to +{most}");
    points.map(Score::new).ok_or_else(|| TextError::new(format!("move \"{name}\""), problem()))
}
