//! Tests of tables of acyclic games on small variants, against brute force, sorted keys, the naive rules and published
//! values.

use std::collections::BTreeMap;
use std::path::Path;

use crate::support::games::{any, binarsi, legal_moves, reversi};
use crate::support::solving::{analyzed, job, on_threads};
use yomikiri_naive::reversi as naive_reversi;
use yomikiri_rules::games::reversi::{Position, Reversi};
use yomikiri_rules::{AnyGame, Distance, Game, Notation, Score, ValueCodec};
use yomikiri_search::brute;
use yomikiri_solve::audit::audit_keys;
use yomikiri_solve::{Solvable, SolveError, SolveOptions, Wins, levels, pipeline};
use yomikiri_table::format::HEADER;
use yomikiri_table::probe::{open, probe};
use yomikiri_table::{Header, IndexKind, Silent, Table};

/// Compares all keys and values of a table with brute force.
fn agrees_with_brute_force(game: &AnyGame) {
    let (code, folder) = (game.code(), tempfile::tempdir().unwrap());
    let table = analyzed(game, folder.path());
    let oracle = brute::solve(game, &game.start());
    assert_eq!(table.header.positions.get(), oracle.len() as u64, "{code}: number of positions");
    // In this order, most positions are in the block of the one before.
    let ordered: BTreeMap<_, _> = oracle.iter().collect();
    for (&key, &value) in ordered {
        let found = game.probe(&table, &game.unrank(key).unwrap()).unwrap();
        assert_eq!(found, Some(value), "{code}: {}", game.position_text(&game.unrank(key).unwrap()));
    }
    in_memory_as_in_the_file(game, &table, oracle.keys().copied());
}

/// Compares look-ups in a table of rows in memory with look-ups in its file. They are for `keys` and for numbers near
/// them, which may not be keys of positions. Does nothing for other kinds of tables.
fn in_memory_as_in_the_file(game: &AnyGame, table: &Table, keys: impl Iterator<Item = u64>) {
    let resident = game.load(table, Wins::All).unwrap();
    assert_eq!(resident.is_some(), table.header.index_kind == IndexKind::Tiers);
    let Some(resident) = resident else { return };
    assert!(resident.is_whole());
    let beside = |key: u64| [key.saturating_sub(64), key.saturating_sub(1), key, key + 1, key + 64];
    let mut keys: Vec<u64> = keys.flat_map(beside).chain([0, u64::MAX]).collect();
    keys.sort_unstable();
    keys.dedup();
    let expected = game.probe_all(table, None, &keys).unwrap();
    assert!(expected.contains(&0));
    assert!(game.probe_all(table, Some(&resident), &keys).unwrap() == expected, "{}", game.code());
    assert!(keys.iter().zip(&expected).all(|(&key, &byte)| resident.byte(key) == Some(byte)));
}

/// Checks tiny boards, long and thin boards, other start squares, targets and komi, the options `-n`, `-m` and `-p`,
/// and one board of 200,000 positions. Brute force agrees with the naive rules (`tests/rules/binarsi_rules.rs`).
#[test]
fn boards_of_binarsi_agree_with_brute_force() {
    let codes = "
        bin2x2 bin2x3 bin2x4 bin3x2 bin4x2 bin3x3 bin5x2 bin2x5 bin6x2 bin2x6
        bin3x3-s2b bin3x3-s3c bin4x2-s1b bin2x4-s2d bin3x2-s3a bin5x2-s3a
        bin3x3-t222 bin3x3-t234 bin3x3-t999 bin3x3-t323 bin4x2-t234 bin2x4-t232
        bin3x3-kb0.5 bin3x3-kw3.5 bin3x3-kb99.5 bin4x2-kb2.5
        bin2x2-kb0.5 bin2x2-m bin3x2-m bin3x3-m bin3x3-s2b-m bin4x2-m bin4x2-s2b-t999-m bin2x3-t999-m bin2x4-m
        bin5x2-kb1.5-m bin2x2-n bin3x3-n bin3x3-s2b-t233-kb1.5-n bin3x2-t222-n bin4x2-n bin2x4-n bin5x2-t999-n
        bin2x2-p bin3x3-p bin4x2-p bin2x5-p bin3x3-t222-p bin3x3-s2b-t234-n-p bin4x2-n-p
        bin4x3-t222";
    codes.split_whitespace().for_each(|code| agrees_with_brute_force(&any(code)));
}

#[test]
fn a_board_of_reversi_agrees_with_brute_force() {
    agrees_with_brute_force(&any("rev6x3"));
}

