//! Who wins near the end, by depth-first search of all moves of the rules, with a transposition table and move
//! ordering by history.

use super::CertificateGame;
use yomikiri_rules::{Outcome, Value};

/// Entries of the transposition table.
const ENTRIES: usize = 1 << 19;

/// Up to so many plies before the end a search is faster than a look-up.
const UNSTORED_PLIES: u32 = 1;

/// Children before that are searched for an equal one: moves that lead to the same position stand close to each other.
const RECENT: usize = 12;

/// A free entry of the table.
const FREE: u64 = u64::MAX;

/// Solves positions of one variant.
pub struct EndgameSolver<'a, G: CertificateGame> {
    game: &'a G,
    /// Whether draws count for the winner of the certificate.
    draws_win: bool,
    /// The key in bits 2 to 63; bit 1: the winner of the certificate is to move; bit 0: the side to move wins.
    table: Vec<u64>,
    /// How often a move refuted, by whether the winner of the certificate makes it, and by its byte.
    history: [[u32; 256]; 2],
}

/// Whether the side to move has won, if the game is over. `own` tells whether it is the winner of a certificate.
pub fn mover_has_won<G: CertificateGame>(game: &G, position: &G::Position, own: bool, draws_win: bool) -> Option<bool> {
    Some(match game.terminal_value(position)?.outcome() {
        Outcome::Win => true,
        Outcome::Loss => false,
        Outcome::Draw => own == draws_win,
    })
}

impl<G: CertificateGame> EndgameSolver<'_, G> {
    pub fn new(game: &G, draws_win: bool) -> EndgameSolver<'_, G> {
        EndgameSolver { game, draws_win, table: vec![FREE; ENTRIES], history: [[0; 256]; 2] }
    }

    /// Whether the side to move wins a position that is not over. `own` tells whether it is the winner of the
    /// certificate.
    pub fn wins(&mut self, position: &G::Position, own: bool) -> bool {
        let left = self.game.plies_left(position);
        if left <= UNSTORED_PLIES {
            return self.search(position, own, left);
        }
        let key = self.game.rank(position);
        let place = (key.wrapping_mul(0x9fb2_1c65_1e98_df25) >> 40) as usize % ENTRIES;
        let entry = key << 2 | u64::from(own) << 1;
        if self.table[place] & !1 == entry {
            return self.table[place] & 1 == 1;
        }
        let wins = self.search(position, own, left);
        self.table[place] = entry | u64::from(wins);
        wins
    }

    fn search(&mut self, position: &G::Position, own: bool, left: u32) -> bool {
        let Some(mut open) = self.open_children(position, own) else { return true };
        while let Some(best) = (0..open.len()).max_by_key(|&at| self.history[usize::from(own)][usize::from(open[at].0)])
        {
            let (byte, child) = open.swap_remove(best);
            if !self.wins(&child, !own) {
                let score = &mut self.history[usize::from(own)][usize::from(byte)];
                *score = score.saturating_add(left * left);
                return true;
            }
        }
        false
    }

    /// The positions after all moves in which the game goes on, few of them twice, with the bytes of the moves;
    /// `None` if a move wins at once.
    fn open_children(&self, position: &G::Position, own: bool) -> Option<Vec<(u8, G::Position)>> {
        let mut moves: Vec<G::Move> = Vec::new();
        self.game.moves(position, &mut moves);
        let mut open: Vec<(u8, G::Position)> = Vec::with_capacity(moves.len());
        for (number, mv) in moves.into_iter().enumerate() {
            let child = self.game.play(position, mv);
            match mover_has_won(self.game, &child, !own, self.draws_win) {
                Some(false) => return None,
                Some(true) => {}
                None if open.iter().rev().take(RECENT).any(|(_, other)| *other == child) => {}
                None => open.push((self.game.move_to_byte(mv, number), child)),
            }
        }
        Some(open)
    }
}
