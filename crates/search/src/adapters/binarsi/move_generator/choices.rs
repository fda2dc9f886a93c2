//! Evaluates all moves of a way (a file or a rank) together. The contents of a way, black and white stones, are a
//! number of up to seven bits (see [`super::ways`]). So all contents that the moves can leave are a set of numbers. All
//! contents that clear a target are another such set.

use std::ops::ControlFlow;

use arrayvec::ArrayVec;

use super::compact::CompactPosition;
use super::lines::TargetPlaces;
use super::numbers::{NumberSet, Tables, each};
use super::ways::{Inputs, MAX_WAYS, OpenWay, OpenWays};
use yomikiri_rules::Side;
use yomikiri_rules::games::binarsi::rules::Rules;
use yomikiri_rules::games::binarsi::targets;

/// The move generator of a variant for the endgame solver.
#[derive(Clone, Debug)]
pub struct WayMoveGenerator {
    pub rules: Rules,
    pub ways: OpenWays,
    pub lines: TargetPlaces,
    /// The smallest number of black stones with which Black wins the count on a full board.
    needed: u32,
    tables: Box<Tables>,
}

/// For each target, the contents of a way with which the target is cleared, as a set. If an earlier move has cleared
/// the target, the set has all contents.
#[derive(Clone, Copy, Debug)]
pub struct Clears([NumberSet; 6]);

impl Clears {
    /// Returns the contents of the way with which `side` has cleared all its targets, as a set.
    #[inline]
    pub fn all(&self, side: Side) -> NumberSet {
        let Clears([b3, b4, b5, w3, w4, w5]) = self;
        if side == Side::Black { b3 & b4 & b5 } else { w3 & w4 & w5 }
    }

    /// Returns the set of contents that clear a new target of `side`: at least one target that is not in the bit set
    /// `cleared`.
    #[inline]
    pub fn any(&self, cleared: u8, side: Side) -> NumberSet {
        let missing = (0..6).filter(|target| !cleared & targets::all(side) & 1 << target != 0);
        missing.fold(0, |set, target| set | self.0[target])
    }

    /// Returns the targets that are cleared if the way holds `number`, as a bit set.
    #[inline]
    pub fn targets(&self, number: u64) -> u8 {
        let Clears(sets) = self;
        sets.iter().enumerate().fold(0, |found, (target, set)| found | ((set >> number) as u8 & 1) << target)
    }
}

impl WayMoveGenerator {
    pub fn new(rules: &Rules) -> WayMoveGenerator {
        let (lines, all) = (TargetPlaces::new(rules), u32::from(rules.files) * u32::from(rules.ranks));
        let needed = (0..=all).find(|&black| rules.stones_winner(black, all - black) == Side::Black);
        WayMoveGenerator {
            rules: *rules,
            ways: OpenWays::new(rules),
            needed: needed.unwrap_or(all + 1),
            tables: Box::new(Tables::new(&lines)),
            lines,
        }
    }

    /// Returns the set of contents that a way can have after a legal move.
    #[inline]
    pub fn results(&self, position: &CompactPosition, way: &OpenWay, inputs: Inputs) -> NumberSet {
        let Tables { one, shifted, .. } = &*self.tables;
        let Inputs { first, second, own, length } = inputs;
        let one = |number: u64| one[number as usize];
        let full = (1 << length) - 1;
        let mut set = 0;
        if let (Some(a), Some(b)) = (first, second) {
            let (and, or, xor) = (a & b, a | b, a ^ b);
            set = one(and) | one(or) | one(xor) | one(full ^ and) | one(full ^ or) | one(full ^ xor);
        }
        let Some(own) = own else { return set | first.map_or(0, |nearest| one(full ^ nearest)) };
        let not = |neighbour: Option<u64>| neighbour.map_or(0, |number| one(full ^ number));
        set |= shifted[length as usize][own as usize] | not(first) | not(second);
        set & !self.ways.illegal(position, way, own)
    }

