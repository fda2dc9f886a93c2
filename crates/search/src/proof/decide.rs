//! Implements [`Decide`] by proof-number search: one prover answers one question after another.

use std::cell::Cell;

use super::game::{FullPosition, Move, ProofGame};
use super::prover::{ENDGAME_WORK, Prover};
use super::state::ProofState;
use super::within::WithDeadline;
use crate::Result;
use crate::decide::{Decide, DecideProgress, GoOn};
use yomikiri_rules::{Game, HasDistance, Outcome, Side};

/// A prover for many questions. It keeps its table, and what the game has learned, from one question to the next.
pub struct Proofs<P: ProofGame> {
    prover: Prover<P>,
    /// The maximum size in bytes of the second table, which the search for the number of plies to a win uses.
    memory: u64,
}

impl<P: ProofGame> Proofs<P> {
    /// Creates a prover with a table of at most `memory` bytes and with `threads` threads ([`Prover::new`]). Questions
    /// about the number of plies to a win use a second table of the same size.
    pub fn new(game: P, memory: u64, threads: usize) -> Proofs<P> {
        Proofs { prover: Prover::new(game, memory, threads), memory }
    }
}

/// Returns the progress of a proof. `before` is the number of expansions before the question.
fn progress<P: ProofGame>(state: &ProofState<'_, P>, before: u64) -> DecideProgress {
    let refuted = state.moves.iter().filter(|candidate| candidate.numbers.mover_wins() == Some(false)).count();
    let expansions = state.expansions().saturating_sub(before);
    DecideProgress { expansions, refuted, moves: state.moves.len() }
}

/// Returns the number of positions that a prover has expanded for all questions so far.
fn expansions<P: ProofGame>(prover: &Prover<P>) -> u64 {
    let [work, endgames, _] = prover.counts();
    work.saturating_sub(ENDGAME_WORK * endgames)
}

impl<P: ProofGame<Rules: Game<Value: HasDistance>> + Clone> Decide<P::Rules> for Proofs<P> {
    fn winner(&mut self, position: &FullPosition<P>, go_on: GoOn) -> Result<Option<Side>> {
        let before = expansions(&self.prover);
        let winner = self.prover.winner(position, |state| go_on(&progress(state, before)));
        self.prover.take_refused()?;
        Ok(winner)
    }

    fn decide_moves(
        &mut self,
        position: &FullPosition<P>,
        moves: &[Move<P>],
        go_on: GoOn,
        decided: &mut dyn FnMut(usize, Side),
    ) -> Result<()> {
        let before = expansions(&self.prover);
        self.prover.decide_moves(position, moves, &mut |state| go_on(&progress(state, before)), decided);
        Ok(self.prover.take_refused()?)
    }

    fn winning_move(&mut self, position: &FullPosition<P>, go_on: GoOn) -> Result<Option<Move<P>>> {
        let Some(winner) = Decide::winner(self, position, go_on)? else { return Ok(None) };
        let rules = self.prover.game().rules();
        if winner != rules.side(position) {
            return Ok(None);
        }
        if let Some(mv) = self.prover.state(position).winning_move() {
            return Ok(Some(mv));
        }
        // The table has lost the move, or the endgame solver solved the position without storing its moves.
        let (moves, found) = (rules.legal_moves(position), Cell::new(None));
        let mut goes_on = |progress: &DecideProgress| found.get().is_none() && go_on(progress);
        self.decide_moves(position, &moves, &mut goes_on, &mut |at, other| {
            if other == winner && found.get().is_none() {
                found.set(Some(at));
            }
        })?;
        Ok(found.get().map(|at| moves[at]))
    }

    fn value(
        &mut self,
        position: &FullPosition<P>,
        winner: Side,
        go_on: GoOn,
    ) -> Result<Option<<P::Rules as Game>::Value>> {
        let mover = self.prover.game().rules().side(position);
        let game = WithDeadline::new(self.prover.game().clone(), winner, position, 0);
        let threads = if self.prover.uses_calling_thread { 0 } else { self.prover.threads() };
        let mut prover = Prover::new(game, self.memory, threads);
        let plies = prover.plies_to_win(position, 1, |_, state| go_on(&progress(state, 0))).ok();
        prover.take_refused()?;
        // No game is longer than `u16::MAX` plies, so the conversion succeeds.
        let value = |plies| HasDistance::of(Outcome::of_winner(Some(winner), mover), plies);
        Ok(plies.and_then(|plies| u16::try_from(plies).ok()).map(value))
    }
}
