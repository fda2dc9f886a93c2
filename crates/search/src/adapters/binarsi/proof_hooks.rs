//! Binarsi for df-pn. Moves come from the move generator for searches. Keys keep only the part of a position that
//! decides the winner. Further hooks are dominance between positions that differ only in their cleared targets, a
//! learned prior (initial proof numbers), and the endgame solver.

use std::ops::ControlFlow;

use super::prior::Prior;
use crate::adapters::binarsi::move_generator::{CompactPosition, EndgameSolver, Successor, Successors};
use crate::proof::{ProofGame, ProofNumbers, SolveEndgame, StopFn};
use yomikiri_rules::Side;
use yomikiri_rules::games::binarsi::board::Position;
use yomikiri_rules::games::binarsi::targets::{self, BLACK_ALL};
use yomikiri_rules::games::binarsi::{Binarsi, Move};

/// The size, in bytes, of the transposition table of each thread's endgame solver. It is small enough for the cache of
/// a processor core. A table a thousand times as large saves one percent of the nodes.
const ENDGAME_BYTES: usize = 1 << 20;

/// One variant of Binarsi, with the weights learned for it.
#[derive(Clone)]
pub struct BinarsiProof {
    rules: Binarsi,
    successors: Successors,
    prior: Prior,
}

impl BinarsiProof {
    /// Creates the game with the weights stored for its board, or with a blank prior if none are stored.
    pub fn new(rules: &Binarsi) -> BinarsiProof {
        BinarsiProof {
            rules: rules.clone(),
            successors: Successors::new(&rules.rules),
            prior: Prior::new(&rules.rules),
        }
    }

    /// Creates the game with a prior that has learned nothing.
    pub fn blank(rules: &Binarsi) -> BinarsiProof {
        BinarsiProof { prior: Prior::blank(&rules.rules), ..BinarsiProof::new(rules) }
    }

    /// The learned weights, in the format of the files in `weights/`.
    pub fn weights(&self) -> Vec<u8> {
        self.prior.pack()
    }
}

impl ProofGame for BinarsiProof {
    type Rules = Binarsi;
    type Position = CompactPosition;
    type Endgame = EndgameSolver;

    const ENDGAME_PLIES: u32 = 7;

    fn rules(&self) -> &Binarsi {
        &self.rules
    }

    fn compact(&self, position: &Position) -> CompactPosition {
        position.into()
    }

    fn full(&self, position: &CompactPosition) -> Position {
        position.position()
    }

    #[inline]
    fn side(&self, position: &CompactPosition) -> Side {
        Side::at_ply(position.ply())
    }

    #[inline]
    fn ply(&self, position: &CompactPosition) -> u32 {
        position.ply()
    }

    #[inline]
    fn plies_left(&self, position: &CompactPosition) -> u32 {
        self.rules.rules.max_plies() - position.ply()
    }

    #[inline]
    fn terminal_value(&self, position: &CompactPosition) -> Option<Side> {
        position.by_targets(&self.rules.rules)
    }

    fn stuck_value(&self, position: &CompactPosition) -> Side {
        position.counted(&self.rules.rules)
    }

    #[inline]
    fn successors(
        &self,
        position: &CompactPosition,
        mut visit: impl FnMut(Move, CompactPosition) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        self.successors.each(position, |Successor { position, mv }| visit(mv, position))
    }

    fn canonical(&self, position: &CompactPosition) -> CompactPosition {
        (&self.rules.keys.canonical(&self.rules.rules, &position.position()).0).into()
    }

    /// Sets all target bits of a side that can no longer clear one of its missing targets. Such a side can win only by
    /// the count, so its other targets do not matter. No other nonterminal position has all three bits of a side set,
    /// because the game ends once a side has cleared its three targets.
    #[inline]
    fn reduced(&self, position: &CompactPosition) -> CompactPosition {
        let attainable = self.successors.lines.attainable(position, targets::ALL);
        CompactPosition { targets: position.targets | targets::ALL & !attainable, ..*position }
    }

    /// Returns the key of the position in tables. Symmetric positions have the same key. Bits 0 to 5 are the cleared
    /// targets.
    #[inline]
    fn proof_key(&self, reduced: &CompactPosition) -> u64 {
        self.rules.keys.canonical(&self.rules.rules, &reduced.position()).1
    }

    fn side_of_key(&self, key: u64) -> Option<Side> {
        self.rules.keys.position(key).map(|position| position.side())
    }

