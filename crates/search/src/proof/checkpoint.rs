//! Checkpoints of proofs: the counts, and the entries of the transposition table.

use std::cell::RefCell;
use std::ops::ControlFlow;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::Xxh3;

use super::game::{FullPosition, ProofGame};
use super::numbers::{INFINITE, ProofNumbers};
use super::table::{ProofEntry, Room};
use super::{ProofState, Prover};
use crate::checkpoint::{self, Kind, ProgressCounts};
use yomikiri_table::TableError;

pub use crate::checkpoint::{MIN_FILE_SIZE, SavedCheckpoint};

/// A folder for the checkpoints of one proof.
pub type Checkpoints = checkpoint::Checkpoints<OfProof>;

/// The header of a proof checkpoint.
pub type Header = checkpoint::Header<ProofCounts>;

/// The result of resuming a proof from a checkpoint.
pub type Resumed = checkpoint::Resumed<OfProof>;

/// The progress of a proof, as in [`ProofState`], summed over all runs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ProofCounts {
    /// The number of positions expanded.
    pub expansions: u64,
    /// The work: one for each expansion, plus a fixed cost for each endgame solved without proof numbers.
    pub work: u64,
    /// The number of endgames solved without proof numbers.
    #[serde(rename = "readings")]
    pub endgames: u64,
    /// The number of nodes in the endgames solved without proof numbers.
    #[serde(rename = "read")]
    pub endgame_nodes: u64,
    /// The proof number of the position, or null if it is infinite.
    #[serde(rename = "wins")]
    pub pn: Option<u32>,
    /// The disproof number of the position, or null if it is infinite.
    #[serde(rename = "loses")]
    pub dn: Option<u32>,
    /// The size of the part of the table that was in use, in bytes. Files of version 0.2 and earlier lack it.
    #[serde(default)]
    pub table_bytes: Option<u64>,
}

impl ProgressCounts for ProofCounts {
    fn counts(&self) -> Vec<(&'static str, u64)> {
        let ProofCounts { expansions, work, endgames, endgame_nodes, .. } = *self;
        vec![("expansions", expansions), ("work", work), ("readings", endgames), ("read", endgame_nodes)]
    }

    fn work(&self) -> (u64, &'static str) {
        (self.expansions, "expansions")
    }
}

/// The checkpoint format of proofs. An entry consists of its key, `pn`, `dn` and the base-2 logarithm of its work.
pub struct OfProof;

impl Kind for OfProof {
    const NAME: &'static str = "proof";
    const MAGIC: [u8; 8] = *b"YOMIPROV";
    const VERSION: u16 = 1;

    type Counts = ProofCounts;
    type Entry = ProofEntry;
    type Numbers = [u64; 4];
    const WIDTHS: &'static [u32] = &[8, 4, 4, 1];

    fn numbers(entry: &ProofEntry) -> [u64; 4] {
        [entry.key, to_file(entry.numbers.pn), to_file(entry.numbers.dn), entry.work.into()]
    }

    fn entry([key, pn, dn, work]: [u64; 4]) -> Result<ProofEntry, String> {
        let numbers = ProofNumbers { pn: from_file(pn), dn: from_file(dn) };
        let entry = ProofEntry { key, numbers, work: (work as u8).min(63) };
        if numbers.is_possible() { Ok(entry) } else { Err(format!("an entry has impossible numbers, {pn} and {dn}")) }
    }

    /// Ranks a solved entry like an unsolved entry with 16 times the work. If a solved entry is dropped, all of its
    /// work is lost. The numbers of an unsolved entry can be computed again from the entries of later positions.
    fn priority(entry: &ProofEntry) -> usize {
        usize::from(entry.work) + if entry.numbers.mover_wins().is_some() { 4 } else { 0 }
    }
}

/// Converts a proof number to its form in the file, where infinity is `u32::MAX`, independent of the number of bits in
/// the table.
fn to_file(number: u32) -> u64 {
    if number >= INFINITE { u32::MAX.into() } else { number.into() }
}

/// Converts a number of a file to a proof number: the inverse of [`to_file`].
fn from_file(number: u64) -> u32 {
    if number == u64::from(u32::MAX) { INFINITE } else { (number as u32).min(INFINITE - 1) }
}

