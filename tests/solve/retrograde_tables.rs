//! Tests of tables of games that can repeat, through the command and the library. Neither threads nor kills change the
//! bytes, damage is found, both kernels agree, and exports list the positions that are won or lost.

use std::io::Read;
use std::path::Path;

use crate::support::command::{command, fails, files, good, kill, kill_run};
use crate::support::games::{animal_shogi, any, pyonpyon, pyonpyon_shogi};
use crate::support::solving::{analyzed, check_in_memory, job};
use yomikiri_rules::{Distance, Game, HasDistance, Value};
use yomikiri_solve::{Solvable, SolveOptions, Wins, retrograde, sparse};
use yomikiri_table::probe::open;
use yomikiri_table::{IndexKind, Silent, Table};

/// A board with 765,552 undecided positions, too many for sorted keys, so it is solved by dense keys.
const REACHABLE: &str = "pyon3x5-PNG";

/// A code of animal shogi with more than 2^28 keys, but only 545,728 undecided positions. It is solved by dense keys,
/// too, but its table is one of sorted keys.
const THIN: &str = "g56c5";

/// A board with 4,409,580 positions, some of them won or lost in 23 plies.
const COMPLETE: &str = "pyon4x5";

/// Compares a run that is killed several times with an undisturbed one on a single thread. A moment is a file and a
/// number of bytes: a run is killed when the file is longer than that. At last damages the table in `folder`, checks
/// that the damage is found, and restores the table.
fn check_kills(code: &str, folder: &Path, moments: &[(&str, u64)]) {
    let path = folder.join(format!("{code}.tbl"));
    good(folder, &["analyze", code, "--threads", "1"]);
    let expected = std::fs::read(&path).unwrap();

    let broken = tempfile::tempdir().unwrap();
    let file = |name: &str| broken.path().join(format!("{code}.{name}"));
    for (name, length) in moments {
        kill(broken.path(), code, || file(name).metadata().is_ok_and(|meta| meta.len() > *length));
    }
    assert!(!file("tbl").exists(), "no table before its audit");
    good(broken.path(), &["analyze", code, "--threads", "2"]);
    assert!(std::fs::read(file("tbl")).unwrap() == expected, "the resumed table differs");
    assert_eq!(files(broken.path()), [format!("{code}.tbl")]);

    std::fs::write(&path, &expected[..expected.len() - 10]).unwrap();
    let line = fails(folder, &["query", code, "startpos"], 1);
    assert!(line.contains("bytes long"), "{line}");
    let mut changed = expected.clone();
    changed[expected.len() / 2] ^= 1;
    std::fs::write(&path, changed).unwrap();
    let line = fails(folder, &["verify", code], 1);
    assert!(line.contains("does not match its checksum"), "{line}");
    std::fs::write(&path, expected).unwrap();
}

#[test]
fn threads_and_kills_do_not_change_the_bytes_of_what_can_arise() {
    let folder = tempfile::tempdir().unwrap();
    // The run is killed while the reachable positions are written, and after the second checkpoint of the values. Crash
    // tests try every other moment on smaller boards.
    let moments = [("reach.work", 0), ("waves1.journal", 200)];
    check_kills(REACHABLE, folder.path(), &moments);
}

#[test]
fn threads_and_kills_do_not_change_the_bytes_of_all_positions() {
    let folder = tempfile::tempdir().unwrap();
    let moments = [("waves1.journal", 200), ("unaudited", 0)];
    check_kills(COMPLETE, folder.path(), &moments);
}

/// A game that was solved by dense keys into a table, and by the sparse solver into sorted keys with their bytes.
struct SolvedBothWays {
    table: Table,
    /// The folder of the table.
    folder: tempfile::TempDir,
    keys: Vec<u64>,
    bytes: Vec<u8>,
}

