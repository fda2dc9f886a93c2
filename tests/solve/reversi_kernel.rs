//! Tests of the occupancy kernel for reversi: runs that are stopped at any moment, and the audit of tables with errors.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::support::games::{legal_moves, reversi};
use crate::support::solving::{analyzed, job};
use tempfile::TempDir;
use yomikiri_rules::games::reversi::{Position, Reversi};
use yomikiri_rules::{CodedValue, Game, Score, Value, ValueCodec};
use yomikiri_search::brute;
use yomikiri_solve::{Solvable, SolveError, SolveOptions, pipeline};
use yomikiri_table::blocks::ROWS_PER_BLOCK;
use yomikiri_table::probe::open;
use yomikiri_table::{Identity, IndexKind, Meta, NewSection, Progress, Store, Table, Tally};

// The kernel

/// Copies the files of a run at every `every`-th progress report, as a kill at that moment would leave them.
struct Snapshots {
    from: PathBuf,
    to: PathBuf,
    calls: AtomicUsize,
    every: usize,
}

impl Progress for Snapshots {
    fn begin(&self, _: &str, _: u64) {}

    fn advance(&self, _: u64) {
        let call = self.calls.fetch_add(1, Ordering::SeqCst);
        if call.is_multiple_of(self.every) {
            let to = self.to.join(format!("{call}"));
            std::fs::create_dir(&to).unwrap();
            for file in std::fs::read_dir(&self.from).unwrap().map(|file| file.unwrap()) {
                std::fs::copy(file.path(), to.join(file.file_name())).unwrap();
            }
        }
    }

    fn end(&self, _: &str) {}
}

/// Cuts the last `records` records off a journal, but leaves the first half of the first one of them. The cut is
/// usually in the middle of a ply.
fn cut(journal: &Path, records: usize) {
    let bytes = std::fs::read(journal).unwrap();
    let length = |at: usize| 12 + u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap()) as usize;
    let mut ends = vec![length(0)];
    while let Some(&end) = ends.last().filter(|&&end| end < bytes.len()) {
        ends.push(end + length(end));
    }
    let last = ends.len().saturating_sub(records).max(1) - 1;
    let half = ends.get(last + 1).map_or(0, |end| (end - ends[last]) / 2);
    std::fs::write(journal, &bytes[..ends[last] + half]).unwrap();
}

