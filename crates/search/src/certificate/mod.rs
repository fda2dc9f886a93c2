//! Certificates: proofs of a winner that others can check. A certificate lists one move of the winner for every
//! position that can arise with the winner to move, whatever the loser plays.
//!
//! Positions near the end are left out: those with at most `horizon` plies left
//! ([`yomikiri_rules::Acyclic::plies_left`]), which a short search solves. `extract` makes a certificate from a prover.
//! `check` replays the whole certificate by the rules, which proves the claim; `endgame` solves the positions that are
//! left out. `strategy` plays by a certificate. `claim` is the claim that a certificate proves. `file` is the file
//! format, `version1` the format of older programs, and `game` the trait for games. `any` is for certificates of games
//! that are known only at run time. `known` fills the table of a prover with the positions that a certificate proves.
//! docs/format.md has the layout.

#[cfg(feature = "write")]
mod any;
mod check;
mod claim;
mod endgame;
#[cfg(feature = "write")]
mod extract;
mod file;
mod game;
#[cfg(feature = "write")]
mod known;
mod strategy;
#[cfg(feature = "write")]
mod version1;

#[cfg(feature = "write")]
pub use any::{AnyCertificate, AnyCertificateFile, open};
pub use check::{CertificateFault, CheckedCounts, Refutation, check, check_all};
pub use claim::Claim;
#[cfg(feature = "write")]
pub use extract::{ExtractError, extract, extract_by};
#[cfg(feature = "write")]
pub use file::replaceable;
pub use file::{CertificateFile, rules_of};
pub use game::CertificateGame;
#[cfg(feature = "write")]
pub use known::{KnownError, add_certificate};
pub use strategy::open_strategy;
#[cfg(feature = "write")]
pub use version1::upgrade_version1;

use xxhash_rust::xxh3::xxh3_64;

/// The largest horizon of a certificate. A certificate with horizon `n` does not list positions with at most `n` plies
/// left.
pub const MAX_HORIZON: u32 = 24;

/// A function that returns true for the keys of positions that earlier certificates have proved to be won.
pub type IsKnown<'a> = &'a (dyn Fn(u64) -> bool + Sync);

/// A claim that a side wins a position, with the winning moves.
#[derive(Clone, Debug)]
pub struct Certificate<G: CertificateGame> {
    /// The claim that the certificate proves.
    pub claim: Claim<G>,
    /// The keys of the listed positions in ascending order. `moves` has the byte of the winner's move for each of them.
    keys: Vec<u64>,
    moves: Vec<u8>,
}

impl<G: CertificateGame> Certificate<G> {
    /// The number of positions listed.
    pub fn len(&self) -> usize {
        self.keys.len()
    }

    /// Returns true if no position is listed.
    pub fn is_empty(&self) -> bool {
        self.keys.is_empty()
    }

    /// The XXH3-64 hash of the list: all keys, with 8 bytes each, little endian, then the move bytes in the same order.
    pub fn list_hash(&self) -> u64 {
        let mut bytes: Vec<u8> = self.keys.iter().flat_map(|key| key.to_le_bytes()).collect();
        bytes.extend_from_slice(&self.moves);
        xxh3_64(&bytes)
    }

    /// Returns the index of a key in the list, and the byte of its move; `None` if the key is not listed.
    fn listed(&self, key: u64) -> Option<(usize, u8)> {
        let at = self.keys.binary_search(&key).ok()?;
        Some((at, self.moves[at]))
    }

    /// Returns the winner's move in a position with the winner to move, or `None` if none is listed.
    pub fn winning_move(&self, position: &G::Position) -> Option<G::Move> {
        let (_, byte) = self.listed(self.claim.game.rank(position))?;
        self.claim.corresponding_move(position, byte)
    }
}
