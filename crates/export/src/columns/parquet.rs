//! Writes columns as Parquet with the low-level interface of the crate `parquet`. Its high-level interface takes Arrow
//! arrays, and would make all of Arrow's code a dependency.

use std::io::Write;
use std::sync::Arc;

use bytes::Bytes;
use parquet::basic::{Compression, Encoding, LogicalType, Repetition, Type as Physical, ZstdLevel};
use parquet::column::writer::{ColumnCloseResult, ColumnWriter, get_column_writer};
use parquet::data_type::ByteArray;
use parquet::errors::Result;
use parquet::file::properties::{EnabledStatistics, WriterProperties, WriterPropertiesPtr};
use parquet::file::writer::{SerializedFileWriter, SerializedPageWriter, TrackedWrite};
use parquet::schema::types::{ColumnDescPtr, ColumnPath, SchemaDescriptor, Type, TypePtr};

use super::column::{Batch, Cells, Column};
use yomikiri_table::parallel;

/// A Parquet file whose columns are encoded in parallel.
pub struct ParquetFile<W: Write + Send> {
    writer: SerializedFileWriter<W>,
    columns: Vec<ColumnDescPtr>,
    properties: WriterPropertiesPtr,
}

impl<W: Write + Send> ParquetFile<W> {
    /// Creates a file with these columns.
    pub fn create(sink: W, columns: &[Column]) -> Result<Self> {
        let properties = WriterProperties::builder()
            .set_compression(Compression::ZSTD(ZstdLevel::try_new(1)?))
            .set_statistics_enabled(EnabledStatistics::Chunk)
            // Values of these columns hardly ever repeat, so a dictionary would save nothing.
            .set_column_dictionary_enabled(ColumnPath::from("position"), false)
            .set_column_dictionary_enabled(ColumnPath::from("key"), false)
            .set_column_encoding(ColumnPath::from("key"), Encoding::DELTA_BINARY_PACKED)
            .build();
        let properties = Arc::new(properties);
        let fields = columns.iter().map(field).collect::<Result<_>>()?;
        let schema = Arc::new(Type::group_type_builder("positions").with_fields(fields).build()?);
        let writer = SerializedFileWriter::new(sink, schema.clone(), properties.clone())?;
        Ok(ParquetFile { writer, columns: SchemaDescriptor::new(schema).columns().to_vec(), properties })
    }

    /// Writes the batches as one row group. Writes nothing if there are none.
    pub fn write(&mut self, batches: &[Batch]) -> Result<()> {
        if batches.is_empty() {
            return Ok(());
        }
        let encode = |number: usize| {
            chunk(&self.columns[number], &self.properties, batches.iter().map(|batch| &batch.columns[number].cells))
        };
        let chunks: Vec<(Bytes, ColumnCloseResult)> = parallel::try_map(self.columns.len(), encode)?;
        let mut group = self.writer.next_row_group()?;
        for (bytes, close) in chunks {
            group.append_column(&bytes, close)?;
        }
        group.close().map(drop)
    }

    /// Writes the footer and returns the sink.
    pub fn finish(self) -> Result<W> {
        self.writer.into_inner()
    }
}

/// Returns the field for a column in the Parquet schema.
fn field(column: &Column) -> Result<TypePtr> {
    let number = |bits, is_signed| Some(LogicalType::integer(bits, is_signed));
    let (physical, logical, repetition) = match column.cells {
        Cells::Keys(_) => (Physical::INT64, number(64, false), Repetition::REQUIRED),
        Cells::Counts(_) => (Physical::INT32, number(16, false), Repetition::REQUIRED),
        Cells::Optional(_) => (Physical::INT32, number(16, false), Repetition::OPTIONAL),
        Cells::Bytes(_) => (Physical::INT32, number(8, false), Repetition::REQUIRED),
        Cells::Points(_) => (Physical::INT32, number(8, true), Repetition::OPTIONAL),
        Cells::Texts(_) => (Physical::BYTE_ARRAY, Some(LogicalType::String), Repetition::REQUIRED),
        Cells::Categories { .. } => (Physical::BYTE_ARRAY, Some(LogicalType::String), Repetition::OPTIONAL),
    };
    let builder = Type::primitive_type_builder(column.name, physical);
    Ok(Arc::new(builder.with_logical_type(logical).with_repetition(repetition).build()?))
}

/// Encodes the cells of a column, over several batches, as a column chunk in memory.
fn chunk<'a>(
    column: &ColumnDescPtr,
    properties: &WriterPropertiesPtr,
    batches: impl Iterator<Item = &'a Cells>,
) -> Result<(Bytes, ColumnCloseResult)> {
    let mut sink = TrackedWrite::new(Vec::new());
    let pages = Box::new(SerializedPageWriter::new(&mut sink));
    let mut writer = get_column_writer(column.clone(), properties.clone(), pages);
    batches.into_iter().try_for_each(|cells| write_cells(&mut writer, cells))?;
    let close = writer.close()?;
    Ok((sink.into_inner()?.into(), close))
}

fn write_cells(writer: &mut ColumnWriter, cells: &Cells) -> Result<()> {
    match cells {
        Cells::Keys(keys) => int64s(writer, keys.iter().map(|&key| key as i64).collect()),
        Cells::Counts(counts) => int32s(writer, counts.iter().map(|&count| count.into()).collect(), None),
        Cells::Optional(plies) => optional_int32s(writer, plies),
        Cells::Bytes(numbers) => int32s(writer, numbers.iter().map(|&number| number.into()).collect(), None),
        Cells::Points(points) => optional_int32s(writer, points),
        Cells::Texts(texts) => byte_arrays(writer, texts.iter().map(|text| text.as_str().into()).collect(), None),
        Cells::Categories { words, places } => {
            let words: Vec<ByteArray> = words.iter().map(|word| word.as_str().into()).collect();
            let present = places.iter().flatten().map(|&place| words[usize::from(place)].clone()).collect();
            byte_arrays(writer, present, Some(&levels(places)))
        }
    }
}

/// Returns Parquet's definition levels: 1 for a cell with a value, else 0.
fn levels<T>(cells: &[Option<T>]) -> Vec<i16> {
    cells.iter().map(|cell| cell.is_some().into()).collect()
}

fn optional_int32s<T: Copy + Into<i32>>(writer: &mut ColumnWriter, cells: &[Option<T>]) -> Result<()> {
    int32s(writer, cells.iter().flatten().map(|&cell| cell.into()).collect(), Some(&levels(cells)))
}

fn int32s(writer: &mut ColumnWriter, values: Vec<i32>, levels: Option<&[i16]>) -> Result<()> {
    let ColumnWriter::Int32ColumnWriter(writer) = writer else { unreachable!("the schema says INT32") };
    writer.write_batch(&values, levels, None).map(drop)
}

fn int64s(writer: &mut ColumnWriter, values: Vec<i64>) -> Result<()> {
    let ColumnWriter::Int64ColumnWriter(writer) = writer else { unreachable!("the schema says INT64") };
    writer.write_batch(&values, None, None).map(drop)
}

fn byte_arrays(writer: &mut ColumnWriter, values: Vec<ByteArray>, levels: Option<&[i16]>) -> Result<()> {
    let ColumnWriter::ByteArrayColumnWriter(writer) = writer else { unreachable!("the schema says BYTE_ARRAY") };
    writer.write_batch(&values, levels, None).map(drop)
}
