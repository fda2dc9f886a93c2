//! A file for the values of a run that does not have enough memory for a byte per key. Values are written as they are
//! found, distance by distance.
//!
//! The file has a part for each distance and each chunk of the keys. The part lists the keys of the chunk whose
//! positions have that distance. Each key is stored in LEB128, as its difference from the key before. The offsets of
//! the parts are kept in memory. Outcomes are not in the file: a set in memory has the keys of won positions.

use std::io::Write;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use super::steps::{Chunk, Keys};
use crate::space::{CHUNK, SharedSet};

use yomikiri_table::blocks::{push_number, take_number};
use yomikiri_table::disk::DiskFile;
use yomikiri_table::{PartFile, Replaceable, TableError, parallel};

/// The number of chunks (ranges of keys) whose bytes are kept in memory, because several blocks of the table read from
/// the same chunk.
const RECENT: usize = 8;

/// The index of a chunk, and the table bytes of its keys.
type Recent = (u64, Arc<Vec<u8>>);

/// A file of the values that a run has found. The file never gets its final name, and is deleted when the log is
/// dropped.
pub struct ValueLog {
    file: DiskFile,
    part: PartFile,
    length: u64,
    /// For each distance to the end, from 1 on: the offset of each chunk's list of keys in the file, and the end of the
    /// last list, in bytes.
    parts: Vec<Vec<u64>>,
    recent: Mutex<Vec<Recent>>,
    /// The last error of reading a chunk since the last call of [`ValueLog::check`]; `None` if there was no error.
    failed: Mutex<Option<TableError>>,
}

impl ValueLog {
    pub fn create(path: &Path) -> Result<ValueLog, TableError> {
        let (part, file) = PartFile::create(path, Replaceable::Nothing)?;
        let (recent, failed) = (Mutex::default(), Mutex::default());
        Ok(ValueLog { file, part, length: 0, parts: Vec::new(), recent, failed })
    }

    /// Appends the keys of the positions with the next distance to the end. The set may be empty.
    pub fn append(&mut self, keys: &SharedSet) -> Result<(), TableError> {
        let packed = parallel::map(keys.chunks() as usize, |chunk| pack(keys, chunk as u64));
        let mut begins = vec![self.length];
        for part in &packed {
            self.file.write_all(part).map_err(TableError::io(self.part.place()))?;
            self.length += part.len() as u64;
            begins.push(self.length);
        }
        self.parts.push(begins);
        Ok(())
    }

    /// Returns the bytes of the `count` keys of a chunk: `byte(key, distance)` for keys that have a distance, and
    /// `rest(key)` for the others. If reading fails, the next [`ValueLog::check`] returns the error.
    pub fn chunk(
        &self,
        chunk: u64,
        count: usize,
        byte: impl Fn(u64, u16) -> u8,
        rest: impl Fn(u64) -> u8,
    ) -> Arc<Vec<u8>> {
        let recent = || self.recent.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, bytes)) = recent().iter().find(|(number, _)| *number == chunk) {
            return Arc::clone(bytes);
        }
        let first = chunk * CHUNK;
        let mut bytes: Vec<u8> = (first..first + count as u64).map(rest).collect();
        for (begins, distance) in self.parts.iter().zip(1..) {
            let (begin, end) = (begins[chunk as usize], begins[chunk as usize + 1]);
            let mut part = vec![0; (end - begin) as usize];
            if let Err(error) = self.file.read_exact_at(&mut part, begin) {
                let mut failed = self.failed.lock().unwrap_or_else(PoisonError::into_inner);
                *failed = Some(TableError::io(self.part.place())(error));
            }
            unpack(&part, |ahead| {
                if let Some(place) = bytes.get_mut(ahead as usize) {
                    *place = byte(first + ahead, distance);
                }
            });
        }
        let bytes = Arc::new(bytes);
        let mut recent = recent();
        if recent.len() == RECENT {
            recent.remove(0);
        }
        recent.push((chunk, Arc::clone(&bytes)));
        bytes
    }

    /// Returns an error if a chunk could not be read since the last call of this method.
    pub fn check(&self) -> Result<(), TableError> {
        self.failed.lock().unwrap_or_else(PoisonError::into_inner).take().map_or(Ok(()), Err)
    }
}

/// Encodes the keys of a set that lie in a chunk: each as its difference from the key before.
fn pack(keys: &SharedSet, chunk: u64) -> Vec<u8> {
    let (mut packed, mut before) = (Vec::new(), chunk * CHUNK);
    Chunk(keys, chunk).each(|key| {
        push_number(&mut packed, key - before);
        before = key;
    });
    packed
}

/// Decodes the keys that [`pack`] has encoded. Calls `visit` with each, relative to the first key of the chunk.
fn unpack(packed: &[u8], mut visit: impl FnMut(u64)) {
    let (mut ahead, mut rest) = (0, packed);
    while let Some((step, after)) = take_number(rest) {
        ahead += step;
        visit(ahead);
        rest = after;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chunks_are_read_as_they_were_written() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("some.values");
        let keys = 2 * CHUNK + 1000;
        let mut log = ValueLog::create(&path).unwrap();
        // The distance of a key is the index, from 1 on, of the first of these numbers that divides the key.
        let steps = [200_000, 333, 5, 2];
        let distance = |key: u64| steps.iter().position(|step| key.is_multiple_of(*step)).map_or(0, |at| at + 1);
        for wanted in 1..=steps.len() {
            let set = SharedSet::new(keys).unwrap();
            (0..keys).filter(|&key| distance(key) == wanted).for_each(|key| _ = set.insert(key));
            log.append(&set).unwrap();
        }
        // Chunks are read in another order, and some of them come from memory.
        for chunk in [1, 0, 2, 2, 1] {
            let first = chunk * CHUNK;
            let count = (keys - first).min(CHUNK) as usize;
            let bytes = log.chunk(chunk, count, |key, distance| (key % 7 * 10) as u8 + distance as u8, |_| 99);
            assert_eq!(bytes.len(), count);
            for (key, &byte) in (first..).zip(bytes.iter()) {
                let expected = match distance(key) {
                    0 => 99,
                    distance => (key % 7 * 10) as u8 + distance as u8,
                };
                assert_eq!(byte, expected, "{key}");
            }
        }
        log.check().unwrap();
        // A chunk that cannot be read is an error.
        log.file.set_len(10).unwrap();
        log.recent.lock().unwrap().clear();
        log.chunk(0, 10, |_, _| 0, |_| 0);
        assert!(log.check().is_err());
        drop(log);
        assert_eq!(folder.path().read_dir().unwrap().count(), 0);
    }
}