#[test]
fn tables_of_reversi_have_the_scores_of_the_naive_rules() {
    for code in ["rev3x3", "rev3x3-p-w", "rev3x4", "rev4x3-p", "rev3x5", "rev5x3-w", "rev4x4", "rev4x4-p-w"] {
        let (game, folder) = (reversi(code), tempfile::tempdir().unwrap());
        let table = analyzed(&game, folder.path());
        let mut stored = 0;
        for (text, score) in naive_reversi::Naive::from_code(code).values() {
            let position = game.parse_position(&text).unwrap();
            if game.is_terminal(&position) {
                assert_eq!(probe::<Score>(&table, game.rank(&position)).unwrap(), None, "{code}: {text}");
                continue;
            }
            let found = game.probe(&table, &position).unwrap();
            assert_eq!(found.map(|found| i32::from(found.points())), Some(score), "{code}: {text}");
            stored += 1;
        }
        assert_eq!(table.header.positions.get(), stored, "{code}");
        assert_eq!(std::fs::read(table.path()).unwrap()[11], ValueCodec::Score as u8, "{code}");
    }
}

/// Compares a table with the positions that can arise and their values, found ply by ply as levels of sorted keys. The
/// levels need only the rules.
fn agrees_with_sorted_keys(game: &AnyGame) {
    let (code, folder) = (game.code(), tempfile::tempdir().unwrap());
    let table = analyzed(game, folder.path());
    assert_eq!(table.header.index_kind, IndexKind::Tiers);
    let sorted = levels::enumerate(game, &game.start(), 4 << 30, &Silent).unwrap();
    let values = levels::solve(game, &sorted, &Silent);
    let tally = table.meta().unwrap().tally;
    for (ply, level) in (game.ply(&game.start())..).zip(&sorted.levels) {
        assert_eq!(tally.plies[&ply].values().sum::<u64>(), level.len() as u64, "{code}: ply {ply}");
    }
    let mut expected: Vec<(u64, u8)> = sorted.levels.concat().into_iter().zip(values.concat()).collect();
    expected.sort_unstable();
    let entries = game.entry_reader(&table).unwrap()(0..u64::MAX).unwrap();
    assert!(entries.keys.into_iter().zip(entries.bytes).eq(expected), "{code}");
}

#[test]
fn tables_are_those_of_sorted_keys() {
    for code in ["bin3x3", "bin4x3", "bin4x3-s1a-t333-n", "bin4x3-m", "bin3x4-s2b-kb0.5-m"] {
        agrees_with_sorted_keys(&any(code));
    }
    let sizes = ["3x3", "3x4", "4x3", "3x5", "5x3", "4x4", "3x6", "6x3"];
    let small = sizes.iter().flat_map(|size| ["", "-p", "-w", "-p-w"].map(|options| format!("rev{size}{options}")));
    for code in small.chain(["rev3x7-p", "rev7x3", "rev4x5", "rev5x4-p-w"].map(String::from)) {
        agrees_with_sorted_keys(&any(&code));
    }
}

/// Returns the bytes of a table that is made with this number of threads and this memory in bytes.
fn made(game: &AnyGame, threads: usize, memory: u64) -> Vec<u8> {
    let folder = tempfile::tempdir().unwrap();
    let job = SolveOptions { memory, ..job() };
    let made = on_threads(threads, || pipeline::analyze(game, None, folder.path(), &job).unwrap());
    std::fs::read(made.table.path()).unwrap()
}

#[test]
fn any_number_of_threads_and_any_memory_make_the_same_bytes() {
    // With no memory for sheets, every sheet is read from the file again.
    let (game, all) = (any("bin4x3"), 1 << 30);
    let one = made(&game, 1, all);
    assert!([(2, all), (5, all), (2, 0)].iter().all(|&(threads, memory)| made(&game, threads, memory) == one));
    let game = any("rev3x6");
    let one = made(&game, 1, all);
    assert!([2, 5].iter().all(|&threads| made(&game, threads, all) == one));
}

#[test]
fn positions_that_cannot_arise_are_not_in_the_table() {
    let game = binarsi("bin3x3");
    let folder = tempfile::tempdir().unwrap();
    let table = analyzed(&game, folder.path());
    let oracle = brute::solve(&game, &game.start());
    let last = *oracle.keys().max().unwrap();
    let absent = (0..last + 1000).step_by(37).filter(|key| !oracle.contains_key(key));
    for key in absent.take(200_000) {
        assert_eq!(probe::<Distance>(&table, key).unwrap(), None, "key {key}");
    }
}

