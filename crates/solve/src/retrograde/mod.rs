//! Retrograde analysis: cyclic games with dense keys, solved backwards from their ends by distance.
//!
//! `enumerate` finds what can arise, `solve` values it. A position is a bit in a few sets and one byte of value;
//! nothing else is kept. The frontier are the positions decided in `d` plies: predecessors of a loss are won in `d +
//! 1`; predecessors of a win are looked at again, and lost in `d + 1` if all their moves lose. What has no value in the
//! end is a draw.
//!
//! `steps` has the work itself, as pure functions over slices of the keys. `enumerate` and `solve` drive them with
//! threads and shared sets, `run` takes a game from nothing to a table file, `checkpoint` keeps what is known on disk,
//! `log` takes values where memory has no byte a key, `table` is what a table of a cyclic game lists and leaves out,
//! `pack` writes it in the smaller form, `resident` is a table in memory, `entries` all of its positions.

#[cfg(feature = "write")]
mod checkpoint;
mod entries;
mod enumerate;
#[cfg(feature = "write")]
mod log;
mod move_counts;
#[cfg(feature = "write")]
mod pack;
mod resident;
mod run;
mod solve;
pub mod steps;
mod table;

#[cfg(feature = "write")]
pub use checkpoint::PARTS;
pub use entries::{entries, entry_reader};
pub use enumerate::{Reached, enumerate};
pub use move_counts::DenseCounts;
#[cfg(feature = "write")]
pub use pack::pack;
pub use resident::{load, read, resident_values};
#[cfg(feature = "write")]
pub use run::{analyze_dense, solve_all_into_table, solve_into_table};
pub use run::{estimate, estimate_of_all, memory_for, memory_for_all, solve_subgame};
pub use solve::{Analysis, solve, solve_all};
pub use table::{value, values};

use std::fmt::Debug;
use std::ops::ControlFlow;

use yomikiri_rules::{Game, HasDistance, Outcome};

/// A key as wide as the keys of a game need it: `u32` halves what waits for memory, `u64` is wide enough for all.
pub trait DenseKey: Copy + Debug + Default + Eq + Ord + Send + Sync + Into<u64> {
    /// The key of this number. Numbers of keys are below [`Cyclic::keys`], which is a key, so that none is cut off.
    fn of(number: u64) -> Self;
}

impl DenseKey for u32 {
    #[inline(always)]
    fn of(number: u64) -> u32 {
        debug_assert!(u32::try_from(number).is_ok(), "key {number} is wider than the keys of its game");
        number as u32
    }
}

impl DenseKey for u64 {
    #[inline(always)]
    fn of(number: u64) -> u64 {
        number
    }
}

/// How a game has ended: its outcome for the side to move, and the plies to the end; `None` if it goes on.
pub type End = Option<(Outcome, u8)>;

/// A set of keys of a run: bit `i % 64` of word `i / 64` for the `i`-th key.
pub type RunSet = [u64; 4];

/// The first key of a run alone.
const ONE_KEY: RunSet = [1, 0, 0, 0];

/// Calls `visit` with the keys of a run that are in a set, upwards.
#[inline]
pub fn each_key(first: u64, set: &RunSet, mut visit: impl FnMut(u64)) {
    for (first, &word) in (first..).step_by(64).zip(set) {
        let mut rest = word;
        while rest != 0 {
            visit(first + u64::from(rest.trailing_zeros()));
            rest &= rest - 1;
        }
    }
}

/// A set of keys that is asked.
pub trait Members {
    /// Whether a key is in it.
    fn has(&self, key: u64) -> bool;

    /// Those of it among the 256 keys from `first` on; what it says of keys behind a run does not matter.
    fn run(&self, first: u64) -> RunSet;
}

/// A game whose positions can repeat, with keys that are dense.
pub trait Cyclic: Game<Value: HasDistance> {
    /// The width of keys.
    type Key: DenseKey;

    /// A position as the kernel goes on from it, to its children or its parents.
    type Board: Copy + Send + Sync;

    /// A position as a move makes it.
    type Child: Copy;

    /// What is worth keeping from one [`Cyclic::board`] to the next, for keys close to each other.
    type Block: Default;

    /// All keys are below this.
    fn keys(&self) -> Self::Key;

    /// Keys of positions that can arise and are not decided are below this.
    fn open_keys(&self) -> Self::Key;

    /// The position of a key below [`Cyclic::open_keys`].
    fn board(&self, key: Self::Key, block: &mut Self::Block) -> Self::Board;

    /// A position with a key below [`Cyclic::open_keys`], for the plain rules; any of those that symmetries make equal.
    fn position(&self, key: Self::Key) -> Self::Position;

