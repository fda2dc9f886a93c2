//! Implements [`Game`] for Binarsi.

use super::BinarsiOf;
use super::board::{Position, Rect};
use super::edit;
use super::goal::{End, Goal};
use super::moves::{self, Move};
use super::rules::Rules;
use super::targets::{self, Verdict};
use super::text;
use crate::{Acyclic, Family, Game, KeySpace, Notation, Presentation, Reason, Side, TextError};

impl<V> BinarsiOf<V> {
    /// Returns the end of a finished game, or `None` if the game goes on.
    pub fn end(&self, position: &Position) -> Option<End> {
        let counted = || End::Counted { black: position.stones.count_ones(), white: position.white().count_ones() };
        match targets::verdict(position.targets) {
            Verdict::Won(side) => Some(End::Targets(side)),
            Verdict::Count => Some(counted()),
            Verdict::Open => (!moves::has_move(&self.rules, position)).then(counted),
        }
    }
}

impl<V: Goal> BinarsiOf<V> {
    /// The description of the game in lists of games.
    pub const FAMILY: Family = V::FAMILY;
}

impl<V: Goal> Game for BinarsiOf<V> {
    type Position = Position;
    type Move = Move;
    type Value = V;

    coded_values!();

    fn parse(code: &str) -> Result<Self, TextError> {
        V::parse(code).map(BinarsiOf::new)
    }

    fn code(&self) -> String {
        V::code(&self.rules)
    }

    /// Returns the code of the variant with the smallest start square among this variant and its mirror images.
    fn representative_code(&self) -> String {
        V::code(&self.rules.with_least_start())
    }

    fn start(&self) -> Position {
        Position {
            stones: 0,
            rect: Rect { width: 1, height: 1, file: self.rules.start_file, rank: self.rules.start_rank },
            locks: 0,
            targets: 0,
            clear_plies: [0; 6],
        }
    }

    fn side(&self, position: &Position) -> Side {
        position.side()
    }

    fn ply(&self, position: &Position) -> u32 {
        position.ply()
    }

    fn moves(&self, position: &Position, moves: &mut Vec<Move>) {
        moves::generate(&self.rules, position, moves);
    }

    fn play(&self, position: &Position, mv: Move) -> Position {
        moves::play(&self.rules, position, mv)
    }

    fn terminal_value(&self, position: &Position) -> Option<V> {
        self.end(position).map(|end| V::of_end(&self.rules, end, position.side()))
    }

    fn is_terminal(&self, position: &Position) -> bool {
        targets::verdict(position.targets) != Verdict::Open
    }

    fn points_variant(&self) -> Option<String> {
        V::points_variant(&self.rules)
    }

    fn canonical(&self, position: &Position) -> Position {
        self.keys.canonical(&self.rules, position).0
    }

    fn rank(&self, position: &Position) -> u64 {
        self.keys.canonical(&self.rules, position).1
    }

    fn unrank(&self, key: u64) -> Option<Position> {
        self.keys.position(key).filter(|position| {
            let lying = targets::on_board(&self.rules, position.stones, position.white());
            // Only a move clears a target, so none is cleared at ply 0.
            let is_too_early = position.ply() == 0 && position.targets != 0;
            !is_too_early && lying & !position.targets == 0 && self.rank(position) == key
        })
    }

    fn key_space(&self) -> KeySpace {
        let Rules { files, ranks, .. } = self.rules;
        KeySpace::fixed(format!("Binarsi on {files} files x {ranks} ranks"), self.keys.end())
    }
}

impl<V: Goal> Notation for BinarsiOf<V> {
    fn parse_notation(&self, text: &str) -> Result<Position, TextError> {
        text::parse_notation(self, text)
    }

    fn position_text(&self, position: &Position) -> String {
        text::sfen(&self.rules, position)
    }

    fn parse_move(&self, position: &Position, text: &str) -> Result<Move, TextError> {
        text::parse_legal_move(&self.rules, position, text)
    }

    fn move_text(&self, mv: Move) -> String {
        text::move_text(mv)
    }

    fn edit(&self, position: &Position, text: &str) -> Option<Result<Position, TextError>> {
        text.starts_with('&').then(|| edit::apply(&self.rules, position, text))
    }
}

impl<V: Goal> Presentation for BinarsiOf<V> {
    fn family(&self) -> Family {
        Self::FAMILY
    }

    fn beyond_points(&self) -> Option<&'static str> {
        V::BEYOND_POINTS
    }

    fn settings(&self) -> Vec<(&'static str, String)> {
        V::settings(&self.rules)
    }

    fn end_reason(&self, position: &Position) -> Option<Reason> {
        Some(match targets::verdict(position.targets) {
            Verdict::Won(_) => Reason { id: "binarsi-targets", text: "its three targets are cleared" },
            Verdict::Count => Reason { id: "binarsi-points", text: "all six targets are cleared, so points decide" },
            Verdict::Open if moves::has_move(&self.rules, position) => return None,
            Verdict::Open => Reason { id: "binarsi-no-move", text: "there is no legal move, so points decide" },
        })
    }

    fn points(&self, position: &Position) -> Option<[String; 2]> {
        match self.end(position)? {
            End::Targets(_) => None,
            End::Counted { black, white } => Some(V::points(&self.rules, black, white)),
        }
    }

    fn remark(&self, position: &Position, value: V) -> Option<String> {
        V::remark(value, position.side())
    }

    fn marks(&self) -> [&'static str; 2] {
        ["1", "0"]
    }

    fn board_text(&self, position: &Position) -> String {
        text::board(&self.rules, position)
    }

    fn plies_in_board_text(&self, position: &Position) -> Option<u32> {
        Some(position.ply())
    }
}

impl<V: Goal> Acyclic for BinarsiOf<V> {
    /// Every ply adds a way to the rectangle or locks a way, and each way can be added and locked only once. So no
    /// position has a ply above [`Rules::max_plies`].
    fn plies_left(&self, position: &Position) -> u32 {
        self.rules.max_plies().saturating_sub(position.ply())
    }
}
