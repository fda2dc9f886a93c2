//! Finds the folders and addresses of tables.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use pyo3::prelude::*;
use yomikiri_table::places::{self, Surroundings};
use yomikiri_table::{Location, location};

use crate::{errors, threads};

/// The argument `tables`: a folder or an address, or a list of them.
pub struct Tables(Vec<PathBuf>);

impl<'py> FromPyObject<'_, 'py> for Tables {
    type Error = PyErr;

    fn extract(given: Borrowed<'_, 'py, PyAny>) -> PyResult<Tables> {
        match (given.extract::<PathBuf>(), given.extract()) {
            (Ok(place), _) => Ok(Tables(vec![place])),
            (_, Ok(places)) => Ok(Tables(places)),
            _ => Err(errors::type_error("a path or a list of paths", &given)),
        }
    }
}

/// Returns the facts about this process that decide where files are looked for, such as environment variables. They
/// include the path of the program in the package, because files that ship with the package lie near that program.
fn surroundings(py: Python<'_>) -> PyResult<Surroundings> {
    let program: Option<PathBuf> = py.import("yomikiri._installed")?.call_method0("program")?.extract()?;
    Ok(Surroundings::of_process(program.as_deref()))
}

/// Returns the folders and addresses in `asked`, or the usual ones if there are none ([`Surroundings::places`]).
fn named(surroundings: &Surroundings, asked: Option<Tables>) -> PyResult<Vec<PathBuf>> {
    let asked = asked.map_or(Vec::new(), |Tables(places)| places);
    surroundings.places(&asked, Path::is_dir).map_err(errors::text)
}

/// Returns the location to read files from, with the certificates and openings that ship with the package. Fetches the
/// manifest of each address.
pub fn to_read(py: Python<'_>, asked: Option<Tables>) -> PyResult<Location> {
    let surroundings = surroundings(py)?;
    let named = named(&surroundings, asked)?;
    let knowledge = surroundings.knowledge(Path::is_dir).map_err(errors::text)?;
    threads::detach(py, || places::location(named, knowledge.as_deref()))?.map_err(errors::table)
}

/// Returns the folder to write files to, the first entry of [`named`]. It is an error if this entry is an address.
pub fn to_write(py: Python<'_>, asked: Option<Tables>) -> PyResult<PathBuf> {
    let first = named(&surroundings(py)?, asked)?.swap_remove(0);
    location::folder_of(first).map_err(errors::table)
}

/// Returns the folders and addresses that the argument ``tables`` stands for, in the order in which they are asked.
#[pyfunction]
#[pyo3(signature = (tables=None, /))]
pub fn places_of(py: Python<'_>, tables: Option<Tables>) -> PyResult<Vec<OsString>> {
    Ok(named(&surroundings(py)?, tables)?.into_iter().map(PathBuf::into_os_string).collect())
}
