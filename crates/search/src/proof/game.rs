//! The interface between df-pn and a game.

use std::ops::ControlFlow;

use super::numbers::ProofNumbers;
use yomikiri_rules::{Acyclic, Game, Notation, Side};

/// A move of a [`ProofGame`], in the representation of its rules.
pub type Move<P> = <<P as ProofGame>::Rules as Game>::Move;

/// A position of a [`ProofGame`], in the representation of its rules.
pub type FullPosition<P> = <<P as ProofGame>::Rules as Game>::Position;

/// A function that a search calls from time to time with the number of nodes so far. It returns true to stop the
/// search.
pub type StopFn<'a> = &'a mut dyn FnMut(u64) -> bool;

/// A game as df-pn sees it: one side wins, the other loses, and no position repeats.
///
/// The required items state the rules of the game. The provided methods are hooks for knowledge of the game that
/// shortens proofs. They are monomorphised, so a hook that a game does not override costs nothing.
pub trait ProofGame: Send + Sync {
    /// The rules of the game, as the rest of the program uses them.
    type Rules: Acyclic + Notation;

    /// The compact position that the search works on.
    type Position: Copy + Send + Sync;

    /// The solver of positions near the end, which uses no proof numbers. [`DepthFirst`] works for every game.
    type Endgame: SolveEndgame<Self>;

    /// The default for the greatest number of plies left ([`ProofGame::plies_left`]) at which [`ProofGame::Endgame`]
    /// solves a position. [`super::Prover::set_endgame_plies`] sets another number.
    const ENDGAME_PLIES: u32 = 0;

    /// The rules of the game.
    fn rules(&self) -> &Self::Rules;

    /// The side for which a draw counts as a win, or `None` if the game has no draws.
    fn draws(&self) -> Option<Side> {
        None
    }

    /// Converts a position of the rules to the compact form.
    fn compact(&self, position: &FullPosition<Self>) -> Self::Position;

    /// Like [`ProofGame::compact`], with `mover` to move. The canonical form of a position does not show the side to
    /// move in every game (reversi); where it does, `mover` must be that side.
    fn compact_of_mover(&self, position: &FullPosition<Self>, mover: Side) -> Self::Position {
        let compact = self.compact(position);
        debug_assert_eq!(self.side(&compact), mover);
        compact
    }

    /// Converts a compact position to a position of the rules. State that serves only display can be missing.
    fn full(&self, position: &Self::Position) -> FullPosition<Self>;

    /// Returns the side to move.
    fn side(&self, position: &Self::Position) -> Side;

    /// Returns the ply of a position, as in [`Game::ply`].
    fn ply(&self, position: &Self::Position) -> u32;

    /// Returns an upper bound on the number of plies left, as in [`Acyclic::plies_left`].
    fn plies_left(&self, position: &Self::Position) -> u32;

    /// Returns the winner if the position shows, without its legal moves, that the game is over. Otherwise returns
    /// `None`.
    fn terminal_value(&self, position: &Self::Position) -> Option<Side>;

    /// Returns the winner of a position that has no legal move and for which [`ProofGame::terminal_value`] returns
    /// `None`.
    fn stuck_value(&self, position: &Self::Position) -> Side;

    /// Calls `visit` with each move and the position after it, until `visit` breaks. The position must have no
    /// [`ProofGame::terminal_value`]. Moves come in notation order. If several moves lead to the same position, all but
    /// the first may be left out.
    fn successors(
        &self,
        position: &Self::Position,
        visit: impl FnMut(Move<Self>, Self::Position) -> ControlFlow<()>,
    ) -> ControlFlow<()>;

    /// Returns the winner if the game is over, else `None`.
    fn winner(&self, position: &Self::Position) -> Option<Side> {
        let goes_on = || self.successors(position, |_, _| ControlFlow::Break(())).is_break();
        self.terminal_value(position).or_else(|| (!goes_on()).then(|| self.stuck_value(position)))
    }

    /// Returns the canonical form of a position under the symmetries of the game. The side to move stays the same.
    fn canonical(&self, position: &Self::Position) -> Self::Position;

    /// Replaces the parts of a position that can no longer change the winner with fixed values, so that more positions
    /// share a key. The default changes nothing.
    fn reduced(&self, position: &Self::Position) -> Self::Position {
        *position
    }

