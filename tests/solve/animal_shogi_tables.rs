//! Tables of animal shogi: the same bytes for any number of threads and after kills, both kernels agree, and what the
//! command says about codes of every kind.

use std::path::Path;

use crate::support::command::{fails, files, good, kill};
use crate::support::games::animal_shogi;
use crate::support::solving::job;
use yomikiri_rules::game::Game;
use yomikiri_rules::value::Value;
use yomikiri_solve::{Solvable, SolveOptions, pipeline, retrograde, sparse};
use yomikiri_table::IndexKind;
use yomikiri_table::probe::open;
use yomikiri_table::progress::Silent;

/// 2,399,548 undecided positions; the start is lost in 6 plies. Too many for sorted keys, so dense keys it is.
const CODE: &str = "8bs1g";

#[test]
fn threads_and_kills_do_not_change_the_bytes() {
    let (straight, broken) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    good(straight.path(), &["analyze", CODE, "--threads", "1"]);
    let expected = std::fs::read(straight.path().join(format!("{CODE}.tbl"))).unwrap();

    let folder = broken.path();
    let size = |name: &str| folder.join(format!("{CODE}.{name}")).metadata().map_or(0, |meta| meta.len());
    // While what can arise is being written, after the first and after the second checkpoint of the values, in the
    // audit.
    kill(folder, CODE, || size("reach.work") > 0);
    kill(folder, CODE, || size("waves0.work") > 1000);
    kill(folder, CODE, || size("waves1.journal") > 1000);
    kill(folder, CODE, || size("unaudited") > 0);
    assert!(!folder.join(format!("{CODE}.tbl")).exists(), "no table before its audit");
    good(folder, &["analyze", CODE, "--threads", "2"]);
    assert!(std::fs::read(folder.join(format!("{CODE}.tbl"))).unwrap() == expected, "the resumed table differs");
    assert_eq!(files(folder), [format!("{CODE}.tbl")]);

    both_kernels_agree(&straight.path().join(format!("{CODE}.tbl")));
    damage_is_found(straight.path(), &expected);
}

/// The table of retrograde analysis against sorted keys with counters, position by position.
fn both_kernels_agree(path: &Path) {
    let game = animal_shogi(CODE);
    let table = open(&game, path).unwrap();
    assert_eq!(table.header.index_kind, IndexKind::RestWins);
    let (solved, ended) = sparse::solve(&game, &game.start(), 1 << 30, &Silent).unwrap();
    assert_eq!(table.meta().unwrap().ended, ended);
    let bytes = retrograde::read(&game, &table).unwrap();
    let (keys, expected) = &solved.levels[0];
    assert_eq!(table.header.positions.get(), keys.len() as u64);
    assert_eq!(bytes.iter().filter(|&&byte| byte != 0).count(), keys.len());
    for (&key, &byte) in keys.iter().zip(expected) {
        assert_eq!(bytes[key as usize], byte, "key {key}");
    }
    for at in (0..keys.len()).step_by(997) {
        let position = game.unrank(keys[at]).unwrap();
        let value = game.probe(&table, &position).unwrap().map(|value| value.to_byte());
        assert_eq!(value, Some(expected[at]), "probe of {}", game.position_text(&position));
    }
    assert_eq!(game.audit_sample(&table, 500, &Silent).unwrap(), 500);
}

/// A cut table and a table with one byte changed.
fn damage_is_found(folder: &Path, whole: &[u8]) {
    let path = folder.join(format!("{CODE}.tbl"));
    std::fs::write(&path, &whole[..whole.len() - 10]).unwrap();
    let line = fails(folder, &["query", CODE, "startpos"], 1);
    assert!(line.contains("bytes long"), "{line}");
    let mut changed = whole.to_vec();
    changed[whole.len() / 2] ^= 1;
    std::fs::write(&path, changed).unwrap();
    let line = fails(folder, &["verify", CODE], 1);
    assert!(line.contains("does not match its checksum"), "{line}");
}

#[test]
fn a_table_with_a_wrong_value_does_not_pass_the_audit() {
    let folder = tempfile::tempdir().unwrap();
    // The same moves, but the table of one is not that of the other: lions that may try and lions that may not.
    let (tried, plain) = (animal_shogi("g06c5"), animal_shogi("g06c5T"));
    let table =
        pipeline::analyze(&plain, None, folder.path(), &SolveOptions { memory: 2 << 30, ..job() }).unwrap().table;
    assert!(plain.audit(None, &table, &job()).is_ok());
    assert!(tried.audit(None, &table, &job()).is_err());
    assert!(open(&tried, table.path()).is_err(), "a table of another code");
}

/// The result lines of a code, with the sentence after them.
fn result(folder: &Path, code: &str) -> String {
    let out = good(folder, &["analyze", code]);
    out.lines().take(8).collect::<Vec<_>>().join("\n")
}

#[test]
fn results_of_codes_that_end_at_once_or_never() {
    let folder = tempfile::tempdir().unwrap();
    let text = |black: u64, white: u64, draw: u64, max: u32, init: u32, sentence: &str| {
        format!(
            "Step 2: result\n  black-winning boards: {black:9}\n  white-winning boards: {white:9}\n  \
             draw                : {draw:9}\n  max depth : {max:3}\n  init depth: {init:3}\nStep 2: done!\n{sentence}"
        )
    };
    // Nothing can move, so the start is the only position; only the lion moves; nobody can force anything.
    assert_eq!(result(folder.path(), "00000"), text(0, 0, 1, 0, 0, "It is a draw: 00000 from the start."));
    assert_eq!(result(folder.path(), "v0000"), text(12, 20, 0, 6, 4, "Black wins in 5 plies: v0000 from the start."));
    assert_eq!(result(folder.path(), "m00c1"), text(23, 111, 57, 6, 0, "It is a draw: m00c1 from the start."));
    good(folder.path(), &["verify", "m00c1"]);
    good(folder.path(), &["verify", "m00c1", "--sample", "20"]);
}

#[test]
fn best_play_in_a_draw_ends_when_a_position_comes_again() {
    let folder = tempfile::tempdir().unwrap();
    let line = good(folder.path(), &["line", "m00c1"]);
    assert!(line.contains("From here on the game repeats."), "{line}");
    assert!(line.ends_with("000a0039c41b002 moves 2c3c 2b1b 3c2c 1b2b\n"), "{line}");
}

#[test]
fn bad_requests_are_one_line() {
    let folder = tempfile::tempdir().unwrap();
    let refused = |args: &[&str], status: i32, part: &str| {
        let line = fails(folder.path(), args, status);
        assert!(line.contains(part), "{args:?}: {line}");
    };
    refused(&["analyze", "val1"], 2, "val1");
    refused(&["analyze", "val1w"], 2, "val1w");
    refused(&["query", "val1n", "000a0039c41b0022"], 2, "has 16 digits, a key has 15");
    refused(&["query", "val1n", "000a0031c41b002"], 2, "the side to move has 2 lions");
    refused(&["query", "val1n", "000a2039c41b002"], 2, "3 elephants on the board and in hand, not 2");
    refused(&["query", "val1n", "startpos moves 2c2a"], 2, "move \"2c2a\"");
    refused(&["query", "val1n", "startpos"], 1, "make one with: yomikiri analyze val1n");
    refused(&["stats", "val1n"], 1, "val1n.tbl");
    refused(&["analyze", "val1n", "--memory", "100M"], 1, "--memory");
    assert!(files(folder.path()).is_empty(), "a refused run leaves nothing");
}
