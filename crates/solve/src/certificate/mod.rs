//! Certificates of who wins: a move of the winner in every position that can arise with it to move, whatever the
//! loser plays.
//!
//! Positions near the end are left out, those with at most `horizon` plies left
//! ([`yomikiri_rules::Acyclic::plies_left`]): anybody can solve them. `extract` makes a certificate from a
//! prover, `check` plays all of it by the rules, which is the proof (`endgame` solves what is left out), `strategy`
//! plays by it, `file` is the file, and `game` what it asks of a game; docs/format.md has the layout.

mod check;
mod endgame;
#[cfg(feature = "write")]
mod extract;
mod file;
mod game;
mod strategy;

pub use check::{Fault, Refutation, Report, check};
#[cfg(feature = "write")]
pub use extract::{NoCertificate, extract};
pub use file::rules_of;
pub use game::CertificateGame;
pub use strategy::open_strategy;

use yomikiri_rules::Side;

/// Plies before the end from which on a certificate may leave positions to be read out.
pub const MOST_HORIZON: u32 = 24;

/// Who wins from a position, and how.
#[derive(Clone, Debug)]
pub struct Certificate<G: CertificateGame> {
    pub game: G,
    /// The position that is won, and who wins it.
    pub position: G::Position,
    pub winner: Side,
    /// The side for which draws count; `None` if the game has none. If it is the winner, all that is proved is that
    /// it can get a draw.
    pub draws: Option<Side>,
    /// Positions with at most so many plies left are not listed.
    pub horizon: u32,
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

    /// Where a key is listed, and the byte of its move.
    fn listed(&self, key: u64) -> Option<(usize, u8)> {
        let at = self.keys.binary_search(&key).ok()?;
        Some((at, self.moves[at]))
    }

    /// The winner's move in a position in which it is to move; `None` if none is listed. A move is listed for the
    /// canonical form of the position: this is the one that corresponds to it.
    pub fn winning_move(&self, position: &G::Position) -> Option<G::Move> {
        let (_, byte) = self.listed(self.game.rank(position))?;
        let (canonical, mut moves) = (self.game.canonical(position), Vec::new());
        self.game.moves(&canonical, &mut moves);
        let listed = game::move_of(&self.game, &moves, byte)?;
        let goal = self.game.rank(&self.game.play(&canonical, listed));
        self.game.moves(position, &mut moves);
        moves.into_iter().find(|&mv| self.game.rank(&self.game.play(position, mv)) == goal)
    }

    /// Whether draws count for the winner.
    fn draws_win(&self) -> bool {
        self.draws == Some(self.winner)
    }
}
