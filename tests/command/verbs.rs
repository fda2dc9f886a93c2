//! The command as people and scripts meet it: what every verb prints, exit statuses, and one line for every error.

use std::path::{Path, PathBuf};
use std::process::Output;
use std::time::Duration;

use crate::support::command::{self, command, fails, files, good, good_json, refused, tables};
use serde_json::{Value, json};

/// A late position of the full board: White wins in 3, at most 5 plies are left, 5,820 positions lie below it.
const LATE: &str = "1xooxo1/1xooox1/1oxoox1/1xooxo1/1oxoxo1/1ooxoo1 w 2345abcdef ///7/17/ 19";

/// The same with left and right exchanged.
const LATE_MIRRORED: &str = "1oxoox1/1xooox1/1xooxo1/1oxoox1/1oxoxo1/1ooxoo1 w 3456abcdef ///7/17/ 19";

/// A game of bin2x2 to its last move.
const WHOLE_GAME: &str = "startpos moves 2n 1nH 2nL as1 bn bnL";

/// What a run gave.
struct Ran {
    status: i32,
    out: String,
    err: String,
}

fn ran(output: Output) -> Ran {
    let text = |bytes| String::from_utf8(bytes).expect("the command writes UTF-8");
    Ran { status: output.status.code().expect("no signal"), out: text(output.stdout), err: text(output.stderr) }
}

fn run(folder: &Path, args: &[&str]) -> Ran {
    ran(command::run(folder, args))
}

/// Length of a file as people read it, for files under a megabyte.
fn kilobytes(path: &Path) -> String {
    format!("{:.1} kB", path.metadata().unwrap().len() as f64 / 1000.0)
}

fn text<'a>(value: &'a Value, field: &str) -> &'a str {
    value[field].as_str().unwrap_or_else(|| panic!("{field} is no text in {value}"))
}

/// Outcome and plies, the larger the better for the side they belong to.
fn rank(value: &Value) -> (i64, i64) {
    let plies = || value["plies"].as_i64().unwrap();
    match text(value, "outcome") {
        "win" => (1, -plies()),
        "loss" => (-1, plies()),
        other => panic!("outcome {other}"),
    }
}

// JSON

#[test]
fn stats_json_of_the_three_by_three_board() {
    let folder = tables(&["bin3x3"]);
    let expected = json!({
        "rules": "bin3x3",
        "positions": 55289,
        "ended": 0,
        "by_ply": [1, 2, 11, 42, 196, 988, 4565, 14544, 21720, 11164, 2056],
        "wins": 40674,
        "losses": 14615,
        "draws": 0,
        "black_wins": 25582,
        "white_wins": 29707,
        "max_plies": 10,
        "start": { "outcome": "loss", "plies": 10, "winner": "white" },
        "by_plies": {
            "0": 2056, "1": 25366, "2": 14972, "3": 9232, "4": 2808, "5": 650, "6": 155, "7": 36, "8": 11, "9": 2,
            "10": 1
        }
    });
    assert_eq!(good_json(folder.path(), &["stats", "bin3x3", "--json"]), expected);
}

