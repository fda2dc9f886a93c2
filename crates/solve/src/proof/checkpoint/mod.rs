//! Proofs that survive the end of the process.
//!
//! A folder holds the newest state and the one before (`file` is their layout, `header` what they say of themselves,
//! `entries` the table's entries as bytes, `choice` which entries there is room for). A state is written beside them
//! and renamed once it is whole, so that a process can be killed at any time.

mod choice;
mod entries;
mod file;
mod header;

pub use header::Header;

use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::game::{FullPosition, ProofGame};
use super::{Prover, State};
use choice::Choice;
use file::{Reader, Written};
use yomikiri_table::disk::{self, DiskFile};
use yomikiri_table::{Part, RunLock, TableError};

/// Names of the files: the newest state, and the one before.
const NEWEST: &str = "proof.checkpoint";
const BEFORE: &str = "proof.checkpoint.before";

/// The least room for a file.
pub const LEAST: u64 = 4 << 20;

/// A folder for the checkpoints of one proof.
pub struct Checkpoints {
    folder: PathBuf,
    /// Bytes that a file may have.
    most: u64,
    /// Bytes that an entry takes, as far as is known.
    rate: f64,
    /// Whether the newest file is of no use.
    is_newest_damaged: bool,
    _lock: RunLock,
}

/// A proof that goes on.
pub struct Resumed {
    pub header: Header,
    pub entries: u64,
    /// What was wrong with the newest file, if it was the one before that could be read.
    pub damaged: Option<TableError>,
}

/// A checkpoint that was written.
#[derive(Clone, Copy, Debug)]
pub struct Kept {
    pub entries: u64,
    pub bytes: u64,
}

impl Checkpoints {
    /// Makes the folder if need be. An error if another process works with it. Files will have at most so many bytes,
    /// but never less than [`LEAST`].
    pub fn open(folder: &Path, most: u64) -> Result<Checkpoints, TableError> {
        let lock = RunLock::take_for(&folder.join("proof"), "proof")?;
        let rate = entries::ENTRY as f64;
        Ok(Checkpoints { folder: folder.into(), most: most.max(LEAST), rate, is_newest_damaged: false, _lock: lock })
    }

    /// Puts what the newest file that can be read knows into the prover, if there is any. An error, with the prover
    /// as it was, if a file is of another proof ([`TableError::Foreign`]), or if there are files, but none that can
    /// be read.
    pub fn resume<P: ProofGame>(
        &mut self,
        prover: &mut Prover<P>,
        position: &FullPosition<P>,
    ) -> Result<Option<Resumed>, TableError> {
        let mut damaged = None;
        for name in [NEWEST, BEFORE] {
            match take_up(&self.folder.join(name), prover, position) {
                Ok(None) => {}
                Ok(Some((header, entries, bytes))) => {
                    self.learn(entries, bytes);
                    self.is_newest_damaged = damaged.is_some();
                    return Ok(Some(Resumed { header, entries, damaged }));
                }
                Err(foreign @ TableError::Foreign { .. }) => return Err(foreign),
                Err(error) => damaged = damaged.or(Some(error)),
            }
        }
        damaged.map_or(Ok(None), Err)
    }

    /// Writes what is known, while others go on with it; `spent` is the time of all runs. `None` if `go_on`, called
    /// many times a second, has returned false. The files are as they were unless all went well.
    pub fn keep<P: ProofGame>(
        &mut self,
        state: &State<'_, P>,
        position: &FullPosition<P>,
        spent: Duration,
        go_on: &mut dyn FnMut() -> bool,
    ) -> Result<Option<Kept>, TableError> {
        let (part, mut file) = Part::create(&self.folder.join(NEWEST))?;
        let written = self.write(&mut file, state, position, spent, go_on).map_err(TableError::io(part.place()))?;
        let Some(Written { entries, bytes }) = written else { return Ok(None) };
        self.name_newest(part, &file)?;
        self.learn(entries, bytes);
        Ok(Some(Kept { entries, bytes }))
    }

