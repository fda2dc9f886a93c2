//! Where tables lie.

use std::path::PathBuf;

use pyo3::prelude::*;
use yomikiri_table::{Location, location};

use crate::{errors, threads};

/// The folder asked for, else that of the environment, else `precomp` of the current folder; or an address.
fn named(asked: Option<PathBuf>) -> PathBuf {
    let said = || std::env::var_os("YOMIKIRI_TABLES").filter(|folder| !folder.is_empty()).map(PathBuf::from);
    asked.or_else(said).unwrap_or_else(|| "precomp".into())
}

/// Where files are read: a folder, or an address, whose list of files is fetched.
pub fn to_read(py: Python<'_>, asked: Option<PathBuf>) -> PyResult<Location> {
    threads::detach(py, || Location::find(named(asked)))?.map_err(errors::table)
}

/// Where files are written: a folder. An address is refused.
pub fn to_write(asked: Option<PathBuf>) -> PyResult<PathBuf> {
    location::folder_of(named(asked)).map_err(errors::table)
}
