//! The audit of cyclic games. It visits every position that can arise from the root position, each exactly once.

use std::collections::{BTreeMap, HashSet};
use std::ops::Range;

use super::sample::SampleRng;
use super::{Auditor, ValueGrades, audit_sample};
use crate::counts::ByteCounts;
use crate::key_index::KeyIndex;
use crate::retrograde::{AuditPlan, Cyclic, DenseKey, read, read_ranked, value};
use crate::space::{CHUNK, EndedPositions, RankedSet, SharedSet};
use crate::{Breach, Result, SolveOptions};

use yomikiri_rules::{Game, Value};
use yomikiri_table::memory::Zeros;
use yomikiri_table::memory::prefetch;
use yomikiri_table::{IndexKind, Progress, Table, Tally, parallel};

/// The place of each position of a table, a number.
trait Places: Sync {
    /// True if [`Places::place`] reads memory that is worth a prefetch.
    const HAS_PREFETCH: bool;

    /// Returns the place of a key; `None` if the table has no place for it.
    fn place(&self, key: u64) -> Option<usize>;

    /// Prefetches the memory that [`Places::place`] reads.
    fn prefetch(&self, key: u64);

    /// Returns a function from places to keys, for places in ascending order, from `first` on.
    fn keys_from(&self, first: u64) -> impl FnMut(u64) -> u64 + '_;
}

/// Places for a fast audit.
enum Direct {
    /// The place of a position is its key, which is below this number.
    Keys(usize),
    /// The place of a position is the number of smaller keys in this list, which has this index.
    Sorted(Vec<u64>, KeyIndex),
}

impl Places for Direct {
    const HAS_PREFETCH: bool = false;

    #[inline(always)]
    fn place(&self, key: u64) -> Option<usize> {
        match self {
            Direct::Keys(len) => Some(key as usize).filter(|place| place < len),
            Direct::Sorted(keys, index) => index.find(keys, key),
        }
    }

    fn prefetch(&self, _: u64) {}

    #[inline(always)]
    fn keys_from(&self, _: u64) -> impl FnMut(u64) -> u64 + '_ {
        move |place| match self {
            Direct::Keys(_) => place,
            Direct::Sorted(keys, _) => keys[place as usize],
        }
    }
}

/// Places for an audit in little memory.
impl Places for RankedSet {
    const HAS_PREFETCH: bool = true;

    #[inline(always)]
    fn place(&self, key: u64) -> Option<usize> {
        RankedSet::place(self, key).map(|place| place as usize)
    }

    #[inline(always)]
    fn prefetch(&self, key: u64) {
        RankedSet::prefetch(self, key);
    }

    #[inline(always)]
    fn keys_from(&self, first: u64) -> impl FnMut(u64) -> u64 + '_ {
        let mut cursor = self.cursor(first);
        move |place| cursor.number(place)
    }
}

struct Audit<'a, G, P> {
    auditor: Auditor<'a, G>,
    places: P,
    /// The table bytes, indexed by the places of positions; 0 if no position has the place.
    bytes: Zeros<u8>,
    grades: ValueGrades,
    visited: SharedSet,
    /// The visited positions that have not been checked yet.
    pending: SharedSet,
    /// The keys of the ended positions that are counted now. If memory is short, the audit counts some of them at a
    /// time.
    counted: Range<u64>,
    /// The ended positions among those keys, each as the distance of its key from the first.
    ended: EndedPositions,
}

/// The number of positions in a [`KeyGroup`]. The moves of all these positions are made before any child is looked up,
/// so that prefetches have time to arrive.
const FETCHED: usize = 16;

/// The child that a move leads to.
enum Next {
    /// A nonterminal child whose place has not been looked up yet. The field is its key.
    Open(u64),
    /// A nonterminal child. The field is its place in the table.
    Stored(u64),
    /// A terminal child, with its key and its table byte.
    Over(u64, u8),
    /// A nonterminal child that has no place in the table.
    Missing,
}

