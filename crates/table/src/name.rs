//! File names of tables, certificates and openings.

use std::path::{Path, PathBuf};

use crate::location::Location;

/// File name extension of certificates.
const PROOF: &str = "proof";

/// Name of the subfolder, inside the folder of tables, for the certificates of recorded proofs. Published results rest
/// on these proofs (docs/prove.md).
pub const RECORDED: &str = "proofs";

/// Name of the subfolder for openings, inside the folder of tables.
pub const OPENINGS: &str = "openings";

/// Returns the path of the table of a whole game.
pub fn whole(folder: &Path, code: &str) -> PathBuf {
    folder.join(format!("{code}.tbl"))
}

/// Returns the path of the table whose root is the position with this key.
pub fn below(folder: &Path, code: &str, key: u64) -> PathBuf {
    folder.join(format!("{code}@{key:016x}.tbl"))
}

/// Returns the paths of all tables of a rule code with a root other than the start of the game, in the order of
/// [`Location::named`].
pub fn all_below(location: &Location, code: &str) -> Vec<PathBuf> {
    location.named(&format!("{code}@"), ".tbl")
}

/// Returns the path of the certificate that proves the winner of a game.
pub fn proof(folder: &Path, code: &str) -> PathBuf {
    folder.join(format!("{code}.{PROOF}"))
}

/// Returns the path of the certificate that proves the winner of the position with this key.
pub fn proof_below(folder: &Path, code: &str, key: u64) -> PathBuf {
    folder.join(format!("{code}@{key:016x}.{PROOF}"))
}

/// Returns the path of the opening of a game.
pub fn opening(folder: &Path, code: &str) -> PathBuf {
    folder.join(OPENINGS).join(format!("{code}.opening"))
}

/// Returns the path of the opening of a game at a location or in its knowledge folder, or `None` if there is no
/// opening.
pub fn opening_at(location: &Location, code: &str) -> Option<PathBuf> {
    let known = location.knowledge().map(|folder| opening(folder, code));
    location.candidates(|folder| opening(folder, code)).into_iter().chain(known).find(|path| location.has(path))
}

/// Returns the path of the certificate of a whole game at a location, or `None` if there is no certificate. In each
/// place, the certificate beside the tables takes precedence over the one in the subfolder [`RECORDED`]. The location's
/// knowledge folder is searched last.
pub fn proof_at(location: &Location, code: &str) -> Option<PathBuf> {
    let recorded = |folder: &Path| proof(&folder.join(RECORDED), code);
    let of_place = |place: Location| [proof(place.path(), code), recorded(place.path())];
    location.places().flat_map(of_place).chain(location.knowledge().map(recorded)).find(|path| location.has(path))
}

/// Returns the paths of all certificates of a rule code: first the certificate of the whole game ([`proof_at`]), if
/// there is one, then the certificates of other positions, in the order of [`Location::named`].
pub fn all_proofs(location: &Location, code: &str) -> Vec<PathBuf> {
    let later = location.named(&format!("{code}@"), &format!(".{PROOF}"));
    proof_at(location, code).into_iter().chain(later).collect()
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

    #[test]
    fn folders_are_asked_in_order_and_knowledge_last() {
        let folder = tempfile::tempdir().unwrap();
        let [one, two, ships] = ["one", "two", "ships"].map(|name| folder.path().join(name));
        let location = Location::find(&one).unwrap().and(&two).unwrap().and(&one).unwrap().with_knowledge(Some(&ships));
        assert_eq!(location.candidates(Path::to_path_buf), [one.clone(), two.clone()]);
        assert_eq!((opening_at(&location, "x"), proof_at(&location, "x")), (None, None));
        assert_eq!(location.file(|folder| whole(folder, "x")), whole(&one, "x"));
        // Each new file takes precedence over the files created before it.
        for path in [opening(&ships, "x"), opening(&two, "x"), opening(&one, "x")] {
            write(&path);
            assert_eq!(opening_at(&location, "x"), Some(path));
        }
        for path in [&ships, &two, &one].map(|folder| proof(&folder.join(RECORDED), "x")) {
            write(&path);
            assert_eq!(proof_at(&location, "x"), Some(path));
        }
        for path in [whole(&two, "x"), whole(&one, "x")] {
            write(&path);
            assert_eq!(location.file(|folder| whole(folder, "x")), path);
        }
        // The folder that ships with the program has no tables, and no certificates of later positions.
        [whole(&ships, "y"), proof(&ships, "x"), proof_below(&ships, "x", 1)].iter().for_each(|path| write(path));
        [proof_below(&two, "x", 3), proof_below(&two, "x", 7), proof_below(&one, "x", 7)]
            .iter()
            .for_each(|path| write(path));
        assert!(!location.has(&location.file(|folder| whole(folder, "y"))));
        let kept = proof(&one.join(RECORDED), "x");
        assert_eq!(all_proofs(&location, "x"), [kept, proof_below(&one, "x", 7), proof_below(&two, "x", 3)]);
    }

    fn write(path: &Path) {
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, "").unwrap();
    }
}
