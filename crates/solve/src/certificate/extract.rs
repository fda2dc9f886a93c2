//! From a prover's table to a certificate: at the winner's positions one move that wins, at the loser's all moves.

use std::collections::HashMap;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicU64, Ordering};

use super::{Certificate, CertificateGame, Claim};
use crate::proof::{FullPosition, Move, ProofGame, ProofNumbers, Prover, Solver, Stopped};
use yomikiri_rules::{Game, Side};

/// Why there is no certificate.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoCertificate {
    #[error("stopped")]
    Stopped,
    /// A position that the winner was to win.
    #[error("{0} is not won")]
    NotWon(String),
}

impl From<Stopped> for NoCertificate {
    fn from(_: Stopped) -> NoCertificate {
        NoCertificate::Stopped
    }
}

/// The certificate of a position that `winner` wins by the prover; what is not in its table any more is searched
/// again. `go_on` is called several times a second with the number of positions listed so far; if it returns false,
/// that is an error.
pub fn extract<P: ProofGame<Rules: CertificateGame>>(
    prover: &mut Prover<P>,
    position: &FullPosition<P>,
    winner: Side,
    horizon: u32,
    mut go_on: impl FnMut(u64) -> bool,
) -> Result<Certificate<P::Rules>, NoCertificate> {
    let (game, draws) = (prover.game().rules().clone(), prover.game().draws());
    let count = AtomicU64::new(0);
    let walk = |solver: Solver<P>| {
        let root = solver.game().compact(position);
        let mut walk = Walk { game: solver.game(), solver, winner, horizon, listed: HashMap::new(), count: &count };
        walk.from(&root)?;
        Ok::<_, NoCertificate>(walk.listed)
    };
    let listed = prover.with_solver(walk, || go_on(count.load(Ordering::Relaxed)))?;
    let mut entries: Vec<(u64, u8)> = listed.into_iter().collect();
    entries.sort_unstable();
    let (keys, moves) = entries.into_iter().unzip();
    Ok(Certificate { claim: Claim { game, position: *position, winner, draws, horizon }, keys, moves })
}

/// A move with the position after it.
type Child<P> = (Move<P>, <P as ProofGame>::Position);

/// A walk along one move of the winner and all moves of the loser.
struct Walk<'a, P: ProofGame> {
    game: &'a P,
    solver: Solver<'a, P>,
    winner: Side,
    horizon: u32,
    /// Moves of the winner by keys of its positions.
    listed: HashMap<u64, u8>,
    /// How many, for the thread that watches.
    count: &'a AtomicU64,
}

impl<P: ProofGame<Rules: CertificateGame>> Walk<'_, P> {
    fn from(&mut self, root: &P::Position) -> Result<(), NoCertificate> {
        match self.game.winner(root) {
            Some(winner) if winner != self.winner => Err(self.not_won(root)),
            Some(_) => Ok(()),
            None if self.game.side(root) == self.winner => self.list(root),
            None => self.answer_all(root),
        }
    }

    /// Lists a position of the winner, and what can follow its move.
    fn list(&mut self, position: &P::Position) -> Result<(), NoCertificate> {
        if self.is_past_horizon(position) {
            return Ok(());
        }
        let key = self.key(position);
        if self.listed.contains_key(&key) {
            return Ok(());
        }
        self.solver.go_on()?;
        let canonical = self.game.canonical(position);
        let (mv, after) = self.choose(&canonical)?;
        self.listed.insert(key, self.byte(&canonical, mv));
        self.count.fetch_add(1, Ordering::Relaxed);
        self.answer_all(&after)
    }

    /// Lists the positions after all moves of the loser.
    fn answer_all(&mut self, position: &P::Position) -> Result<(), NoCertificate> {
        if self.is_past_horizon(position) || self.game.winner(position).is_some() {
            return Ok(());
        }
        for (_, child) in self.children(position) {
            match self.game.winner(&child) {
                None => self.list(&child)?,
                Some(winner) if winner == self.winner => {}
                Some(_) => return Err(self.not_won(position)),
            }
        }
        Ok(())
    }

    /// A move that wins, with the position after it.
    fn choose(&mut self, position: &P::Position) -> Result<Child<P>, NoCertificate> {
        let (ended, open): (Vec<_>, Vec<_>) =
            self.children(position).into_iter().partition(|(_, child)| self.game.winner(child).is_some());
        if let Some(won) = ended.into_iter().find(|(_, child)| self.game.winner(child) == Some(self.winner)) {
            return Ok(won);
        }
        if let Some(won) = self.best_in_table(&open) {
            return Ok(won);
        }
        if !self.solver.is_endgame(position) {
            self.solver.search(position, ProofNumbers::INFINITE.pn)?;
            if let Some(won) = self.best_in_table(&open) {
                return Ok(won);
            }
        }
        self.first_found(&open)?.ok_or_else(|| self.not_won(position))
    }

    /// Of the moves that win by the table the one with the fewest replies that are not listed.
    fn best_in_table(&self, open: &[Child<P>]) -> Option<Child<P>> {
        let known = open.iter().filter(|(_, child)| self.solver.look_up(child) == Some(false));
        known.min_by_key(|(_, child)| self.unlisted_replies(child)).copied()
    }

    /// The first move found to win by searches of all of them with growing thresholds.
    fn first_found(&mut self, open: &[Child<P>]) -> Result<Option<Child<P>>, Stopped> {
        for doubling in 6.. {
            let threshold = ProofNumbers::INFINITE.pn.min(1 << doubling);
            for found in open {
                if self.solver.search(&found.1, threshold)? == Some(false) {
                    return Ok(Some(*found));
                }
            }
            if threshold == ProofNumbers::INFINITE.pn {
                break;
            }
        }
        Ok(None)
    }

    /// Replies of the loser to positions that are not listed yet.
    fn unlisted_replies(&self, position: &P::Position) -> usize {
        let is_unlisted = |position: &P::Position| {
            !self.is_past_horizon(position)
                && self.game.winner(position).is_none()
                && !self.listed.contains_key(&self.key(position))
        };
        self.children(position).iter().filter(|(_, child)| is_unlisted(child)).count()
    }

    fn children(&self, position: &P::Position) -> Vec<Child<P>> {
        let mut children = Vec::new();
        let _ = self.game.successors(position, |mv, child| {
            children.push((mv, child));
            ControlFlow::Continue(())
        });
        children
    }

    /// The key in the certificate.
    fn key(&self, position: &P::Position) -> u64 {
        self.game.rules().rank(&self.game.full(position))
    }

    /// The byte of a legal move.
    fn byte(&self, position: &P::Position, mv: Move<P>) -> u8 {
        let (rules, mut moves) = (self.game.rules(), Vec::new());
        rules.moves(&self.game.full(position), &mut moves);
        rules.move_to_byte(mv, moves.iter().position(|&other| other == mv).expect("successors come of legal moves"))
    }

    fn is_past_horizon(&self, position: &P::Position) -> bool {
        self.game.plies_left(position) <= self.horizon
    }

    fn not_won(&self, position: &P::Position) -> NoCertificate {
        NoCertificate::NotWon(self.game.rules().position_text(&self.game.full(position)))
    }
}
