//! The pyonpyon game with shogi pieces for the kernel of cyclic games: positions from the view of the side to move.

use std::ops::ControlFlow;

use crate::Costs;
use crate::adapter::Adapter;
use crate::retrograde::{Cyclic, End};
use yomikiri_rules::Side;
use yomikiri_rules::games::pyonpyon_shogi::moves::{play, take_back};
use yomikiri_rules::games::pyonpyon_shogi::{Position, PyonpyonShogi};
use yomikiri_rules::{Game, Value};

impl Adapter for PyonpyonShogi {
    fn costs(&self) -> Costs {
        Costs { table: 0.3, work: 0.3, rate: 1e6 }
    }

    /// Returns `None`: positions are relative to the side to move, which can be either side at any ply.
    fn side_at(&self, _: u32) -> Option<Side> {
        None
    }
}

impl Cyclic for PyonpyonShogi {
    type Key = u64;
    type Board = Position;
    type Child = Position;
    type Block = ();

    fn keys(&self) -> u64 {
        self.index.count()
    }

    fn open_keys(&self) -> u64 {
        self.index.count()
    }

    #[inline]
    fn board(&self, key: u64, _: &mut ()) -> Position {
        self.index.placed(key)
    }

    fn position(&self, key: u64) -> Position {
        self.index.placed(key)
    }

    #[inline]
    fn children(&self, board: &Position, mut visit: impl FnMut(&Position, End) -> ControlFlow<()>) -> ControlFlow<()> {
        self.each_move(board, |mv| {
            let child = play(board, mv);
            visit(&child, self.rules.end(&child).map(|value| (value.outcome(), 0)))
        })
    }

    #[inline]
    fn key_of(&self, child: &Position) -> u64 {
        self.rank(child)
    }

    /// Visits decided parents, too.
    #[inline]
    fn parents(&self, board: &Position, mut visit: impl FnMut(u64) -> ControlFlow<()>) -> ControlFlow<()> {
        self.each_unmove(board, |mv| visit(self.rank(&take_back(board, mv))))
    }

    /// Returns false for decided positions, and for keys that no position has. The latter are the spare keys of
    /// placements that are their own mirror images.
    #[inline]
    fn may_arise(&self, key: u64, board: &Position) -> bool {
        self.rules.end(board).is_none() && self.rank(board) == key
    }
}
