//! The second player's way to win in animal shogi: the positions left when that side makes only best moves, and their
//! text.

use std::cmp::Reverse;
use std::io::Write;
use std::path::Path;

use super::file::OutFile;
use super::positions::{Stored, depth};
use yomikiri_rules::games::animal_shogi::AnimalShogi;
use yomikiri_rules::games::animal_shogi::board::Board;
use yomikiri_rules::games::animal_shogi::candidates::candidates;
use yomikiri_rules::{Game, Value};
use yomikiri_solve::retrograde::Cyclic;
use yomikiri_solve::space::SharedSet;
use yomikiri_solve::{Result, SolveError};
use yomikiri_table::{Progress, Table};

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
    pub fn find(stored: &'a Stored, progress: &dyn Progress) -> Result<BestPlay<'a>> {
        progress.begin("find best play", 0);
        let mut play = BestPlay { stored, keys: Vec::new(), numbers: Vec::new() };
        let seen = SharedSet::new(stored.game.open_keys().into())?;
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
    pub fn first(&self) -> Result<Vec<u32>> {
        self.after_replies(&self.stored.game.start().board)
    }

    /// Number of a position that was found.
    pub fn number(&self, key: u32) -> u32 {
        let place = self.numbers.binary_search_by_key(&key, |&(key, _)| key);
        self.numbers[place.expect("positions after best moves were found")].1
    }

    /// Plies to the end.
    pub fn depth(&self, key: u32) -> u16 {
        depth(self.stored.byte(key)) as u16
    }

    /// The board of a position, with the key's squares.
    pub fn board(&self, key: u32) -> Board {
        self.stored.game.position(key).board.canonical()
    }

    /// The best moves of a position, by candidate.
    pub fn best_moves(&self, key: u32) -> Result<Vec<BestMove>> {
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
    fn after_replies(&self, board: &Board) -> Result<Vec<u32>> {
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

/// Writes the positions of the second player, who wins, with all best moves and the numbers of the positions that
/// can follow; returns how many positions there are.
pub fn export_best_play(game: &AnimalShogi, table: &Table, path: &Path, progress: &dyn Progress) -> Result<u64> {
    export(game, table, path, progress, |play, file| {
        file.write(format!("{}\n", numbers(play, &play.first()?)).as_bytes())?;
        file.write_each(&play.keys, |&key, bytes| {
            let mut text = format!("{} {}\n", line_start(play, key), play.number(key));
            for best in play.best_moves(key)? {
                text += &format!(" {}:{}\n", best.candidate, numbers(play, &best.next));
            }
            push(bytes, &format!("{text}\n"));
            Ok(())
        })
    })
}

/// Writes the same positions, a line with one best move each; returns how many positions there are.
pub fn export_best_moves(game: &AnimalShogi, table: &Table, path: &Path, progress: &dyn Progress) -> Result<u64> {
    export(game, table, path, progress, |play, file| {
        file.write_each(&play.keys, |&key, bytes| {
            let best = play.best_moves(key)?;
            let candidate = best.first().map(|best| best.candidate);
            let candidate =
                candidate.ok_or_else(|| SolveError::Wrong(format!("no best move in {}", text(play, key))))?;
            push(bytes, &format!("{} {candidate}\n", line_start(play, key)));
            Ok(())
        })
    })
}

/// Finds best play and has it written.
fn export(
    game: &AnimalShogi,
    table: &Table,
    path: &Path,
    progress: &dyn Progress,
    write: impl FnOnce(&BestPlay, &mut OutFile) -> Result<()>,
) -> Result<u64> {
    let mut file = OutFile::create(path)?;
    let stored = Stored::read(game, table, progress, |_, _| ())?;
    let play = BestPlay::find(&stored, progress)?;
    write(&play, &mut file)?;
    file.finish()?;
    Ok(play.keys.len() as u64)
}

/// Key and depth of a position.
fn line_start(play: &BestPlay, key: u32) -> String {
    format!("{} {}", text(play, key), play.depth(key))
}

fn text(play: &BestPlay, key: u32) -> String {
    format!("{:015x}", play.board(key).key())
}

/// The numbers of positions, a space before each.
fn numbers(play: &BestPlay, keys: &[u32]) -> String {
    keys.iter().map(|&key| format!(" {}", play.number(key))).collect()
}

fn push(bytes: &mut Vec<u8>, text: &str) {
    // Writing to memory does not fail.
    let _ = bytes.write_all(text.as_bytes());
}