/// Positions that are checked together.
struct KeyGroup<G: Game> {
    /// For each position: its place in the table, the position, and the end of the range of its moves in `next`.
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
/// that the table has no other positions, and that its counts are right. `options` have the memory.
pub fn audit_retrograde<G: Cyclic>(
    game: &G,
    root: Option<&G::Position>,
    table: &Table,
    options: &SolveOptions,
) -> Result<()> {
    let (positions, memory) = (table.header.positions.get(), options.memory);
    let plan = match table.header.index_kind {
        IndexKind::SortedKeys => AuditPlan::of_sorted_keys(game, positions, memory),
        _ => AuditPlan::of_rows(game, positions, memory),
    };
    audit_by(game, root, table, &plan, options.progress)
}

/// Like [`audit_retrograde`], as planned.
fn audit_by<G: Cyclic>(
    game: &G,
    root: Option<&G::Position>,
    table: &Table,
    plan: &AuditPlan,
    progress: &dyn Progress,
) -> Result<()> {
    progress.begin("Step 3: audit", table.header.positions.get());
    if table.header.index_kind == IndexKind::SortedKeys {
        let (keys, bytes) = sorted_keys(table)?;
        let index = KeyIndex::new(&keys);
        audit(game, root, table, Direct::Sorted(keys, index), bytes, plan.passes, progress)
    } else if plan.is_ranked {
        let (set, bytes) = read_ranked(game, table)?;
        audit(game, root, table, set, bytes, plan.passes, progress)
    } else {
        let bytes = read(game, table)?;
        audit(game, root, table, Direct::Keys(bytes.len()), bytes, plan.passes, progress)
    }
}

/// Reads a table of sorted keys.
fn sorted_keys(table: &Table) -> Result<(Vec<u64>, Zeros<u8>)> {
    let (keys, values) = crate::sorted_keys::read(table)?;
    let mut bytes = Zeros::new(values.len())?;
    bytes[..values.len()].copy_from_slice(&values);
    Ok((keys, bytes))
}

/// Audits a table that is in memory: the table bytes, by the places of positions. Counts the ended positions in `passes`
/// passes.
fn audit<G: Cyclic, P: Places>(
    game: &G,
    root: Option<&G::Position>,
    table: &Table,
    places: P,
    bytes: Zeros<u8>,
    passes: u64,
    progress: &dyn Progress,
) -> Result<()> {
    let set = || SharedSet::new(bytes.len() as u64);
    let (visited, pending) = (set()?, set()?);
    let keys: u64 = game.keys().into();
    let size = keys.div_ceil(passes);
    let ended = EndedPositions::new(size)?;
    let grades = ValueGrades::new::<G::Value>();
    let auditor = Auditor { game, table };
    let mut audit = Audit { auditor, places, bytes, grades, visited, pending, counted: 0..size, ended };
    let root = &root.copied().unwrap_or_else(|| game.start());
    if !game.is_terminal(root) {
        let place = audit.places.place(game.rank(root)).ok_or_else(|| audit.auditor.without_root())? as u64;
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
    let mut ended = audit.ended.counts();
    for pass in 1..passes {
        progress.end(&format!("{visited} positions agree, pass {pass} of {passes} over the ended positions"));
        progress.begin(&format!("Step 3: audit, pass {} of {passes}", pass + 1), table.header.positions.get());
        audit.count_ended(pass * size..(pass + 1) * size, progress)?;
        audit.ended.counts().into_iter().for_each(|(byte, count)| *ended.entry(byte).or_default() += count);
    }
    let checked = audit.counts_agree(&ended)?;
    progress.end(&format!("{checked} positions, every value agrees with its moves"));
    Ok(())
}

impl<G: Cyclic, P: Places> Audit<'_, G, P> {
    /// Checks the pending positions of a chunk. Returns their number, and the number of their children that had not
    /// been visited before.
    fn visit(&self, chunk: u64, progress: &dyn Progress) -> Result<(u64, u64)> {
        let mut group = KeyGroup { positions: Vec::with_capacity(FETCHED), next: Vec::new(), moves: Vec::new() };
        let mut found = Tallied { checked: 0, fresh: 0, over: [0; 256] };
        let (mut result, mut key_at) = (Ok(()), self.places.keys_from(chunk * CHUNK));
        self.pending.take_chunk(chunk, |place| {
            if result.is_ok() {
                self.make_moves(place, key_at(place), &mut group);
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

    /// Makes all moves of the position at `place` by the rules and prefetches the data of its children. `key` is the
    /// key of the position.
    fn make_moves(&self, place: u64, key: u64, group: &mut KeyGroup<G>) {
        let game = self.auditor.game;
        let position = game.position(G::Key::of(key));
        game.each_next(&position, &mut group.moves, |child| {
            let key = game.rank(child);
            // `is_terminal` comes first, because `terminal_value` has to make the moves of a nonterminal position.
            group.next.push(if game.is_terminal(child) {
                if self.counted.contains(&key) {
                    self.ended.prefetch(key - self.counted.start);
                }
                Next::Over(key, game.terminal_value(child).map_or(0, Value::to_byte))
            } else if P::HAS_PREFETCH {
                self.places.prefetch(key);
                Next::Open(key)
            } else {
                self.look_up(key)
            });
        });
        group.positions.push((place, position, group.next.len()));
    }

    /// Looks up the place of a nonterminal child and prefetches its data.
    #[inline(always)]
    fn look_up(&self, key: u64) -> Next {
        match self.places.place(key) {
            Some(place) => {
                prefetch(&self.bytes[place]);
                self.visited.prefetch(place as u64);
                Next::Stored(place as u64)
            }
            None => Next::Missing,
        }
    }

    /// Checks the value of each position in a group against its children, marks the children as visited, and empties
    /// the group.
    fn check(&self, group: &mut KeyGroup<G>, found: &mut Tallied) -> Result<()> {
        if P::HAS_PREFETCH {
            for next in &mut group.next {
                if let Next::Open(key) = *next {
                    *next = self.look_up(key);
                }
            }
        }
        let mut first = 0;
        for (place, position, end) in group.positions.drain(..) {
            let byte = self.bytes[place as usize];
            let (mut best, mut missing) = (0, false);
            for next in &group.next[first..end] {
                let child = match *next {
                    Next::Over(key, byte) => {
                        if self.counted.contains(&key) {
                            self.ended.note(key - self.counted.start, byte, &mut found.over);
                        }
                        byte
                    }
                    Next::Stored(place) => {
                        let byte = self.bytes[place as usize];
                        if byte != 0 && self.visited.insert(place) {
                            self.pending.insert(place);
                            found.fresh += 1;
                        }
                        byte
                    }
                    Next::Open(_) | Next::Missing => 0,
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
                return Err(self.auditor.error(self.places.keys_from(place)(place), breach));
            }
            found.checked += 1;
            first = end;
        }
        group.next.clear();
        Ok(())
    }

    /// Makes all moves once more, and counts the ended positions with these keys instead of those counted before.
    fn count_ended(&mut self, keys: Range<u64>, progress: &dyn Progress) -> Result<()> {
        // The old set is freed first.
        self.ended = EndedPositions::new(0)?;
        (self.ended, self.counted) = (EndedPositions::new(keys.end - keys.start)?, keys);
        let audit = &*self;
        self.visited.each_chunk(|chunk| {
            let (mut over, mut moves, mut key_at) = ([0; 256], Vec::new(), audit.places.keys_from(chunk * CHUNK));
            let mut count = 0;
            audit.visited.visit_chunk(chunk, |place| {
                count += 1;
                let game = audit.auditor.game;
                game.each_next(&game.position(G::Key::of(key_at(place))), &mut moves, |child| {
                    let key = game.rank(child);
                    if audit.counted.contains(&key) && game.is_terminal(child) {
                        let byte = game.terminal_value(child).map_or(0, Value::to_byte);
                        audit.ended.note(key - audit.counted.start, byte, &mut over);
                    }
                });
            });
            audit.ended.add(&over);
            progress.advance(count);
        });
        Ok(())
    }

    /// Checks that the table has no more positions than were visited, and that its counts are right. `ended` has the
    /// number of ended positions by table byte. Returns the number of positions, ended ones included.
    fn counts_agree(&self, ended: &BTreeMap<u8, u64>) -> Result<u64> {
        let mut tally = Tally::default();
        ByteCounts::of(&self.bytes).add_to(&mut tally, 0);
        let visited = self.visited.count();
        if visited != tally.positions() {
            let extra = tally.positions() - visited;
            return Err(self.auditor.table.damaged(format!("holds {extra} positions that cannot arise")).into());
        }
        self.auditor.check_counts(&tally, ended)?;
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

#[cfg(all(test, feature = "write"))]
mod tests {
    use std::borrow::Cow;
    use std::time::Duration;

    use super::*;
    use crate::retrograde::{DenseBytes, analyze_dense, write};
    use yomikiri_rules::games::pyonpyon::Pyonpyon;
    use yomikiri_rules::{HasDistance, Outcome};
    use yomikiri_table::{Meta, Silent, probe};

    /// Changes the table of a game, a byte or a count at a time. Checks that each method of the audit finds each change,
    /// and that the sound table passes.
    fn each_audit_finds_each_change<G: Cyclic>(code: &str) {
        let (game, folder) = (G::parse(code).unwrap(), tempfile::tempdir().unwrap());
        let options = SolveOptions { memory: 1 << 40, force: false, checkpoint: Duration::MAX, progress: &Silent };
        let path = folder.path().join("sound.tbl");
        analyze_dense(&game, &path, &options).unwrap();
        let table = probe::open(&game, &path).unwrap();
        let (bytes, meta) = (read(&game, &table).unwrap().to_vec(), table.meta().unwrap());
        let passes = |name: &str, bytes: &[u8], ended: &BTreeMap<u8, u64>| {
            let mut tally = Tally::default();
            ByteCounts::of(bytes).add_to(&mut tally, 0);
            let path = folder.path().join(name);
            let of_block = |range: Range<u64>| Cow::Borrowed(&bytes[range.start as usize..range.end as usize]);
            let meta = Meta::of(&game, &game.start(), tally, ended.clone());
            write(&game, DenseBytes { keys: bytes.len() as u64, bytes: &of_block }, &meta, &path, || Ok(())).unwrap();
            let table = probe::open(&game, &path).unwrap();
            [(true, 4), (true, 2), (true, 1), (false, 1)].map(|(is_ranked, passes)| {
                audit_by(&game, None, &table, &AuditPlan { is_ranked, passes }, &Silent).is_ok()
            })
        };
        assert_eq!(passes("same.tbl", &bytes, &meta.ended), [true; 4], "{code}");
        let positions: Vec<usize> = (0..bytes.len()).filter(|&key| bytes[key] != 0).collect();
        let loss = G::Value::of(Outcome::Loss, 6).to_byte();
        for (number, &key) in positions.iter().enumerate().step_by(positions.len() / 7) {
            for byte in [0, if bytes[key] == loss { G::Value::of(Outcome::Draw, 0).to_byte() } else { loss }] {
                let mut changed = bytes.clone();
                changed[key] = byte;
                let name = format!("{number}-{byte}.tbl");
                assert_eq!(passes(&name, &changed, &meta.ended), [false; 4], "{code}: key {key}, byte {byte}");
            }
        }
        let free = (0..bytes.len()).filter(|&key| bytes[key] == 0);
        for key in free.step_by(bytes.len() / 5) {
            let mut changed = bytes.clone();
            changed[key] = loss;
            assert_eq!(passes(&format!("{key}.tbl"), &changed, &meta.ended), [false; 4], "{code}: key {key}");
        }
        for (&byte, &count) in &meta.ended {
            let mut ended = meta.ended.clone();
            ended.insert(byte, count + 1);
            assert_eq!(passes(&format!("ended-{byte}.tbl"), &bytes, &ended), [false; 4], "{code}: byte {byte}");
        }
    }

    #[test]
    fn each_method_of_the_audit_finds_each_change() {
        ["pyon3x3B", "pyon3x4", "pyon2x5"].into_iter().for_each(each_audit_finds_each_change::<Pyonpyon>);
    }
}
