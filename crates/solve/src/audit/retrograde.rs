//! The audit of cyclic games. It visits every position that can arise from the root position, each exactly once.

use std::collections::HashSet;

use super::sample::SampleRng;
use super::{Auditor, ValueGrades, audit_sample};
use crate::counts::ByteCounts;
use crate::retrograde::{Cyclic, DenseKey, read, value};
use crate::space::{EndedPositions, SharedSet};
use crate::{Breach, Result, sorted_keys};

use yomikiri_rules::{Game, Value};
use yomikiri_table::memory::Zeros;
use yomikiri_table::memory::prefetch;
use yomikiri_table::{IndexKind, Progress, Table, Tally, parallel};

/// The contents of a table in memory.
struct StoredTable {
    /// The sorted keys, if the table lists keys: the place of a position is the index of its key in this list. `None`
    /// if the place of a position is the key itself.
    keys: Option<Vec<u64>>,
    /// The table bytes, indexed by the places of positions (see `keys`); 0 if no position has the place.
    bytes: Zeros<u8>,
}

impl StoredTable {
    fn read<G: Cyclic>(game: &G, table: &Table) -> Result<StoredTable> {
        if table.header.index_kind != IndexKind::SortedKeys {
            return Ok(StoredTable { keys: None, bytes: read(game, table)? });
        }
        let (keys, values) = sorted_keys::read(table)?;
        let mut bytes = Zeros::new(values.len())?;
        bytes[..values.len()].copy_from_slice(&values);
        Ok(StoredTable { keys: Some(keys), bytes })
    }

    /// Returns the place of a key, which is its index in `bytes`; `None` if the table has no place for it.
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
    stored: StoredTable,
    grades: ValueGrades,
    visited: SharedSet,
    /// The visited positions that have not been checked yet.
    pending: SharedSet,
    ended: EndedPositions,
}

/// The number of positions in a [`KeyGroup`]. The moves of all these positions are made before any child is looked up,
/// so that prefetches have time to arrive.
const FETCHED: usize = 16;

/// The child that a move leads to.
enum Next {
    /// A nonterminal child. The field is the index of the child in [`StoredTable::bytes`].
    Stored(u64),
    /// A terminal child, with its key and its table byte.
    Over(u64, u8),
    /// A nonterminal child that has no index in [`StoredTable::bytes`].
    Missing,
}

/// Positions that are checked together.
struct KeyGroup<G: Game> {
    /// For each position: its index in [`StoredTable::bytes`], the position, and the end of the range of its moves in
    /// `next`.
    positions: Vec<(u64, G::Position, usize)>,
    next: Vec<Next>,
    /// A buffer for the moves of a position.
    moves: Vec<G::Move>,
}

/// Counts over one chunk of the pending positions.
struct Tallied {
    /// The number of positions checked.
    checked: u64,
    /// The number of children that had not been visited before.
    fresh: u64,
    /// The number of ended positions that had not been seen before, by table byte.
    over: [u64; 256],
}

/// Checks the value of every position that can arise from `root`, or from the start if `root` is `None`. Also checks
/// that the table has no other positions, and that its counts are right.
pub fn audit_retrograde<G: Cyclic>(
    game: &G,
    root: Option<&G::Position>,
    table: &Table,
    progress: &dyn Progress,
) -> Result<()> {
    let stored = StoredTable::read(game, table)?;
    let set = || SharedSet::new(stored.bytes.len() as u64);
    let (visited, pending) = (set()?, set()?);
    let ended = EndedPositions::new(game.keys().into())?;
    let grades = ValueGrades::new::<G::Value>();
    let audit = Audit { auditor: Auditor { game, table }, stored, grades, visited, pending, ended };
    progress.begin("Step 3: audit", table.header.positions.get());
    let root = &root.copied().unwrap_or_else(|| game.start());
    if !game.is_terminal(root) {
        let place = audit.stored.place(game.rank(root)).ok_or_else(|| audit.auditor.without_root())? as u64;
        audit.visited.insert(place);
        audit.pending.insert(place);
    }
    // Each round takes the pending positions in key order, because positions that are close together have children that
    // are close together.
    let (mut checked, mut visited) = (0, audit.visited.count());
    while checked < visited {
        let visit = |chunk: usize| audit.visit(chunk as u64, progress);
        let add = |a: (u64, u64), b: (u64, u64)| (a.0 + b.0, a.1 + b.1);
        let (more, fresh) = parallel::try_reduce(audit.pending.chunks() as usize, visit, add)?;
        checked += more;
        visited += fresh;
    }
    let checked = audit.counts_agree()?;
    progress.end(&format!("{checked} positions, every value agrees with its moves"));
    Ok(())
}

impl<G: Cyclic> Audit<'_, G> {
    /// Checks the pending positions of a chunk. Returns their number, and the number of their children that had not
    /// been visited before.
    fn visit(&self, chunk: u64, progress: &dyn Progress) -> Result<(u64, u64)> {
        let mut group = KeyGroup { positions: Vec::with_capacity(FETCHED), next: Vec::new(), moves: Vec::new() };
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

    /// Makes all moves of a position by the rules and prefetches the data of its children.
    fn make_moves(&self, place: u64, group: &mut KeyGroup<G>) {
        let game = self.auditor.game;
        let position = game.position(G::Key::of(self.stored.key(place)));
        game.each_next(&position, &mut group.moves, |child| {
            let key = game.rank(child);
            // `is_terminal` comes first, because `terminal_value` has to make the moves of a nonterminal position.
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

    /// Checks the value of each position in a group against its children, marks the children as visited, and empties
    /// the group.
    fn check(&self, group: &mut KeyGroup<G>, found: &mut Tallied) -> Result<()> {
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
                let worth = self.grades.of_move[usize::from(child)];
                missing |= worth == 0;
                best = best.max(worth);
            }
            let right = match first == end {
                // Without moves, the rules give the value.
                true => self.auditor.game.terminal_value(&position).is_some_and(|value| value.to_byte() == byte),
                false => best != 0 && best == self.grades.of_position[usize::from(byte)],
            };
            if missing || !right {
                let breach = if missing { Breach::MissingChild } else { Breach::WrongValue };
                return Err(self.auditor.error(self.stored.key(place), breach));
            }
            found.checked += 1;
            first = end;
        }
        group.next.clear();
        Ok(())
    }

    /// Checks that the table has no more positions than were visited, and that its counts are right. Returns the number
    /// of positions, ended ones included.
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

/// Checks `count` different positions. The choice is random, but the same each time. Returns the number of positions
/// checked, which is smaller if few keys have positions.
pub fn audit_retrograde_sample<G: Cyclic>(game: &G, table: &Table, count: u64, progress: &dyn Progress) -> Result<u64> {
    if table.header.index_kind == IndexKind::SortedKeys {
        return audit_sample(game, table, count, progress);
    }
    progress.begin("Step 3: sample", count);
    let (auditor, mut draw, mut moves) = (Auditor { game, table }, SampleRng::default(), Vec::new());
    let mut checked = HashSet::new();
    // If few keys belong to positions, most draws fail. So the number of draws is limited.
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
