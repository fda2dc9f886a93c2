//! Where tables lie.

use std::path::PathBuf;

/// The folder asked for, else that of the environment, else `precomp` of the current folder.
pub fn of(asked: Option<PathBuf>) -> PathBuf {
    let said = || std::env::var_os("YOMIKIRI_TABLES").filter(|folder| !folder.is_empty()).map(PathBuf::from);
    asked.or_else(said).unwrap_or_else(|| "precomp".into())
}
