//! Tests of certificates with a horizon of more plies than the checker solves.

use crate::provable::{Provable, ProverSettings, file};
use crate::support::certificate::CertificateText;
use crate::support::command::{fails, good};
use crate::support::games::binarsi;
use yomikiri_rules::{Game, Side};

/// A certificate without entries leaves the whole game to the checker, which solves up to 24 plies and refuses more.
#[test]
fn absurd_horizons_are_refused() {
    let (game, setting): (_, ProverSettings) = (binarsi("bin2x2"), (2, 1 << 20, 1));
    let plain = CertificateText::of(&file(&game.certificate(&game.start(), Side::White, setting, 0)));
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("some.proof");
    let checked = ["check", path.to_str().unwrap()];
    for horizon in ["24", "25", "4000000000"] {
        let forged = plain.with_entries(Vec::new()).with_line(&format!("horizon {horizon}"));
        std::fs::write(&path, forged.file()).unwrap();
        if horizon == "24" {
            assert!(good(folder.path(), &checked).contains("proved"));
        } else {
            let line = fails(folder.path(), &checked, 1);
            assert!(line.contains(&format!("a horizon of {horizon} plies")) && line.contains("24"), "{line}");
        }
    }
}
