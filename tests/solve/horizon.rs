//! Certificates whose horizon is farther away than anybody reads out.

use crate::provable::{Provable, Setting, file};
use crate::support::certificate::Plain;
use crate::support::command::{fails, good};
use crate::support::games::binarsi;
use yomikiri_rules::{Game, Side};

/// A certificate that lists nothing leaves all of the game to the check: that is a proof up to some plies only.
#[test]
fn absurd_horizons_are_refused() {
    let (game, setting): (_, Setting) = (binarsi("bin2x2"), (2, 1 << 20, 1));
    let plain = Plain::of(&file(&game.certificate(&game.start(), Side::White, setting, 0)));
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
