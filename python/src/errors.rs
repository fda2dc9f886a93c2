//! Errors of the crates as exceptions. Their classes are written in Python (`yomikiri/errors.py`).

use std::path::Path;

use pyo3::exceptions::{PyRuntimeError, PyTypeError};
use pyo3::prelude::*;
use yomikiri_rules::{TextError, visible};
use yomikiri_solve::SolveError;
use yomikiri_table::{Location, TableError};

mod classes {
    pyo3::import_exception!(yomikiri.errors, AuditError);
    pyo3::import_exception!(yomikiri.errors, MissingTableError);
    pyo3::import_exception!(yomikiri.errors, TableError);
    pyo3::import_exception!(yomikiri.errors, TextError);
    pyo3::import_exception!(yomikiri.errors, TooLargeError);
}

/// A text that is no rule code, position or move.
pub fn text(error: TextError) -> PyErr {
    classes::TextError::new_err(error.to_string())
}

/// The same about an argument that is named.
pub fn argument(name: &str, problem: &str) -> PyErr {
    text(TextError::new(name, problem))
}

/// A file that cannot be read or written, is damaged, or another than was asked for.
pub fn table(error: TableError) -> PyErr {
    classes::TableError::new_err(visible(error))
}

/// A file that is not there, and what to do about that.
pub fn missing(path: &Path, advice: &str) -> PyErr {
    classes::MissingTableError::new_err(visible(format!("{}: not there; {advice}", path.display())))
}

/// A file that is not in a folder, and what to do about that, or not at an address, where nobody can make it.
pub fn missing_in(location: &Location, path: &Path, advice: &str) -> PyErr {
    missing(path, location.manifest().map_or(advice, |_| "it is not in the list of files there"))
}

/// What does not fit memory, disk or keys.
pub fn too_large(problem: String) -> PyErr {
    classes::TooLargeError::new_err(visible(problem))
}

/// What should be proved, and is not.
pub fn not_proved(problem: String) -> PyErr {
    classes::AuditError::new_err(visible(problem))
}

/// Why solving has failed.
pub fn solve(error: SolveError) -> PyErr {
    match error {
        SolveError::Table(error) => table(error),
        SolveError::Text(error) => text(error),
        SolveError::TooLarge(problem) => too_large(problem),
        SolveError::Threads(refused) => PyRuntimeError::new_err(refused.to_string()),
        SolveError::Wrong(problem) => not_proved(problem),
    }
}

/// A table that cannot be read, told by somebody who has kept the text alone.
pub fn unreadable(problem: String) -> PyErr {
    classes::TableError::new_err(problem)
}

/// An argument of another type than `wanted`.
pub fn type_error(wanted: &str, given: &Bound<'_, PyAny>) -> PyErr {
    let given = given.get_type().name().map_or("something else".into(), |name| name.to_string());
    PyTypeError::new_err(format!("{given} is not {wanted}"))
}
