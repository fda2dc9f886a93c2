//! `yomikiri usi` as programs and people meet it: games, mistakes, time, tables, and what happens while a move is
//! searched for. The sessions of the game's author are in tests/sessions.rs.

use std::collections::HashMap;
use std::io::{BufRead, BufReader, Cursor, Lines, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::OnceLock;

use crate::naive::animal_shogi;
use crate::naive::binarsi::Naive;
use crate::support::command::table;
use crate::support::conversation::{ERROR, answers, converse, session_of_page};
use crate::support::games::{animal_shogi, binarsi};
use crate::support::random::Random;
use crate::support::repository::page;
use tempfile::TempDir;
use yomikiri_play::usi::serve;

/// A conversation with tables in `folder`.
fn talk(folder: &Path, code: &str, script: impl AsRef<[u8]>) -> String {
    converse(folder, &["usi", code], script)
}

/// [`talk`] where no table is.
fn say(code: &str, script: impl AsRef<[u8]>) -> String {
    talk(&TempDir::new().unwrap().path().join("none"), code, script)
}

/// Winner and plies of every position of the 3x3 board, by the naive rules.
fn values() -> &'static HashMap<String, (char, u32)> {
    static VALUES: OnceLock<HashMap<String, (char, u32)>> = OnceLock::new();
    VALUES.get_or_init(|| Naive::from_code("bin3x3").values())
}

fn lines(text: &str) -> Vec<&str> {
    text.lines().collect()
}

/// The last line that begins with this.
fn last<'a>(text: &'a str, begin: &str) -> &'a str {
    let found = text.lines().rfind(|line| line.starts_with(begin));
    found.unwrap_or_else(|| panic!("no line begins with {begin}: {text}"))
}

#[test]
fn the_session_of_the_page_is_real() {
    let page = page("docs/usi.md");
    let (script, expected) = session_of_page(&page);
    assert_eq!(lines(&talk(table("bin3x3").path(), "bin3x3", script)), expected);
}

#[test]
fn help_and_page_name_every_command() {
    let page = page("docs/usi.md");
    let help = say("bin7x6", "help\n");
    for command in [
        "usi",
        "isready",
        "usinewgame",
        "position",
        "board",
        "sfen",
        "clear_targets",
        "legal_moves",
        "do",
        "play",
        "undo",
        "go",
        "stop",
        "gameover",
        "quit",
        "history",
        "moves_for_edit",
        "inverse_move",
        "mate1",
    ] {
        assert!(help.split(|letter: char| !(letter.is_alphanumeric() || letter == '_')).any(|word| word == command));
        assert!(page.contains(&format!("`{command}")), "{command}");
        assert!(!say("bin7x6", format!("{command}\n")).contains("is not known"), "{command}");
    }
    assert!(!say("val1n", "help\n").contains("clear_targets"));
    assert!(say("val1n", "clear_targets\n").starts_with(&format!("{ERROR}command \"clear_targets\": is not known")));
}

#[test]
fn declared_options_can_be_set() {
    let hello = say("bin3x3", "usi\n");
    let options = hello.lines().filter_map(|line| line.strip_prefix("option name "));
    let script: Vec<String> = options
        .map(|option| {
            let (name, rest) = option.split_once(" type ").unwrap();
            let default = rest.split_once("default ").unwrap().1;
            let value = if rest.starts_with("string") { default } else { default.split(' ').next().unwrap() };
            format!("setoption name {name} value {value}\n")
        })
        .collect();
    assert_eq!(script.len(), 8, "{hello}");
    assert_eq!(say("bin3x3", script.concat()), "");
    for option in script {
        let name = option.split(' ').nth(2).unwrap().to_string();
        let page = page("docs/usi.md");
        assert!(page.contains(&format!("| `{name}` |")), "{name}");
    }
}

// Games

