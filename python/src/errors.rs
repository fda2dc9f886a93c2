//! Converts errors of the crates to exceptions. The classes of the exceptions are in `yomikiri/errors.py`.

use std::path::{Path, PathBuf};

use pyo3::exceptions::{PyRuntimeError, PyTypeError};
use pyo3::prelude::*;
use yomikiri_rules::{TextError, visible};
use yomikiri_solve::{SolveError, TooLarge};
use yomikiri_table::location::one_of;
use yomikiri_table::{Location, TableError};

mod classes {
    pyo3::import_exception!(yomikiri.errors, AuditError);
    pyo3::import_exception!(yomikiri.errors, MissingTableError);
    pyo3::import_exception!(yomikiri.errors, TableError);
    pyo3::import_exception!(yomikiri.errors, TextError);
    pyo3::import_exception!(yomikiri.errors, TooLargeError);
}

/// The exception for a text that is not a rule code, position or move.
pub fn text(error: TextError) -> PyErr {
    classes::TextError::new_err(error.to_string())
}

/// The exception for a wrong argument. `name` is the name of the argument.
pub fn argument(name: &str, problem: &str) -> PyErr {
    text(TextError::new(name, problem))
}

/// The exception for a file that cannot be read or written, is damaged, or is not the one asked for.
pub fn table(error: TableError) -> PyErr {
    classes::TableError::new_err(visible(error))
}

/// The exception for a missing file, which is at none of the `paths`, with a remedy.
pub fn missing(paths: &[PathBuf], advice: &str) -> PyErr {
    classes::MissingTableError::new_err(visible(format!("{}: does not exist; {advice}", one_of(paths))))
}

/// Like [`missing`], for a file that none of the location's folders and addresses has ([`Location::candidates`]). Gives
/// the advice only if the first of them is a folder, because a user cannot make a file at an address.
pub fn missing_in(location: &Location, path_in: impl Fn(&Path) -> PathBuf, advice: &str) -> PyErr {
    let paths = location.candidates(path_in);
    missing(&paths, location.manifest().map_or(advice, |_| "the manifest at that address does not list it"))
}

/// The exception for work that does not fit in memory, on the disk or in 64-bit keys.
pub fn too_large(problem: String) -> PyErr {
    classes::TooLargeError::new_err(visible(problem))
}

/// The exception for a proof or audit that has failed.
pub fn not_proved(problem: String) -> PyErr {
    classes::AuditError::new_err(visible(problem))
}

/// Converts an error of solving or searching.
pub fn solve(error: impl Into<SolveError>) -> PyErr {
    match error.into() {
        SolveError::Table(error) => table(error),
        SolveError::Text(error) => text(error),
        SolveError::TooLarge(limit) => too_large(match &limit {
            TooLarge::NoTable { code, .. } => format!("{limit}; yomikiri.analyze({code:?}) makes one"),
            TooLarge::Run { code, needed } => {
                format!("{code}: a run needs memory=\"{}M\" or more", needed.div_ceil(1 << 20))
            }
            _ => limit.to_string(),
        }),
        SolveError::Threads(refused) => PyRuntimeError::new_err(refused.to_string()),
        SolveError::Wrong(wrong) => not_proved(wrong.to_string()),
    }
}

/// The exception for a table that cannot be read. `problem` is the text of the error.
pub fn unreadable(problem: String) -> PyErr {
    classes::TableError::new_err(problem)
}

/// The exception for an argument of another type than `wanted`.
pub fn type_error(wanted: &str, given: &Bound<'_, PyAny>) -> PyErr {
    let given = given.get_type().name().map_or("something else".into(), |name| name.to_string());
    PyTypeError::new_err(format!("expected {wanted}, not {given}"))
}
