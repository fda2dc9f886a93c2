//! Parts of the commands that messages suggest.

use std::path::{Path, absolute};

use yomikiri_answer::shell;

use super::settings::tables_folder;

/// Returns the command that runs this program, quoted for a shell. If the program is in the current folder or below it,
/// the path is relative to that folder.
pub fn program() -> String {
    let Some(called) = std::env::args_os().next() else { return "yomikiri".into() };
    let here = std::env::current_dir().unwrap_or_default();
    match Path::new(&called).strip_prefix(&here) {
        // A shell looks up a name without a folder in the search path, not in the current folder.
        Ok(below) if below.components().count() == 1 => shell::path(&Path::new(".").join(below)),
        Ok(below) => shell::path(below),
        Err(_) => shell::path(Path::new(&called)),
    }
}

/// Returns ` --tables FOLDER` for a suggested command, or an empty text if the folder is the default.
pub fn tables_option(folder: &Path) -> String {
    let is_default = match (absolute(tables_folder(None)), absolute(folder)) {
        (Ok(default), Ok(folder)) => default == folder,
        _ => tables_folder(None) == folder,
    };
    if is_default { String::new() } else { format!(" --tables {}", shell::path(folder)) }
}
