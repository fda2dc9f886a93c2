//! `yomikiri upi` as programs and people meet it: the conversation of the protocol's author, results, mistakes, and
//! what happens while a move is searched for.

use std::collections::HashMap;
use std::io::{BufRead, BufReader, Cursor, Write};
use std::path::Path;
use std::process::{Command, Stdio};

use crate::naive::pyonpyon::Naive;
use crate::support::command::{PATIENCE, table};
use crate::support::conversation::{ERROR, answers, converse, session_of_page};
use crate::support::games::pyonpyon;
use crate::support::random::Random;
use crate::support::repository::page;
use tempfile::TempDir;
use yomikiri_play::upi::serve;

/// The author's picture of the start.
const START_PICTURE: &str = "\
[0 move(s) | Go! x | 0 repeat(s)]

  +---+---+---+---+---+
1 |   | o |   | o |   |
  +---+---+---+---+---+
2 | o |   | o |   | o |
  +---+---+---+---+---+
3 |   |   |   |   |   |
  +---+---+---+---+---+
4 | x |   | x |   | x |
  +---+---+---+---+---+
5 |   | x |   | x |   |
  +---+---+---+---+---+
    a   b   c   d   e
";

/// The author's example of a later position.
const LATER: &str = "xxx2/2oo1/5/1xx2/o1oo1 x";

/// Two moves later, x having resigned.
const LATER_PICTURE: &str = "\
[2 move(s) | o wins | 0 repeat(s)]

  +---+---+---+---+---+
1 | x | x | x |   |   |
  +---+---+---+---+---+
2 |   |   | o | o |   |
  +---+---+---+---+---+
3 |   | x |   |   |   |
  +---+---+---+---+---+
4 |   |   | x |   |   |
  +---+---+---+---+---+
5 | o | o |   | o |   |
  +---+---+---+---+---+
    a   b   c   d   e
";

/// Moves after which the start of the 3x3 board is there for the third time.
const THREE_TIMES: &str = "a3a2 a1b2 a2a3 b2a1 a3a2 a1b2 a2a3 b2a1";

/// Standard output of a whole conversation, with tables in `folder`.
fn talk(folder: &Path, arguments: &[&str], script: impl AsRef<[u8]>) -> String {
    converse(folder, &[&["upi"], arguments].concat(), script)
}

/// [`talk`] where no table is.
fn say(code: &str, script: impl AsRef<[u8]>) -> String {
    talk(&TempDir::new().unwrap().path().join("none"), &[code], script)
}

fn lines(text: &str) -> Vec<&str> {
    text.lines().collect()
}

// The author's conversation

#[test]
fn picture_of_the_start_is_the_authors() {
    assert_eq!(say("pyon", "pos\n"), START_PICTURE);
    assert_eq!(say("pyon", "position startpos\npos\n"), START_PICTURE);
    let folder = TempDir::new().unwrap();
    assert_eq!(talk(folder.path(), &[], "pos\nquit\npos\n"), START_PICTURE, "pyon is the default, quit the end");
}

#[test]
fn authors_examples_in_their_order() {
    for word in ["pfen", "xfen"] {
        let script = format!(
            "position startpos\nxfen\nposition {word} {LATER}\nxfen\nposition startpos moves d5c5 b1d3 c5c1\nxfen\n\
             undo\nundo\nundo\nxfen\ndo d5c5\nxfen\ndo b1d3\nundo\nundo\npos\n"
        );
        let out = say("pyon", script);
        let positions = [
            "position startpos moves".to_string(),
            format!("position {word} {LATER} moves"),
            "position startpos moves d5c5 b1d3 c5c1".into(),
            "position startpos moves".into(),
            "position startpos moves d5c5".into(),
        ];
        assert_eq!(lines(&out)[..5], positions);
        assert_eq!(lines(&out)[5..], lines(START_PICTURE));
    }
}

#[test]
fn the_position_command_that_xfen_prints_leads_back() {
    for word in ["pfen", "xfen"] {
        let command = format!("position {word} {LATER} moves b4b3 c5b5 resign");
        let out = say("pyon", format!("{command}\nxfen\nposition startpos\n{command}\npos\n"));
        let resigned = "info string result: o wins (resign)";
        assert_eq!(lines(&out)[..3], [resigned, &command, resigned]);
        assert_eq!(lines(&out)[3..], lines(LATER_PICTURE));
    }
}

