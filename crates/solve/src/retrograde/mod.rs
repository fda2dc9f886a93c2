//! Cyclic games with dense numbers, solved backwards from the ends in waves of equal distance.
//!
//! `reach` finds what can arise, `waves` values it. A position is a bit in a few sets and one byte of value; nothing
//! else is kept. A wave takes the positions decided in `d` plies: predecessors of a loss are won in
//! `d + 1`; predecessors of a win are looked at again, and lost in `d + 1` if all their moves lose.

mod audit;
mod audit_all;
mod batch;
mod ended;
mod entries;
mod pack;
mod reach;
mod run;
mod table;
mod values;

pub use audit::{all_keys, audit, audit_sample};
pub use audit_all::audit_all;
pub use entries::entry_reader;
pub use reach::{Reached, reach};
#[cfg(feature = "write")]
pub use run::{PARTS, analyze_dense, solve_all_into_table, solve_into_table};
pub use run::{estimate, memory_for, memory_for_all, solve_below};
pub use table::{read, value};
pub use values::{Waves, solve};

use std::ops::ControlFlow;

use yomikiri_rules::game::Game;
use yomikiri_rules::value::{Outcome, Timed};

/// A game whose positions can repeat, with keys that are dense.
pub trait Cyclic: Game<Value: Timed> {
    /// A position as the kernel goes on from it, to its children or its parents.
    type Board: Copy + Send + Sync;

    /// A position as a move makes it.
    type Child: Copy;

    /// What is worth keeping from one [`Cyclic::board`] to the next, for keys close to each other.
    type Block: Default;

    /// All keys are below this.
    fn keys(&self) -> u32;

    /// Keys of positions that can arise and are not decided are below this.
    fn open_keys(&self) -> u32;

    /// The position of a key below [`Cyclic::open_keys`].
    fn board(&self, key: u32, block: &mut Self::Block) -> Self::Board;

    /// A position with a key below [`Cyclic::open_keys`], for the plain rules; any of those that symmetries make equal.
    fn position(&self, key: u32) -> Self::Position;

    /// Calls `visit` with each child, and with its value for the side to move there and the plies to the end if the game is over.
    /// Stops when `visit` breaks.
    fn children(
        &self,
        board: &Self::Board,
        visit: impl FnMut(&Self::Child, Option<(Outcome, u8)>) -> ControlFlow<()>,
    ) -> ControlFlow<()>;

    /// The key of a child, decided or not.
    fn key_of(&self, child: &Self::Child) -> u32;

    /// Calls `visit` with keys below [`Cyclic::open_keys`], among them those of all undecided positions that can arise and
    /// have a move to this one, and none that has not.
    fn parents(&self, board: &Self::Board, visit: impl FnMut(u32) -> ControlFlow<()>) -> ControlFlow<()>;

    /// Whether a key below [`Cyclic::open_keys`] belongs to an undecided position that may arise, as far as the position
    /// alone can tell.
    fn may_arise(&self, key: u32, board: &Self::Board) -> bool;

    /// What the moves that end the game at once say: a win if one of them wins, a loss if there are no others and all
    /// lose. With the plies to the end.
    fn ended_value(&self, board: &Self::Board) -> Option<(Outcome, u8)> {
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
    /// All positions in which the game is over, with their outcome for the side to move.
    fn ends(&self) -> Vec<(u32, Outcome)>;

    /// Number of parts that [`Complete::check_part`] goes through all positions in.
    fn parts(&self) -> u32;

    /// Calls `check` with each position of a part: its key and what the rules say of it. Every position is in one
    /// part, once. `bytes` has a byte for each key, `worth` tells what a move to a position with such a byte is worth.
    fn check_part(&self, part: u32, bytes: &[u8], worth: &[u8; 256], check: impl FnMut(u32, Verdict));
}
