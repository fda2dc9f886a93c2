//! The file formats for columns.

use std::error::Error;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use parquet::errors::ParquetError;

use super::super::file::OutFile;
use super::column::{Batch, Column};
use super::parquet::ParquetFile;
use super::schema::KeyFormat;
use super::text;
use yomikiri_solve::{Result, SolveError};
use yomikiri_table::{TableError, parallel};

/// A file format for columns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DataFormat {
    /// Apache Parquet.
    Parquet,
    /// Comma-separated values, with the names of the columns in the first line.
    Csv,
    /// A JSON object per line.
    Jsonl,
}

impl DataFormat {
    /// All formats, in the order of help texts.
    pub const ALL: [DataFormat; 3] = [DataFormat::Parquet, DataFormat::Csv, DataFormat::Jsonl];

    /// Returns the name used in arguments, which is also the extension of the file.
    pub fn name(self) -> &'static str {
        match self {
            DataFormat::Parquet => "parquet",
            DataFormat::Csv => "csv",
            DataFormat::Jsonl => "jsonl",
        }
    }

    /// Returns a description of the content in one line.
    pub fn about(self) -> &'static str {
        match self {
            DataFormat::Parquet => "every position as a row of Parquet, for data frames",
            DataFormat::Csv => "the same data as comma-separated text",
            DataFormat::Jsonl => "the same data as JSON, a line for each row",
        }
    }

    /// Returns the form in which keys are written.
    pub fn keys(self) -> KeyFormat {
        match self {
            DataFormat::Parquet | DataFormat::Csv => KeyFormat::Number,
            DataFormat::Jsonl => KeyFormat::Text,
        }
    }
}

/// A data file that is being written.
pub enum DataFile {
    Parquet {
        parquet: Box<ParquetFile<Sink>>,
        path: PathBuf,
    },
    /// Text. The batches are encoded in parallel.
    Text {
        file: Box<OutFile>,
        encode: fn(&Batch) -> Vec<u8>,
    },
}

/// Adapts [`OutFile`] to [`Write`].
pub struct Sink(OutFile);

impl Write for Sink {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.write(bytes).map(|()| bytes.len()).map_err(io::Error::other)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl DataFile {
    /// Creates the data file in `file`, with these columns.
    pub fn create(form: DataFormat, mut file: OutFile, columns: &[Column]) -> Result<DataFile> {
        Ok(match form {
            DataFormat::Parquet => {
                let path = file.path().to_path_buf();
                let parquet = ParquetFile::create(Sink(file), columns).map_err(failed(&path))?;
                DataFile::Parquet { parquet: Box::new(parquet), path }
            }
            DataFormat::Csv => {
                let names: Vec<&str> = columns.iter().map(|column| column.name).collect();
                file.write(format!("{}\n", names.join(",")).as_bytes())?;
                DataFile::Text { file: Box::new(file), encode: text::csv }
            }
            DataFormat::Jsonl => DataFile::Text { file: Box::new(file), encode: text::jsonl },
        })
    }

    /// Writes the batches. In Parquet they become one row group.
    pub fn write(&mut self, batches: &[Batch]) -> Result<()> {
        match self {
            DataFile::Parquet { parquet, path } => parquet.write(batches).map_err(failed(path)),
            DataFile::Text { file, encode } => {
                let texts: Vec<Vec<u8>> = parallel::map(batches.len(), |number| encode(&batches[number]));
                Ok(texts.iter().try_for_each(|text| file.write(text))?)
            }
        }
    }

    pub fn finish(self) -> Result<()> {
        let file = match self {
            DataFile::Parquet { parquet, path } => parquet.finish().map_err(failed(&path))?.0,
            DataFile::Text { file, .. } => *file,
        };
        Ok(file.finish()?)
    }
}

/// Returns a function that converts an error of the crate `parquet` to an error about the file `path`. If a write to
/// [`Sink`] has failed, the result is the original error of that write.
fn failed(path: &Path) -> impl FnOnce(ParquetError) -> SolveError + '_ {
    move |error| {
        let met = match error {
            ParquetError::External(error) => error.downcast::<io::Error>().map(|error| error.downcast::<TableError>()),
            other => Err(Box::new(other) as Box<dyn Error + Send + Sync>),
        };
        SolveError::from(match met {
            Ok(Ok(error)) => error,
            Ok(Err(error)) => TableError::io(path)(error),
            Err(error) => TableError::io(path)(io::Error::other(error)),
        })
    }
}
