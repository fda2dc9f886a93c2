//! Tables in several files: `NAME.0000`, `NAME.0001` and so on contain the bytes of the table `NAME`, one after the
//! other.

use std::borrow::Cow;
use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};

use super::source::{FileSource, ReadAt};
use super::{ReadError, Result};
#[cfg(feature = "write")]
use super::{
    TableError, first_bytes,
    format::{HEADER, Header, MAGIC},
    pages::length_by_header,
};

/// Maximum number of pieces of a table.
pub const MAX_PIECES: usize = 10_000;

/// Returns the path of one piece of the table `path`. `number` is the index of the piece, counted from 0.
pub fn piece(path: &Path, number: usize) -> PathBuf {
    path.with_added_extension(format!("{number:04}"))
}

/// Returns the paths of the pieces of the table `path` in its folder, in order, up to the first missing piece. The
/// result is empty if the table has no pieces.
pub fn of_folder(path: &Path) -> Vec<PathBuf> {
    (0..MAX_PIECES).map(|number| piece(path, number)).take_while(|piece| piece.exists()).collect()
}

/// Returns true if a table exists at `path`, in one file or in pieces.
pub fn is_there(path: &Path) -> bool {
    path.exists() || piece(path, 0).exists()
}

/// Opens a table in a folder: its file if there is one, else its pieces.
pub fn open(path: &Path) -> Result<Box<dyn ReadAt>> {
    match &of_folder(path)[..] {
        pieces if !pieces.is_empty() && !path.exists() => Ok(Box::new(Pieces::open(pieces)?)),
        _ => Ok(Box::new(FileSource::open(path)?)),
    }
}

/// Deletes the pieces of a table that is now one file. Deletes the first piece first, because without it the others do
/// not count as a table. Deletes nothing if the first piece does not begin like a table. Keeps pieces that begin at or
/// beyond the table's length, which the header states.
#[cfg(feature = "write")]
pub fn remove(path: &Path) -> Result<()> {
    let Some(first) = first_bytes(&piece(path, 0), HEADER).filter(|bytes| bytes.starts_with(&MAGIC)) else {
        return Ok(());
    };
    // If the header is damaged or of an older version, the length is unknown.
    let length = Header::from_bytes(&first).ok().and_then(|header| length_by_header(&header)).unwrap_or(u64::MAX);
    let mut begin = 0;
    for piece in of_folder(path) {
        if begin >= length {
            break;
        }
        begin += std::fs::metadata(&piece).map_err(TableError::io(&piece))?.len();
        super::disk::remove(&piece).map_err(TableError::io(&piece))?;
    }
    Ok(())
}

/// Returns the path of the table whose first piece is `path`, or `None` if `path` does not have the name of a first
/// piece.
pub fn whole_of_first(path: &Path) -> Option<PathBuf> {
    let whole = path.with_extension("");
    (piece(&whole, 0) == path).then_some(whole)
}

/// Returns the path of the table that has `path` as one of its pieces, or `None` if `path` does not have the name of a
/// piece.
pub fn whole_of(path: &Path) -> Option<PathBuf> {
    let number = path.extension()?.to_str()?;
    let is_piece = number.len() == 4 && number.bytes().all(|digit| digit.is_ascii_digit());
    is_piece.then(|| path.with_extension(""))
}

/// Several sources that are read as one: their bytes, back to back.
pub struct Pieces {
    sources: Vec<Box<dyn ReadAt>>,
    /// Offset in bytes at which each source ends.
    ends: Vec<u64>,
}

impl Pieces {
    /// Creates a source from the pieces of a file, in order.
    pub fn new(sources: Vec<Box<dyn ReadAt>>) -> Pieces {
        let mut end = 0;
        let ends = sources.iter().map(|source| {
            end += source.length();
            end
        });
        let ends = ends.collect();
        Pieces { sources, ends }
    }

    /// Opens files in a folder as pieces of one table.
    pub fn open(paths: &[PathBuf]) -> Result<Pieces> {
        let open = |path: &PathBuf| FileSource::open(path).map(|source| Box::new(source) as Box<dyn ReadAt>);
        Ok(Pieces::new(paths.iter().map(open).collect::<Result<_>>()?))
    }

    /// Splits a range at the ends of the sources. Returns pairs of a source's index and a range within that source.
    fn split(&self, range: &Range<u64>) -> Vec<(usize, Range<u64>)> {
        let first = self.ends.partition_point(|&end| end <= range.start);
        let begins = |number: usize| number.checked_sub(1).map_or(0, |before| self.ends[before]);
        let part = |number: usize| {
            let (begin, end) = (begins(number), self.ends[number]);
            (number, range.start.max(begin) - begin..range.end.min(end) - begin)
        };
        (first..self.ends.len()).take_while(|&number| begins(number) < range.end).map(part).collect()
    }
}

impl ReadAt for Pieces {
    fn length(&self) -> u64 {
        self.ends.last().copied().unwrap_or(0)
    }

    fn read_at(&self, range: Range<u64>) -> Result<Cow<'_, [u8]>, ReadError> {
        if range.end > self.length() {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        match &self.split(&range)[..] {
            [] => Ok(Vec::new().into()),
            [(number, range)] => self.sources[*number].read_at(range.clone()),
            parts => {
                let mut bytes = Vec::with_capacity((range.end - range.start) as usize);
                for (number, range) in parts {
                    bytes.extend_from_slice(&self.sources[*number].read_at(range.clone())?);
                }
                Ok(bytes.into())
            }
        }
    }

    fn is_in_memory(&self) -> bool {
        self.sources.iter().all(|source| source.is_in_memory())
    }

    fn is_remote(&self) -> bool {
        self.sources.iter().any(|source| source.is_remote())
    }

    fn prefetch(&self, ranges: &[Range<u64>]) -> io::Result<()> {
        let mut wanted: Vec<Vec<Range<u64>>> = vec![Vec::new(); self.sources.len()];
        for (number, range) in ranges.iter().flat_map(|range| self.split(range)) {
            wanted[number].push(range);
        }
        let asked = self.sources.iter().zip(&wanted).filter(|(_, ranges)| !ranges.is_empty());
        asked.into_iter().try_for_each(|(source, ranges)| source.prefetch(ranges))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_read_as_one() {
        let bytes: Vec<u8> = (0..=255).collect();
        for lengths in [&[256][..], &[1, 255], &[100, 0, 100, 56], &[64; 4]] {
            let mut rest = &bytes[..];
            let mut sources: Vec<Box<dyn ReadAt>> = Vec::new();
            for &length in lengths {
                let (piece, after) = rest.split_at(length);
                sources.push(Box::new(piece.to_vec()));
                rest = after;
            }
            let whole = Pieces::new(sources);
            assert_eq!(whole.length(), 256);
            for (start, end) in (0..=256).flat_map(|start| (start..=256).map(move |end| (start, end))) {
                assert_eq!(*whole.read_at(start..end).unwrap(), bytes[start as usize..end as usize]);
            }
            let error = whole.read_at(250..257).unwrap_err();
            assert!(matches!(error, ReadError::Io(error) if error.kind() == io::ErrorKind::UnexpectedEof));
        }
        assert_eq!(Pieces::new(Vec::new()).length(), 0);
    }
}