/// Commands that play a random game by the naive rules and take it back, with `sfen` after each, and what they answer.
fn random_game(rules: &Naive, random: &mut Random) -> (String, Vec<String>) {
    let mut sfens = vec![rules.start_sfen()];
    let mut moves: Vec<String> = Vec::new();
    while rules.ending(&sfens[moves.len()]).is_none() {
        let here = &sfens[moves.len()];
        moves.push(random.pick(&rules.legal_moves(here)).clone());
        sfens.push(rules.play(here, &moves[moves.len() - 1]));
    }
    let answer = |plies: usize| {
        let named = |sfen: &String| if *sfen == sfens[0] { "startpos".to_string() } else { sfen.clone() };
        let made = if plies == 0 { String::new() } else { format!(" moves {}", moves[..plies].join(" ")) };
        [format!("[from beginning] sfen startpos{made}"), format!("[from present]   sfen {}", named(&sfens[plies]))]
    };
    let mut script = "position startpos\nsfen\n".to_string();
    script.extend(moves.iter().map(|mv| format!("do {mv}\nsfen\n")));
    script += &"undo\nsfen\n".repeat(moves.len());
    let plies = (0..=moves.len()).chain((0..moves.len()).rev());
    (script, plies.flat_map(answer).collect())
}

#[test]
fn a_thousand_random_games_are_played_and_taken_back() {
    let mut random = Random::new(6);
    for (code, count) in [("bin7x6", 1000), ("bin4x5-n", 100), ("bin2x2", 50)] {
        let rules = Naive::from_code(code);
        let games: Vec<_> = (0..count).map(|_| random_game(&rules, &mut random)).collect();
        let script: String = games.iter().map(|(script, _)| script.as_str()).collect();
        let mut output = Vec::new();
        serve(&binarsi(code), "none".into(), Cursor::new(script), &mut output).unwrap();
        let output = String::from_utf8(output).unwrap();
        assert!(output.lines().eq(games.iter().flat_map(|(_, answers)| answers)), "{code}");
    }
}

#[test]
fn random_games_of_animal_shogi_are_played_and_taken_back() {
    let rules = animal_shogi::Naive::from_code("val1n");
    let mut random = Random::new(6);
    let (mut script, mut counts) = (String::new(), Vec::new());
    for _ in 0..200 {
        let mut position = animal_shogi::start();
        let mut moves = Vec::new();
        while moves.len() < 60 && rules.ending(&position).is_none() {
            let mv = random.pick(&rules.legal_moves(&position)).clone();
            position = rules.play(&position, &mv);
            moves.push(mv);
        }
        script += "position startpos\n";
        script.extend(moves.iter().map(|mv| format!("do {mv}\nsfen\n")));
        script += &"undo\nsfen\n".repeat(moves.len());
        counts.push(moves.len());
    }
    let mut output = Vec::new();
    serve(&animal_shogi("val1n"), "none".into(), Cursor::new(script), &mut output).unwrap();
    let output = String::from_utf8(output).unwrap();
    let present: Vec<&str> = output.lines().filter(|line| line.starts_with("[from present]")).collect();
    let mut at = 0;
    for count in counts {
        let game = &present[at..at + 2 * count];
        let (there, back) = game.split_at(count);
        assert!(there[..count - 1].iter().rev().eq(&back[..count - 1]), "{game:?}");
        assert_eq!(back[count - 1], "[from present]   sfen startpos");
        at += 2 * count;
    }
    assert_eq!(at, present.len());
}