/// Compares the table that a run by dense keys makes, position by position, with the sparse solver, which uses sorted
/// keys and counts children. The run goes on from the files that `folder` has of it.
fn solved_both_ways<G: Solvable<Value: HasDistance>>(
    game: &G,
    folder: tempfile::TempDir,
    kind: IndexKind,
) -> SolvedBothWays {
    // The kernels of the library are faster than those that are compiled with the tests.
    let (code, library) = (game.code(), any(&game.code()));
    good(folder.path(), &["analyze", &code]);
    let table = open(game, &folder.path().join(format!("{code}.tbl"))).unwrap();
    assert_eq!(table.header.index_kind, kind);
    let (mut solved, ended) = sparse::solve(game, &game.start(), sparse::Limits::memory(1 << 30), &Silent).unwrap();
    assert_eq!(table.meta().unwrap().ended, ended);
    let (keys, bytes) = solved.levels.remove(0);
    assert_eq!(table.header.positions.get(), keys.len() as u64);
    assert!(library.probe_all(&table, None, &keys).unwrap() == bytes);
    for at in (0..keys.len()).step_by(997) {
        let position = game.unrank(keys[at]).unwrap();
        let value = game.probe(&table, &position).unwrap().map(|value| value.to_byte());
        assert_eq!(value, Some(bytes[at]), "probe of {}", game.position_text(&position));
    }
    assert_eq!(library.audit_sample(&table, 500, &Silent).unwrap(), 500);
    // With little memory, tables are read and audited by another method, in up to four passes.
    for memory in [1, 160 << 20, 1 << 40] {
        library.audit(None, &table, &SolveOptions { memory, ..job() }).unwrap();
    }
    SolvedBothWays { table, folder, keys, bytes }
}

#[test]
fn dense_keys_and_sorted_keys_have_the_same_values() {
    let (game, library) = (pyonpyon_shogi(REACHABLE), any(REACHABLE));
    let folder = tempfile::tempdir().unwrap();
    let SolvedBothWays { table, keys, bytes: expected, .. } = &solved_both_ways(&game, folder, IndexKind::UnlistedWins);
    let bytes = retrograde::read(&game, table).unwrap();
    assert_eq!(bytes.iter().filter(|&&byte| byte != 0).count(), keys.len());
    assert!(keys.iter().zip(expected).all(|(&key, &byte)| bytes[key as usize] == byte));
    // For a table in memory, wins are computed when the table is loaded or when they are looked up. Some of these keys
    // have no position, and one is beyond the last key.
    let load = |wins| library.load(table, wins).unwrap().expect("wins are left out");
    let (whole, when_asked) = (load(Wins::All), load(Wins::WhenAsked));
    assert!(whole.is_whole() && !when_asked.is_whole());
    let any: Vec<u64> = (0..bytes.len() as u64).step_by(4099).chain([u64::MAX]).collect();
    let found = any.iter().map(|&key| bytes.get(key as usize).copied().unwrap_or(0)).collect::<Vec<u8>>();
    let some = keys.len() / 3..keys.len() / 2;
    for resident in [None, Some(&whole), Some(&when_asked)] {
        assert_eq!(library.probe_all(table, resident, &any).unwrap(), found);
        let within = library.entries(table, resident, keys[some.start]..keys[some.end]).unwrap();
        assert!(within.keys[..] == keys[some.clone()] && within.bytes[..] == expected[some.clone()]);
    }
    let (set, ranked) = retrograde::read_ranked(&game, table).unwrap();
    assert!((0..).zip(keys).all(|(place, &key)| set.place(key) == Some(place)) && ranked[..] == **expected);
    check_in_memory(&library, table, keys, expected);
}

