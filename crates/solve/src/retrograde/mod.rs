//! Retrograde analysis: solves cyclic games with dense keys backwards from their ends, in order of distance.
//!
//! `enumerate` finds the positions that can arise, `solve` finds their values. A position takes one bit in each of a
//! few sets, and one byte for its value. The frontier holds the positions whose game ends after `d` plies of best play.
//! Undecided predecessors of a loss are won in `d + 1`. Undecided predecessors of a win are looked at again, and are
//! lost in `d + 1` if all their moves lose. Positions that have no value in the end are draws.
//!
//! `steps` has the algorithm as pure functions over parts of the keys. `enumerate` and `solve` run them on threads
//! with shared sets. `run` takes a game from nothing to a table file, `cost` says what that needs, and `checkpoint`
//! saves its state. `subgame` solves subgames in memory. `log` keeps values in a file if there is not enough memory for
//! a byte per key. `table` defines the positions that a table lists or leaves out, and `pack` writes the smaller form.
//! `read` reads a table into memory, `resident` looks positions up there, and `entries` lists all positions.

#[cfg(feature = "write")]
mod checkpoint;
mod cost;
mod entries;
mod enumerate;
#[cfg(feature = "write")]
mod log;
mod move_counts;
#[cfg(feature = "write")]
mod pack;
mod read;
mod resident;
#[cfg(feature = "write")]
mod run;
mod solve;
pub mod steps;
mod subgame;
mod table;

#[cfg(feature = "write")]
pub use checkpoint::PARTS;
pub use cost::{
    AuditPlan, estimate, estimate_of_all, memory_for, memory_for_all, memory_of_audit, memory_of_audit_of_all,
};
pub use entries::{entries, entry_reader};
pub use enumerate::{Reached, enumerate};
pub use move_counts::DenseCounts;
#[cfg(feature = "write")]
pub use pack::pack;
pub use read::{read, read_ranked};
pub use resident::{load, resident_values};
#[cfg(all(test, feature = "write"))]
pub(crate) use run::write;
#[cfg(feature = "write")]
pub use run::{analyze_dense, solve_all_into_table, solve_into_table};
pub use solve::{Analysis, solve, solve_all};
pub use subgame::solve_subgame;
#[cfg(all(test, feature = "write"))]
pub(crate) use table::DenseBytes;
pub use table::{value, values};

use std::fmt::Debug;
use std::ops::{ControlFlow, Range};

use yomikiri_rules::bits::set_bits;
use yomikiri_rules::{HasDistance, Notation, Outcome};

/// An integer type for keys, as wide as a game needs. `u32` halves the memory of keys that wait in batches; `u64` is
/// wide enough for all games.
pub trait DenseKey: Copy + Debug + Default + Eq + Ord + Send + Sync + Into<u64> {
    /// Converts a number to a key. The number must be below [`Cyclic::keys`], which fits in this type, so no bits are
    /// lost.
    fn of(number: u64) -> Self;
}

impl DenseKey for u32 {
    #[inline(always)]
    fn of(number: u64) -> u32 {
        debug_assert!(u32::try_from(number).is_ok(), "the key {number} needs more than 32 bits");
        number as u32
    }
}

impl DenseKey for u64 {
    #[inline(always)]
    fn of(number: u64) -> u64 {
        number
    }
}

/// The end of a game: its outcome for the side to move, and the number of plies to the end. `None` if the game goes on.
/// A position with an end is *decided* by the rules; any other is *undecided* until it gets a value.
pub type End = Option<(Outcome, u8)>;

/// A set of keys of a run, which is a range of at most 256 consecutive keys ([`Cyclic::run`]). Bit `i % 64` of word `i
/// / 64` stands for the `i`-th key of the run, from 0.
pub type RunSet = [u64; 4];

/// The set that has only the first key of a run of keys.
const ONE_KEY: RunSet = [1, 0, 0, 0];

/// Some keys of a run, which is a range of at most 256 consecutive keys ([`Cyclic::run`]).
#[derive(Clone, Copy, Debug)]
pub struct RunKeys<'a> {
    /// The first key of the run, selected or not.
    pub first: u64,
    /// The set of the selected keys of the run.
    pub set: &'a RunSet,
}

