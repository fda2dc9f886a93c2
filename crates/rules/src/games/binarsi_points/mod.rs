//! Binarsi for points: the rules are the same, but the players aim to win by many points, not to win soon.
//!
//! The value of a counted game is the difference in stones, without komi. A win by targets is worth more than any
//! difference. If the value of the starting position is not a win by targets, it is the fair komi for White: Black wins
//! if White's komi is smaller, and White wins if it is larger. A negative value is a komi for Black.

use super::binarsi::BinarsiOf;
use super::binarsi::formats::FORMATS;
use super::binarsi::goal::{End, Goal};
use super::binarsi::rules::{POINTS_ENDING, Rules};
use crate::{Family, Score, Side, TextError};

/// One variant of Binarsi, played for points.
pub type BinarsiPoints = BinarsiOf<Score>;

/// The score of a win by targets.
const TARGETS: i32 = Score::MAX as i32;

impl Goal for Score {
    const FAMILY: Family = Family {
        name: "Binarsi by points",
        codes: "bin<F>x<R>[-s<square>][-t<3 digits>][-n|-m]-p",
        prefix: "",
        pattern: "bin[0-9]+x[0-9]+(-.*)?-p",
        example: "bin4x4-p",
        explanation: &[
            "-p                values are differences in stones without komi; a win by targets has the value 64;",
            "                  everything else is as above",
        ],
        formats: FORMATS,
    };

    const BEYOND_POINTS: Option<&'static str> = Some("by its targets");

    fn parse(code: &str) -> Result<Rules, TextError> {
        let bad = |problem: &str| TextError::new(format!("rule code \"{code}\""), problem);
        let others = code.strip_suffix(POINTS_ENDING).ok_or_else(|| bad("codes of Binarsi by points end in -p"))?;
        if others.contains("-k") {
            return Err(bad("-p counts points without komi and cannot be combined with -k"));
        }
        Rules::parse(others).map_err(|error| bad(&error.problem))
    }

    fn code(rules: &Rules) -> String {
        rules.points_code()
    }

    fn settings(rules: &Rules) -> Vec<(&'static str, String)> {
        let mut settings = rules.settings();
        for (name, value) in &mut settings {
            match *name {
                "game" => *value = "binarsi by points".into(),
                "komi" => *value = "none; values are differences in stones, 64 for a win by targets".into(),
                _ => {}
            }
        }
        settings
    }

    fn of_end(_: &Rules, end: End, mover: Side) -> Score {
        let black = match end {
            End::Targets(side) => side.pick([TARGETS, -TARGETS]),
            End::Counted { black, white } => black as i32 - white as i32,
        };
        Score::new(mover.pick([black, -black]))
    }

    fn points(_: &Rules, black: u32, white: u32) -> [String; 2] {
        [black, white].map(|stones| stones.to_string())
    }

    /// Returns a sentence about the komi that would be fair.
    fn remark(value: Score, mover: Side) -> Option<String> {
        let score = i32::from(value.points());
        let black = mover.pick([score, -score]);
        Some(match score.abs() {
            TARGETS => "The game is decided by targets, so no komi makes it fair.".into(),
            0 => "It is fair without komi.".into(),
            1 => format!("A komi of 1 point for {} would be fair.", komi_side(black)),
            points => format!("A komi of {points} points for {} would be fair.", komi_side(black)),
        })
    }
}

/// Returns the side that gets the fair komi. `black` is the difference in stones from Black's point of view.
fn komi_side(black: i32) -> Side {
    if black > 0 { Side::White } else { Side::Black }
}
