//! Tables of cyclic games: everything that can arise is visited once, from the first position on.

use std::collections::HashSet;

use rayon::prelude::*;

use super::sample::Draw;
use super::{Auditor, verify_sample};
use crate::counts::ByteCounts;
use crate::retrograde::{Cyclic, DenseKey, read, value};
use crate::space::{Ended, SharedSet};
use crate::{Result, SolveError, sorted_keys};
use yomikiri_rules::Value;
use yomikiri_table::{IndexKind, Progress, Table, Tally};

/// What a table says, in memory.
struct Stored {
    /// Sorted keys; `None` if every key has its place.
    keys: Option<Vec<u64>>,
    /// Table bytes by place; 0 where there is no position.
    bytes: Vec<u8>,
}

impl Stored {
    fn read<G: Cyclic>(game: &G, table: &Table) -> Result<Stored> {
        if table.header.index_kind != IndexKind::SortedKeys {
            return Ok(Stored { keys: None, bytes: read(game, table)? });
        }
        let (keys, bytes) = sorted_keys::read(table)?;
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

struct Audit<'a, G> {
    auditor: Auditor<'a, G>,
    stored: Stored,
    visited: SharedSet,
    last: SharedSet,
    next: SharedSet,
    ended: Ended,
}

/// Checks everything that can arise from `root`, and that the table holds nothing else and counts it right.
pub fn audit_retrograde<G: Cyclic>(
    game: &G,
    root: Option<&G::Position>,
    table: &Table,
    progress: &dyn Progress,
) -> Result<()> {
    let stored = Stored::read(game, table)?;
    let places = stored.bytes.len() as u64;
    let set = || SharedSet::new(places);
    let ended = Ended::new(game.keys().into());
    let auditor = Auditor { game, table };
    let mut audit = Audit { auditor, stored, visited: set(), last: set(), next: set(), ended };
    progress.begin("Step 3: audit", table.header.positions.get());
    let root = &root.copied().unwrap_or_else(|| game.start());
    if !game.is_terminal(root) {
        let place = audit.stored.place(game.rank(root)).ok_or_else(|| audit.auditor.without_root())? as u64;
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
    fn visit(&self, chunk: u64, progress: &dyn Progress) -> Result<u64> {
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

    /// Checks one position, notes its children; returns how many of them had not been seen.
    fn check(&self, place: u64, moves: &mut Vec<G::Move>, ended: &mut [u64; 256]) -> Result<u64> {
        let game = self.auditor.game;
        let key = self.stored.key(place);
        let position = game.position(G::Key::of(key));
        let mut fresh = 0;
        game.moves(&position, moves);
        let children = moves.iter().map(|&mv| {
            let child = game.play(&position, mv);
            let key = game.rank(&child);
            // Asked first: the value of a position that goes on takes a look at its moves.
            if game.is_terminal(&child) {
                let value = game.terminal_value(&child);
                self.ended.note(key, value.map_or(0, Value::to_byte), ended);
                return Ok(value);
            }
            let Some(place) = self.stored.place(key) else { return Ok(None) };
            let value = G::Value::from_byte(self.stored.bytes[place]);
            if value.is_some() && self.visited.insert(place as u64) {
                self.next.insert(place as u64);
                fresh += 1;
            }
            Ok(value)
        });
        self.auditor.check_minimax(key, self.stored.bytes[place as usize], &position, children)?;
        Ok(fresh)
    }

    /// Whether the table holds no more than was visited, and counts it right; how much that is, with what is over.
    fn counts_agree(&self) -> Result<u64> {
        let mut tally = Tally::default();
        ByteCounts::of(&self.stored.bytes).add_to(&mut tally, 0);
        let (visited, ended) = (self.visited.count(), self.ended.counts());
        if visited != tally.positions() {
            let extra = tally.positions() - visited;
            return Err(self.auditor.table.damaged(format!("holds {extra} positions that cannot arise")).into());
        }
        self.auditor.check_counts(&tally, &ended)?;
        Ok(visited + ended.values().sum::<u64>())
    }
}

/// Checks `count` different positions drawn at random, the same ones each time.
pub fn retrograde_sample<G: Cyclic>(game: &G, table: &Table, count: u64, progress: &dyn Progress) -> Result<u64> {
    if table.header.index_kind == IndexKind::SortedKeys {
        return verify_sample(game, table, count, progress);
    }
    progress.begin("Step 3: sample", count);
    let (auditor, mut draw, mut moves) = (Auditor { game, table }, Draw::default(), Vec::new());
    let mut checked = HashSet::new();
    // Most keys may belong to nothing; the search is bounded all the same.
    for _ in 0..count.saturating_mul(1000) {
        if checked.len() as u64 == count {
            break;
        }
        let key = draw.below(game.open_keys().into());
        let Some(position) = game.unrank(key) else { continue };
        if let Some(stored) = value(game, table, &position)?
            && checked.insert(key)
        {
            let value_of = |child: &G::Position| value(game, table, child);
            auditor.check_moves(key, stored.to_byte(), &position, &mut moves, value_of)?;
            progress.advance(1);
        }
    }
    progress.end(&format!("{} positions agree with their moves", checked.len()));
    Ok(checked.len() as u64)
}
