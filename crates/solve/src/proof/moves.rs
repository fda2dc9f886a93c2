//! Who wins after each move of a position.

use std::collections::HashMap;

use super::game::{FullPosition, Move, ProofGame};
use super::numbers::ProofNumbers;
use super::prover::Prover;
use super::state::State;
use yomikiri_rules::{Game, Side};

/// A legal move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Played<M> {
    pub mv: M,
    /// Who wins after it; `None` while that is open.
    pub winner: Option<Side>,
}

/// A position after a move of which it is open who wins, with its key.
struct Open<C> {
    key: u64,
    position: C,
}

impl<P: ProofGame> Prover<P> {
    /// Who wins after each legal move of a position, in the order of the notation. Moves that lead to the same
    /// position, or its mirror image, are decided once; what is found out about one move stays in the table for the
    /// others. The moves that are nearest to a win of the side to move come first. `go_on` is called several times a
    /// second with the state of the position; once it has returned false the rest stays open.
    pub fn winners_of_moves(
        &mut self,
        position: &FullPosition<P>,
        mut go_on: impl FnMut(&State<'_, P>) -> bool,
    ) -> Vec<Played<Move<P>>> {
        let (prover, root) = (&*self, self.game.compact(position));
        let rules = prover.game.rules();
        let (mut winners, mut open, mut played) = (HashMap::new(), Vec::new(), Vec::new());
        for mv in rules.legal_moves(position) {
            let position = prover.game.compact(&rules.play(position, mv));
            let end = prover.game.terminal_value(&position);
            let key = end.is_none().then(|| prover.game.proof_key(&prover.game.normal(&position)));
            if let Some(key) = key.filter(|key| winners.insert(*key, None).is_none()) {
                open.push(Open { key, position });
            }
            played.push((mv, end, key));
        }
        let mut stopped = false;
        while let Some(at) = prover.nearest(&open) {
            let Open { key, position } = open.swap_remove(at);
            let winner = match prover.known_winner(&position, key) {
                None if !stopped => prover.decide(&position, || go_on(&State::new(prover, &root))),
                known => known,
            };
            stopped |= winner.is_none();
            winners.insert(key, winner);
        }
        let winner = |end: Option<Side>, key: Option<u64>| end.or_else(|| winners[&key?]);
        played.into_iter().map(|(mv, end, key)| Played { mv, winner: winner(end, key) }).collect()
    }

    /// Who wins a position, if the table has it.
    fn known_winner(&self, position: &P::Position, key: u64) -> Option<Side> {
        let mover = self.game.side(position);
        let wins = self.numbers(&self.game.normal(position), key).mover_wins()?;
        Some(if wins { mover } else { mover.other() })
    }

    /// The position that is nearest to a loss of its side to move.
    fn nearest(&self, open: &[Open<P::Position>]) -> Option<usize> {
        let distance = |of: &Open<P::Position>| {
            let ProofNumbers { dn, .. } = self.numbers(&self.game.normal(&of.position), of.key);
            dn
        };
        (0..open.len()).min_by_key(|&at| distance(&open[at]))
    }
}