#[test]
fn go_answers_with_a_legal_move_and_changes_nothing() {
    let out = say("pyon", "position startpos moves d5c5 b1d3 c5c1\ngo depth 3\nxfen\n");
    let answers = answers(&out);
    let mv = answers[0].strip_prefix("bestmove ").unwrap();
    assert_eq!(answers[1..], ["position startpos moves d5c5 b1d3 c5c1"]);
    let check = say("pyon", format!("position startpos moves d5c5 b1d3 c5c1 {mv}\nxfen\n"));
    assert_eq!(check, format!("position startpos moves d5c5 b1d3 c5c1 {mv}\n"));
}

#[test]
fn pos_counts_moves_and_repeats() {
    let script = "position startpos moves a4a3 a2b3 a3a4 b3a2\npos\ndo a4a3\npos\n";
    let out = say("pyon", script);
    let heads: Vec<_> = out.lines().filter(|line| line.starts_with('[')).collect();
    assert_eq!(heads, ["[4 move(s) | Go! x | 1 repeat(s)]", "[5 move(s) | Go! o | 1 repeat(s)]"]);
}

#[test]
fn programs_are_greeted_when_they_ask() {
    let out = say("pyon4x5B", "upi\nisready\nupinewgame\nstop\n");
    let expected = format!(
        "id name Yomikiri {} pyon4x5B\nid author The Yomikiri authors\n\
         option name Hash type spin default 16 min 1 max 1024\n\
         option name MoveTime type spin default 1000 min 1 max 86400000\n\
         option name Resign type spin default 0 min 0 max 999\n\
         option name Table type check default true\nupiok\nreadyok\n",
        env!("CARGO_PKG_VERSION")
    );
    assert_eq!(out, expected);
    assert_eq!(say("pyon", ""), "", "nothing is said unasked");
}

#[test]
fn help_names_every_command() {
    let help = say("pyon", "help\n");
    for command in ["position", "go", "pos", "xfen", "do", "undo", "resign", "draw", "stop", "setoption", "upi", "quit"]
    {
        assert!(help.lines().any(|line| line.split([' ', ',']).any(|word| word == command)), "{command}: {help}");
    }
}

#[test]
fn a_new_game_begins_at_the_start() {
    assert_eq!(say("pyon", "do d5c5\nupinewgame\nxfen\n"), "position startpos moves\n");
}

#[test]
fn blank_lines_comments_line_ends_and_byte_order_marks_do_not_matter() {
    let script = "\u{feff}position startpos\r\n\n   \n# do d5c5\n  do   d5c5  \r\n#\nxfen";
    assert_eq!(say("pyon", script), "position startpos moves d5c5\n");
}

/// The session of docs/upi.md: typed lines begin with `>`, times are whatever they are.
#[test]
fn the_session_of_the_page_is_real() {
    let page = page("docs/upi.md");
    let (script, expected) = session_of_page(&page);
    let out = talk(Path::new("precomp"), &[], script);
    let without_time = |line: &str| {
        line.split_once(" time ")
            .map_or(line.to_string(), |(begin, rest)| format!("{begin} time {}", rest.split_once(' ').unwrap().1))
    };
    let shown: Vec<_> = out.lines().map(without_time).collect();
    assert_eq!(shown, expected.into_iter().map(without_time).collect::<Vec<_>>());
}

/// The session of the README, from a table.
#[test]
fn the_session_of_the_readme_is_real() {
    let readme = page("README.md");
    assert!(readme.contains("After `yomikiri analyze pyon3x4`, a conversation with `yomikiri upi pyon3x4`"));
    let (script, expected) = session_of_page(&readme);
    assert_eq!(lines(&talk(table("pyon3x4").path(), &["pyon3x4"], script)), expected);
}

// Ends of games

#[test]
fn a_pattern_wins() {
    let won = "position pfen oox/xx1/2o x moves";
    for (code, script, expected) in [
        ("pyon3x3", "position xfen oo1/xxx/2o x moves c2c1\n", "info string result: x wins (goal)"),
        ("pyon3x3", "position xfen 1x1/x1x/ooo o\n", "info string result: o wins (goal)"),
        ("pyon3x3", &format!("{won}\n"), "info string result: x wins (goal)"),
    ] {
        assert_eq!(say(code, script), format!("{expected}\n"), "{script}");
    }
    assert_eq!(say("pyon3x3B", format!("{won}\n")), "", "only the side that has moved wins in reading B");
}

