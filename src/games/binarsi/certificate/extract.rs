//! From a prover's findings to a certificate: from the winner's positions one move that wins, from the loser's all moves.

use std::collections::HashMap;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicU64, Ordering};

use super::{Certificate, move_to_byte};
use crate::game::Game;
use crate::games::binarsi::board::Position;
use crate::games::binarsi::game::Binarsi;
use crate::games::binarsi::kernel::CompactPosition;
use crate::games::binarsi::moves::Move;
use crate::games::binarsi::proof::{Judge, Numbers, Prover, Stopped};
use crate::value::Side;

/// Why there is no certificate.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoCertificate {
    #[error("stopped")]
    Stopped,
    /// A position from which the winner was to win.
    #[error("{0} is not won")]
    NotWon(String),
}

impl From<Stopped> for NoCertificate {
    fn from(_: Stopped) -> NoCertificate {
        NoCertificate::Stopped
    }
}

/// The certificate of a position that the prover knows `winner` to win; what it has forgotten meanwhile it proves again. `go_on` is asked
/// several times a second, with the number of positions listed so far.
pub fn extract(
    prover: &mut Prover,
    position: &Position,
    winner: Side,
    horizon: u32,
    mut go_on: impl FnMut(u64) -> bool,
) -> Result<Certificate, NoCertificate> {
    let game = prover.game().clone();
    let count = AtomicU64::new(0);
    let walk = |judge: Judge| {
        let mut walk = Walk { game: &game, judge, winner, horizon, listed: HashMap::new(), count: &count };
        walk.from(position)?;
        Ok::<_, NoCertificate>(walk.listed)
    };
    let listed = prover.consult(walk, || go_on(count.load(Ordering::Relaxed)))?;
    let mut entries: Vec<(u64, u8)> = listed.into_iter().collect();
    entries.sort_unstable();
    let (keys, moves) = entries.into_iter().unzip();
    Ok(Certificate { game, position: *position, winner, horizon, keys, moves })
}

/// A walk through the winner's choices and all the loser's.
struct Walk<'a> {
    game: &'a Binarsi,
    judge: Judge<'a>,
    winner: Side,
    horizon: u32,
    /// Moves of the winner by keys of its positions.
    listed: HashMap<u64, u8>,
    /// How many, for others to look at.
    count: &'a AtomicU64,
}

impl Walk<'_> {
    fn from(&mut self, position: &Position) -> Result<(), NoCertificate> {
        let field = CompactPosition::from(position);
        match self.decided(&field) {
            Some(winner) if winner != self.winner => Err(self.not_won(&field)),
            Some(_) => Ok(()),
            None if position.side() == self.winner => self.list(&field),
            None => self.answer_all(&field),
        }
    }

    /// Lists a position of the winner and what follows its move.
    fn list(&mut self, field: &CompactPosition) -> Result<(), NoCertificate> {
        if self.is_past_horizon(field) {
            return Ok(());
        }
        let (canonical, key) = self.game.keys.canonical(&self.game.rules, &field.position());
        if self.listed.contains_key(&key) {
            return Ok(());
        }
        self.judge.go_on()?;
        let (mv, after) = self.choice(&CompactPosition::from(&canonical))?;
        self.listed.insert(key, move_to_byte(mv));
        self.count.fetch_add(1, Ordering::Relaxed);
        self.answer_all(&after)
    }

    /// Lists what the winner answers to all moves of the loser.
    fn answer_all(&mut self, field: &CompactPosition) -> Result<(), NoCertificate> {
        if self.is_past_horizon(field) || self.decided(field).is_some() {
            return Ok(());
        }
        for (_, child) in self.children(field) {
            match self.decided(&child) {
                None => self.list(&child)?,
                Some(winner) if winner == self.winner => {}
                Some(_) => return Err(self.not_won(field)),
            }
        }
        Ok(())
    }

    /// A move that wins, with what it leads to.
    fn choice(&mut self, field: &CompactPosition) -> Result<(Move, CompactPosition), NoCertificate> {
        let (ended, open): (Vec<_>, Vec<_>) =
            self.children(field).into_iter().partition(|(_, child)| self.decided(child).is_some());
        if let Some(won) = ended.into_iter().find(|(_, child)| self.decided(child) == Some(self.winner)) {
            return Ok(won);
        }
        if let Some(won) = self.best_remembered(&open) {
            return Ok(won);
        }
        if !self.judge.reads_out(field) {
            self.judge.searches(field, Numbers::ENDLESS.wins)?;
            if let Some(won) = self.best_remembered(&open) {
                return Ok(won);
            }
        }
        self.first_found(&open)?.ok_or_else(|| self.not_won(field))
    }

    /// Of the moves remembered to win the one that asks for the fewest positions more.
    fn best_remembered(&self, open: &[(Move, CompactPosition)]) -> Option<(Move, CompactPosition)> {
        let known = open.iter().filter(|(_, child)| self.judge.remembers(child) == Some(false));
        known.min_by_key(|(_, child)| self.unlisted_replies(child)).copied()
    }

    /// The first move found to win, all being searched by turns, further and further.
    fn first_found(&mut self, open: &[(Move, CompactPosition)]) -> Result<Option<(Move, CompactPosition)>, Stopped> {
        for doubling in 6.. {
            let bound = Numbers::ENDLESS.wins.min(1 << doubling);
            for found in open {
                if self.judge.searches(&found.1, bound)? == Some(false) {
                    return Ok(Some(*found));
                }
            }
            if bound == Numbers::ENDLESS.wins {
                break;
            }
        }
        Ok(None)
    }

    /// How many positions not listed yet the loser can choose from.
    fn unlisted_replies(&self, field: &CompactPosition) -> usize {
        let is_unlisted = |field: &CompactPosition| {
            !self.is_past_horizon(field)
                && self.decided(field).is_none()
                && !self.listed.contains_key(&self.game.key(&field.position()))
        };
        self.children(field).iter().filter(|(_, child)| is_unlisted(child)).count()
    }

    /// The positions after all moves, each with the first move that leads there.
    fn children(&self, field: &CompactPosition) -> Vec<(Move, CompactPosition)> {
        let mut children = Vec::new();
        let _ = self.game.successors.each(field, |successor| {
            children.push((successor.mv, successor.position));
            ControlFlow::<()>::Continue(())
        });
        children
    }

    /// Who has won, if the game is over.
    fn decided(&self, field: &CompactPosition) -> Option<Side> {
        let goes_on = || self.game.successors.each(field, |_| ControlFlow::Break(())).is_break();
        let rules = &self.game.rules;
        field.by_targets(rules).or_else(|| (!goes_on()).then(|| field.counted(rules)))
    }

    fn is_past_horizon(&self, field: &CompactPosition) -> bool {
        self.game.rules.max_plies() - field.ply() <= self.horizon
    }

    fn not_won(&self, field: &CompactPosition) -> NoCertificate {
        NoCertificate::NotWon(self.game.position_text(&field.position()))
    }
}
