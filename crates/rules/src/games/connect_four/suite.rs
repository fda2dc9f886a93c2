//! Test suites: lines with a position and its score.
//!
//! The usual suites have a line `<moves> <score>` for each position, such as `5554224333234511764415115 4`. The score
//! is for the side to move. A win scores one plus half of the squares that are still empty when the game ends, rounded
//! down. A loss scores the same, negated, and a draw scores 0. With `n` discs on a board of 42 squares, a win in `p`
//! plies scores `22 - (n / 2 + (p + 1) / 2)`. Source: the convention of P. Pons's suites and of J. Tromp's solver.

use super::ConnectFour;
use super::board::{Board, Position};
use crate::{Distance, Game, Notation, Outcome, TextError};

/// Returns the score that test suites give to `position` if its value is `value`.
pub fn score(board: Board, position: &Position, value: Distance) -> i32 {
    let size = |plies: u16| (board.area() as i32 + 2 - position.ply() as i32 - i32::from(plies)) / 2;
    match value {
        Distance::Win(plies) => size(plies.0),
        Distance::Loss(plies) => -size(plies.0),
        Distance::Draw => 0,
    }
}

/// Inverts [`score`]: returns the value that has the score `wanted` in `position`, or `None` if no value has this
/// score.
fn value(game: &ConnectFour, position: &Position, wanted: i32) -> Option<Distance> {
    let board = game.rules.board;
    if let Some(value) = game.terminal_value(position) {
        return Some(value).filter(|&value| score(board, position, value) == wanted);
    }
    let left = (board.area() - position.ply()) as u16;
    // The winner places the last disc, so the side to move wins in an odd number of plies.
    let (outcome, first) = match wanted {
        0 => return Some(Distance::Draw),
        1.. => (Outcome::Win, 1),
        _ => (Outcome::Loss, 2),
    };
    let mut values = (first..=left).step_by(2).map(|plies| Distance::new(outcome, plies));
    values.find(|&value| score(board, position, value) == wanted)
}

/// Reads `<moves> <score>` or `<board> <side> <score>`. The score is optional.
pub fn parse_line(game: &ConnectFour, line: &str) -> Result<(Position, Option<Distance>), TextError> {
    let words: Vec<&str> = line.split_whitespace().collect();
    let (position, text) = match words[..] {
        [moves, text] if moves.bytes().all(|letter| letter.is_ascii_digit()) => (moves.to_string(), text),
        [board, side, text] if board.contains('/') => (format!("{board} {side}"), text),
        _ => return Ok((game.parse_position(line)?, None)),
    };
    let position = game.parse_position(&position)?;
    let (board, bad) = (game.rules.board, |problem: String| TextError::new(format!("score \"{text}\""), problem));
    let number: i32 = text.parse().map_err(|_| bad("is not a whole number".into()))?;
    let value = value(game, &position, number).ok_or_else(|| match game.terminal_value(&position) {
        Some(value) => bad(format!("the game is over, and its score is {}", score(board, &position, value))),
        None => {
            let end = |outcome, plies| score(board, &position, Distance::new(outcome, plies));
            let (least, most) = (end(Outcome::Loss, 2), end(Outcome::Win, 1));
            bad(format!("is not possible here; scores are from {least} to {most}"))
        }
    })?;
    Ok((position, Some(value)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn game(code: &str) -> ConnectFour {
        ConnectFour::parse(code).unwrap()
    }

    #[test]
    fn scores_follow_the_formula_of_the_suites() {
        let game = game("con7x6");
        let (position, value) = parse_line(&game, "5554224333234511764415115 4").unwrap();
        let n = position.ply() as i32;
        assert_eq!((n, value), (25, Some(Distance::new(Outcome::Win, 11))));
        for p in (1..=17).step_by(2) {
            let value = Distance::new(Outcome::Win, p);
            assert_eq!(score(game.rules.board, &position, value), 22 - (n / 2 + (i32::from(p) + 1) / 2), "{p}");
        }
    }

    /// Each value that a position can have has a different score, which reads back as the same value.
    #[test]
    fn scores_are_read_back() {
        for (code, moves) in
            [("con7x6", ""), ("con7x6", "4"), ("con5x5", "333"), ("con4x4", "1122"), ("con5x4-k3", "1")]
        {
            let game = game(code);
            let position = game.parse_position(if moves.is_empty() { "startpos" } else { moves }).unwrap();
            let board = game.rules.board;
            let left = (board.area() - position.ply()) as u16;
            let win = (1..=left).step_by(2).map(|plies| Distance::new(Outcome::Win, plies));
            let loss = (2..=left).step_by(2).map(|plies| Distance::new(Outcome::Loss, plies));
            for known in win.chain(loss).chain([Distance::Draw]) {
                assert_eq!(value(&game, &position, score(board, &position, known)), Some(known), "{code} {moves}");
            }
        }
    }

    #[test]
    fn lines_are_understood_or_refused() {
        let game = game("con7x6");
        let start = game.start();
        assert_eq!(parse_line(&game, "startpos"), Ok((start, None)));
        assert_eq!(parse_line(&game, "44 0"), Ok((game.parse_position("44").unwrap(), Some(Distance::Draw))));
        let board = format!("{} -2", game.position_text(&start));
        assert_eq!(parse_line(&game, &board), Ok((start, Some(Distance::new(Outcome::Loss, 40)))));
        for (line, problem) in [
            ("44 x", "score \"x\": is not a whole number"),
            ("44 21", "score \"21\": is not possible here; scores are from -20 to 20"),
            (
                "44 1 2",
                "position: unexpected \"1\": only \"moves\" may follow a position; for moves from the start, write \
                 \"startpos moves 44 1 2\"",
            ),
            ("44 +1.5", "score \"+1.5\": is not a whole number"),
            ("48 1", "move \"8\" (move 2): is not a file of this board, 1 to 7"),
        ] {
            assert_eq!(parse_line(&game, line).unwrap_err().to_string(), problem, "{line}");
        }
    }
}
