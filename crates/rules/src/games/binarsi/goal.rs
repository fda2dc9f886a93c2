//! The aim of the players of a variant: to win soon, or to win by many points.

use super::formats::FORMATS;
use super::rules::Rules;
use crate::{CodedValue, Distance, Family, Outcome, Side, TextError};

/// The end of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// This side, and only this side, has cleared its three targets.
    Targets(Side),
    /// The stones were counted: the number of stones of each colour.
    Counted {
        /// The number of black stones.
        black: u32,
        /// The number of white stones.
        white: u32,
    },
}

/// The type of values for positions of Binarsi. The type determines the aim of the players.
pub trait Goal: CodedValue {
    /// The description of the variants with this goal.
    const FAMILY: Family;

    /// Names the win that beats any number of points, or `None` if there is no such win, see
    /// [`crate::Presentation::beyond_points`].
    const BEYOND_POINTS: Option<&'static str> = None;

    /// Reads a rule code of a variant with this goal.
    fn parse(code: &str) -> Result<Rules, TextError>;

    /// Returns the shortest rule code of a variant with this goal.
    fn code(rules: &Rules) -> String;

    /// Returns all settings of a variant with this goal, see [`crate::Presentation::settings`].
    fn settings(rules: &Rules) -> Vec<(&'static str, String)>;

    /// Returns the value for `mover` of a game that has ended with `end`.
    fn of_end(rules: &Rules, end: End, mover: Side) -> Self;

    /// Returns the points of Black and White, as texts, for a game in which the stones are counted. `black` and `white`
    /// are the numbers of stones.
    fn points(rules: &Rules, black: u32, white: u32) -> [String; 2];

    /// Returns the code of the variant with the same rules but with points as values, or `None` if there is none, see
    /// [`crate::Game::points_variant`].
    fn points_variant(_: &Rules) -> Option<String> {
        None
    }

    /// Returns a sentence about the meaning of a value, or `None` if there is nothing to say, see
    /// [`crate::Presentation::remark`].
    fn remark(_value: Self, _mover: Side) -> Option<String> {
        None
    }
}

impl Goal for Distance {
    const FAMILY: Family = Family {
        name: "Binarsi",
        codes: "bin<F>x<R>[-s<square>][-t<3 digits>][-k<b|w><n>.5][-n|-m]",
        prefix: "bin",
        // Matches all codes except those of variants for points, which end in -p.
        pattern: "bin[0-9]+x[0-9]+(-(.*[^p]|.*[^-]p)?)?",
        example: "bin4x4",
        explanation: &[
            "<F> files 2..7, <R> ranks 2..6; bin7x6 is the standard board",
            "-s<square>        start square, such as -s3c",
            "-t<3 digits>      lengths of the short, diagonal and long target, each 2..9, such as -t345",
            "-k<b|w><n>.5      side and size of the komi, such as -kb0.5",
            "-n                a modify that leaves the stones unchanged is illegal",
            "-m                like -n; turning the board into its left-right or up-down mirror image is illegal too",
        ],
        formats: FORMATS,
    };

    fn parse(code: &str) -> Result<Rules, TextError> {
        Rules::parse(code)
    }

    fn code(rules: &Rules) -> String {
        rules.code()
    }

    fn settings(rules: &Rules) -> Vec<(&'static str, String)> {
        rules.settings()
    }

    fn of_end(rules: &Rules, end: End, mover: Side) -> Distance {
        let winner = match end {
            End::Targets(side) => side,
            End::Counted { black, white } => rules.stones_winner(black, white),
        };
        Distance::new(if winner == mover { Outcome::Win } else { Outcome::Loss }, 0)
    }

    /// Returns the number of stones of each side, plus the komi for the side that gets it.
    fn points(rules: &Rules, black: u32, white: u32) -> [String; 2] {
        let komi = rules.komi;
        let points = |side, stones: u32| match komi.side == side {
            true => format!("{}.5", stones + u32::from(komi.whole)),
            false => stones.to_string(),
        };
        [points(Side::Black, black), points(Side::White, white)]
    }

    fn points_variant(rules: &Rules) -> Option<String> {
        Some(rules.points_code())
    }
}
