//! Binarsi as a `Game`.

use super::Binarsi;
use super::board::{Position, Rect};
use super::edit;
use super::moves::{self, Move};
use super::rules::Rules;
use super::targets::{self, Verdict};
use super::text;
use crate::{Acyclic, Distance, Family, Game, KeySpace, Outcome, Reason, Side, TextError};

impl Binarsi {
    /// Who has won a finished game; `None` while it goes on.
    pub fn winner(&self, position: &Position) -> Option<Side> {
        match targets::verdict(position.targets) {
            Verdict::Won(side) => Some(side),
            Verdict::Count => Some(self.stones_winner(position)),
            Verdict::Open if moves::has_move(&self.rules, position) => None,
            Verdict::Open => Some(self.stones_winner(position)),
        }
    }

    fn stones_winner(&self, position: &Position) -> Side {
        self.rules.stones_winner(position.stones.count_ones(), position.white().count_ones())
    }
}

impl Game for Binarsi {
    type Position = Position;
    type Move = Move;
    type Value = Distance;

    const RULES_REVISION: u32 = 1;

    const FAMILY: Family = Family {
        name: "Binarsi",
        codes: "bin<F>x<R>[-s<square>][-t<3 digits>][-k<b|w><n>.5][-n]",
        prefix: "bin",
        pattern: "bin[0-9]+x[0-9]+(-.*)?",
        example: "bin4x4",
        explanation: &[
            "<F> files 2..7, <R> ranks 2..6; bin7x6 is the standard board",
            "-s<square>        start square, as -s3c",
            "-t<3 digits>      lengths of the short, diagonal and long target, each 2..9, as -t345",
            "-k<b|w><n>.5      who has the komi and how much, as -kb0.5",
            "-n                a modify that leaves the stones unchanged is illegal",
        ],
    };

    fn parse(code: &str) -> Result<Binarsi, TextError> {
        Rules::parse(code).map(Binarsi::new)
    }

    fn code(&self) -> String {
        self.rules.code()
    }

    fn settings(&self) -> Vec<(&'static str, String)> {
        self.rules.settings()
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

    fn terminal_value(&self, position: &Position) -> Option<Distance> {
        let winner = self.winner(position)?;
        Some(Distance::new(if winner == position.side() { Outcome::Win } else { Outcome::Loss }, 0))
    }

    fn is_terminal(&self, position: &Position) -> bool {
        targets::verdict(position.targets) != Verdict::Open
    }

    fn why_over(&self, position: &Position) -> Option<Reason> {
        Some(match targets::verdict(position.targets) {
            Verdict::Won(_) => Reason { id: "binarsi-targets", text: "its three targets are cleared" },
            Verdict::Count => Reason { id: "binarsi-points", text: "all six targets are cleared, so points decide" },
            Verdict::Open if moves::has_move(&self.rules, position) => return None,
            Verdict::Open => Reason { id: "binarsi-no-move", text: "there is no legal move, so points decide" },
        })
    }

    /// Stones, and the komi.
    fn points(&self, position: &Position) -> Option<[String; 2]> {
        let by_targets = matches!(targets::verdict(position.targets), Verdict::Won(_));
        let counted = !by_targets && self.winner(position).is_some();
        let komi = self.rules.komi;
        let points = |side, stones: u32| match komi.side == side {
            true => format!("{}.5", stones + u32::from(komi.whole)),
            false => stones.to_string(),
        };
        let (black, white) = (position.stones.count_ones(), position.white().count_ones());
        counted.then(|| [points(Side::Black, black), points(Side::White, white)])
    }

    fn marks(&self) -> [&'static str; 2] {
        ["1", "0"]
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
            lying & !position.targets == 0 && self.rank(position) == key
        })
    }

    fn key_space(&self) -> KeySpace {
        let Rules { files, ranks, .. } = self.rules;
        KeySpace::fixed(format!("Binarsi on {files} files x {ranks} ranks"), self.keys.end())
    }

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

    fn board_text(&self, position: &Position) -> String {
        text::board(&self.rules, position)
    }
}

impl Acyclic for Binarsi {
    /// Every ply makes the rectangle of stones larger or locks a way.
    fn plies_left(&self, position: &Position) -> u32 {
        self.rules.max_plies().saturating_sub(position.ply())
    }
}