/// Numbers, distinct ones by the naive rules, and the moves themselves in their order.
#[test]
fn legal_moves_are_counted() {
    let (rules, mut random) = (Naive::from_code("bin7x6"), Random::new(3));
    let mut seen_same = 0;
    for plies in 0..24 {
        let mut sfen = rules.start_sfen();
        for _ in 0..plies {
            let moves = rules.legal_moves(&sfen);
            if !moves.is_empty() {
                sfen = rules.play(&sfen, random.pick(&moves).as_str());
            }
        }
        // The ply that cleared a target is no part of the position.
        let bare = |sfen: String| {
            let mut fields: Vec<String> = sfen.split(' ').map(String::from).collect();
            fields[3] = fields[3].split('/').map(|ply| if ply.is_empty() { '-' } else { '+' }).collect();
            fields
        };
        let mut after = Vec::new();
        let rows = rules.legal_moves(&sfen).into_iter().enumerate().map(|(at, mv)| {
            let next = bare(rules.play(&sfen, &mv));
            let mut distinct = String::new();
            if !after.contains(&next) {
                after.push(next);
                distinct = after.len().to_string();
            }
            seen_same += usize::from(distinct.is_empty());
            format!("|{distinct:>8}|{:>3}| play {mv}", at + 1)
        });
        let rows: Vec<String> = rows.collect();
        let text = say("bin7x6", format!("position sfen {sfen}\nlegal_moves\n"));
        let shown = lines(&text);
        assert_eq!(shown[4..shown.len() - 1], rows, "{sfen}");
    }
    assert!(seen_same > 100, "{seen_same}");
}

#[test]
fn moves_that_win_at_once_are_found() {
    let (rules, mut random) = (Naive::from_code("bin5x4"), Random::new(8));
    let mut winning = 0;
    for _ in 0..30 {
        let (mut script, mut expected) = (String::new(), Vec::new());
        let mut sfen = rules.start_sfen();
        while rules.ending(&sfen).is_none() {
            let side = sfen.split(' ').nth(1).unwrap().chars().next();
            let moves = rules.legal_moves(&sfen);
            let wins: Vec<_> = moves.iter().filter(|mv| rules.ending(&rules.play(&sfen, mv)) == side).collect();
            winning += usize::from(!wins.is_empty());
            let names: String = wins.iter().map(|mv| format!(" {mv}")).collect();
            expected.push(format!("mate1{}", if wins.is_empty() { " none" } else { &names }));
            script += &format!("position sfen {sfen}\nmate1\n");
            sfen = rules.play(&sfen, random.pick(&moves).as_str());
        }
        assert_eq!(lines(&say("bin5x4", script)), expected);
    }
    assert!(winning > 30, "{winning}");
}

#[test]
fn edits_take_moves_back_and_stay_in_the_game() {
    let script = "position startpos moves 4n cs1\ninverse_move\ninverse_move 5a\ndo &cs1#\nsfen\nundo\nsfen\n";
    let expected = [
        "inverse_move &cs1#",
        "inverse_move &5c#",
        "[from beginning] sfen startpos moves 4n cs1 &cs1#",
        "[from present]   sfen 7/7/2ox3/7/7/7 w - - 1",
        "[from beginning] sfen startpos moves 4n cs1",
        "[from present]   sfen 7/7/2xo3/7/7/7 b c - 2",
    ];
    assert_eq!(lines(&say("bin7x6", script)), expected);
    let again = say("bin7x6", "position startpos moves 4n cs1 &cs1# dn\nhistory\n");
    let history = [
        "HISTORY",
        "  0  init     7/7/2o4/7/7/7 b - - 0",
        "  1  4n       7/7/2ox3/7/7/7 w - - 1",
        "  2  cs1      7/7/2xo3/7/7/7 b c - 2",
        "  3  &cs1#    7/7/2ox3/7/7/7 w - - 1",
        "  4  dn       7/7/2ox3/2xo3/7/7 b - - 2",
    ];
    assert_eq!(lines(&again), history);
    let edits = say("bin7x6", "moves_for_edit\n");
    for edit in ["&3e$..0...", "&2n", "&con"] {
        assert!(edits.lines().any(|line| line.ends_with(&format!("| do {edit}"))), "{edit}");
    }
    let edits: Vec<&str> = edits.lines().filter_map(|line| line.split_once("| do ")).map(|(_, edit)| edit).collect();
    for edit in edits {
        let (operator, stones) =
            edit.split_once('$').map_or((edit, String::new()), |(op, rest)| (op, format!("${rest}")));
        let out = say("bin7x6", format!("do {edit}\nundo\ndo {operator}#{stones}\n"));
        assert_eq!(out, "", "{edit}");
    }
}

