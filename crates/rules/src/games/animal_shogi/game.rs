//! Implements [`Game`] for animal shogi.

use std::ops::ControlFlow;

use super::AnimalShogi;
use super::board::{Board, Position, SQUARES};
use super::moves::Move;
use super::rules::Rules;
use super::{positions, text};
use crate::{Family, Game, KeySpace, Notation, ParityDistance, Plies, Presentation, Reason, Side, TextError};

impl AnimalShogi {
    /// Returns the value if a lion decides the game: the side to move can take the opponent's lion, or that lion has
    /// reached its last rank. Returns `None` if the game goes on, or is over only because there is no legal move.
    #[inline]
    pub fn verdict(&self, board: &Board) -> Option<ParityDistance> {
        if board.takes_lion(&self.rules) {
            return Some(ParityDistance::Decided(Plies(1)));
        }
        board.tried(&self.rules).then_some(ParityDistance::Decided(Plies(0)))
    }
}

impl AnimalShogi {
    /// The description of the game in lists of games.
    pub const FAMILY: Family = Family {
        name: "Animal shogi",
        codes: "<5 digits of 0-9a-v>[T]",
        prefix: "",
        pattern: "[0-9a-v]{5}T?",
        example: "val1n",
        explanation: &[
            "the five digits, from 0 to v (31), are for lion, elephant, giraffe, chick and hen; a digit adds up the",
            "directions of its piece: 1 forward, 2 diagonally forward, 4 sideways, 8 diagonally back, 16 back",
            "T                 a lion on the last rank does not win",
        ],
        formats: positions::FORMATS,
    };
}

impl Game for AnimalShogi {
    type Position = Position;
    type Move = Move;
    type Value = ParityDistance;

    coded_values!();

    fn parse(code: &str) -> Result<AnimalShogi, TextError> {
        Rules::parse(code).map(AnimalShogi::new)
    }

    fn code(&self) -> String {
        self.rules.code()
    }

    fn representative_code(&self) -> String {
        self.rules.least_of_same_game().code()
    }

    fn start(&self) -> Position {
        let board = text::board_of_key(text::START_KEY).expect("`START_KEY` is the key of a position");
        Position { board, side: Side::Black }
    }

    #[inline]
    fn side(&self, position: &Position) -> Side {
        position.side
    }

    fn ply(&self, _: &Position) -> u32 {
        0
    }

    fn moves(&self, position: &Position, moves: &mut Vec<Move>) {
        moves.clear();
        if self.verdict(&position.board).is_none() {
            text::legal_moves(self, position, moves);
        }
    }

    #[inline]
    fn play(&self, position: &Position, mv: Move) -> Position {
        let square = |square: u8| if mv.side == Side::Black { SQUARES as u8 - 1 - square } else { square };
        let board = position.board.rotated().after(mv.kind, mv.from.map(square), square(mv.to), mv.promotes);
        Position { board, side: mv.side.other() }
    }

    #[inline]
    fn each_next(&self, position: &Position, _: &mut Vec<Move>, mut visit: impl FnMut(&Position)) {
        if self.verdict(&position.board).is_none() {
            let side = position.side.other();
            let _ = position.board.rotated().after_moves(&self.rules, |_, &board, _| {
                visit(&Position { board, side });
                ControlFlow::Continue(())
            });
        }
    }

    #[inline]
    fn terminal_value(&self, position: &Position) -> Option<ParityDistance> {
        self.verdict(&position.board).or_else(|| {
            let moved = position.board.rotated().after_moves(&self.rules, |_, _, _| ControlFlow::Break(()));
            moved.is_continue().then_some(ParityDistance::Draw)
        })
    }

    #[inline]
    fn is_terminal(&self, position: &Position) -> bool {
        self.verdict(&position.board).is_some()
    }

    fn canonical(&self, position: &Position) -> Position {
        Position { board: position.board.canonical(), side: position.side }
    }

    #[inline]
    fn rank(&self, position: &Position) -> u64 {
        self.index.rank(&position.board).into()
    }

    fn unrank(&self, key: u64) -> Option<Position> {
        let number = u32::try_from(key).ok().filter(|&number| number < self.index.size())?;
        let board = self.index.unrank(number);
        let canonical = self.index.is_canonical(number, &board);
        canonical.then(|| Position { board: board.canonical(), side: Side::Black })
    }

    fn key_space(&self) -> KeySpace {
        KeySpace { positions: "animal shogi".into(), ranges: self.index.ranges() }
    }
}

impl Notation for AnimalShogi {
    fn parse_notation(&self, text: &str) -> Result<Position, TextError> {
        positions::parse_notation(self, text)
    }

    fn position_text(&self, position: &Position) -> String {
        format!("{:015x}", position.board.key())
    }

    fn parse_move(&self, position: &Position, text: &str) -> Result<Move, TextError> {
        text::parse_legal_move(self, position, text)
    }

    /// Accepts moves even if the opponent's lion can be taken or has reached its last rank. A move that takes this lion
    /// is an error, because no position follows it.
    fn parse_playable_move(&self, position: &Position, text: &str) -> Result<Move, TextError> {
        text::parse_playable_move(self, position, text)
    }

    fn move_text(&self, mv: Move) -> String {
        text::move_text(mv)
    }
}

impl Presentation for AnimalShogi {
    fn family(&self) -> Family {
        Self::FAMILY
    }

    fn settings(&self) -> Vec<(&'static str, String)> {
        self.rules.settings()
    }

    fn end_reason(&self, position: &Position) -> Option<Reason> {
        Some(match self.terminal_value(position)? {
            ParityDistance::Draw => Reason { id: "animal-shogi-no-move", text: "there is no legal move" },
            _ if position.board.takes_lion(&self.rules) => {
                Reason { id: "animal-shogi-lion-taken", text: "the lion can be taken" }
            }
            ParityDistance::Decided(_) => {
                Reason { id: "animal-shogi-last-rank", text: "a lion has reached the last rank" }
            }
        })
    }

    fn marks(&self) -> [&'static str; 2] {
        ["EGLCH", "eglch"]
    }

    fn rule_diagrams(&self) -> Option<String> {
        Some(self.rules.diagrams())
    }

    fn board_text(&self, position: &Position) -> String {
        text::diagram(position)
    }
}
