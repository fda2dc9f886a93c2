//! Test suites in OBF: lines such as `<board> <side>; d3:+2; c4:-6; % a remark`.
//!
//! Fields follow the position, each after a `;`: either `<move>:<score>`, or a bare score, which is the score of the
//! position. Scores are for the side to move. A `%` starts a remark anywhere in the line.

use super::Reversi;
use super::board::Position;
use super::{ggf, text};
use crate::{Score, TextError};

/// Reads a position in any notation, including boards and games of GGS ([`ggf`]). Fields `<score>` or `<move>:<score>`
/// and a remark may follow. The value is the score without a move if there is one, otherwise the best score of a move.
/// It is `None` if there are no fields, and for boards and games of GGS.
pub fn parse_line(game: &Reversi, line: &str) -> Result<(Position, Option<Score>), TextError> {
    let told = line.split('%').next().unwrap_or_default().trim();
    if ggf::is_ggs_text(told) {
        return Ok((ggf::parse(game, told)?, None));
    }
    let mut fields = told.split(';');
    let position = text::parse_position(game, fields.next().unwrap_or_default())?;
    let (mut alone, mut best) = (None, None);
    for field in fields.map(str::trim).filter(|field| !field.is_empty()) {
        match field.split_once(':') {
            Some((name, score)) => best = best.max(Some(score_of_move(game, &position, name.trim(), score.trim())?)),
            None if alone.is_some() => return Err(bad(field, "is a second score for the position")),
            None => alone = Some(parse_score(field).ok_or_else(|| bad(field, UNKNOWN))?),
        }
    }
    match (alone, best) {
        (Some(alone), Some(best)) if best > alone => {
            Err(bad(&format!("{:+}", alone.points()), "is lower than the score of a move"))
        }
        _ => Ok((position, alone.or(best))),
    }
}

const UNKNOWN: &str = "is neither <move>:<score> nor a score";

fn bad(field: &str, problem: &str) -> TextError {
    TextError::new(format!("field \"{field}\""), problem)
}

fn score_of_move(game: &Reversi, position: &Position, name: &str, score: &str) -> Result<Score, TextError> {
    text::parse_legal_move(game, position, name)?;
    let problem = || format!("score \"{score}\" is not a number from -{0} to +{0}", Score::MAX);
    parse_score(score).ok_or_else(|| TextError::new(format!("move \"{name}\""), problem()))
}

fn parse_score(text: &str) -> Option<Score> {
    let most = i32::from(Score::MAX);
    text.parse().ok().filter(|points| (-most..=most).contains(points)).map(Score::new)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Game;

    const BOARD: &str = "---------------------------OX------XO--------------------------- X";

    fn read(fields: &str) -> Result<Option<i32>, String> {
        let game = Reversi::parse("rev8x8").unwrap();
        let read = parse_line(&game, &format!("{BOARD}{fields}")).map_err(|error| error.to_string())?;
        assert_eq!(read.0, game.start(), "{fields}");
        Ok(read.1.map(|score| score.points().into()))
    }

    #[test]
    fn every_field_counts() {
        for (fields, value) in [
            ("", None),
            (";", None),
            (" % remark", None),
            ("% f5:+9", None),
            ("; f5:+0;", Some(0)),
            ("; f5:+2; d3:-6; % FFO #1; +8", Some(2)),
            ("; +10;", Some(10)),
            ("; f5:-2; 0;", Some(0)),
            (" ; F5 : +4 ;", Some(4)),
        ] {
            assert_eq!(read(fields), Ok(value), "{fields}");
        }
    }

    #[test]
    fn what_is_not_understood_is_named() {
        for (fields, problem) in [
            ("; f5 +10;", "field \"f5 +10\": is neither <move>:<score> nor a score"),
            ("; FFO #1", "field \"FFO #1\": is neither <move>:<score> nor a score"),
            ("; moves f5", "field \"moves f5\": is neither <move>:<score> nor a score"),
            ("; ps:+9;", "move \"ps\": Black (X) has moves and cannot pass: d3 c4 f5 e6"),
            ("; a1:+9;", "move \"a1\": X would turn no disc there; legal moves: d3 c4 f5 e6"),
            ("; f5:9.5;", "move \"f5\": score \"9.5\" is not a number from -64 to +64"),
            ("; f5:+65;", "move \"f5\": score \"+65\" is not a number from -64 to +64"),
            ("; +3; +4", "field \"+4\": is a second score for the position"),
            ("; f5:+5; +4", "field \"+4\": is lower than the score of a move"),
            (" f5; +4", "position: unexpected \"f5\": only \"moves\" may follow a position"),
        ] {
            assert_eq!(read(fields), Err(problem.into()), "{fields}");
        }
    }
}
