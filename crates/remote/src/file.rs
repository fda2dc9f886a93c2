//! Files at an address, read through a cache of pieces. A piece is a range of [`PIECE`] bytes of one file. A table may
//! be split into several files.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::io;
use std::ops::Range;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use quick_cache::sync::GuardResult;

use super::client::Piece;
use super::pieces::{PIECE, ROOM};
use super::site::RemoteSite;
use yomikiri_table::address::Site;
use yomikiri_table::format::{HEADER, Header};
use yomikiri_table::pieces::Pieces;
use yomikiri_table::source::ReadAt;
use yomikiri_table::{Manifest, ReadError, Result, TableError};

/// Number of bytes at the end of a file that are fetched together with its header. The directory of a table (the list
/// of its index pages) is near the end.
const TAIL: u64 = 16 << 10;

/// Maximum number of bytes that are read ahead when a file is read sequentially.
const AHEAD: u64 = 4 << 20;

/// Maximum length in bytes of one read. The directory of any table is shorter. The limit bounds memory if a forged file
/// asks for more.
const LONGEST_READ: u64 = 256 << 20;

/// Maximum number of pieces ([`PIECE`] bytes each) that one call of [`ReadAt::prefetch`] fetches. With more, some
/// pieces would be evicted from the cache before they are read.
const EXPECTED: usize = (ROOM / PIECE / 4) as usize;

/// A file that the manifest lists, or one of the files of a split table. The table's header must match the manifest.
/// The hashes in the header cover all other bytes of the table, including those in its later files.
pub struct RemoteFile {
    remote: Arc<RemoteSite>,
    name: String,
    length: u64,
    /// Index of the file among all files of the manifest, with each file of a split table counted.
    number: usize,
    /// Index in the manifest of the table that begins in this file; `None` for the later files of a split table.
    begins: Option<usize>,
    /// The entity tag of the latest accepted response; `None` if the server has sent none.
    mark: Mutex<Option<String>>,
}

impl Site for RemoteSite {
    fn address(&self) -> &Path {
        &self.address
    }

    fn manifest(&self) -> &Manifest {
        &self.manifest
    }

    fn open(self: Arc<Self>, name: &str) -> Result<Box<dyn ReadAt>> {
        RemoteFile::open(&self, name)
    }
}

impl RemoteFile {
    /// Opens a file of the manifest by its name.
    ///
    /// # Errors
    ///
    /// Returns an error if the manifest does not list the file, or if its header differs from the listed one.
    pub fn open(remote: &Arc<RemoteSite>, name: &str) -> Result<Box<dyn ReadAt>> {
        let (path, files) = (remote.address().join(name), &remote.manifest().files);
        let listed = files.iter().position(|file| file.file == name);
        let listed = listed.ok_or_else(|| TableError::foreign(&path, "not found: the manifest does not list it"))?;
        let before: usize = files[..listed].iter().map(|file| file.pieces.len().max(1)).sum();
        let last = files[listed].pieces.len().saturating_sub(1);
        let open = |place: usize, name: &str, length: u64| -> Result<Box<dyn ReadAt>> {
            let begins = (place == 0).then_some(listed);
            let (remote, number, mark) = (Arc::clone(remote), before + place, Mutex::new(None));
            let file = RemoteFile { remote, name: name.into(), length, number, begins, mark };
            file.read_ends(place == last).map_err(TableError::read(&file.remote.address().join(name)))?;
            Ok(Box::new(file))
        };
        if files[listed].pieces.is_empty() {
            return open(0, name, files[listed].bytes);
        }
        let pieces =
            files[listed].pieces.iter().enumerate().map(|(place, piece)| open(place, &piece.file, piece.bytes));
        Ok(Box::new(Pieces::new(pieces.collect::<Result<_>>()?)))
    }

    /// Fetches and checks the table's header if the table begins in this file. Fetches the table's end if `is_last`,
    /// that is, if the table ends in this file. Both will be read soon.
    fn read_ends(&self, is_last: bool) -> Result<(), ReadError> {
        let header = 0..self.length.min(if self.begins.is_some() { HEADER as u64 } else { 0 });
        let tail = self.length.saturating_sub(if is_last { TAIL } else { 0 })..self.length;
        self.pieces([header.clone(), tail].into_iter().flat_map(pieces_of), false)?;
        match self.begins {
            Some(_) => Ok(self.check_header(&self.read_at(header)?)?),
            None => Ok(()),
        }
    }