#[test]
fn query_json_of_the_start() {
    let folder = tables(&["bin3x3"]);
    let expected = json!({
        "rules": "bin3x3",
        "position": "o2/3/3 b - - 0",
        "to_move": "black",
        "outcome": "loss",
        "plies": 10,
        "winner": "white",
        "moves": [
            { "move": "2n", "outcome": "loss", "plies": 10, "position": "ox1/3/3 w - - 1" },
            { "move": "bn", "outcome": "loss", "plies": 10, "position": "o2/x2/3 w - - 1" }
        ]
    });
    assert_eq!(good_json(folder.path(), &["query", "bin3x3", "startpos", "--json"]), expected);
    for same in ["o2/3/3 b - - 0", "position startpos", "sfen o2/3/3 b - - 0", "startpos moves"] {
        assert_eq!(good_json(folder.path(), &["query", "bin3x3", same, "--json"]), expected, "{same}");
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

/// Holds a query's moves against the query of every child, the order promised, and the verb `moves`.
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
fn moves_and_rules_json() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let expected = json!({ "moves": [
        { "move": "2n", "position": "ox/2 w - - 1" },
        { "move": "bn", "position": "o1/x1 w - - 1" }
    ] });
    assert_eq!(good_json(folder, &["moves", "bin2x2", "--json"]), expected);
    assert_eq!(good_json(folder, &["moves", "bin2x2", "startpos", "--json"]), expected);
    assert_eq!(good_json(folder, &["moves", "bin2x2", WHOLE_GAME, "--json"]), json!({ "moves": [] }));
    let expected = json!({
        "rules": "bin4x3-s3c-kb1.5-n",
        "settings": {
            "game": "binarsi",
            "board": "4 files x 3 ranks",
            "start square": "3c",
            "black targets": "b3 3 across, b4 3 diagonal, b5 3 down",
            "white targets": "w3 3 down, w4 3 diagonal, w5 3 across",
            "komi": "1.5 for Black",
            "modify without change": "illegal",
            "longest game": "12 plies"
        }
    });
    assert_eq!(good_json(folder, &["rules", "bin4x3-s3c-t333-kb1.5-n", "--json"]), expected);
    let games = good_json(folder, &["rules", "--json"]);
    let binarsi = games["games"].as_array().unwrap().iter().find(|game| game["game"] == "Binarsi").unwrap();
    assert_eq!(binarsi["example"], "bin4x4");
}

#[test]
fn values_follow_the_rules_not_the_board() {
    let folder = tables(&["bin3x3", "bin3x3-kb99.5"]);
    let start = |code: &str| good_json(folder.path(), &["query", code, "startpos", "--json"]);
    assert_eq!(start("bin3x3-kb99.5")["winner"], "black", "a komi that no count of stones makes up for");
    assert_eq!(start("bin3x3")["winner"], "white");
    assert_eq!(start("bin3x3-kb99.5")["rules"], "bin3x3-kb99.5");
}

// Text for people

#[test]
fn query_in_words() {
    let folder = tables(&["bin3x3"]);
    let out = good(folder.path(), &["query", "bin3x3", "startpos moves 2n 3na 1nH 3nL 2a as1"]);
    let expected = "\
[ 6 moves | next black]
    # # #
  +-------+
# | 0 0 0 |
b | . . . |
c | . . . |
  +-------+
cleared: w5 (ply 5)
ooo/3/3 b 123a /////5 6
White wins in 4 plies.
   1. bn   loss in  4   ooo/xxx/3 w 123a 7/////5 7
";
    assert_eq!(out, expected);
    let out = good(folder.path(), &["query", "bin3x3", "startpos"]);
    let expected = "\
[ 0 moves | next black]
    1 2 3
  +-------+
a | 0 . . |
b | . . . |
c | . . . |
  +-------+
o2/3/3 b - - 0
White wins in 10 plies.
   1. 2n   loss in 10   ox1/3/3 w - - 1
   2. bn   loss in 10   o2/x2/3 w - - 1
";
    assert_eq!(out, expected);
}

#[test]
fn line_in_words() {
    let folder = tables(&["bin2x2"]);
    let expected = "\
[ 0 moves | next black]
    1 2
  +-----+
a | 0 . |
b | . . |
  +-----+
White wins in 6 plies.

2n
[ 1 moves | next white]
    1 2
  +-----+
a | 0 1 |
b | . . |
  +-----+

1nH
[ 2 moves | next black]
    # 2
  +-----+
a | 0 1 |
b | . . |
  +-----+

2nL
[ 3 moves | next white]
    # #
  +-----+
a | 0 1 |
b | . . |
  +-----+

as1
[ 4 moves | next black]
    # #
  +-----+
# | 1 0 |
b | . . |
  +-----+

bn
[ 5 moves | next white]
    # #
  +-----+
# | 1 0 |
b | 0 1 |
  +-----+
cleared: b4 (ply 5), w4 (ply 5)

bnL
[ 6 moves | next black]
    # #
  +-----+
# | 1 0 |
# | 0 1 |
  +-----+
cleared: b4 (ply 5), w4 (ply 5)
White has won: there is no legal move, so points decide.

o1/2 b - - 0 moves 2n 1nH 2nL as1 bn bnL
";
    assert_eq!(good(folder.path(), &["line", "bin2x2"]), expected);
    assert_eq!(good(folder.path(), &["line", "bin2x2", "startpos"]), expected);
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

#[test]
fn stats_in_words() {
    let folder = tables(&["bin2x2"]);
    let table = folder.path().join("bin2x2.tbl");
    let bits = 8.0 * table.metadata().unwrap().len() as f64 / 49.0;
    let expected = format!(
        "bin2x2: 49 positions in {} ({bits:.2} bits each)
the side to move wins                         22
the side to move loses                        27
draws                                          0
Black wins                                     0
White wins                                    49
longest distance in plies                      6
positions by ply
   0                                           1
   1                                           2
   2                                           7
   3                                          10
   4                                          14
   5                                          10
   6                                           5
positions by distance to the end in plies
   0                                           5
   1                                          10
   2                                          14
   3                                          10
   4                                           7
   5                                           2
   6                                           1
start
White wins in 6 plies.
",
        kilobytes(&table)
    );
    assert_eq!(good(folder.path(), &["stats", "bin2x2"]), expected);
}

#[test]
fn moves_in_words() {
    let folder = tempfile::tempdir().unwrap();
    let expected = "\
[ 4 moves | next black]
    # #
  +-----+
# | 1 0 |
b | . . |
  +-----+
Distinct  All  Move
       1    1  bn    xo/ox w 12a /5///5/ 5
";
    assert_eq!(good(folder.path(), &["moves", "bin2x2", "startpos moves 2n 1nH 2nL as1"]), expected);
    let expected = "\
[ 1 moves | next white]
    1 2
  +-----+
a | 0 1 |
b | . . |
  +-----+
Distinct  All  Move
       1    1  1nH   ox/2 b 1 - 2
       2    2  2nL   ox/2 b 2 - 2
       3    3  as1   xo/2 b a - 2
       4    4  bn    ox/xo b - /2///2/ 2
";
    assert_eq!(good(folder.path(), &["moves", "bin2x2", "startpos moves 2n"]), expected);
}

#[test]
fn rules_in_words() {
    let folder = tempfile::tempdir().unwrap();
    let expected = "\
game                  binarsi
shortest code         bin2x2
board                 2 files x 2 ranks
start square          1a
black targets         b3 2 across, b4 2 diagonal, b5 2 down
white targets         w3 2 down, w4 2 diagonal, w5 2 across
komi                  0.5 for White
modify without change legal
longest game          6 plies

[ 0 moves | next black]
    1 2
  +-----+
a | 0 . |
b | . . |
  +-----+
";
    assert_eq!(good(folder.path(), &["rules", "bin2x2-s1a-t222-kw0.5"]), expected);
    let list = good(folder.path(), &["rules"]);
    assert!(list.contains("Binarsi") && list.contains("bin<F>x<R>") && list.contains("bin4x4"), "{list}");
    // Words of five letters are animal shogi, and the first line says so.
    let first = |code: &str| good(folder.path(), &["rules", code]).lines().next().unwrap().to_string();
    assert_eq!(first("chess"), "game                  animal shogi");
    assert_eq!(first("con4x4"), "game                  connect four");
}

#[test]
fn a_finished_game() {
    let folder = tables(&["bin2x2"]);
    let over = "xo/ox b 12ab /5///5/ 6";
    let expected = json!({
        "rules": "bin2x2",
        "position": over,
        "to_move": "black",
        "outcome": "loss",
        "plies": 0,
        "winner": "white",
        "moves": []
    });
    assert_eq!(good_json(folder.path(), &["query", "bin2x2", WHOLE_GAME, "--json"]), expected);
    let board = "\
[ 6 moves | next black]
    # #
  +-----+
# | 1 0 |
# | 0 1 |
  +-----+
cleared: b4 (ply 5), w4 (ply 5)
";
    let said = |args: &[&str]| good(folder.path(), args);
    assert_eq!(
        said(&["query", "bin2x2", over]),
        format!("{board}{over}\nWhite has won: there is no legal move, so points decide.\n")
    );
    assert_eq!(
        said(&["line", "bin2x2", over]),
        format!("{board}White has won: there is no legal move, so points decide.\n")
    );
    assert_eq!(said(&["moves", "bin2x2", over]), format!("{board}The game is over.\n"));
    assert_eq!(said(&["perft", "bin2x2", "0", "--from", over]), "1\n");
    assert_eq!(said(&["perft", "bin2x2", "1", "--from", over]), "0\n");
    // Decided by targets with the board far from locked: Black holds all three.
    let early = good_json(folder.path(), &["query", "bin3x3", "xxx/xxx/xxx b - 4/4/4/// 4", "--json"]);
    assert_eq!((&early["outcome"], &early["plies"], &early["moves"]), (&json!("win"), &json!(0), &json!([])));
}

// analyze

#[test]
fn analyze_prints_the_result_and_names_the_file() {
    let folder = tempfile::tempdir().unwrap();
    let tables = folder.path().join("made/on the way");
    let place = tables.to_str().unwrap();
    let ran = run(folder.path(), &["analyze", "bin3x3", "--tables", place]);
    let table = tables.join("bin3x3.tbl");
    let result = "Step 2: result
  black-winning boards:     25582
  white-winning boards:     29707
  draw                :         0
  max depth :  10
  init depth:  10
Step 2: done!
White wins in 10 plies: bin3x3 from the start.
";
    assert_eq!(ran.status, 0, "{}", ran.err);
    let rest = ran.out.strip_prefix(result).unwrap_or_else(|| panic!("{}", ran.out));
    assert!(rest.contains(&format!("{} ({}, written)", table.display(), kilobytes(&table))), "{rest}");
    assert!(rest.contains("yomikiri query bin3x3 startpos"), "says how to ask: {rest}");
    let steps = "\
Step 1: enumerate: 55289 positions
Step 2: solve: 55289 values
Step 3: audit: 55289 positions, every value and every move agrees
";
    // A step of a second or more says how long it took.
    let said: Vec<&str> = ran.err.lines().map(|line| line.split(", in ").next().unwrap()).collect();
    assert_eq!(said, steps.lines().collect::<Vec<_>>());
    assert_eq!(files(&tables), ["bin3x3.tbl"], "nothing but the table is left");
    assert_eq!(files(folder.path()), ["made"], "--tables goes before the environment");
}

#[test]
fn analyze_does_nothing_twice_unless_forced() {
    let folder = tables(&["bin3x3"]);
    let table = folder.path().join("bin3x3.tbl");
    let stamp = || (table.metadata().unwrap().modified().unwrap(), std::fs::read(&table).unwrap());
    let first = stamp();
    for code in ["bin3x3", "bin3x3-t333", "bin3x3-s1a-t333-kw0.5"] {
        let ran = run(folder.path(), &["analyze", code]);
        assert_eq!((ran.status, ran.err.as_str()), (0, ""), "{code}");
        assert!(ran.out.contains("White wins in 10 plies: bin3x3 from the start."), "{code}: {}", ran.out);
        assert!(ran.out.contains("already there, nothing to do"), "{code}: {}", ran.out);
        assert!(stamp() == first, "{code}: the table was touched");
    }
    std::thread::sleep(Duration::from_millis(20));
    let out = good(folder.path(), &["analyze", "bin3x3", "--force", "--threads", "2", "--memory", "1G"]);
    assert!(out.contains(", written)"), "{out}");
    let again = stamp();
    assert!(again.0 > first.0 && again.1 == first.1, "--force makes the same table anew");
    assert_eq!(files(folder.path()), ["bin3x3.tbl"]);
}

#[test]
fn codes_that_spell_out_defaults_share_the_table() {
    let folder = tables(&["bin3x3-t333"]);
    let folder = folder.path();
    assert_eq!(files(folder), ["bin3x3.tbl"]);
    for code in ["bin3x3", "bin3x3-s1a", "bin3x3-t333-kw0.5"] {
        assert_eq!(good_json(folder, &["stats", code, "--json"])["rules"], "bin3x3", "{code}");
        let query = good_json(folder, &["query", code, "startpos", "--json", "--memory", "1"]);
        assert_eq!((&query["rules"], &query["plies"]), (&json!("bin3x3"), &json!(10)), "{code}");
        assert!(good(folder, &["verify", code]).contains("bin3x3.tbl: right (55,289 positions checked)"), "{code}");
    }
}

#[test]
fn tables_come_from_the_flag_then_the_environment() {
    let (one, none) = (tables(&["bin2x2"]), tempfile::tempdir().unwrap());
    let (here, empty) = (one.path().to_str().unwrap(), none.path().to_str().unwrap());
    assert!(good(one.path(), &["verify", "bin2x2"]).starts_with(here));
    assert!(good(none.path(), &["verify", "bin2x2", "--tables", here]).starts_with(here));
    fails(one.path(), &["verify", "bin2x2", "--tables", empty], 1);
}

#[test]
fn a_table_below_a_late_position() {
    let (folder, empty) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let (folder, empty) = (folder.path(), empty.path());
    let out = good(folder, &["analyze", "bin7x6", "--from", LATE]);
    assert!(out.contains("White wins in 3 plies: bin7x6 from this position."), "{out}");
    let names = files(folder);
    assert_eq!(names.len(), 1, "{names:?}");
    let table = folder.join(&names[0]);
    let before = std::fs::read(&table).unwrap();
    let again = good(folder, &["analyze", "bin7x6", "--from", LATE]);
    assert!(again.contains("already there, nothing to do"), "{again}");
    assert!(std::fs::read(&table).unwrap() == before);

    let right = format!("{}: right (5,820 positions checked)\n", table.display());
    assert_eq!(good(folder, &["verify", "bin7x6", "--from", LATE]), right);
    let right = format!("{}: right (100 positions checked)\n", table.display());
    assert_eq!(good(folder, &["verify", "bin7x6", "--from", LATE, "--sample", "100"]), right);
    fails(folder, &["verify", "bin7x6"], 1);

    // Answers are those of a search without a table, which a byte of memory does not allow.
    let asked = |folder: &Path, position: &str| good_json(folder, &["query", "bin7x6", position, "--json"]);
    let first = asked(empty, LATE);
    assert_eq!((&first["outcome"], &first["plies"], &first["winner"]), (&json!("win"), &json!(3), &json!("white")));
    let children = first["moves"].as_array().unwrap();
    assert_eq!(children.len(), 20);
    let mut positions = vec![LATE.to_string()];
    for child in children.iter().step_by(6) {
        positions.push(text(child, "position").into());
        let below = asked(empty, text(child, "position"));
        positions.extend(below["moves"].as_array().unwrap().iter().step_by(9).map(|mv| text(mv, "position").into()));
    }
    for position in &positions {
        let probed = good_json(folder, &["query", "bin7x6", position, "--json", "--memory", "1"]);
        assert_eq!(probed, asked(empty, position), "{position}");
    }
    let line = good(folder, &["line", "bin7x6", LATE, "--memory", "1"]);
    assert_eq!(line, good(empty, &["line", "bin7x6", LATE]));
    let error = fails(empty, &["query", "bin7x6", LATE, "--memory", "1"], 1);
    assert!(error.contains("positions lie below"), "{error}");

    // The mirror image is the same position to the table.
    let image = good_json(folder, &["query", "bin7x6", LATE_MIRRORED, "--json", "--memory", "1"]);
    assert_eq!((&image["outcome"], &image["plies"]), (&first["outcome"], &first["plies"]));
    assert!(good(folder, &["analyze", "bin7x6", "--from", LATE_MIRRORED]).contains("already there"));

    // A table that is there and damaged is not passed over in silence.
    std::fs::write(&table, &before[..before.len() / 2]).unwrap();
    let error = fails(folder, &["query", "bin7x6", LATE, "--json"], 1);
    assert!(error.contains(&names[0]), "{error}");
}

// perft and verify

#[test]
fn perft_counts_move_sequences() {
    let folder = tempfile::tempdir().unwrap();
    let perft = |args: &[&str]| good(folder.path(), &[&["perft"], args].concat());
    assert_eq!(perft(&["bin7x6", "0"]), "1\n");
    assert_eq!(perft(&["bin7x6", "1"]), "4\n");
    assert_eq!(perft(&["bin7x6", "3"]), "1974\n");
    assert_eq!(perft(&["bin3x3", "4"]), "3236\n");
    // The same by listing the moves.
    let moves = |position: &str| good_json(folder.path(), &["moves", "bin7x6", position, "--json"])["moves"].clone();
    let children = |position: &str| -> Vec<String> {
        moves(position).as_array().unwrap().iter().map(|mv| text(mv, "position").to_string()).collect()
    };
    let mut sum = 0;
    for (at, child) in children("startpos").iter().enumerate() {
        let count: usize = children(child).iter().map(|position| children(position).len()).sum();
        sum += count;
        if at == 0 {
            assert_eq!(perft(&["bin7x6", "2", "--from", child]), format!("{count}\n"));
        }
    }
    assert_eq!(sum, 1974);
}

#[test]
fn verify_says_what_it_checked() {
    let folder = tables(&["bin3x3"]);
    let table = folder.path().join("bin3x3.tbl");
    let right = |number: &str| format!("{}: right ({number} positions checked)\n", table.display());
    assert_eq!(good(folder.path(), &["verify", "bin3x3"]), right("55,289"));
    assert_eq!(good(folder.path(), &["verify", "bin3x3", "--threads", "1"]), right("55,289"));
    assert_eq!(good(folder.path(), &["verify", "bin3x3", "--sample", "1000"]), right("1,000"));
}

#[test]
fn a_sample_is_at_most_the_whole_table() {
    let folder = tables(&["bin2x2"]);
    let out = good(folder.path(), &["verify", "bin2x2", "--sample", "1000"]);
    assert!(out.ends_with("right (49 positions checked)\n"), "{out}");
}

// Errors

#[test]
fn malformed_codes_name_the_part() {
    let folder = tempfile::tempdir().unwrap();
    for (code, part) in [
        ("foo", "no game has such codes"),
        ("", "no game has such codes"),
        ("BIN3x3", "no game has such codes"),
        ("bin", "board size \"\""),
        ("bin8x6", "board size \"8x6\""),
        ("bin3x3x3", "board size \"3x3x3\""),
        ("bin3x3-s4a", "start square \"4a\""),
        ("bin3x3-s3d", "start square \"3d\""),
        ("bin3x3-s", "start square \"\""),
        ("bin3x3-t1", "target lengths \"1\""),
        ("bin3x3-kw1", "komi \"w1\""),
        ("bin3x3-n-n", "twice"),
        ("bin3x3-q", "unknown option -q"),
        ("bin3x3-\u{1b}[31mé", "option"),
    ] {
        for args in [
            vec!["rules", code],
            vec!["analyze", code],
            vec!["query", code, "startpos"],
            vec!["line", code],
            vec!["solve", code],
            vec!["stats", code],
            vec!["verify", code],
            vec!["export", code, "--to", "gz"],
            vec!["moves", code],
            vec!["perft", code, "1"],
        ] {
            let line = fails(folder.path(), &args, 2);
            assert!(line.starts_with("error: rule code \"") && line.contains(part), "{args:?}: {line}");
        }
    }
    assert_eq!(files(folder.path()), [""; 0]);
}

#[test]
fn malformed_positions_name_the_field() {
    let folder = tables(&["bin3x3"]);
    for (position, part) in [
        ("", "position: is empty"),
        ("position", "position: is empty"),
        ("garbage", "SFEN: has 1 of the five fields"),
        ("o2/3/3 b - -", "SFEN: has 4 of the five fields"),
        ("o2/3 b - - 0", "board field \"o2/3\""),
        ("o2/3/3/3 b - - 0", "board field"),
        ("o2/3/4 b - - 0", "board field"),
        ("o2/3/2 b - - 0", "board field"),
        ("o2/3/99999999999999999999 b - - 0", "board field"),
        ("o2/3/0xxx b - - 0", "board field"),
        ("o2/3/3é b - - 0", "board field"),
        ("o2//3 b - - 0", "board field"),
        ("O2/3/3 b - - 0", "board field"),
        ("3/3/3 b - - 0", "board field \"3/3/3\": has no stones"),
        ("o1x/3/3 b - - 2", "2a is empty"),
        ("o2/3/3 w - - 0", "turn field \"w\""),
        ("o2/3/3 black - - 0", "turn field \"black\""),
        ("o2/3/3 w 2 - 1", "locks field \"2\""),
        ("o2/3/3 b 11 - 2", "locks field \"11\""),
        ("o2/3/3 w z - 1", "locks field \"z\""),
        ("o2/3/3 w 1- - 1", "locks field \"1-\""),
        ("o2/3/3 b - // 0", "targets field \"//\""),
        ("o2/3/3 b - 9///// 0", "targets field \"9/////\""),
        ("o2/3/3 b - x///// 0", "targets field \"x/////\""),
        ("ooo/3/3 b - - 2", "targets field \"-\""),
        ("o2/3/3 b - - 7", "ply field \"7\""),
        ("o2/3/3 b - - -1", "ply field \"-1\""),
        ("o2/3/3 b - - zero", "ply field \"zero\""),
        ("o2/3/3 b - - 99999999999999999999", "ply field"),
        ("o2/3/3 b - - 0 extra", "\"extra\""),
        ("startpos 2n", "\"2n\""),
        ("startpos moves 2n 2n", "move \"2n\" (number 2 of moves)"),
        ("startpos moves 3n", "move \"3n\" (number 1 of moves): way 3 is not next to the stones"),
        ("startpos moves 2n as2", "move \"as2\" (number 2 of moves)"),
        ("startpos moves 2n 1nH 1nH", "move \"1nH\" (number 3 of moves): way 1 is locked"),
        ("startpos moves 9z", "move \"9z\" (number 1 of moves)"),
        ("startpos moves é", "move \"é\" (number 1 of moves)"),
        ("startpos moves &", "number 1 of moves"),
        ("startpos moves 2ze", "move \"2ze\" (number 1 of moves)"),
    ] {
        for args in [
            vec!["query", "bin3x3", position],
            vec!["query", "bin3x3", position, "--json"],
            vec!["line", "bin3x3", position],
            vec!["moves", "bin3x3", position, "--json"],
            vec!["analyze", "bin3x3", "--from", position],
            vec!["verify", "bin3x3", "--from", position],
            vec!["perft", "bin3x3", "1", "--from", position],
        ] {
            let line = fails(folder.path(), &args, 2);
            assert!(line.contains(part), "{args:?}: {line}");
        }
    }
    let over = fails(folder.path(), &["analyze", "bin2x2", "--from", WHOLE_GAME], 2);
    assert!(over.contains("over"), "{over}");
    assert_eq!(files(folder.path()), ["bin3x3.tbl"]);
}

#[test]
fn line_breaks_in_a_code_do_not_break_the_error() {
    let folder = tempfile::tempdir().unwrap();
    for code in ["bin3x3\n", "foo\nbar", "bin3x3-s1\r\na"] {
        fails(folder.path(), &["query", code, "startpos"], 2);
    }
}

#[test]
fn bad_arguments_give_one_line() {
    let folder = tempfile::tempdir().unwrap();
    for (args, part) in [
        (vec!["analyze", "bin3x3", "--memory", "12Q"], "--memory"),
        (vec!["analyze", "bin3x3", "--memory", "0"], "--memory"),
        (vec!["analyze", "bin3x3", "--memory", ""], "--memory"),
        (vec!["analyze", "bin3x3", "--memory=-1G"], "--memory"),
        (vec!["analyze", "bin3x3", "--memory", "99999999999T"], "--memory"),
        (vec!["query", "bin3x3", "startpos", "--memory", "much"], "--memory"),
        (vec!["analyze", "bin3x3", "--threads", "0"], "--threads"),
        (vec!["solve", "rev4x4", "--memory", "0"], "--memory"),
        (vec!["solve", "rev4x4", "--threads", "0"], "--threads"),
        (vec!["analyze", "bin3x3", "--threads", "many"], "--threads"),
        (vec!["verify", "bin3x3", "--threads", "0"], "--threads"),
        (vec!["verify", "bin3x3", "--sample", "-3"], "-3"),
        (vec!["verify", "bin3x3", "--sample", "some"], "--sample"),
        (vec!["perft", "bin3x3", "deep"], "DEPTH"),
        (vec!["perft", "bin3x3", "65"], "DEPTH"),
        (vec!["export", "bin3x3", "--to", "xz"], "--to"),
        (vec!["export", "bin3x3"], "--to"),
        (vec!["query", "bin3x3"], "POSITION"),
        (vec!["frobnicate"], "frobnicate"),
        (vec!["stats", "bin3x3", "--jason"], "--jason"),
        (vec!["moves", "bin3x3", "startpos", "startpos"], "startpos"),
    ] {
        let line = fails(folder.path(), &args, 2);
        assert!(line.contains(part), "{args:?}: {line}");
    }
    assert_eq!(files(folder.path()), [""; 0]);
}

#[test]
fn help_is_no_error() {
    let folder = tempfile::tempdir().unwrap();
    let help = good(folder.path(), &["--help"]);
    let verbs =
        ["rules", "analyze", "query", "line", "solve", "stats", "puzzle", "compare", "verify", "export", "decode"];
    for verb in verbs.into_iter().chain(["encode", "moves", "perft", "estimate", "upi", "match", "check", "prove"]) {
        assert!(help.lines().any(|line| line.trim_start().starts_with(verb)), "{verb}: {help}");
        good(folder.path(), &[verb, "--help"]);
    }
    assert!(good(folder.path(), &["--version"]).starts_with("yomikiri "));
}

#[test]
fn a_missing_table_is_one_line_with_its_path_and_the_cure() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("bin3x3.tbl");
    let mut lines = Vec::new();
    for args in [
        vec!["stats", "bin3x3"],
        vec!["stats", "bin3x3", "--json"],
        vec!["verify", "bin3x3"],
        vec!["verify", "bin3x3", "--sample", "3"],
        vec!["export", "bin3x3", "--to", "gz"],
    ] {
        let line = fails(folder.path(), &args, 1);
        assert!(line.contains(path.to_str().unwrap()), "{args:?}: {line}");
        lines.push(line);
    }
    assert_eq!(files(folder.path()), [""; 0]);
    for line in lines {
        assert!(line.contains("yomikiri analyze bin3x3"), "names the cure: {line}");
    }
}

#[test]
fn a_query_needs_no_table() {
    let (with, without) = (tables(&["bin3x3"]), tempfile::tempdir().unwrap());
    for position in ["startpos", "startpos moves 2n 3n", WHOLE_GAME] {
        let code = if position == WHOLE_GAME { "bin2x2" } else { "bin3x3" };
        let args = ["query", code, position, "--json"];
        assert_eq!(good_json(with.path(), &args), good_json(without.path(), &args), "{position}");
        let args = ["line", code, position];
        assert_eq!(good(with.path(), &args), good(without.path(), &args), "{position}");
    }
    assert_eq!(files(without.path()), [""; 0]);
}

#[test]
fn a_folder_that_cannot_be_written() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("a file");
    std::fs::write(&file, "not a folder").unwrap();
    for tables in [file.clone(), file.join("deeper")] {
        let place = tables.to_str().unwrap();
        for args in [
            vec!["analyze", "bin3x3", "--tables", place],
            vec!["analyze", "bin3x3", "--force", "--tables", place],
            vec!["export", "bin3x3", "--to", "gz", "--tables", place],
        ] {
            let line = fails(folder.path(), &args, 1);
            assert!(line.contains("a file"), "names the path: {line}");
        }
        // A search comes before the folder is needed, so its line may stand before the error.
        let args = ["analyze", "bin7x6", "--from", LATE, "--tables", place];
        let ran = run(folder.path(), &args);
        let last = ran.err.lines().last().unwrap();
        assert_eq!((ran.status, ran.out.as_str()), (1, ""), "{}", ran.err);
        assert!(last.starts_with("error: ") && last.contains("a file"), "{}", ran.err);
    }
    assert_eq!(std::fs::read(&file).unwrap(), b"not a folder");
    assert_eq!(files(folder.path()), ["a file"]);
}

