//! Checkpoints: files from which a search can resume after its process has ended.
//!
//! A folder holds the newest state of a search and the one before it. A state is a `header` and the entries of the
//! transposition table. `kind` has the trait for the entries of a search, and `blocks` encodes them. `choice` selects
//! the entries that fit, and `file` reads and writes whole files. A state is written under a temporary name and renamed
//! when it is complete, so that the process can be killed at any time. Each search defines its own state and how to
//! resume it ([`crate::proof::checkpoint`], [`crate::exact::checkpoint`]).

mod blocks;
mod choice;
mod file;
mod header;
mod kind;

pub use header::{Header, ProgressCounts};
pub use kind::{Kind, PRIORITIES};

use std::io;
use std::path::{Path, PathBuf};

use choice::EntryChoice;
use file::{Reader, Written};
use yomikiri_table::disk::{self, DiskFile};
use yomikiri_table::{PartFile, RunLock, TableError};

/// The least value of the limit on the size of a checkpoint file, in bytes.
pub const MIN_FILE_SIZE: u64 = 4 << 20;

/// A folder for the checkpoints of one search.
pub struct Checkpoints<K: Kind> {
    folder: PathBuf,
    /// The maximum size of a file in bytes.
    most: u64,
    /// The estimated size of an entry after compression, in bytes.
    rate: f64,
    /// True if the newest file cannot be read.
    is_newest_damaged: bool,
    kind: std::marker::PhantomData<fn() -> K>,
    _lock: RunLock,
}

/// A search that was resumed.
pub struct Resumed<K: Kind> {
    /// The header of the file.
    pub header: Header<K::Counts>,
    /// The number of entries read.
    pub entries: u64,
    /// The error of the newest file if the file before it was read instead, else `None`.
    pub damaged: Option<TableError>,
}

/// A checkpoint that was written.
#[derive(Clone, Copy, Debug)]
pub struct SavedCheckpoint {
    /// The number of entries in the file.
    pub entries: u64,
    /// The size of the file in bytes.
    pub bytes: u64,
}

impl<K: Kind> Checkpoints<K> {
    /// Opens a folder and makes it if necessary. Files have at most `most` bytes, or [`MIN_FILE_SIZE`] if that is more.
    /// Returns an error if another process uses the folder.
    pub fn open(folder: &Path, most: u64) -> Result<Checkpoints<K>, TableError> {
        let lock = RunLock::take_for(&folder.join(K::NAME), K::NAME)?;
        let rate = blocks::size_of_entry::<K>() as f64;
        let (folder, most, kind) = (folder.into(), most.max(MIN_FILE_SIZE), std::marker::PhantomData);
        Ok(Checkpoints { folder, most, rate, is_newest_damaged: false, kind, _lock: lock })
    }

    /// The paths of the newest checkpoint and of the one before it.
    fn files(&self) -> [PathBuf; 2] {
        ["checkpoint", "checkpoint.before"].map(|name| self.folder.join(format!("{}.{name}", K::NAME)))
    }

    /// Reads the newest readable file, if there is any. Calls `prepare` with the counts in its header, then `take` with
    /// each entry.
    ///
    /// # Errors
    ///
    /// [`TableError::Foreign`] if a file is of another search. [`TableError::Io`] if the system refuses the memory to
    /// read a file. The error of the newest file, if there are files but none can be read.
    pub(crate) fn read(
        &mut self,
        mismatch: &dyn Fn(&Header<K::Counts>) -> Option<String>,
        prepare: &dyn Fn(&K::Counts),
        take: &mut dyn FnMut(K::Entry),
    ) -> Result<Option<Resumed<K>>, TableError> {
        let mut damaged = None;
        for path in self.files() {
            let read = Reader::<K>::open(&path).and_then(|reader| {
                let Some(reader) = reader else { return Ok(None) };
                let (header, length) = (reader.header.clone(), reader.length);
                if let Some(what) = mismatch(&header) {
                    return Err(TableError::foreign(&path, what));
                }
                if let Some(name) = header.impossible_number() {
                    let what = format!("header: the number \"{name}\" is impossible for a {}", K::NAME);
                    return Err(TableError::damaged(&path, what));
                }
                prepare(&header.details);
                Ok(Some((header, reader.entries(take)?, length)))
            });
            match read {
                Ok(None) => {}
                Ok(Some((header, entries, bytes))) => {
                    self.learn(entries, bytes);
                    self.is_newest_damaged = damaged.is_some();
                    return Ok(Some(Resumed { header, entries, damaged }));
                }
                Err(foreign @ TableError::Foreign { .. }) => return Err(foreign),
                Err(refused) if file::is_refused_memory(&refused) => return Err(refused),
                Err(error) => damaged = damaged.or(Some(error)),
            }
        }
        damaged.map_or(Ok(None), Err)
    }

