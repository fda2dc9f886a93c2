//! File names of tables, certificates and openings.

use std::path::{Path, PathBuf};

use crate::location::Location;

/// File name extension of certificates.
const PROOF: &str = "proof";

/// Name of the subfolder for the certificates of recorded proofs (docs/prove.md), inside the folder of tables.
pub const RECORDED: &str = "proofs";

/// Name of the subfolder for openings, inside the folder of tables.
pub const OPENINGS: &str = "openings";

/// Path of the table of a whole game.
pub fn whole(folder: &Path, code: &str) -> PathBuf {
    folder.join(format!("{code}.tbl"))
}

/// Path of the table of all positions that can arise from the position with this key.
pub fn below(folder: &Path, code: &str, key: u64) -> PathBuf {
    folder.join(format!("{code}@{key:016x}.tbl"))
}

/// Paths of all tables of a rule code that start from a later position than the start of the game, sorted by name.
pub fn all_below(location: &Location, code: &str) -> Vec<PathBuf> {
    location.named(&format!("{code}@"), ".tbl")
}

/// Path of the certificate that proves the winner of a game.
pub fn proof(folder: &Path, code: &str) -> PathBuf {
    folder.join(format!("{code}.{PROOF}"))
}

/// Path of the certificate that proves the winner of the position with this key.
pub fn proof_below(folder: &Path, code: &str, key: u64) -> PathBuf {
    folder.join(format!("{code}@{key:016x}.{PROOF}"))
}

/// Path of the opening of a game.
pub fn opening(folder: &Path, code: &str) -> PathBuf {
    folder.join(OPENINGS).join(format!("{code}.opening"))
}

/// Paths of all certificates of a rule code: first the certificate of the whole game, if there is one, then the others,
/// sorted by name. If the folder has no certificate of the whole game, takes the one in its subfolder [`RECORDED`].
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
