//! The moves of a game in a row without spaces, as `f5d6c3--d3`: squares, and `--` for a pass.

use super::board::Position;
use super::game::Reversi;
use super::moves::{self, Move};
use super::text;
use crate::game::{Game, TextError};

/// Moves as a transcript.
pub fn write(moves: &[Move]) -> String {
    let name = |&mv: &Move| match mv {
        Move::Place(_) => text::move_text(mv),
        Move::Pass => "--".into(),
    };
    moves.iter().map(name).collect()
}

/// Reads the moves of a game from `start` on, in one word or several. Passes may be left out, as most records do; here
/// they are among the moves. The error names the first move that is none, or not legal, by its number in the text.
pub fn read(game: &Reversi, start: &Position, words: &[&str]) -> Result<Vec<Move>, TextError> {
    let mut position = *start;
    let mut played = Vec::new();
    for (name, number) in words.iter().flat_map(|word| names(word)).zip(1..) {
        let place = |problem| TextError::new(format!("move \"{name}\" (number {number} of moves)"), problem);
        let mv = text::parse_move(game.rules.board, name).map_err(place)?;
        if mv != Move::Pass && moves::must_pass(game.rules.board, &position) {
            played.push(Move::Pass);
            position = position.passed();
        }
        text::check_legal(game, &position, mv).map_err(place)?;
        played.push(mv);
        position = game.play(&position, mv);
    }
    Ok(played)
}

/// The names of moves that a word is made of.
fn names(word: &str) -> impl Iterator<Item = &str> {
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
