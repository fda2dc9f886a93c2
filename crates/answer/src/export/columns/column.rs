//! A column of some rows.

use std::sync::Arc;

use arrow_array::types::UInt16Type;
use arrow_array::{ArrayRef, DictionaryArray, Int8Array, StringArray, UInt8Array, UInt16Array};
use arrow_schema::Field;

/// A column of some rows.
pub struct Column {
    pub field: Field,
    pub array: ArrayRef,
}

impl Column {
    /// Any values.
    pub fn new(name: &str, nullable: bool, array: ArrayRef) -> Column {
        Column { field: Field::new(name, array.data_type().clone(), nullable), array }
    }

    /// Small numbers.
    pub fn small(name: &str, numbers: impl Iterator<Item = u8>) -> Column {
        Column::new(name, false, Arc::new(UInt8Array::from_iter_values(numbers)))
    }

    /// Counts.
    pub fn counts(name: &str, numbers: impl Iterator<Item = u16>) -> Column {
        Column::new(name, false, Arc::new(UInt16Array::from_iter_values(numbers)))
    }

    /// Points, positive and negative, where there are any.
    pub fn points(name: &str, numbers: impl Iterator<Item = Option<i8>>) -> Column {
        Column::new(name, true, Arc::new(numbers.collect::<Int8Array>()))
    }

    /// Texts, of which each is rare.
    pub fn texts(name: &str, texts: impl Iterator<Item = String>) -> Column {
        Column::new(name, false, Arc::new(StringArray::from_iter_values(texts)))
    }

    /// Texts of which there are few different ones, or nothing.
    pub fn words<T: AsRef<str>>(name: &str, words: impl Iterator<Item = Option<T>>) -> Column {
        let words: Vec<Option<T>> = words.collect();
        let array: DictionaryArray<UInt16Type> = words.iter().map(|word| word.as_ref().map(AsRef::as_ref)).collect();
        Column::new(name, true, Arc::new(array))
    }
}
