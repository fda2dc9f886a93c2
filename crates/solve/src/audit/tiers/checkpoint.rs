//! The state that an audit of tiers keeps on disk, so that a stopped audit can resume.
//!
//! Two files are written in turn; each is a store ([`Store`]). The first section of a store has the hash of the table's
//! header and the number of marked tiers. The second section has the index of the next tier and the counts of values so
//! far. The marks of each marked tier follow. A file that is incomplete, or belongs to another table, is ignored.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use super::marks::{KeepMarks, TierMarks};
use crate::tiers::Tiered;
use crate::{Result, SolveOptions};
use yomikiri_table::{Identity, NewSection, Store, Table, TableError, Tally, has_work, remove_work};

/// The extensions of the two files.
pub const CHECKPOINT_EXTENSIONS: [&str; 2] = ["audit0", "audit1"];

/// Limits the time for writing the state to about 1 / `SHARE` of the total time.
const SHARE: u32 = 20;

/// The two state files of an audit.
pub struct AuditCheckpoint {
    /// The path of the table without its extension.
    base: PathBuf,
    identity: Identity,
    /// The hash in the table's header.
    hash: u64,
    /// The least time between two saved states.
    every: Duration,
    /// The index, 0 or 1, of the file to write next.
    turn: usize,
    /// The time of the last save.
    last: Instant,
}

impl AuditCheckpoint {
    /// Reads the newest complete state of an earlier run, and adds the marks of that state to `marks`. Returns the
    /// checkpoint to write to, and a pair: the index of the next tier to audit, and the counts so far. The pair is
    /// `None` if there is no complete state of this table.
    pub fn take_up<G: Tiered>(
        game: &G,
        table: &Table,
        options: &SolveOptions,
        marks: &mut TierMarks<G>,
    ) -> Result<(AuditCheckpoint, Option<(usize, Tally)>)> {
        let base = table.path().with_extension("");
        let (identity, hash) = (Identity::of(game, "audit"), table.header.header_hash.get());
        let mut kept =
            AuditCheckpoint { base, identity, hash, every: options.checkpoint, turn: 0, last: Instant::now() };
        if options.force {
            remove_checkpoint(&kept.base)?;
        }
        let mut newest: Option<Store> = None;
        for (turn, part) in CHECKPOINT_EXTENSIONS.iter().enumerate() {
            if !has_work(&kept.part(part)) {
                continue;
            }
            let store = match Store::open(&kept.part(part), &kept.identity, false) {
                // The file is of another version of the program, so its state is discarded.
                Err(TableError::Foreign { .. }) => Store::open(&kept.part(part), &kept.identity, true)?,
                opened => opened?,
            };
            let next = |store: &Store| store.entries[1].key;
            if kept.is_whole(&store) && newest.as_ref().is_none_or(|newest| next(newest) < next(&store)) {
                (kept.turn, newest) = (1 - turn, Some(store));
            }
        }
        let Some(store) = newest else { return Ok((kept, None)) };
        let tiers = store.entries[2..].iter().map(|entry| marks.tier_of(entry.key, entry.rows));
        let Some(tiers) = tiers.collect::<Option<Vec<usize>>>() else { return Ok((kept, None)) };
        for (tier, number) in tiers.into_iter().zip(2..) {
            let read = marks.read(tier, &store.section(number))?;
            marks.put(tier, 0, read)?;
        }
        let state = &store.entries[1];
        let state = (state.key as usize, state.tally.clone());
        Ok((kept, Some(state)))
    }

    fn part(&self, part: &str) -> PathBuf {
        self.base.with_added_extension(part)
    }

    fn is_whole(&self, store: &Store) -> bool {
        let [first, _, marks @ ..] = &store.entries[..] else { return false };
        first.key == self.hash && first.rows == marks.len() as u64
    }

    /// Writes the state before the audit of tier `next` if at least the time `every` has passed since the last save. If
    /// `every` is 0, writes the state only if `is_new_ply` is true, which means that tier `next` is the first of its
    /// ply.
    pub fn keep_in_time<G: Tiered>(
        &mut self,
        next: usize,
        is_new_ply: bool,
        tally: &Tally,
        marks: &TierMarks<G>,
    ) -> Result<()> {
        let is_time = if self.every.is_zero() { is_new_ply } else { self.last.elapsed() >= self.every };
        if !is_time {
            return Ok(());
        }
        let begun = Instant::now();
        let mut store = Store::open(&self.part(CHECKPOINT_EXTENSIONS[self.turn]), &self.identity, true)?;
        let tiers = marks.tiers();
        store.append(word(self.hash, tiers.len() as u64, Tally::default()))?;
        store.append(word(next as u64, 0, tally.clone()))?;
        tiers.iter().try_for_each(|&tier| marks.with_section(tier, |section| store.append(section)))?;
        self.turn = 1 - self.turn;
        if !self.every.is_zero() {
            self.every = self.every.max(SHARE * begun.elapsed());
        }
        self.last = Instant::now();
        Ok(())
    }
}

