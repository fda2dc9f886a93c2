//! Cyclic games with dense numbers, solved backwards from the ends in waves of equal distance.
//!
//! `reach` finds what can arise, `waves` values it. A position is a bit in a few sets and one byte of value; nothing
//! else is kept. A wave takes the positions decided in `d` plies: predecessors of a loss are won in
//! `d + 1`; predecessors of a win are looked at again, and lost in `d + 1` if all their moves lose.

mod batch;
mod reach;
mod values;

pub use reach::{Reached, reach};
pub use values::{Waves, solve};

use std::ops::ControlFlow;

use crate::game::Game;
use crate::value::Outcome;

/// What a move leads to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Child {
    /// An undecided position, by key.
    Open(u32),
    /// The end: for the side to move there, so many plies from now.
    Over(Outcome, u8),
}

/// A game whose positions can repeat, with keys that are dense.
pub trait Cyclic: Game {
    /// A position as the kernel wants it.
    type Board: Copy + Send + Sync;

    /// Keys of positions that are not decided are below this.
    fn open_keys(&self) -> u32;

    /// The position of a key below [`Cyclic::open_keys`].
    fn board(&self, key: u32) -> Self::Board;

    /// Calls `visit` with what each move leads to; moves may lead to the same. Stops when `visit` breaks.
    fn children(&self, board: &Self::Board, visit: impl FnMut(Child) -> ControlFlow<()>) -> ControlFlow<()>;

    /// Calls `visit` with keys below [`Cyclic::open_keys`], among them those of all undecided positions that can arise and
    /// have a move to this one.
    fn parents(&self, board: &Self::Board, visit: impl FnMut(u32) -> ControlFlow<()>) -> ControlFlow<()>;

    /// What the moves that end the game at once say: a win if one of them wins, a loss if there are no others and all
    /// lose. With the plies to the end.
    fn ended_value(&self, board: &Self::Board) -> Option<(Outcome, u8)> {
        let (mut win, mut loss, mut open) = (None::<u8>, None::<u8>, false);
        let _ = self.children(board, |child| {
            match child {
                Child::Over(Outcome::Loss, plies) => win = Some(win.map_or(plies + 1, |best| best.min(plies + 1))),
                Child::Over(Outcome::Win, plies) => loss = loss.max(Some(plies + 1)),
                Child::Open(_) | Child::Over(Outcome::Draw, _) => open = true,
            }
            ControlFlow::Continue(())
        });
        let loss = loss.filter(|_| !open).map(|plies| (Outcome::Loss, plies));
        win.map(|plies| (Outcome::Win, plies)).or(loss)
    }
}
