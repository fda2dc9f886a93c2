//! Tables that lie in several files: the bytes of `NAME.0000`, `NAME.0001` and so on, one after the other, are those of
//! the table `NAME`.

use std::borrow::Cow;
use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};

use super::Result;
use super::source::{FileSource, ReadAt};
#[cfg(feature = "write")]
use super::{TableError, first_bytes, format::MAGIC};

/// Most files of a table.
pub const MOST: usize = 10_000;

/// The file of the piece of this number.
pub fn piece(path: &Path, number: usize) -> PathBuf {
    path.with_added_extension(format!("{number:04}"))
}

/// The pieces of a table that lie in a folder, in their order; none if it is in one file, or not there.
pub fn of_folder(path: &Path) -> Vec<PathBuf> {
    (0..MOST).map(|number| piece(path, number)).take_while(|piece| piece.exists()).collect()
}

/// Returns true if a table lies at `path`, in one file or in pieces.
pub fn is_there(path: &Path) -> bool {
    path.exists() || piece(path, 0).exists()
}

/// The bytes of a table in a folder: those of the file if it is there, else those of its pieces.
pub fn open(path: &Path) -> Result<Box<dyn ReadAt>> {
    match &of_folder(path)[..] {
        pieces if !pieces.is_empty() && !path.exists() => Ok(Box::new(Pieces::open(pieces)?)),
        _ => Ok(Box::new(FileSource::open(path)?)),
    }
}

/// Deletes the pieces of a table that lies in one file now, the first piece first: no table begins without it. Files of
/// such names that do not begin as a table stay where they are.
#[cfg(feature = "write")]
pub fn remove(path: &Path) -> Result<()> {
    let is_table = first_bytes(&piece(path, 0), MAGIC.len()).is_some_and(|bytes| bytes == MAGIC);
    let own = if is_table { of_folder(path) } else { Vec::new() };
    own.iter().try_for_each(|piece| super::disk::remove(piece).map_err(TableError::io(piece)))
}

/// The path of the table whose first piece this is; `None` for all other files.
pub fn whole_of_first(path: &Path) -> Option<PathBuf> {
    let whole = path.with_extension("");
    (piece(&whole, 0) == path).then_some(whole)
}

/// The path of the table whose piece this is, whichever piece it is; `None` for all other files.
pub fn whole_of(path: &Path) -> Option<PathBuf> {
    let number = path.extension()?.to_str()?;
    let is_piece = number.len() == 4 && number.bytes().all(|digit| digit.is_ascii_digit());
    is_piece.then(|| path.with_extension(""))
}

/// Sources one after the other, as one.
pub struct Pieces {
    sources: Vec<Box<dyn ReadAt>>,
    /// Where each of them ends.
    ends: Vec<u64>,
}

impl Pieces {
    pub fn new(sources: Vec<Box<dyn ReadAt>>) -> Pieces {
        let mut end = 0;
        let ends = sources.iter().map(|source| {
            end += source.length();
            end
        });
        let ends = ends.collect();
        Pieces { sources, ends }
    }

    /// The pieces of a table in a folder.
    pub fn open(paths: &[PathBuf]) -> Result<Pieces> {
        let open = |path: &PathBuf| FileSource::open(path).map(|source| Box::new(source) as Box<dyn ReadAt>);
        Ok(Pieces::new(paths.iter().map(open).collect::<Result<_>>()?))
    }

    /// The parts of a range by the number of their source, as that counts bytes.
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

    fn read_at(&self, range: Range<u64>) -> io::Result<Cow<'_, [u8]>> {
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

    fn is_far(&self) -> bool {
        self.sources.iter().any(|source| source.is_far())
    }

    fn expect(&self, ranges: &[Range<u64>]) -> io::Result<()> {
        let mut wanted: Vec<Vec<Range<u64>>> = vec![Vec::new(); self.sources.len()];
        for (number, range) in ranges.iter().flat_map(|range| self.split(range)) {
            wanted[number].push(range);
        }
        let asked = self.sources.iter().zip(&wanted).filter(|(_, ranges)| !ranges.is_empty());
        asked.into_iter().try_for_each(|(source, ranges)| source.expect(ranges))
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
            assert_eq!(whole.read_at(250..257).unwrap_err().kind(), io::ErrorKind::UnexpectedEof);
        }
        assert_eq!(Pieces::new(Vec::new()).length(), 0);
    }
}
