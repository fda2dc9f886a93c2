//! Implements [`Game`] for reversi.

use super::Reversi;
use super::board::{Board, Position};
use super::moves::{self, Move};
use super::rules::Rules;
use super::{index, suite, text, wtb};
use crate::game::KEY_MARK;
use crate::{Acyclic, Archive, Family, Game, KeySpace, Notation, Presentation, Reason, Score, Side, TextError};

impl Reversi {
    /// The description of the game in lists of games.
    pub const FAMILY: Family = Family {
        name: "Reversi",
        codes: "rev<F>x<R>[-p][-w]",
        prefix: "rev",
        pattern: "rev[0-9]+x[0-9]+(-.*)?",
        example: "rev4x4",
        explanation: &[
            "<F> files, <R> ranks, each 3..8; rev8x8 is the standard board; boards of up to 40 squares can have tables",
            "-p                parallel start: colours side by side instead of on the diagonals",
            "-w                empty squares at the end count for the winner",
        ],
        formats: text::FORMATS,
    };
}

impl Game for Reversi {
    type Position = Position;
    type Move = Move;
    type Value = Score;

    coded_values!();

    fn parse(code: &str) -> Result<Reversi, TextError> {
        Rules::parse(code).map(Reversi::new)
    }

    fn code(&self) -> String {
        self.rules.code()
    }

    /// Returns the code of this variant or of its transpose (see [`Rules::transpose`]), whichever has more files. Sizes
    /// are single digits, so the code with more files is the greater text.
    fn representative_code(&self) -> String {
        let transpose = self.rules.transpose().map(|rules| rules.code());
        transpose.into_iter().fold(self.code(), String::max)
    }

    fn start(&self) -> Position {
        self.rules.start()
    }

    fn side(&self, position: &Position) -> Side {
        position.side
    }

    /// Returns the number of discs, which is 4 at the start. A pass does not change it.
    fn ply(&self, position: &Position) -> u32 {
        position.occupied().count_ones()
    }

    fn moves(&self, position: &Position, moves: &mut Vec<Move>) {
        moves::generate(self.rules.board, position, moves);
    }

    fn play(&self, position: &Position, mv: Move) -> Position {
        moves::play(position, mv)
    }

    /// Counts a game that ends before `depth` moves as one sequence, as the published counts for reversi do.
    fn perft(&self, position: &Position, depth: u32) -> u64 {
        moves::sequences(self.rules.board, position, depth)
    }

    fn terminal_value(&self, position: &Position) -> Option<Score> {
        moves::is_over(self.rules.board, position).then(|| self.rules.score(position))
    }

    /// Returns true if the board is full or one side has no discs. If neither side has a move, the game is over too,
    /// but the result is false, because tables store such positions.
    #[inline]
    fn is_terminal(&self, position: &Position) -> bool {
        position.own == 0 || position.other == 0 || position.occupied() == self.rules.board.squares()
    }

    /// Returns the image of the position, over all symmetries of the board, with the smallest bitboard of occupied
    /// squares. If several images have it, the smallest bitboard of the side to move's discs decides. Black is to move
    /// in the result.
    fn canonical(&self, position: &Position) -> Position {
        let [own, other] = self.rules.board.smallest_image([position.own, position.other]);
        Position { own, other, side: Side::Black }
    }

    fn has_keys(&self) -> bool {
        self.rules.board.area() <= index::MAX_SQUARES
    }

    /// Returns the key described in [`index`].
    ///
    /// # Panics
    ///
    /// Panics if positions on this board have no keys.
    fn rank(&self, position: &Position) -> u64 {
        assert!(self.has_keys(), "positions of {} have no keys", self.code());
        let [own, other] = self.rules.board.smallest_image([position.own, position.other]);
        index::rank(self.rules.board, own, other)
    }

    fn unrank(&self, key: u64) -> Option<Position> {
        let (own, other) = index::unrank(self.rules.board, key)?;
        let position = Position { own, other, side: Side::Black };
        (self.canonical(&position) == position).then_some(position)
    }

    /// Returns an empty key space if keys do not fit 64 bits.
    fn key_space(&self) -> KeySpace {
        let Board { files, ranks } = self.rules.board;
        let end = if self.has_keys() { 3u64.pow(self.rules.board.area()) } else { 0 };
        KeySpace::fixed(format!("reversi on {files} files x {ranks} ranks"), end)
    }

    fn is_pass(&self, mv: Move) -> bool {
        mv == Move::Pass
    }
}

impl Notation for Reversi {
    fn parse_notation(&self, text: &str) -> Result<Position, TextError> {
        suite::parse_line(self, text).map(|(position, _)| position)
    }

    fn parse_suite_line(&self, line: &str) -> Result<(Position, Option<Score>), TextError> {
        match line.trim_start().starts_with(KEY_MARK) {
            true => Ok((self.parse_position(line)?, None)),
            false => suite::parse_line(self, line),
        }
    }

    fn archive(&self) -> Option<Archive<Reversi>> {
        Some(wtb::ARCHIVE)
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

    fn moves_text(&self, moves: &[Move]) -> String {
        text::transcript(moves)
    }
}

impl Presentation for Reversi {
    fn family(&self) -> Family {
        Self::FAMILY
    }

    fn settings(&self) -> Vec<(&'static str, String)> {
        self.rules.settings()
    }

    fn end_reason(&self, position: &Position) -> Option<Reason> {
        moves::is_over(self.rules.board, position).then_some(match position {
            _ if position.occupied() == self.rules.board.squares() => {
                Reason { id: "reversi-full", text: "the board is full" }
            }
            Position { own: 0, .. } | Position { other: 0, .. } => {
                Reason { id: "reversi-no-discs", text: "one side has no discs" }
            }
            _ => Reason { id: "reversi-no-move", text: "neither side has a move" },
        })
    }

    fn marks(&self) -> [&'static str; 2] {
        ["X", "O"]
    }

    fn board_text(&self, position: &Position) -> String {
        text::diagram(self.rules.board, position)
    }
}

impl Acyclic for Reversi {
    /// Returns a bound: one ply for each empty square, and a pass between any two of these plies. If the side to move
    /// has to pass, one more pass comes first. The bound is 0 if neither side has a move.
    fn plies_left(&self, position: &Position) -> u32 {
        let empty = self.rules.board.area() - position.occupied().count_ones();
        let can_move = |position: &Position| moves::legal(self.rules.board, position) != 0;
        if can_move(position) {
            2 * empty - 1
        } else if can_move(&position.passed()) {
            2 * empty
        } else {
            0
        }
    }
}
