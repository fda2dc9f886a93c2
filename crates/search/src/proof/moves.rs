//! The winner after each move of a position.

use std::collections::HashMap;

use super::game::{FullPosition, Move, ProofGame};
use super::numbers::ProofNumbers;
use super::prover::Prover;
use super::state::ProofState;
use yomikiri_rules::{Game, Side};

/// A legal move with the winner after it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Played<M> {
    /// The move.
    pub mv: M,
    /// The winner after the move, or `None` while it is unknown.
    pub winner: Option<Side>,
}

/// A position after a move, with its proof key. Its winner is not known yet.
struct Open<C> {
    key: u64,
    position: C,
}

impl<P: ProofGame> Prover<P> {
    /// Returns the winner after each legal move of a position, in notation order. `go_on` is called several times a
    /// second with the state of the proof. Once `go_on` has returned false, the winners after the remaining moves are
    /// `None`, unless the table knows them. See [`Prover::decide_moves`].
    pub fn winners_of_moves(
        &mut self,
        position: &FullPosition<P>,
        mut go_on: impl FnMut(&ProofState<'_, P>) -> bool,
    ) -> Vec<Played<Move<P>>> {
        let moves = self.game.rules().legal_moves(position);
        let mut winners = vec![None; moves.len()];
        self.decide_moves(position, &moves, &mut go_on, &mut |at, winner| winners[at] = Some(winner));
        moves.into_iter().zip(winners).map(|(mv, winner)| Played { mv, winner }).collect()
    }

    /// Decides the winner after each of `moves`, which are legal moves of a position. Calls `decided` with the index of
    /// a move and the winner after it as soon as the winner is known. The moves that are nearest to a win come first.
    /// Moves that lead to the same position, or to its mirror image, are decided once. The searches share the table, so
    /// the results of one move help with the others.
    ///
    /// `go_on` is called several times a second with the state of the proof. Once `go_on` has returned false, only
    /// moves whose winner the table knows are still decided.
    pub fn decide_moves(
        &mut self,
        position: &FullPosition<P>,
        moves: &[Move<P>],
        go_on: &mut dyn FnMut(&ProofState<'_, P>) -> bool,
        decided: &mut dyn FnMut(usize, Side),
    ) {
        let prover = &*self;
        let rules = prover.game.rules();
        let (mut places, mut open) = (HashMap::<u64, Vec<usize>>::new(), Vec::new());
        for (at, &mv) in moves.iter().enumerate() {
            let position = prover.game.compact(&rules.play(position, mv));
            if let Some(winner) = prover.game.terminal_value(&position) {
                decided(at, winner);
                continue;
            }
            let key = prover.game.proof_key(&prover.game.reduced(&position));
            let with_key = places.entry(key).or_default();
            if with_key.is_empty() {
                open.push(Open { key, position });
            }
            with_key.push(at);
        }
        let mut stopped = false;
        while let Some(at) = prover.nearest(&open) {
            let Open { key, position: child } = open.swap_remove(at);
            let mut winner = prover.known_winner(&child, key);
            if winner.is_none() && !stopped {
                winner = prover.decide(&child, &mut || go_on(&ProofState::new(prover, position)));
                // On the calling thread, a short search ends without having called `go_on`.
                stopped = winner.is_none() || prover.uses_calling_thread && !go_on(&ProofState::new(prover, position));
            }
            if let Some(winner) = winner {
                places[&key].iter().for_each(|&at| decided(at, winner));
            }
        }
    }

    /// Returns the winner of a position, if the table knows it.
    fn known_winner(&self, position: &P::Position, key: u64) -> Option<Side> {
        let mover = self.game.side(position);
        let wins = self.numbers(&self.game.reduced(position), key).mover_wins()?;
        Some(if wins { mover } else { mover.other() })
    }

    /// Returns the index of the position with the least disproof number, in which the side to move is nearest to
    /// losing. Returns `None` if `open` is empty.
    fn nearest(&self, open: &[Open<P::Position>]) -> Option<usize> {
        let distance = |of: &Open<P::Position>| {
            let ProofNumbers { dn, .. } = self.numbers(&self.game.reduced(&of.position), of.key);
            dn
        };
        (0..open.len()).min_by_key(|&at| distance(&open[at]))
    }
}
