//! Gives positions of a table to Python as Arrow record batches, through the Arrow PyCapsule interface. The consumer
//! takes over the memory of the batches, so that nothing is copied.
//!
//! The command's data files (`export --to parquet`) have other columns: all that a game has, with names instead of
//! numbers, and counts of moves by outcome, which take several look-ups for each row. Batches have only the requested
//! columns, in the memory layout of Arrow, and a row takes no look-up.

use std::collections::VecDeque;
use std::ops::Range;
use std::sync::{Arc, Mutex, PoisonError};

use arrow_array::ffi::FFI_ArrowArray;
use arrow_array::ffi_stream::FFI_ArrowArrayStream;
use arrow_array::types::Int8Type;
use arrow_array::{
    Array, ArrayRef, DictionaryArray, Int8Array, Int16Array, RecordBatch, RecordBatchReader, StringArray, StructArray,
    UInt16Array, UInt64Array,
};
use arrow_schema::ffi::FFI_ArrowSchema;
use arrow_schema::{ArrowError, DataType, Field, Schema, SchemaRef};
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyTuple};
use yomikiri_rules::{AnyGame, Game as _, Notation, Side};
use yomikiri_solve::SolveError;
use yomikiri_table::entries::{self, Entries};
use yomikiri_table::{Table, TableError, parallel, probe};

use crate::bytes::{Meanings, Measures, NO_PLIES, column};
use crate::open_table::OpenTable;
use crate::{errors, threads};

/// A column of the batches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Column {
    Key,
    Outcome,
    Plies,
    Score,
    Ply,
    Side,
    Moves,
    Position,
}

/// All columns with their names.
const COLUMNS: [(&str, Column); 8] = [
    ("key", Column::Key),
    ("outcome", Column::Outcome),
    ("plies", Column::Plies),
    ("score", Column::Score),
    ("ply", Column::Ply),
    ("side", Column::Side),
    ("moves", Column::Moves),
    ("position", Column::Position),
];

impl Column {
    /// Returns the columns with these names. Without names, returns the default columns. `measure` is the measure of
    /// the table, `plies` or `score`. An unknown or repeated name is an error.
    pub fn read(names: Option<Vec<String>>, measure: &str) -> PyResult<Vec<Column>> {
        let names = names.unwrap_or_else(|| ["key", "outcome", measure].map(String::from).into());
        let has = |name: &str| !matches!((name, measure), ("plies", "score") | ("score", "plies"));
        let known: Vec<&str> = COLUMNS.iter().map(|&(name, _)| name).filter(|name| has(name)).collect();
        let read = |name: &String| {
            let column = COLUMNS.iter().find(|&&(known, _)| known == name && has(known));
            let unknown = || errors::argument("columns", &format!("\"{name}\" is not one of {}", known.join(", ")));
            column.map(|&(_, column)| column).ok_or_else(unknown)
        };
        let columns: Vec<Column> = names.iter().map(read).collect::<PyResult<_>>()?;
        if let Some(twice) = (1..columns.len()).find(|&at| columns[..at].contains(&columns[at])) {
            return Err(errors::argument("columns", &format!("\"{}\" is given twice", names[twice])));
        }
        Ok(columns)
    }

    fn name(self) -> &'static str {
        COLUMNS.iter().find(|&&(_, column)| column == self).map_or("", |&(name, _)| name)
    }

    fn field(self) -> Field {
        let (data, nullable) = match self {
            Column::Key => (DataType::UInt64, false),
            Column::Outcome | Column::Score => (DataType::Int8, false),
            Column::Plies => (DataType::Int16, true),
            Column::Ply | Column::Moves => (DataType::UInt16, false),
            Column::Side => (DataType::Dictionary(DataType::Int8.into(), DataType::Utf8.into()), false),
            Column::Position => (DataType::Utf8, false),
        };
        Field::new(self.name(), data, nullable)
    }

    /// Returns true if the column is computed from the position, not from the key or the table byte.
    fn is_of_position(self) -> bool {
        matches!(self, Column::Ply | Column::Side | Column::Moves | Column::Position)
    }
}

/// The columns that are computed from positions. Columns that the batch does not have are empty.
#[derive(Default)]
struct PositionColumns {
    plies: Vec<u16>,
    sides: Vec<i8>,
    moves: Vec<u16>,
    texts: Vec<String>,
}

fn of_positions(
    game: &AnyGame,
    table: &Table,
    keys: &[u64],
    columns: &[Column],
) -> Result<PositionColumns, SolveError> {
    let (mut found, mut moves) = (PositionColumns::default(), Vec::new());
    if !columns.iter().any(|column| column.is_of_position()) {
        return Ok(found);
    }
    for &key in keys {
        let position = probe::position_of(game, table, key)?;
        for column in columns {
            match column {
                Column::Ply => found.plies.push(game.ply(&position) as u16),
                Column::Side => found.sides.push(game.side(&position).pick([0, 1])),
                Column::Moves => {
                    game.moves(&position, &mut moves);
                    found.moves.push(moves.len() as u16);
                }
                Column::Position => found.texts.push(game.position_text(&position)),
                Column::Key | Column::Outcome | Column::Plies | Column::Score => {}
            }
        }
    }
    Ok(found)
}

