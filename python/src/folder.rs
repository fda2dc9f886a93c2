//! Finds the folder or address of tables.

use std::path::PathBuf;

use pyo3::prelude::*;
use yomikiri_table::{Location, location};

use crate::{errors, threads};

/// Returns the folder or address asked for, else that of the environment variable `YOMIKIRI_TABLES`, else `precomp` in
/// the current folder.
fn named(asked: Option<PathBuf>) -> PathBuf {
    let said = || std::env::var_os("YOMIKIRI_TABLES").filter(|folder| !folder.is_empty()).map(PathBuf::from);
    asked.or_else(said).unwrap_or_else(|| "precomp".into())
}

/// Returns the location to read files from, a folder or an address. Fetches the list of files of an address.
pub fn to_read(py: Python<'_>, asked: Option<PathBuf>) -> PyResult<Location> {
    threads::detach(py, || Location::find(named(asked)))?.map_err(errors::table)
}

/// Returns the folder to write files to. An address is an error.
pub fn to_write(asked: Option<PathBuf>) -> PyResult<PathBuf> {
    location::folder_of(named(asked)).map_err(errors::table)
}
