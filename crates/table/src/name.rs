//! Where tables lie and what they are called.

use std::path::{Path, PathBuf};

/// How the names of certificates end.
const PROOF: &str = "proof";

/// The folder among tables in which recorded certificates are kept.
const RECORDED: &str = "proofs";

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
    named(folder, &format!("{code}@"), ".tbl")
}

/// Path of the certificate of who wins a game.
pub fn proof(folder: &Path, code: &str) -> PathBuf {
    folder.join(format!("{code}.{PROOF}"))
}

/// Path of the certificate of who wins from one position.
pub fn proof_below(folder: &Path, code: &str, key: u64) -> PathBuf {
    folder.join(format!("{code}@{key:016x}.{PROOF}"))
}

/// All certificates of a rule code, that of the whole game first, then by name. If the folder has none of the whole
/// game, the one recorded in its folder `proofs` counts.
pub fn all_proofs(folder: &Path, code: &str) -> Vec<PathBuf> {
    let whole = [proof(folder, code), proof(&folder.join(RECORDED), code)].into_iter().find(|path| path.exists());
    whole.into_iter().chain(named(folder, &format!("{code}@"), &format!(".{PROOF}"))).collect()
}

/// The files of a folder whose names begin and end so, by name.
fn named(folder: &Path, prefix: &str, suffix: &str) -> Vec<PathBuf> {
    let Ok(files) = std::fs::read_dir(folder) else { return Vec::new() };
    let fits = |name: &str| name.starts_with(prefix) && name.ends_with(suffix);
    let mut paths: Vec<PathBuf> = files
        .filter_map(|file| Some(file.ok()?.path()))
        .filter(|path| path.file_name().and_then(|name| name.to_str()).is_some_and(fits))
        .collect();
    paths.sort();
    paths
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_recorded_certificate_counts_where_there_is_no_other_of_the_whole_game() {
        let folder = tempfile::tempdir().unwrap();
        let recorded = folder.path().join("proofs");
        std::fs::create_dir(&recorded).unwrap();
        let (kept, own, later) = (proof(&recorded, "x"), proof(folder.path(), "x"), proof_below(folder.path(), "x", 7));
        for path in [&kept, &later] {
            std::fs::write(path, "").unwrap();
        }
        assert_eq!(all_proofs(folder.path(), "x"), [kept, later.clone()]);
        std::fs::write(&own, "").unwrap();
        assert_eq!(all_proofs(folder.path(), "x"), [own, later]);
        assert!(all_proofs(folder.path(), "y").is_empty());
    }
}
