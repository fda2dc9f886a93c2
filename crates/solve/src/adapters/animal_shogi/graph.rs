//! Animal shogi for the kernel of cyclic games.

use std::ops::ControlFlow;

use crate::Costs;
use crate::adapter::Adapter;
use crate::retrograde::{Cyclic, End, RunKeys, RunSet};
use yomikiri_rules::games::animal_shogi::AnimalShogi;
use yomikiri_rules::games::animal_shogi::board::{Board, Position};
use yomikiri_rules::games::animal_shogi::index::RotatedBlock;
use yomikiri_rules::games::animal_shogi::runs::{Run, and, is_empty, or, without};
use yomikiri_rules::{Outcome, Side};

impl Adapter for AnimalShogi {
    fn costs(&self) -> Costs {
        Costs { table: 0.36, work: 0.15, rate: 2.4e6 }
    }

    /// Returns `None`: positions are relative to the side to move, which can be either side at any ply.
    fn side_at(&self, _: u32) -> Option<Side> {
        None
    }
}

impl Cyclic for AnimalShogi {
    type Key = u32;
    /// A board from the view of the side that is not to move. The generators of moves and of un-moves both take a board
    /// in this view.
    type Board = Board;
    /// The board after a move, from the view of the side that is then to move.
    type Child = Board;
    type Block = RotatedBlock;

    fn keys(&self) -> u32 {
        self.index.size()
    }

    fn open_keys(&self) -> u32 {
        self.index.open()
    }

    #[inline]
    fn board(&self, key: u32, block: &mut RotatedBlock) -> Board {
        self.index.unrank_rotated(key, block)
    }

    fn position(&self, key: u32) -> Position {
        Position { board: self.index.unrank(key), side: Side::Black }
    }

    #[inline]
    fn children(&self, board: &Board, mut visit: impl FnMut(&Board, End) -> ControlFlow<()>) -> ControlFlow<()> {
        board.after_moves(&self.rules, |_, next, attacked| {
            let over =
                if attacked { Some((Outcome::Win, 1)) } else { next.tried(&self.rules).then_some((Outcome::Loss, 0)) };
            visit(next, over)
        })
    }

    #[inline]
    fn key_of(&self, child: &Board) -> u32 {
        self.index.rank(child)
    }

    #[inline]
    fn parents(&self, board: &Board, mut visit: impl FnMut(u32) -> ControlFlow<()>) -> ControlFlow<()> {
        board.before_moves(&self.rules, self.index.open_lions(), |before| visit(self.index.rank(before)))
    }

    /// Returns true if the position may arise in a game: the side to move does not attack the other lion, and at most
    /// one piece attacks its own lion, the one that has just moved. Returns false for a key that is not canonical.
    #[inline]
    fn may_arise(&self, key: u32, board: &Board) -> bool {
        let attackers = board.own_attackers(&self.rules, board.opponent_lion());
        attackers & attackers.wrapping_sub(1) == 0
            && board.opponent_attackers(&self.rules, board.own_lion()) == 0
            && self.index.is_canonical_rotated(key, board)
    }

    #[inline]
    fn run(&self, key: u32, block: &mut RotatedBlock) -> (u64, u32) {
        self.index.find_block(key, block);
        let (first, count) = block.numbers();
        (first.into(), count)
    }

    fn arising_of_run(&self, first: u64, block: &mut RotatedBlock) -> RunSet {
        let (_, count) = self.run(first as u32, block);
        let run = Run::new(&self.rules, &self.index, block);
        let mut arising = run.possible_children();
        let twofold = run.is_twofold();
        for (ahead, word) in (0..).step_by(64).zip(&mut arising) {
            let keys = u64::from(count).saturating_sub(ahead);
            *word &= if keys < 64 { (1 << keys) - 1 } else { u64::MAX };
        }
        if twofold {
            let open = arising;
            RunKeys { first, set: &open }.each(|key| {
                let board = self.index.unrank_rotated(key as u32, block);
                if !self.index.is_canonical_rotated(key as u32, &board) {
                    arising[(key - first) as usize / 64] &= !(1 << ((key - first) % 64));
                }
            });
        }
        arising
    }