impl Checkpoints {
    /// Restores the newest readable checkpoint into the prover. Returns `None` if there are no checkpoint files.
    ///
    /// # Errors
    ///
    /// [`TableError::Foreign`] if a file belongs to another proof. Another error if there are files, but none can be
    /// read. After an error, the counts of the prover are unchanged.
    pub fn resume<P: ProofGame>(
        &mut self,
        prover: &mut Prover<P>,
        position: &FullPosition<P>,
    ) -> Result<Option<Resumed>, TableError> {
        let game = &prover.game;
        let (rules, keys) = (game.rules(), keys(game, position));
        let table = &prover.table;
        let mismatch = |header: &Header| header.mismatch(rules, position, keys, game.draws().is_some());
        // In a table as large as that of the file, every entry has a place. For other files, the table grows as needed.
        let room = RefCell::new(None);
        let prepare = |counts: &ProofCounts| match counts.table_bytes {
            Some(bytes) => table.grow_to(bytes),
            None => _ = room.borrow_mut().get_or_insert_with(|| Room::of(table)),
        };
        let resumed = self.read(&mismatch, &prepare, &mut |entry| {
            let was_free = table.restore(entry);
            room.borrow_mut().iter_mut().for_each(|room| room.used(was_free));
        })?;
        if let Some(Resumed { header, .. }) = &resumed {
            let ProofCounts { work, endgames, endgame_nodes, .. } = header.details;
            prover.set_counts([work, endgames, endgame_nodes]);
        }
        Ok(resumed)
    }

    /// Writes a checkpoint while other threads search. `spent` is the total time of all runs. `go_on` is called many
    /// times a second; when it returns false, the write stops and the result is `None`. A write that stops or fails
    /// leaves the last checkpoint readable.
    pub fn save<P: ProofGame>(
        &mut self,
        state: &ProofState<'_, P>,
        spent: Duration,
        go_on: &mut dyn FnMut() -> bool,
    ) -> Result<Option<SavedCheckpoint>, TableError> {
        self.write(&header(state, spent), &|| Box::new(state.prover.table.entries()), go_on)
    }
}

/// Makes the header of a checkpoint of this state.
fn header<P: ProofGame>(state: &ProofState<'_, P>, spent: Duration) -> Header {
    let (game, position) = (&state.prover.game, &state.position);
    let counts = ProofCounts {
        expansions: state.expansions(),
        work: state.work,
        endgames: state.endgames,
        endgame_nodes: state.endgame_nodes,
        pn: state.numbers.to_win(),
        dn: state.numbers.to_loss(),
        table_bytes: Some(state.prover.table.bytes_in_use()),
    };
    Header::now(game.rules(), position, keys(game, position), spent, counts)
}

/// Hashes the proof keys of a position and of all positions up to two plies later.
fn keys<P: ProofGame>(game: &P, position: &FullPosition<P>) -> u64 {
    let mut hash = Xxh3::new();
    add_keys(game, &game.compact(position), 2, &mut hash);
    hash.digest()
}

