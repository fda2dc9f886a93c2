//! Refuses network addresses and `-` as places for output, which is written to files of this machine only.

use std::path::Path;

use super::{Result, TableError, address_text};

/// Returns [`TableError::Foreign`] if `path` is a network address, such as `https://host/folder`, or `-`, the usual
/// name of standard output.
pub fn check(path: &Path) -> Result<()> {
    match address_text::of(path) {
        _ if path.as_os_str() == "-" => {
            Err(TableError::foreign(path, "is no name for output; write ./- for a file or folder of this name"))
        }
        Some(_) => Err(TableError::foreign(path, "is an address; output goes to files of this machine")),
        None => Ok(()),
    }
}
