//! Compares the checker in plain Python, examples/check_certificate.py, with the program. The checker is written from
//! the documents alone. Both accept recorded certificates with the same counts, and both refuse the same forged ones.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::provable::{Provable, file, read};
use crate::support::certificate::CertificateText;
use crate::support::games::binarsi;
use crate::support::random::Random;
use crate::support::repository::{files, made_by, page, read_json, repository_path};
use yomikiri_rules::games::binarsi::Binarsi;
use yomikiri_rules::{Game, Side};
use yomikiri_search::certificate::check;
use yomikiri_table::Silent;

/// Runs the checker on files. Returns for each file the line that the checker prints, or the error without the file's
/// name.
fn ask(paths: &[PathBuf]) -> Vec<Result<String, String>> {
    let mut python = Command::new(made_by("python-env"));
    let ran = python.arg(repository_path("examples/check_certificate.py")).args(paths).output().unwrap();
    let [out, err] = [ran.stdout, ran.stderr].map(|text| String::from_utf8(text).unwrap());
    let mut proved = out.lines();
    let mut said = Vec::new();
    for path in paths {
        let front = format!("error: {}: ", path.display());
        let error = err.lines().find_map(|line| line.strip_prefix(&front));
        said.push(error.map_or_else(|| Ok(proved.next().expect("a line").to_string()), |error| Err(error.to_string())));
    }
    assert_eq!((proved.next(), err.lines().count()), (None, said.iter().filter(|said| said.is_err()).count()), "{err}");
    assert_eq!(ran.status.code(), Some(i32::from(!err.is_empty())));
    said
}

fn squares(code: &str) -> u32 {
    let digit = |at: usize| u32::from(code.as_bytes()[at] - b'0');
    digit(3) * digit(5)
}

fn name(path: &Path) -> &str {
    path.file_stem().unwrap().to_str().unwrap()
}

#[test]
fn recorded_certificates_are_proved_with_the_counts_of_their_records() {
    let small = |path: &PathBuf| squares(name(path)) <= 15 || ["bin4x4-s1a", "bin3x6"].contains(&name(path));
    let paths: Vec<PathBuf> = files("precomp/proofs", ".proof").into_iter().filter(small).collect();
    assert!(paths.len() > 20);
    for (path, said) in paths.iter().zip(ask(&paths)) {
        let check = &read_json(&path.with_extension("json"))["check"];
        let winner = if check["winner"] == "black" { "Black" } else { "White" };
        let [listed, answered, read_out] = ["winner_to_move", "loser_to_move", "read_out"].map(|name| &check[name]);
        let expected = format!(
            "{}: {winner} wins: proved by {listed} listed moves, all moves in {answered} positions, {read_out} positions \
             read out",
            name(path)
        );
        assert_eq!(said, Ok(expected));
    }
}

/// Returns a certificate of a board's start position.
fn certificate(code: &str, horizon: u32) -> CertificateText {
    let game = binarsi(code);
    CertificateText::of(&file(&game.certificate(&game.start(), Side::White, (2, 1 << 20, 1), horizon)))
}

#[test]
fn certificates_of_every_option_are_proved_and_forged_ones_refused() {
    let codes = [
        "bin2x2-n",
        "bin2x2-m",
        "bin3x2-t999-m",
        "bin2x3-t223-kb1.5",
        "bin3x3-n",
        "bin3x3-m",
        "bin3x3-s2b-t234-kb0.5",
        "bin4x2-s1b-m",
    ];
    let (folder, mut random) = (tempfile::tempdir().unwrap(), Random::new(1));
    let (mut paths, mut expected) = (Vec::new(), Vec::new());
    let mut add = |plain: &CertificateText| {
        let path = folder.path().join(format!("{}.proof", paths.len()));
        std::fs::write(&path, plain.file()).unwrap();
        paths.push(path);
        expected.push(read::<Binarsi>(&plain.file()).is_ok_and(|certificate| check(&certificate, &Silent).is_ok()));
    };
    let horizons = (0..).map(|number| number % 3);
    // In some games of these, no move is left before the board is full.
    let soon_over = [("bin3x3-n", 0), ("bin3x3-m", 0)];
    for (code, horizon) in codes.into_iter().zip(horizons).chain(soon_over) {
        let plain = certificate(code, horizon);
        add(&plain);
        let other = if plain.lines.iter().any(|line| line == "winner white") { "winner black" } else { "winner white" };
        add(&plain.with_line(other));
        for _ in 0..12 {
            let (mut entries, all) = (plain.entries.clone(), plain.entries.len());
            match random.below(3) {
                0 => drop(entries.remove(random.below(all))),
                1 => entries[random.below(all)].1 = random.bits() as u8,
                _ => entries[random.below(all)].0 += 1 + random.below(3) as u64,
            }
            if entries.is_sorted_by(|one, two| one.0 < two.0) && !entries.is_empty() {
                add(&plain.with_entries(entries));
            }
        }
    }
    let forged = expected.iter().filter(|is_proved| !**is_proved).count();
    assert!(forged > 50 && expected.len() - forged >= codes.len(), "{forged} of {}", expected.len());
    for ((path, said), is_proved) in paths.iter().zip(ask(&paths)).zip(expected) {
        assert_eq!(said.is_ok(), is_proved, "{}: {said:?}", path.display());
    }
}

#[test]
fn what_is_no_certificate_is_an_error_in_one_line() {
    let folder = tempfile::tempdir().unwrap();
    let sound = certificate("bin3x3", 2).file();
    let mut other = sound.clone();
    other[11] = 1;
    let cut = [&sound[..20], &sound[..sound.len() - 30], &b""[..], &other[..]];
    let paths: Vec<PathBuf> = (0..cut.len()).map(|at| folder.path().join(format!("{at}.proof"))).collect();
    paths.iter().zip(cut).for_each(|(path, bytes)| std::fs::write(path, bytes).unwrap());
    let said = ask(&[&paths[..], &[folder.path().join("none")]].concat());
    assert!(said.iter().all(Result::is_err), "{said:?}");
    let no_file =
        Command::new(made_by("python-env")).arg(repository_path("examples/check_certificate.py")).output().unwrap();
    assert_eq!(no_file.status.code(), Some(2));
}

#[test]
fn the_checker_is_short_and_imports_nothing_of_ours() {
    let text = page("examples/check_certificate.py");
    assert!(text.lines().count() < 300);
    let imports: Vec<&str> =
        text.lines().filter(|line| line.starts_with("import") || line.contains(" import ")).collect();
    assert_eq!(imports, ["import json", "import re", "import struct", "import sys", "import zstandard"]);
}