#[test]
fn the_full_board_is_refused_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let tables: PathBuf = folder.path().join("new");
    let line = fails(folder.path(), &["analyze", "bin7x6", "--tables", tables.to_str().unwrap()], 1);
    assert!(line.contains("bin7x6") && line.contains("positions"), "says why not: {line}");
    assert!(line.contains("analyze bin7x6 --from"), "says what to do instead: {line}");
    assert!(!tables.exists() && files(folder.path()).is_empty(), "starts nothing");
}

// Readers that go away, disks that are full

/// The writing end of a pipe that nobody reads.
fn closed_pipe() -> std::io::PipeWriter {
    std::io::pipe().unwrap().1
}

#[test]
fn a_reader_that_went_away_is_no_error() {
    let folder = tables(&["bin2x2"]);
    for args in [
        vec!["--help"],
        vec!["rules"],
        vec!["rules", "bin2x2", "--json"],
        vec!["analyze", "bin2x2"],
        vec!["query", "bin2x2", "startpos"],
        vec!["query", "bin2x2", "startpos", "--json"],
        vec!["line", "bin2x2"],
        vec!["solve", "rev4x4", "b1a1a2c1d4a3d1b4a4c4", "--memory", "1M"],
        vec!["stats", "bin2x2"],
        vec!["stats", "bin2x2", "--json"],
        vec!["verify", "bin2x2"],
        vec!["moves", "bin7x6"],
        vec!["perft", "bin7x6", "2"],
        vec!["export", "bin2x2", "--to", "gz"],
    ] {
        let ran = ran(command(folder.path(), &args).stdout(closed_pipe()).output().unwrap());
        assert_eq!((ran.status, ran.err.as_str()), (0, ""), "{args:?}");
    }
    // Progress that nobody reads does not stop the work.
    let status = command(folder.path(), &["analyze", "bin3x3"]).stderr(closed_pipe()).output().unwrap().status;
    assert_eq!(status.code(), Some(0));
    assert!(folder.path().join("bin3x3.tbl").exists());
    let status = command(folder.path(), &["query", "foo", "x"]).stderr(closed_pipe()).output().unwrap().status;
    assert_eq!(status.code(), Some(2));
}

