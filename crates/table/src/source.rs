//! Sources of a table's bytes: memory, a file, or ranges that the caller supplies.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fs::File;
use std::io;
use std::ops::Range;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use super::{ReadError, Result, TableError, address_text, platform, regular};

/// A sequence of bytes that is read range by range. A look-up in a table reads only the ranges that it needs.
pub trait ReadAt: Send + Sync {
    /// Returns the number of bytes.
    fn length(&self) -> u64;

    /// Returns the bytes of a range, which must lie within the length.
    fn read_at(&self, range: Range<u64>) -> Result<Cow<'_, [u8]>, ReadError>;

    /// Returns true if the bytes are in memory, or stay in memory after the first read. Callers need not cache such
    /// bytes.
    fn is_in_memory(&self) -> bool {
        false
    }

    /// Returns true if reads are slow, so that callers should announce them ([`ReadAt::prefetch`]).
    fn is_remote(&self) -> bool {
        false
    }

    /// Announces the ranges that will be read next. A remote source fetches them together; other sources do nothing.
    fn prefetch(&self, _ranges: &[Range<u64>]) -> io::Result<()> {
        Ok(())
    }
}

impl ReadAt for Vec<u8> {
    fn length(&self) -> u64 {
        self.len() as u64
    }

    fn read_at(&self, range: Range<u64>) -> Result<Cow<'_, [u8]>, ReadError> {
        slice(self, &range)
    }

    fn is_in_memory(&self) -> bool {
        true
    }
}

/// Borrows a range of `bytes`. A range that is out of bounds is an error.
fn slice<'a>(bytes: &'a [u8], range: &Range<u64>) -> Result<Cow<'a, [u8]>, ReadError> {
    let part = usize::try_from(range.start).ok().zip(usize::try_from(range.end).ok());
    part.and_then(|(start, end)| bytes.get(start..end))
        .map(Cow::Borrowed)
        .ok_or_else(|| io::ErrorKind::UnexpectedEof.into())
}

/// A file that is read at arbitrary offsets. Reads return copies, so bytes that were checked stay valid even if the
/// file changes.
pub struct FileSource {
    file: File,
    length: u64,
}

impl FileSource {
    /// Opens a file. Refuses folders, pipes and other special files without blocking.
    pub fn open(path: &Path) -> Result<FileSource> {
        FileSource::new(open_file(path)?).map_err(TableError::io(path))
    }

    /// Creates a source from an open file. The source keeps the length that the file has now.
    pub fn new(file: File) -> io::Result<FileSource> {
        let length = file.metadata()?.len();
        Ok(FileSource { file, length })
    }
}

impl ReadAt for FileSource {
    fn length(&self) -> u64 {
        self.length
    }

    fn read_at(&self, range: Range<u64>) -> Result<Cow<'_, [u8]>, ReadError> {
        let mut bytes = vec![0; (range.end - range.start) as usize];
        platform::read_exact_at(&self.file, &mut bytes, range.start)?;
        Ok(bytes.into())
    }
}

/// Bytes that the caller supplies range by range, for callers that cannot block in a read, such as a web page or a
/// server. If a look-up needs a range that has not been supplied, it fails with [`TableError::Waiting`], and the range
/// is recorded ([`Ranges::wanted`]). The caller supplies the recorded ranges ([`Ranges::give`]) and repeats the
/// look-up. Clones share the bytes.
#[derive(Clone)]
pub struct Ranges {
    length: u64,
    state: Arc<Mutex<State>>,
}

#[derive(Default)]
struct State {
    /// The supplied bytes. The key is the offset of the first byte.
    given: BTreeMap<u64, Vec<u8>>,
    wanted: Vec<Range<u64>>,
}

impl Ranges {
    /// Creates a source of `length` bytes. Initially, no bytes are supplied.
    pub fn new(length: u64) -> Ranges {
        Ranges { length, state: Arc::default() }
    }

    /// Returns the ranges of the reads that have failed since the last call of this function, because their bytes had
    /// not been supplied. Each range is listed once.
    pub fn wanted(&self) -> Vec<Range<u64>> {
        std::mem::take(&mut self.lock().wanted)
    }

    /// Supplies the bytes from `offset` on. A wanted range counts as supplied only if the bytes of a single call
    /// contain all of it.
    pub fn give(&self, offset: u64, bytes: Vec<u8>) {
        self.lock().given.insert(offset, bytes);
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl ReadAt for Ranges {
    fn length(&self) -> u64 {
        self.length
    }

    fn read_at(&self, range: Range<u64>) -> Result<Cow<'_, [u8]>, ReadError> {
        let mut state = self.lock();
        let inside = |(start, bytes): (&u64, &Vec<u8>)| {
            slice(bytes, &(range.start - start..range.end - start)).map(|bytes| bytes.into_owned().into()).ok()
        };
        if let Some(bytes) = state.given.range(..=range.start).rev().find_map(inside) {
            return Ok(bytes);
        }
        if !state.wanted.contains(&range) {
            state.wanted.push(range);
        }
        Err(ReadError::Waiting)
    }

    fn is_in_memory(&self) -> bool {
        true
    }
}

/// Opens a file of this machine for reading. Refuses folders, pipes and other special files without blocking.
pub fn open_file(path: &Path) -> Result<File> {
    let file = regular::open(path).map_err(|error| match address_text::of(path) {
        Some(_) => TableError::foreign(path, "is an address, but a file of this machine is needed; download it first"),
        None => TableError::io(path)(error),
    })?;
    file.ok_or_else(|| TableError::foreign(path, regular::NO_FILE))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_source_gives_the_same_bytes() {
        let bytes: Vec<u8> = (0..=255).collect();
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("bytes");
        std::fs::write(&path, &bytes).unwrap();
        let given = Ranges::new(256);
        given.give(0, bytes[..200].to_vec());
        given.give(200, bytes[200..].to_vec());
        given.give(150, bytes[150..210].to_vec());
        let file = FileSource::new(File::open(&path).unwrap()).unwrap();
        let sources: [Box<dyn ReadAt>; 3] = [Box::new(bytes.clone()), Box::new(file), Box::new(given)];
        for source in sources {
            assert_eq!(source.length(), 256);
            for range in [0..0, 0..200, 10..150, 150..200, 199..201, 255..256, 256..256] {
                let part = &bytes[range.start as usize..range.end as usize];
                assert_eq!(*source.read_at(range).unwrap(), *part);
            }
        }
        let error = bytes.read_at(250..257).unwrap_err();
        assert!(matches!(error, ReadError::Io(error) if error.kind() == io::ErrorKind::UnexpectedEof));
    }

    #[test]
    fn ranges_that_lack_are_asked_for_once() {
        let source = Ranges::new(100);
        for range in [10..20, 30..40, 10..20] {
            assert!(matches!(source.read_at(range), Err(ReadError::Waiting)));
        }
        assert_eq!(source.wanted(), [10..20, 30..40]);
        assert_eq!(source.wanted(), []);
        source.clone().give(5, vec![7; 20]);
        assert_eq!(*source.read_at(10..20).unwrap(), [7; 10]);
        assert!(matches!(source.read_at(30..40), Err(ReadError::Waiting)));
        assert!(matches!(source.wanted()[..], [Range { start: 30, end: 40 }]));
    }
}
