//! Implements [`Game`] for Connect Four.

use super::ConnectFour;
use super::board::{Board, Position};
use super::moves::{self, Move};
use super::rules::Rules;
use super::{index, suite, text};
use crate::{Acyclic, Distance, Family, Game, KeySpace, Notation, Outcome, Presentation, Reason, Side, TextError};

impl ConnectFour {
    /// The description of the game in lists of games.
    pub const FAMILY: Family = Family {
        name: "Connect Four",
        codes: "con<F>x<R>[-k<n>]",
        prefix: "con",
        pattern: "con[0-9]+x[0-9]+(-.*)?",
        example: "con5x4",
        explanation: &[
            "<F> files, <R> ranks, each 3..8; con7x6 is the standard board; all boards but 8x8 can have tables",
            "-k<n>             n in a row win, 3..5, at most the longer side of the board (default 4)",
        ],
        formats: text::FORMATS,
    };
}

impl Game for ConnectFour {
    type Position = Position;
    type Move = Move;
    type Value = Distance;

    coded_values!();

    fn parse(code: &str) -> Result<ConnectFour, TextError> {
        Rules::parse(code).map(ConnectFour::new)
    }

    fn code(&self) -> String {
        self.rules.code()
    }

    fn start(&self) -> Position {
        Position::START
    }

    fn side(&self, position: &Position) -> Side {
        position.side()
    }

    /// Returns the number of discs.
    fn ply(&self, position: &Position) -> u32 {
        position.ply()
    }

    fn moves(&self, position: &Position, moves: &mut Vec<Move>) {
        moves::generate(&self.rules, position, moves);
    }

    fn play(&self, position: &Position, mv: Move) -> Position {
        moves::play(self.rules.board, position, mv)
    }

    /// Returns a loss if the other side has a winning row, otherwise a draw if the board is full.
    fn terminal_value(&self, position: &Position) -> Option<Distance> {
        let outcome = if self.rules.has_row(position.other) { Outcome::Loss } else { Outcome::Draw };
        self.is_terminal(position).then(|| Distance::new(outcome, 0))
    }

    #[inline]
    fn is_terminal(&self, position: &Position) -> bool {
        moves::is_over(&self.rules, position)
    }

    fn canonical(&self, position: &Position) -> Position {
        position.canonical(self.rules.board)
    }

    fn has_keys(&self) -> bool {
        index::has_keys(self.rules.board)
    }

    /// Returns the key described in [`index`].
    ///
    /// # Panics
    ///
    /// Panics if positions on this board have no keys.
    fn rank(&self, position: &Position) -> u64 {
        assert!(self.has_keys(), "positions of {} have no keys", self.code());
        index::rank(self.rules.board, &position.canonical(self.rules.board))
    }

    fn unrank(&self, key: u64) -> Option<Position> {
        let position = index::unrank(self.rules.board, key)?;
        let fair = position.has_possible_counts() && moves::has_possible_rows(&self.rules, &position);
        (fair && self.canonical(&position) == position).then_some(position)
    }

    /// Returns a key space that depends only on the size of the board. It is empty if keys do not fit 64 bits.
    fn key_space(&self) -> KeySpace {
        let Board { files, ranks } = self.rules.board;
        let end = if self.has_keys() { index::end(self.rules.board) } else { 0 };
        KeySpace::fixed(format!("Connect Four on {files} files x {ranks} ranks"), end)
    }
}

impl Notation for ConnectFour {
    fn parse_notation(&self, text: &str) -> Result<Position, TextError> {
        text::parse_notation(self, text)
    }

    fn parse_suite_line(&self, line: &str) -> Result<(Position, Option<Distance>), TextError> {
        suite::parse_line(self, line)
    }

    fn suite_score(&self, position: &Position, value: Distance) -> Option<i32> {
        Some(suite::score(self.rules.board, position, value))
    }

    fn position_text(&self, position: &Position) -> String {
        text::board_and_side(self.rules.board, position)
    }

    fn parse_move(&self, position: &Position, text: &str) -> Result<Move, TextError> {
        text::parse_legal_move(self, position, text)
    }

    fn move_text(&self, mv: Move) -> String {
        text::move_text(mv)
    }

    /// Returns the moves without spaces, such as `44435`.
    fn moves_text(&self, moves: &[Move]) -> String {
        moves.iter().map(|&mv| text::move_text(mv)).collect()
    }
}

impl Presentation for ConnectFour {
    fn family(&self) -> Family {
        Self::FAMILY
    }

    fn settings(&self) -> Vec<(&'static str, String)> {
        self.rules.settings()
    }

    fn end_reason(&self, position: &Position) -> Option<Reason> {
        self.is_terminal(position).then(|| match (self.rules.has_row(position.other), self.rules.row) {
            (false, _) => Reason { id: "connect-four-full", text: "the board is full" },
            (true, 3) => Reason { id: "connect-four-three", text: "three in a row" },
            (true, 4) => Reason { id: "connect-four-four", text: "four in a row" },
            (true, _) => Reason { id: "connect-four-five", text: "five in a row" },
        })
    }

    fn marks(&self) -> [&'static str; 2] {
        ["X", "O"]
    }

    fn board_text(&self, position: &Position) -> String {
        text::diagram(&self.rules, position)
    }
}

impl Acyclic for ConnectFour {
    /// Returns the number of empty squares.
    fn plies_left(&self, position: &Position) -> u32 {
        self.rules.board.area() - position.ply()
    }
}
