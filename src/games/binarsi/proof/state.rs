//! How far a proof is.

use std::ops::ControlFlow;

use super::place;
use super::prover::{Numbers, Prover};
use super::search;
use crate::games::binarsi::kernel::{CompactPosition, Successor};
use crate::games::binarsi::moves::Move;
use crate::value::Side;

/// A move from the position that is to be decided.
#[derive(Clone, Copy, Debug)]
pub struct Candidate {
    pub mv: Move,
    /// Of the side that makes the move.
    pub numbers: Numbers,
}

/// How far a proof is.
#[derive(Clone)]
pub struct State<'a> {
    /// Of the position that is to be decided.
    pub numbers: Numbers,
    /// Its moves in their usual order, of those that lead to the same place the first.
    pub moves: Vec<Candidate>,
    /// Positions expanded, those read out counting for some.
    pub work: u64,
    /// Positions read out, and positions looked at for that.
    pub readings: u64,
    pub read: u64,
    pub(super) prover: &'a Prover,
}

impl State<'_> {
    pub(super) fn new<'a>(prover: &'a Prover, field: &CompactPosition) -> State<'a> {
        let moves = candidates(prover, field);
        let numbers = numbers(prover, field, &moves);
        let [work, readings, read] = prover.done();
        State { numbers, moves, work, readings, read, prover }
    }

    /// Positions expanded.
    pub fn expansions(&self) -> u64 {
        self.work.saturating_sub(search::READING * self.readings)
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
    pub fn winning_move(&self) -> Option<Move> {
        self.moves.iter().find(|candidate| candidate.numbers.decided() == Some(true)).map(|candidate| candidate.mv)
    }
}

/// The distinct moves from a position; none where it is decided by targets.
fn candidates(prover: &Prover, field: &CompactPosition) -> Vec<Candidate> {
    let rules = &prover.game.rules;
    let (mover, mut keys, mut moves) = (Side::at_ply(field.ply()), Vec::new(), Vec::new());
    if field.by_targets(rules).is_some() {
        return moves;
    }
    let _ = prover.game.successors.each(field, |Successor { position: field, mv, .. }| {
        if let Some(winner) = field.by_targets(rules) {
            moves.push(Candidate { mv, numbers: Numbers::of_winner(winner == mover) });
            return ControlFlow::<()>::Continue(());
        }
        let normal = place::normal(&prover.game, &field);
        let key = place::key_of_normal(&prover.game, &normal);
        if !keys.contains(&key) {
            keys.push(key);
            let numbers = prover.numbers(&normal, key);
            moves.push(Candidate { mv, numbers: numbers.turned() });
        }
        ControlFlow::Continue(())
    });
    moves
}

/// The numbers of a position by those of its moves.
fn numbers(prover: &Prover, field: &CompactPosition, moves: &[Candidate]) -> Numbers {
    let mover = Side::at_ply(field.ply());
    let rules = &prover.game.rules;
    let stuck = || moves.is_empty().then(|| field.counted(rules));
    match field.by_targets(rules).or_else(stuck) {
        Some(winner) => Numbers::of_winner(winner == mover),
        None => {
            let open = moves.iter().map(|candidate| candidate.numbers.turned()).filter(|numbers| numbers.wins > 0);
            search::of_moves(open)
        }
    }
}