    /// Writes a file, or half of one.
    fn write<P: ProofGame>(
        &self,
        file: &mut DiskFile,
        state: &State<'_, P>,
        position: &FullPosition<P>,
        spent: Duration,
        go_on: &mut dyn FnMut() -> bool,
    ) -> io::Result<Option<Written>> {
        let header = Header::now(state, position, spent);
        let table = &state.prover.table;
        let mut stopped = false;
        let mut goes_on = || {
            stopped |= !go_on();
            !stopped
        };
        let choice = Choice::of(choice::watched(table, &mut goes_on), (self.most as f64 / self.rate) as u64);
        let chosen = choice::watched(table, &mut goes_on).filter(|entry| choice.takes(entry));
        let written = file::write(file, &header, chosen, self.most)?;
        Ok((!stopped).then_some(written))
    }

    /// Gives a whole file its name; the newest one becomes the one before, if it is of use.
    fn name_newest(&mut self, part: Part, file: &DiskFile) -> Result<(), TableError> {
        let [newest, before] = [NEWEST, BEFORE].map(|name| self.folder.join(name));
        if newest.exists() && !self.is_newest_damaged {
            disk::rename(&newest, &before).map_err(TableError::io(&before))?;
        }
        part.finish(file)?;
        self.is_newest_damaged = false;
        Ok(())
    }

    /// Learns from a file how much room an entry takes.
    fn learn(&mut self, entries: u64, bytes: u64) {
        /// Fewer entries tell little.
        const TELLING: u64 = 1 << 14;
        if entries >= TELLING {
            self.rate = (1.1 * bytes as f64 / entries as f64).min(entries::ENTRY as f64);
        }
    }
}

