//! Positions with the moves that led to them, read from any text that the game accepts.

use super::viewed::Viewed;
use yomikiri_rules::{AnyGame, AnyMove, AnyPosition, Game, Notation, TextError};

/// A game so far: its first position and its moves.
pub struct Played {
    /// The position before the first move.
    pub start: AnyPosition,
    /// The moves since `start`, in order.
    pub moves: Vec<AnyMove>,
}

impl Played {
    /// Reads a position from `text`, then makes `moves`. `text` is a position, a position with moves after it, or the
    /// moves of a game alone. Between its moves, `text` may have board edits, which change the position outside the
    /// rules. The game then starts at the position after the last edit.
    pub fn read(game: &AnyGame, text: &str, moves: &[impl AsRef<str>]) -> Result<Played, TextError> {
        let position = game.parse_position(text)?;
        let mut played = split(game, text).unwrap_or(Played { start: position, moves: Vec::new() });
        let end = played.position(game);
        if end != position || game.side(&end) != game.side(&position) {
            played = Played { start: position, moves: Vec::new() };
        }
        let mut here = position;
        for (word, number) in moves.iter().zip(1..) {
            for name in game.split_word(word.as_ref()) {
                let mv = game.parse_move(&here, name).map_err(|error| error.numbered(number))?;
                here = game.play(&here, mv);
                played.moves.push(mv);
            }
        }
        Ok(played)
    }

    /// Returns the position after all moves.
    pub fn position(&self, game: &AnyGame) -> AnyPosition {
        self.moves.iter().fold(self.start, |position, &mv| game.play(&position, mv))
    }

    /// Returns the first position as text that every command reads.
    pub fn start_text(&self, game: &AnyGame) -> String {
        let start = game.start();
        let is_start = self.start == start && game.side(&self.start) == game.side(&start);
        if is_start { "startpos".into() } else { game.text_with_side(&self.start) }
    }
}

/// Splits the text of a position into its first position and its moves. Returns `None` if the text has no moves or
/// cannot be read.
fn split(game: &AnyGame, text: &str) -> Option<Played> {
    let words: Vec<&str> = text.split(';').next()?.split_whitespace().collect();
    let place = words.iter().position(|&word| word == "moves");
    let (mut start, names) = match place {
        Some(place) => (game.parse_position(&words[..place].join(" ")).ok()?, &words[place + 1..]),
        None if game.is_transcript(words.first()?) => (game.start(), &words[..]),
        None => return None,
    };
    let (mut here, mut moves) = (start, Vec::new());
    for name in names.iter().flat_map(|word| game.split_word(word)) {
        if let Some(edited) = game.edit(&here, name) {
            here = edited.ok()?;
            (start, moves) = (here, Vec::new());
            continue;
        }
        // Game records leave out passes. A pass is added if it is the only legal move and the record has another move.
        if let [pass] = game.legal_moves(&here)[..]
            && game.is_pass(pass)
            && game.parse_move(&here, name).is_err()
        {
            moves.push(pass);
            here = game.play(&here, pass);
        }
        let mv = game.parse_move(&here, name).ok()?;
        moves.push(mv);
        here = game.play(&here, mv);
    }
    Some(Played { start, moves })
}