impl RunKeys<'_> {
    /// Calls `visit` with each key, in ascending order.
    #[inline]
    pub fn each(self, mut visit: impl FnMut(u64)) {
        for (first, &word) in (self.first..).step_by(64).zip(self.set) {
            for bit in set_bits(word) {
                visit(first + u64::from(bit));
            }
        }
    }
}

/// A set of keys that can be queried.
pub trait Members {
    /// Returns true if the key is in the set.
    fn has(&self, key: u64) -> bool;

    /// Returns the members among the keys from `first` to `first + 255`. `first` is the first key of a run
    /// ([`Cyclic::run`]); bits for keys after the end of the run may have any value.
    fn run(&self, first: u64) -> RunSet;
}

/// A game whose positions can repeat, with dense keys.
///
/// Each key below [`Cyclic::open_keys`] has a board, from which children and parents are made:
///
/// ```
/// use std::ops::ControlFlow;
///
/// use yomikiri_rules::Game;
/// use yomikiri_rules::games::pyonpyon::Pyonpyon;
/// use yomikiri_solve::retrograde::Cyclic;
///
/// let game = Pyonpyon::parse("pyon2x3")?;
/// let start = game.rank(&game.start()) as u32;
/// assert_eq!(game.rank(&game.position(start)), u64::from(start));
/// let board = game.board(start, &mut Default::default());
/// let mut open = Vec::new();
/// let _ = game.children(&board, |child, end| {
///     open.extend(end.is_none().then(|| game.key_of(child)));
///     ControlFlow::Continue(())
/// });
/// for key in open {
///     let mut is_parent = false;
///     let _ = game.parents(&game.board(key, &mut Default::default()), |parent| {
///         is_parent |= parent == start;
///         ControlFlow::Continue(())
///     });
///     assert!(is_parent);
/// }
/// # Ok::<(), yomikiri_rules::TextError>(())
/// ```
///
/// The methods of runs do the same for up to 256 keys at once:
///
/// ```
/// use yomikiri_rules::Game;
/// use yomikiri_rules::games::pyonpyon::Pyonpyon;
/// use yomikiri_solve::retrograde::Cyclic;
///
/// let game = Pyonpyon::parse("pyon2x3")?;
/// let start = game.rank(&game.start()) as u32;
/// let mut block = Default::default();
/// let (first, count) = game.run(start, &mut block);
/// assert!((first..first + u64::from(count)).contains(&u64::from(start)));
/// let place = (u64::from(start) - first) as usize;
/// assert_eq!(game.arising_of_run(first, &mut block)[place / 64] >> (place % 64) & 1, 1);
/// # Ok::<(), yomikiri_rules::TextError>(())
/// ```
pub trait Cyclic: Notation<Value: HasDistance> {
    /// The type of keys.
    type Key: DenseKey;

    /// A position in the representation from which the kernel makes children and parents.
    type Board: Copy + Send + Sync;

    /// The position after a move, in the representation that move generation gives.
    type Child: Copy;

    /// A cache that the caller passes from one call of [`Cyclic::board`] to the next. It makes a call cheaper if the
    /// key is near the key of the last call.
    type Block: Default;

    /// Returns the exclusive upper bound of all keys.
    fn keys(&self) -> Self::Key;

    /// Returns the exclusive upper bound of the keys of undecided positions that can arise.
    fn open_keys(&self) -> Self::Key;

    /// Returns the position of a key below [`Cyclic::open_keys`].
    fn board(&self, key: Self::Key, block: &mut Self::Block) -> Self::Board;

    /// Returns the position of a key below [`Cyclic::open_keys`], in the representation of the rules. It may be any of
    /// the positions that are equal by symmetry.
    fn position(&self, key: Self::Key) -> Self::Position;

    /// Calls `visit` with each child, and with the child's end if the game is over there. Stops when `visit` returns
    /// `Break`, and then returns `Break`.
    fn children(&self, board: &Self::Board, visit: impl FnMut(&Self::Child, End) -> ControlFlow<()>)
    -> ControlFlow<()>;

    /// Returns the key of a child, decided or not.
    fn key_of(&self, child: &Self::Child) -> Self::Key;

