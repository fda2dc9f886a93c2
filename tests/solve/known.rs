//! Tests of `yomikiri prove --from`: proofs that begin with the positions that a certificate proves.

use std::collections::BTreeSet;
use std::path::Path;

use crate::support::certificate::CertificateText;
use crate::support::command::{fails, good, good_json};
use crate::support::games::{any, binarsi, legal_moves, random_game};
use crate::support::random::Random;
use serde_json::Value as Json;
use yomikiri_rules::{Game, Notation};

/// Runs `yomikiri prove` with one thread and returns its JSON.
fn prove(folder: &Path, arguments: &[&str]) -> Json {
    good_json(folder, &[&["prove"], arguments, &["--threads", "1", "--memory", "16M", "--json"]].concat())
}

/// The path of a file in `folder`, as text.
fn path(folder: &Path, name: &str) -> String {
    folder.join(name).to_str().unwrap().into()
}

/// Makes the certificate of the start of a board. Returns its path, CODE.proof.
fn certificate(folder: &Path, code: &str) -> String {
    let file = path(folder, &format!("{code}.proof"));
    prove(folder, &[code, "--certificate", &file]);
    file
}

fn read(file: &str) -> CertificateText {
    CertificateText::of(&std::fs::read(file).unwrap())
}

#[test]
fn a_certificate_grows_by_the_positions_near_the_end() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let mut from = certificate(folder, "bin4x4");
    for horizon in ["4", "2", "0"] {
        let file = path(folder, &format!("{horizon}.proof"));
        let found = prove(folder, &["bin4x4", "--from", &from, "--horizon", horizon, "--certificate", &file]);
        assert_eq!((&found["winner"], &found["expansions"]), (&"white".into(), &0.into()), "no search is needed");
        assert_eq!(found["certificate"]["horizon"].to_string(), horizon);
        assert!(good(folder, &["check", &file, "--rules", "bin4x4"]).contains("White wins"));
        let [before, after] = [&from, &file].map(|file| read(file).entries.len());
        assert!(after > before, "{horizon}: {before}, {after}");
        from = file;
    }
}

#[test]
fn a_certificate_changes_no_winner() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let file = certificate(folder, "bin3x4");
    let game = binarsi("bin3x4");
    let mut expansions = [0, 0];
    for first in legal_moves(&game, &game.start()) {
        let after = game.play(&game.start(), first);
        for second in legal_moves(&game, &after) {
            let position = game.position_text(&game.play(&after, second));
            let [plain, known] = [&[][..], &["--from", &file]].map(|option| {
                let words: Vec<&str> = [&["bin3x4", &position, "--all-moves"], option].concat();
                prove(folder, &words)
            });
            assert_eq!(plain["winner"], known["winner"], "{position}");
            let winners = |proof: &Json| -> Vec<[bool; 2]> {
                let moves = proof["moves"].as_array().unwrap().iter();
                moves.map(|found| ["to_win", "to_loss"].map(|number| found[number].is_null())).collect()
            };
            assert_eq!(winners(&plain), winners(&known), "{position}");
            for (sum, proof) in expansions.iter_mut().zip([plain, known]) {
                *sum += proof["expansions"].as_u64().unwrap();
            }
        }
    }
    assert!(expansions[1] < expansions[0], "{expansions:?}");
}

/// The key of a position of reversi does not show the side to move. With draws counted as wins of one side, a position
/// and the same position with the colours exchanged can have winners that differ by more than the colour.
#[test]
fn a_certificate_of_reversi_changes_no_winner_of_either_colour() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let game = any("rev4x4");
    let mut random = Random::new(4);
    let games = (0..6).flat_map(|_| random_game(&game, &mut random).into_iter().skip(2).step_by(2).take(4));
    let mut texts: BTreeSet<String> = games.map(|position| game.position_text(&position)).collect();
    texts.insert("-O---OO--OX----- X".into());
    let swapped = |text: &String| {
        text.chars()
            .map(|c| {
                if c == 'X' {
                    'O'
                } else if c == 'O' {
                    'X'
                } else {
                    c
                }
            })
            .collect()
    };
    texts.extend(texts.iter().map(swapped).collect::<Vec<String>>());
    for draws in ["white", "black"] {
        let file = path(folder, &format!("{draws}.proof"));
        prove(folder, &["rev4x4", "--draws", draws, "--horizon", "2", "--certificate", &file]);
        for text in &texts {
            let asked = ["prove", "rev4x4", "--draws", draws, "--memory", "16M", "--json"];
            let [plain, known] = [&[][..], &["--from", &file]]
                .map(|option| good_json(folder, &[&asked, option, &["--", text]].concat()));
            assert_eq!(plain["winner"], known["winner"], "{text}, draws for {draws}");
        }
    }
}

#[test]
fn a_certificate_that_proves_nothing_here_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let [known, drawn] = ["bin3x4", "con4x4"].map(|code| certificate(folder, code));
    let (plain, new) = (read(&known), path(folder, "new.proof"));
    let refused = |code: &[&str], file: &str, part: &str| {
        let arguments = [&["prove"], code, &["--from", file, "--certificate", &new]].concat();
        let line = fails(folder, &arguments, 1);
        assert!(line.contains(file) && line.contains(part), "{arguments:?}: {line}");
        assert!(!folder.join("new.proof").exists(), "{arguments:?}");
    };
    let damaged = |name: &str, bytes: &[u8]| {
        let file = path(folder, name);
        std::fs::write(&file, bytes).unwrap();
        file
    };
    let gap = damaged("gap.proof", &plain.with_entries(plain.entries[1..].to_vec()).file());
    refused(&["bin3x4"], &gap, "the certificate does not prove its claim: ");
    refused(
        &["bin3x4"],
        &damaged("other.proof", &plain.with_line("winner black").file()),
        "does not prove its claim: ",
    );
    let deep = damaged("deep.proof", &plain.with_line("horizon 25").file());
    refused(&["bin3x4"], &deep, "a horizon of 25 plies leaves too much to search");
    refused(&["bin3x4"], &damaged("text.proof", &[b'x'; 200]), "not a Yomikiri table");
    refused(&["bin3x4"], &path(folder, "missing.proof"), "No such file");
    refused(&["bin4x3"], &known, "is a certificate of bin3x4, not of bin4x3");
    refused(&["con4x4", "--draws", "black"], &drawn, "counts draws as wins of white; see --draws");
}

/// The position is near the end, so the search solves the position without storing its moves.
#[test]
fn a_won_endgame_has_a_winning_move() {
    let folder = tempfile::tempdir().unwrap();
    let found = prove(folder.path(), &["bin3x3", "startpos moves 2n 3n as1"]);
    assert_eq!((&found["winner"], &found["to_win"]), (&"white".into(), &0.into()));
    let game = binarsi("bin3x3");
    let position = game.parse_position("startpos moves 2n 3n as1").unwrap();
    let mv = game.parse_move(&position, found["move"].as_str().unwrap()).unwrap();
    let after = game.position_text(&game.play(&position, mv));
    assert_eq!(prove(folder.path(), &["bin3x3", &after])["winner"], "white");
}
