//! Whole tables of small reversi boards: against the naive rules, against published values, and through the command,
//! where a value is a score.

use std::path::Path;
use std::process::Command;

use crate::naive::reversi as naive;
use crate::support::games::reversi;
use crate::support::solving::job;
use serde_json::{Value as Json, json};
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
            if game.decided(&position) {
                assert_eq!(probe::<Score>(&table, game.key(&position)).unwrap(), None, "{code}: {text}");
                continue;
            }
            let found = game.probe(&table, &position).unwrap();
            assert_eq!(found.map(|found| i32::from(found.points())), Some(score), "{code}: {text}");
            stored += 1;
        }
        assert_eq!(table.header.positions.get(), stored, "{code}");
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
    assert_eq!((before, i32::from(before.points())), (oracle[&game.key(&root)], -i32::from(after.points())));
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

// The command

fn command(folder: &Path, args: &[&str]) -> (Option<i32>, String, String) {
    let run = Command::new(env!("CARGO_BIN_EXE_yomikiri")).args(args).arg("--tables").arg(folder).output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (run.status.code(), text(run.stdout), text(run.stderr))
}

fn good_json(folder: &Path, args: &[&str]) -> Json {
    let (status, out, err) = command(folder, args);
    assert_eq!(status, Some(0), "{args:?}: {err}");
    serde_json::from_str(&out).unwrap()
}

#[test]
fn values_are_scores_in_header_and_json() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let (status, out, err) = command(folder, &["analyze", "rev4x4"]);
    assert_eq!(status, Some(0), "{err}");
    assert!(out.contains("  init score:  -8\n") && out.contains("White wins by 8: rev4x4 from the start."), "{out}");
    let bytes = std::fs::read(folder.join("rev4x4.tbl")).unwrap();
    assert_eq!(bytes[11], ValueCodec::Score as u8);

    let answer = good_json(folder, &["query", "rev4x4", "startpos", "--json"]);
    let moves = answer["moves"].as_array().unwrap().clone();
    assert_eq!(moves.len(), 4);
    assert_eq!(moves[0], json!({ "move": "b1", "outcome": "loss", "score": -8, "position": "-X---XX--XO----- O" }));
    let fields = ["rules", "position", "to_move", "outcome", "score", "winner", "moves"];
    assert_eq!(answer.as_object().unwrap().len(), fields.len());
    assert!(fields.iter().all(|field| answer.get(field).is_some()), "{answer}");
    assert_eq!(
        (&answer["score"], &answer["outcome"], &answer["winner"]),
        (&json!(-8), &json!("loss"), &json!("white"))
    );

    let stats = good_json(folder, &["stats", "rev4x4", "--json"]);
    assert_eq!(stats["start"], json!({ "outcome": "loss", "score": -8, "winner": "white" }));
    assert_eq!((&stats["black_wins"], &stats["white_wins"]), (&Json::Null, &Json::Null));
    assert!(stats.get("max_plies").is_none() && stats.get("by_plies").is_none(), "{stats}");
    let sum = |counts: &Json| counts.as_object().unwrap().values().map(|count| count.as_u64().unwrap()).sum::<u64>();
    assert_eq!(sum(&stats["by_score"]), stats["positions"].as_u64().unwrap());
    let draws = ["wins", "losses", "draws"].map(|field| stats[field].as_u64().unwrap());
    assert_eq!(stats["by_score"]["0"].as_u64().unwrap(), draws[2]);
    assert_eq!(draws.iter().sum::<u64>(), stats["positions"].as_u64().unwrap());
}

#[test]
fn every_verb_knows_scores() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let good = |args: &[&str]| {
        let (status, out, err) = command(folder, args);
        assert_eq!(status, Some(0), "{args:?}: {err}");
        out
    };
    good(&["analyze", "rev4x4"]);
    assert!(good(&["verify", "rev4x4"]).contains("right (11,660 positions checked)"));
    let text = good(&["stats", "rev4x4"]);
    assert!(text.contains("positions by score of the side to move") && text.ends_with("White wins by 8.\n"), "{text}");
    assert!(!text.contains("plies") && !text.contains("Black wins"), "{text}");
    let text = good(&["query", "rev4x4", "startpos"]);
    assert!(text.contains("\n   1. b1   loss  -8   -X---XX--XO----- O\n"), "{text}");
    let line = good(&["line", "rev4x4"]);
    let game_line = line.lines().last().unwrap();
    assert!(game_line.starts_with("-----OX--XO----- X moves "), "{line}");
    assert!(line.contains("White has won by 8: neither side has a move."), "{line}");
    let shown = good(&["query", "rev4x4", game_line]);
    assert!(shown.ends_with("White has won by 8: neither side has a move.\n"), "{shown}");
    // Boards may begin with hyphens, options come after them all the same.
    let after = "-X---XX--XO----- O";
    assert_eq!(good_json(folder, &["query", "rev4x4", after, "--json"])["position"], after);
    good(&["analyze", "rev4x4", "--from", after]);
    assert!(good(&["verify", "rev4x4", "--from", after]).contains("right"));
    let (status, _, err) = command(folder, &["query", "rev4x4", "--jsn"]);
    assert_eq!((status, err.lines().count()), (Some(2), 1), "{err}");
    good(&["export", "rev4x4", "--to", "gz"]);
    let meaning: Json = serde_json::from_slice(&std::fs::read(folder.join("r_rev4x4_vals.json")).unwrap()).unwrap();
    assert_eq!(meaning["values"].as_object().unwrap().keys().collect::<Vec<_>>(), ["64..192"]);
}

/// Larger boards have moves, pictures and counts, but no tables.
#[test]
fn boards_without_keys_are_refused_in_one_line() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    for (args, status, words) in [
        (&["analyze", "rev8x8"][..], 1, "rev8x8 has about"),
        (&["analyze", "rev6x7", "--from", "startpos"], 2, "rev6x7"),
        (&["verify", "rev8x8", "--from", "startpos"], 2, "no tables"),
        (&["query", "rev8x8", "f5d6"], 1, "more than 40 squares"),
        (&["line", "rev7x6"], 1, "more than 40 squares"),
        (&["stats", "rev8x8"], 1, "not there"),
    ] {
        let (found, out, err) = command(folder, args);
        assert_eq!((found, out.as_str(), err.lines().count()), (Some(status), "", 1), "{args:?}: {err}");
        assert!(err.contains(words), "{args:?}: {err}");
    }
    assert!(good(&["moves", "rev8x8", "f5d6"]).contains("\n       1    1  c3 "));
    assert!(good(&["rules", "rev8x8"]).contains("8 files x 8 ranks"));
    assert_eq!(good(&["perft", "rev8x8", "8"]), "390216\n");
    let (_, out, _) = command(folder, &["estimate", "rev8x8"]);
    assert!(
        out.contains("memory   more than any machine has") && out.ends_with("yomikiri solve rev8x8 \"<position>\"\n"),
        "{out}"
    );
}

/// What a verb without tables prints.
fn good(args: &[&str]) -> String {
    let run = Command::new(env!("CARGO_BIN_EXE_yomikiri")).args(args).output().unwrap();
    assert!(run.status.success(), "{args:?}: {run:?}");
    String::from_utf8(run.stdout).unwrap()
}