    /// Returns, for each target, the contents of a way that clear the target, as a set. The set is full if the target
    /// is already cleared. It is empty if the target is neither cleared nor in `attainable`.
    #[inline]
    fn clears(&self, position: &CompactPosition, attainable: u8, way: &OpenWay, length: u32) -> Clears {
        // Unrolled by hand, so that the code is specialised for each target.
        Clears([
            self.clears_if_attainable(position, attainable, way, length, 0),
            self.clears_if_attainable(position, attainable, way, length, 1),
            self.clears_if_attainable(position, attainable, way, length, 2),
            self.clears_if_attainable(position, attainable, way, length, 3),
            self.clears_if_attainable(position, attainable, way, length, 4),
            self.clears_if_attainable(position, attainable, way, length, 5),
        ])
    }

    #[inline(always)]
    fn clears_if_attainable(
        &self,
        position: &CompactPosition,
        attainable: u8,
        way: &OpenWay,
        length: u32,
        target: usize,
    ) -> NumberSet {
        match (position.targets >> target & 1, attainable >> target & 1) {
            (1, _) => !0,
            (_, 0) => 0,
            _ => self.clears_target(position, way, length, target),
        }
    }

    /// Returns the contents of the way with which `side` has cleared all its targets, as a set. The set is right only
    /// for contents that are also in `results`: it can wrongly include others.
    #[inline]
    pub fn clears_all(
        &self,
        position: &CompactPosition,
        attainable: u8,
        way: &OpenWay,
        length: u32,
        side: Side,
        results: NumberSet,
    ) -> NumberSet {
        if attainable & targets::all(side) == 0 {
            return 0;
        }
        let (mut missing, mut set) = (!position.targets & targets::all(side), !0);
        while missing != 0 && set & results != 0 {
            set &= self.clears_one(position, way, length, missing.trailing_zeros() as usize);
            missing &= missing - 1;
        }
        set
    }

    /// Does the same as [`WayMoveGenerator::clears_target`], without code that is specialised for each target.
    #[inline(never)]
    fn clears_one(&self, position: &CompactPosition, way: &OpenWay, length: u32, target: usize) -> NumberSet {
        self.clears_target(position, way, length, target)
    }

    /// Returns the set of contents of a way that clear `target`.
    #[inline(always)]
    fn clears_target(&self, position: &CompactPosition, way: &OpenWay, length: u32, target: usize) -> NumberSet {
        if along(target) == Some(way.is_rank()) {
            return self.tables.rows[usize::from(way.is_rank())][length as usize][target];
        }
        let own = if target < 3 { position.stones } else { position.white() };
        let bits = way.number_of(self.lines.covered(target, own | way.squares)) as usize;
        if target < 3 { self.tables.meets[bits] } else { self.tables.lacks[bits] }
    }

    /// Returns the set of contents of `way` with which `side` has enough stones to win if the board is full after the
    /// move.
    #[inline]
    pub fn counts(&self, position: &CompactPosition, way: &OpenWay, side: Side) -> NumberSet {
        let others = (position.stones & !way.squares).count_ones();
        let black = self.tables.at_least[self.needed.saturating_sub(others).min(8) as usize];
        if side == Side::Black { black } else { !black }
    }
}

/// A way and its moves to nonterminal positions.
#[derive(Clone, Copy, Debug)]
pub struct WayMoves {
    pub way: OpenWay,
    pub clears: Clears,
    /// The set of contents that the way can have after its moves to nonterminal positions.
    pub open: NumberSet,
}

impl WayMoves {
    /// Returns the position after the move that leaves `number` on the way, with its cleared targets updated.
    #[inline]
    pub fn after(&self, position: &CompactPosition, number: u64) -> CompactPosition {
        let after = self.way.after(position, number);
        CompactPosition { targets: after.targets | self.clears.targets(number), ..after }
    }
}

/// The result of looking at all moves in a position that is not decided by targets.
#[derive(Debug)]
pub enum MoveScan {
    /// A move wins at once: by targets, or by the count if both sides then have cleared all their targets.
    Win,
    /// There is no legal move, so the game is over.
    Stuck,
    /// No move wins at once. The moves that [`WayMoveGenerator::scan_moves`] has listed lead to nonterminal positions;
    /// the list can be empty. All other moves lose at once.
    GoOn,
}

