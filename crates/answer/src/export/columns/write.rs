//! The formats of files with columns.

use std::error::Error;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use arrow_array::RecordBatch;
use parquet::arrow::ArrowSchemaConverter;
use parquet::arrow::arrow_writer::{ArrowColumnChunk, ArrowColumnWriter, ArrowRowGroupWriterFactory, compute_leaves};
use parquet::basic::{Compression, Encoding, ZstdLevel};
use parquet::errors::ParquetError;
use parquet::file::properties::{EnabledStatistics, WriterProperties};
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::types::ColumnPath;
use rayon::prelude::*;

use super::super::file::OutFile;
use super::schema::{Columns, KeyForm};
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
        parquet: Box<ParquetFile>,
        path: PathBuf,
    },
    /// Text made by threads, one batch each.
    Text {
        file: OutFile,
        encode: fn(&RecordBatch) -> Vec<u8>,
    },
}

/// A Parquet file whose columns are encoded by all threads.
pub struct ParquetFile {
    writer: SerializedFileWriter<Sink>,
    columns: ArrowRowGroupWriterFactory,
    groups: usize,
}

/// What formats write to.
struct Sink(OutFile);

impl Write for Sink {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.write(bytes).map(|()| bytes.len()).map_err(io::Error::other)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl DataFile {
    pub fn create(form: DataForm, mut file: OutFile, columns: &Columns) -> Result<DataFile> {
        Ok(match form {
            DataForm::Parquet => {
                let path = file.path().to_path_buf();
                let parquet = ParquetFile::create(file, columns).map_err(failed(&path))?;
                DataFile::Parquet { parquet: Box::new(parquet), path }
            }
            DataForm::Csv => {
                let names: Vec<&str> = columns.schema.fields().iter().map(|field| field.name().as_str()).collect();
                file.write(format!("{}\n", names.join(",")).as_bytes())?;
                DataFile::Text { file, encode: text::csv }
            }
            DataForm::Jsonl => DataFile::Text { file, encode: text::jsonl },
        })
    }

    /// Writes rows, which make a row group of Parquet.
    pub fn write(&mut self, columns: &Columns, batches: &[RecordBatch]) -> Result<()> {
        match self {
            DataFile::Parquet { parquet, path } => parquet.write(columns, batches).map_err(failed(path)),
            DataFile::Text { file, encode } => {
                let texts: Vec<Vec<u8>> = batches.par_iter().map(*encode).collect();
                Ok(texts.iter().try_for_each(|text| file.write(text))?)
            }
        }
    }

    pub fn finish(self) -> Result<()> {
        let file = match self {
            DataFile::Parquet { parquet, path } => parquet.writer.into_inner().map_err(failed(&path))?.0,
            DataFile::Text { file, .. } => file,
        };
        Ok(file.finish()?)
    }
}

impl ParquetFile {
    fn create(file: OutFile, columns: &Columns) -> Result<ParquetFile, ParquetError> {
        let properties = WriterProperties::builder()
            .set_compression(Compression::ZSTD(ZstdLevel::try_new(1)?))
            .set_statistics_enabled(EnabledStatistics::Chunk)
            // Hardly a text stands twice.
            .set_column_dictionary_enabled(ColumnPath::from("position"), false)
            .set_column_dictionary_enabled(ColumnPath::from("key"), false)
            .set_column_encoding(ColumnPath::from("key"), Encoding::DELTA_BINARY_PACKED)
            .build();
        let schema = ArrowSchemaConverter::new().convert(&columns.schema)?;
        let writer = SerializedFileWriter::new(Sink(file), schema.root_schema_ptr(), Arc::new(properties))?;
        let columns = ArrowRowGroupWriterFactory::new(&writer, columns.schema.clone());
        Ok(ParquetFile { writer, columns, groups: 0 })
    }

    fn write(&mut self, columns: &Columns, batches: &[RecordBatch]) -> Result<(), ParquetError> {
        if batches.is_empty() {
            return Ok(());
        }
        let writers = self.columns.create_column_writers(self.groups)?;
        let fields = columns.schema.fields();
        let encode = |(column, mut writer): (usize, ArrowColumnWriter)| {
            for batch in batches {
                for leaf in compute_leaves(&fields[column], batch.column(column))? {
                    writer.write(&leaf)?;
                }
            }
            writer.close()
        };
        let chunks: Vec<ArrowColumnChunk> = writers
            .into_iter()
            .enumerate()
            .collect::<Vec<_>>()
            .into_par_iter()
            .map(encode)
            .collect::<Result<_, _>>()?;
        let mut group = self.writer.next_row_group()?;
        for chunk in chunks {
            chunk.append_to_row_group(&mut group)?;
        }
        group.close()?;
        self.groups += 1;
        Ok(())
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
