//! What a game is, to everything that does not know its rules.
//!
//! A game is a value (its rule variant), positions are small `Copy` values. The trait holds just what the
//! solvers, the tables and the people at the other end need; how positions are enumerated is a matter of
//! further traits next to the kernels that use them (`solve::tiers::Tiered`).

mod acyclic;
pub mod laws;
mod numbering;
mod perft;

pub use acyclic::Acyclic;
pub use numbering::{Numbering, Shared, Stretch, not_shared, shared_keys};
pub use perft::perft;

use std::fmt::Debug;
use std::hash::Hash;

use crate::value::{Side, Value};

/// A text that is no position, move or rule code: `field` names the part, `problem` says what is wrong with it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{field}: {problem}")]
pub struct TextError {
    pub field: String,
    pub problem: String,
}

impl TextError {
    pub fn new(field: impl Into<String>, problem: impl Into<String>) -> TextError {
        TextError { field: visible(field.into()), problem: visible(problem.into()) }
    }
}

/// The text with control characters written out, so that an error stays one harmless line.
fn visible(text: String) -> String {
    if !text.chars().any(char::is_control) {
        return text;
    }
    let shown =
        |letter: char| if letter.is_control() { letter.escape_default().to_string() } else { letter.to_string() };
    text.chars().map(shown).collect()
}

/// Rules of one variant of one game.
pub trait Game: Clone + Send + Sync + 'static {
    /// Equality is equality under the rules: what is only remembered for display does not count.
    type Position: Copy + Eq + Hash + Debug + Send + Sync;
    type Move: Copy + Eq + Debug + Send + Sync;
    type Value: Value;

    /// Raised whenever a change of the rules' code changes any table; tables of another revision are refused.
    const RULES_REVISION: u32;

    /// The shortest rule code of this variant, safe as part of a file name.
    fn code(&self) -> String;

    /// Every setting of the variant spelled out, as (name, value) pairs in a fixed order.
    fn settings(&self) -> Vec<(&'static str, String)>;

    fn start(&self) -> Self::Position;

    fn side(&self, position: &Self::Position) -> Side;

    /// Plies from the start of the game, where the position alone tells; used for grouping, not for values. Passes may
    /// not count: then they lead to a position of the same ply, all of whose moves lead to the next one.
    fn ply(&self, position: &Self::Position) -> u32;

    /// Replaces the contents of `moves` by the legal moves, in the order of the game's notation.
    /// Empty exactly when [`Game::end`] is `Some`.
    fn moves(&self, position: &Self::Position, moves: &mut Vec<Self::Move>);

    /// The position after a legal move. A move that is not legal gives an unspecified position.
    fn play(&self, position: &Self::Position, mv: Self::Move) -> Self::Position;

    /// What [`perft`] counts below a position: sequences of exactly `depth` legal moves. Games with another custom, or a
    /// faster way to count, have their own.
    fn sequences(&self, position: &Self::Position, depth: u32) -> u64 {
        perft::sequences(self, position, depth)
    }

    /// The value, for the side to move, of a position whose game is over.
    fn end(&self, position: &Self::Position) -> Option<Self::Value>;

    /// Whether the game was over before the side to move looked for moves. Such positions are never stored.
    fn decided(&self, position: &Self::Position) -> bool;

    /// In a few words why the game is over, where that needs saying.
    fn why_over(&self, _: &Self::Position) -> Option<&'static str> {
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

    /// Whether positions have keys. Where 64 bits are too few for them there are no tables, and [`Game::key`] and
    /// [`Game::position_of_key`] must not be called.
    fn has_keys(&self) -> bool {
        true
    }

    /// Number of the canonical form; different canonical forms have different keys.
    fn key(&self, position: &Self::Position) -> u64;

    /// The canonical position of a key; `None` for numbers that no canonical position has.
    fn position_of_key(&self, key: u64) -> Option<Self::Position>;

    /// Which positions the keys stand for. Variants that share their words must share their keys, as told there.
    fn numbering(&self) -> Numbering;

    /// Reads a position as people write it, with moves to play from it where the notation has that.
    fn parse_position(&self, text: &str) -> Result<Self::Position, TextError>;

    /// The value that the text of a position says it has, where the notation has room for that.
    fn value_in_text(&self, _position: &Self::Position, _text: &str) -> Result<Option<Self::Value>, TextError> {
        Ok(None)
    }

    fn position_text(&self, position: &Self::Position) -> String;

    /// Reads a move and checks that it is legal in `position`.
    fn parse_move(&self, position: &Self::Position, text: &str) -> Result<Self::Move, TextError>;

    fn move_text(&self, mv: Self::Move) -> String;

    /// The position after a change of the board outside the rules of play; `None` where `text` does not have the form of one.
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
