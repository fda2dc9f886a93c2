//! Tables of the pyonpyon game through the command: the same bytes for any number of threads and after kills, damage is
//! found, and what the command says about boards of every kind.

use std::io::Read;
use std::path::Path;

use crate::support::command::{fails, files, good, kill};
use crate::support::games::pyonpyon;
use serde_json::Value as Json;
use yomikiri_rules::game::Game;
use yomikiri_rules::value::{Distance, Value};
use yomikiri_solve::Solvable;
use yomikiri_table::probe::open;

/// 4,409,580 positions, of which some can be forced for 23 plies.
const CODE: &str = "pyon4x5";

#[test]
fn threads_and_kills_do_not_change_the_bytes() {
    let (straight, broken) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    good(straight.path(), &["analyze", CODE, "--threads", "1"]);
    let expected = std::fs::read(straight.path().join(format!("{CODE}.tbl"))).unwrap();

    let folder = broken.path();
    let size = |name: &str| folder.join(format!("{CODE}.{name}")).metadata().map_or(0, |meta| meta.len());
    // While the first checkpoint of the values is written, after the second, and in the audit.
    kill(folder, CODE, || size("waves0.work") > 1000);
    kill(folder, CODE, || size("waves1.journal") > 1000);
    kill(folder, CODE, || size("unaudited") > 0);
    assert!(!folder.join(format!("{CODE}.tbl")).exists(), "no table before its audit");
    good(folder, &["analyze", CODE, "--threads", "2"]);
    assert!(std::fs::read(folder.join(format!("{CODE}.tbl"))).unwrap() == expected, "the resumed table differs");
    assert_eq!(files(folder), [format!("{CODE}.tbl")]);
    damage_is_found(straight.path(), &expected);
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
fn results_of_boards_with_and_without_draws() {
    let folder = tempfile::tempdir().unwrap();
    let result = |code: &str| good(folder.path(), &["analyze", code]);
    let text = result("pyon2x3");
    assert!(text.contains("  draw                :         0\n  max depth :   7\n"), "{text}");
    assert!(text.contains("Black wins in 7 plies: pyon2x3 from the start."), "{text}");
    let text = result("pyon3x3B");
    assert!(text.contains("It is a draw: pyon3x3B from the start."), "{text}");
    for code in ["pyon2x3", "pyon3x3B"] {
        good(folder.path(), &["verify", code]);
        good(folder.path(), &["verify", code, "--sample", "20"]);
    }
    assert!(result("pyon2x3A").contains("already there"), "a spelled-out default is the same code");
}

#[test]
fn the_longest_wins_are_found() {
    let folder = tempfile::tempdir().unwrap();
    good(folder.path(), &["analyze", "pyon4x4"]);
    let json = |args: &[&str]| -> Json { serde_json::from_str(&good(folder.path(), args)).unwrap() };
    let stats = json(&["stats", "pyon4x4", "--json", "--longest", "60"]);
    let longest = stats["longest"].as_array().unwrap();
    let plies: Vec<u64> = longest.iter().map(|found| found["plies"].as_u64().unwrap()).collect();
    // As many of each distance as the counts have, from the longest on.
    let mut expected = Vec::new();
    for (plies, count) in stats["by_plies"].as_object().unwrap() {
        expected.extend(vec![plies.parse::<u64>().unwrap(); count.as_u64().unwrap() as usize]);
    }
    expected.sort_by_key(|&plies| std::cmp::Reverse(plies));
    assert_eq!(plies, expected[..60]);
    for found in &longest[..10] {
        let answer = json(&["query", "pyon4x4", found["position"].as_str().unwrap(), "--json"]);
        assert_eq!((&answer["outcome"], &answer["plies"]), (&found["outcome"], &found["plies"]));
    }
    let text = good(folder.path(), &["stats", "pyon4x4", "--longest", "2"]);
    let shown = text.split_once("furthest from the end\n").unwrap().1;
    assert!(shown.contains(longest[1]["position"].as_str().unwrap()) && shown.contains("wins in 18 plies"), "{text}");
    assert!(json(&["stats", "pyon4x4", "--json"]).get("longest").is_none());
}

#[test]
fn the_export_has_what_is_won_or_lost() {
    let meaning = check_export("pyon3x4", 2000);
    assert!(meaning.contains("draws, and positions in which the game is over"), "{meaning}");
    // Most positions of this board are won, so the table leaves wins out.
    check_export("pyon2x3", 30);
}

/// Holds the export of a board against probes; returns what the file beside it says.
fn check_export(code: &str, least: usize) -> String {
    let folder = tempfile::tempdir().unwrap();
    good(folder.path(), &["analyze", code]);
    good(folder.path(), &["export", code, "--to", "gz"]);
    let read = |name: &str| {
        let mut bytes = Vec::new();
        let file = std::fs::File::open(folder.path().join(format!("r_{code}_{name}"))).unwrap();
        flate2::read::GzDecoder::new(file).read_to_end(&mut bytes).unwrap();
        bytes
    };
    let keys: Vec<u64> = read("keys.gz").chunks(8).map(|bytes| u64::from_le_bytes(bytes.try_into().unwrap())).collect();
    let values = read("vals.gz");
    let game = pyonpyon(code);
    let table = open(&game, &folder.path().join(format!("{code}.tbl"))).unwrap();
    let mut expected = Vec::new();
    for key in 0..u64::from(game.index.count()) {
        let value = game.probe(&table, &game.position_of_key(key).unwrap()).unwrap();
        expected.extend(value.filter(|value| *value != Distance::Draw).map(|value| (key, value.to_byte())));
    }
    assert!(expected.len() > least);
    assert_eq!(keys.into_iter().zip(values).collect::<Vec<_>>(), expected);
    std::fs::read_to_string(folder.path().join(format!("r_{code}_vals.json"))).unwrap()
}

#[test]
fn bad_requests_are_one_line() {
    let folder = tempfile::tempdir().unwrap();
    let refused = |args: &[&str], status: i32, part: &str| {
        let line = fails(folder.path(), args, status);
        assert!(line.contains(part), "{args:?}: {line}");
    };
    refused(&["analyze", "pyonC"], 2, "pyonC");
    refused(&["analyze", "pyon6x5"], 2, "6x5");
    refused(&["query", "pyon", "startpos moves d5d3"], 2, "move \"d5d3\"");
    refused(&["query", "pyon", "pfen xxx2/2oo1/5/1xx2/o1oo1 o extra"], 2, "extra");
    refused(&["query", "pyon", "pfen xxx2/2oo1/5/1xxx1/o1oo1 x"], 2, "6");
    refused(&["query", "pyon", "pfen xxx1/2oo/5/1xx2/o1oo1 x"], 2, "rank");
    refused(&["query", "pyon", "startpos"], 1, "make one with: yomikiri analyze pyon");
    refused(&["stats", "pyonB"], 1, "pyonB.tbl");
    refused(&["analyze", "pyon", "--memory", "100M"], 1, "--memory");
    assert!(files(folder.path()).is_empty(), "a refused run leaves nothing");
}
