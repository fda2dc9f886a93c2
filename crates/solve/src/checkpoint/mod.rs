//! Searches that survive the end of the process.
//!
//! A folder holds the newest state of a search and the one before: what it says of itself (`header`) and the entries
//! of its transposition table (`kind` is what they are, `blocks` their bytes, `choice` which of them there is room for,
//! `file` all of it together). A state is written beside them and renamed once it is whole, so that a process can be
//! killed at any time. What is kept of a kind of search, and how it goes on from that, stands with the search
//! ([`crate::proof::checkpoint`], [`crate::search::checkpoint`]).

mod blocks;
mod choice;
mod file;
mod header;
mod kind;

pub use header::{Details, Header};
pub use kind::{Kind, RANKS};

use std::io;
use std::path::{Path, PathBuf};

use choice::Choice;
use file::{Reader, Written};
use yomikiri_rules::Game;
use yomikiri_table::disk::{self, DiskFile};
use yomikiri_table::{Part, RunLock, TableError};

/// The least room for a file.
pub const LEAST: u64 = 4 << 20;

/// A folder for the checkpoints of one search.
pub struct Checkpoints<K: Kind> {
    folder: PathBuf,
    /// Bytes that a file may have.
    most: u64,
    /// Bytes that an entry takes, as far as is known.
    rate: f64,
    /// Whether the newest file is of no use.
    is_newest_damaged: bool,
    kind: std::marker::PhantomData<fn() -> K>,
    _lock: RunLock,
}

/// A search that goes on.
pub struct Resumed<K: Kind> {
    pub header: Header<K::Details>,
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

impl<K: Kind> Checkpoints<K> {
    /// Makes the folder if need be. An error if another process works with it. Files will have at most so many bytes,
    /// but never less than [`LEAST`].
    pub fn open(folder: &Path, most: u64) -> Result<Checkpoints<K>, TableError> {
        let lock = RunLock::take_for(&folder.join(K::NAME), K::NAME)?;
        let rate = blocks::size_of_entry::<K>() as f64;
        let (folder, most, kind) = (folder.into(), most.max(LEAST), std::marker::PhantomData);
        Ok(Checkpoints { folder, most, rate, is_newest_damaged: false, kind, _lock: lock })
    }

    /// The newest state, and the one before.
    fn files(&self) -> [PathBuf; 2] {
        ["checkpoint", "checkpoint.before"].map(|name| self.folder.join(format!("{}.{name}", K::NAME)))
    }