#[test]
fn animal_shogi_is_written_as_shogi_programs_do() {
    let script = "position sfen gle/1c1/1C1/ELG b - 1 moves 2c2b 1a2b\nsfen\ndo 3d2c\ndo C*3b\nsfen\nmate1\n";
    let expected = [
        "[from beginning] sfen startpos moves 2c2b 1a2b",
        "[from present]   sfen gl1/1e1/3/ELG b Cc 3",
        "[from beginning] sfen startpos moves 2c2b 1a2b 3d2c C*3b",
        "[from present]   sfen gl1/ce1/1E1/1LG b C 5",
        "mate1 none",
    ];
    assert_eq!(lines(&say("val1n", script)), expected);
    // The start again, but White is to move.
    let turned = "1d1c 3a3b 1c1b 3b3a 2d1d 3a3b 1d1c 3b3a 1c2d 3a3b 1b1c 3b3a 1c1d";
    let out = say("val1n", format!("position startpos moves {turned}\nsfen\n"));
    assert_eq!(lines(&out)[1], "[from present]   sfen gle/1c1/1C1/ELG w - 14");
}

// The machine's moves

#[test]
fn go_needs_no_position_and_changes_nothing() {
    let out = say("bin7x6", "go depth 2\nsfen\nposition startpos moves 4n\ngo nodes 3000\nsfen\n");
    let moves: Vec<_> = out.lines().filter_map(|line| line.strip_prefix("bestmove ")).collect();
    let rules = Naive::from_code("bin7x6");
    assert!(rules.legal_moves(&rules.start_sfen()).contains(&moves[0].to_string()), "{out}");
    assert!(rules.legal_moves("7/7/2ox3/7/7/7 w - - 1").contains(&moves[1].to_string()), "{out}");
    let seen = answers(&out);
    assert_eq!(seen[1..3], ["[from beginning] sfen startpos", "[from present]   sfen startpos"]);
    assert_eq!(seen[4], "[from beginning] sfen startpos moves 4n");
}

#[test]
fn tables_say_who_wins_and_when() {
    let folder = table("bin3x3");
    let mut script = String::new();
    let positions: Vec<_> = values().iter().filter(|(_, (_, plies))| *plies > 0).take(300).collect();
    for (sfen, _) in &positions {
        script += &format!("position sfen {sfen}\ngo\n");
    }
    let out = talk(folder.path(), "bin3x3", script);
    let scores = out.lines().filter_map(|line| line.strip_prefix("info depth 0 score mate "));
    let scores: Vec<i32> = scores.map(|rest| rest.split(' ').next().unwrap().parse().unwrap()).collect();
    let expected = positions.iter().map(|(sfen, (winner, plies))| {
        let sign = if sfen.split(' ').nth(1) == Some(winner.to_string().as_str()) { 1 } else { -1 };
        sign * *plies as i32
    });
    assert_eq!(scores, expected.collect::<Vec<_>>());
}

#[test]
fn the_search_proves_what_is_near() {
    let (mut script, mut expected) = (String::new(), Vec::new());
    for (sfen, (winner, plies)) in values().iter().filter(|(_, (_, plies))| (1..=5).contains(plies)).take(200) {
        script += &format!("position sfen {sfen}\ngo depth 9\n");
        let won = sfen.split(' ').nth(1) == Some(winner.to_string().as_str());
        expected.push(format!("mate {}{plies}", if won { "" } else { "-" }));
    }
    let out = say("bin3x3", script);
    let mut found = Vec::new();
    let mut score = String::new();
    for line in out.lines() {
        if let Some((_, rest)) = line.split_once(" score ") {
            score = rest.split(" pv ").next().unwrap().into();
        }
        if line.starts_with("bestmove ") {
            found.push(score.clone());
        }
    }
    assert_eq!(found, expected);
}