    /// Returns the transposition table key of a position that has no [`ProofGame::terminal_value`]. The caller has
    /// applied [`ProofGame::reduced`]. Positions with the same key have the same winner. `u64::MAX` is never a key.
    fn proof_key(&self, reduced: &Self::Position) -> u64;

    /// Returns the side to move in the position of a key, or `None` if the key does not determine it.
    fn side_of_key(&self, _key: u64) -> Option<Side> {
        None
    }

    /// Returns true only if `attacker` cannot win a position within this number of plies. If it returns false, the
    /// question is open. The position has no [`ProofGame::terminal_value`].
    #[inline]
    fn is_out_of_time(&self, _position: &Self::Position, _attacker: Side, _plies: u32) -> bool {
        false
    }

    /// Returns the dominance class of a key. Only keys of the same class are compared by
    /// [`ProofGame::is_as_good_for_black`]. Keys of the same class share a bucket of the table.
    #[inline]
    fn dominance_class(key: u64) -> u64 {
        key
    }

    /// Returns true only if Black wins the position of `first` whenever Black wins that of `second`. Both keys are of
    /// the same [`ProofGame::dominance_class`].
    #[inline]
    fn is_as_good_for_black(first: u64, second: u64) -> bool {
        first == second
    }

    /// Returns the initial proof numbers of a leaf. The caller has applied [`ProofGame::reduced`].
    /// [`ProofGame::Endgame`] solves positions with at most `_endgame_plies` plies left.
    #[inline]
    fn prior(&self, _normal: &Self::Position, _endgame_plies: u32) -> ProofNumbers {
        ProofNumbers::UNIT
    }

    /// Learns from a position that the search has solved. The caller has applied [`ProofGame::reduced`]. All threads
    /// call this.
    #[inline]
    fn learn(&self, _normal: &Self::Position, _winner: Side) {}

    /// Creates an endgame solver for one thread.
    fn endgame(&self) -> Self::Endgame;
}

/// Solves positions exactly, without proof numbers.
pub trait SolveEndgame<P: ProofGame + ?Sized> {
    /// Returns true if the side to move wins a position, false if it loses, or `None` if `stop` stopped the search. The
    /// position must have no [`ProofGame::terminal_value`].
    fn wins(&mut self, game: &P, position: &P::Position, stop: StopFn) -> Option<bool>;

    /// Returns true if `attacker` wins a position within this number of plies, or `None` if `stop` stopped the search.
    /// The position must have no [`ProofGame::terminal_value`].
    fn wins_within(
        &mut self,
        game: &P,
        position: &P::Position,
        attacker: Side,
        plies: u32,
        stop: StopFn,
    ) -> Option<bool>;

    /// The number of nodes searched so far.
    fn nodes(&self) -> u64;
}

/// A depth-first search of all moves without a table.
#[derive(Default)]
pub struct DepthFirst {
    nodes: u64,
}

/// The number of nodes between two calls of [`StopFn`].
const STOP_INTERVAL: u64 = 1 << 10;

impl<P: ProofGame> SolveEndgame<P> for DepthFirst {
    fn wins(&mut self, game: &P, position: &P::Position, stop: StopFn) -> Option<bool> {
        self.wins_within(game, position, game.side(position), u32::MAX, stop)
    }

    fn wins_within(
        &mut self,
        game: &P,
        position: &P::Position,
        attacker: Side,
        plies: u32,
        stop: StopFn,
    ) -> Option<bool> {
        self.nodes += 1;
        if self.nodes.is_multiple_of(STOP_INTERVAL) && stop(self.nodes) {
            return None;
        }
        let attacks = game.side(position) == attacker;
        let (mut stuck, mut stopped) = (true, false);
        let found = game.successors(position, |_, child| {
            stuck = false;
            let wins = match (plies, game.terminal_value(&child)) {
                (0, _) => return ControlFlow::Break(()),
                (_, Some(winner)) => winner == attacker,
                (_, None) => self.wins_within(game, &child, attacker, plies - 1, stop).unwrap_or_else(|| {
                    stopped = true;
                    attacks
                }),
            };
            if wins == attacks { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        match (stopped, stuck, plies) {
            (true, ..) => None,
            (_, true, _) => Some(game.stuck_value(position) == attacker),
            (_, false, 0) => Some(false),
            (_, false, _) => Some(found.is_break() == attacks),
        }
    }

    fn nodes(&self) -> u64 {
        self.nodes
    }
}
