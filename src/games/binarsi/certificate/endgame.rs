//! Who wins near the end, by trying all moves of the plain rules; what has been seen is remembered.

use crate::game::Game;
use crate::games::binarsi::board::Position;
use crate::games::binarsi::game::Binarsi;
use crate::games::binarsi::moves::Move;
use crate::value::Side;

use super::move_to_byte;

/// Positions that can be remembered at a time.
const ROOM: usize = 1 << 19;

/// Plies left up to which looking a position up takes longer than reading it out.
const SHORT: u32 = 1;

/// Positions of the moves before that are looked at for the same one: moves of one way stand together.
const ALIKE: usize = 12;

/// A free place of the memory.
const FREE: u64 = u64::MAX;

/// Reads positions of one variant out.
pub struct ReadOut<'a> {
    game: &'a Binarsi,
    /// Twice the key of a position, plus one if the side to move wins, at a place that follows from the key.
    memory: Vec<u64>,
    /// How often a move was the one that won, by its side and byte.
    merits: [[u32; 256]; 2],
}

impl ReadOut<'_> {
    pub fn new(game: &Binarsi) -> ReadOut<'_> {
        ReadOut { game, memory: vec![FREE; ROOM], merits: [[0; 256]; 2] }
    }

    /// Whether the side to move wins a position that is not over.
    pub fn wins(&mut self, position: &Position) -> bool {
        if self.game.rules.max_plies() - position.ply() <= SHORT {
            return self.wins_by_moves(position);
        }
        let key = self.game.key(position);
        let place = (key.wrapping_mul(0x9fb2_1c65_1e98_df25) >> 40) as usize % ROOM;
        if self.memory[place] >> 1 == key {
            return self.memory[place] & 1 == 1;
        }
        let wins = self.wins_by_moves(position);
        self.memory[place] = key << 1 | u64::from(wins);
        wins
    }

    fn wins_by_moves(&mut self, position: &Position) -> bool {
        let mover = position.side();
        let Some(mut open) = self.open_after(position, mover) else { return true };
        let role = usize::from(mover == Side::White);
        while let Some(best) = (0..open.len()).max_by_key(|&at| self.merits[role][usize::from(open[at].0)]) {
            let (byte, child) = open.swap_remove(best);
            if !self.wins(&child) {
                let left = self.game.rules.max_plies() - position.ply();
                let merit = &mut self.merits[role][usize::from(byte)];
                *merit = merit.saturating_add(left * left);
                return true;
            }
        }
        false
    }

    /// The positions after all moves in which the game goes on, hardly any of them twice, with the bytes of the moves; `None` if a
    /// move wins at once.
    fn open_after(&self, position: &Position, mover: Side) -> Option<Vec<(u8, Position)>> {
        let mut moves: Vec<Move> = Vec::new();
        self.game.moves(position, &mut moves);
        let mut open: Vec<(u8, Position)> = Vec::with_capacity(moves.len());
        for mv in moves {
            let child = self.game.play(position, mv);
            match self.game.winner(&child) {
                Some(winner) if winner == mover => return None,
                Some(_) => {}
                None if open.iter().rev().take(ALIKE).any(|(_, other)| *other == child) => {}
                None => open.push((move_to_byte(mv), child)),
            }
        }
        Some(open)
    }
}
