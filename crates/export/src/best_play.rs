//! The second player's winning strategy in animal shogi, exported as text. The strategy consists of the positions that
//! can arise when the second player makes only best moves.

use std::cmp::Reverse;
use std::io::Write;
use std::path::Path;

use super::file::OutFile;
use super::positions::{StoredBytes, depth};
use yomikiri_rules::games::animal_shogi::AnimalShogi;
use yomikiri_rules::games::animal_shogi::board::Board;
use yomikiri_rules::games::animal_shogi::candidates::candidates;
use yomikiri_rules::{Game, Value};
use yomikiri_solve::retrograde::Cyclic;
use yomikiri_solve::space::SharedSet;
use yomikiri_solve::{Result, Wrong};
use yomikiri_table::{Progress, Table};

/// The minimum distance to the end, in plies, of the positions that are exported. Positions won sooner are left out,
/// because a player finds those wins by looking ahead.
const MIN_DEPTH: u16 = 4;

/// A move that wins in the fewest plies.
pub struct BestMove {
    /// The index of the move in [`candidates`], the list of all legal moves.
    pub candidate: usize,
    /// The keys of the positions after each reply to the move, without duplicates and without positions with fewer than
    /// `MIN_DEPTH` plies to the end.
    pub next: Vec<u32>,
}

/// The positions of the second player's winning strategy in which this player is to move. Serial numbers count them
/// from 0 on, in descending order of their distance to the end. Positions at the same distance are numbered in the
/// order in which they are found.
pub struct BestPlay<'a> {
    stored: &'a StoredBytes<'a>,
    /// The keys of the positions, indexed by serial number.
    pub keys: Vec<u32>,
    /// Pairs of key and serial number, sorted by key.
    numbers: Vec<(u32, u32)>,
}

impl<'a> BestPlay<'a> {
    /// Finds the positions of the strategy by a depth-first search, which visits the last of a position's successors
    /// first. The second player must win the game.
    pub fn find(stored: &'a StoredBytes, progress: &dyn Progress) -> Result<BestPlay<'a>> {
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

    /// Returns the keys of the positions after each first move of the game. Leaves out duplicates and positions with
    /// fewer than `MIN_DEPTH` plies to the end.
    pub fn first(&self) -> Result<Vec<u32>> {
        self.after_replies(&self.stored.game.start().board)
    }

    /// Returns the serial number of the position with this key, which must be one of [`BestPlay::keys`].
    pub fn number(&self, key: u32) -> u32 {
        let place = self.numbers.binary_search_by_key(&key, |&(key, _)| key);
        self.numbers[place.expect("the key is one of `keys`")].1
    }

    /// Returns the distance from a position to the end in plies.
    pub fn depth(&self, key: u32) -> u16 {
        depth(self.stored.byte(key)) as u16
    }

    /// Returns the canonical board of a position.
    pub fn board(&self, key: u32) -> Board {
        self.stored.game.position(key).board.canonical()
    }

    /// Returns the best moves of a position, in the order of [`candidates`], the list of all legal moves.
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

    /// Returns the keys of the positions after each move of the first player, who is to move on `board`. Leaves out
    /// duplicates and positions with fewer than [`MIN_DEPTH`] plies to the end.
    fn after_replies(&self, board: &Board) -> Result<Vec<u32>> {
        let mut keys = Vec::new();
        for child in candidates(&self.stored.game.rules, board) {
            let value = self.stored.value(&child)?;
            let key = self.stored.game.key_of(&child);
            if value.plies().is_some_and(|plies| plies.0 >= MIN_DEPTH) && !keys.contains(&key) {
                keys.push(key);
            }
        }
        Ok(keys)
    }
}

/// Writes the positions of the second player's winning strategy, each with its serial number and all its best moves.
/// Serial numbers count the positions from 0 on, in the order of the file. After each move come the serial numbers of
/// the positions after the replies to it. The second player must win the game. Returns the number of positions.
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

/// Writes the same positions as [`export_best_play`], one on each line, with one best move each. Returns the number of
/// positions.
pub fn export_best_moves(game: &AnimalShogi, table: &Table, path: &Path, progress: &dyn Progress) -> Result<u64> {
    export(game, table, path, progress, |play, file| {
        file.write_each(&play.keys, |&key, bytes| {
            let best = play.best_moves(key)?;
            let candidate = best.first().map(|best| best.candidate);
            let candidate = candidate.ok_or_else(|| Wrong::NoBestMove(text(play, key)))?;
            push(bytes, &format!("{} {candidate}\n", line_start(play, key)));
            Ok(())
        })
    })
}

/// Creates the file at `path`, finds best play, calls `write` with the best play and the file, and completes the file.
/// Returns the number of positions.
fn export(
    game: &AnimalShogi,
    table: &Table,
    path: &Path,
    progress: &dyn Progress,
    write: impl FnOnce(&BestPlay, &mut OutFile) -> Result<()>,
) -> Result<u64> {
    let mut file = OutFile::create(path)?;
    let stored = StoredBytes::read(game, table, progress, |_, _| ())?;
    let play = BestPlay::find(&stored, progress)?;
    write(&play, &mut file)?;
    file.finish()?;
    Ok(play.keys.len() as u64)
}

/// Returns the beginning of a position's entry in a file: the key of its board in hexadecimal digits, then its distance
/// to the end in plies.
fn line_start(play: &BestPlay, key: u32) -> String {
    format!("{} {}", text(play, key), play.depth(key))
}

fn text(play: &BestPlay, key: u32) -> String {
    format!("{:015x}", play.board(key).key())
}

/// Returns the serial numbers of the positions with these keys as text, with a space before each.
fn numbers(play: &BestPlay, keys: &[u32]) -> String {
    keys.iter().map(|&key| format!(" {}", play.number(key))).collect()
}

fn push(bytes: &mut Vec<u8>, text: &str) {
    // Writing to memory does not fail.
    let _ = bytes.write_all(text.as_bytes());
}
