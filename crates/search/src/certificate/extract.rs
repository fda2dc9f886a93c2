//! Extracts a certificate from a prover's table. The extraction follows one winning move in each position with the
//! winner to move, and all moves of the loser.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicU64, Ordering};

use foldhash::{HashMap, HashMapExt};

use super::{Certificate, CertificateGame, Claim, IsKnown};
use crate::proof::{FullPosition, Move, ProofGame, ProofNumbers, Prover, Solver, Stopped};
use yomikiri_rules::{Game, Notation, Side};

/// The reason why there is no certificate.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ExtractError {
    /// The search was told to stop.
    #[error("stopped")]
    Stopped,
    /// The claimed winner does not win this position.
    #[error("{0} is not won by the claimed winner")]
    NotWon(String),
}

impl From<Stopped> for ExtractError {
    fn from(_: Stopped) -> ExtractError {
        ExtractError::Stopped
    }
}

/// Extracts the certificate of a position that `winner` wins. Positions that are no longer in the table are searched
/// again. `go_on` is called several times a second with the number of positions listed so far. If it returns false, the
/// result is [`ExtractError::Stopped`].
pub fn extract<P: ProofGame<Rules: CertificateGame>>(
    prover: &mut Prover<P>,
    position: &FullPosition<P>,
    winner: Side,
    horizon: u32,
    mut go_on: impl FnMut(u64) -> bool,
) -> Result<Certificate<P::Rules>, ExtractError> {
    let count = AtomicU64::new(0);
    let walk = |mut solver: Solver<P>| extract_by(&mut solver, &[*position], winner, horizon, &|_| false, &count);
    prover.with_solver(walk, &mut || go_on(count.load(Ordering::Relaxed)))
}

/// Extracts one certificate for all `positions` with one solver. There must be at least one position; the claim is
/// about the first. A position that several of `positions` lead to is listed once. Leaves out positions for whose keys
/// `known` returns true. Adds 1 to `count` for each position listed.
pub fn extract_by<P: ProofGame<Rules: CertificateGame>>(
    solver: &mut Solver<P>,
    positions: &[FullPosition<P>],
    winner: Side,
    horizon: u32,
    known: IsKnown<'_>,
    count: &AtomicU64,
) -> Result<Certificate<P::Rules>, ExtractError> {
    let game = solver.game();
    let mut walk = Walk { game, solver, winner, horizon, known, listed: HashMap::new(), count };
    for position in positions {
        walk.from(&game.compact(position))?;
    }
    let mut entries: Vec<(u64, u8)> = walk.listed.into_iter().collect();
    entries.sort_unstable();
    let (keys, moves) = entries.into_iter().unzip();
    let claim = Claim { game: game.rules().clone(), position: positions[0], winner, draws: game.draws(), horizon };
    Ok(Certificate { claim, keys, moves })
}

/// A move with the position after it.
type Child<P> = (Move<P>, <P as ProofGame>::Position);

/// A walk through a proof, along one move of the winner and all moves of the loser.
struct Walk<'a, 'p, P: ProofGame> {
    game: &'p P,
    solver: &'a mut Solver<'p, P>,
    winner: Side,
    horizon: u32,
    known: IsKnown<'a>,
    /// The byte of the winner's move in each listed position, by the key of the position.
    listed: HashMap<u64, u8>,
    /// The number of positions listed, for the thread that reports progress.
    count: &'a AtomicU64,
}

impl<P: ProofGame<Rules: CertificateGame>> Walk<'_, '_, P> {
    fn from(&mut self, root: &P::Position) -> Result<(), ExtractError> {
        match self.game.winner(root) {
            Some(winner) if winner != self.winner => Err(self.not_won(root)),
            Some(_) => Ok(()),
            None if self.game.side(root) == self.winner => self.list(root),
            None => self.answer_all(root),
        }
    }

    /// Lists a position with the winner to move, and all such positions that can follow its listed move.
    fn list(&mut self, position: &P::Position) -> Result<(), ExtractError> {
        if self.is_past_horizon(position) {
            return Ok(());
        }
        let key = self.key(position);
        if self.is_listed(key) {
            return Ok(());
        }
        self.solver.check_stopped()?;
        let canonical = self.game.canonical(position);
        let (mv, after) = self.choose(&canonical)?;
        self.listed.insert(key, self.byte(&canonical, mv));
        self.count.fetch_add(1, Ordering::Relaxed);
        self.answer_all(&after)
    }

    /// Lists the winner's answers to all moves of the loser, who is to move in the position.
    fn answer_all(&mut self, position: &P::Position) -> Result<(), ExtractError> {
        if self.is_past_horizon(position) || self.game.winner(position).is_some() {
            return Ok(());
        }
        // The checker leaves out positions that earlier certificates prove, so the list needs nothing after them.
        if (self.known)(self.key(position)) {
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

    /// Chooses a winning move of a position with the winner to move. Returns the move and the position after it.
    fn choose(&mut self, position: &P::Position) -> Result<Child<P>, ExtractError> {
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

    /// Returns the move with the fewest unlisted replies among the moves that win according to the table. Returns
    /// `None` if the table knows no winning move.
    fn best_in_table(&self, open: &[Child<P>]) -> Option<Child<P>> {
        let found = self.solver.look_up(open.iter().map(|(_, child)| child));
        let mut known = open.iter().zip(found).filter(|(_, found)| *found == Some(false)).map(|(child, _)| child);
        let first = known.next()?;
        // If the positions after the replies are too near the end to be listed, all winning moves are equally good.
        if self.game.plies_left(&first.1) <= self.horizon + 1 {
            return Some(*first);
        }
        let Some(second) = known.next() else { return Some(*first) };
        [first, second].into_iter().chain(known).min_by_key(|(_, child)| self.unlisted_replies(child)).copied()
    }

    /// Searches all moves in turn, with growing thresholds. Returns the first move that is found to win; `None` if none
    /// wins.
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

    /// Returns the number of the loser's replies that lead to unlisted positions.
    fn unlisted_replies(&self, position: &P::Position) -> usize {
        let is_unlisted = |position: &P::Position| {
            !self.is_past_horizon(position)
                && self.game.winner(position).is_none()
                && !self.is_listed(self.key(position))
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

    fn is_listed(&self, key: u64) -> bool {
        self.listed.contains_key(&key) || (self.known)(key)
    }

    /// Returns the key under which the certificate lists a position: its key by the rules.
    fn key(&self, position: &P::Position) -> u64 {
        self.game.rules().rank(&self.game.full(position))
    }

    /// Returns the byte that stands for a legal move in the certificate.
    fn byte(&self, position: &P::Position, mv: Move<P>) -> u8 {
        let (rules, mut moves) = (self.game.rules(), Vec::new());
        rules.moves(&self.game.full(position), &mut moves);
        rules.move_to_byte(
            mv,
            moves.iter().position(|&other| other == mv).expect("each successor is the position after a legal move"),
        )
    }

    fn is_past_horizon(&self, position: &P::Position) -> bool {
        self.game.plies_left(position) <= self.horizon
    }

    fn not_won(&self, position: &P::Position) -> ExtractError {
        ExtractError::NotWon(self.game.rules().position_text(&self.game.full(position)))
    }
}
