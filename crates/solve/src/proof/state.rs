//! How far a proof is.

use std::ops::ControlFlow;

use super::game::{FullPosition, Move, ProofGame};
use super::numbers::ProofNumbers;
use super::prover::{ENDGAME_WORK, Prover};

/// A move from the position that is to be solved.
#[derive(Clone, Copy, Debug)]
pub struct Candidate<M> {
    pub mv: M,
    /// Of the side that makes the move.
    pub numbers: ProofNumbers,
}

/// How far a proof is.
pub struct State<'a, P: ProofGame> {
    /// Of the position that is to be solved.
    pub numbers: ProofNumbers,
    /// Its moves in the order of the notation, of those that lead to the same position the first.
    pub moves: Vec<Candidate<Move<P>>>,
    /// Work so far: expansions, and endgames solved exactly, which count for some.
    pub work: u64,
    /// Endgames solved exactly, and their nodes.
    pub endgames: u64,
    pub endgame_nodes: u64,
    pub(super) prover: &'a Prover<P>,
}

impl<P: ProofGame> State<'_, P> {
    /// Of a position.
    pub(super) fn new<'a>(prover: &'a Prover<P>, position: &P::Position) -> State<'a, P> {
        let moves = candidates(prover, position);
        let numbers = numbers(prover, position, &moves);
        let [work, endgames, endgame_nodes] = prover.done();
        State { numbers, moves, work, endgames, endgame_nodes, prover }
    }

    pub fn rules(&self) -> &P::Rules {
        self.prover.game.rules()
    }

    /// Positions expanded.
    pub fn expansions(&self) -> u64 {
        self.work.saturating_sub(ENDGAME_WORK * self.endgames)
    }

    /// The share of the table that is in use, from 0 to 1.
    pub fn fill(&self) -> f64 {
        self.prover.table.fill()
    }

    /// Bytes of the table.
    pub fn memory(&self) -> u64 {
        self.prover.table.bytes()
    }

    /// The first move that is known to win.
    pub fn winning_move(&self) -> Option<Move<P>> {
        self.moves.iter().find(|candidate| candidate.numbers.mover_wins() == Some(true)).map(|candidate| candidate.mv)
    }
}

impl<P: ProofGame> Prover<P> {
    /// How far the proof of a position is.
    pub fn state(&self, position: &FullPosition<P>) -> State<'_, P> {
        State::new(self, &self.game.compact(position))
    }
}

/// The distinct moves from a position; none where it has a terminal value.
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
        let normal = game.normal(&child);
        let key = game.proof_key(&normal);
        if !keys.contains(&key) {
            keys.push(key);
            moves.push(Candidate { mv, numbers: prover.numbers(&normal, key).swapped() });
        }
        ControlFlow::Continue(())
    });
    moves
}

/// The numbers of a position by those of its moves.
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
