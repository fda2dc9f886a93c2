//! Positions of a table as Arrow record batches, handed over by the Arrow PyCapsule interface: whoever takes them owns
//! the memory that the blocks were inflated into, and nothing is copied.

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
use rayon::prelude::*;
use yomikiri_rules::{Side, with_game};
use yomikiri_solve::{Solvable, SolveError};
use yomikiri_table::entries::{self, Entries};
use yomikiri_table::{Table, TableError, probe};

use crate::bytes::{Meanings, Measures, NO_PLIES, column};
use crate::held::Held;
use crate::{errors, threads};

/// What a column tells of each position.
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

/// All of them, by name.
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
    /// Columns by their names, or the usual ones of tables with this measure.
    pub fn read(names: Option<Vec<String>>, measure: &str) -> PyResult<Vec<Column>> {
        let names = names.unwrap_or_else(|| ["key", "outcome", measure].map(String::from).into());
        let has = |name: &str| !matches!((name, measure), ("plies", "score") | ("score", "plies"));
        let known: Vec<&str> = COLUMNS.iter().map(|&(name, _)| name).filter(|name| has(name)).collect();
        let read = |name: &String| {
            let column = COLUMNS.iter().find(|&&(known, _)| known == name && has(known));
            let unknown = || errors::argument("columns", &format!("\"{name}\" is none of {}", known.join(", ")));
            column.map(|&(_, column)| column).ok_or_else(unknown)
        };
        let columns: Vec<Column> = names.iter().map(read).collect::<PyResult<_>>()?;
        if let Some(twice) = (1..columns.len()).find(|&at| columns[..at].contains(&columns[at])) {
            return Err(errors::argument("columns", &format!("\"{}\" is there twice", names[twice])));
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

    /// Whether it takes the position itself.
    fn is_of_position(self) -> bool {
        matches!(self, Column::Ply | Column::Side | Column::Moves | Column::Position)
    }
}

/// What columns tell that is not in the table.
#[derive(Default)]
struct OfPositions {
    plies: Vec<u16>,
    sides: Vec<i8>,
    moves: Vec<u16>,
    texts: Vec<String>,
}

fn of_positions<G: Solvable>(
    game: &G,
    table: &Table,
    keys: &[u64],
    columns: &[Column],
) -> Result<OfPositions, SolveError> {
    let (mut found, mut moves) = (OfPositions::default(), Vec::new());
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

/// Where batches come from.
struct Source {
    held: Arc<Held>,
    meanings: Meanings,
    columns: Vec<Column>,
    schema: SchemaRef,
    /// Runs of keys of some blocks, a batch each.
    ranges: Vec<Range<u64>>,
}

impl Source {
    fn batch(&self, range: Range<u64>) -> Result<RecordBatch, ArrowError> {
        let external = |error: SolveError| ArrowError::ExternalError(error.to_string().into());
        let Entries { keys, bytes } = self.held.entries(range).map_err(external)?;
        let rules = &*self.held.game.rules;
        let of_positions =
            self.held.read(|table| with_game!(rules, game => of_positions(game, table, &keys, &self.columns)));
        let OfPositions { plies, sides, moves, texts } = of_positions.map_err(external)?;
        let (mut keys, mut plies, mut sides, mut moves) = (Some(keys), Some(plies), Some(sides), Some(moves));
        let array = |&named: &Column| -> Result<ArrayRef, ArrowError> {
            Ok(match (named, &self.meanings.measures) {
                (Column::Key, _) => Arc::new(UInt64Array::from(keys.take().unwrap_or_default())),
                (Column::Outcome, _) => Arc::new(Int8Array::from(column(&bytes, &self.meanings.outcomes))),
                (Column::Plies, Measures::Plies(plies)) => Arc::new(nullable(column(&bytes, plies))),
                (Column::Score, Measures::Scores(scores)) => Arc::new(Int8Array::from(column(&bytes, scores))),
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

/// Plies with nulls for what has none.
fn nullable(plies: Vec<i16>) -> Int16Array {
    let valid = plies.contains(&NO_PLIES).then(|| plies.iter().map(|&plies| plies != NO_PLIES).collect());
    Int16Array::new(plies.into(), valid)
}

/// One batch after the other; some are made at a time, by all threads.
struct Reader {
    source: Arc<Source>,
    next: usize,
    made: VecDeque<Result<RecordBatch, ArrowError>>,
}

impl Iterator for Reader {
    type Item = Result<RecordBatch, ArrowError>;

    fn next(&mut self) -> Option<Self::Item> {
        let Reader { source, next, made } = self;
        while made.is_empty() && *next < source.ranges.len() {
            let threads = match threads::shared() {
                Ok(threads) => threads,
                Err(error) => return Some(Err(ArrowError::ExternalError(error.to_string().into()))),
            };
            let end = (*next + threads.current_num_threads()).min(source.ranges.len());
            let ranges = &source.ranges[*next..end];
            let batches: Vec<_> =
                threads.install(|| ranges.par_iter().map(|range| source.batch(range.clone())).collect());
            *next = end;
            made.extend(batches.into_iter().filter(|batch| !batch.as_ref().is_ok_and(|batch| batch.num_rows() == 0)));
        }
        made.pop_front()
    }
}

impl RecordBatchReader for Reader {
    fn schema(&self) -> SchemaRef {
        Arc::clone(&self.source.schema)
    }
}

/// Positions of a table as Arrow record batches, in the order of their keys.
///
/// It has the Arrow PyCapsule interface, so ``polars.DataFrame``, ``pyarrow.table``, DuckDB and others take it as it
/// is, without copies; each time from the beginning. Iterated over, it gives ``Batch`` by ``Batch``. A batch has the
/// positions of some neighbouring blocks: at most about a million, and no more are in memory at a time than a batch for
/// each core. A table that leaves wins out, as those of animal shogi do, is read into memory first.
#[pyclass(frozen, module = "yomikiri")]
pub struct Batches {
    source: Arc<Source>,
}

impl Batches {
    pub fn new(held: Arc<Held>, columns: Vec<Column>, keys: Range<u64>) -> PyResult<Batches> {
        let cut = |range: Range<u64>| range.start.max(keys.start)..range.end.min(keys.end);
        let ranges = held.read(|table| entries::ranges(table)).map_err(errors::table)?;
        let ranges = ranges.into_iter().map(cut).filter(|range| !range.is_empty()).collect();
        let schema = Arc::new(Schema::new(columns.iter().map(|column| column.field()).collect::<Vec<_>>()));
        let meanings = Meanings::of(&held.game);
        Ok(Batches { source: Arc::new(Source { held, meanings, columns, schema, ranges }) })
    }

    fn reader(&self) -> Reader {
        Reader { source: Arc::clone(&self.source), next: 0, made: VecDeque::new() }
    }
}

fn arrow_error(error: &ArrowError) -> PyErr {
    match error {
        ArrowError::ExternalError(error) => errors::unreadable(error.to_string()),
        error => errors::unreadable(error.to_string()),
    }
}

/// A schema as the interface has it.
fn schema_capsule<'py>(py: Python<'py>, schema: &Schema) -> PyResult<Bound<'py, PyAny>> {
    let schema = FFI_ArrowSchema::try_from(schema).map_err(|error| arrow_error(&error))?;
    Ok(PyCapsule::new_with_value(py, schema, c"arrow_schema")?.into_any())
}

#[pymethods]
impl Batches {
    /// The schema, by the Arrow PyCapsule interface.
    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        schema_capsule(py, &self.source.schema)
    }

    /// All batches, by the Arrow PyCapsule interface. They have their own schema, whichever is requested.
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

/// Goes through batches.
#[pyclass(frozen, module = "yomikiri")]
pub struct BatchIterator {
    held: Arc<Held>,
    reader: Mutex<Reader>,
}

#[pymethods]
impl BatchIterator {
    fn __iter__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    fn __next__(&self, py: Python<'_>) -> PyResult<Option<Batch>> {
        // The lock is taken inside, so that a forked process does not wait for a thread of its parent.
        let next = || {
            let next = || self.reader.lock().unwrap_or_else(PoisonError::into_inner).next();
            self.held.read(|_| Ok::<_, TableError>(next()))
        };
        let next = py.detach(next).map_err(errors::table)?;
        next.transpose().map(|batch| batch.map(|batch| Batch { batch })).map_err(|error| arrow_error(&error))
    }
}

/// An Arrow record batch: ``pyarrow.record_batch``, ``polars.DataFrame`` and others take it by the Arrow PyCapsule
/// interface, without copies. ``len`` is the number of its rows.
#[pyclass(frozen, module = "yomikiri")]
pub struct Batch {
    batch: RecordBatch,
}

#[pymethods]
impl Batch {
    /// The names of its columns.
    #[getter]
    fn columns(&self) -> Vec<String> {
        self.batch.schema().fields().iter().map(|field| field.name().clone()).collect()
    }

    fn __len__(&self) -> usize {
        self.batch.num_rows()
    }

    /// The schema, by the Arrow PyCapsule interface.
    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        schema_capsule(py, &self.batch.schema())
    }

    /// Schema and data, by the Arrow PyCapsule interface. They have their own schema, whichever is requested.
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
