//! Checking a table against the plain rules, from its first position on.
//!
//! Every position that can arise is visited once. Its moves are played by the plain rules; each child must be in the
//! table or over, and the best move must give exactly the stored value. What was visited must be all that is stored.
//! A draw then has a move to a draw and none to a loss, on both sides for ever; a win or loss leads one ply nearer to
//! the end with each move: so all values are right.

use std::collections::HashSet;

use rayon::prelude::*;

use super::Cyclic;
use super::ended::Ended;
use super::table::{read, value};
use crate::SolveError;
use crate::audit::{Draw, check_position, verify_sample};
use crate::space::SharedSet;
use yomikiri_rules::value::Value;
use yomikiri_table::blocks::decode_keys;
use yomikiri_table::progress::Progress;
use yomikiri_table::{IndexKind, Table, TableError, Tally};

/// What a table says, in memory.
struct Stored {
    /// Sorted keys; `None` if every key has its place.
    keys: Option<Vec<u64>>,
    /// Table bytes by place; 0 where there is no position.
    bytes: Vec<u8>,
}

impl Stored {
    fn read<G: Cyclic>(game: &G, table: &Table) -> Result<Stored, SolveError> {
        if table.header.index_kind != IndexKind::SortedKeys {
            return Ok(Stored { keys: None, bytes: read(game, table)? });
        }
        let (keys, bytes) = all_keys(table)?;
        Ok(Stored { keys: Some(keys), bytes })
    }

    /// The place of a key.
    #[inline]
    fn place(&self, key: u64) -> Option<usize> {
        match &self.keys {
            None => Some(key as usize).filter(|&place| place < self.bytes.len()),
            Some(keys) => keys.binary_search(&key).ok(),
        }
    }

    fn key(&self, place: u64) -> u64 {
        self.keys.as_ref().map_or(place, |keys| keys[place as usize])
    }
}

/// Keys and bytes of a table of sorted keys, in order.
pub fn all_keys(table: &Table) -> Result<(Vec<u64>, Vec<u8>), TableError> {
    let (mut all_keys, mut all_bytes) = (Vec::new(), Vec::new());
    for number in 0..table.header.sections.get() {
        let section = table.section(number);
        let block = table.block(section.first_block)?;
        let bad = || table.damaged("a block has the wrong size");
        let (keys, bytes) = decode_keys(&block, section.rows as usize).ok_or_else(bad)?;
        all_keys.extend_from_slice(&keys);
        all_bytes.extend_from_slice(bytes);
    }
    if !all_keys.is_sorted() {
        return Err(table.damaged("its keys are not sorted"));
    }
    Ok((all_keys, all_bytes))
}

struct Audit<'a, G> {
    game: &'a G,
    table: &'a Table,
    stored: Stored,
    visited: SharedSet,
    last: SharedSet,
    next: SharedSet,
    ended: Ended,
}

/// Checks everything that can arise from `root`, and that the table holds nothing else and counts it right.
pub fn audit<G: Cyclic>(
    game: &G,
    root: Option<&G::Position>,
    table: &Table,
    progress: &dyn Progress,
) -> Result<(), SolveError> {
    let stored = Stored::read(game, table)?;
    let places = stored.bytes.len() as u64;
    let set = || SharedSet::new(places);
    let ended = Ended::new(game.keys());
    let mut audit = Audit { game, table, stored, visited: set(), last: set(), next: set(), ended };
    progress.begin("Step 3: audit", table.header.positions.get());
    let root = &root.copied().unwrap_or_else(|| game.start());
    if !game.decided(root) {
        let wrong = || table.damaged("has no value for its first position");
        let place = audit.stored.place(game.key(root)).ok_or_else(wrong)? as u64;
        audit.visited.insert(place);
        audit.last.insert(place);
    }
    let mut fresh = audit.visited.count();
    while fresh > 0 {
        fresh = (0..audit.last.chunks())
            .into_par_iter()
            .map(|chunk| audit.visit(chunk, progress))
            .try_reduce(|| 0, |a, b| Ok::<u64, SolveError>(a + b))?;
        audit.last.clear();
        std::mem::swap(&mut audit.last, &mut audit.next);
    }
    let checked = audit.counts_agree()?;
    progress.end(&format!("{checked} positions, every value agrees with its moves"));
    Ok(())
}

