//! Descriptions for people: of a game, of its variants, and of positions and values.

use std::fmt;

use super::Notation;

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

/// Descriptions, for people, of the texts and files that a game reads. Each is one line without a full stop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Formats {
    /// The game's own notations of positions. Keys, and positions followed by moves, are left out, because every game
    /// reads them.
    pub positions: &'static str,
    /// The notations of recorded games. They are read wherever a position is, unless the text names a command.
    pub games: &'static str,
    /// The formats of test suites, which are lists of positions with their values.
    pub suites: &'static str,
}

impl Formats {
    /// The value of [`Formats::games`] for a game without its own notation of recorded games.
    pub const DEFAULT_GAMES: &'static str = "startpos moves ...; play --load reads records of play and match";
    /// The value of [`Formats::suites`] for a game without its own format of test suites.
    pub const DEFAULT_SUITES: &'static str = "one position per line, without values";

    /// Returns the three descriptions in display order, as pairs of kind and description. The kinds are `positions`,
    /// `games` and `suites`.
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

/// Descriptions of a variant, its positions and its values for people.
///
/// ```
/// use yomikiri_rules::games::reversi::Reversi;
/// use yomikiri_rules::{Game, Presentation};
///
/// let game = Reversi::parse("rev4x6")?;
/// assert_eq!(game.family().name, "Reversi");
/// assert_eq!(game.settings()[0], ("game", "reversi".into()));
/// assert!(game.board_text(&game.start()).lines().count() > 6);
/// # Ok::<(), yomikiri_rules::TextError>(())
/// ```
pub trait Presentation: Notation {
    /// Returns the description of the game in lists of games.
    fn family(&self) -> Family;

    /// Returns all settings of the variant, defaults included, as pairs of name and value in a fixed order. The first
    /// is `game`.
    fn settings(&self) -> Vec<(&'static str, String)>;

    /// Returns a picture of the board in several lines, without a line break at the end.
    fn board_text(&self, position: &Self::Position) -> String;

    /// Returns the number of plies that the first line of [`Presentation::board_text`] states, if that line only names
    /// the plies and the side to move. Returns `None` if the picture has no such line.
    fn plies_in_board_text(&self, _: &Self::Position) -> Option<u32> {
        None
    }

    /// Returns the letters for the pieces of Black and of White in pictures: one letter for each kind of piece.
    fn marks(&self) -> [&'static str; 2];

    /// Returns pictures that illustrate the rules of the variant, in several lines, or `None` if there is nothing to
    /// show.
    fn rule_diagrams(&self) -> Option<String> {
        None
    }

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

    /// Returns a phrase for the kind of win that counts more than any number of points, such as "by its targets", or
    /// `None` if there is no such kind. Such a win has the score [`crate::Score::MAX`].
    fn beyond_points(&self) -> Option<&'static str> {
        None
    }
}