    /// Calls `visit` with the keys of parents: positions that have a move to `board`. All keys are below
    /// [`Cyclic::open_keys`]. They include all undecided parents that can arise.
    fn parents(&self, board: &Self::Board, visit: impl FnMut(Self::Key) -> ControlFlow<()>) -> ControlFlow<()>;

    /// Returns false if the position of a key below [`Cyclic::open_keys`] shows by itself that it is decided or cannot
    /// arise. A position for which this returns true may still be impossible to reach.
    fn may_arise(&self, key: Self::Key, board: &Self::Board) -> bool;

    /// Returns the run of a key, as its first key and its number of keys, at most 256. A run is a range of consecutive
    /// keys whose positions can make their moves together. By default, each key is a run of its own.
    fn run(&self, key: Self::Key, block: &mut Self::Block) -> (u64, u32) {
        let _ = block;
        (key.into(), 1)
    }

    /// Returns the keys of the run that begins at `first` for which [`Cyclic::may_arise`] returns true.
    fn arising_of_run(&self, first: u64, block: &mut Self::Block) -> RunSet {
        let (_, count) = self.run(Self::Key::of(first), block);
        let mut arising = RunSet::default();
        for place in 0..u64::from(count) {
            let key = Self::Key::of(first + place);
            arising[(place / 64) as usize] |= u64::from(self.may_arise(key, &self.board(key, block))) << (place % 64);
        }
        arising
    }

    /// Returns the keys of a range for which [`Cyclic::may_arise`] returns true, as bits from the lowest on. The range
    /// has at most 64 keys. Returns `None` if the game cannot find these keys faster than by
    /// [`Cyclic::arising_of_run`].
    fn arising_among(&self, keys: Range<u64>, block: &mut Self::Block) -> Option<u64> {
        let _ = (keys, block);
        None
    }

    /// Groups the positions `from`, keys of one run ([`Cyclic::run`]), by their [`Cyclic::ended_value`]. Calls `found`
    /// with each group and its value. Several groups may have the same value. Positions without such a value are in no
    /// group.
    fn ended_of_run(&self, from: RunKeys, block: &mut Self::Block, mut found: impl FnMut(&RunSet, (Outcome, u8))) {
        from.each(|key| {
            if let Some(end) = self.ended_value(&self.board(Self::Key::of(key), block)) {
                let mut one = RunSet::default();
                let place = key - from.first;
                one[(place / 64) as usize] = 1 << (place % 64);
                found(&one, end);
            }
        });
    }

