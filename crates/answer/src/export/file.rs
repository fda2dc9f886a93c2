//! Files that appear under their names once they are whole.

use std::io::{BufWriter, Write};
use std::path::Path;

use flate2::Compression;
use flate2::write::GzEncoder;
use rayon::prelude::*;

use yomikiri_solve::SolveError;
use yomikiri_table::disk::DiskFile;
use yomikiri_table::{Part, Result, TableError};

/// Items whose bytes are made together by one thread.
const SHARE: usize = 1 << 14;

/// Shares that are in memory as bytes at the same time.
const SHARES: usize = 32;

/// A file written under another name until it is whole; a name that ends in `.gz` has it compressed.
pub struct OutFile {
    part: Part,
    sink: Sink,
}

enum Sink {
    Plain(BufWriter<DiskFile>),
    Gz(GzEncoder<BufWriter<DiskFile>>),
}

impl OutFile {
    pub fn create(path: &Path) -> Result<OutFile> {
        let (part, file) = Part::create(path)?;
        let writer = BufWriter::with_capacity(1 << 20, file);
        let sink = match path.extension().is_some_and(|extension| extension == "gz") {
            true => Sink::Gz(GzEncoder::new(writer, Compression::fast())),
            false => Sink::Plain(writer),
        };
        Ok(OutFile { part, sink })
    }

    pub fn write(&mut self, bytes: &[u8]) -> Result<()> {
        let written = match &mut self.sink {
            Sink::Plain(writer) => writer.write_all(bytes),
            Sink::Gz(encoder) => encoder.write_all(bytes),
        };
        written.map_err(TableError::io(self.part.place()))
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

    /// Gives the file its name.
    pub fn finish(self) -> Result<()> {
        let writer = match self.sink {
            Sink::Plain(writer) => Ok(writer),
            Sink::Gz(encoder) => encoder.finish(),
        };
        let file = writer.and_then(|rest| rest.into_inner().map_err(|error| error.into_error()));
        let file = file.map_err(TableError::io(self.part.place()))?;
        self.part.finish(&file)
    }
}
