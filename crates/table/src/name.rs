//! Where tables lie and what they are called.

use std::path::{Path, PathBuf};

use crate::location::Location;

/// How the names of certificates end.
const PROOF: &str = "proof";

/// The folder among tables in which recorded certificates are kept.
pub const RECORDED: &str = "proofs";

/// Path of the table of a whole game.
pub fn whole(folder: &Path, code: &str) -> PathBuf {
    folder.join(format!("{code}.tbl"))
}

/// Path of the table of what lies below one position.
pub fn below(folder: &Path, code: &str, key: u64) -> PathBuf {
    folder.join(format!("{code}@{key:016x}.tbl"))
}

/// All tables of a rule code that start from a later position, by name.
pub fn all_below(location: &Location, code: &str) -> Vec<PathBuf> {
    location.named(&format!("{code}@"), ".tbl")
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
pub fn all_proofs(location: &Location, code: &str) -> Vec<PathBuf> {
    let folder = location.path();
    let places = [proof(folder, code), proof(&folder.join(RECORDED), code)];
    let whole = places.into_iter().find(|path| location.has(path));
    whole.into_iter().chain(location.named(&format!("{code}@"), &format!(".{PROOF}"))).collect()
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
        assert_eq!(all_proofs(&folder.path().into(), "x"), [kept, later.clone()]);
        std::fs::write(&own, "").unwrap();
        assert_eq!(all_proofs(&folder.path().into(), "x"), [own, later]);
        assert!(all_proofs(&folder.path().into(), "y").is_empty());
    }
}
