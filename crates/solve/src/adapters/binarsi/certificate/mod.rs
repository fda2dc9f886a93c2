//! Certificates of who wins: a move of the winner in every position in which it can have to move, whatever the loser plays.
//!
//! Positions so near the end that anybody can read them out are left out: those with at most `horizon` plies left to the
//! end of the longest game. `extract` makes a certificate of what a prover has found, `check` plays all of it by the plain
//! rules, which is the proof (`read_out` for what is left out), `strategy` plays by it, `file` is the file and `code` its byte for a move; docs/format.md tells the layout.

mod check;
mod code;
#[cfg(feature = "write")]
mod extract;
mod file;
mod read_out;
mod strategy;

pub use check::{Fault, Refutation, Report, check};
pub use code::{move_of, move_to_byte};
#[cfg(feature = "write")]
pub use extract::{NoCertificate, extract};

use yomikiri_rules::game::Game;
use yomikiri_rules::games::binarsi::Binarsi;
use yomikiri_rules::games::binarsi::board::Position;
use yomikiri_rules::games::binarsi::moves::Move;
use yomikiri_rules::value::Side;

/// Who wins from a position, and how.
#[derive(Clone, Debug)]
pub struct Certificate {
    pub game: Binarsi,
    /// The position that is won, and who wins it.
    pub position: Position,
    pub winner: Side,
    /// Plies to the end of the longest game from which on positions are not listed.
    pub horizon: u32,
    /// Keys of the winner's positions, ascending, and the byte of a move for each.
    keys: Vec<u64>,
    moves: Vec<u8>,
}

impl Certificate {
    /// Number of positions listed.
    pub fn len(&self) -> usize {
        self.keys.len()
    }

    pub fn is_empty(&self) -> bool {
        self.keys.is_empty()
    }

    /// The move listed for the position that a key stands for.
    fn listed(&self, key: u64) -> Option<Move> {
        let at = self.keys.binary_search(&key).ok()?;
        move_of(self.moves[at])
    }

    /// The winner's move in a position, mirrored to the way it lies; `None` if it is not listed.
    pub fn winning_move(&self, position: &Position) -> Option<Move> {
        let (canonical, key) = self.game.keys.canonical(&self.game.rules, position);
        let listed = self.listed(key)?;
        let mut moves = Vec::new();
        self.game.moves(&canonical, &mut moves);
        let goal = moves.contains(&listed).then(|| self.game.key(&self.game.play(&canonical, listed)))?;
        self.game.moves(position, &mut moves);
        moves.into_iter().find(|&mv| self.game.key(&self.game.play(position, mv)) == goal)
    }
}
