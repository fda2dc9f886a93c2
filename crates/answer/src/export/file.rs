//! Files that appear under their names once they are whole.

use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

use rayon::prelude::*;

use super::members::{self, MEMBER};
use super::own;

use yomikiri_solve::SolveError;
use yomikiri_table::disk::{self, DiskFile};
use yomikiri_table::{Part, Result, TableError};

/// Items whose bytes are made together by one thread.
const SHARE: usize = 1 << 14;

/// Shares that are in memory as bytes at the same time.
const SHARES: usize = 32;

/// Bytes that are deflated together, by all threads: whole members.
const DEFLATED: usize = 64 * MEMBER;

/// A file written under another name until it is whole. One whose name ends in `.gz` is deflated, in members, and gets
/// an index of them beside it, whose name has `.gzi` behind.
pub struct OutFile {
    path: PathBuf,
    part: Part,
    writer: BufWriter<DiskFile>,
    gzip: Option<Gzip>,
}

/// What is to be deflated, and the lengths of the members that have been.
#[derive(Default)]
struct Gzip {
    waiting: Vec<u8>,
    lengths: Vec<u64>,
}

/// The file with the index of a deflated one.
pub fn index_of(path: &Path) -> Option<PathBuf> {
    path.extension().is_some_and(|extension| extension == "gz").then(|| path.with_added_extension("gzi"))
}

impl OutFile {
    /// Begins a file. An error if `path`, or the index beside it, names what is no export.
    pub fn create(path: &Path) -> Result<OutFile> {
        index_of(path).map_or(Ok(()), |index| own::of(&index).check(&index))?;
        let (part, file) = Part::create(path, own::of(path))?;
        let is_gzip = index_of(path).is_some();
        let writer = BufWriter::with_capacity(1 << 20, file);
        Ok(OutFile { path: path.into(), part, writer, gzip: is_gzip.then(Gzip::default) })
    }

    /// The name it will have.
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

    /// Writes so many of the bytes that wait.
    fn deflate(&mut self, length: usize) -> Result<()> {
        let Some(gzip) = &mut self.gzip else { return Ok(()) };
        for member in members::members(&gzip.waiting[..length]) {
            gzip.lengths.push(member.len() as u64);
            self.writer.write_all(&member).map_err(TableError::io(self.part.place()))?;
        }
        gzip.waiting.drain(..length);
        Ok(())
    }

    /// Writes what `encode` makes of each item, in the order of the items.
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
            let shares = items.par_chunks(SHARE).map(share).collect::<Result<Vec<_>, _>>()?;
            shares.iter().try_for_each(|bytes| self.write(bytes))?;
        }
        Ok(())
    }

    /// Gives the file its name, then its index, if it is to have one; that of another file is taken away before.
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