/// Makes the batches of a table, one batch for each key range.
struct BatchSource {
    held: Arc<OpenTable>,
    meanings: Meanings,
    columns: Vec<Column>,
    schema: SchemaRef,
    /// The key ranges of the batches. Each range covers a few neighbouring blocks of the table, cut to the requested
    /// keys.
    ranges: Vec<Range<u64>>,
}

impl BatchSource {
    fn batch(&self, range: Range<u64>) -> Result<RecordBatch, ArrowError> {
        let external = |error: SolveError| ArrowError::ExternalError(error.to_string().into());
        let Entries { keys, bytes } = self.held.entries(range).map_err(external)?;
        let rules = &*self.held.game.rules;
        let of_positions = self.held.read(|table| of_positions(rules, table, &keys, &self.columns));
        let PositionColumns { plies, sides, moves, texts } = of_positions.map_err(external)?;
        let (mut keys, mut plies, mut sides, mut moves) = (Some(keys), Some(plies), Some(sides), Some(moves));
        let array = |&named: &Column| -> Result<ArrayRef, ArrowError> {
            Ok(match (named, &self.meanings.measures) {
                (Column::Key, _) => Arc::new(UInt64Array::from(keys.take().unwrap_or_default())),
                (Column::Outcome, _) => Arc::new(Int8Array::from(numbers(&bytes, &self.meanings.outcomes)?)),
                (Column::Plies, Measures::Plies(plies)) => Arc::new(nullable(numbers(&bytes, plies)?)),
                (Column::Score, Measures::Scores(scores)) => Arc::new(Int8Array::from(numbers(&bytes, scores)?)),
                (Column::Plies | Column::Score, _) => {
                    return Err(ArrowError::InvalidArgumentError(format!("there is no column {}", named.name())));
                }
                (Column::Ply, _) => Arc::new(UInt16Array::from(plies.take().unwrap_or_default())),
                (Column::Moves, _) => Arc::new(UInt16Array::from(moves.take().unwrap_or_default())),
                (Column::Position, _) => Arc::new(StringArray::from_iter_values(&texts)),
                (Column::Side, _) => {
                    let names = StringArray::from_iter_values([Side::Black, Side::White].map(Side::name));
                    let sides = Int8Array::from(sides.take().unwrap_or_default());
                    Arc::new(DictionaryArray::<Int8Type>::try_new(sides, Arc::new(names))?)
                }
            })
        };
        let arrays = self.columns.iter().map(array).collect::<Result<_, _>>()?;
        RecordBatch::try_new(Arc::clone(&self.schema), arrays)
    }
}

/// Returns the meaning of each of `bytes`, as [`column`] does, but with the error type of Arrow.
fn numbers<T: Copy>(bytes: &[u8], meanings: &[T; 256]) -> Result<Vec<T>, ArrowError> {
    column(bytes, meanings).map_err(|error| ArrowError::ExternalError(error.to_string().into()))
}

/// Returns plies with nulls in place of [`NO_PLIES`].
fn nullable(plies: Vec<i16>) -> Int16Array {
    let valid = plies.contains(&NO_PLIES).then(|| plies.iter().map(|&plies| plies != NO_PLIES).collect());
    Int16Array::new(plies.into(), valid)
}

/// Makes batches in order, several at a time: one on each thread.
struct BatchReader {
    source: Arc<BatchSource>,
    next: usize,
    made: VecDeque<Result<RecordBatch, ArrowError>>,
}

impl Iterator for BatchReader {
    type Item = Result<RecordBatch, ArrowError>;

    fn next(&mut self) -> Option<Self::Item> {
        let BatchReader { source, next, made } = self;
        while made.is_empty() && *next < source.ranges.len() {
            let threads = match threads::shared() {
                Ok(threads) => threads,
                Err(error) => return Some(Err(ArrowError::ExternalError(error.to_string().into()))),
            };
            let end = (*next + threads.current_num_threads()).min(source.ranges.len());
            let ranges = &source.ranges[*next..end];
            let batches: Vec<_> =
                threads.install(|| parallel::map(ranges.len(), |number| source.batch(ranges[number].clone())));
            *next = end;
            made.extend(batches.into_iter().filter(|batch| !batch.as_ref().is_ok_and(|batch| batch.num_rows() == 0)));
        }
        made.pop_front()
    }
}

impl RecordBatchReader for BatchReader {
    fn schema(&self) -> SchemaRef {
        Arc::clone(&self.source.schema)
    }
}