#[test]
fn after_the_end_there_is_a_word_that_fits() {
    let rules = Naive::from_code("bin3x3");
    let over = values().iter().filter(|(_, (_, plies))| *plies == 0);
    for (sfen, _) in over.take(50) {
        let out = say("bin3x3", format!("position sfen {sfen}\ngo\ndo 1s1\n"));
        let winner = rules.ending(sfen).unwrap().to_string();
        let word = if sfen.split(' ').nth(1) == Some(&winner) { "win" } else { "resign" };
        assert_eq!(answers(&out)[1], format!("bestmove {word}"), "{sfen}");
        assert_eq!(out.matches(ERROR).count(), 2, "{out}");
    }
    let out = say("val1n", "position startpos moves 2c2b 3a3b\nboard\ngo\n");
    assert!(out.starts_with("[ 2 moves | moved 3a3b | Black wins]"), "{out}");
    assert_eq!(last(&out, "bestmove"), "bestmove 2b2a+");
}

/// The third time is a draw, but hosts may count otherwise.
#[test]
fn a_repeated_position_is_answered_by_a_move() {
    let round = "1d1c 3a3b 1c1d 3b3a ";
    let out = say("val1n", format!("position startpos moves {}\nboard\ngo depth 1\ndo 2c2b\n", round.repeat(2)));
    assert!(out.contains("| draw by repetition]"), "{out}");
    assert!(out.contains("\nbestmove "), "{out}");
    assert!(last(&out, ERROR).contains("third time"), "{out}");
}

// Mistakes

#[test]
fn mistakes_change_nothing() {
    for (command, part) in [
        ("do 3n", "way 3 holds stones"),
        ("do 9n", "no way \"9\""),
        ("do", "takes one move, not 0"),
        ("do 4n 4n", "takes one move, not 2"),
        ("do &3c", "edit \"&3c\""),
        ("play 3n", "way 3 holds stones"),
        ("play", "takes one move, not 0"),
        ("position", "startpos or sfen"),
        ("position startpos moves 4n 4n", "number 2 of moves"),
        ("position startpos 4n", "startpos or sfen"),
        ("position sfen 7/7/2o4/7/7/7 w - - 0", "turn field"),
        ("position sfen 7/7/2o4/7/7/7 b -", "has 3 of the five fields"),
        ("position sfen 7/7/2o4/7/7/7 b - - 0 moves 4n dn xx", "number 3 of moves"),
        ("board now", "takes no arguments"),
        ("clear_targets now", "takes no arguments"),
        ("inverse_move", "no move to take back"),
        ("inverse_move 9n", "no way \"9\""),
        ("undo", "no move to take back"),
        ("gameover soon", "win, lose or draw"),
        ("go depth", "go: \"depth\" is not"),
        ("go depth 0", "depth: \"0\" is not a number from 1"),
        ("go nodes -1", "nodes: \"-1\" is not a number"),
        ("go now", "go: \"now\" is not"),
        ("go infinite depth 3", "infinite goes with"),
        ("setoption", "name <name> value <value>"),
        ("setoption name Threads value 0", "Threads: \"0\" is not a number from 1"),
        ("setoption name Hash value 1", "option \"Hash\": is none of"),
        ("setoption name UseTables value maybe", "neither true nor false"),
        ("jump", "command \"jump\": is not known"),
        ("DO 4n", "command \"DO\": is not known"),
    ] {
        let out = say("bin7x6", format!("{command}\nsfen\nhistory\n"));
        let shown = lines(&out);
        assert_eq!(shown.len(), 5, "{command}: {out}");
        assert!(shown[0].starts_with(ERROR) && shown[0].contains(part), "{command}: {out}");
        assert_eq!(shown[1], "[from beginning] sfen startpos", "{command}");
        assert_eq!(shown[4], "  0  init     7/7/2o4/7/7/7 b - - 0", "{command}");
    }
}

