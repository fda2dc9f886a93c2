//! The formats of files with columns.

use std::error::Error;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use parquet::errors::ParquetError;
use rayon::prelude::*;

use super::super::file::OutFile;
use super::column::{Batch, Column};
use super::parquet::ParquetFile;
use super::schema::KeyForm;
use super::text;
use yomikiri_solve::{Result, SolveError};
use yomikiri_table::TableError;

/// A format of files with columns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DataForm {
    Parquet,
    Csv,
    Jsonl,
}

impl DataForm {
    pub const ALL: [DataForm; 3] = [DataForm::Parquet, DataForm::Csv, DataForm::Jsonl];

    /// The name in arguments and at the end of the file's name.
    pub fn name(self) -> &'static str {
        match self {
            DataForm::Parquet => "parquet",
            DataForm::Csv => "csv",
            DataForm::Jsonl => "jsonl",
        }
    }

    /// What it holds, in a line.
    pub fn about(self) -> &'static str {
        match self {
            DataForm::Parquet => "every position as a row of Parquet, for data frames",
            DataForm::Csv => "the same as comma-separated text",
            DataForm::Jsonl => "the same as lines of JSON",
        }
    }

    /// How keys are written.
    pub fn keys(self) -> KeyForm {
        match self {
            DataForm::Parquet | DataForm::Csv => KeyForm::Number,
            DataForm::Jsonl => KeyForm::Text,
        }
    }
}

/// A file that is being written.
pub enum DataFile {
    Parquet {
        parquet: Box<ParquetFile<Sink>>,
        path: PathBuf,
    },
    /// Text made by threads, one batch each.
    Text {
        file: OutFile,
        encode: fn(&Batch) -> Vec<u8>,
    },
}

/// What formats write to.
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
    /// A file that will have these columns.
    pub fn create(form: DataForm, mut file: OutFile, columns: &[Column]) -> Result<DataFile> {
        Ok(match form {
            DataForm::Parquet => {
                let path = file.path().to_path_buf();
                let parquet = ParquetFile::create(Sink(file), columns).map_err(failed(&path))?;
                DataFile::Parquet { parquet: Box::new(parquet), path }
            }
            DataForm::Csv => {
                let names: Vec<&str> = columns.iter().map(|column| column.name).collect();
                file.write(format!("{}\n", names.join(",")).as_bytes())?;
                DataFile::Text { file, encode: text::csv }
            }
            DataForm::Jsonl => DataFile::Text { file, encode: text::jsonl },
        })
    }

    /// Writes rows, which make a row group of Parquet.
    pub fn write(&mut self, batches: &[Batch]) -> Result<()> {
        match self {
            DataFile::Parquet { parquet, path } => parquet.write(batches).map_err(failed(path)),
            DataFile::Text { file, encode } => {
                let texts: Vec<Vec<u8>> = batches.par_iter().map(*encode).collect();
                Ok(texts.iter().try_for_each(|text| file.write(text))?)
            }
        }
    }

    pub fn finish(self) -> Result<()> {
        let file = match self {
            DataFile::Parquet { parquet, path } => parquet.finish().map_err(failed(&path))?.0,
            DataFile::Text { file, .. } => file,
        };
        Ok(file.finish()?)
    }
}

/// What went wrong with a file: what [`Sink`] met, else what the format finds.
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
