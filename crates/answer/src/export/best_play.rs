//! The second player's positions that are left when that side only plays best moves.

use std::cmp::Reverse;

use super::positions::Stored;
use yomikiri_rules::game::Game;
use yomikiri_rules::games::animal_shogi::board::Board;
use yomikiri_rules::games::animal_shogi::candidates::candidates;
use yomikiri_rules::value::Value;
use yomikiri_solve::SolveError;
use yomikiri_solve::retrograde::Cyclic;
use yomikiri_solve::space::SharedSet;
use yomikiri_table::progress::Progress;

/// Positions won in fewer plies are left out: whoever plays on from there finds the win by looking.
const LEAST_DEPTH: u16 = 4;

/// A move that wins soonest.
pub struct BestMove {
    /// Number among the candidates.
    pub candidate: usize,
    /// Keys of the positions after each reply, each once.
    pub next: Vec<u32>,
}

/// The positions of the second player, numbered: those further from the end first; among equals as they are found.
pub struct BestPlay<'a> {
    stored: &'a Stored<'a>,
    /// Keys by number.
    pub keys: Vec<u32>,
    /// Keys with their numbers, sorted.
    numbers: Vec<(u32, u32)>,
}

impl<'a> BestPlay<'a> {
    /// Goes through the positions that can arise, depth first, the last of the positions after a move first. The second
    /// player must win.
    pub fn find(stored: &'a Stored, progress: &dyn Progress) -> Result<BestPlay<'a>, SolveError> {
        progress.begin("find best play", 0);
        let mut play = BestPlay { stored, keys: Vec::new(), numbers: Vec::new() };
        let seen = SharedSet::new(stored.game.open_keys().into());
        let (mut keys, mut waiting) = (Vec::new(), play.first()?);
        while let Some(key) = waiting.pop() {
            if !seen.insert(key.into()) {
                continue;
            }
            keys.push(key);
            let next = play.best_moves(key)?.into_iter().flat_map(|best| best.next);
            waiting.extend(next.filter(|&key| !seen.contains(key.into())));
            progress.advance(1);
        }
        keys.sort_by_key(|&key| Reverse(play.depth(key)));
        play.numbers = keys.iter().copied().zip(0..).collect();
        play.numbers.sort_unstable();
        play.keys = keys;
        progress.end(&format!("{} positions", play.keys.len()));
        Ok(play)
    }

    /// Keys of the positions after the first move.
    pub fn first(&self) -> Result<Vec<u32>, SolveError> {
        self.after_replies(&self.stored.game.start().board)
    }

    /// Number of a position that was found.
    pub fn number(&self, key: u32) -> u32 {
        let place = self.numbers.binary_search_by_key(&key, |&(key, _)| key);
        self.numbers[place.expect("positions after best moves were found")].1
    }

    /// Plies to the end.
    pub fn depth(&self, key: u32) -> u16 {
        super::positions::depth(self.stored.byte(key)) as u16
    }

    /// The board of a position, with the key's squares.
    pub fn board(&self, key: u32) -> Board {
        self.stored.game.position(key).board.canonical()
    }

    /// The best moves of a position, by candidate.
    pub fn best_moves(&self, key: u32) -> Result<Vec<BestMove>, SolveError> {
        let mut best = Vec::new();
        for (candidate, child) in candidates(&self.stored.game.rules, &self.board(key)).iter().enumerate() {
            let value = self.stored.value(child)?.of_move();
            if value.plies().is_some_and(|plies| plies.0 == self.depth(key)) {
                best.push(BestMove { candidate, next: self.after_replies(child)? });
            }
        }
        Ok(best)
    }

    /// Keys of the positions after each move of the other side that are not left out, each once.
    fn after_replies(&self, board: &Board) -> Result<Vec<u32>, SolveError> {
        let mut keys = Vec::new();
        for child in candidates(&self.stored.game.rules, board) {
            let value = self.stored.value(&child)?;
            let key = self.stored.game.key_of(&child);
            if value.plies().is_some_and(|plies| plies.0 >= LEAST_DEPTH) && !keys.contains(&key) {
                keys.push(key);
            }
        }
        Ok(keys)
    }
}