#[test]
fn the_third_time_is_a_draw() {
    let (start, draw) = ("position startpos moves", "info string result: draw (repetition)");
    let out = say("pyon3x3", format!("{start} {THREE_TIMES}\npos\nxfen\ngo\n"));
    let seen = lines(&out);
    assert_eq!(seen[..2], [draw, "[8 move(s) | draw | 2 repeat(s)]"]);
    let (rest, end) = (seen.len() - 3, "info string error: go: the game is over: draw (repetition)");
    assert_eq!(seen[rest..], [&format!("{start} {THREE_TIMES}"), end, "bestmove draw"]);

    let moves: Vec<_> = THREE_TIMES.split(' ').map(|mv| format!("do {mv}\n")).collect();
    assert_eq!(say("pyon3x3", moves.concat()), format!("{draw}\n"), "one at a time");
}

#[test]
fn a_draw_is_claimed_when_it_holds() {
    let (start, draw) = ("position startpos moves", "info string result: draw (repetition)");
    let claimed = format!("{start} {THREE_TIMES} draw");
    for script in [format!("{start} {THREE_TIMES}\ndraw\n"), format!("{start} {THREE_TIMES}\ndo draw\n")] {
        let out = say("pyon3x3", format!("{script}xfen\ndraw\nundo\nxfen\nundo\nundo\nxfen\n"));
        let expected = [
            draw,
            draw,
            &claimed,
            "info string error: draw: the game is over: this position is on the board for the third time",
            &format!("{start} {THREE_TIMES}"),
            &format!("{start} a3a2 a1b2 a2a3 b2a1 a3a2 a1b2"),
        ];
        assert_eq!(lines(&out), expected);
    }
    assert_eq!(say("pyon3x3", format!("{claimed}\nxfen\n")), format!("{draw}\n{claimed}\n"));
}

#[test]
fn a_draw_is_refused_when_it_does_not_hold() {
    let early = "info string error: draw: this position is on the board for the first time, a draw takes three\n";
    assert_eq!(say("pyon", "draw\n"), early);
    assert_eq!(say("pyon", "do draw\n"), early);
    let second = "position startpos moves a4a3 a2b3 a3a4 b3a2\ndraw\nxfen\n";
    let expected = "info string error: draw: this position is on the board for time 2, a draw takes three\n\
                    position startpos moves a4a3 a2b3 a3a4 b3a2\n";
    assert_eq!(say("pyon", second), expected);
}

#[test]
fn resigning_loses_and_can_be_taken_back() {
    for word in ["resign", "do resign"] {
        let out = say("pyon", format!("do d5c5\n{word}\nxfen\ngo\ndo b1d3\nresign\nundo\nxfen\n"));
        let expected = [
            "info string result: x wins (resign)",
            "position startpos moves d5c5 resign",
            "info string error: go: the game is over: x wins (resign)",
            "bestmove resign",
            "info string error: move \"b1d3\": the game is over: a side has resigned",
            "info string error: resign: the game is over: a side has resigned",
            "position startpos moves d5c5",
        ];
        assert_eq!(lines(&out), expected);
    }
}

#[test]
fn go_after_the_end_has_the_word_that_fits() {
    for (position, word) in [("oo1/xxx/2o x moves c2c1", "resign"), ("oox/xx1/2o x", "none")] {
        let out = say("pyon3x3", format!("position pfen {position}\ngo\n"));
        let end = "x wins (goal)";
        let expected = format!("info string result: {end}\n{ERROR}go: the game is over: {end}\nbestmove {word}\n");
        assert_eq!(out, expected);
    }
}

// Mistakes

