//! Files that get their final names when they are complete.

use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

use super::members::{self, MEMBER};
use super::own;

use yomikiri_solve::SolveError;
use yomikiri_table::disk::{self, DiskFile};
use yomikiri_table::{PartFile, Result, TableError, parallel};

/// The number of items that one thread encodes at a time.
const SHARE: usize = 1 << 14;

/// The number of encoded shares that are in memory at once. A share has up to [`SHARE`] items.
const SHARES: usize = 32;

/// The number of bytes that are compressed at once, in parallel. It is a multiple of [`MEMBER`], the length of a gzip
/// member.
const DEFLATED: usize = 64 * MEMBER;

/// A file that is written under a temporary name until it is complete. A file whose name ends in `.gz` is compressed in
/// independent gzip members, and gets an index of these members in a second file with `.gzi` appended to the name.
pub struct OutFile {
    path: PathBuf,
    part: PartFile,
    writer: BufWriter<DiskFile>,
    gzip: Option<Gzip>,
}

/// The bytes to be compressed, and the compressed lengths of the members written so far.
#[derive(Default)]
struct Gzip {
    waiting: Vec<u8>,
    lengths: Vec<u64>,
}

/// Returns the path of the index file that belongs to a compressed file (`.gz`), or `None` for other files.
pub fn index_of(path: &Path) -> Option<PathBuf> {
    path.extension().is_some_and(|extension| extension == "gz").then(|| path.with_added_extension("gzi"))
}

impl OutFile {
    /// Begins a file. Returns an error if there is a file other than an export at `path`, or at the path of its index.
    pub fn create(path: &Path) -> Result<OutFile> {
        index_of(path).map_or(Ok(()), |index| own::of(&index).check(&index))?;
        let (part, file) = PartFile::create(path, own::of(path))?;
        let is_gzip = index_of(path).is_some();
        let writer = BufWriter::with_capacity(1 << 20, file);
        Ok(OutFile { path: path.into(), part, writer, gzip: is_gzip.then(Gzip::default) })
    }

    /// Returns the final name of the file.
    #[cfg(feature = "data")]
    pub fn path(&self) -> &Path {
        &self.path
    }

    pub fn write(&mut self, bytes: &[u8]) -> Result<()> {
        for bytes in bytes.chunks(DEFLATED) {
            let Some(gzip) = &mut self.gzip else {
                self.writer.write_all(bytes).map_err(TableError::io(self.part.place()))?;
                continue;
            };
            gzip.waiting.extend_from_slice(bytes);
            if gzip.waiting.len() >= DEFLATED {
                self.deflate(DEFLATED)?;
            }
        }
        Ok(())
    }

    /// Compresses the first `length` of the waiting bytes into gzip members, and writes the members.
    fn deflate(&mut self, length: usize) -> Result<()> {
        let Some(gzip) = &mut self.gzip else { return Ok(()) };
        for member in members::members(&gzip.waiting[..length]) {
            gzip.lengths.push(member.len() as u64);
            self.writer.write_all(&member).map_err(TableError::io(self.part.place()))?;
        }
        gzip.waiting.drain(..length);
        Ok(())
    }

    /// Encodes each item with `encode`, in parallel, and writes the results in the order of the items.
    pub fn write_each<T: Sync>(
        &mut self,
        items: &[T],
        encode: impl Fn(&T, &mut Vec<u8>) -> Result<(), SolveError> + Sync,
    ) -> Result<(), SolveError> {
        let share = |items: &[T]| {
            let mut bytes = Vec::new();
            items.iter().try_for_each(|item| encode(item, &mut bytes)).map(|()| bytes)
        };
        for items in items.chunks(SHARE * SHARES) {
            let shares: Vec<&[T]> = items.chunks(SHARE).collect();
            let encoded = parallel::try_map(shares.len(), |number| share(shares[number]))?;
            encoded.iter().try_for_each(|bytes| self.write(bytes))?;
        }
        Ok(())
    }

    /// Renames the file into place, then writes its index if it is compressed. Removes the index of an earlier file
    /// first, so that an index is never next to a file to which it does not belong.
    pub fn finish(mut self) -> Result<()> {
        let rest = self.gzip.as_ref().map_or(0, |gzip| gzip.waiting.len());
        self.deflate(rest)?;
        let index = self.gzip.take().zip(index_of(&self.path));
        if let Some((_, path)) = &index {
            self.writer.write_all(&members::END).map_err(TableError::io(self.part.place()))?;
            own::of(path).check(path)?;
            disk::remove(path).map_err(TableError::io(path))?;
        }
        let file = self.writer.into_inner().map_err(|error| error.into_error());
        let file = file.map_err(TableError::io(self.part.place()))?;
        self.part.finish(&file)?;
        let Some((gzip, path)) = index else { return Ok(()) };
        let mut file = OutFile::create(&path)?;
        file.write(&members::index(&gzip.lengths))?;
        file.finish()
    }
}