impl<G: Cyclic> Audit<'_, G> {
    /// Checks the positions of a chunk of `last`; returns how many of their children had not been seen.
    fn visit(&self, chunk: u64, progress: &dyn Progress) -> Result<u64, SolveError> {
        let (mut fresh, mut checked, mut moves, mut result) = (0, 0, Vec::new(), Ok(()));
        let mut over = [0; 256];
        self.last.visit_chunk(chunk, |place| {
            checked += 1;
            if result.is_ok() {
                result = self.check(place, &mut moves, &mut over).map(|new| fresh += new);
            }
        });
        self.ended.add(&over);
        progress.advance(checked);
        result.map(|()| fresh)
    }

    /// Checks one position, notes its children.
    fn check(&self, place: u64, moves: &mut Vec<G::Move>, ended: &mut [u64; 256]) -> Result<u64, SolveError> {
        let game = self.game;
        let key = self.stored.key(place);
        let position = game.position(key as u32);
        let (mut best, mut fresh) = (None, 0);
        game.moves(&position, moves);
        for &mv in moves.iter() {
            let child = game.play(&position, mv);
            let key = game.key(&child);
            let over = if game.decided(&child) { game.end(&child) } else { None };
            let value = match over {
                Some(value) => {
                    self.ended.note(key as u32, value.to_byte(), ended);
                    value
                }
                None => {
                    let place = self.stored.place(key).ok_or_else(|| self.wrong(&child, "is not in the table"))?;
                    let value = G::Value::from_byte(self.stored.bytes[place]);
                    let value = value.ok_or_else(|| self.wrong(&child, "is not in the table"))?;
                    if self.visited.insert(place as u64) {
                        self.next.insert(place as u64);
                        fresh += 1;
                    }
                    value
                }
            };
            best = best.max(Some(value.of_move()));
        }
        let expected = best.or_else(|| game.end(&position));
        if G::Value::from_byte(self.stored.bytes[place as usize]) != expected {
            return Err(self.wrong(&position, "does not have the value of its best move"));
        }
        Ok(fresh)
    }

    fn wrong(&self, position: &G::Position, what: &str) -> SolveError {
        let text = self.game.position_text(position);
        SolveError::Wrong(format!("{}: {text} {what}", self.table.path().display()))
    }

    /// Whether the table holds no more than was visited, and counts it right; how much that is, with what is over.
    fn counts_agree(&self) -> Result<u64, SolveError> {
        let meta = self.table.meta()?;
        let mut tally = Tally::default();
        for (byte, count) in super::run::counts(&self.stored.bytes) {
            tally.add(0, byte, count);
        }
        let (visited, ended) = (self.visited.count(), self.ended.counts());
        if visited != tally.positions() {
            let extra = tally.positions() - visited;
            return Err(self.table.damaged(format!("holds {extra} positions that cannot arise")).into());
        }
        if tally != meta.tally || ended != meta.ended || visited != self.table.header.positions.get() {
            return Err(self.table.damaged("the counts in its meta data are not those of its positions").into());
        }
        Ok(visited + ended.values().sum::<u64>())
    }
}

/// Checks `count` different positions drawn at random, the same ones each time.
pub fn audit_sample<G: Cyclic>(
    game: &G,
    table: &Table,
    count: u64,
    progress: &dyn Progress,
) -> Result<u64, SolveError> {
    if table.header.index_kind == IndexKind::SortedKeys {
        return verify_sample(game, table, count, progress);
    }
    progress.begin("Step 3: sample", count);
    let mut draw = Draw::default();
    let mut checked = HashSet::new();
    // Most keys may belong to nothing; the search is bounded all the same.
    for _ in 0..count.saturating_mul(1000) {
        if checked.len() as u64 == count {
            break;
        }
        let key = draw.below(game.open_keys().into());
        let Some(position) = game.position_of_key(key) else { continue };
        if let Some(value) = value(game, table, &position)?
            && checked.insert(key)
        {
            check_position(game, table, &|child| super::value(game, table, child), key, value.to_byte())?;
            progress.advance(1);
        }
    }
    progress.end(&format!("{} positions agree with their moves", checked.len()));
    Ok(checked.len() as u64)
}
