//! The trait that all games implement. Code that uses it works for any game.
//!
//! A value of a game type holds the rules of one variant. Positions are small `Copy` values. The trait contains only
//! what solvers, tables and user interfaces need. Kernels that enumerate positions define further traits, such as
//! `solve::tiers::Tiered`.

mod acyclic;
mod archive;
mod key_space;
pub mod laws;

pub use acyclic::Acyclic;
pub use archive::{Archive, ArchiveHeader, Archived, ArchivedOf};
pub use key_space::{KeyRange, KeySpace, SharedKeys, not_shared, shared_keys};

use std::fmt::{self, Debug};
use std::hash::Hash;

use crate::{Side, Value, ValueCodec};

/// The reason why a game is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reason {
    /// Identifies the reason in translations: the name of the game and a word or two, such as `reversi-full`.
    pub id: &'static str,
    /// The reason in English, worded to follow a colon.
    pub text: &'static str,
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.text)
    }
}

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
    /// Creates an error. Control characters in both texts are escaped, see [`visible`].
    pub fn new(field: impl Into<String>, problem: impl Into<String>) -> TextError {
        TextError { field: visible::<String>(field.into()), problem: visible::<String>(problem.into()) }
    }

    /// Prefixes the field with `whole`, the name of the enclosing text, such as one game of a file.
    pub fn within(self, whole: &str) -> TextError {
        TextError { field: format!("{whole}, {}", self.field), ..self }
    }

    /// Adds the number of the move, counted from 1, to the field.
    pub fn numbered(self, number: usize) -> TextError {
        TextError { field: format!("{} (move {number})", self.field), ..self }
    }
}

/// Escapes control characters, so that the text stays on one line and cannot affect a terminal.
pub fn visible<T: ToString>(text: T) -> String {
    let text = text.to_string();
    if !text.chars().any(char::is_control) {
        return text;
    }
    let shown =
        |letter: char| if letter.is_control() { letter.escape_default().to_string() } else { letter.to_string() };
    text.chars().map(shown).collect()
}

/// The first character of the text of a key.
pub const KEY_MARK: char = '@';

/// Returns the text of a key, such as `@41600`. Every game reads this text as a position.
pub fn key_text(key: u64) -> String {
    format!("{KEY_MARK}{key}")
}

/// Descriptions, for people, of the texts and files that a game reads. Each is one line without a full stop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Formats {
    /// The game's own notations of positions. Keys, and positions followed by moves, are left out, because every game
    /// reads them.
    pub positions: &'static str,
    /// The notations of recorded games.
    pub games: &'static str,
    /// The formats of test suites, which are lists of positions with their values.
    pub suites: &'static str,
}

impl Formats {
    /// The value of [`Formats::games`] for a game without its own notation of recorded games.
    pub const DEFAULT_GAMES: &'static str = "startpos moves ...; records of play and match";
    /// The value of [`Formats::suites`] for a game without its own format of test suites.
    pub const DEFAULT_SUITES: &'static str = "one position per line, without values";

    /// Returns the three descriptions in display order, each after its kind: `positions`, `games` or `suites`.
    pub fn named(&self) -> [(&'static str, &'static str); 3] {
        [("positions", self.positions), ("games", self.games), ("suites", self.suites)]
    }
}

/// The description of a game in lists of games, for people who have not chosen a game yet.
#[derive(Clone, Copy, Debug)]
pub struct Family {
    /// The English name of the game, with a capital letter.
    pub name: &'static str,
    /// The syntax of its rule codes, written for people.
    pub codes: &'static str,
    /// The prefix of the rule codes, or an empty string if they have none. If a text has this prefix but matches the
    /// pattern of no game, the first game with this prefix reads it and reports what is wrong.
    pub prefix: &'static str,
    /// A regular expression that matches every valid code as a whole. It may also match invalid codes, but no text
    /// matches the patterns of two games.
    pub pattern: &'static str,
    /// A rule code to show as an example, in its shortest form.
    pub example: &'static str,
    /// Lines that explain the parts of a code.
    pub explanation: &'static [&'static str],
    /// The texts and files that the game reads.
    pub formats: Formats,
}

