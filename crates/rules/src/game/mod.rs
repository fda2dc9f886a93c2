//! What a game is, to everything that does not know its rules.
//!
//! A game is a value (its rule variant), positions are small `Copy` values. The trait holds just what the
//! solvers, the tables and the people at the other end need; how positions are enumerated is a matter of
//! further traits next to the kernels that use them (`solve::tiers::Tiered`).

mod acyclic;
mod key_space;
pub mod laws;

pub use acyclic::Acyclic;
pub use key_space::{KeyRange, KeySpace, Shared, not_shared, shared_keys};

use std::fmt::{self, Debug};
use std::hash::Hash;

use crate::{Side, Value};

/// Why a game is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reason {
    /// Names the reason for translations, by the game and a word or two: `reversi-full`.
    pub id: &'static str,
    /// The reason in English, to stand behind a colon.
    pub text: &'static str,
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.text)
    }
}

/// A text that is no position, move or rule code: `field` names the part, `problem` says what is wrong with it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{field}: {problem}")]
pub struct TextError {
    pub field: String,
    pub problem: String,
}

impl TextError {
    pub fn new(field: impl Into<String>, problem: impl Into<String>) -> TextError {
        TextError { field: visible::<String>(field.into()), problem: visible::<String>(problem.into()) }
    }

    /// The same about a move that stands at a place among several, counted from 1.
    pub fn numbered(self, number: usize) -> TextError {
        TextError { field: format!("{} (number {number} of moves)", self.field), ..self }
    }
}

/// The text with control characters written out, so that it stays one harmless line.
pub fn visible<T: ToString>(text: T) -> String {
    let text = text.to_string();
    if !text.chars().any(char::is_control) {
        return text;
    }
    let shown =
        |letter: char| if letter.is_control() { letter.escape_default().to_string() } else { letter.to_string() };
    text.chars().map(shown).collect()
}

/// What the text of a key begins with.
pub const KEY_MARK: char = '@';

/// The text of a key, as `@41600`: a position that every game reads.
pub fn key_text(key: u64) -> String {
    format!("{KEY_MARK}{key}")
}

/// A game as shown to people who have not chosen one yet.
pub struct Family {
    pub name: &'static str,
    /// How its codes are written.
    pub codes: &'static str,
    /// Letters that a text begins with which is meant as a code of this game, well formed or not; empty if there are
    /// none.
    pub prefix: &'static str,
    /// Regular expression of well-formed codes. No text fits those of two games.
    pub pattern: &'static str,
    pub example: &'static str,
    /// What the parts of a code mean, in lines.
    pub explanation: &'static [&'static str],
}

