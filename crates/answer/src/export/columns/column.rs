//! A column of some rows, and rows as columns.

use std::collections::HashMap;

/// A column of some rows.
pub struct Column {
    pub name: &'static str,
    pub cells: Cells,
}

/// The cells of a column, one for each row.
pub enum Cells {
    Keys(Vec<u64>),
    Counts(Vec<u16>),
    /// Plies, where there is an end that they lead to.
    Plies(Vec<Option<u16>>),
    Small(Vec<u8>),
    /// Points, positive and negative, where there are any.
    Points(Vec<Option<i8>>),
    /// Texts, of which each is rare.
    Texts(Vec<String>),
    /// Texts of which there are few different ones: each row's place among them, or nothing.
    Words {
        words: Vec<String>,
        places: Vec<Option<u16>>,
    },
}

/// Some rows: columns of the same length.
pub struct Batch {
    pub columns: Vec<Column>,
    pub rows: usize,
}

impl Column {
    /// Small numbers.
    pub fn small(name: &'static str, numbers: impl Iterator<Item = u8>) -> Column {
        Column { name, cells: Cells::Small(numbers.collect()) }
    }

    /// Counts.
    pub fn counts(name: &'static str, numbers: impl Iterator<Item = u16>) -> Column {
        Column { name, cells: Cells::Counts(numbers.collect()) }
    }

    /// Points, positive and negative, where there are any.
    pub fn points(name: &'static str, numbers: impl Iterator<Item = Option<i8>>) -> Column {
        Column { name, cells: Cells::Points(numbers.collect()) }
    }

    /// Texts, of which each is rare.
    pub fn texts(name: &'static str, texts: impl Iterator<Item = String>) -> Column {
        Column { name, cells: Cells::Texts(texts.collect()) }
    }

    /// Texts of which there are few different ones, at most 65,536, or nothing.
    pub fn words<T: AsRef<str>>(name: &'static str, texts: impl Iterator<Item = Option<T>>) -> Column {
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
        Column { name, cells: Cells::Words { words, places } }
    }
}