    /// Calls `visit` with each child, and with its end if the game is over there. Stops when `visit` breaks.
    fn children(&self, board: &Self::Board, visit: impl FnMut(&Self::Child, End) -> ControlFlow<()>)
    -> ControlFlow<()>;

    /// The key of a child, decided or not.
    fn key_of(&self, child: &Self::Child) -> Self::Key;

    /// Calls `visit` with keys below [`Cyclic::open_keys`], among them those of all undecided positions that can arise
    /// and have a move to this one, and none that has not.
    fn parents(&self, board: &Self::Board, visit: impl FnMut(Self::Key) -> ControlFlow<()>) -> ControlFlow<()>;

    /// Whether a key below [`Cyclic::open_keys`] belongs to an undecided position that may arise, as far as the
    /// position alone can tell.
    fn may_arise(&self, key: Self::Key, board: &Self::Board) -> bool;

    /// The neighbours of a key whose moves can be made together, at most 256: the first one and how many. The key
    /// alone in games that know no such thing.
    fn run(&self, key: Self::Key, block: &mut Self::Block) -> (u64, u32) {
        let _ = block;
        (key.into(), 1)
    }

    /// The keys of a whole run for which [`Cyclic::may_arise`].
    fn arising_of_run(&self, first: u64, block: &mut Self::Block) -> RunSet {
        let (_, count) = self.run(Self::Key::of(first), block);
        let mut arising = RunSet::default();
        for place in 0..u64::from(count) {
            let key = Self::Key::of(first + place);
            arising[(place / 64) as usize] |= u64::from(self.may_arise(key, &self.board(key, block))) << (place % 64);
        }
        arising
    }

    /// Calls `found` with those of the positions `from` of a run that have an [`Cyclic::ended_value`], and with that.
    fn ended_of_run(
        &self,
        (first, from): (u64, &RunSet),
        block: &mut Self::Block,
        mut found: impl FnMut(&RunSet, (Outcome, u8)),
    ) {
        each_key(first, from, |key| {
            if let Some(end) = self.ended_value(&self.board(Self::Key::of(key), block)) {
                let mut one = RunSet::default();
                one[((key - first) / 64) as usize] = 1 << ((key - first) % 64);
                found(&one, end);
            }
        });
    }

    /// Calls `open` with runs, by their first keys, and the children in them of the positions `from` of a run, for all
    /// undecided ones; `over` with the others and their end. `block` is what [`Cyclic::run`] has left.
    fn children_of_run(
        &self,
        (first, from): (u64, &RunSet),
        block: &mut Self::Block,
        mut open: impl FnMut(u64, &RunSet),
        mut over: impl FnMut(u64, &RunSet, (Outcome, u8)),
    ) {
        each_key(first, from, |key| {
            let _ = self.children(&self.board(Self::Key::of(key), block), |child, end| {
                let key = self.key_of(child).into();
                match end {
                    None => open(key, &ONE_KEY),
                    Some(end) => over(key, &ONE_KEY, end),
                }
                ControlFlow::Continue(())
            });
        });
    }

    /// Those of the positions `from` of a run all of whose moves lead to positions that the other side wins; `won` has
    /// those of a run, by its first key, whose side to move is known to win.
    fn lost_of_run(
        &self,
        (first, from): (u64, &RunSet),
        block: &mut Self::Block,
        won: impl Fn(u64) -> RunSet,
    ) -> RunSet {
        let mut lost = *from;
        each_key(first, from, |key| {
            let all = self.children(&self.board(Self::Key::of(key), block), |child, over| {
                let loses = match over {
                    None => won(self.key_of(child).into())[0] & 1 == 1,
                    Some((outcome, _)) => outcome == Outcome::Win,
                };
                if loses { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
            });
            if all.is_break() {
                lost[(key - first) as usize / 64] &= !(1 << ((key - first) % 64));
            }
        });
        lost
    }

    /// Calls `visit` with runs, by their first keys, and what [`Cyclic::parents`] finds in them for the positions `of`
    /// a run.
    fn parents_of_run(
        &self,
        (first, of): (u64, &RunSet),
        block: &mut Self::Block,
        mut visit: impl FnMut(u64, &RunSet),
    ) {
        each_key(first, of, |key| {
            let _ = self.parents(&self.board(Self::Key::of(key), block), |parent| {
                visit(parent.into(), &ONE_KEY);
                ControlFlow::Continue(())
            });
        });
    }

    /// What the moves that end the game at once say: a win if one of them wins, a loss if there are no others and all
    /// lose. With the plies to the end, one or two.
    fn ended_value(&self, board: &Self::Board) -> End {
        let (mut win, mut loss, mut open) = (None::<u8>, None::<u8>, false);
        let _ = self.children(board, |_, over| {
            match over {
                Some((Outcome::Loss, plies)) => win = Some(win.map_or(plies + 1, |best| best.min(plies + 1))),
                Some((Outcome::Win, plies)) => loss = loss.max(Some(plies + 1)),
                Some((Outcome::Draw, _)) | None => open = true,
            }
            ControlFlow::Continue(())
        });
        let loss = loss.filter(|_| !open).map(|plies| (Outcome::Loss, plies));
        win.map(|plies| (Outcome::Win, plies)).or(loss)
    }
}

/// What the rules say of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The game is over, with this outcome for the side to move.
    Over(Outcome),
    /// The greatest worth of a move.
    Best(u8),
}

