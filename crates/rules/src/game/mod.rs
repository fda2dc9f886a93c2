//! The traits that all games implement. Code that uses them works for any game. [`Game`] has the rules, the values and
//! the keys; `notation` reads and writes texts, and `presentation` shows positions to people.
//!
//! A value of a game type holds the rules of one variant. Positions are small `Copy` values. The traits contain
//! only what solvers, tables and user interfaces need. Kernels that enumerate positions define further traits, such as
//! `solve::tiers::Tiered`.

/// Implements [`Game::codec`] and [`Game::value_of_byte`] for a game whose values are a [`crate::CodedValue`].
macro_rules! coded_values {
    () => {
        fn codec(&self) -> $crate::ValueCodec {
            <Self::Value as $crate::CodedValue>::CODEC
        }

        #[inline]
        fn value_of_byte(&self, byte: u8) -> Option<Self::Value> {
            $crate::CodedValue::from_byte(byte)
        }
    };
}

mod acyclic;
mod archive;
mod key_space;
pub mod laws;
mod notation;
mod presentation;
mod visible;

pub use acyclic::Acyclic;
pub use archive::{Archive, ArchiveHeader, Archived, ArchivedOf};
pub use key_space::{KeyRange, KeySpace, SharedKeys, not_shared, shared_keys};
pub use notation::{KEY_MARK, Notation, key_text};
pub use presentation::{Family, Formats, Presentation, Reason};
pub use visible::{is_invisible, visible};

use std::fmt::Debug;
use std::hash::Hash;

use crate::{Side, Value, ValueCodec};

/// An error in the text of a position, a move or a rule code. `field` names the faulty part, and `problem` says what is
/// wrong with it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{field}: {problem}")]
pub struct TextError {
    /// The faulty part of the text, such as the name of a field or the quoted word.
    pub field: String,
    /// The fault, worded to follow the field and a colon.
    pub problem: String,
}

impl TextError {
    /// Creates an error. Control and format characters in both texts are escaped, see [`visible`].
    pub fn new(field: impl Into<String>, problem: impl Into<String>) -> TextError {
        TextError { field: visible::<String>(field.into()), problem: visible::<String>(problem.into()) }
    }

    /// Prefixes the field with `whole`, the name of the enclosing text, such as "game 3".
    pub fn within(self, whole: &str) -> TextError {
        TextError { field: format!("{whole}, {}", self.field), ..self }
    }

    /// Adds the number of the move, counted from 1, to the field.
    pub fn numbered(self, number: usize) -> TextError {
        TextError { field: format!("{} (move {number})", self.field), ..self }
    }
}