/// The rules of one variant of a game. Its methods come in groups.
///
/// **Variants** read rule codes and describe them:
///
/// ```
/// use yomikiri_rules::Game;
/// use yomikiri_rules::games::reversi::Reversi;
///
/// let game = Reversi::parse("rev4x6")?;
/// assert_eq!((game.code().as_str(), game.representative_code().as_str()), ("rev4x6", "rev6x4"));
/// assert_eq!(game.settings()[0], ("game", "reversi".into()));
/// # Ok::<(), yomikiri_rules::TextError>(())
/// ```
///
/// **Rules** make moves, and **values** judge finished games for the side to move:
///
/// ```
/// use yomikiri_rules::games::connect_four::ConnectFour;
/// use yomikiri_rules::{Distance, Game, Outcome, Side, Value, ValueCodec};
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
/// use yomikiri_rules::Game;
/// use yomikiri_rules::games::connect_four::ConnectFour;
///
/// let game = ConnectFour::parse("con4x4")?;
/// let [here, mirrored] = ["1", "4"].map(|moves| game.parse_position(moves).expect("legal moves"));
/// assert_ne!(here, mirrored);
/// assert_eq!(game.canonical(&here), game.canonical(&mirrored));
/// assert_eq!(game.rank(&here), game.rank(&mirrored));
/// assert_eq!(game.unrank(game.rank(&here)), Some(game.canonical(&here)));
/// # Ok::<(), yomikiri_rules::TextError>(())
/// ```
///
/// **Notation** reads and writes positions and moves; **presentation** shows them:
///
/// ```
/// use yomikiri_rules::Game;
/// use yomikiri_rules::games::binarsi::Binarsi;
///
/// let game = Binarsi::parse("bin2x2")?;
/// let here = game.parse_position("startpos moves 2n")?;
/// assert_eq!(game.position_text(&here), "ox/2 w - - 1");
/// assert_eq!(game.parse_position(&game.position_text(&here))?, here);
/// let mv = game.parse_move(&here, "bn")?;
/// assert_eq!(game.move_text(mv), "bn");
/// assert!(game.parse_move(&here, "9n").is_err());
/// assert!(game.board_text(&here).lines().count() > 2);
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

    /// Returns the description of the game in lists of games.
    fn family(&self) -> Family;

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

    /// Returns all settings of the variant, defaults included, as pairs of name and value in a fixed order. The first
    /// is `game`.
    fn settings(&self) -> Vec<(&'static str, String)>;

    /// Returns the revision of the rules. Whenever a change to the rules changes any table, the revision is raised.
    /// Tables of other revisions are refused.
    fn rules_revision(&self) -> u32;

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

    /// Applies a board edit, which is outside the rules of play, and returns the new position. Returns `None` if `text`
    /// does not have the form of an edit, and an error if the edit cannot be applied.
    fn edit(&self, _position: &Self::Position, _text: &str) -> Option<Result<Self::Position, TextError>> {
        None
    }

    // Values

    /// Returns the encoding of this game's values in tables. Every table header names the encoding.
    fn codec(&self) -> ValueCodec;

    /// Returns the value that a byte of a table encodes (see [`Value::to_byte`]), or `None` for bytes that encode no
    /// value.
    fn value_of_byte(&self, byte: u8) -> Option<Self::Value>;

    /// Returns a phrase for the kind of win that counts more than any number of points, such as "by its targets", or
    /// `None` if there is no such kind. Such a win has the score [`crate::Score::MAX`].
    fn beyond_points(&self) -> Option<&'static str> {
        None
    }

    /// Returns the rule code of the variant that has the same positions and keys but whose values are scores, or `None`
    /// if there is none.
    fn points_variant(&self) -> Option<String> {
        None
    }

    /// Returns the score that the game's test suites write for a value, or `None` if the suites write the value's own
    /// [`Value::measure`].
    fn suite_score(&self, _position: &Self::Position, _value: Self::Value) -> Option<i32> {
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
    /// reads keys relies on `None` for every number that is not a key. [`Game::parse_notation`] must read the text of
    /// every position that this method returns.
    fn unrank(&self, key: u64) -> Option<Self::Position>;

    /// Returns a description of the keys and their positions. Two variants may have the same [`KeySpace::positions`]
    /// only if their keys agree as [`KeySpace`] requires.
    fn key_space(&self) -> KeySpace;

    // Notation

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

    /// Returns the position in the game's own notation, which [`Game::parse_notation`] reads back.
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

    /// Returns the notation of a move, which [`Game::parse_move`] reads back in the position where it was made.
    fn move_text(&self, mv: Self::Move) -> String;

    /// Returns the texts of several moves in one line, in the form that [`Game::parse_position`] reads after `moves`.
    /// Blanks separate the moves unless the game overrides this.
    fn moves_text(&self, moves: &[Self::Move]) -> String {
        moves.iter().map(|&mv| self.move_text(mv)).collect::<Vec<_>>().join(" ")
    }

    /// Reads a line of a test suite: a position, and its value if the line has one. An error names the part of the line
    /// that is not understood.
    fn parse_suite_line(&self, line: &str) -> Result<(Self::Position, Option<Self::Value>), TextError> {
        Ok((self.parse_position(line)?, None))
    }

    /// Returns the format of binary files of recorded games, or `None` if the game reads no such files.
    fn archive(&self) -> Option<Archive<Self>> {
        None
    }

    // Presentation

    /// Returns a picture of the board in several lines, without a line break at the end.
    fn board_text(&self, position: &Self::Position) -> String;

    /// Returns the letters for the pieces of Black and of White in pictures: one letter for each kind of piece.
    fn marks(&self) -> [&'static str; 2];

    /// Returns the reason why the game is over, or `None` if the game goes on or its end needs no explanation.
    fn end_reason(&self, _: &Self::Position) -> Option<Reason> {
        None
    }

    /// Returns the points of Black and White as texts. Returns `None` if points have not decided the game, or if the
    /// picture of the board shows them.
    fn points(&self, _: &Self::Position) -> Option<[String; 2]> {
        None
    }

    /// Returns a sentence for people about the meaning of the value beyond the winner, or `None` if there is nothing to
    /// add.
    fn remark(&self, _: &Self::Position, _: Self::Value) -> Option<String> {
        None
    }

    /// Returns pictures that illustrate the rules of the variant, in several lines, or `None` if there is nothing to
    /// show.
    fn rule_diagrams(&self) -> Option<String> {
        None
    }
}

/// Counts the sequences of `depth` legal moves; `depth` is at least 1. `buffers` has one move list for each ply.
fn count_sequences<G: Game>(game: &G, position: &G::Position, depth: u32, buffers: &mut [Vec<G::Move>]) -> u64 {
    let (buffer, rest) = buffers.split_last_mut().expect("one buffer per depth");
    game.moves(position, buffer);
    if depth == 1 {
        return buffer.len() as u64;
    }
    buffer.iter().map(|&mv| count_sequences(game, &game.play(position, mv), depth - 1, rest)).sum()
}