/// A game of which all positions are wanted, whether or not they can arise from the start: every key is a position's.
pub trait Complete: Cyclic {
    /// What all parts of an audit share.
    type Ways: Sync;

    /// All positions in which the game is over, with their outcome for the side to move.
    fn ends(&self) -> Vec<(Self::Key, Outcome)>;

    /// Number of parts of the keys: all children of whoever has a child in a part are in it.
    fn parts(&self) -> u32;

    /// Calls `found` with the keys of all predecessors of positions in a part, those in `frontier` that are in `won`,
    /// whose moves all lead to such as are in `won`. Decided ones may be among them.
    fn lost_before(&self, part: u32, frontier: &impl Members, won: &impl Members, found: impl FnMut(Self::Key));

    /// Calls `found` with the keys of all predecessors of positions in a part, those in `frontier` that are not in
    /// `won`. Decided ones may be among them.
    fn won_before(&self, part: u32, frontier: &impl Members, won: &impl Members, found: impl FnMut(Self::Key));

    /// What [`Complete::check_part`] takes, found once.
    fn ways(&self) -> Self::Ways;

    /// Calls `check` with each position whose moves lead to a part: its key and what the rules say of it. Every
    /// position is one of a part, once. `bytes` has a byte for each key, `worth` tells what a move to a position with
    /// such a byte is worth.
    fn check_part(
        &self,
        ways: &Self::Ways,
        part: u32,
        bytes: &[u8],
        worth: &[u8; 256],
        check: impl FnMut(Self::Key, Verdict),
    );
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use yomikiri_rules::games::pyonpyon::Pyonpyon;

    /// Games without runs of their own: sets of neighbours are taken apart.
    #[test]
    fn what_is_asked_of_many_is_asked_of_each() {
        let game = Pyonpyon::parse("pyon3x3").unwrap();
        let (mut block, first) = (Default::default(), 100);
        let from: RunSet = [0x0123_4567_89ab_cdef, 0, 1 << 63 | 1, 0xff00];
        assert_eq!(game.run(100, &mut block), (100, 1));
        let (mut children, mut parents, mut ends) = (BTreeSet::new(), BTreeSet::new(), Vec::new());
        let (mut lost, won) = (RunSet::default(), |key: u64| !key.is_multiple_of(5));
        each_key(first, &from, |key| {
            let board = game.board(key as u32, &mut Default::default());
            let (mut all, mut mine) = (true, Vec::new());
            let _ = game.children(&board, |child, over| {
                let child = u64::from(game.key_of(child));
                all &= over.map_or(won(child), |(outcome, _)| outcome == Outcome::Win);
                mine.push((child, over));
                ControlFlow::Continue(())
            });
            children.extend(mine);
            lost[(key - first) as usize / 64] |= u64::from(all) << ((key - first) % 64);
            let _ = game.parents(&board, |parent| {
                parents.insert(u64::from(parent));
                ControlFlow::Continue(())
            });
            ends.extend(game.ended_value(&board).map(|end| (key, end)));
        });
        let found = std::cell::RefCell::new(BTreeSet::new());
        let note = |child: u64, set: &RunSet, over: End| {
            each_key(child, set, |key| _ = found.borrow_mut().insert((key, over)));
        };
        game.children_of_run(
            (first, &from),
            &mut block,
            |child, set| note(child, set, None),
            |child, set, end| note(child, set, Some(end)),
        );
        assert_eq!(found.into_inner(), children);
        let asked = |key: u64| [u64::from(won(key)), 0, 0, 0];
        assert_eq!(game.lost_of_run((first, &from), &mut block, asked), lost);
        let mut found = BTreeSet::new();
        game.parents_of_run((first, &from), &mut block, |parent, set| {
            each_key(parent, set, |key| _ = found.insert(key));
        });
        assert_eq!(found, parents);
        let mut found = Vec::new();
        game.ended_of_run((first, &from), &mut block, |set, end| each_key(first, set, |key| found.push((key, end))));
        assert_eq!(found, ends);
        let board = game.board(100, &mut block);
        assert_eq!(game.arising_of_run(first, &mut block), [u64::from(game.may_arise(100, &board)), 0, 0, 0]);
    }
}