/// Solves a code of animal shogi, whose moves are made for many positions together, with plenty of memory and with the
/// least that a run takes. That is less than a byte a key. Both runs are killed and go on: the first one after it has
/// saved values, the second one after it has saved the positions that can arise.
#[test]
fn few_positions_among_many_keys_have_the_same_table_with_little_memory() {
    let folder = tempfile::tempdir().unwrap();
    // The journal has a short record about the run, then a long one with the blocks of all keys.
    let has_saved = |folder: &Path, part: &str| {
        let journal = folder.join(format!("{THIN}.{part}.journal"));
        journal.metadata().is_ok_and(|meta| meta.len() > 10_000)
    };
    kill(folder.path(), THIN, || has_saved(folder.path(), "waves0"));
    let SolvedBothWays { table, folder, .. } = solved_both_ways(&animal_shogi(THIN), folder, IndexKind::SortedKeys);
    let expected = std::fs::read(table.path()).unwrap();
    std::fs::remove_file(table.path()).unwrap();
    let line = fails(folder.path(), &["analyze", THIN, "--memory", "1M"], 1);
    let least = line.split("; --memory ").nth(1).and_then(|rest| rest.split(' ').next()).unwrap();
    let run = ["analyze", THIN, "--memory", least];
    kill_run(command(folder.path(), &run), || has_saved(folder.path(), "reach"));
    good(folder.path(), &run);
    assert!(std::fs::read(table.path()).unwrap() == expected);
}

/// Checks that a table passes the audit of its own variant, but not that of a variant with the same positions.
fn check_other_rules<G: Solvable>(solved: G, other: G, kind: IndexKind) {
    let folder = tempfile::tempdir().unwrap();
    let table = analyzed(&solved, folder.path());
    assert_eq!(table.header.index_kind, kind);
    assert!(solved.audit(None, &table, &job()).is_ok());
    assert!(other.audit(None, &table, &job()).is_err());
    assert!(open(&other, table.path()).is_err(), "a table of another code");
}

#[test]
fn a_table_of_other_rules_does_not_pass_the_audit() {
    // The codes differ in the try rule, and the boards in which side may complete its pattern.
    check_other_rules(animal_shogi("g06c5T"), animal_shogi("g06c5"), IndexKind::SortedKeys);
    check_other_rules(pyonpyon("pyon4x3B"), pyonpyon("pyon4x3"), IndexKind::UnlistedDraws);
}

#[test]
fn the_export_has_what_is_won_or_lost() {
    let meaning = check_export("pyon3x4", 2000);
    assert!(meaning.contains("draws, and positions in which the game is over"), "{meaning}");
    // Most positions of this board are won, so the table leaves wins out.
    check_export("pyon2x3", 30);
}

/// Compares the export of a board with look-ups. It must have more than `least` positions. Returns the text of the JSON
/// file that comes with the export.
fn check_export(code: &str, least: usize) -> String {
    let folder = tempfile::tempdir().unwrap();
    good(folder.path(), &["analyze", code]);
    good(folder.path(), &["export", code, "--to", "gz"]);
    let read = |name: &str| {
        let mut bytes = Vec::new();
        let file = std::fs::File::open(folder.path().join(format!("r_{code}_{name}"))).unwrap();
        flate2::read::MultiGzDecoder::new(file).read_to_end(&mut bytes).unwrap();
        bytes
    };
    let keys: Vec<u64> = read("keys.gz").chunks(8).map(|bytes| u64::from_le_bytes(bytes.try_into().unwrap())).collect();
    let values = read("vals.gz");
    let game = pyonpyon(code);
    let table = open(&game, &folder.path().join(format!("{code}.tbl"))).unwrap();
    let mut expected = Vec::new();
    for key in 0..u64::from(game.index.count()) {
        let value = game.probe(&table, &game.unrank(key).unwrap()).unwrap();
        expected.extend(value.filter(|value| *value != Distance::Draw).map(|value| (key, value.to_byte())));
    }
    assert!(expected.len() > least);
    assert_eq!(keys.into_iter().zip(values).collect::<Vec<_>>(), expected);
    std::fs::read_to_string(folder.path().join(format!("r_{code}_vals.json"))).unwrap()
}
