//! Checks the path of an output file before the work begins.

use std::path::Path;

use yomikiri_table::{Replaceable, local};

use super::CommandResult;
use super::error::Failure;
use super::output::shown;

/// Returns an error if `file` is an address, if its folder does not exist, or if `file` exists and `replace` forbids to
/// replace it.
pub fn check(file: &Path, replace: &Replaceable) -> CommandResult {
    local::check(file).map_err(Failure::request)?;
    let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    if !folder.is_dir() {
        return Err(Failure::request(format!("{}: its folder does not exist", shown(file))));
    }
    replace.check(file).map_err(Failure::request)
}