/// Every mistake is one line that begins alike and contains what is wrong, and changes nothing.
#[test]
fn mistakes_change_nothing() {
    let long = "x".repeat(5000);
    let cases = [
        ("hello", "command \"hello\""),
        ("GO", "command \"GO\""),
        ("position", "startpos, pfen <board> <turn>"),
        ("position sfen xxx2/2oo1/5/1xx2/o1oo1 x", "startpos, pfen <board> <turn>"),
        ("position moves d5c5", "startpos, pfen <board> <turn>"),
        ("position startpos d5c5", "\"d5c5\" stands where only \"moves\" can"),
        ("position startpos moves a4a3 a2a3 a3a5", "move \"a2a3\" (number 2 of moves): a3 is not empty"),
        ("position startpos moves d5c5 b1d3 c5c5", "(number 3 of moves): a piece that ends where it began"),
        ("position startpos moves d5c5 resign b1d3", "(number 3 of moves): the game is over"),
        ("position startpos moves draw", "draw (number 1 of moves)"),
        ("position pfen xxx2/2oo1/5/xxx2/o1oo1 x", "has 6 x"),
        ("position pfen xxx2/2oo1/4o/1xx2/o1oo1 x", "has 6 o"),
        ("position pfen xx3/2oo1/5/1xx2/o1oo1 x", "has 4 x"),
        ("position pfen xxx2/2oo1/5/1xx2 x", "has 4 ranks, the board has 5"),
        ("position pfen xxx3/2oo1/5/1xx2/o1oo1 x", "rank 1 has more than 5 squares"),
        ("position xfen xxx2/2oo1/5/1xx2/o1oo1 w", "turn field \"w\": is neither x nor o"),
        ("position xfen xxx2/2oo1/5/1xx2/o1oo1 X", "turn field \"X\""),
        ("position xfen xxx2/2oo1/5/1xx2/o1oo1", "has 1 of the two fields"),
        ("position xfen", "has 0 of the two fields"),
        ("do", "takes one move"),
        ("do b1d3 c5c1", "takes one move, not 2"),
        ("do d5c5", "move \"d5c5\""),
        ("do z9c5", "\"z9\" is no square"),
        ("do pass", "\"pa\" is no square"),
        ("do b1", "is not two squares"),
        ("do Ｂ1", "is not two squares"),
        ("undo 3", "\"3\" is one"),
        ("xfen startpos", "takes no arguments"),
        ("go fast", "\"fast\" is not movetime"),
        ("go depth", "\"depth\" is not movetime"),
        ("go depth 0", "not a number from 1 to 100"),
        ("go depth 3 movetime x", "not a number"),
        ("go infinite depth 3", "\"infinite\""),
        ("setoption name Hash", "name <name> value <value>"),
        ("setoption name Hash value 0", "not a number from 1 to 1024"),
        ("setoption name Resign value -1", "not a number from 0 to 999"),
        ("setoption name Table value yes", "neither true nor false"),
        ("setoption name Ponder value true", "option \"Ponder\""),
        ("do \u{1b}[31m", "\\u{1b}"),
        (&long, "is longer than 100 bytes"),
    ];
    let commands: Vec<_> = cases.iter().map(|(command, _)| format!("{command}\nxfen\n")).collect();
    let out = say("pyon", format!("do d5c5\n{}", commands.concat()));
    let seen = lines(&out);
    assert_eq!(seen.len(), 2 * cases.len(), "{out}");
    for ((command, part), answer) in cases.iter().zip(seen.chunks(2)) {
        assert!(answer[0].starts_with(ERROR) && answer[0].contains(part), "{command}: {}", answer[0]);
        assert!(!answer[0].contains('\x1b') && answer[0].len() < 300, "{command}: {}", answer[0]);
        assert_eq!(answer[1], "position startpos moves d5c5", "{command}");
    }
}

#[test]
fn there_is_nothing_to_take_back_at_the_start() {
    let error = "info string error: undo: there is no move to take back";
    assert_eq!(lines(&say("pyon", "undo\ndo d5c5\nundo\nundo\n")), [error, error]);
}

#[test]
fn lines_that_are_no_text_are_refused() {
    let mut script = b"do d5c5\nxf\xffen\n\x00\n".to_vec();
    script.extend(vec![b'm'; 3 << 20]);
    script.extend(b"\nxfen\n");
    let expected = [
        "info string error: line: is not UTF-8 from byte 3 on",
        "info string error: command \"\\u{0}\": is not known; help lists them",
        "info string error: line: is longer than 1048576 bytes",
        "position startpos moves d5c5",
    ];
    assert_eq!(lines(&say("pyon", script)), expected);
}

#[test]
fn the_input_may_end_anywhere() {
    assert_eq!(say("pyon", "do d5c5\nxfen"), "position startpos moves d5c5\n");
    let whole = "position startpos moves d5c5 b1d3\ngo depth 2\nxfen\n";
    for end in 0..whole.len() {
        let out = say("pyon3x3", &whole[..end]);
        assert!(out.ends_with('\n') || out.is_empty(), "{out}");
    }
}