    /// Returns true if `attacker` can no longer clear its targets and the last ply of the longest game is more than
    /// `plies` plies away. The attacker can then win only by the count, which comes after the last ply. Under the
    /// options `-n` and `-m`, stones can be counted earlier, so the function always returns false.
    fn is_out_of_time(&self, position: &CompactPosition, attacker: Side, plies: u32) -> bool {
        let is_cut_short = plies < self.plies_left(position) && !self.rules.rules.illegal_modifies.has_any();
        is_cut_short && self.successors.lines.attainable(position, targets::ALL) & targets::all(attacker) == 0
    }

    /// Returns the key without the bits of the cleared targets.
    #[inline]
    fn dominance_class(key: u64) -> u64 {
        key >> 6
    }

    /// Returns true if Black has cleared at least the same targets in the first position as in the second, and White at
    /// least the same targets in the second position as in the first. From the first position, the same moves then make
    /// Black clear all its targets no later, and White no sooner. If all three bits of a side are set, the side can no
    /// longer clear its targets ([`ProofGame::reduced`]), which is worse for it than any other set.
    #[inline]
    fn is_as_good_for_black(first: u64, second: u64) -> bool {
        let has_all_of = |targets: u64, others: u64| {
            let unattainable = |targets| targets == u64::from(BLACK_ALL);
            unattainable(others) || !unattainable(targets) && targets & others == others
        };
        let [black, white] = [0, 3].map(|shift| [first, second].map(|key| key >> shift & u64::from(BLACK_ALL)));
        has_all_of(black[0], black[1]) && has_all_of(white[1], white[0])
    }

    fn prior(&self, reduced: &CompactPosition, endgame_plies: u32) -> ProofNumbers {
        self.prior.numbers(&self.successors.lines, reduced, endgame_plies)
    }

    fn learn(&self, reduced: &CompactPosition, winner: Side) {
        self.prior.learn(&self.successors.lines, reduced, winner);
    }

    fn endgame(&self) -> EndgameSolver {
        EndgameSolver::new(&self.rules.rules, ENDGAME_BYTES)
    }
}

impl SolveEndgame<BinarsiProof> for EndgameSolver {
    fn wins(&mut self, game: &BinarsiProof, position: &CompactPosition, stop: StopFn) -> Option<bool> {
        EndgameSolver::wins(self, position, game.side(position), game.plies_left(position), stop)
    }

    fn wins_within(
        &mut self,
        _: &BinarsiProof,
        position: &CompactPosition,
        attacker: Side,
        plies: u32,
        stop: StopFn,
    ) -> Option<bool> {
        EndgameSolver::wins(self, position, attacker, plies, stop)
    }

    fn nodes(&self) -> u64 {
        self.nodes
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::*;
    use crate::brute;
    use yomikiri_rules::{Game, Outcome, Value};

    /// Compares all positions of small boards that differ only in their cleared targets.
    #[test]
    fn positions_as_good_as_a_won_one_are_won() {
        let (mut pairs, mut won) = (0, 0);
        for code in ["bin3x3", "bin3x3-t222-kb3.5", "bin3x3-t232-n", "bin3x3-m", "bin4x2-t223", "bin2x4-t232"] {
            let game = Binarsi::parse(code).unwrap();
            let hooks = BinarsiProof::new(&game);
            let mut boards: HashMap<u64, Vec<(u64, bool)>> = HashMap::new();
            for (number, value) in brute::solve(&game, &game.start()) {
                let position = game.unrank(number).unwrap();
                if game.terminal_value(&position).is_none() {
                    let key = hooks.proof_key(&hooks.reduced(&hooks.compact(&position)));
                    let black_wins = (value.outcome() == Outcome::Win) == (position.side() == Side::Black);
                    boards.entry(BinarsiProof::dominance_class(key)).or_default().push((key, black_wins));
                }
            }
            for (first, second) in
                boards.values().flat_map(|all| all.iter().flat_map(|a| all.iter().map(move |b| (a, b))))
            {
                if first.0 != second.0 && BinarsiProof::is_as_good_for_black(first.0, second.0) {
                    assert!(first.1 || !second.1, "{first:?} and {second:?} of {code}");
                    pairs += 1;
                    won += u32::from(second.1);
                }
                assert!(first.0 != second.0 || first.1 == second.1, "{first:?} of {code}");
            }
        }
        assert!(pairs > 1000 && won > 100, "{pairs} pairs, {won} won");
    }
}