fn add_keys<P: ProofGame>(game: &P, position: &P::Position, plies: u32, hash: &mut Xxh3) {
    if game.winner(position).is_some() {
        return;
    }
    hash.update(&game.proof_key(&game.reduced(position)).to_le_bytes());
    if plies > 0 {
        let _ = game.successors(position, |_, child| {
            add_keys(game, &child, plies - 1, hash);
            ControlFlow::Continue(())
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::adapters::binarsi::BinarsiProof;
    use std::path::Path;
    use yomikiri_rules::games::binarsi::Binarsi;
    use yomikiri_rules::{Game, Notation, Side};

    /// The file names of the newest checkpoint and of the one before it.
    const NEWEST: &str = "proof.checkpoint";
    const BEFORE: &str = "proof.checkpoint.before";

    const ENTRIES: u64 = 1_200_000;

    fn prover(code: &str) -> Prover<BinarsiProof> {
        Prover::new(BinarsiProof::new(&Binarsi::parse(code).unwrap()), 64 << 20, 1)
    }

    /// Fills the table with made-up entries whose work is between 1 and 2^20.
    fn full(prover: &Prover<BinarsiProof>) {
        prover.table.grow_to(u64::MAX);
        for number in 1..=ENTRIES {
            let numbers = ProofNumbers { pn: number as u32, dn: 7 };
            prover.table.put(number.wrapping_mul(0x9e37_79b9_7f4a_7c15), numbers, 1 << number.trailing_zeros());
        }
    }

    fn keep(checkpoints: &mut Checkpoints, prover: &Prover<BinarsiProof>, go_on: bool) -> Option<SavedCheckpoint> {
        let start = prover.game.rules().start();
        checkpoints.save(&prover.state(&start), Duration::from_secs(5), &mut || go_on).unwrap()
    }

    fn files(folder: &Path) -> Vec<(String, u64)> {
        let files = std::fs::read_dir(folder).unwrap().map(|file| file.unwrap());
        let mut files: Vec<_> =
            files.map(|file| (file.file_name().into_string().unwrap(), file.metadata().unwrap().len())).collect();
        files.sort();
        files
    }

    #[test]
    fn what_is_too_much_for_a_file_is_left_out_from_the_least_work_on() {
        let (folder, prover) = (tempfile::tempdir().unwrap(), prover("bin3x3"));
        full(&prover);
        let mut checkpoints = Checkpoints::open(folder.path(), 1).unwrap();
        let first = keep(&mut checkpoints, &prover, true).unwrap();
        let second = keep(&mut checkpoints, &prover, true).unwrap();
        assert!(first.bytes <= MIN_FILE_SIZE && second.bytes <= MIN_FILE_SIZE, "{first:?} {second:?}");
        assert!(first.entries > ENTRIES / 9 && second.entries > first.entries, "{first:?} {second:?}");
        let [newest, before] = [second, first].map(|kept| kept.bytes);
        assert_eq!(files(folder.path())[..2], [(NEWEST.to_string(), newest), (BEFORE.to_string(), before)]);

        drop(checkpoints);
        let mut other = super::tests::prover("bin3x3");
        let mut checkpoints = Checkpoints::open(folder.path(), 1).unwrap();
        let start = other.game.rules().start();
        let resumed = checkpoints.resume(&mut other, &start).unwrap().unwrap();
        assert_eq!((resumed.entries, resumed.damaged.is_none(), resumed.header.seconds), (second.entries, true, 5.0));
        let kept: Vec<ProofEntry> = other.table.entries().collect();
        assert_eq!(kept.len() as u64, second.entries);
        let least = kept.iter().map(|entry| entry.work).min().unwrap();
        let known = |entry: &ProofEntry| prover.table.get(entry.key, Side::Black) == Some(entry.numbers);
        assert!(kept.iter().all(known) && least > 0);
        let taken = prover.table.entries().filter(|entry| entry.work >= least).count();
        assert_eq!(taken, kept.len(), "nothing with more work is left out");
    }

    #[test]
    fn the_table_of_a_resumed_proof_is_as_large_as_before() {
        let prover = prover("bin3x3");
        let start = prover.game.rules().start();
        let first = prover.table.bytes_in_use();
        for number in 1..=prover.table.room().unwrap() {
            let numbers = ProofNumbers { pn: number as u32, dn: 7 };
            prover.table.put(number.wrapping_mul(0x9e37_79b9_7f4a_7c15), numbers, 1);
        }
        let entries = prover.table.entries().count() as u64;
        let sound = header(&prover.state(&start), Duration::from_secs(5));
        // A file without the size, and one with a false size.
        for (bytes, expected) in [(Some(first), first), (None, 16 * first), (Some(u64::MAX), 16 * first)] {
            let folder = tempfile::tempdir().unwrap();
            let mut checkpoints = Checkpoints::open(folder.path(), MIN_FILE_SIZE).unwrap();
            let header =
                Header { details: ProofCounts { table_bytes: bytes, ..sound.details.clone() }, ..sound.clone() };
            checkpoints.write(&header, &|| Box::new(prover.table.entries()), &mut || true).unwrap();
            let mut other = super::tests::prover("bin3x3");
            checkpoints.resume(&mut other, &start).unwrap().unwrap();
            assert_eq!((other.table.bytes_in_use(), other.table.bytes()), (expected, 16 * first), "{bytes:?}");
            let lost = entries - other.table.entries().count() as u64;
            assert!(lost == 0 || bytes.is_none() && lost < 10, "{bytes:?}: {lost}");
        }
    }

    #[test]
    fn what_is_stopped_leaves_the_files_as_they_were() {
        let (folder, prover) = (tempfile::tempdir().unwrap(), prover("bin3x3"));
        full(&prover);
        let mut checkpoints = Checkpoints::open(folder.path(), MIN_FILE_SIZE).unwrap();
        assert!(keep(&mut checkpoints, &prover, false).is_none());
        assert_eq!(files(folder.path()), [("proof.lock".to_string(), 0)]);
        keep(&mut checkpoints, &prover, true).unwrap();
        let before = files(folder.path());
        assert!(keep(&mut checkpoints, &prover, false).is_none());
        assert_eq!(files(folder.path()), before);
    }

    #[test]
    fn proofs_of_something_else_are_refused() {
        let (folder, prover) = (tempfile::tempdir().unwrap(), prover("bin3x3"));
        full(&prover);
        keep(&mut Checkpoints::open(folder.path(), MIN_FILE_SIZE).unwrap(), &prover, true).unwrap();
        let game = prover.game.rules();
        let later = game.parse_position("startpos moves 2n").unwrap();
        for (code, position, what) in [
            ("bin3x3-n", game.start(), "checkpoint of bin3x3, not of bin3x3-n"),
            ("bin3x3", later, "is a checkpoint of another position, \"o2/3/3 b - - 0\""),
        ] {
            let mut other = super::tests::prover(code);
            let mut checkpoints = Checkpoints::open(folder.path(), MIN_FILE_SIZE).unwrap();
            let Err(error) = checkpoints.resume(&mut other, &position) else { panic!("{code}") };
            assert!(matches!(error, TableError::Foreign { .. }) && error.to_string().ends_with(what), "{error}");
            assert_eq!((other.table.entries().count(), other.counts()), (0, [0; 3]));
        }
    }

    /// The checksum of the file is right, but its numbers are impossible.
    #[test]
    fn numbers_that_no_proof_comes_to_are_refused() {
        let prover = prover("bin3x3");
        let start = prover.game.rules().start();
        let sound = header(&prover.state(&start), Duration::from_secs(5));
        let counts = sound.details.clone();
        let counted = |details| Header { details, ..sound.clone() };
        for (what, forged) in [
            ("work", counted(ProofCounts { work: u64::MAX, ..counts.clone() })),
            ("endgames", counted(ProofCounts { endgames: 1 << 62, ..counts.clone() })),
            ("their nodes", counted(ProofCounts { endgame_nodes: u64::MAX, ..counts.clone() })),
            ("expansions", counted(ProofCounts { expansions: u64::MAX, ..counts.clone() })),
            ("seconds", Header { seconds: 1.8e19, ..sound.clone() }),
            ("less than no time", Header { seconds: -1.0, ..sound.clone() }),
        ] {
            let folder = tempfile::tempdir().unwrap();
            let mut checkpoints = Checkpoints::open(folder.path(), MIN_FILE_SIZE).unwrap();
            checkpoints.write(&forged, &|| Box::new(std::iter::empty()), &mut || true).unwrap();
            drop(checkpoints);
            let mut other = super::tests::prover("bin3x3");
            let resumed = Checkpoints::open(folder.path(), MIN_FILE_SIZE).unwrap().resume(&mut other, &start);
            assert!(matches!(resumed, Err(TableError::Damaged { .. })), "{what}: {:?}", resumed.is_ok());
            assert_eq!(other.counts(), [0; 3]);
        }
    }

    #[test]
    fn numbers_that_no_position_has_are_refused() {
        let most = INFINITE - 1;
        for (pn, dn, possible) in [
            (1, most, true),
            (0, INFINITE, true),
            (INFINITE, 0, true),
            (0, 0, false),
            (0, most, false),
            (most, 0, false),
            (INFINITE, 1, false),
            (INFINITE, INFINITE, false),
        ] {
            let entry = ProofEntry { key: 7, numbers: ProofNumbers { pn, dn }, work: 3 };
            let read = OfProof::entry(OfProof::numbers(&entry));
            assert_eq!(read.ok(), possible.then_some(entry), "{pn}, {dn}");
        }
    }

    #[test]
    fn solved_entries_come_before_those_with_less_than_16_times_the_work() {
        let open = |work| OfProof::priority(&ProofEntry { key: 0, numbers: ProofNumbers::UNIT, work });
        let solved = |work| OfProof::priority(&ProofEntry { key: 0, numbers: ProofNumbers::LOSS, work });
        assert!(solved(19) == open(23) && solved(0) > open(3) && solved(63) < checkpoint::PRIORITIES);
    }
}
