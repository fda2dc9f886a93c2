//! Tests of the command as people and scripts use it: answers of several verbs against each other, errors that all
//! verbs report alike, and closed output pipes. Other tests of the command are in the folder sessions.

use std::path::Path;

use crate::support::command::{command, fails, files, good, good_json, tables};
use crate::support::session::{check_table, replay};
use serde_json::{Value, json};

#[test]
fn sessions() {
    replay("command/sessions");
}

// Answers compared with each other

fn text<'a>(value: &'a Value, field: &str) -> &'a str {
    value[field].as_str().unwrap_or_else(|| panic!("{field} is no text in {value}"))
}

/// Returns a number for the outcome and one for the plies of an answer. A larger pair is better for the side to move.
fn rank(value: &Value) -> (i64, i64) {
    let plies = || value["plies"].as_i64().unwrap();
    match text(value, "outcome") {
        "win" => (1, -plies()),
        "loss" => (-1, plies()),
        other => panic!("outcome {other}"),
    }
}

#[test]
fn query_json_agrees_with_itself_along_whole_games() {
    let folder = tables(&["bin3x3"]);
    let query = |position: &str| good_json(folder.path(), &["query", "bin3x3", position, "--json"]);
    for pick in [0, 2, 3] {
        let mut here = query("startpos");
        while here["moves"] != json!([]) {
            check_moves(&here, folder.path(), query);
            let moves = here["moves"].as_array().unwrap();
            here = query(text(&moves[(pick * 7 + 1) % moves.len()], "position"));
        }
        assert_eq!(here["plies"], 0, "{here}");
    }
}

/// Checks the moves in the answer of a query: their values against queries of the positions after them, their order,
/// and that `moves` lists the same ones.
fn check_moves(here: &Value, folder: &Path, query: impl Fn(&str) -> Value) {
    let moves = here["moves"].as_array().unwrap();
    assert_eq!(rank(&moves[0]), rank(here), "the best move has the position's value: {here}");
    assert!(moves.is_sorted_by_key(|mv| std::cmp::Reverse(rank(mv))), "best first: {here}");
    for mv in moves {
        let child = query(text(mv, "position"));
        let opposite = if child["outcome"] == "win" { "loss" } else { "win" };
        let plies = child["plies"].as_i64().unwrap() + 1;
        assert_eq!((text(mv, "outcome"), mv["plies"].as_i64()), (opposite, Some(plies)), "{mv} in {here}");
        let winner = if mv["outcome"] == "win" { &here["to_move"] } else { &child["to_move"] };
        assert_eq!(&child["winner"], winner, "{child}");
        assert_ne!(child["to_move"], here["to_move"], "{child}");
        assert_eq!(child["position"], mv["position"], "{child}");
    }
    let legal = good_json(folder, &["moves", "bin3x3", text(here, "position"), "--json"]);
    let pairs = |moves: &Value| {
        let pair = |mv: &Value| (text(mv, "move").to_string(), text(mv, "position").to_string());
        let mut pairs: Vec<_> = moves.as_array().unwrap().iter().map(pair).collect();
        pairs.sort();
        pairs
    };
    assert_eq!(pairs(&legal["moves"]), pairs(&here["moves"]));
}

#[test]
fn a_line_is_as_long_as_its_first_value_and_ends_the_game() {
    let folder = tables(&["bin3x3"]);
    for start in ["startpos", "startpos moves 2n", "startpos moves bn ca", "startpos moves 2n 3n bn"] {
        let value = good_json(folder.path(), &["query", "bin3x3", start, "--json"]);
        let line = good(folder.path(), &["line", "bin3x3", start]);
        let replay = line.lines().last().unwrap();
        let (position, moves) = replay.split_once(" moves ").unwrap();
        assert_eq!(position, text(&value, "position"));
        assert_eq!(Some(moves.split(' ').count() as u64), value["plies"].as_u64(), "{replay}");
        let end = good_json(folder.path(), &["query", "bin3x3", replay, "--json"]);
        assert_eq!((&end["plies"], &end["winner"]), (&json!(0), &value["winner"]), "{replay}");
    }
}

/// A late position of the full board. White wins in 3 plies. At most 5 plies are left, with 5,820 positions.
const LATE: &str = "1xooxo1/1xooox1/1oxoox1/1xooxo1/1oxoxo1/1ooxoo1 w 2345abcdef ///7/17/ 19";

/// A table from a late position gives the same answers as a search without a table, apart from the source. With one
/// byte of memory, only the table can give them.
#[test]
fn a_table_below_a_late_position_answers_as_a_search() {
    let (folder, empty) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    good(folder.path(), &["analyze", "bin7x6", "--from", LATE]);
    let searched = |position: &str| good_json(empty.path(), &["query", "bin7x6", position, "--json"]);
    let moves = |value: &Value| value["moves"].as_array().unwrap().clone();
    let mut positions = vec![LATE.to_string()];
    for child in moves(&searched(LATE)).iter().step_by(6) {
        positions.push(text(child, "position").into());
        let below = moves(&searched(text(child, "position")));
        positions.extend(below.iter().step_by(9).map(|mv| text(mv, "position").into()));
    }
    for position in &positions {
        let mut probed = good_json(folder.path(), &["query", "bin7x6", position, "--json", "--memory", "1"]);
        let mut searched = searched(position);
        let sources = [&mut probed, &mut searched].map(|answer| answer.as_object_mut().unwrap().remove("source"));
        assert!(
            matches!(sources, [None, None]) || sources == [Some(json!("table")), Some(json!("subgame"))],
            "{sources:?}"
        );
        assert_eq!(probed, searched, "{position}");
    }
}