/// Linux's device every write to which fails for want of room.
fn full() -> std::fs::File {
    std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap()
}

#[test]
fn output_to_a_full_disk_is_an_error() {
    let folder = tables(&["bin2x2"]);
    for args in [
        vec!["rules"],
        vec!["query", "bin2x2", "startpos"],
        vec!["stats", "bin2x2", "--json"],
        vec!["line", "bin2x2"],
        vec!["solve", "rev4x4", "b1a1a2c1d4a3d1b4a4c4", "--memory", "1M"],
        vec!["moves", "bin2x2"],
        vec!["perft", "bin2x2", "2"],
    ] {
        let line = refused(&command(folder.path(), &args).stdout(full()).output().unwrap(), 1, &args);
        assert!(line.contains("standard output"), "{line}");
    }
}

#[test]
fn a_log_on_a_full_disk_does_not_stop_the_work() {
    let folder = tempfile::tempdir().unwrap();
    for (args, status) in [(vec!["analyze", "bin2x2"], 0), (vec!["query", "foo", "startpos"], 2)] {
        let ran = command(folder.path(), &args).stderr(full()).output().unwrap();
        assert_eq!(ran.status.code(), Some(status), "{args:?}");
    }
    assert_eq!(files(folder.path()), ["bin2x2.tbl"]);
}