/// Returns a section without blocks. It stores two numbers, as its key and its number of rows, and a tally.
fn word(key: u64, rows: u64, tally: Tally) -> NewSection<'static> {
    NewSection { key, rows, tally, blocks: 0, plain: &|_| Vec::new() }
}

/// Returns true if an audit of the table at `base`, a path without extension, has left files.
pub fn has_checkpoint(base: &Path) -> bool {
    CHECKPOINT_EXTENSIONS.iter().any(|part| has_work(&base.with_added_extension(part)))
}

/// Deletes the files that an audit of the table at `base`, a path without extension, has left.
pub fn remove_checkpoint(base: &Path) -> Result<()> {
    Ok(CHECKPOINT_EXTENSIONS.iter().try_for_each(|part| remove_work(&base.with_added_extension(part)))?)
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::Ordering;

    use super::*;
    use crate::Solvable;
    use crate::audit::{Marks, UNAUDITED};
    use crate::tiers::Part;
    use yomikiri_rules::Game;
    use yomikiri_rules::games::binarsi::Binarsi;
    use yomikiri_table::{Silent, probe};

    /// Returns a table that has not been audited.
    fn unaudited(folder: &Path) -> (Binarsi, Table) {
        let game = Binarsi::parse("bin3x3").unwrap();
        let path = folder.join("bin3x3").with_added_extension(UNAUDITED);
        game.solve(None, &path, &options(1 << 20, Duration::MAX)).unwrap();
        let table = probe::open(&game, &path).unwrap();
        (game, table)
    }

    fn options(memory: u64, checkpoint: Duration) -> SolveOptions<'static> {
        SolveOptions { memory, force: false, checkpoint, progress: &Silent }
    }

    #[test]
    fn an_audit_goes_on_from_the_newest_whole_state() {
        let folder = tempfile::tempdir().unwrap();
        let (game, table) = unaudited(folder.path());
        let graph = game.tier_graph();
        let options = options(0, Duration::ZERO);
        let take_up = |room| {
            let mut marks = TierMarks::new(&game, &graph, room);
            let (kept, state) = AuditCheckpoint::take_up(&game, &table, &options, &mut marks).unwrap();
            (kept, state, marks)
        };
        let (mut kept, state, mut marks) = take_up(0);
        assert!(state.is_none() && marks.tiers().is_empty());
        let mut tally = Tally::default();
        for (next, node) in graph.iter().enumerate().take(4).skip(1) {
            let new = Marks::new(&Part::whole(node.rows)).unwrap();
            new.0[0].store(next as u64 * 5, Ordering::Relaxed);
            marks.put(next, 0, new).unwrap();
            tally.add(0, 7, 1);
            kept.keep_in_time(next, true, &tally, &marks).unwrap();
        }
        for room in [0, 1 << 20] {
            let (kept, state, mut marks) = take_up(room);
            assert_eq!((kept.turn, state, marks.tiers()), (1, Some((3, tally.clone())), vec![1, 2, 3]));
            for tier in 1..=3 {
                let marks = marks.take(tier, 0).unwrap().unwrap();
                assert!(
                    marks.0.iter().enumerate().all(|(row, word)| {
                        word.load(Ordering::Relaxed) == if row == 0 { tier as u64 * 5 } else { 0 }
                    })
                );
            }
            assert!(marks.take(4, 0).unwrap().is_none() && marks.tiers().is_empty());
        }
        // If the newest state is cut off, the one before it counts. If both are, neither does.
        for (turn, expected) in [(0, Some(2)), (1, None)] {
            let journal = folder.path().join(format!("bin3x3.{}.journal", CHECKPOINT_EXTENSIONS[turn]));
            let bytes = std::fs::read(&journal).unwrap();
            std::fs::write(&journal, &bytes[..bytes.len() - 1]).unwrap();
            assert_eq!(take_up(0).1.map(|(next, _)| next), expected);
        }
        let base = folder.path().join("bin3x3");
        assert!(has_checkpoint(&base));
        remove_checkpoint(&base).unwrap();
        assert!(!has_checkpoint(&base));
        assert_eq!(folder.path().read_dir().unwrap().count(), 1);
    }

    #[test]
    fn what_was_kept_about_another_table_is_not_taken_up() {
        let folder = tempfile::tempdir().unwrap();
        let (game, table) = unaudited(folder.path());
        let graph = game.tier_graph();
        let mut marks = TierMarks::new(&game, &graph, 0);
        let options = options(0, Duration::ZERO);
        let (mut kept, _) = AuditCheckpoint::take_up(&game, &table, &options, &mut marks).unwrap();
        kept.hash ^= 1;
        kept.keep_in_time(2, true, &Tally::default(), &marks).unwrap();
        assert!(AuditCheckpoint::take_up(&game, &table, &options, &mut marks).unwrap().1.is_none());
    }
}
