//! Implements [`Game`] for the pyonpyon game.

use super::Pyonpyon;
use super::board::{Board, Position};
use super::moves::{self, Move};
use super::rules::Rules;
use super::text;
use crate::{Distance, Family, Game, KeySpace, Notation, Presentation, Reason, Side, TextError};

impl Pyonpyon {
    /// Returns the canonical position of a key. Black is to move in this position.
    fn position(&self, key: u32) -> Position {
        let (own, other) = self.index.position(key);
        Position { own, other, side: Side::Black }
    }
}

impl Pyonpyon {
    /// The description of the game in lists of games.
    pub const FAMILY: Family = Family {
        name: "Pyonpyon",
        codes: "pyon[<F>x<R>][A|B]",
        prefix: "pyon",
        pattern: "pyon([0-9]+x[0-9]+)?[AB]?",
        example: "pyon3x4",
        explanation: &[
            "<F> files 2..5, with a piece of each side on each, <R> ranks 3..5; by default 5x5, the author's board",
            "A                 the side with a filled goal wins; if both are filled, the side that moved last \
             (default)",
            "B                 only the side that has just moved can win",
        ],
        formats: text::FORMATS,
    };
}

impl Game for Pyonpyon {
    type Position = Position;
    type Move = Move;
    type Value = Distance;

    coded_values!();

    fn parse(code: &str) -> Result<Pyonpyon, TextError> {
        Rules::parse(code).map(Pyonpyon::new)
    }

    fn code(&self) -> String {
        self.rules.code()
    }

    fn start(&self) -> Position {
        self.rules.start()
    }

    fn side(&self, position: &Position) -> Side {
        position.side
    }

    /// Returns 0: positions repeat, so a position does not determine the number of plies played.
    fn ply(&self, _position: &Position) -> u32 {
        0
    }

    fn moves(&self, position: &Position, moves: &mut Vec<Move>) {
        moves.clear();
        if !self.is_terminal(position) {
            moves::generate(&self.lines, position, moves);
        }
    }

    fn play(&self, position: &Position, mv: Move) -> Position {
        moves::play(position, mv)
    }

    /// Only a pattern ([`Rules::has_pattern`]) ends the game: in all other positions the side to move has a move.
    fn terminal_value(&self, position: &Position) -> Option<Distance> {
        self.rules.end(position)
    }

    fn is_terminal(&self, position: &Position) -> bool {
        self.terminal_value(position).is_some()
    }

    /// Returns the representative of four equivalent positions: this one, its mirror image, and each of these two
    /// rotated by 180 degrees with the colours exchanged. Black is to move in the representative.
    fn canonical(&self, position: &Position) -> Position {
        self.position(self.rank(position) as u32)
    }

    /// Returns the key described in [`super::index`]. The key is below 2^32.
    fn rank(&self, position: &Position) -> u64 {
        let (own, other) = position.seen_by_mover(self.rules.board);
        u64::from(self.index.key(own, other))
    }

    fn unrank(&self, key: u64) -> Option<Position> {
        u32::try_from(key).ok().filter(|&key| key < self.index.count()).map(|key| self.position(key))
    }

    fn key_space(&self) -> KeySpace {
        let Board { files, ranks } = self.rules.board;
        KeySpace::fixed(format!("pyonpyon on {files} files x {ranks} ranks"), self.index.count().into())
    }
}

impl Notation for Pyonpyon {
    fn parse_notation(&self, text: &str) -> Result<Position, TextError> {
        text::parse_notation(self, text)
    }

    fn position_text(&self, position: &Position) -> String {
        text::fen(self.rules.board, position)
    }

    fn parse_move(&self, position: &Position, text: &str) -> Result<Move, TextError> {
        text::parse_legal_move(self, position, text)
    }

    fn move_text(&self, mv: Move) -> String {
        text::move_text(self.rules.board, mv)
    }
}

impl Presentation for Pyonpyon {
    fn family(&self) -> Family {
        Self::FAMILY
    }

    fn settings(&self) -> Vec<(&'static str, String)> {
        self.rules.settings()
    }

    fn end_reason(&self, position: &Position) -> Option<Reason> {
        let reason = Reason { id: "pyonpyon-goal", text: "its pieces have reached their goal" };
        self.is_terminal(position).then_some(reason)
    }

    fn marks(&self) -> [&'static str; 2] {
        ["x", "o"]
    }

    fn board_text(&self, position: &Position) -> String {
        text::diagram(self.rules.board, position)
    }
}