    fn ended_of_run(
        &self,
        RunKeys { set: from, .. }: RunKeys,
        block: &mut RotatedBlock,
        mut found: impl FnMut(&RunSet, (Outcome, u8)),
    ) {
        let (mut lost, mut moved, mut tried) = (*from, RunSet::default(), RunSet::default());
        let run = Run::new(&self.rules, &self.index, block);
        let may_try = run.may_try();
        let _ = run.moves(from, |leap| {
            lost = without(&lost, &leap.goes_on);
            moved = or(&moved, &leap.attacked);
            if leap.tried {
                tried = or(&tried, &leap.goes_on);
            }
            // A move that leaves the own lion safe refutes a loss. The other moves matter only if a try is possible: a
            // move of the lion to the last rank.
            if is_empty(&lost) && !may_try { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        if !is_empty(&tried) {
            found(&tried, (Outcome::Win, 1));
        }
        let mated = and(&lost, &moved);
        if !is_empty(&mated) {
            found(&mated, (Outcome::Loss, 2));
        }
    }

    fn children_of_run(
        &self,
        RunKeys { set: from, .. }: RunKeys,
        block: &mut RotatedBlock,
        mut open: impl FnMut(u64, &RunSet),
        mut over: impl FnMut(u64, &RunSet, (Outcome, u8)),
    ) {
        let _ = Run::new(&self.rules, &self.index, block).moves(from, |leap| {
            let landing = leap.landing();
            let first = landing.first.into();
            if !is_empty(&leap.goes_on) {
                let to = landing.images(&leap.goes_on);
                if leap.tried { over(first, &to, (Outcome::Loss, 0)) } else { open(first, &to) }
            }
            if !is_empty(&leap.attacked) {
                over(first, &landing.images(&leap.attacked), (Outcome::Win, 1));
            }
            ControlFlow::Continue(())
        });
    }

    fn lost_of_run(
        &self,
        RunKeys { set: from, .. }: RunKeys,
        block: &mut RotatedBlock,
        won: impl Fn(u64) -> RunSet,
    ) -> RunSet {
        let mut lost = *from;
        let _ = Run::new(&self.rules, &self.index, block).moves(from, |leap| {
            // A move that leaves the own lion attacked loses anyway, because the other side takes the lion.
            let asked = and(&leap.goes_on, &lost);
            if !is_empty(&asked) {
                let kept = if leap.tried {
                    Default::default()
                } else {
                    let landing = leap.landing();
                    landing.origins(&asked, &won(landing.first.into()))
                };
                lost = without(&lost, &without(&asked, &kept));
            }
            if is_empty(&lost) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        lost
    }

    fn parents_of_run(
        &self,
        RunKeys { set: of, .. }: RunKeys,
        block: &mut RotatedBlock,
        mut visit: impl FnMut(u64, &RunSet),
    ) {
        Run::new(&self.rules, &self.index, block)
            .unmoves(of, |landing, movers| visit(landing.first.into(), &landing.images(movers)));
    }

    /// Returns a win in one ply if a try wins, which is a move of the lion to the last rank. Returns a loss in two
    /// plies if every move leaves the own lion attacked. Returns `None` for any other position. Unlike the default
    /// implementation, this one compares no distances.
    #[inline]
    fn ended_value(&self, board: &Board) -> End {
        let may_try = board.may_try(&self.rules);
        let (mut lost, mut moved, mut tried) = (true, false, false);
        let _ = board.after_moves(&self.rules, |_, next, attacked| {
            moved = true;
            lost &= attacked;
            tried = !attacked && next.tried(&self.rules);
            // A move that leaves the own lion safe refutes a loss. The other moves matter only if a try is possible.
            if tried || (!lost && !may_try) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        if tried {
            return Some((Outcome::Win, 1));
        }
        (lost && moved).then_some((Outcome::Loss, 2))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use yomikiri_rules::Game;

    /// Checks that the functions for runs of keys ([`Cyclic::run`]) agree with the functions for single positions.
    #[test]
    fn runs_are_treated_as_their_positions() {
        let random = fastrand::Rng::with_seed(19).u64(..);
        for code in ["val1n", "val1nT", "8bs1g", "00l10T"] {
            let game = AnimalShogi::parse(code).unwrap();
            // Any set of won positions will do. Most positions are in it, so that some positions lose.
            let won = |key: u64| (key ^ random).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 61 != 0;
            let (mut block, mut counts) = (RotatedBlock::default(), [0; 3]);
            for key in (0..game.open_keys()).step_by(99_991) {
                let (first, count) = game.run(key, &mut block);
                let arising = game.arising_of_run(first, &mut block);
                let (mut lost, mut ended) = (RunSet::default(), Vec::new());
                for place in 0..u64::from(count) {
                    let key = (first + place) as u32;
                    let board = game.board(key, &mut block);
                    let bit = 1 << (place % 64);
                    let may_arise = arising[place as usize / 64] & bit != 0;
                    assert_eq!(may_arise, game.may_arise(key, &board), "{code} {key}");
                    if !may_arise {
                        continue;
                    }
                    counts[0] += 1;
                    ended.extend(game.ended_value(&board).map(|end| (key, end)));
                    let all = game.children(&board, |child, over| {
                        let loses = over.map_or_else(|| won(game.key_of(child).into()), |end| end.0 == Outcome::Win);
                        if loses { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
                    });
                    if all.is_continue() {
                        lost[place as usize / 64] |= bit;
                        counts[1] += 1;
                    }
                }
                let won_of = |first: u64| {
                    let word = |ahead: u64| (0..64).map(|at| u64::from(won(first + ahead + at)) << at).sum();
                    [word(0), word(64), word(128), word(192)]
                };
                assert_eq!(
                    game.lost_of_run(RunKeys { first, set: &arising }, &mut block, won_of),
                    lost,
                    "{code} {first}"
                );
                let mut found = Vec::new();
                game.ended_of_run(RunKeys { first, set: &arising }, &mut block, |set, end| {
                    RunKeys { first, set }.each(|key| found.push((key as u32, end)));
                });
                found.sort_unstable();
                assert_eq!(found, ended, "{code} {first}");
                counts[2] += ended.len();
            }
            assert!(counts.iter().all(|&count| count > 0), "{code} {counts:?}");
        }
    }
}
