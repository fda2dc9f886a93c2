//! Rows as text: CSV and lines of JSON.

use std::io::Write;

use arrow_array::cast::AsArray;
use arrow_array::types::{Int8Type, UInt8Type, UInt16Type, UInt64Type};
use arrow_array::{Array, Int8Array, RecordBatch, StringArray, UInt8Array, UInt16Array, UInt64Array};
use arrow_schema::DataType;
use serde::{Serialize, Serializer};

/// A column whose cells can be read.
enum Cells<'a> {
    Keys(&'a UInt64Array),
    Counts(&'a UInt16Array),
    Small(&'a UInt8Array),
    Points(&'a Int8Array),
    Texts(&'a StringArray),
    /// Places among words, and the words.
    Words(&'a UInt16Array, &'a StringArray),
}

#[derive(Serialize)]
#[serde(untagged)]
enum Cell<'a> {
    Nothing,
    Number(u64),
    Points(i8),
    Text(&'a str),
}

impl<'a> Cells<'a> {
    fn of(array: &'a dyn Array) -> Cells<'a> {
        match array.data_type() {
            DataType::UInt64 => Cells::Keys(array.as_primitive::<UInt64Type>()),
            DataType::UInt16 => Cells::Counts(array.as_primitive::<UInt16Type>()),
            DataType::UInt8 => Cells::Small(array.as_primitive::<UInt8Type>()),
            DataType::Int8 => Cells::Points(array.as_primitive::<Int8Type>()),
            DataType::Utf8 => Cells::Texts(array.as_string()),
            DataType::Dictionary(..) => {
                let words = array.as_dictionary::<UInt16Type>();
                Cells::Words(words.keys(), words.values().as_string())
            }
            other => unreachable!("columns are made of numbers and texts, not of {other}"),
        }
    }

    fn is_nothing(&self, row: usize) -> bool {
        match self {
            Cells::Keys(array) => array.is_null(row),
            Cells::Counts(array) | Cells::Words(array, _) => array.is_null(row),
            Cells::Small(array) => array.is_null(row),
            Cells::Points(array) => array.is_null(row),
            Cells::Texts(array) => array.is_null(row),
        }
    }

    fn cell(&self, row: usize) -> Cell<'a> {
        if self.is_nothing(row) {
            return Cell::Nothing;
        }
        match *self {
            Cells::Keys(array) => Cell::Number(array.value(row)),
            Cells::Counts(array) => Cell::Number(array.value(row).into()),
            Cells::Small(array) => Cell::Number(array.value(row).into()),
            Cells::Points(array) => Cell::Points(array.value(row)),
            Cells::Texts(array) => Cell::Text(array.value(row)),
            Cells::Words(places, words) => Cell::Text(words.value(places.value(row).into())),
        }
    }
}

/// A row as an object, all columns in their order.
struct Row<'a> {
    names: &'a [&'a str],
    columns: &'a [Cells<'a>],
    row: usize,
}

impl Serialize for Row<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.names.iter().zip(self.columns.iter().map(|cells| cells.cell(self.row))))
    }
}

fn columns(batch: &RecordBatch) -> Vec<Cells<'_>> {
    batch.columns().iter().map(|array| Cells::of(array)).collect()
}

/// Rows as CSV, without the names of columns.
pub fn csv(batch: &RecordBatch) -> Vec<u8> {
    let columns = columns(batch);
    let mut writer = csv::WriterBuilder::new().has_headers(false).from_writer(Vec::new());
    for row in 0..batch.num_rows() {
        let cells: Vec<Cell> = columns.iter().map(|cells| cells.cell(row)).collect();
        writer.serialize(cells).expect("to memory");
    }
    writer.into_inner().expect("to memory")
}

/// Rows as lines of JSON, with `null` where there is nothing.
pub fn jsonl(batch: &RecordBatch) -> Vec<u8> {
    let (schema, columns) = (batch.schema_ref(), columns(batch));
    let names: Vec<&str> = schema.fields().iter().map(|field| field.name().as_str()).collect();
    let mut text = Vec::new();
    for row in 0..batch.num_rows() {
        serde_json::to_writer(&mut text, &Row { names: &names, columns: &columns, row }).expect("to memory");
        text.write_all(b"\n").expect("to memory");
    }
    text
}
