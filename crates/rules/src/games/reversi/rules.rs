//! Variants of reversi and their codes: `rev<F>x<R>[-p][-w]`.

use super::board::{Board, Position, Squares};
use crate::{Score, Side, TextError};

/// The arrangement of the four discs of the starting position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Opening {
    /// Colours on the diagonals, Black on the rising one.
    Cross,
    /// Colours side by side, Black on the upper rank.
    Parallel,
}

/// The side for which empty squares count at the end of the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Empties {
    /// Neither side. The score is the difference of discs.
    Nobody,
    /// The side with more discs.
    Winner,
}

/// One variant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Rules {
    /// The size of the board.
    pub board: Board,
    /// The arrangement of the discs in the starting position.
    pub opening: Opening,
    /// The side for which empty squares count at the end of the game.
    pub empties: Empties,
}

impl Rules {
    /// Reads a rule code.
    pub fn parse(code: &str) -> Result<Rules, TextError> {
        let bad = |problem: String| TextError::new(format!("rule code \"{code}\""), problem);
        let rest = code.strip_prefix("rev").ok_or_else(|| bad("reversi codes start with rev".into()))?;
        let mut parts = rest.split('-');
        let board = parse_size(parts.next().unwrap_or_default()).map_err(bad)?;
        let mut rules = Rules { board, opening: Opening::Cross, empties: Empties::Nobody };
        for part in parts {
            rules.add_option(part).map_err(bad)?;
        }
        Ok(rules)
    }

    fn add_option(&mut self, part: &str) -> Result<(), String> {
        let misplaced = || Err(format!("option -{part} is repeated or out of order (the order is -p -w)"));
        match part {
            "p" | "w" if self.empties == Empties::Winner => return misplaced(),
            "p" if self.opening == Opening::Parallel => return misplaced(),
            "p" => self.opening = Opening::Parallel,
            "w" => self.empties = Empties::Winner,
            _ => return Err(format!("unknown option -{part} (known: -p -w)")),
        }
        Ok(())
    }

    /// Returns the shortest code of this variant.
    pub fn code(&self) -> String {
        let Board { files, ranks } = self.board;
        let opening = if self.opening == Opening::Parallel { "-p" } else { "" };
        let empties = if self.empties == Empties::Winner { "-w" } else { "" };
        format!("rev{files}x{ranks}{opening}{empties}")
    }

    /// Returns all settings, defaults included, as pairs of name and value. The first is `game`.
    pub fn settings(&self) -> Vec<(&'static str, String)> {
        let Board { files, ranks } = self.board;
        let opening = match self.opening {
            Opening::Cross => "cross: colours on the diagonals, Black on the rising one",
            Opening::Parallel => "parallel: colours side by side, Black above",
        };
        let empties = match self.empties {
            Empties::Nobody => "the difference in discs",
            Empties::Winner => "the difference in discs, empty squares counted for the winner",
        };
        vec![
            ("game", "reversi".into()),
            ("board", format!("{files} files x {ranks} ranks")),
            ("start", opening.into()),
            ("score", empties.into()),
        ]
    }

    /// Returns the variant with files and ranks exchanged, or `None` if that variant is a different game. For a cross
    /// start it is the same game: transposing a position of one variant gives a position of the other. A transposed
    /// cross start is a cross start with the same colours; a transposed parallel start is not a parallel start.
    pub fn transpose(&self) -> Option<Rules> {
        (self.opening == Opening::Cross).then_some(Rules { board: self.board.transpose(), ..*self })
    }

    /// Returns the starting position: four discs in the middle. On a board with an odd number of files or ranks, they
    /// are half a square to the left of or above the centre. Black is to move.
    pub fn start(&self) -> Position {
        let Board { files, ranks } = self.board;
        let (file, rank) = (files / 2 - 1, ranks / 2 - 1);
        let at = |right: u8, down: u8| -> Squares { 1 << self.board.bit(file + right, rank + down) };
        let black = match self.opening {
            Opening::Cross => at(1, 0) | at(0, 1),
            Opening::Parallel => at(0, 0) | at(1, 0),
        };
        let block = at(0, 0) | at(1, 0) | at(0, 1) | at(1, 1);
        Position { own: black, other: block & !black, side: Side::Black }
    }

    /// Returns the score for the side to move if the game ends in this position.
    pub fn score(&self, position: &Position) -> Score {
        Score::new(self.points(position.own, position.other))
    }

    /// Returns [`Rules::score`] as a number. `own` has the discs of the side to move, `other` those of the other side.
    #[inline(always)]
    pub fn points(&self, own: Squares, other: Squares) -> i32 {
        let (own, other) = (own.count_ones() as i32, other.count_ones() as i32);
        let difference = own - other;
        match self.empties {
            Empties::Nobody => difference,
            Empties::Winner => difference + difference.signum() * (self.board.area() as i32 - own - other),
        }
    }
}

fn parse_size(text: &str) -> Result<Board, String> {
    match text.as_bytes() {
        [files @ b'3'..=b'8', b'x', ranks @ b'3'..=b'8'] => Ok(Board { files: files - b'0', ranks: ranks - b'0' }),
        _ => Err(format!("\"{text}\" is not a board size <files>x<ranks> from 3x3 to 8x8")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn empty_squares_go_to_the_winner_if_asked() {
        let score = |code: &str, own: Squares, other: Squares| {
            Rules::parse(code).unwrap().score(&Position { own, other, side: Side::White }).points()
        };
        assert_eq!([score("rev4x4", 0b111, 0b1000), score("rev4x4-w", 0b111, 0b1000)], [2, 14]);
        assert_eq!([score("rev4x4", 0b1, 0b1110), score("rev4x4-w", 0b1, 0b1110)], [-2, -14]);
        assert_eq!([score("rev4x4", 0b11, 0b1100), score("rev4x4-w", 0b11, 0b1100)], [0, 0]);
        assert_eq!([score("rev8x8", 0b1, 0), score("rev8x8-w", 0b1, 0), score("rev8x8-w", 0, 0b1)], [1, 64, -64]);
    }
}