    /// Hands the entries of the newest file that can be read over, if there is any, after `prepare` has seen how far
    /// that was. An error, before that, if a file is of another search ([`TableError::Foreign`]), or if there are
    /// files, but none that can be read.
    pub(crate) fn read<G: Game>(
        &mut self,
        rules: &G,
        position: &G::Position,
        keys: u64,
        prepare: impl Fn(&K::Details),
        mut take: impl FnMut(K::Entry),
    ) -> Result<Option<Resumed<K>>, TableError> {
        let mut damaged = None;
        for path in self.files() {
            let read = Reader::<K>::open(&path).and_then(|reader| {
                let Some(reader) = reader else { return Ok(None) };
                let (header, length) = (reader.header.clone(), reader.length);
                if let Some(what) = header.mismatch(rules, position, keys) {
                    return Err(TableError::foreign(&path, what));
                }
                if let Some(name) = header.absurd_number() {
                    let what = format!("the header: its number \"{name}\" is none of a {}", K::NAME);
                    return Err(TableError::damaged(&path, what));
                }
                prepare(&header.details);
                Ok(Some((header, reader.entries(&mut take)?, length)))
            });
            match read {
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

    /// Writes a state; `entries` goes through the table, while others work with it. `None` if `go_on`, called many
    /// times a second, has returned false. The files are as they were unless all went well.
    pub(crate) fn write<I: Iterator<Item = K::Entry>>(
        &mut self,
        header: &Header<K::Details>,
        entries: impl Fn() -> I,
        go_on: &mut dyn FnMut() -> bool,
    ) -> Result<Option<Kept>, TableError> {
        let [newest, _] = self.files();
        let (part, mut file) = Part::create(&newest, file::own::<K>())?;
        let written = self.fill(&mut file, header, entries, go_on).map_err(TableError::io(part.place()))?;
        let Some(Written { entries, bytes }) = written else { return Ok(None) };
        self.name_newest(part, &file)?;
        self.learn(entries, bytes);
        Ok(Some(Kept { entries, bytes }))
    }

    /// Writes a file, or half of one.
    fn fill<I: Iterator<Item = K::Entry>>(
        &self,
        file: &mut DiskFile,
        header: &Header<K::Details>,
        entries: impl Fn() -> I,
        go_on: &mut dyn FnMut() -> bool,
    ) -> io::Result<Option<Written>> {
        let mut stopped = false;
        let mut goes_on = || {
            stopped |= !go_on();
            !stopped
        };
        let choice = Choice::of::<K>(choice::watched(entries(), &mut goes_on), (self.most as f64 / self.rate) as u64);
        let chosen = choice::watched(entries(), &mut goes_on).filter(|entry| choice.takes::<K>(entry));
        let written = file::write::<K>(file, header, chosen, self.most)?;
        Ok((!stopped).then_some(written))
    }

    /// Gives a whole file its name; the newest one becomes the one before, if it is of use.
    fn name_newest(&mut self, part: Part, file: &DiskFile) -> Result<(), TableError> {
        let [newest, before] = self.files();
        if newest.exists() && !self.is_newest_damaged {
            file::own::<K>().check(&before)?;
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
            self.rate = (1.1 * bytes as f64 / entries as f64).min(blocks::size_of_entry::<K>() as f64);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use blocks::BLOCK;
    use serde::{Deserialize, Serialize};

    #[derive(Clone, Serialize, Deserialize)]
    struct Nothing;

    impl Details for Nothing {
        fn counts(&self) -> Vec<(&'static str, u64)> {
            Vec::new()
        }

        fn work(&self) -> (u64, &'static str) {
            (0, "steps")
        }
    }

    /// A key, and a rank below 100.
    #[derive(Clone, Copy, Debug, PartialEq)]
    struct Ranked(u64, u8);

    struct OfNothing;

    impl Kind for OfNothing {
        const NAME: &'static str = "nothing";
        const MAGIC: [u8; 8] = *b"NOTHINGS";
        const VERSION: u16 = 1;
        type Details = Nothing;
        type Entry = Ranked;
        type Numbers = [u64; 2];
        const WIDTHS: &'static [u32] = &[8, 1];

        fn numbers(&Ranked(key, rank): &Ranked) -> [u64; 2] {
            [key, rank.into()]
        }

        fn entry([key, rank]: [u64; 2]) -> Result<Ranked, String> {
            if rank < 100 { Ok(Ranked(key, rank as u8)) } else { Err(format!("a rank of {rank}")) }
        }

        fn rank(&Ranked(_, rank): &Ranked) -> usize {
            rank.into()
        }
    }

    #[test]
    fn blocks_are_read_back() {
        let entry = |at: u64| Ranked(u64::MAX - at.wrapping_mul(0x9e37_79b9_7f4a_7c15), (at % 64) as u8);
        let (mut bytes, mut expected) = (Vec::new(), Vec::new());
        for count in [0, 1, 7, BLOCK as u64] {
            let mut entries: Vec<Ranked> = (0..count).map(entry).collect();
            blocks::write::<OfNothing>(&mut bytes, &entries).unwrap();
            entries.sort_unstable_by_key(|entry| entry.0);
            expected.push(entries);
        }
        assert_eq!(bytes.len(), 4 * 4 + 9 * (8 + BLOCK));
        let mut from = &bytes[..];
        for entries in expected {
            assert_eq!(blocks::read::<OfNothing>(&mut from).unwrap(), Some(entries));
        }
        assert_eq!(blocks::read::<OfNothing>(&mut from).unwrap(), None);
        for cut in [1, 3, 4 + 5] {
            assert!(blocks::read::<OfNothing>(&mut &bytes[4..][..cut]).is_err(), "{cut}");
        }
        assert!(blocks::read::<OfNothing>(&mut &u32::MAX.to_le_bytes()[..]).is_err());
        let mut bytes = Vec::new();
        blocks::write::<OfNothing>(&mut bytes, &[Ranked(1, 100)]).unwrap();
        let refused = blocks::read::<OfNothing>(&mut &bytes[..]).unwrap_err();
        assert_eq!(refused.to_string(), "a rank of 100");
    }

    #[test]
    fn the_highest_ranks_are_chosen() {
        let all = || (0..64).map(|rank| Ranked(0, rank)).chain((4..24).map(|rank| Ranked(1, rank)));
        let chosen = |most| {
            let choice = Choice::of::<OfNothing>(all(), most);
            all().filter(|entry| choice.takes::<OfNothing>(entry)).count()
        };
        assert_eq!([0, 1, 5, 40, 41, 42, 43, 44, 84, u64::MAX].map(chosen), [0, 1, 5, 40, 40, 42, 42, 44, 84, 84]);
        assert!(Choice::of::<OfNothing>(std::iter::empty(), 0).takes::<OfNothing>(&Ranked(0, 0)));
    }
}
