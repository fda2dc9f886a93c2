//! Where tables lie and what they are called.

use std::path::{Path, PathBuf};

/// Environment variable that names the folder of tables.
pub const TABLES_VARIABLE: &str = "YOMIKIRI_TABLES";

/// The folder of tables: the one asked for, else that of the environment, else `precomp` of the checkout the
/// program was built in while that exists, else `precomp` of the current folder.
pub fn folder(asked: Option<PathBuf>) -> PathBuf {
    if let Some(folder) =
        asked.or_else(|| std::env::var_os(TABLES_VARIABLE).filter(|v| !v.is_empty()).map(PathBuf::from))
    {
        return folder;
    }
    let built_in = Path::new(env!("CARGO_MANIFEST_DIR")).join("precomp");
    if built_in.is_dir() { built_in } else { PathBuf::from("precomp") }
}

/// Path of the table of a whole game.
pub fn whole(folder: &Path, code: &str) -> PathBuf {
    folder.join(format!("{code}.tbl"))
}

/// Path of the table of what lies below one position.
pub fn below(folder: &Path, code: &str, key: u64) -> PathBuf {
    folder.join(format!("{code}@{key:016x}.tbl"))
}

/// All tables of a rule code that start from a later position, by name.
pub fn all_below(folder: &Path, code: &str) -> Vec<PathBuf> {
    let prefix = format!("{code}@");
    let Ok(files) = std::fs::read_dir(folder) else { return Vec::new() };
    let mut paths: Vec<PathBuf> = files
        .filter_map(|file| Some(file.ok()?.path()))
        .filter(|path| path.extension().is_some_and(|extension| extension == "tbl"))
        .filter(|path| path.file_name().and_then(|name| name.to_str()).is_some_and(|name| name.starts_with(&prefix)))
        .collect();
    paths.sort();
    paths
}
