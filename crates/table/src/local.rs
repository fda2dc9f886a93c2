//! Refuses network addresses as places for output, which is written to this machine only.

use std::path::Path;

use super::{Result, TableError, address_text};

/// Returns [`TableError::Foreign`] if `path` is a network address, such as `https://host/folder`.
pub fn check(path: &Path) -> Result<()> {
    match address_text::of(path) {
        Some(_) => Err(TableError::foreign(path, "is an address; output goes to files of this machine")),
        None => Ok(()),
    }
}
