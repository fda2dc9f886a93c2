//! Certificates of who wins: a move of the winner in every position that can arise with it to move, whatever the
//! loser plays.
//!
//! Positions near the end are left out, those with at most `horizon` plies left
//! ([`yomikiri_rules::Acyclic::plies_left`]): anybody can solve them. `extract` makes a certificate from a
//! prover, `check` plays all of it by the rules, which is the proof (`endgame` solves what is left out), `strategy`
//! plays by it, `claim` is what it says, `file` the file and `version1` that of older programs, and `game` what it asks
//! of a game; docs/format.md has the layout.

mod check;
mod claim;
mod endgame;
#[cfg(feature = "write")]
mod extract;
mod file;
mod game;
mod strategy;
mod version1;

pub use check::{Fault, Refutation, Report, check};
pub use claim::Claim;
#[cfg(feature = "write")]
pub use extract::{NoCertificate, extract};
#[cfg(feature = "write")]
pub use file::own;
pub use file::{CertificateFile, rules_of};
pub use game::CertificateGame;
pub use strategy::open_strategy;
pub use version1::rules_of_version1;

/// Plies before the end from which on a certificate may leave positions to be read out.
pub const MOST_HORIZON: u32 = 24;

/// Who wins from a position, and how.
#[derive(Clone, Debug)]
pub struct Certificate<G: CertificateGame> {
    pub claim: Claim<G>,
    /// Keys of the winner's positions, ascending, and the byte of a move for each.
    keys: Vec<u64>,
    moves: Vec<u8>,
}

impl<G: CertificateGame> Certificate<G> {
    /// Number of positions listed.
    pub fn len(&self) -> usize {
        self.keys.len()
    }

    pub fn is_empty(&self) -> bool {
        self.keys.is_empty()
    }

    /// Where a key is listed, and the byte of the move listed for it.
    fn listed(&self, key: u64) -> Option<(usize, u8)> {
        let at = self.keys.binary_search(&key).ok()?;
        Some((at, self.moves[at]))
    }

    /// The winner's move in a position in which it is to move; `None` if none is listed.
    pub fn winning_move(&self, position: &G::Position) -> Option<G::Move> {
        let (_, byte) = self.listed(self.claim.game.rank(position))?;
        self.claim.corresponding_move(position, byte)
    }
}