    /// Makes the moves of the positions `from`, keys of one run ([`Cyclic::run`]). Calls `open` with sets of undecided
    /// children: each call gets the first key of a run, and a set of keys of that run. Calls `over` with such sets of
    /// decided children, and with the end that all positions of the set have. `block` must be as [`Cyclic::run`] left
    /// it.
    fn children_of_run(
        &self,
        from: RunKeys,
        block: &mut Self::Block,
        mut open: impl FnMut(u64, &RunSet),
        mut over: impl FnMut(u64, &RunSet, (Outcome, u8)),
    ) {
        from.each(|key| {
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

    /// Returns the lost positions among `from`, keys of one run ([`Cyclic::run`]). A position is lost if all its moves
    /// lead to positions that the other side wins. `won` takes the first key of a run, and returns the positions of
    /// that run whose side to move is known to win.
    fn lost_of_run(&self, from: RunKeys, block: &mut Self::Block, won: impl Fn(u64) -> RunSet) -> RunSet {
        let mut lost = *from.set;
        from.each(|key| {
            let all = self.children(&self.board(Self::Key::of(key), block), |child, over| {
                let loses = match over {
                    None => won(self.key_of(child).into())[0] & 1 == 1,
                    Some((outcome, _)) => outcome == Outcome::Win,
                };
                if loses { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
            });
            if all.is_break() {
                let place = key - from.first;
                lost[(place / 64) as usize] &= !(1 << (place % 64));
            }
        });
        lost
    }

    /// Finds the parents ([`Cyclic::parents`]) of the positions `of`, keys of one run ([`Cyclic::run`]). Each call of
    /// `visit` gets the first key of a run, and a set of parents within that run.
    fn parents_of_run(&self, of: RunKeys, block: &mut Self::Block, mut visit: impl FnMut(u64, &RunSet)) {
        of.each(|key| {
            let _ = self.parents(&self.board(Self::Key::of(key), block), |parent| {
                visit(parent.into(), &ONE_KEY);
                ControlFlow::Continue(())
            });
        });
    }

    /// Returns the value of a position if it follows from moves to decided positions ([`End`]) alone: a win if one of
    /// these moves wins, or a loss if all moves lead to decided positions and lose. The number of plies to the end is
    /// one or two. Returns `None` for any other position.
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

/// The verdict of the rules on a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The game is over, with this outcome for the side to move.
    Over(Outcome),
    /// The game goes on. The field is the grade of the best move: the greatest byte of its moves in the argument
    /// `worth` of [`Complete::check_part`].
    Best(u8),
}

/// A game that is solved for all positions, whether or not they can arise from the start. Every key belongs to a
/// position.
pub trait Complete: Cyclic {
    /// The data that the audits of all parts share.
    type AuditData: Sync;

    /// Returns the keys of all terminal positions, each with its outcome for the side to move.
    fn ends(&self) -> Vec<(Self::Key, Outcome)>;

    /// Returns the number of parts into which the keys are divided. All children of a position are in the same part.
    fn parts(&self) -> u32;

    /// Calls `found` with the keys of the lost predecessors of won positions. The won positions are the keys of the
    /// part that are in both `frontier` and `won`. A predecessor is lost if all its moves lead to positions in `won`.
    /// The keys found may include positions that already have a value.
    fn lost_before(&self, part: u32, frontier: &impl Members, won: &impl Members, found: impl FnMut(Self::Key));

    /// Calls `found` with the keys of all predecessors of lost positions. The lost positions are the keys of the part
    /// that are in `frontier` but not in `won`. The keys found may include positions that already have a value.
    fn won_before(&self, part: u32, frontier: &impl Members, won: &impl Members, found: impl FnMut(Self::Key));

    /// Makes the data that [`Complete::check_part`] takes, once for all parts.
    fn audit_data(&self) -> Self::AuditData;

    /// Calls `check` with the key and the verdict of each position whose moves lead to a part. All parts together give
    /// every position exactly once. `bytes` has the table byte of each key. `worth` has the grade of a move, larger for
    /// a better move, indexed by the table byte of the position after it.
    fn check_part(
        &self,
        data: &Self::AuditData,
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
    use yomikiri_rules::Game;
    use yomikiri_rules::games::pyonpyon::Pyonpyon;

    /// The default methods handle the positions of a set one at a time.
    #[test]
    fn what_is_asked_of_many_is_asked_of_each() {
        let game = Pyonpyon::parse("pyon3x3").unwrap();
        let (mut block, first) = (Default::default(), 100);
        let from: RunSet = [0x0123_4567_89ab_cdef, 0, 1 << 63 | 1, 0xff00];
        assert_eq!(game.run(100, &mut block), (100, 1));
        let (mut children, mut parents, mut ends) = (BTreeSet::new(), BTreeSet::new(), Vec::new());
        let (mut lost, won) = (RunSet::default(), |key: u64| !key.is_multiple_of(5));
        RunKeys { first, set: &from }.each(|key| {
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
            RunKeys { first: child, set }.each(|key| _ = found.borrow_mut().insert((key, over)));
        };
        game.children_of_run(
            RunKeys { first, set: &from },
            &mut block,
            |child, set| note(child, set, None),
            |child, set, end| note(child, set, Some(end)),
        );
        assert_eq!(found.into_inner(), children);
        let asked = |key: u64| [u64::from(won(key)), 0, 0, 0];
        assert_eq!(game.lost_of_run(RunKeys { first, set: &from }, &mut block, asked), lost);
        let mut found = BTreeSet::new();
        game.parents_of_run(RunKeys { first, set: &from }, &mut block, |parent, set| {
            RunKeys { first: parent, set }.each(|key| _ = found.insert(key));
        });
        assert_eq!(found, parents);
        let mut found = Vec::new();
        game.ended_of_run(RunKeys { first, set: &from }, &mut block, |set, end| {
            RunKeys { first, set }.each(|key| found.push((key, end)));
        });
        assert_eq!(found, ends);
        let board = game.board(100, &mut block);
        assert_eq!(game.arising_of_run(first, &mut block), [u64::from(game.may_arise(100, &board)), 0, 0, 0]);
    }
}
