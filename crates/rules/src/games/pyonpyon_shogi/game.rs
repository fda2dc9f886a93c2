//! Implements [`Game`] for the pyonpyon game with shogi pieces.

use std::ops::ControlFlow;

use super::PyonpyonShogi;
use super::board::Position;
use super::kinds::Kind;
use super::moves::{self, Move};
use super::rules::Rules;
use super::text;
use crate::games::pyonpyon::Board;
use crate::games::pyonpyon::text::move_text;
use crate::{Distance, Family, Game, KeySpace, Notation, Presentation, Reason, Side, TextError};

impl PyonpyonShogi {
    /// The description of the game in lists of games.
    pub const FAMILY: Family = Family {
        name: "Pyonpyon with shogi pieces",
        codes: "pyon[<F>x<R>][A|B]-<pieces>",
        prefix: "pyon",
        pattern: "pyon([0-9]+x[0-9]+)?[AB]?-[A-Za-z]*",
        example: "pyon3x4-PGP",
        explanation: &[
            "<F> files, <R> ranks, A, B as in the codes of pyonpyon",
            "<pieces>          Black's pieces by files: P pawn, L lance, N knight, S silver, G gold, B bishop, R rook",
        ],
        formats: text::FORMATS,
    };
}

impl Game for PyonpyonShogi {
    type Position = Position;
    type Move = Move;
    type Value = Distance;

    coded_values!();

    fn parse(code: &str) -> Result<PyonpyonShogi, TextError> {
        Rules::parse(code).map(PyonpyonShogi::new)
    }

    fn code(&self) -> String {
        self.rules.code()
    }

    /// If Black's starting squares are symmetric, reversing the order of the pieces gives the same game. The smaller of
    /// the two codes then represents both.
    fn representative_code(&self) -> String {
        let (code, own) = (self.code(), self.start().own);
        if self.rules.base.board.mirrored(own) != own {
            return code;
        }
        let mirrored: String = self.rules.kinds().iter().rev().copied().map(Kind::letter).collect();
        code.min(format!("{}-{mirrored}", self.rules.base.code()))
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
            let _ = self.each_move(position, |mv| {
                moves.push(mv);
                ControlFlow::Continue(())
            });
        }
    }

    fn play(&self, position: &Position, mv: Move) -> Position {
        moves::play(position, mv)
    }

    /// Returns the value of [`Rules::end`] if a side has completed its pattern, and a draw if the side to move has no
    /// move.
    fn terminal_value(&self, position: &Position) -> Option<Distance> {
        let stuck = || (!self.can_move(position)).then_some(Distance::Draw);
        self.rules.end(position).or_else(stuck)
    }

    fn is_terminal(&self, position: &Position) -> bool {
        self.rules.end(position).is_some()
    }

    /// Returns the representative of four equivalent positions: this one, its mirror image, and each of these two
    /// rotated by 180 degrees with the colours exchanged. Black is to move in the representative.
    fn canonical(&self, position: &Position) -> Position {
        self.index.placed(self.rank(position))
    }

    /// Returns the key described in [`super::index`].
    fn rank(&self, position: &Position) -> u64 {
        self.index.key(position)
    }

    fn unrank(&self, key: u64) -> Option<Position> {
        if key < self.index.count() { self.index.position(key) } else { None }
    }

    fn key_space(&self) -> KeySpace {
        let Board { files, ranks } = self.rules.base.board;
        let mut kinds = self.rules.kinds().to_vec();
        kinds.sort_unstable();
        let names: Vec<&str> = kinds.iter().map(|kind| kind.name()).collect();
        let positions = format!("pyonpyon with {} on {files} files x {ranks} ranks", names.join(" "));
        KeySpace::fixed(positions, self.index.count())
    }
}

impl Notation for PyonpyonShogi {
    fn parse_notation(&self, text: &str) -> Result<Position, TextError> {
        text::parse_notation(self, text)
    }

    fn position_text(&self, position: &Position) -> String {
        text::fen(self.rules.base.board, position)
    }

    fn parse_move(&self, position: &Position, text: &str) -> Result<Move, TextError> {
        text::parse_legal_move(self, position, text)
    }

    fn move_text(&self, mv: Move) -> String {
        move_text(self.rules.base.board, mv)
    }
}

impl Presentation for PyonpyonShogi {
    fn family(&self) -> Family {
        Self::FAMILY
    }

    fn settings(&self) -> Vec<(&'static str, String)> {
        self.rules.settings()
    }

    fn end_reason(&self, position: &Position) -> Option<Reason> {
        if self.is_terminal(position) {
            return Some(Reason { id: "pyonpyon-goal", text: "its pieces have reached their goal" });
        }
        let stuck = Reason { id: "pyonpyon-no-move", text: "the side to move has no move, so nobody wins" };
        (!self.can_move(position)).then_some(stuck)
    }

    fn marks(&self) -> [&'static str; 2] {
        ["PLNSGBR", "plnsgbr"]
    }

    fn board_text(&self, position: &Position) -> String {
        text::diagram(self.rules.base.board, position)
    }
}
