//! Variants of the pyonpyon game and their codes: `pyon[<F>x<R>][A|B]`.
//!
//! Each side has one piece for every file. `pyon` alone is the author's 5x5 board; `pyon3x4` is a smaller board for
//! tests and play. `A` and `B` are two readings of the rule about wins. `A` is the default.

use super::board::{Board, Position, Squares};
use crate::{Distance, Plies, Side, TextError};

/// A reading of the rule about wins. The readings differ for a move that completes only the winning pattern of the
/// *other* side (see [`Rules::has_pattern`]).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Reading {
    /// The position decides: first the side that has just moved is checked, then the side to move.
    PositionDecides,
    /// Only the side that has just moved can win.
    MoverOnly,
}

impl Reading {
    /// Returns the letter of the reading and its meaning, for people.
    pub fn words(self) -> &'static str {
        match self {
            Reading::PositionDecides => "A: the position decides; the side that has just moved is checked first",
            Reading::MoverOnly => "B: only the side that has just moved can win",
        }
    }
}

/// One variant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Rules {
    /// The size of the board.
    pub board: Board,
    /// The reading of the rule about wins.
    pub reading: Reading,
}

impl Rules {
    /// The author's board.
    pub const STANDARD: Board = Board { files: 5, ranks: 5 };

    /// Reads a rule code. Defaults may be spelled out.
    pub fn parse(code: &str) -> Result<Rules, TextError> {
        let bad = |problem: String| TextError::new(format!("rule code \"{code}\""), problem);
        let rest = code.strip_prefix("pyon").ok_or_else(|| bad("pyonpyon codes start with pyon".into()))?;
        let (size, reading) = match (rest.strip_suffix('A'), rest.strip_suffix('B')) {
            (Some(size), _) => (size, Reading::PositionDecides),
            (_, Some(size)) => (size, Reading::MoverOnly),
            _ => (rest, Reading::PositionDecides),
        };
        let board = if size.is_empty() { Rules::STANDARD } else { parse_size(size).map_err(bad)? };
        Ok(Rules { board, reading })
    }

    /// Returns the shortest code of this variant.
    pub fn code(&self) -> String {
        let Board { files, ranks } = self.board;
        let size = if self.board == Rules::STANDARD { String::new() } else { format!("{files}x{ranks}") };
        let reading = if self.reading == Reading::MoverOnly { "B" } else { "" };
        format!("pyon{size}{reading}")
    }

    /// Returns all settings, defaults included, as pairs of name and value. The first is `game`.
    pub fn settings(&self) -> Vec<(&'static str, String)> {
        let Board { files, ranks } = self.board;
        vec![
            ("game", "pyonpyon".into()),
            ("board", format!("{files} files x {ranks} ranks")),
            ("pieces", format!("{files} of each side")),
            ("goals", format!("rank 1 for x (Black), rank {ranks} for o (White)")),
            ("win", self.reading.words().into()),
            ("repetition", "a position that neither side can force is a draw".into()),
        ]
    }

    /// White's pieces (`o`) at the start: a zigzag on rank 2 in the files a, c and e, and on rank 1 in b and d. Boards
    /// with three ranks have no room for the zigzags of both sides, so the pieces fill rank 1.
    fn start_of_white(&self) -> Squares {
        let Board { files, ranks } = self.board;
        let rank = |file: u8| u8::from(ranks > 3 && file.is_multiple_of(2));
        (0..files).map(|file| 1 << self.board.bit(file, rank(file))).sum()
    }

    /// Returns the starting position, which is the same when rotated by 180 degrees with the sides exchanged. Black
    /// (`x`) is to move.
    pub fn start(&self) -> Position {
        let white = self.start_of_white();
        Position { own: self.board.rotated(white), other: white, side: Side::Black }
    }

    /// Returns true if `pieces` have completed the pattern of `side`: in every file one of these pieces is on the goal
    /// rank, or directly in front of a piece of `others` that is on the goal rank.
    #[inline]
    pub fn has_pattern(&self, side: Side, pieces: Squares, others: Squares) -> bool {
        let ranks = self.board.ranks;
        let (goal, one_short) = match side {
            Side::Black => (self.board.rank(0), pieces >> 1),
            Side::White => (self.board.rank(ranks - 1), pieces << 1),
        };
        (pieces | others & one_short) & goal == goal
    }

    /// Returns the squares that the pieces of `side` must occupy to complete its pattern against `others`, one in each
    /// file. The squares may overlap `others`.
    pub fn completing(&self, side: Side, others: Squares) -> Squares {
        let ranks = self.board.ranks;
        let (goal, one_short) = match side {
            Side::Black => (self.board.rank(0), (others & self.board.rank(0)) << 1),
            Side::White => (self.board.rank(ranks - 1), (others & self.board.rank(ranks - 1)) >> 1),
        };
        goal & !others | one_short
    }

    /// Returns the value for the side to move, or `None` if the game is not over. Does not check that any move could
    /// have completed the pattern.
    #[inline]
    pub fn end(&self, position: &Position) -> Option<Distance> {
        let Position { own, other, side } = *position;
        if self.has_pattern(side.other(), other, own) {
            return Some(Distance::Loss(Plies(0)));
        }
        let looks_at_both = self.reading == Reading::PositionDecides;
        (looks_at_both && self.has_pattern(side, own, other)).then_some(Distance::Win(Plies(0)))
    }
}

fn parse_size(text: &str) -> Result<Board, String> {
    match text.as_bytes() {
        [files @ b'2'..=b'5', b'x', ranks @ b'3'..=b'5'] => Ok(Board { files: files - b'0', ranks: ranks - b'0' }),
        _ => Err(format!(
            "\"{text}\" is neither a board size <files>x<ranks> from 2x3 to 5x5 nor A or B (readings of the win rule)"
        )),
    }
}