#[test]
fn other_games_and_bad_codes_are_refused() {
    for (code, part) in [("val1n", "begin with pyon"), ("pyon9x9", "\"9x9\""), ("pyonC", "\"C\"")] {
        let mut command = assert_cmd::Command::new(env!("CARGO_BIN_EXE_yomikiri"));
        let output = command.args(["upi", code]).timeout(PATIENCE).output().unwrap();
        let error = String::from_utf8(output.stderr).unwrap();
        assert_eq!((output.status.code(), output.stdout.len()), (Some(2), 0), "{code}");
        assert!(error.starts_with("error: ") && error.contains(part) && error.lines().count() == 1, "{code}: {error}");
    }
}

/// A random game by the naive rules: commands that play it and take it back, with `xfen` after each, and what they
/// answer.
fn random_game(rules: &Naive, random: &mut Random) -> (String, Vec<String>) {
    let (mut script, mut expected) = ("upinewgame\nxfen\n".to_string(), vec!["position startpos moves".to_string()]);
    let mut text = rules.start_text();
    let mut seen = HashMap::from([(text.clone(), 1)]);
    while expected.len() < 30 && seen[&text] < 3 && rules.winner(&text).is_none() {
        let mv = random.pick(&rules.legal_moves(&text)).clone();
        text = rules.play(&text, &mv);
        *seen.entry(text.clone()).or_insert(0) += 1;
        script += &format!("do {mv}\nxfen\n");
        expected.push(format!("{} {mv}", expected[expected.len() - 1]));
    }
    script += &"undo\nxfen\n".repeat(expected.len() - 1);
    let back: Vec<_> = expected.iter().rev().skip(1).cloned().collect();
    expected.extend(back);
    (script, expected)
}

#[test]
fn random_games_are_played_and_taken_back() {
    let mut random = Random::new(11);
    for code in ["pyon", "pyonB", "pyon3x3", "pyon3x4B", "pyon2x3"] {
        let rules = Naive::from_code(code);
        let games: Vec<_> = (0..200).map(|_| random_game(&rules, &mut random)).collect();
        let script: String = games.iter().map(|(script, _)| script.as_str()).collect();
        let mut output = Vec::new();
        serve(&pyonpyon(code), "none".into(), Cursor::new(script), &mut output).unwrap();
        let output = String::from_utf8(output).unwrap();
        let answers: Vec<_> = output.lines().filter(|line| !line.starts_with("info string result: ")).collect();
        assert_eq!(answers, games.iter().flat_map(|(_, answers)| answers).collect::<Vec<_>>(), "{code}");
    }
}

// The machine's moves

#[test]
fn play_by_table_says_the_value() {
    let folder = table("pyon3x3");
    let won = "position pfen oo1/xxx/2o x\n";
    let out = talk(folder.path(), &["pyon3x3"], format!("{won}go\nsetoption name Table value false\ngo\n"));
    let seen = lines(&out);
    assert_eq!(seen[..2], ["info score win 1 pv c2c1 string table", "bestmove c2c1"]);
    assert_eq!(seen[2], "info string the table is switched off: searching");
    assert!(seen[3].starts_with("info depth 1 nodes "), "{out}");
    assert!(seen[3].ends_with(" score win 1 pv c2c1"), "{out}");
    assert_eq!(seen[4..], ["bestmove c2c1"]);
    let elsewhere = TempDir::new().unwrap();
    let option = ["pyon3x3", "--tables", folder.path().to_str().unwrap()];
    assert!(talk(elsewhere.path(), &option, format!("{won}go\n")).starts_with("info score win 1 "));
}

#[test]
fn play_without_a_table_says_so() {
    let folder = TempDir::new().unwrap();
    let out = talk(folder.path(), &["pyon"], "go depth 4\n");
    let path = folder.path().join("pyon.tbl");
    assert_eq!(lines(&out)[0], format!("info string there is no table {}: searching", path.display()));
    for (line, depth) in lines(&out)[1..5].iter().zip(1..) {
        let words: Vec<_> = line.split(' ').collect();
        assert_eq!(words[..4], ["info", "depth", &depth.to_string(), "nodes"], "{line}");
        assert_eq!((words[5], words[7], words[8], words[10]), ("time", "score", "cp", "pv"), "{line}");
        assert_eq!(words.len(), 11 + depth, "{line}");
    }
    assert!(lines(&out)[5].starts_with("bestmove "), "{out}");
}