/// Words of the protocol in any order, with letters that are none: every line is answered or passed over.
#[test]
fn garbage_is_survived() {
    let words = [
        "position",
        "startpos",
        "sfen",
        "moves",
        "4n",
        "cs1",
        "&4e#$..10..",
        "do",
        "play",
        "undo",
        "go",
        "depth",
        "1",
        "stop",
        "legal_moves",
        "history",
        "inverse_move",
        "moves_for_edit",
        "mate1",
        "7/7/2o4/7/7/7",
        "b",
        "-",
        "0",
        "setoption",
        "name",
        "value",
        "MoveTime",
        "\u{0}",
        "読み切り",
        "&",
        "$",
        "#",
        "c#",
        "99999999999999999999",
        "-1",
        "ponderhit",
        "gameover",
        "clear_targets",
        "isready",
        "usinewgame",
    ];
    for code in ["bin7x6", "bin2x2", "val1n"] {
        let mut random = Random::new(17);
        let mut script = b"setoption name MoveTime value 1\n".to_vec();
        for _ in 0..1500 {
            let line: Vec<&str> = (0..random.below(6)).map(|_| *random.pick(&words)).collect();
            script.extend(line.join(" ").bytes());
            if random.below(20) == 0 {
                script.extend((0..random.below(30)).map(|_| random.bits() as u8));
            }
            script.push(b'\n');
        }
        script.extend(b"setoption name MoveTime value 1\nstop\nposition startpos\nsfen\n");
        let out = say(code, script);
        assert!(out.ends_with("[from beginning] sfen startpos\n[from present]   sfen startpos\n"), "{code}");
    }
}

#[test]
fn the_input_may_end_anywhere() {
    for end in ["", "go infinite", "go infinite\n", "go btime 6000 wtime 6000", "play 4n", "position startpos moves 4n"]
    {
        let out = say("bin7x6", format!("setoption name MoveTime value 200\n{end}"));
        assert_eq!(out.matches("bestmove").count(), usize::from(end.starts_with("go")), "{end}: {out}");
    }
}

#[test]
fn other_games_and_bad_codes_are_refused() {
    for (code, part) in [
        ("pyon", "yomikiri upi plays this one"),
        ("rev8x8", "yomikiri play plays this one"),
        ("bin8x6", "rule code \"bin8x6\""),
        ("checkers", "rule code \"checkers\""),
        ("val1", "rule code \"val1\""),
    ] {
        let mut command = assert_cmd::Command::new(env!("CARGO_BIN_EXE_yomikiri"));
        let output = command.args(["usi", code]).output().unwrap();
        let error = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{code}");
        assert!(error.starts_with("error: ") && error.contains(part) && error.lines().count() == 1, "{code}: {error}");
    }
}

// An engine that is talked to line by line

struct Engine {
    process: Child,
    input: Option<ChildStdin>,
    output: Lines<BufReader<ChildStdout>>,
}

impl Engine {
    fn start(folder: &Path, code: &str) -> Engine {
        let mut command = Command::new(env!("CARGO_BIN_EXE_yomikiri"));
        command.args(["usi", code]).env("YOMIKIRI_TABLES", folder).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut process = command.spawn().unwrap();
        let (input, output) = (process.stdin.take(), process.stdout.take().unwrap());
        Engine { process, input, output: BufReader::new(output).lines() }
    }

    fn tell(&mut self, line: &str) {
        writeln!(self.input.as_mut().unwrap(), "{line}").unwrap();
    }

    /// Tells a line and reads up to one that begins with this; returns it and those before.
    fn ask(&mut self, line: &str, begin: &str) -> Vec<String> {
        self.tell(line);
        let mut seen: Vec<String> = Vec::new();
        while !seen.last().is_some_and(|line| line.starts_with(begin)) {
            seen.push(self.output.next().unwrap_or_else(|| panic!("{line}: {seen:?}")).unwrap());
        }
        seen
    }

    fn quit(mut self) {
        drop(self.input.take());
        assert!(self.process.wait().unwrap().success());
    }
}

#[test]
fn stop_ends_a_search_without_end() {
    let folder = TempDir::new().unwrap();
    for (code, position) in [
        ("bin7x6", "position startpos"),
        ("bin7x6", "position startpos moves 4n cs1 dn 5n bn"),
        ("val1n", "position startpos moves 2c2b 1a2b"),
    ] {
        let mut engine = Engine::start(folder.path(), code);
        for _ in 0..5 {
            engine.tell(position);
            engine.ask("go infinite", "info depth 2 ");
            let seen = engine.ask("isready", "readyok");
            assert!(seen.iter().all(|line| !line.starts_with("bestmove ")), "{code}: {seen:?}");
            engine.ask("stop", "bestmove ");
        }
        engine.quit();
    }
}