/// Positions of a table as Arrow record batches, in the order of their keys.
///
/// The object has the Arrow PyCapsule interface, so ``polars.DataFrame``, ``pyarrow.table``, DuckDB and others take it
/// directly and without copies. Each of them starts from the first position. Iteration yields each ``Batch``. A batch
/// has the positions of a few neighbouring blocks of the table, at most about a million positions. At most one batch
/// for each core is in memory at a time. A table that leaves out won positions, such as the table of animal shogi, is
/// read into memory first.
#[pyclass(frozen, module = "yomikiri")]
pub struct Batches {
    source: Arc<BatchSource>,
}

impl Batches {
    pub fn new(held: Arc<OpenTable>, columns: Vec<Column>, keys: Range<u64>) -> PyResult<Batches> {
        let cut = |range: Range<u64>| range.start.max(keys.start)..range.end.min(keys.end);
        let ranges = held.read(|table| entries::ranges(table)).map_err(errors::table)?;
        let ranges = ranges.into_iter().map(cut).filter(|range| !range.is_empty()).collect();
        let schema = Arc::new(Schema::new(columns.iter().map(|column| column.field()).collect::<Vec<_>>()));
        let meanings = Meanings::of(&held.game);
        Ok(Batches { source: Arc::new(BatchSource { held, meanings, columns, schema, ranges }) })
    }

    fn reader(&self) -> BatchReader {
        BatchReader { source: Arc::clone(&self.source), next: 0, made: VecDeque::new() }
    }
}

fn arrow_error(error: &ArrowError) -> PyErr {
    match error {
        ArrowError::ExternalError(error) => errors::unreadable(error.to_string()),
        error => errors::unreadable(error.to_string()),
    }
}

/// Returns a schema as a PyCapsule.
fn schema_capsule<'py>(py: Python<'py>, schema: &Schema) -> PyResult<Bound<'py, PyAny>> {
    let schema = FFI_ArrowSchema::try_from(schema).map_err(|error| arrow_error(&error))?;
    Ok(PyCapsule::new_with_value(py, schema, c"arrow_schema")?.into_any())
}

#[pymethods]
impl Batches {
    /// Exports the schema through the Arrow PyCapsule interface.
    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        schema_capsule(py, &self.source.schema)
    }

    /// Exports all batches through the Arrow PyCapsule interface. The requested schema is ignored.
    #[pyo3(signature = (requested_schema=None))]
    pub fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        drop(requested_schema);
        let stream = FFI_ArrowArrayStream::new(Box::new(self.reader()));
        Ok(PyCapsule::new_with_value(py, stream, c"arrow_array_stream")?.into_any())
    }

    fn __iter__(&self) -> BatchIterator {
        BatchIterator { held: Arc::clone(&self.source.held), reader: Mutex::new(self.reader()) }
    }
}

/// An iterator over batches.
#[pyclass(frozen, module = "yomikiri")]
pub struct BatchIterator {
    held: Arc<OpenTable>,
    reader: Mutex<BatchReader>,
}

#[pymethods]
impl BatchIterator {
    fn __iter__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    fn __next__(&self, py: Python<'_>) -> PyResult<Option<Batch>> {
        // Takes the lock of `reader` inside `held.read`. That function returns an error if a thread of the parent
        // process held the lock at the fork.
        let next = || {
            let next = || self.reader.lock().unwrap_or_else(PoisonError::into_inner).next();
            self.held.read(|_| Ok::<_, TableError>(next()))
        };
        let next = py.detach(next).map_err(errors::table)?;
        next.transpose().map(|batch| batch.map(|batch| Batch { batch })).map_err(|error| arrow_error(&error))
    }
}

/// An Arrow record batch. ``pyarrow.record_batch``, ``polars.DataFrame`` and others take it through the Arrow PyCapsule
/// interface, without copies. ``len`` is the number of rows.
#[pyclass(frozen, module = "yomikiri")]
pub struct Batch {
    batch: RecordBatch,
}

#[pymethods]
impl Batch {
    /// The names of the columns.
    #[getter]
    fn columns(&self) -> Vec<String> {
        self.batch.schema().fields().iter().map(|field| field.name().clone()).collect()
    }

    fn __len__(&self) -> usize {
        self.batch.num_rows()
    }

    /// Exports the schema through the Arrow PyCapsule interface.
    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        schema_capsule(py, &self.batch.schema())
    }

    /// Exports the schema and the data through the Arrow PyCapsule interface. The requested schema is ignored.
    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_array__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyTuple>> {
        drop(requested_schema);
        let rows = StructArray::from(self.batch.clone());
        let data = FFI_ArrowArray::new(&rows.to_data());
        let data = PyCapsule::new_with_value(py, data, c"arrow_array")?.into_any();
        PyTuple::new(py, [schema_capsule(py, &self.batch.schema())?, data])
    }
}