#[test]
fn a_run_stopped_at_any_moment_goes_on_to_the_same_bytes() {
    for (code, every) in [("rev3x4", 17), ("rev4x4", 97), ("rev4x4-p", 101), ("rev5x3-w", 97)] {
        let (game, from, to) = (reversi(code), tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let (calls, every) = (AtomicUsize::new(0), every);
        let snapshots = Snapshots { from: from.path().into(), to: to.path().into(), calls, every };
        let whole =
            pipeline::analyze(&game, None, from.path(), &SolveOptions { progress: &snapshots, ..job() }).unwrap().table;
        let expected = std::fs::read(whole.path()).unwrap();
        let (mut stopped, mut with_values) = (0, 0);
        for folder in std::fs::read_dir(to.path()).unwrap().map(|folder| folder.unwrap().path()) {
            let journal = folder.join(format!("{code}.journal"));
            with_values += usize::from(journal.exists());
            if journal.exists() {
                cut(&journal, 5 * stopped);
            }
            assert_eq!(std::fs::read(analyzed(&game, &folder).path()).unwrap(), expected, "{}", folder.display());
            let left = std::fs::read_dir(&folder).unwrap().map(|file| file.unwrap().file_name().into_string().unwrap());
            assert!(left.into_iter().all(|name| name.ends_with(".tbl") || name.ends_with(".lock")));
            stopped += 1;
        }
        assert!(stopped >= 10 && with_values >= 3, "{code}: {stopped} stops, {with_values} of them with values");
    }
}

#[test]
fn too_little_memory_is_an_error_that_says_how_much() {
    let (game, folder) = (reversi("rev6x4"), tempfile::tempdir().unwrap());
    let little = SolveOptions { memory: 1 << 29, ..job() };
    let error = pipeline::analyze(&game, None, folder.path(), &little).err().unwrap();
    assert!(matches!(error, SolveError::TooLarge(_)));
    let needed = game.memory_needed().unwrap();
    assert_eq!(
        error.to_string(),
        format!("rev6x4: a run needs more memory; --memory {}M is enough", needed.div_ceil(1 << 20))
    );
    assert!((1 << 29..1 << 31).contains(&needed), "{needed}");
}

// The audit

/// The table of a board, possibly with changed content.
struct Altered {
    game: Reversi,
    _folder: TempDir,
    table: Table,
}

impl Altered {
    /// Makes a table with content changed by `alter` and the original meta data.
    fn new(code: &str, alter: impl FnOnce(&Reversi, &mut BTreeMap<u64, u8>)) -> Altered {
        Altered::with_meta(code, |game, content, _| alter(game, content))
    }

    fn with_meta(code: &str, alter: impl FnOnce(&Reversi, &mut BTreeMap<u64, u8>, &mut Meta)) -> Altered {
        let (game, folder) = (reversi(code), tempfile::tempdir().unwrap());
        let sound = analyzed(&game, folder.path());
        let entries = game.entry_reader(&sound).unwrap()(0..u64::MAX).unwrap();
        let mut content = entries.keys.into_iter().zip(entries.bytes).collect();
        let mut meta = sound.meta().unwrap();
        alter(&game, &mut content, &mut meta);
        let identity = Identity::of(&game, "altered");
        let mut store = Store::open(&folder.path().join("altered"), &identity, true).unwrap();
        for section in sound.sections().unwrap() {
            append(&mut store, section.key, section.rows, &mut content);
        }
        // A position outside all sections of the table gets a section of its own.
        while let Some((&key, _)) = content.first_key_value() {
            append(&mut store, key, 1, &mut content);
        }
        let path = folder.path().join("altered.tbl");
        store.finish(&path, IndexKind::Tiers, ValueCodec::Score as u8, &identity, &meta).unwrap();
        let table = open(&game, &path).unwrap();
        Altered { game, _folder: folder, table }
    }

    fn audit(&self) -> Result<(), SolveError> {
        self.game.audit(None, &self.table, &job())
    }

    fn complaint(&self) -> String {
        self.audit().unwrap_err().to_string()
    }
}

/// Removes the positions of a section from `content` and writes the section.
fn append(store: &mut Store, key: u64, rows: u64, content: &mut BTreeMap<u64, u8>) {
    let mut later = content.split_off(&key);
    let mut rest = later.split_off(&(key + 64 * rows));
    content.append(&mut rest);
    let block = |block: usize| {
        let first = key + (64 * ROWS_PER_BLOCK * block) as u64;
        let rows = (rows as usize - ROWS_PER_BLOCK * block).min(ROWS_PER_BLOCK);
        let mut words = vec![0u64; rows];
        let mine: Vec<(u64, u8)> =
            later.range(first..first + 64 * rows as u64).map(|(&key, &byte)| (key, byte)).collect();
        mine.iter().for_each(|(key, _)| words[((key - first) >> 6) as usize] |= 1 << ((key - first) & 63));
        words.iter().flat_map(|word| word.to_le_bytes()).chain(mine.iter().map(|&(_, byte)| byte)).collect::<Vec<u8>>()
    };
    let mut tally = Tally::default();
    later.values().for_each(|&byte| tally.add(0, byte, 1));
    let blocks = (rows as usize).div_ceil(ROWS_PER_BLOCK);
    store.append(NewSection { key, rows, tally, blocks, plain: &block }).unwrap();
}

/// Returns the keys in a table whose positions have `discs` discs.
fn keys_of_ply(game: &Reversi, content: &BTreeMap<u64, u8>, discs: u32) -> Vec<u64> {
    let in_ply = |key: &u64| game.ply(&game.unrank(*key).unwrap()) == discs;
    content.keys().copied().filter(in_ply).collect()
}

/// Returns the keys and value bytes of the canonical undecided positions with `discs` discs that are not in a table.
fn unlisted_positions(game: &Reversi, content: &BTreeMap<u64, u8>, discs: u32) -> Vec<(u64, u8)> {
    let positions = (0..3u64.pow(game.rules.board.area())).filter_map(|key| game.unrank(key));
    let fitting = |position: &Position| game.ply(position) == discs && !game.is_terminal(position);
    let missing = positions.filter(fitting).filter(|position| !content.contains_key(&game.rank(position)));
    missing
        .map(|position| (game.rank(&position), brute::solve(game, &position)[&game.rank(&position)].to_byte()))
        .collect()
}

/// Returns true if a table has all undecided positions after the moves of a position.
fn children_are_there(game: &Reversi, content: &BTreeMap<u64, u8>, key: u64) -> bool {
    let position = game.unrank(key).unwrap();
    let mut children = legal_moves(game, &position).into_iter().map(|mv| game.play(&position, mv));
    children.all(|child| game.is_terminal(&child) || content.contains_key(&game.rank(&child)))
}

#[test]
fn the_audit_lets_sound_tables_pass() {
    for code in ["rev3x3", "rev3x4", "rev4x4-p", "rev5x3-w", "rev4x4"] {
        Altered::new(code, |_, _| {}).audit().unwrap();
    }
}

#[test]
fn the_audit_finds_a_wrong_value_wherever_it_is() {
    for discs in 4..16 {
        let altered = Altered::new("rev4x4", |game, content| {
            let keys = keys_of_ply(game, content, discs);
            let byte = content.get_mut(&keys[keys.len() / 2]).unwrap();
            *byte = Score::new(i32::from(Score::from_byte(*byte).unwrap().points()) ^ 2).to_byte();
        });
        let complaint = altered.complaint();
        assert!(complaint.contains("has another value than that of its best move"), "{discs}: {complaint}");
    }
}

#[test]
fn the_audit_finds_a_missing_position_wherever_it_was() {
    for discs in 5..16 {
        let altered = Altered::new("rev4x4", |game, content| {
            let keys = keys_of_ply(game, content, discs);
            content.remove(&keys[keys.len() / 3]);
        });
        let complaint = altered.complaint();
        assert!(complaint.contains("has a child that is not in the table"), "{discs}: {complaint}");
    }
    let altered = Altered::new("rev4x4", |game, content| {
        content.remove(&game.rank(&game.start()));
    });
    assert!(altered.complaint().contains("the root position has no value"));
}

/// The added position has the right value and, if possible, all its children are in the table.
#[test]
fn the_audit_finds_a_position_that_cannot_arise() {
    for discs in [0, 1, 3, 4, 5, 7, 9, 10, 11] {
        let mut tried = 0;
        let altered = Altered::new("rev3x4", |game, content| {
            let strangers = unlisted_positions(game, content, discs);
            tried = strangers.len();
            let best = strangers.iter().find(|(key, _)| children_are_there(game, content, *key));
            content.extend(best.or(strangers.last()).copied());
        });
        if tried == 0 {
            assert!(discs < 2, "{discs}");
            continue;
        }
        let complaint = altered.complaint();
        let known = ["cannot arise: no move leads to it", "has a child that is not in the table"];
        assert!(known.iter().any(|known| complaint.contains(known)), "{discs}: {complaint}");
        assert!(discs != 11 || complaint.contains(known[0]), "{complaint}");
    }
}

#[test]
fn the_audit_finds_keys_of_no_position() {
    for discs in [4, 5, 8, 11] {
        let altered = Altered::new("rev3x4", |game, content| {
            // A mirror image of the first position is added with the key of the image, which is not canonical.
            let first = game.unrank(keys_of_ply(game, content, discs)[0]).unwrap();
            let mirrored = (1..4).map(|image| {
                let [own, other] = [first.own, first.other].map(|discs| game.rules.board.image(image, discs));
                yomikiri_rules::games::reversi::index::rank(game.rules.board, own, other)
            });
            content.extend(mirrored.filter(|&key| key != game.rank(&first)).max().map(|key| (key, 128)));
        });
        assert!(altered.complaint().contains("is not a position of this game"), "{discs}: {}", altered.complaint());
    }
}

#[test]
fn the_audit_holds_the_counts_against_the_positions() {
    let altered = Altered::with_meta("rev3x4", |_, _, meta| meta.tally.add(7, 128, 1));
    assert!(altered.complaint().contains("counts in the meta data"), "{}", altered.complaint());
}