/// How long each order may take is in the tests of the clock, how often a search looks at it in those of the search.
#[test]
fn orders_with_a_time_end_by_themselves() {
    let folder = TempDir::new().unwrap();
    let mut engine = Engine::start(folder.path(), "bin7x6");
    for order in
        ["go movetime 400", "go btime 0 wtime 0 byoyomi 300", "go btime 2400 wtime 1", "go wtime 60000 btime 20"]
    {
        engine.tell("usinewgame");
        let seen = engine.ask(order, "bestmove ");
        assert!(seen.iter().any(|line| line.starts_with("info depth 1 ")), "{order}: {seen:?}");
    }
    engine.quit();
}

#[test]
fn a_host_may_ponder() {
    let folder = TempDir::new().unwrap();
    let mut engine = Engine::start(folder.path(), "bin7x6");
    engine.tell("position startpos moves 4n");
    engine.ask("go ponder btime 2000 wtime 2000", "info depth 3 ");
    engine.ask("isready", "readyok");
    engine.ask("ponderhit", "bestmove ");
    engine.ask("go ponder btime 2000 wtime 2000", "info depth 3 ");
    engine.ask("stop", "bestmove ");
    engine.ask("ponderhit\nsfen", "[from present]");
    engine.quit();
}

/// What a table knew it knows until the end, though its file has gone; an engine that starts without it searches.
#[test]
fn a_table_that_vanishes_is_no_disaster() {
    let folder = table("bin3x3");
    let mut engine = Engine::start(folder.path(), "bin3x3");
    assert_eq!(engine.ask("go", "bestmove ")[0], "info string table: 8 of 11 replies spoil the win");
    std::fs::remove_file(folder.path().join("bin3x3.tbl")).unwrap();
    assert_eq!(engine.ask("go", "bestmove ")[0], "info string table: 8 of 11 replies spoil the win");
    let seen = engine.ask(&format!("setoption name Tables value {}\ngo depth 2", folder.path().display()), "bestmove ");
    assert!(
        seen[0].starts_with("info string there is no table ") && seen[0].ends_with("bin3x3.tbl: searching"),
        "{seen:?}"
    );
    std::fs::write(folder.path().join("bin3x3.tbl"), b"no table").unwrap();
    let seen = engine.ask("go depth 2", "bestmove ");
    assert!(seen[0].contains("bin3x3.tbl") && seen[0].ends_with(": searching"), "{seen:?}");
    engine.quit();
}

/// A table of what lies below a late position of the full board is found and used.
#[test]
fn tables_of_late_positions_are_used() {
    let folder = TempDir::new().unwrap();
    let late = "oxxxx2/xooxx2/oxxoo2/xooxx2/oxxoo2/xooxx2 b 1234bcdef 4//12/9// 18";
    let mut command = assert_cmd::Command::new(env!("CARGO_BIN_EXE_yomikiri"));
    command.args(["analyze", "bin7x6", "--from", late]).env("YOMIKIRI_TABLES", folder.path()).assert().success();
    let out = talk(folder.path(), "bin7x6", format!("position sfen {late}\ngo\nposition startpos\ngo depth 1\n"));
    let shown = lines(&out);
    assert!(shown[0].starts_with("info string table") && shown[1].starts_with("info depth 0 score mate "), "{out}");
    assert!(shown[3].contains("does not have") || shown[3].contains("there is no table"), "{out}");
}

#[test]
fn a_reader_that_goes_away_ends_it_quietly() {
    let folder = TempDir::new().unwrap();
    let mut engine = Engine::start(folder.path(), "bin7x6");
    engine.ask("go infinite", "info depth 2 ");
    let Engine { mut process, input, output } = engine;
    drop(output);
    let mut input = input.unwrap();
    let _ = writeln!(input, "stop\nboard");
    drop(input);
    assert!(process.wait().unwrap().success());
}