#[test]
fn a_damaged_table_is_named_and_the_search_answers() {
    let folder = table("pyon3x3");
    let path = folder.path().join("pyon3x3.tbl");
    std::fs::write(&path, "no table at all").unwrap();
    let out = talk(folder.path(), &["pyon3x3"], "go depth 2\n");
    let first = lines(&out)[0];
    assert!(first.starts_with("info string ") && first.ends_with(": searching"), "{first}");
    assert!(first.contains(path.to_str().unwrap()), "{first}");
    assert!(out.lines().last().unwrap().starts_with("bestmove "), "{out}");
}

#[test]
fn a_lost_game_is_resigned_only_when_asked() {
    let folder = table("pyon3x3B");
    let lost_in_four = "position pfen o1o/xxx/o2 o";
    for table in ["true", "false"] {
        let last = |resign: &str| {
            let script = format!("setoption name Table value {table}\n{resign}\n{lost_in_four}\ngo depth 4\n");
            let out = talk(folder.path(), &["pyon3x3B"], script);
            assert!(out.contains(" score loss 4 "), "{out}");
            out.lines().last().unwrap().to_string()
        };
        assert_ne!(last(""), "bestmove resign", "nobody asked for it");
        assert_ne!(last("setoption name Resign value 3"), "bestmove resign");
        assert_eq!(last("setoption name Resign value 4"), "bestmove resign");
    }
}

// What happens during a search

#[test]
fn a_search_without_end_is_stopped() {
    for rest in ["stop\n", "", "quit\n", "do d5c5\nstop\n", "go depth 1\n"] {
        let out = say("pyon", format!("go infinite\n{rest}"));
        let moves = out.lines().filter(|line| line.starts_with("bestmove ")).count();
        assert_eq!(moves, if rest.starts_with("go") { 2 } else { 1 }, "{rest}: {out}");
    }
}

#[test]
fn stop_belongs_to_the_search_before_it() {
    let out = say("pyon", "go depth 5\ngo infinite\nstop\nisready\nxfen\n");
    let depths = out.lines().take_while(|line| !line.starts_with("bestmove ")).filter(|line| line.contains(" depth "));
    assert_eq!(depths.count(), 5, "the first search goes to its end: {out}");
    let seen = answers(&out);
    assert_eq!(seen.len(), 4, "{out}");
    assert!(seen[0].starts_with("bestmove ") && seen.contains(&"readyok"), "{out}");
    assert_eq!(seen[3], "position startpos moves");
}

#[test]
fn others_wait_for_the_end_of_a_search() {
    let out = say("pyon", "go depth 6\ndo d5c5\nxfen\n");
    assert!(answers(&out)[0].starts_with("bestmove "), "{out}");
    assert_eq!(answers(&out)[1..], ["position startpos moves d5c5"]);
}

/// Every answer comes at once, also when the output is a pipe; a search answers `isready` and `stop`.
#[test]
fn answers_come_while_the_conversation_goes_on() {
    let folder = TempDir::new().unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_yomikiri"));
    command.args(["upi", "pyon"]).env("YOMIKIRI_TABLES", folder.path()).stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut engine = command.spawn().unwrap();
    let (mut input, mut output) = (engine.stdin.take().unwrap(), BufReader::new(engine.stdout.take().unwrap()).lines());
    let mut ask = |command: &str, begin: &str| {
        writeln!(input, "{command}").unwrap();
        let line = output.by_ref().map(Result::unwrap).find(|line| !line.starts_with("info ") || begin == "info ");
        assert!(line.as_ref().is_some_and(|line| line.starts_with(begin)), "{command}: {line:?}");
    };
    ask("xfen", "position startpos");
    ask("go infinite", "info ");
    ask("isready", "readyok");
    ask("stop", "bestmove ");
    ask("do d5c5\nxfen", "position startpos moves d5c5");
    ask("go infinite", "info ");
    drop(input);
    assert!(output.map(Result::unwrap).last().unwrap().starts_with("bestmove "));
    assert!(engine.wait().unwrap().success());
}

#[test]
fn a_reader_that_goes_away_ends_it_quietly() {
    let mut command = Command::new(env!("CARGO_BIN_EXE_yomikiri"));
    command.args(["upi", "pyon3x3"]).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut engine = command.spawn().unwrap();
    drop(engine.stdout.take());
    let mut input = engine.stdin.take().unwrap();
    writeln!(input, "pos\ngo infinite").unwrap();
    let output = engine.wait_with_output().unwrap();
    assert!(output.status.success(), "{:?}", output.status);
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
    drop(input);
}