/// Returns the score of the start by its table.
fn start_score(code: &str) -> i8 {
    let (game, folder) = (reversi(code), tempfile::tempdir().unwrap());
    let table = analyzed(&game, folder.path());
    game.probe(&table, &game.start()).unwrap().unwrap().points()
}

/// The published results are 3-11 on `rev4x4` and 6-9 on `rev4x4-p`.
#[test]
fn published_scores_of_the_four_by_four_board() {
    assert_eq!(start_score("rev4x4"), 3 - 11);
    assert_eq!(start_score("rev4x4-p"), 6 - 9);
    assert_eq!(start_score("rev4x4-w"), 3 - 13, "two squares stay empty");
    assert_eq!(start_score("rev4x4-p-w"), 6 - 10, "one square stays empty");
}

/// The start stays the same if the board is reflected in its rising diagonal.
#[test]
fn a_board_and_its_transpose_have_the_same_score() {
    for (wide, high) in [("rev5x3", "rev3x5"), ("rev4x3", "rev3x4"), ("rev6x3-w", "rev3x6-w")] {
        assert_eq!(start_score(wide), start_score(high), "{wide}");
    }
}

// Tables of later positions

/// Returns the table of the positions that can arise from `root`.
fn table_below(game: &Reversi, root: &Position, folder: &Path) -> Table {
    pipeline::analyze(game, Some(root), folder, &job()).unwrap().table
}

/// A run from a later position is saved level by level.
#[test]
fn a_run_stopped_on_the_way_goes_on_with_the_same_bytes() {
    let game = reversi("rev4x4");
    let root = game.parse_position("b1").unwrap();
    let [whole, stopped] = [(); 2].map(|()| tempfile::tempdir().unwrap());
    let made = |folder: &Path| std::fs::read(table_below(&game, &root, folder).path()).unwrap();
    for memory in [5_000, 50_000, 150_000] {
        let error = pipeline::analyze(&game, Some(&root), stopped.path(), &SolveOptions { memory, ..job() }).err();
        assert!(matches!(error, Some(SolveError::TooLarge(_))), "{memory}");
    }
    let base = pipeline::path_of(&game, Some(&root), stopped.path()).with_extension("");
    assert!(base.with_added_extension("keys.work").exists());
    assert_eq!(made(stopped.path()), made(whole.path()));
}

/// If the side to move at the root must pass, the table has the positions before and after the pass.
#[test]
fn a_table_can_begin_with_a_pass() {
    let (game, folder) = (reversi("rev4x4"), tempfile::tempdir().unwrap());
    let root = game.parse_position("OXXX-XXX-XXX---- X").unwrap();
    assert_eq!(legal_moves(&game, &root).iter().map(|&mv| game.move_text(mv)).collect::<Vec<_>>(), ["pass"]);
    let table = table_below(&game, &root, folder.path());
    let oracle = brute::solve(&game, &root);
    assert_eq!(table.header.positions.get(), oracle.len() as u64);
    let [before, after] = [root, root.passed()].map(|position| game.probe(&table, &position).unwrap().unwrap());
    assert_eq!((before, i32::from(before.points())), (oracle[&game.rank(&root)], -i32::from(after.points())));
}

// The audits

#[test]
fn the_audit_finds_positions_that_cannot_arise() {
    let (game, folder) = (reversi("rev3x4"), tempfile::tempdir().unwrap());
    let whole = table_below(&game, &game.start(), folder.path());
    audit_keys(&game, &whole, &game.start(), &Silent).unwrap();
    let later = game.play(&game.start(), legal_moves(&game, &game.start())[0]);
    let error = audit_keys(&game, &whole, &later, &Silent).unwrap_err().to_string();
    assert!(error.contains("cannot arise"), "{error}");
}

/// A table of other rules gets a header with the rules of the audit. So every checksum is right, but some values are
/// wrong.
#[test]
fn an_audit_finds_a_wrong_value_with_right_checksums() {
    let folder = tempfile::tempdir().unwrap();
    let (right, wrong) = (binarsi("bin3x3"), binarsi("bin3x3-kb3.5"));
    let mut bytes = std::fs::read(analyzed(&wrong, folder.path()).path()).unwrap();
    let mut header = Header::from_bytes(&bytes).unwrap();
    header.rule_code = Header::code_bytes(&right.code());
    bytes[..HEADER].copy_from_slice(&header.to_bytes());
    let forged = folder.path().join("bin3x3.tbl");
    std::fs::write(&forged, bytes).unwrap();
    let error = right.audit(None, &open(&right, &forged).unwrap(), &job()).unwrap_err().to_string();
    assert!(error.contains("has another value than that of its best move"), "{error}");
}
