//! Rows as text: CSV or JSON lines.

use std::io::Write;

use serde::{Serialize, Serializer};

use super::column::{Batch, Cells, Column};

#[derive(Serialize)]
#[serde(untagged)]
enum Cell<'a> {
    Nothing,
    Number(u64),
    Points(i8),
    Text(&'a str),
}

impl Column {
    fn cell(&self, row: usize) -> Cell<'_> {
        match &self.cells {
            Cells::Keys(keys) => Cell::Number(keys[row]),
            Cells::Counts(counts) => Cell::Number(counts[row].into()),
            Cells::Optional(plies) => plies[row].map_or(Cell::Nothing, |plies| Cell::Number(plies.into())),
            Cells::Bytes(numbers) => Cell::Number(numbers[row].into()),
            Cells::Points(points) => points[row].map_or(Cell::Nothing, Cell::Points),
            Cells::Texts(texts) => Cell::Text(&texts[row]),
            Cells::Categories { words, places } => {
                places[row].map_or(Cell::Nothing, |place| Cell::Text(&words[usize::from(place)]))
            }
        }
    }
}

/// A row as a JSON object, with all columns in their order.
struct Row<'a> {
    columns: &'a [Column],
    row: usize,
}

impl Serialize for Row<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.columns.iter().map(|column| (column.name, column.cell(self.row))))
    }
}

/// Returns the rows of a batch as CSV, without a header.
pub fn csv(batch: &Batch) -> Vec<u8> {
    let mut writer = csv::WriterBuilder::new().has_headers(false).from_writer(Vec::new());
    for row in 0..batch.rows {
        let cells: Vec<Cell> = batch.columns.iter().map(|column| column.cell(row)).collect();
        writer.serialize(cells).expect("to memory");
    }
    writer.into_inner().expect("to memory")
}

/// Returns the rows of a batch as JSON lines, with `null` for empty cells.
pub fn jsonl(batch: &Batch) -> Vec<u8> {
    let mut text = Vec::new();
    for row in 0..batch.rows {
        serde_json::to_writer(&mut text, &Row { columns: &batch.columns, row }).expect("to memory");
        text.write_all(b"\n").expect("to memory");
    }
    text
}
