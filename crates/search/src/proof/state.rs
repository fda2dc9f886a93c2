//! The progress of a proof.

use std::ops::ControlFlow;

use super::game::{FullPosition, Move, ProofGame};
use super::numbers::ProofNumbers;
use super::prover::{ENDGAME_WORK, Prover};

/// A move of the position to be solved.
#[derive(Clone, Copy, Debug)]
pub struct Candidate<M> {
    /// The move.
    pub mv: M,
    /// The proof numbers of the position after the move, from the view of the side that makes the move.
    pub numbers: ProofNumbers,
}

/// The progress of a proof.
pub struct ProofState<'a, P: ProofGame> {
    /// The proof number and the disproof number of the position to be solved.
    pub numbers: ProofNumbers,
    /// The moves of the position to be solved, in notation order. If several moves lead to positions with the same key
    /// in the table, only the first is listed.
    pub moves: Vec<Candidate<Move<P>>>,
    /// The work so far: one for each expansion, plus a fixed cost for each endgame solved without proof numbers.
    pub work: u64,
    /// The number of endgames solved without proof numbers.
    pub endgames: u64,
    /// The number of nodes in the endgames solved without proof numbers.
    pub endgame_nodes: u64,
    /// The position to be solved.
    pub(super) position: FullPosition<P>,
    pub(super) prover: &'a Prover<P>,
}

impl<P: ProofGame> ProofState<'_, P> {
    /// Creates the state of the proof of a position.
    pub(super) fn new<'a>(prover: &'a Prover<P>, position: &FullPosition<P>) -> ProofState<'a, P> {
        let compact = prover.game.compact(position);
        let moves = candidates(prover, &compact);
        let numbers = numbers(prover, &compact, &moves);
        let [work, endgames, endgame_nodes] = prover.counts();
        ProofState { numbers, moves, work, endgames, endgame_nodes, position: *position, prover }
    }

    /// The rules of the game.
    pub fn rules(&self) -> &P::Rules {
        self.prover.game.rules()
    }

    /// The number of positions expanded.
    pub fn expansions(&self) -> u64 {
        self.work.saturating_sub(ENDGAME_WORK * self.endgames)
    }

    /// The share of the table that is in use, from 0 to 1.
    pub fn fill(&self) -> f64 {
        self.prover.table.fill()
    }

    /// The maximum size of the table in bytes.
    pub fn memory(&self) -> u64 {
        self.prover.table.bytes()
    }

    /// The first move that is known to win, or `None` if no move is known to win.
    pub fn winning_move(&self) -> Option<Move<P>> {
        self.moves.iter().find(|candidate| candidate.numbers.mover_wins() == Some(true)).map(|candidate| candidate.mv)
    }
}

impl<P: ProofGame> Prover<P> {
    /// Returns the progress of the proof of a position.
    pub fn state(&self, position: &FullPosition<P>) -> ProofState<'_, P> {
        ProofState::new(self, position)
    }
}

/// Returns the moves of a position, as in [`ProofState::moves`]; none if the position has a terminal value.
fn candidates<P: ProofGame>(prover: &Prover<P>, position: &P::Position) -> Vec<Candidate<Move<P>>> {
    let game = &prover.game;
    let (mover, mut keys, mut moves) = (game.side(position), Vec::new(), Vec::new());
    if game.terminal_value(position).is_some() {
        return moves;
    }
    let _ = game.successors(position, |mv, child| {
        if let Some(winner) = game.terminal_value(&child) {
            moves.push(Candidate { mv, numbers: ProofNumbers::solved(winner == mover) });
            return ControlFlow::Continue(());
        }
        let reduced = game.reduced(&child);
        let key = game.proof_key(&reduced);
        if !keys.contains(&key) {
            keys.push(key);
            moves.push(Candidate { mv, numbers: prover.numbers(&reduced, key).swapped() });
        }
        ControlFlow::Continue(())
    });
    moves
}

/// Computes the numbers of a position from those of its moves.
fn numbers<P: ProofGame>(prover: &Prover<P>, position: &P::Position, moves: &[Candidate<Move<P>>]) -> ProofNumbers {
    let game = &prover.game;
    let stuck = || moves.is_empty().then(|| game.stuck_value(position));
    match game.terminal_value(position).or_else(stuck) {
        Some(winner) => ProofNumbers::solved(winner == game.side(position)),
        None => {
            let open = moves.iter().map(|candidate| candidate.numbers.swapped()).filter(|numbers| numbers.pn > 0);
            ProofNumbers::of_children(open)
        }
    }
}
