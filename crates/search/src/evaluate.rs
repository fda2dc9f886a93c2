//! Heuristic evaluation of positions, and the other methods that a search for play needs.

use std::ops::ControlFlow;

use yomikiri_rules::{Game, Outcome, Plies, Side};

/// The bound on evaluations: the search for play clamps them to `-LIMIT..=LIMIT`.
pub const LIMIT: i32 = 20_000;

/// An evaluator of a game: a heuristic evaluation, for positions whose exact value is not known. The game itself is its
/// evaluator if the evaluation needs no data beside the rules.
pub trait Evaluate<G: Game>: Send + Sync {
    /// The game whose positions are evaluated.
    fn game(&self) -> &G;

    /// Returns the evaluation for the side to move, in a unit of the game's choice. Values outside `-LIMIT..=LIMIT` are
    /// clamped. Positions that are equal by symmetry get the same evaluation. The default is 0.
    fn evaluate(&self, _position: &G::Position) -> i32 {
        0
    }

    /// Returns the material of a side for the greedy player, such as its number of stones. The default is 0.
    fn material(&self, _position: &G::Position, _side: Side) -> i32 {
        0
    }

    /// Returns the fingerprint of a position: its key in transposition tables. Positions that are equal by symmetry
    /// have the same fingerprint. If keys do not fit 64 bits, different positions can share a fingerprint, but rarely
    /// do.
    fn fingerprint(&self, position: &G::Position) -> u64 {
        self.game().rank(position)
    }

    /// Calls `visit` with legal moves and the positions they lead to, until `visit` breaks. Every child is visited. If
    /// several moves lead to the same child, all but one of them may be skipped.
    fn children(
        &self,
        position: &G::Position,
        visit: &mut dyn FnMut(G::Move, G::Position) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let game = self.game();
        game.legal_moves(position).into_iter().try_for_each(|mv| visit(mv, game.play(position, mv)))
    }

    /// Returns an endgame solver with a table of at most `_bytes` bytes. Returns `None` if the game has none that is
    /// faster than a search by the rules.
    fn endgame_solver(&self, _bytes: usize) -> Option<Box<dyn EndgameSolver<G>>> {
        None
    }
}

/// The evaluator of a game without an evaluation of its own. The evaluation of every position is 0.
pub struct ByRules<G>(pub G);

impl<G: Game> Evaluate<G> for ByRules<G> {
    fn game(&self) -> &G {
        &self.0
    }
}

/// An endgame solver with a table of its own. The game must not be over in positions passed to it.
pub trait EndgameSolver<G: Game>: Send {
    /// Returns the outcome for the side to move, and a number of plies within which the winner can end the game.
    /// Returns `None` if the position is too far from the end to answer in a fraction of a millisecond.
    fn outcome(&mut self, position: &G::Position) -> Option<(Outcome, Plies)>;

    /// Returns a best move and the exact value: the winner ends the game as soon as possible, the loser delays it.
    /// Returns `None` if the position is much too far from the end, or once `stop` returns true. `stop` is called from
    /// time to time with [`EndgameSolver::nodes`]. Another call continues from the results of earlier calls.
    fn solve(&mut self, position: &G::Position, stop: &mut dyn FnMut(u64) -> bool) -> Option<(G::Move, G::Value)>;

    /// The number of nodes searched so far.
    fn nodes(&self) -> u64;
}