#[test]
fn sequences_of_moves_are_as_many_as_the_moves_that_are_listed() {
    let folder = tempfile::tempdir().unwrap();
    let children = |position: &str| -> Vec<String> {
        let listed = good_json(folder.path(), &["moves", "bin7x6", position, "--json"]);
        listed["moves"].as_array().unwrap().iter().map(|mv| text(mv, "position").to_string()).collect()
    };
    let below = |child: &String| children(child).iter().map(|position| children(position).len()).sum::<usize>();
    let counts: Vec<usize> = children("startpos").iter().map(below).collect();
    let first = good(folder.path(), &["perft", "bin7x6", "2", "--from", &children("startpos")[0]]);
    assert_eq!(first, format!("{}\n", counts[0]));
    assert_eq!(good(folder.path(), &["perft", "bin7x6", "3"]), format!("{}\n", counts.iter().sum::<usize>()));
}

// Errors

/// Command lines in which `{}` is replaced by a rule code.
const OF_CODES: [&str; 11] = [
    "rules {}",
    "analyze {}",
    "query {} startpos",
    "line {}",
    "solve {}",
    "stats {}",
    "plot {}",
    "verify {}",
    "export {} --to gz",
    "moves {}",
    "perft {} 1",
];

/// Command lines in which `{}` is replaced by a position.
const OF_POSITIONS: [&str; 7] = [
    "query bin3x3 {}",
    "query bin3x3 {} --json",
    "line bin3x3 {}",
    "moves bin3x3 {} --json",
    "analyze bin3x3 --from {}",
    "verify bin3x3 --from {}",
    "perft bin3x3 1 --from {}",
];

/// Returns the error line with which all command lines refuse a word in place of `{}`.
fn refused_alike(folder: &Path, lines: &[&str], word: &str) -> String {
    let said = |line: &&str| {
        let args: Vec<&str> = line.split(' ').map(|part| if part == "{}" { word } else { part }).collect();
        fails(folder, &args, 2)
    };
    let all: Vec<String> = lines.iter().map(said).collect();
    assert!(all.iter().all(|line| *line == all[0]), "{word:?}: {all:#?}");
    all[0].trim_end().into()
}

#[test]
fn all_verbs_refuse_malformed_codes_and_positions_alike() {
    let folder = tables(&["bin3x3"]);
    check_table("command/codes.txt", |[code]| refused_alike(folder.path(), &OF_CODES, code));
    check_table("command/positions.txt", |[position]| refused_alike(folder.path(), &OF_POSITIONS, position));
    for code in ["bin3x3\n", "foo\nbar", "bin3x3-s1\r\na", "bin3x3-\u{1b}[31mé"] {
        let line = refused_alike(folder.path(), &OF_CODES, code);
        assert!(line.starts_with("error: rule code \""), "{line}");
    }
    assert_eq!(files(folder.path()), ["bin3x3.tbl"]);
}

// Closed output pipes

/// Returns the writing end of a pipe whose reading end is closed.
fn closed_pipe() -> std::io::PipeWriter {
    std::io::pipe().unwrap().1
}

#[test]
fn a_reader_that_went_away_is_no_error() {
    let folder = tables(&["bin2x2"]);
    for line in [
        "--help",
        "rules",
        "rules bin2x2 --json",
        "analyze bin2x2",
        "query bin2x2 startpos",
        "query bin2x2 startpos --json",
        "line bin2x2",
        "solve rev4x4 b1a1a2c1d4a3d1b4a4c4 --memory 1M",
        "stats bin2x2",
        "stats bin2x2 --json",
        "plot bin2x2",
        "verify bin2x2",
        "moves bin7x6",
        "perft bin7x6 2",
        "export bin2x2 --to gz",
        "completions bash",
        "man",
    ] {
        let args: Vec<&str> = line.split(' ').collect();
        let output = command(folder.path(), &args).stdout(closed_pipe()).output().unwrap();
        assert!(output.status.success() && output.stderr.is_empty(), "{line}: {output:?}");
    }
    // The command goes on if nobody reads its progress.
    let status = command(folder.path(), &["analyze", "bin3x3"]).stderr(closed_pipe()).output().unwrap().status;
    assert_eq!(status.code(), Some(0));
    assert!(folder.path().join("bin3x3.tbl").exists());
    let status = command(folder.path(), &["query", "foo", "x"]).stderr(closed_pipe()).output().unwrap().status;
    assert_eq!(status.code(), Some(2));
}
