//! Solves positions near the end by depth-first search, with a transposition table and the history heuristic for move
//! ordering. Moves come from the plain rules.

use std::ops::ControlFlow;

use super::CertificateGame;
use yomikiri_rules::{Game, Outcome, Value};

/// The least and the greatest number of entries of the transposition table, powers of two.
const ENTRIES: [usize; 2] = [1 << 14, 1 << 19];

/// The number of entries of the transposition table for each position to be solved. Filling a larger table would take
/// longer than a check of few positions.
const ENTRIES_EACH: usize = 1 << 8;

/// Positions with at most this number of plies left are not stored in the table, because a search is faster than a
/// look-up.
const UNSTORED_PLIES: u32 = 1;

/// The number of preceding children with which a child is compared, to drop duplicates. Moves that lead to the same
/// position are close together in the list of moves.
const RECENT: usize = 12;

/// The value of a free entry of the table.
const FREE: u64 = u64::MAX;

/// Solves positions of one variant.
pub struct EndgameSolver<'a, G: CertificateGame> {
    game: &'a G,
    /// True if a draw counts as a win for the winner of the certificate.
    draws_win: bool,
    /// Bits 2 to 63 of an entry are the key. Bit 1 is set if the winner of the certificate is to move, bit 0 if the
    /// side to move wins.
    table: Vec<u64>,
    /// The history score of each move: the sum of the squared plies left, over the positions in which the move won.
    /// Indexed by 1 if the winner of the certificate moves, else 0, then by move byte.
    history: [[u32; 256]; 2],
    /// Empty lists, kept to reuse their memory: `moves` for moves, and `spare` for children.
    moves: Vec<G::Move>,
    spare: Vec<Children<G>>,
}

/// Positions after moves, each with the byte of its move.
type Children<G> = Vec<(u8, <G as Game>::Position)>;

/// Returns true if the side to move has won, false if it has lost, and `None` if the position is nonterminal. `own` is
/// true if the side to move is the winner of the certificate. A draw counts as a win for the winner if `draws_win` is
/// true, else for the loser.
pub fn mover_has_won<G: CertificateGame>(game: &G, position: &G::Position, own: bool, draws_win: bool) -> Option<bool> {
    Some(match game.terminal_value(position)?.outcome() {
        Outcome::Win => true,
        Outcome::Loss => false,
        Outcome::Draw => own == draws_win,
    })
}

impl<G: CertificateGame> EndgameSolver<'_, G> {
    /// Creates a solver for about `count` positions.
    pub fn new(game: &G, draws_win: bool, count: usize) -> EndgameSolver<'_, G> {
        let table = vec![FREE; (count * ENTRIES_EACH).clamp(ENTRIES[0], ENTRIES[1]).next_power_of_two()];
        EndgameSolver { game, draws_win, table, history: [[0; 256]; 2], moves: Vec::new(), spare: Vec::new() }
    }

    /// Returns true if the side to move wins a nonterminal position. `own` is true if the side to move is the winner of
    /// the certificate.
    pub fn wins(&mut self, position: &G::Position, own: bool) -> bool {
        let left = self.game.plies_left(position);
        if left <= UNSTORED_PLIES {
            return self.search(position, own, left);
        }
        let key = self.game.rank(position);
        let place = (key.wrapping_mul(0x9fb2_1c65_1e98_df25) >> 40) as usize & (self.table.len() - 1);
        let entry = key << 2 | u64::from(own) << 1;
        if self.table[place] & !1 == entry {
            return self.table[place] & 1 == 1;
        }
        let wins = self.search(position, own, left);
        self.table[place] = entry | u64::from(wins);
        wins
    }

    fn search(&mut self, position: &G::Position, own: bool, left: u32) -> bool {
        let mut open = self.spare.pop().unwrap_or_default();
        let wins = self.open_children(position, own, &mut open).is_break() || self.wins_by(&mut open, own, left);
        open.clear();
        self.spare.push(open);
        wins
    }

    /// Returns true if a move to one of the children in `open` wins. Removes the children that were searched. `left` is
    /// the number of plies left before the move.
    fn wins_by(&mut self, open: &mut Children<G>, own: bool, left: u32) -> bool {
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

    /// Adds the nonterminal children of a position to `open`. Most duplicates are left out. Returns `Break` if a move
    /// wins at once.
    fn open_children(&mut self, position: &G::Position, own: bool, open: &mut Children<G>) -> ControlFlow<()> {
        self.game.moves(position, &mut self.moves);
        for (number, &mv) in self.moves.iter().enumerate() {
            let child = self.game.play(position, mv);
            match mover_has_won(self.game, &child, !own, self.draws_win) {
                Some(false) => return ControlFlow::Break(()),
                Some(true) => {}
                None if open.iter().rev().take(RECENT).any(|(_, other)| *other == child) => {}
                None => open.push((self.game.move_to_byte(mv, number), child)),
            }
        }
        ControlFlow::Continue(())
    }
}