/// The rules of one variant of a game, as solvers and tables need them. [`Notation`] reads and writes its positions and
/// moves, and [`Presentation`] shows them to people. The methods come in groups.
///
/// **Variants** read and write rule codes:
///
/// ```
/// use yomikiri_rules::Game;
/// use yomikiri_rules::games::reversi::Reversi;
///
/// let game = Reversi::parse("rev4x6")?;
/// assert_eq!((game.code().as_str(), game.representative_code().as_str()), ("rev4x6", "rev6x4"));
/// # Ok::<(), yomikiri_rules::TextError>(())
/// ```
///
/// **Rules** make moves, and **values** judge finished games for the side to move:
///
/// ```
/// use yomikiri_rules::games::connect_four::ConnectFour;
/// use yomikiri_rules::{Distance, Game, Notation, Outcome, Side, Value, ValueCodec};
///
/// let game = ConnectFour::parse("con4x4-k3")?;
/// let here = game.parse_position("12121")?;
/// assert_eq!((game.side(&here), game.ply(&here)), (Side::White, 5));
/// assert!(game.legal_moves(&here).is_empty() && game.is_terminal(&here));
/// let value = game.terminal_value(&here).expect("Black has three in a row");
/// assert_eq!(value, Distance::new(Outcome::Loss, 0));
/// assert_eq!((game.codec(), game.value_of_byte(value.to_byte())), (ValueCodec::Distance, Some(value)));
/// assert_eq!(game.perft(&game.start(), 3), 64);
/// # Ok::<(), yomikiri_rules::TextError>(())
/// ```
///
/// **Symmetry and keys** give positions that are equal under a symmetry the same number:
///
/// ```
/// use yomikiri_rules::games::connect_four::ConnectFour;
/// use yomikiri_rules::{Game, Notation};
///
/// let game = ConnectFour::parse("con4x4")?;
/// let [here, mirrored] = ["1", "4"].map(|moves| game.parse_position(moves).expect("legal moves"));
/// assert_ne!(here, mirrored);
/// assert_eq!(game.canonical(&here), game.canonical(&mirrored));
/// assert_eq!(game.rank(&here), game.rank(&mirrored));
/// assert_eq!(game.unrank(game.rank(&here)), Some(game.canonical(&here)));
/// # Ok::<(), yomikiri_rules::TextError>(())
/// ```
pub trait Game: Clone + Send + Sync + 'static {
    /// A position. Two positions are equal if they are the same under the rules; fields that are only for display do
    /// not count.
    type Position: Copy + Eq + Hash + Debug + Send + Sync;
    /// A move. It may have a meaning only together with the position in which it is played.
    type Move: Copy + Eq + Debug + Send + Sync;
    /// The game-theoretic value of a position, for the side to move.
    type Value: Value;

    // Variants

    /// Reads a rule code. Defaults may be spelled out.
    ///
    /// # Errors
    ///
    /// Returns an error that says what is wrong with the code.
    fn parse(code: &str) -> Result<Self, TextError>;

    /// Returns the shortest rule code of this variant. The code is safe as part of a file name.
    fn code(&self) -> String;

    /// Returns the rule code that represents all variants that are the same game as this one. Two variants are the same
    /// game if they differ only in the names of squares or pieces.
    fn representative_code(&self) -> String {
        self.code()
    }

    /// Returns the revision of the rules, at first 1. Whenever a change to the rules changes any table, the revision is
    /// raised. Tables of other revisions are refused.
    fn rules_revision(&self) -> u32 {
        1
    }

    // Rules

    /// Returns the position before the first move.
    fn start(&self) -> Self::Position;

    /// Returns the side to move.
    fn side(&self, position: &Self::Position) -> Side;

    /// Returns the ply of a position, by which solvers group positions. The ply does not affect values.
    ///
    /// In games with repetition, the ply is always 0. In all other games, every move raises it by 1, except that a pass
    /// may keep it. Every move in the position after such a pass raises the ply. The start may have a ply above 0.
    fn ply(&self, position: &Self::Position) -> u32;

    /// Replaces the contents of `moves` by the legal moves, in notation order: the order in which the game lists moves.
    /// The list is empty exactly if [`Game::terminal_value`] is `Some`.
    fn moves(&self, position: &Self::Position, moves: &mut Vec<Self::Move>);

    /// Returns the legal moves in a new list, for callers that do not need speed.
    fn legal_moves(&self, position: &Self::Position) -> Vec<Self::Move> {
        let mut moves = Vec::new();
        self.moves(position, &mut moves);
        moves
    }

    /// Calls `visit` with the position after each legal move, in notation order. `moves` is a scratch buffer.
    fn each_next(
        &self,
        position: &Self::Position,
        moves: &mut Vec<Self::Move>,
        mut visit: impl FnMut(&Self::Position),
    ) {
        self.moves(position, moves);
        moves.iter().for_each(|&mv| visit(&self.play(position, mv)));
    }

    /// Returns the position after a legal move. The result of an illegal move is unspecified.
    fn play(&self, position: &Self::Position, mv: Self::Move) -> Self::Position;

    /// Returns the perft count of a position: the number of sequences of exactly `depth` legal moves. A game overrides
    /// this method if its published perft counts follow another convention, or if it can count faster.
    fn perft(&self, position: &Self::Position, depth: u32) -> u64 {
        match depth {
            0 => 1,
            _ => count_sequences(self, position, depth, &mut vec![Vec::new(); depth as usize]),
        }
    }

    /// Returns the value for the side to move if the game is over, otherwise `None`.
    fn terminal_value(&self, position: &Self::Position) -> Option<Self::Value>;

    /// Returns true if the game is over for a reason that is checked without generating moves. Tables never store such
    /// positions. Other positions without a legal move are stored, with their [`Game::terminal_value`].
    fn is_terminal(&self, position: &Self::Position) -> bool;

    /// Returns true if the move only passes the turn and leaves the board as it is.
    fn is_pass(&self, _mv: Self::Move) -> bool {
        false
    }

    // Values

    /// Returns the encoding of this game's values in tables. Every table header names the encoding.
    fn codec(&self) -> ValueCodec;

    /// Returns the value that a byte of a table encodes (see [`Value::to_byte`]), or `None` for bytes that encode no
    /// value.
    fn value_of_byte(&self, byte: u8) -> Option<Self::Value>;

    /// Returns the rule code of the variant that has the positions and keys of this one, but scores as its values.
    /// Returns `None` if there is no such variant.
    fn points_variant(&self) -> Option<String> {
        None
    }

    // Symmetry and keys

    /// Returns the canonical form of a position: the representative of all positions that are equal to it under the
    /// symmetries of the game.
    fn canonical(&self, position: &Self::Position) -> Self::Position;

    /// Returns true if positions have 64-bit keys. If positions have no such keys, there are no tables, and
    /// [`Game::rank`] and [`Game::unrank`] must not be called.
    fn has_keys(&self) -> bool {
        true
    }

    /// Returns the key of the canonical form of a position. Different canonical forms have different keys.
    fn rank(&self, position: &Self::Position) -> u64;

    /// Inverts [`Game::rank`]: returns the canonical position of a key, or `None` if no position has the key. Code that
    /// reads keys relies on `None` for every number that is not a key. [`Notation::parse_notation`] must read the text
    /// of every position that this method returns.
    fn unrank(&self, key: u64) -> Option<Self::Position>;

    /// Returns a description of the keys and their positions. Two variants may have the same [`KeySpace::positions`]
    /// only if their keys agree as [`KeySpace`] requires.
    fn key_space(&self) -> KeySpace;
}

/// Counts the sequences of `depth` legal moves; `depth` is at least 1. `buffers` has `depth` lists of moves as scratch
/// space, one for each ply.
fn count_sequences<G: Game>(game: &G, position: &G::Position, depth: u32, buffers: &mut [Vec<G::Move>]) -> u64 {
    let (buffer, rest) = buffers.split_last_mut().expect("one buffer per depth");
    game.moves(position, buffer);
    if depth == 1 {
        return buffer.len() as u64;
    }
    buffer.iter().map(|&mv| count_sequences(game, &game.play(position, mv), depth - 1, rest)).sum()
}
