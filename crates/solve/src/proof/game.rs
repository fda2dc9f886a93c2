//! What df-pn asks of a game.

use std::ops::ControlFlow;

use super::numbers::ProofNumbers;
use yomikiri_rules::{Acyclic, Game, Side};

/// A move of the rules of a [`ProofGame`].
pub type Move<P> = <<P as ProofGame>::Rules as Game>::Move;

/// A position of these rules.
pub type FullPosition<P> = <<P as ProofGame>::Rules as Game>::Position;

/// Called now and then with the number of nodes; true stops the search.
pub type Stop<'a> = &'a mut dyn FnMut(u64) -> bool;

/// The rules of a game as df-pn has them: each side wins or loses, and no position comes up twice.
///
/// What has no default is the game; what has one is knowledge about it that makes proofs shorter. All of it is
/// monomorphised, so what a game leaves out costs nothing.
pub trait ProofGame: Send + Sync {
    /// The rules as everybody else has them.
    type Rules: Acyclic;

    /// A position in the form that the search handles.
    type Position: Copy + Send + Sync;

    /// What solves positions near the end without proof numbers; [`DepthFirst`] does for every game.
    type Endgame: SolveEndgame<Self>;

    /// Positions with at most so many plies left ([`ProofGame::plies_left`]) are solved by [`ProofGame::Endgame`],
    /// unless the prover is told otherwise.
    const ENDGAME_PLIES: u32 = 0;

    fn rules(&self) -> &Self::Rules;

    /// The side for which draws count; `None` if the game has none.
    fn draws(&self) -> Option<Side> {
        None
    }

    fn compact(&self, position: &FullPosition<Self>) -> Self::Position;

    /// The inverse of [`ProofGame::compact`], but for what is only remembered for display.
    fn full(&self, position: &Self::Position) -> FullPosition<Self>;

    fn side(&self, position: &Self::Position) -> Side;

    /// As [`Game::ply`].
    fn ply(&self, position: &Self::Position) -> u32;

    /// As [`Acyclic::plies_left`].
    fn plies_left(&self, position: &Self::Position) -> u32;

    /// Who has won, if the game was over before the side to move looked for moves.
    fn terminal_value(&self, position: &Self::Position) -> Option<Side>;

    /// Who has won where [`ProofGame::terminal_value`] is `None` and there is no legal move.
    fn stuck_value(&self, position: &Self::Position) -> Side;

    /// Visits the positions after all moves from a position without [`ProofGame::terminal_value`], until told to
    /// stop. Moves come in the order of the notation; of moves that lead to the same position all but the first can
    /// be left out.
    fn successors(
        &self,
        position: &Self::Position,
        visit: impl FnMut(Move<Self>, Self::Position) -> ControlFlow<()>,
    ) -> ControlFlow<()>;

    /// Who has won, if the game is over.
    fn winner(&self, position: &Self::Position) -> Option<Side> {
        let goes_on = || self.successors(position, |_, _| ControlFlow::Break(())).is_break();
        self.terminal_value(position).or_else(|| (!goes_on()).then(|| self.stuck_value(position)))
    }

    /// The representative of all positions that the symmetries of the game make equal, with the same side to move.
    fn canonical(&self, position: &Self::Position) -> Self::Position;

    /// Clears what has no influence any more on who wins, so that more positions share a key.
    fn normal(&self, position: &Self::Position) -> Self::Position {
        *position
    }

    /// The key in the transposition table of a position that [`ProofGame::normal`] has returned and that has no
    /// [`ProofGame::terminal_value`]. Positions with the same key have the same winner. Never `u64::MAX`.
    fn proof_key(&self, normal: &Self::Position) -> u64;

    /// The side to move in the position of a key; `None` if the key does not tell.
    fn side_of_key(&self, _key: u64) -> Option<Side> {
        None
    }

    /// Whether a side surely does not win a position without [`ProofGame::terminal_value`] within so many plies.
    #[inline]
    fn is_out_of_time(&self, _position: &Self::Position, _attacker: Side, _plies: u32) -> bool {
        false
    }

    /// What the keys have in common of positions that may dominate each other; they share a bucket of the table.
    #[inline]
    fn dominance_class(key: u64) -> u64 {
        key
    }

    /// Whether Black wins the position of the first key if it wins that of the second. The keys have the same class.
    #[inline]
    fn is_as_good_for_black(first: u64, second: u64) -> bool {
        first == second
    }

    /// The numbers of a leaf, after [`ProofGame::normal`], if positions with `endgame_plies` left are solved exactly.
    #[inline]
    fn prior(&self, _normal: &Self::Position, _endgame_plies: u32) -> ProofNumbers {
        ProofNumbers::UNIT
    }

    /// Told of every position solved, after [`ProofGame::normal`], by any thread.
    #[inline]
    fn learn(&self, _normal: &Self::Position, _winner: Side) {}

    /// An endgame solver for one thread.
    fn endgame(&self) -> Self::Endgame;
}

/// Solves positions of a game exactly, without proof numbers.
pub trait SolveEndgame<P: ProofGame + ?Sized> {
    /// Whether the side to move wins a position without [`ProofGame::terminal_value`]; `None` if told to stop.
    fn wins(&mut self, game: &P, position: &P::Position, stop: Stop) -> Option<bool>;

    /// Whether `attacker` wins a position without [`ProofGame::terminal_value`] within so many plies; `None` if told to
    /// stop.
    fn wins_within(&mut self, game: &P, position: &P::Position, attacker: Side, plies: u32, stop: Stop)
    -> Option<bool>;

    /// Nodes so far.
    fn nodes(&self) -> u64;
}

/// Depth-first search of all moves, without a table.
#[derive(Default)]
pub struct DepthFirst {
    nodes: u64,
}

/// Nodes between two calls of [`Stop`].
const STOP_INTERVAL: u64 = 1 << 10;

impl<P: ProofGame> SolveEndgame<P> for DepthFirst {
    fn wins(&mut self, game: &P, position: &P::Position, stop: Stop) -> Option<bool> {
        self.wins_within(game, position, game.side(position), u32::MAX, stop)
    }

    fn wins_within(
        &mut self,
        game: &P,
        position: &P::Position,
        attacker: Side,
        plies: u32,
        stop: Stop,
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
