//! Whole tables of small reversi boards: against the naive rules and against published values.

use std::path::Path;

use crate::naive::reversi as naive;
use crate::support::games::reversi;
use crate::support::solving::job;
use yomikiri_rules::game::Game;
use yomikiri_rules::games::reversi::{Position, Reversi};
use yomikiri_rules::value::{Score, ValueCodec};
use yomikiri_solve::audit::audit_keys;
use yomikiri_solve::{Solvable, SolveError, SolveOptions, brute, pipeline};
use yomikiri_table::Table;
use yomikiri_table::probe::probe;
use yomikiri_table::progress::Silent;

/// Runs the whole pipeline, audit included, and opens the table.
fn table(game: &Reversi, root: Option<&Position>, folder: &Path) -> Table {
    pipeline::analyze(game, root, folder, &job()).unwrap().table
}

/// The score of the start by its table.
fn start_score(code: &str) -> i8 {
    let (game, folder) = (reversi(code), tempfile::tempdir().unwrap());
    let table = table(&game, None, folder.path());
    game.probe(&table, &game.start()).unwrap().unwrap().points()
}

#[test]
fn tables_have_the_scores_of_the_naive_rules() {
    for code in ["rev3x3", "rev3x3-p-w", "rev3x4", "rev4x3-p", "rev3x5", "rev5x3-w", "rev4x4", "rev4x4-p-w"] {
        let (game, folder) = (reversi(code), tempfile::tempdir().unwrap());
        let table = table(&game, None, folder.path());
        let mut stored = 0;
        for (text, score) in naive::Naive::from_code(code).values() {
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

#[test]
fn a_longer_board_agrees_with_brute_force() {
    let (game, folder) = (reversi("rev6x3"), tempfile::tempdir().unwrap());
    let table = table(&game, None, folder.path());
    let oracle = brute::solve(&game, &game.start());
    assert_eq!(table.header.positions.get(), oracle.len() as u64);
    for (&key, &value) in &oracle {
        assert_eq!(probe::<Score>(&table, key).unwrap(), Some(value));
    }
}

/// General reversi tables: 3-11 and 6-9.
#[test]
fn published_scores_of_the_four_by_four_board() {
    assert_eq!(start_score("rev4x4"), 3 - 11);
    assert_eq!(start_score("rev4x4-p"), 6 - 9);
    assert_eq!(start_score("rev4x4-w"), 3 - 13, "two squares stay empty");
    assert_eq!(start_score("rev4x4-p-w"), 6 - 10, "one square stays empty");
}

/// Turning the board over its rising diagonal keeps the cross start.
#[test]
fn a_board_and_its_transpose_have_the_same_score() {
    for (wide, high) in [("rev5x3", "rev3x5"), ("rev4x3", "rev3x4"), ("rev6x3-w", "rev3x6-w")] {
        assert_eq!(start_score(wide), start_score(high), "{wide}");
    }
}

/// What lies below one position is kept level by level.
#[test]
fn a_run_stopped_on_the_way_goes_on_with_the_same_bytes() {
    let game = reversi("rev4x4");
    let root = game.parse_position("b1").unwrap();
    let [whole, stopped] = [(); 2].map(|()| tempfile::tempdir().unwrap());
    let expected = std::fs::read(table(&game, Some(&root), whole.path()).path()).unwrap();
    for memory in [5_000, 50_000, 150_000] {
        let error = pipeline::analyze(&game, Some(&root), stopped.path(), &SolveOptions { memory, ..job() }).err();
        assert!(matches!(error, Some(SolveError::TooLarge(_))), "{memory}");
    }
    let base = pipeline::path_of(&game, Some(&root), stopped.path()).with_extension("");
    assert!(base.with_added_extension("keys.work").exists());
    assert_eq!(std::fs::read(table(&game, Some(&root), stopped.path()).path()).unwrap(), expected);
}

/// A position in which the side to move must pass: its table has the positions before and after the pass.
#[test]
fn a_table_can_begin_with_a_pass() {
    let (game, folder) = (reversi("rev4x4"), tempfile::tempdir().unwrap());
    let text = "OXXX-XXX-XXX---- X";
    let root = game.parse_position(text).unwrap();
    let mut moves = Vec::new();
    game.moves(&root, &mut moves);
    assert_eq!(moves.iter().map(|&mv| game.move_text(mv)).collect::<Vec<_>>(), ["pass"]);
    let table = table(&game, Some(&root), folder.path());
    let oracle = brute::solve(&game, &root);
    assert_eq!(table.header.positions.get(), oracle.len() as u64);
    let [before, after] = [root, root.passed()].map(|position| game.probe(&table, &position).unwrap().unwrap());
    assert_eq!((before, i32::from(before.points())), (oracle[&game.rank(&root)], -i32::from(after.points())));
}

#[test]
fn the_audit_finds_positions_that_cannot_arise() {
    let (game, folder) = (reversi("rev3x4"), tempfile::tempdir().unwrap());
    let mut moves = Vec::new();
    game.moves(&game.start(), &mut moves);
    let whole = table(&game, Some(&game.start()), folder.path());
    audit_keys(&game, &whole, &game.start(), &Silent).unwrap();
    let later = game.play(&game.start(), moves[0]);
    let error = audit_keys(&game, &whole, &later, &Silent).unwrap_err().to_string();
    assert!(error.contains("cannot arise"), "{error}");
}