    /// Returns an error if `bytes` is a valid header, but not the header of the listed file. A damaged header is not an
    /// error here, because the reader reports it.
    fn check_header(&self, bytes: &[u8]) -> io::Result<()> {
        let is_other = |listed: usize| {
            Header::from_bytes(bytes).is_ok_and(|header| !self.remote.manifest().files[listed].is_of(&header))
        };
        if self.begins.is_some_and(is_other) { Err(other_than_listed()) } else { Ok(()) }
    }

    /// Returns the pieces of the file with these indices, which must ascend. Fetches in one batch the pieces that are
    /// not cached. If `ahead` is set and the file is being read sequentially, also fetches some pieces after the last
    /// one that was not cached.
    fn pieces(&self, numbers: impl Iterator<Item = u64>, ahead: bool) -> io::Result<BTreeMap<u64, Arc<[u8]>>> {
        let (kept, mut found, mut lacking) = (&self.remote.kept, BTreeMap::new(), Vec::new());
        for number in numbers {
            if found.contains_key(&number) || lacking.last().is_some_and(|&(last, _)| last == number) {
                continue;
            }
            // If another thread is fetching the piece, waits for it. All threads request pieces in ascending order, so
            // there is no deadlock.
            match kept.get_value_or_guard(&(self.number, number), None) {
                GuardResult::Value(piece) => drop(found.insert(number, piece)),
                GuardResult::Guard(guard) => lacking.push((number, guard)),
                GuardResult::Timeout => unreachable!("a wait without a time limit does not time out"),
            }
        }
        let Some(&(last, _)) = lacking.last() else { return Ok(found) };
        if ahead {
            let end = self.length().div_ceil(PIECE);
            for number in (last + 1..end).take(self.run_before(lacking[0].0)) {
                match kept.get_value_or_guard(&(self.number, number), Some(Duration::ZERO)) {
                    GuardResult::Guard(guard) => lacking.push((number, guard)),
                    GuardResult::Value(_) | GuardResult::Timeout => break,
                }
            }
        }
        let ranges: Vec<_> = lacking.iter().map(|&(number, _)| self.range_of(number)).collect();
        let fetched = self.fetch(&ranges)?;
        for ((number, guard), bytes) in lacking.into_iter().zip(fetched) {
            let piece: Arc<[u8]> = (&bytes[..]).into();
            // If the cache does not keep the piece, a later read fetches it again.
            let _ = guard.insert(Arc::clone(&piece));
            found.insert(number, piece);
        }
        Ok(found)
    }

    /// Returns the number of consecutive cached pieces directly before the piece with index `number`. Stops counting
    /// once they have [`AHEAD`] bytes. Such pieces show that the file is being read sequentially. The result is also
    /// the number of pieces to read ahead.
    fn run_before(&self, number: u64) -> usize {
        let is_kept = |number: &u64| self.remote.kept.peek(&(self.number, *number)).is_some();
        (0..number).rev().take((AHEAD / PIECE) as usize).take_while(is_kept).count()
    }

    fn range_of(&self, number: u64) -> Range<u64> {
        number * PIECE..(number + 1).saturating_mul(PIECE).min(self.length())
    }

    fn fetch(&self, ranges: &[Range<u64>]) -> io::Result<Vec<bytes::Bytes>> {
        let marks = Mutex::new(Vec::new());
        let bytes = self.remote.client.ranges(&self.name, ranges, |piece| {
            self.check_length(&piece)?;
            marks.lock().unwrap_or_else(PoisonError::into_inner).push(piece.etag);
            Ok(())
        })?;
        for mark in marks.into_inner().unwrap_or_else(PoisonError::into_inner).into_iter().flatten() {
            self.check_mark(mark)?;
        }
        Ok(bytes)
    }

    fn check_length(&self, piece: &Piece) -> io::Result<()> {
        if piece.length == self.length { Ok(()) } else { Err(other_than_listed()) }
    }

