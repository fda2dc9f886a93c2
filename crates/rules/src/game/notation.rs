//! Texts: positions, moves, test suites and recorded games.

use super::{Archive, Game, TextError};

/// The first character of the text of a key.
pub const KEY_MARK: char = '@';

/// Returns the text of a key, such as `@41600`. Every game reads this text as a position.
pub fn key_text(key: u64) -> String {
    format!("{KEY_MARK}{key}")
}

/// The notation of a game: its positions and moves as text.
///
/// ```
/// use yomikiri_rules::games::binarsi::Binarsi;
/// use yomikiri_rules::{Game, Notation};
///
/// let game = Binarsi::parse("bin2x2")?;
/// let here = game.parse_position("startpos moves 2n")?;
/// assert_eq!(game.position_text(&here), "ox/2 w - - 1");
/// assert_eq!(game.parse_position(&game.position_text(&here))?, here);
/// let mv = game.parse_move(&here, "bn")?;
/// assert_eq!(game.move_text(mv), "bn");
/// assert!(game.parse_move(&here, "9n").is_err());
/// # Ok::<(), yomikiri_rules::TextError>(())
/// ```
pub trait Notation: Game {
    /// Reads a position: either a key, in the form that [`key_text`] writes, or the game's own notation.
    ///
    /// # Errors
    ///
    /// Returns an error if the text is neither a key nor a position. If the text is a bare list of moves from the
    /// start, the error quotes the text to write instead: `startpos moves` and the moves.
    fn parse_position(&self, text: &str) -> Result<Self::Position, TextError> {
        match text.trim_start().strip_prefix(KEY_MARK) {
            Some(key) => self.parse_key(key),
            None => self.parse_notation(text).map_err(|error| {
                let words: Vec<&str> = text.split_whitespace().collect();
                let moves = format!("startpos moves {}", words.join(" "));
                if words.is_empty() || self.parse_notation(&moves).is_err() {
                    return error;
                }
                TextError {
                    problem: format!("{}; for moves from the start, write \"{moves}\"", error.problem),
                    ..error
                }
            }),
        }
    }

    /// Reads a position that is given as the number of its key, without [`KEY_MARK`]. The word `moves` and a list of
    /// moves may follow; the moves are played.
    fn parse_key(&self, text: &str) -> Result<Self::Position, TextError> {
        let mut words = text.split_whitespace();
        let key = words.next().unwrap_or_default();
        let bad = |problem: String| TextError::new(format!("key \"{KEY_MARK}{key}\""), problem);
        if !self.has_keys() {
            return Err(bad("positions of this board have no keys".into()));
        }
        let is_number = key.bytes().all(|letter| letter.is_ascii_digit());
        let number = key.parse().ok().filter(|_| is_number);
        let number = number.ok_or_else(|| bad(format!("is not a number from 0 to {}", u64::MAX)))?;
        let start = self.unrank(number).ok_or_else(|| bad("is not the key of a position".into()))?;
        match words.next() {
            None | Some("moves") => {}
            Some(word) => return Err(bad(format!("unexpected \"{word}\": only \"moves\" may follow a key"))),
        }
        words.zip(1..).try_fold(start, |position, (word, number)| {
            let mv = self.parse_move(&position, word).map_err(|error| error.numbered(number))?;
            Ok(self.play(&position, mv))
        })
    }

    /// Reads a position in the game's notation. If the notation allows moves after the position, they are played.
    fn parse_notation(&self, text: &str) -> Result<Self::Position, TextError>;

    /// Returns the position in the game's own notation, which [`Notation::parse_notation`] reads back.
    fn position_text(&self, position: &Self::Position) -> String;

    /// Reads a move.
    ///
    /// # Errors
    ///
    /// Returns an error if the text is not a legal move in `position`.
    fn parse_move(&self, position: &Self::Position, text: &str) -> Result<Self::Move, TextError>;

    /// Reads a move that the pieces can make in `position`, even if a rule has ended the game. A program that does not
    /// know this rule plays on, so its lists of moves can contain moves after the end.
    fn parse_playable_move(&self, position: &Self::Position, text: &str) -> Result<Self::Move, TextError> {
        self.parse_move(position, text)
    }

    /// Returns the notation of a move, which [`Notation::parse_move`] reads back in the position where it was made.
    fn move_text(&self, mv: Self::Move) -> String;

    /// Returns the texts of several moves in one line, in the form that [`Notation::parse_position`] reads after the
    /// word `moves`. Blanks separate the moves unless the game overrides this method.
    fn moves_text(&self, moves: &[Self::Move]) -> String {
        moves.iter().map(|&mv| self.move_text(mv)).collect::<Vec<_>>().join(" ")
    }

    /// Reads a line of a test suite: a position, and its value if the line has one. An error names the part of the line
    /// that is not understood.
    fn parse_suite_line(&self, line: &str) -> Result<(Self::Position, Option<Self::Value>), TextError> {
        Ok((self.parse_position(line)?, None))
    }

    /// Returns the score that the game's test suites write for a value, or `None` if the suites write the value's own
    /// [`Value::measure`](crate::Value::measure).
    fn suite_score(&self, _position: &Self::Position, _value: Self::Value) -> Option<i32> {
        None
    }

    /// Returns the format of binary files of recorded games, or `None` if the game reads no such files.
    fn archive(&self) -> Option<Archive<Self>> {
        None
    }

    /// Applies a board edit, which is outside the rules of play, and returns the new position. Returns `None` if `text`
    /// does not have the form of an edit, and an error if the edit cannot be applied.
    fn edit(&self, _position: &Self::Position, _text: &str) -> Option<Result<Self::Position, TextError>> {
        None
    }
}