impl WayMoveGenerator {
    /// Looks at all moves of `mover`. Fills `options` with the moves that lead to nonterminal positions. `attainable`
    /// is a set of targets: it has the three targets of each side that can still clear all three.
    #[inline]
    pub fn scan_moves(
        &self,
        position: &CompactPosition,
        attainable: u8,
        mover: Side,
        options: &mut ArrayVec<WayMoves, MAX_WAYS>,
    ) -> MoveScan {
        let mut stuck = true;
        let won = self.ways.each(position, |way, inputs| {
            let (results, clears) =
                (self.results(position, &way, inputs), self.clears(position, attainable, &way, inputs.length));
            let [own, other] = [mover, mover.other()].map(|side| clears.all(side));
            let counted = |number| way.after(position, number).counted(&self.rules) == mover;
            if results & own & !other != 0 || each(results & own & other).any(counted) {
                return ControlFlow::Break(());
            }
            stuck &= results == 0;
            options.push(WayMoves { way, clears, open: results & !(own | other) });
            ControlFlow::Continue(())
        });
        match (won.is_break(), stuck) {
            (true, _) => MoveScan::Win,
            (false, true) => MoveScan::Stuck,
            (false, false) => MoveScan::GoOn,
        }
    }
}

/// Returns `Some(true)` if the lines of a target are along ranks, `Some(false)` if they are along files, and `None` for
/// diagonal targets.
#[inline]
fn along(target: usize) -> Option<bool> {
    match target {
        0 | 5 => Some(true),
        2 | 3 => Some(false),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;
    use crate::adapters::binarsi::move_generator::Successors;
    use yomikiri_rules::Game;
    use yomikiri_rules::games::binarsi::Binarsi;

    /// Returns all positions of a random game except the last.
    fn random_game(game: &Binarsi, seed: u64) -> Vec<CompactPosition> {
        let (mut random, mut position, mut moves) = (fastrand::Rng::with_seed(seed), game.start(), Vec::new());
        let mut fields = Vec::new();
        while game.terminal_value(&position).is_none() {
            fields.push(CompactPosition::from(&position));
            game.moves(&position, &mut moves);
            position = game.play(&position, moves[random.usize(..moves.len())]);
        }
        fields
    }

    #[test]
    fn moves_taken_together_are_those_taken_one_by_one() {
        let mut seen = [0; 2];
        for code in [
            "bin7x6",
            "bin7x6-n",
            "bin6x6-kb2.5",
            "bin5x4-t333",
            "bin2x3-t222-n",
            "bin4x5-t999",
            "bin3x2-m",
            "bin6x4-m",
        ] {
            let game = Binarsi::parse(code).unwrap();
            let (choices, successors) = (WayMoveGenerator::new(&game.rules), Successors::new(&game.rules));
            for position in (0..60).flat_map(|seed| random_game(&game, seed)) {
                let (mover, mut open, mut won) = (Side::at_ply(position.ply()), HashSet::new(), false);
                let _ = successors.each(&position, |successor| {
                    match successor.position.by_targets(&game.rules) {
                        Some(winner) => won |= winner == mover,
                        None => assert!(open.insert(successor.position)),
                    }
                    ControlFlow::<()>::Continue(())
                });
                let mut options = ArrayVec::new();
                let survey = choices.scan_moves(&position, targets::ALL, mover, &mut options);
                assert_eq!(matches!(survey, MoveScan::Win), won, "{position:?} of {code}");
                seen[usize::from(won)] += 1;
                if !won {
                    let after = options.iter().flat_map(|of_way| each(of_way.open).map(|n| of_way.after(&position, n)));
                    assert_eq!(after.collect::<HashSet<_>>(), open, "{position:?} of {code}");
                }
            }
        }
        assert!(seen.iter().all(|&count| count > 100), "{seen:?}");
    }
}
