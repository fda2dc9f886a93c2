//! Tables of cyclic games: everything that can arise is visited once, from the first position on.

use std::collections::HashSet;

use rayon::prelude::*;

use super::sample::Draw;
use super::{Auditor, Breach, ValueRanks, verify_sample};
use crate::counts::ByteCounts;
use crate::memory::Zeros;
use crate::retrograde::{Cyclic, DenseKey, read, value};
use crate::space::{Ended, SharedSet, prefetch};
use crate::{Result, SolveError, sorted_keys};
use yomikiri_rules::{Game, Value};
use yomikiri_table::{IndexKind, Progress, Table, Tally};

/// What a table says, in memory.
struct Stored {
    /// Sorted keys; `None` if every key has its place.
    keys: Option<Vec<u64>>,
    /// Table bytes by place; 0 where there is no position.
    bytes: Zeros<u8>,
}

impl Stored {
    fn read<G: Cyclic>(game: &G, table: &Table) -> Result<Stored> {
        if table.header.index_kind != IndexKind::SortedKeys {
            return Ok(Stored { keys: None, bytes: read(game, table)? });
        }
        let (keys, values) = sorted_keys::read(table)?;
        let mut bytes = Zeros::new(values.len())?;
        bytes[..values.len()].copy_from_slice(&values);
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
    ranks: ValueRanks,
    visited: SharedSet,
    /// Those of `visited` that have not been checked.
    pending: SharedSet,
    ended: Ended,
}

/// Positions whose moves are made before what these lead to is looked at, and has come from memory.
const FETCHED: usize = 16;

/// A move of a position that is being checked.
enum Next {
    /// Leads to what the table has a place for.
    Stored(u64),
    /// Ends the game: the key of what is over, and its byte.
    Over(u64, u8),
    /// Leads to what the table has no place for.
    Missing,
}

/// Positions being checked.
struct Group<G: Game> {
    /// The place of each, the position, and where its moves end among all.
    positions: Vec<(u64, G::Position, usize)>,
    next: Vec<Next>,
    /// Lends its memory.
    moves: Vec<G::Move>,
}

/// What has come of a chunk.
struct Tallied {
    checked: u64,
    /// Positions that had not been seen before.
    fresh: u64,
    /// Of those in which the game is over, by table byte.
    over: [u64; 256],
}

/// Checks everything that can arise from `root`, and that the table holds nothing else and counts it right.
pub fn audit_retrograde<G: Cyclic>(
    game: &G,
    root: Option<&G::Position>,
    table: &Table,
    progress: &dyn Progress,
) -> Result<()> {
    let stored = Stored::read(game, table)?;
    let set = || SharedSet::new(stored.bytes.len() as u64);
    let (visited, pending) = (set()?, set()?);
    let ended = Ended::new(game.keys().into())?;
    let ranks = ValueRanks::new::<G::Value>();
    let audit = Audit { auditor: Auditor { game, table }, stored, ranks, visited, pending, ended };
    progress.begin("Step 3: audit", table.header.positions.get());
    let root = &root.copied().unwrap_or_else(|| game.start());
    if !game.is_terminal(root) {
        let place = audit.stored.place(game.rank(root)).ok_or_else(|| audit.auditor.without_root())? as u64;
        audit.visited.insert(place);
        audit.pending.insert(place);
    }
    // All places are gone through again and again, in whose order neighbours lead to neighbours.
    let (mut checked, mut visited) = (0, audit.visited.count());
    while checked < visited {
        let chunks = (0..audit.pending.chunks()).into_par_iter().map(|chunk| audit.visit(chunk, progress));
        let (more, fresh) = chunks.try_reduce(|| (0, 0), |a, b| Ok::<_, SolveError>((a.0 + b.0, a.1 + b.1)))?;
        checked += more;
        visited += fresh;
    }
    let checked = audit.counts_agree()?;
    progress.end(&format!("{checked} positions, every value agrees with its moves"));
    Ok(())
}

impl<G: Cyclic> Audit<'_, G> {
    /// Checks what is pending in a chunk; returns how many positions that is, and how many of their children had not
    /// been seen.
    fn visit(&self, chunk: u64, progress: &dyn Progress) -> Result<(u64, u64)> {
        let mut group = Group { positions: Vec::with_capacity(FETCHED), next: Vec::new(), moves: Vec::new() };
        let mut found = Tallied { checked: 0, fresh: 0, over: [0; 256] };
        let mut result = Ok(());
        self.pending.take_chunk(chunk, |place| {
            if result.is_ok() {
                self.make_moves(place, &mut group);
                if group.positions.len() == FETCHED {
                    result = self.check(&mut group, &mut found);
                }
            }
        });
        result.and_then(|()| self.check(&mut group, &mut found))?;
        self.ended.add(&found.over);
        progress.advance(found.checked);
        Ok((found.checked, found.fresh))
    }

    /// Makes all moves of a position by the rules, and asks the memory for what will be wanted of where they lead.
    fn make_moves(&self, place: u64, group: &mut Group<G>) {
        let game = self.auditor.game;
        let position = game.position(G::Key::of(self.stored.key(place)));
        game.each_next(&position, &mut group.moves, |child| {
            let key = game.rank(child);
            // Asked first: the value of a position that goes on takes a look at its moves.
            group.next.push(if game.is_terminal(child) {
                self.ended.prefetch(key);
                Next::Over(key, game.terminal_value(child).map_or(0, Value::to_byte))
            } else if let Some(place) = self.stored.place(key) {
                prefetch(&self.stored.bytes[place]);
                self.visited.prefetch(place as u64);
                Next::Stored(place as u64)
            } else {
                Next::Missing
            });
        });
        group.positions.push((place, position, group.next.len()));
    }

    /// Holds the value of each position of a group against those after its moves, notes these, and empties the group.
    fn check(&self, group: &mut Group<G>, found: &mut Tallied) -> Result<()> {
        let mut first = 0;
        for (place, position, end) in group.positions.drain(..) {
            let byte = self.stored.bytes[place as usize];
            let (mut best, mut missing) = (0, false);
            for next in &group.next[first..end] {
                let child = match *next {
                    Next::Over(key, byte) => {
                        self.ended.note(key, byte, &mut found.over);
                        byte
                    }
                    Next::Stored(place) => {
                        let byte = self.stored.bytes[place as usize];
                        if byte != 0 && self.visited.insert(place) {
                            self.pending.insert(place);
                            found.fresh += 1;
                        }
                        byte
                    }
                    Next::Missing => 0,
                };
                let worth = self.ranks.of_move[usize::from(child)];
                missing |= worth == 0;
                best = best.max(worth);
            }
            let right = match first == end {
                // Without moves the rules say what it is worth.
                true => self.auditor.game.terminal_value(&position).is_some_and(|value| value.to_byte() == byte),
                false => best != 0 && best == self.ranks.of_position[usize::from(byte)],
            };
            if missing || !right {
                let breach = if missing { Breach::MissingChild } else { Breach::WrongValue };
                return Err(self.auditor.wrong(self.stored.key(place), breach));
            }
            found.checked += 1;
            first = end;
        }
        group.next.clear();
        Ok(())
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
