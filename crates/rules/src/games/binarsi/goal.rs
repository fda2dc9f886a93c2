//! What players of a variant try to do: win soon, or win by much.

use super::rules::Rules;
use crate::{Distance, Family, Outcome, Side, TextError, Value};

/// How a game has ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// This side alone has cleared its three targets.
    Targets(Side),
    /// The stones were counted.
    Counted { black: u32, white: u32 },
}

/// A kind of value that positions of Binarsi can have.
pub trait Goal: Value {
    /// What a variant with this goal tells of itself to people who choose one.
    const FAMILY: Family;

    /// What wins more than any number of points ([`crate::Game::BEYOND_POINTS`]).
    const BEYOND_POINTS: Option<&'static str> = None;

    /// Reads a rule code of a variant with this goal.
    fn parse(code: &str) -> Result<Rules, TextError>;

    /// The shortest rule code of such a variant.
    fn code(rules: &Rules) -> String;

    /// Every setting of such a variant.
    fn settings(rules: &Rules) -> Vec<(&'static str, String)>;

    /// The value, for `mover`, of a game that has ended.
    fn of_end(rules: &Rules, end: End, mover: Side) -> Self;

    /// The points of Black and White when stones are counted.
    fn points(rules: &Rules, black: u32, white: u32) -> [String; 2];

    /// The code of the variant that tells by how many points ([`crate::Game::points_variant`]).
    fn points_variant(_: &Rules) -> Option<String> {
        None
    }

    /// What a value means to people beside who wins ([`crate::Game::remark`]).
    fn remark(_value: Self, _mover: Side) -> Option<String> {
        None
    }
}

impl Goal for Distance {
    const FAMILY: Family = Family {
        name: "Binarsi",
        codes: "bin<F>x<R>[-s<square>][-t<3 digits>][-k<b|w><n>.5][-n|-m]",
        prefix: "bin",
        // All but the codes of points, which end in -p.
        pattern: "bin[0-9]+x[0-9]+(-(.*[^p]|.*[^-]p)?)?",
        example: "bin4x4",
        explanation: &[
            "<F> files 2..7, <R> ranks 2..6; bin7x6 is the standard board",
            "-s<square>        start square, as -s3c",
            "-t<3 digits>      lengths of the short, diagonal and long target, each 2..9, as -t345",
            "-k<b|w><n>.5      who has the komi and how much, as -kb0.5",
            "-n                a modify that leaves the stones unchanged is illegal",
            "-m                so is one after which the board is its own left-right or up-down mirror image",
        ],
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

    /// Stones, and the komi.
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