/// Rules of one variant of one game.
pub trait Game: Clone + Send + Sync + 'static {
    /// Equality is equality under the rules: what is only remembered for display does not count.
    type Position: Copy + Eq + Hash + Debug + Send + Sync;
    type Move: Copy + Eq + Debug + Send + Sync;
    type Value: Value;

    /// Raised whenever a change of the rules' code changes any table; tables of another revision are refused.
    const RULES_REVISION: u32;

    /// What the game tells of itself to people who choose one.
    const FAMILY: Family;

    /// Reads a rule code; spelled-out defaults are accepted. The error says what is wrong with it.
    fn parse(code: &str) -> Result<Self, TextError>;

    /// The shortest rule code of this variant, safe as part of a file name.
    fn code(&self) -> String;

    /// The code that stands for all codes of the same game, in which squares or pieces may have other names.
    fn same_game(&self) -> String {
        self.code()
    }

    /// Every setting of the variant spelled out, as (name, value) pairs in a fixed order; the first is `game`.
    fn settings(&self) -> Vec<(&'static str, String)>;

    fn start(&self) -> Self::Position;

    fn side(&self, position: &Self::Position) -> Side;

    /// Plies from the start of the game, where the position alone tells; used for grouping, not for values. Passes may
    /// not count: then they lead to a position of the same ply, all of whose moves lead to the next one.
    fn ply(&self, position: &Self::Position) -> u32;

    /// What wins more than any number of points, as "by its targets", where values are scores and there is such a
    /// thing; it has the score [`crate::Score::MOST`].
    const BEYOND_POINTS: Option<&'static str> = None;

    /// The code of the variant with the same positions and keys whose values tell by how many points.
    fn points_variant(&self) -> Option<String> {
        None
    }

    /// What the value of a position means to people beside who wins, in a sentence.
    fn remark(&self, _: &Self::Position, _: Self::Value) -> Option<String> {
        None
    }

    /// Replaces the contents of `moves` by the legal moves, in the order of the game's notation.
    /// Empty exactly when [`Game::terminal_value`] is `Some`.
    fn moves(&self, position: &Self::Position, moves: &mut Vec<Self::Move>);

    /// The legal moves in a list of their own, where speed does not matter.
    fn legal_moves(&self, position: &Self::Position) -> Vec<Self::Move> {
        let mut moves = Vec::new();
        self.moves(position, &mut moves);
        moves
    }

    /// Calls `visit` with the position after each legal move, in their order. `moves` lends its memory.
    fn each_next(
        &self,
        position: &Self::Position,
        moves: &mut Vec<Self::Move>,
        mut visit: impl FnMut(&Self::Position),
    ) {
        self.moves(position, moves);
        moves.iter().for_each(|&mv| visit(&self.play(position, mv)));
    }

    /// The position after a legal move. A move that is not legal gives an unspecified position.
    fn play(&self, position: &Self::Position, mv: Self::Move) -> Self::Position;

    /// What perft counts below a position: sequences of exactly `depth` legal moves. Games with another custom, or a
    /// faster way to count, have their own.
    fn sequences(&self, position: &Self::Position, depth: u32) -> u64 {
        match depth {
            0 => 1,
            _ => count_sequences(self, position, depth, &mut vec![Vec::new(); depth as usize]),
        }
    }

    /// The value, for the side to move, of a position whose game is over; `None` where it goes on.
    fn terminal_value(&self, position: &Self::Position) -> Option<Self::Value>;

    /// Whether the game was over before the side to move looked for moves. Such positions are never stored; those
    /// that are over because the side to move has no move are, with their [`Game::terminal_value`].
    fn is_terminal(&self, position: &Self::Position) -> bool;

    /// Why the game is over, where that needs saying.
    fn why_over(&self, _: &Self::Position) -> Option<Reason> {
        None
    }

    /// The points of Black and White, where the game is over and points have decided it that pictures do not show.
    fn points(&self, _: &Self::Position) -> Option<[String; 2]> {
        None
    }

    /// How the pieces of Black and White look in pictures, in a letter or two.
    fn marks(&self) -> [&'static str; 2];

    /// Pictures of what the rule code says, in several lines, where there is something to show.
    fn rule_pictures(&self) -> Option<String> {
        None
    }

    /// The representative of all positions that the game's symmetries make equal.
    fn canonical(&self, position: &Self::Position) -> Self::Position;

    /// Whether positions have keys. Where 64 bits are too few for them there are no tables, and [`Game::rank`] and
    /// [`Game::unrank`] must not be called.
    fn has_keys(&self) -> bool {
        true
    }

    /// The key of a position: a number of its canonical form. Different canonical forms have different keys.
    fn rank(&self, position: &Self::Position) -> u64;

    /// The inverse of [`Game::rank`]: the canonical position of a key. `None` for a number that is the key of no
    /// position; every reader of keys goes by this. [`Game::parse_notation`] reads the text of every position that this
    /// returns.
    fn unrank(&self, key: u64) -> Option<Self::Position>;

    /// Which positions the keys stand for. Variants that share their words must share their keys, as told there.
    fn key_space(&self) -> KeySpace;

    /// Reads a position: the text of a key, as [`key_text`] writes it, or the game's own notation.
    fn parse_position(&self, text: &str) -> Result<Self::Position, TextError> {
        match text.trim_start().strip_prefix(KEY_MARK) {
            Some(key) => self.parse_key(key),
            None => self.parse_notation(text),
        }
    }

    /// Reads the number of a key, with `moves` and moves behind it if there are any.
    fn parse_key(&self, text: &str) -> Result<Self::Position, TextError> {
        let mut words = text.split_whitespace();
        let key = words.next().unwrap_or_default();
        let bad = |problem: String| TextError::new(format!("key \"{KEY_MARK}{key}\""), problem);
        if !self.has_keys() {
            return Err(bad("positions of this board have no keys".into()));
        }
        let is_number = key.bytes().all(|letter| letter.is_ascii_digit());
        let number = key.parse().ok().filter(|_| is_number);
        let number = number.ok_or_else(|| bad(format!("is no number from 0 to {}", u64::MAX)))?;
        let start = self.unrank(number).ok_or_else(|| bad("is that of no position".into()))?;
        match words.next() {
            None | Some("moves") => {}
            Some(word) => return Err(bad(format!("\"{word}\" stands where only \"moves\" can"))),
        }
        words.zip(1..).try_fold(start, |position, (word, number)| {
            let mv = self.parse_move(&position, word).map_err(|error| error.numbered(number))?;
            Ok(self.play(&position, mv))
        })
    }

    /// Reads a position as people write it, with moves to play from it where the notation has that.
    fn parse_notation(&self, text: &str) -> Result<Self::Position, TextError>;

    /// Reads a line of a test suite: a position, and the value that the line says it has, if it says one. Each part of
    /// the line is understood, or an error names it.
    fn parse_suite_line(&self, line: &str) -> Result<(Self::Position, Option<Self::Value>), TextError> {
        Ok((self.parse_position(line)?, None))
    }

    /// The score that test suites of the game write for a value, where that is not the value's own measure.
    fn suite_score(&self, _position: &Self::Position, _value: Self::Value) -> Option<i32> {
        None
    }

    fn position_text(&self, position: &Self::Position) -> String;

    /// Reads a move and checks that it is legal in `position`.
    fn parse_move(&self, position: &Self::Position, text: &str) -> Result<Self::Move, TextError>;

    /// Reads a move that pieces can make in `position`, also where the game is over by a rule that not every host of
    /// engines has: such a host plays on, and lists the moves.
    fn parse_playable_move(&self, position: &Self::Position, text: &str) -> Result<Self::Move, TextError> {
        self.parse_move(position, text)
    }

    fn move_text(&self, mv: Self::Move) -> String;

    /// Whether a move leaves the turn to the other side and the board as it is.
    fn is_pass(&self, _mv: Self::Move) -> bool {
        false
    }

    /// The position after a change of the board outside the rules of play; `None` where `text` does not have the form
    /// of one.
    fn edit(&self, _position: &Self::Position, _text: &str) -> Option<Result<Self::Position, TextError>> {
        None
    }

    /// Moves one after the other, as [`Game::parse_position`] reads them.
    fn moves_text(&self, moves: &[Self::Move]) -> String {
        moves.iter().map(|&mv| self.move_text(mv)).collect::<Vec<_>>().join(" ")
    }

    /// A picture of the board in several lines, without a line break at the end.
    fn board_text(&self, position: &Self::Position) -> String;
}

/// Depth-first count with one move buffer per remaining depth.
fn count_sequences<G: Game>(game: &G, position: &G::Position, depth: u32, buffers: &mut [Vec<G::Move>]) -> u64 {
    let (buffer, rest) = buffers.split_last_mut().expect("one buffer per depth");
    game.moves(position, buffer);
    if depth == 1 {
        return buffer.len() as u64;
    }
    buffer.iter().map(|&mv| count_sequences(game, &game.play(position, mv), depth - 1, rest)).sum()
}