    /// Writes the state of a search to a new checkpoint. `entries` iterates over the table while other threads write to
    /// it. Returns `None` if `go_on`, which is called many times a second, has returned false. A write that stops or
    /// fails leaves the previous checkpoint readable.
    pub(crate) fn write<'a>(
        &mut self,
        header: &Header<K::Counts>,
        entries: &dyn Fn() -> Box<dyn Iterator<Item = K::Entry> + 'a>,
        go_on: &mut dyn FnMut() -> bool,
    ) -> Result<Option<SavedCheckpoint>, TableError> {
        let [newest, _] = self.files();
        let (part, mut file) = PartFile::create(&newest, file::replaceable::<K>())?;
        let written = self.fill(&mut file, header, entries, go_on).map_err(TableError::io(part.place()))?;
        let Some(Written { entries, bytes }) = written else { return Ok(None) };
        self.name_newest(part, &file)?;
        self.learn(entries, bytes);
        Ok(Some(SavedCheckpoint { entries, bytes }))
    }

    /// Writes the contents of a file. Returns `None`, with the file incomplete, if `go_on` has returned false.
    fn fill<'a>(
        &self,
        file: &mut DiskFile,
        header: &Header<K::Counts>,
        entries: &dyn Fn() -> Box<dyn Iterator<Item = K::Entry> + 'a>,
        go_on: &mut dyn FnMut() -> bool,
    ) -> io::Result<Option<Written>> {
        let mut stopped = false;
        let mut goes_on = || {
            stopped |= !go_on();
            !stopped
        };
        let room = (self.most as f64 / self.rate) as u64;
        let choice = EntryChoice::of::<K>(&mut choice::watched(entries(), &mut goes_on), room);
        let mut chosen = choice::watched(entries(), &mut goes_on).filter(|entry| choice.takes::<K>(entry));
        let written = file::write::<K>(file, header, &mut chosen, self.most)?;
        drop(chosen);
        Ok((!stopped).then_some(written))
    }

    /// Gives a complete file the name of the newest checkpoint. Replaces the previous file of this name if it is
    /// damaged. Otherwise first renames the previous file to `*.checkpoint.before`.
    fn name_newest(&mut self, part: PartFile, file: &DiskFile) -> Result<(), TableError> {
        let [newest, before] = self.files();
        if newest.exists() && !self.is_newest_damaged {
            file::replaceable::<K>().check(&before)?;
            disk::rename(&newest, &before).map_err(TableError::io(&before))?;
        }
        part.finish(file)?;
        self.is_newest_damaged = false;
        Ok(())
    }

    /// Updates the estimated size of an entry, after a file with `entries` entries took `bytes` bytes.
    fn learn(&mut self, entries: u64, bytes: u64) {
        /// The minimum number of entries in a file from which the size of an entry is estimated.
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

    impl ProgressCounts for Nothing {
        fn counts(&self) -> Vec<(&'static str, u64)> {
            Vec::new()
        }

        fn work(&self) -> (u64, &'static str) {
            (0, "steps")
        }
    }

    /// A key, and a priority below 100.
    #[derive(Clone, Copy, Debug, PartialEq)]
    struct Ranked(u64, u8);

    struct OfNothing;

    impl Kind for OfNothing {
        const NAME: &'static str = "nothing";
        const MAGIC: [u8; 8] = *b"NOTHINGS";
        const VERSION: u16 = 1;
        type Counts = Nothing;
        type Entry = Ranked;
        type Numbers = [u64; 2];
        const WIDTHS: &'static [u32] = &[8, 1];

        fn numbers(&Ranked(key, rank): &Ranked) -> [u64; 2] {
            [key, rank.into()]
        }

        fn entry([key, rank]: [u64; 2]) -> Result<Ranked, String> {
            if rank < 100 { Ok(Ranked(key, rank as u8)) } else { Err(format!("a rank of {rank}")) }
        }

        fn priority(&Ranked(_, rank): &Ranked) -> usize {
            rank.into()
        }
    }

    #[test]
    fn blocks_are_read_back() {
        let entry = |at: u64| Ranked(u64::MAX - at.wrapping_mul(0x9e37_79b9_7f4a_7c15), (at % 64) as u8);
        let (mut bytes, mut expected) = (Vec::new(), Vec::new());
        for count in [1, 2, 7, BLOCK as u64] {
            let mut entries: Vec<Ranked> = (0..count).map(entry).collect();
            blocks::write::<OfNothing>(&mut bytes, &entries).unwrap();
            entries.sort_unstable_by_key(|entry| entry.0);
            expected.push(entries);
        }
        assert_eq!(bytes.len(), 4 * 4 + 9 * (10 + BLOCK));
        let mut from = &bytes[..];
        for entries in expected {
            assert_eq!(blocks::read::<OfNothing>(&mut from).unwrap(), Some(entries));
        }
        assert_eq!(blocks::read::<OfNothing>(&mut from).unwrap(), None);
        for cut in [1, 3, 4 + 5] {
            assert!(blocks::read::<OfNothing>(&mut &bytes[..cut]).is_err(), "{cut}");
        }
        for count in [0, u32::MAX] {
            assert!(blocks::read::<OfNothing>(&mut &count.to_le_bytes()[..]).is_err(), "{count}");
        }
        let mut bytes = Vec::new();
        blocks::write::<OfNothing>(&mut bytes, &[Ranked(1, 100)]).unwrap();
        let refused = blocks::read::<OfNothing>(&mut &bytes[..]).unwrap_err();
        assert_eq!(refused.to_string(), "a rank of 100");
    }

    #[test]
    fn the_highest_ranks_are_chosen() {
        let all = || (0..64).map(|rank| Ranked(0, rank)).chain((4..24).map(|rank| Ranked(1, rank)));
        let chosen = |most| {
            let choice = EntryChoice::of::<OfNothing>(&mut all(), most);
            all().filter(|entry| choice.takes::<OfNothing>(entry)).count()
        };
        assert_eq!([0, 1, 5, 40, 41, 42, 43, 44, 84, u64::MAX].map(chosen), [0, 1, 5, 40, 40, 42, 42, 44, 84, 84]);
        assert!(EntryChoice::of::<OfNothing>(&mut std::iter::empty(), 0).takes::<OfNothing>(&Ranked(0, 0)));
    }
}
