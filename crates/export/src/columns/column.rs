//! Columns, and batches of rows stored as columns.

use std::collections::HashMap;

/// A column of a batch of rows.
pub struct Column {
    pub name: &'static str,
    pub cells: Cells,
}

/// The cells of a column, one for each row.
pub enum Cells {
    Keys(Vec<u64>),
    Counts(Vec<u16>),
    /// Plies or counts; `None` for an empty cell.
    Optional(Vec<Option<u16>>),
    Bytes(Vec<u8>),
    /// Points, which may be negative; `None` for an empty cell.
    Points(Vec<Option<i8>>),
    /// Texts that rarely repeat.
    Texts(Vec<String>),
    /// Texts from a small set. `places` has an index into `words` for each row, or `None` for an empty cell.
    Categories {
        words: Vec<String>,
        places: Vec<Option<u16>>,
    },
}

/// A batch of rows, stored as columns with `rows` cells each.
pub struct Batch {
    pub columns: Vec<Column>,
    pub rows: usize,
}

impl Column {
    /// Creates a column of numbers below 256.
    pub fn bytes(name: &'static str, numbers: impl Iterator<Item = u8>) -> Column {
        Column { name, cells: Cells::Bytes(numbers.collect()) }
    }

    /// Creates a column of counts below 65,536.
    pub fn counts(name: &'static str, numbers: impl Iterator<Item = u16>) -> Column {
        Column { name, cells: Cells::Counts(numbers.collect()) }
    }

    /// Creates a column of points, which may be negative. `None` is an empty cell.
    pub fn points(name: &'static str, numbers: impl Iterator<Item = Option<i8>>) -> Column {
        Column { name, cells: Cells::Points(numbers.collect()) }
    }

    /// Creates a column of texts that rarely repeat.
    pub fn texts(name: &'static str, texts: impl Iterator<Item = String>) -> Column {
        Column { name, cells: Cells::Texts(texts.collect()) }
    }

    /// Creates a column of texts with at most 65,536 different values. `None` is an empty cell.
    pub fn categories<T: AsRef<str>>(name: &'static str, texts: impl Iterator<Item = Option<T>>) -> Column {
        let (mut words, mut known) = (Vec::new(), HashMap::<String, u16>::new());
        let mut place = |text: &str| {
            known.get(text).copied().unwrap_or_else(|| {
                let place = words.len().try_into().expect("few different words");
                known.insert(text.to_string(), place);
                words.push(text.to_string());
                place
            })
        };
        let places = texts.map(|text| text.map(|text| place(text.as_ref()))).collect();
        Column { name, cells: Cells::Categories { words, places } }
    }
}
