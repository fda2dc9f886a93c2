//! Makes an excerpt of a table.

use std::collections::HashMap;
use std::path::Path;

use yomikiri_rules::{AnyGame, AnyPosition, Game, Notation, Outcome, Side, Value};
use yomikiri_solve::lookup::values_of;
use yomikiri_solve::{Result, Solvable};
use yomikiri_table::{KeyBytes, Progress, Replaceable, Table, TableError, parallel, write_keys};

use super::{MARK, Meta};

/// The result of [`write_excerpt`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Excerpted {
    /// The side that plays by the excerpt: in each position, this side has one fixed best move.
    pub side: Side,
    /// The number of positions listed.
    pub positions: u64,
    /// The length of the file in bytes.
    pub bytes: u64,
}

/// Writes an excerpt of a table, the part of it that one side needs to play its best from the start of the game. This
/// side is the winner or, in a draw, the side whose excerpt has fewer positions. Returns `None` and writes no file if
/// every possible excerpt has more than `most` positions.
pub fn write_excerpt(
    game: &AnyGame,
    table: &Table,
    path: &Path,
    most: u64,
    progress: &dyn Progress,
) -> Result<Option<Excerpted>> {
    let root = game.start();
    let missing = || table.damaged("has no value for the start");
    let outcome = game.probe(table, &root)?.ok_or_else(missing)?.outcome();
    progress.begin("excerpt", 0);
    let mut smallest: Option<(Side, HashMap<u64, u8>)> = None;
    for side in [Side::Black, Side::White] {
        if !suits(outcome, side == game.side(&root)) {
            continue;
        }
        let most = smallest.as_ref().map_or(most, |(_, listed)| listed.len() as u64);
        let mut walk = Walk { game, table, side, most, listed: HashMap::new(), progress };
        if walk.run(&root)? {
            smallest = Some((side, walk.listed));
        }
    }
    let Some((side, listed)) = smallest else {
        progress.end("too many positions");
        return Ok(None);
    };
    progress.end(&format!("{} positions", listed.len()));
    let mut entries: Vec<(u64, u8)> = listed.into_iter().collect();
    entries.sort_unstable();
    let bytes = write(game, side, &entries, path)?;
    Ok(Some(Excerpted { side, positions: entries.len() as u64, bytes }))
}

/// The number of positions whose moves are looked up together.
const TOGETHER: usize = 1 << 16;
/// The minimum number of positions whose moves one thread makes at a time.
const SHARE: usize = 256;

/// A walk through the positions of a game. It follows one best move of `side` in each position, and all moves of the
/// other side.
struct Walk<'a> {
    game: &'a AnyGame,
    table: &'a Table,
    side: Side,
    most: u64,
    /// The value byte of each listed position by its key.
    listed: HashMap<u64, u8>,
    progress: &'a dyn Progress,
}

impl Walk<'_> {
    /// Walks from `root` and lists every nonterminal position of the walk in which `side` is to move. Returns false if
    /// there are more than `most` of them.
    fn run(&mut self, root: &AnyPosition) -> Result<bool> {
        let game = self.game;
        let mut open = match game.side(root) == self.side {
            true => vec![(game.rank(root), game.canonical(root))],
            false => self.replies(root),
        };
        while !open.is_empty() {
            let mut here = open.split_off(open.len().saturating_sub(TOGETHER));
            here.sort_unstable_by_key(|&(key, _)| key);
            here.dedup_by_key(|&mut (key, _)| key);
            here.retain(|(key, _)| !self.listed.contains_key(key));
            if (self.listed.len() + here.len()) as u64 > self.most {
                return Ok(false);
            }
            let after = |(_, position): &(u64, AnyPosition)| -> Vec<AnyPosition> {
                game.legal_moves(position).into_iter().map(|mv| game.play(position, mv)).collect()
            };
            let children: Vec<Vec<AnyPosition>> =
                parallel::flat_map(here.len(), SHARE, |range| here[range].iter().map(after).collect());
            let values = values_of(game, self.table, None, &children.iter().flatten().collect::<Vec<_>>())?;
            let mut rest = values.into_iter();
            self.progress.advance(here.len() as u64);
            for ((key, position), children) in here.iter().zip(&children) {
                let values: Option<Vec<_>> = rest.by_ref().take(children.len()).collect();
                let missing = || {
                    self.table.damaged(format!("has no value for a position after {}", game.position_text(position)))
                };
                let values: Vec<_> = values.ok_or_else(missing)?.into_iter().map(Value::of_move).collect();
                let best = *values.iter().max().ok_or_else(missing)?;
                self.listed.insert(*key, best.to_byte());
                let equal = children.iter().zip(&values).filter(|&(_, value)| *value == best);
                // If several moves are equally good, takes one that adds the fewest new positions.
                let replies = equal.map(|(child, _)| self.replies(child)).min_by_key(Vec::len);
                open.extend(replies.unwrap_or_default());
            }
        }
        Ok(true)
    }

    /// Returns the positions after all moves in `position`, in which the opponent of `self.side` is to move. They are
    /// in key order, each with its key. Terminal positions and positions already listed are left out.
    fn replies(&self, position: &AnyPosition) -> Vec<(u64, AnyPosition)> {
        let game = self.game;
        if game.terminal_value(position).is_some() {
            return Vec::new();
        }
        let children = game.legal_moves(position).into_iter().map(|mv| game.play(position, mv));
        let open = children.filter(|child| game.terminal_value(child).is_none());
        let mut replies: Vec<_> = open.map(|child| (game.rank(&child), game.canonical(&child))).collect();
        replies.sort_unstable_by_key(|&(key, _)| key);
        replies.dedup_by_key(|&mut (key, _)| key);
        replies.retain(|(key, _)| !self.listed.contains_key(key));
        replies
    }
}

/// Writes the file under a temporary name, then renames it. Returns its length in bytes.
fn write(game: &AnyGame, side: Side, entries: &[(u64, u8)], path: &Path) -> Result<u64, TableError> {
    let (keys, bytes): (Vec<u64>, Vec<u8>) = entries.iter().copied().unzip();
    let meta = Meta { root: game.position_text(&game.start()), side: side.name().into() };
    let codec = game.codec() as u8 | MARK;
    write_keys(game, path, Replaceable::table(), KeyBytes { keys: &keys, bytes: &bytes, codec }, &meta)?;
    Ok(std::fs::metadata(path).map_err(TableError::io(path))?.len())
}

/// Returns true if an excerpt can be made for a side: the winner, or either side in a draw. `outcome` is the outcome of
/// the start position for the side to move. `is_to_move` is true if the excerpt's side is the side to move.
fn suits(outcome: Outcome, is_to_move: bool) -> bool {
    match outcome {
        Outcome::Win => is_to_move,
        Outcome::Loss => !is_to_move,
        Outcome::Draw => true,
    }
}