    /// If `mark`, the entity tag of a response, differs from the previous tag, fetches the header again and compares it
    /// with the manifest. A new tag alone does not prove a change, because several servers may tag the same contents
    /// differently. The later files of a split table have no header; checksums cover all reads from them.
    fn check_mark(&self, mark: String) -> io::Result<()> {
        let mut known = self.mark.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(listed) = self.begins.filter(|_| known.as_ref().is_some_and(|known| *known != mark)) {
            let header = 0..self.length.min(HEADER as u64);
            let bytes = self.remote.client.ranges(&self.name, &[header], |piece| self.check_length(&piece))?;
            let listed = &self.remote.manifest().files[listed];
            if !Header::from_bytes(&bytes[0]).is_ok_and(|header| listed.is_of(&header)) {
                return Err(other_than_listed());
            }
        }
        *known = Some(mark);
        Ok(())
    }
}

/// Returns the indices of the pieces that together contain a range of the file.
fn pieces_of(range: Range<u64>) -> Range<u64> {
    range.start / PIECE..range.end.div_ceil(PIECE)
}

fn other_than_listed() -> io::Error {
    io::Error::other(
        "differs from the file in the manifest; the file on the server has changed, or the manifest is out of date",
    )
}

impl ReadAt for RemoteFile {
    fn length(&self) -> u64 {
        self.length
    }

    fn read_at(&self, range: Range<u64>) -> Result<Cow<'_, [u8]>, ReadError> {
        if range.end > self.length() {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        let length = range.end.saturating_sub(range.start);
        if length > LONGEST_READ {
            let what = format!(
                "has a part of {length} bytes, but at most {LONGEST_READ} bytes can be read at once from an address"
            );
            return Err(io::Error::other(what).into());
        }
        let pieces = self.pieces(pieces_of(range.clone()), true)?;
        let mut bytes = Vec::with_capacity((range.end - range.start) as usize);
        for number in pieces_of(range.clone()) {
            let (piece, first) = (&pieces[&number], number * PIECE);
            let part = range.start.saturating_sub(first)..(range.end - first).min(piece.len() as u64);
            bytes.extend_from_slice(&piece[part.start as usize..part.end as usize]);
        }
        Ok(bytes.into())
    }

    fn is_in_memory(&self) -> bool {
        true
    }

    fn is_remote(&self) -> bool {
        true
    }

    fn prefetch(&self, ranges: &[Range<u64>]) -> io::Result<()> {
        let mut numbers: Vec<u64> = ranges.iter().cloned().flat_map(pieces_of).take(16 * EXPECTED).collect();
        numbers.sort_unstable();
        numbers.dedup();
        self.pieces(numbers.into_iter().take(EXPECTED), false).map(drop)
    }
}

#[cfg(test)]
mod tests {
    use super::super::patience::Patience;
    use super::super::responder::{Chunks, Responder, Response, SeenRequest};
    use super::*;

    /// A file of zeros that is longer than any disk, and its manifest.
    #[derive(Debug)]
    struct Zeros;

    const LENGTH: u64 = 1 << 50;

    impl Responder for Zeros {
        fn respond(&self, request: &SeenRequest) -> Response {
            let list = format!(
                r#"{{"manifest":1,"files":[{{"file":"a.tbl","rules":"bin2x2","bytes":{LENGTH},"format":2,"positions":1,
                "header_hash":"","checked":true,"sha256":""}}]}}"#
            );
            let Some(Range { start, end }) = request.range.clone() else {
                return Response {
                    status: 200,
                    headers: Vec::new(),
                    chunks: Box::new([Ok(list.into_bytes())].into_iter()),
                };
            };
            let place = format!("bytes {start}-{}/{LENGTH}", end - 1);
            let chunks: Chunks = Box::new([Ok(vec![0; (end - start) as usize])].into_iter());
            Response { status: 206, headers: vec![("content-range".into(), place.into_bytes())], chunks }
        }
    }

    /// A reader takes the lengths of ranges from the contents of the file, so a forged file can make it ask for any
    /// length.
    #[test]
    fn long_parts_are_refused_before_they_are_asked_for() {
        let patience = Patience::default();
        let remote = RemoteSite::asking("http://tables.example", &patience, Some(Arc::new(Zeros))).unwrap();
        let file = RemoteFile::open(&remote.into(), "a.tbl").unwrap();
        assert_eq!(*file.read_at(5..9).unwrap(), [0; 4]);
        let error = file.read_at(0..1 << 40).unwrap_err().to_string();
        assert!(error.ends_with("but at most 268435456 bytes can be read at once from an address"), "{error}");
        let all = 0..LENGTH;
        file.prefetch(&[all]).unwrap();
    }
}