/// Puts what a file knows into a prover; returns its header, its entries and its bytes.
fn take_up<P: ProofGame>(
    path: &Path,
    prover: &mut Prover<P>,
    position: &FullPosition<P>,
) -> Result<Option<(Header, u64, u64)>, TableError> {
    let Some(reader) = Reader::open(path)? else { return Ok(None) };
    let (header, length) = (reader.header.clone(), reader.length);
    if let Some(what) = header.mismatch(prover, position) {
        return Err(TableError::foreign(path, what));
    }
    if let Some(name) = header.absurd_number() {
        return Err(TableError::damaged(path, format!("the header: its number \"{name}\" is none of a proof")));
    }
    let entries = reader.entries(|entry| prover.table.restore(entry))?;
    prover.set_done([header.work, header.endgames, header.endgame_nodes]);
    Ok(Some((header, entries, length)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::adapters::binarsi::BinarsiProof;
    use crate::proof::ProofNumbers;
    use crate::proof::table::Entry;
    use yomikiri_rules::games::binarsi::Binarsi;
    use yomikiri_rules::{Game, Side};

    const ENTRIES: u64 = 1_200_000;

    fn prover(code: &str) -> Prover<BinarsiProof> {
        Prover::new(BinarsiProof::new(&Binarsi::parse(code).unwrap()), 64 << 20, 1)
    }

    /// A table with entries that no proof has made, with work from 1 to 2^20.
    fn full(prover: &Prover<BinarsiProof>) {
        for number in 1..=ENTRIES {
            let numbers = ProofNumbers { pn: number as u32, dn: 7 };
            prover.table.put(number.wrapping_mul(0x9e37_79b9_7f4a_7c15), numbers, 1 << number.trailing_zeros());
        }
    }

    fn keep(checkpoints: &mut Checkpoints, prover: &Prover<BinarsiProof>, go_on: bool) -> Option<Kept> {
        let start = prover.game.rules().start();
        checkpoints.keep(&prover.state(&start), &start, Duration::from_secs(5), &mut || go_on).unwrap()
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
        assert!(first.bytes <= LEAST && second.bytes <= LEAST, "{first:?} {second:?}");
        assert!(first.entries > ENTRIES / 9 && second.entries > first.entries, "{first:?} {second:?}");
        let [newest, before] = [second, first].map(|kept| kept.bytes);
        assert_eq!(files(folder.path())[..2], [(NEWEST.to_string(), newest), (BEFORE.to_string(), before)]);

        drop(checkpoints);
        let mut other = super::tests::prover("bin3x3");
        let mut checkpoints = Checkpoints::open(folder.path(), 1).unwrap();
        let start = other.game.rules().start();
        let resumed = checkpoints.resume(&mut other, &start).unwrap().unwrap();
        assert_eq!((resumed.entries, resumed.damaged.is_none(), resumed.header.seconds), (second.entries, true, 5.0));
        let kept: Vec<Entry> = other.table.entries().collect();
        assert_eq!(kept.len() as u64, second.entries);
        let least = kept.iter().map(|entry| entry.work).min().unwrap();
        let known = |entry: &Entry| prover.table.get(entry.key, Side::Black) == Some(entry.numbers);
        assert!(kept.iter().all(known) && least > 0);
        let taken = prover.table.entries().filter(|entry| entry.work >= least).count();
        assert_eq!(taken, kept.len(), "nothing with more work is left out");
    }

    #[test]
    fn what_is_stopped_leaves_the_files_as_they_were() {
        let (folder, prover) = (tempfile::tempdir().unwrap(), prover("bin3x3"));
        full(&prover);
        let mut checkpoints = Checkpoints::open(folder.path(), LEAST).unwrap();
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
        keep(&mut Checkpoints::open(folder.path(), LEAST).unwrap(), &prover, true).unwrap();
        let game = prover.game.rules();
        let later = game.parse_position("startpos moves 2n").unwrap();
        for (code, position, what) in [
            ("bin3x3-n", game.start(), "checkpoint of bin3x3, not of bin3x3-n"),
            ("bin3x3", later, "checkpoint of the position \"o2/3/3 b - - 0\""),
        ] {
            let mut other = super::tests::prover(code);
            let mut checkpoints = Checkpoints::open(folder.path(), LEAST).unwrap();
            let Err(error) = checkpoints.resume(&mut other, &position) else { panic!("{code}") };
            assert!(matches!(error, TableError::Foreign { .. }) && error.to_string().ends_with(what), "{error}");
            assert_eq!((other.table.entries().count(), other.done()), (0, [0; 3]));
        }
    }

    /// A file that nobody has written in earnest: its checksum is right, its numbers are not.
    #[test]
    fn numbers_that_no_proof_comes_to_are_refused() {
        let (folder, prover) = (tempfile::tempdir().unwrap(), prover("bin3x3"));
        let start = prover.game.rules().start();
        let sound = Header::now(&prover.state(&start), &start, Duration::from_secs(5));
        for (what, forged) in [
            ("work", Header { work: u64::MAX, ..sound.clone() }),
            ("endgames", Header { endgames: 1 << 62, ..sound.clone() }),
            ("their nodes", Header { endgame_nodes: u64::MAX, ..sound.clone() }),
            ("expansions", Header { expansions: u64::MAX, ..sound.clone() }),
            ("seconds", Header { seconds: 1.8e19, ..sound.clone() }),
            ("less than no time", Header { seconds: -1.0, ..sound.clone() }),
        ] {
            let mut file = DiskFile::create(&folder.path().join(NEWEST)).unwrap();
            file::write(&mut file, &forged, std::iter::empty(), LEAST).unwrap();
            let mut other = super::tests::prover("bin3x3");
            let resumed = Checkpoints::open(folder.path(), LEAST).unwrap().resume(&mut other, &start);
            assert!(matches!(resumed, Err(TableError::Damaged { .. })), "{what}: {:?}", resumed.is_ok());
            assert_eq!(other.done(), [0; 3]);
        }
    }
}
