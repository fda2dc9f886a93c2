//! Tests of `yomikiri usi` and `yomikiri upi` as processes that a host drives line by line: commands during a search, the
//! end of a search, and hosts and tables that go away.

use std::io::{BufRead, BufReader, Lines, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use crate::protocols::{ERROR, say};
use crate::support::command::{in_english, peak, program, table};
use tempfile::TempDir;

struct Engine {
    process: Child,
    input: Option<ChildStdin>,
    /// The lines of the engine as they arrive.
    output: Receiver<String>,
}

/// The timeout of a line, far longer than a busy machine needs. A test with a silent engine fails after this time.
const PATIENCE: Duration = Duration::from_secs(300);

impl Engine {
    fn start(folder: &Path, arguments: &[&str]) -> Engine {
        let (process, input, lines) = Engine::spawn(folder, arguments);
        let (sender, output) = channel();
        std::thread::spawn(move || lines.map_while(Result::ok).try_for_each(|line| sender.send(line)));
        Engine { process, input: Some(input), output }
    }

    fn spawn(folder: &Path, arguments: &[&str]) -> (Child, ChildStdin, Lines<BufReader<ChildStdout>>) {
        let mut command = in_english(Command::new(program()));
        command.args(arguments).current_dir(folder).env("YOMIKIRI_TABLES", folder).env("YOMIKIRI_DATA", "");
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut process = command.spawn().unwrap();
        let (input, output) = (process.stdin.take().unwrap(), process.stdout.take().unwrap());
        (process, input, BufReader::new(output).lines())
    }

    fn tell(&mut self, line: &str) {
        writeln!(self.input.as_mut().unwrap(), "{line}").unwrap();
    }

    /// Sends a line. Then reads up to a line that begins with `begin`, and returns the lines read.
    fn ask(&mut self, line: &str, begin: &str) -> Vec<String> {
        self.tell(line);
        self.hear(begin)
    }

    /// Reads up to a line that begins with `begin`, and returns the lines read.
    fn hear(&mut self, begin: &str) -> Vec<String> {
        let mut seen: Vec<String> = Vec::new();
        while !seen.last().is_some_and(|line| line.starts_with(begin)) {
            seen.push(self.output.recv_timeout(PATIENCE).unwrap_or_else(|why| panic!("no {begin}: {why}: {seen:?}")));
        }
        seen
    }

    fn quit(mut self) {
        drop(self.input.take());
        assert!(self.process.wait().unwrap().success());
    }
}

/// A proof may decide the position during the search. Even then the engine does not send its move before `stop`.
#[test]
fn stop_ends_a_search_without_end() {
    let folder = TempDir::new().unwrap();
    for (protocol, code, position) in [
        ("usi", "bin7x6", "position startpos"),
        ("usi", "bin7x6", "position startpos moves 4n cs1 dn 5n bn"),
        ("usi", "bin7x6", "position startpos moves 4n cs1 dn 5n bn 4xo dnL 3s2 ena 5s1"),
        ("usi", "val1n", "position startpos moves 2c2b 1a2b"),
        ("upi", "pyon", "position startpos moves d5c5"),
    ] {
        let mut engine = Engine::start(folder.path(), &[protocol, code]);
        for _ in 0..5 {
            engine.tell(position);
            engine.ask("go infinite", "info ");
            let seen = engine.ask("isready", "readyok");
            assert!(seen.iter().all(|line| !line.starts_with("bestmove ")), "{code}: {seen:?}");
            engine.ask("stop", "bestmove ");
        }
        // The end of the input also ends a search.
        engine.ask("go infinite", "info ");
        drop(engine.input.take());
        engine.hear("bestmove ");
        engine.quit();
    }
}

/// After `isready` the engine has all the memory of its transposition table, so no move waits for it.
#[test]
#[cfg(target_os = "linux")]
fn an_engine_that_is_ready_has_its_memory() {
    let folder = TempDir::new().unwrap();
    for (protocol, code, name) in [("usi", "bin7x6", "USI_Hash"), ("upi", "pyon", "Hash")] {
        let mut engine = Engine::start(folder.path(), &[protocol, code]);
        engine.ask("isready", "readyok");
        let before = peak(&engine.process);
        engine.tell(&format!("setoption name {name} value 128"));
        engine.ask("isready", "readyok");
        let taken = peak(&engine.process) - before;
        assert!((90 << 20..200 << 20).contains(&taken), "{code}: {taken} bytes");
        engine.quit();
    }
}

/// This test does not measure times. Other tests check the time that each order allows, and how often a search looks at
/// the clock.
#[test]
fn orders_with_a_time_end_by_themselves() {
    let folder = TempDir::new().unwrap();
    let mut engine = Engine::start(folder.path(), &["usi", "bin7x6"]);
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
    let mut engine = Engine::start(folder.path(), &["usi", "bin7x6"]);
    engine.tell("position startpos moves 4n");
    engine.ask("go ponder btime 2000 wtime 2000", "info depth 3 ");
    engine.ask("isready", "readyok");
    engine.ask("ponderhit", "bestmove ");
    engine.ask("go ponder btime 2000 wtime 2000", "info depth 3 ");
    engine.ask("stop", "bestmove ");
    engine.ask("ponderhit\nsfen", "[from present]");
    engine.quit();
}

/// After `go infinite` or `go ponder`, the engine sends no move before the host asks for it, even if it knows the move
/// at once or its search ends by itself. Hosts take an early `bestmove` for an error and then wait forever for another.
#[test]
fn a_move_is_held_until_it_is_wanted() {
    let (tables, none) = (table("bin3x3"), TempDir::new().unwrap());
    let over = "position sfen xxx/xxx/xxx w 123abc 1//2/// 9";
    for (folder, protocol, code, position) in [
        // A table knows the move.
        (tables.path(), "usi", "bin3x3", "position startpos"),
        // The search has nothing left to find.
        (none.path(), "usi", "bin2x2", "position startpos moves 2n"),
        (none.path(), "upi", "pyon3x3", "position startpos"),
        // The game is over, or no game is set up.
        (none.path(), "usi", "bin3x3", over),
        (none.path(), "usi", "val1n", "position startpos moves 2c2b 3a3b"),
        (none.path(), "upi", "pyon3x3", "position pfen oo1/xxx/2o x moves c2c1"),
        (none.path(), "usi", "bin3x3", "position startpos moves nonsense"),
        (none.path(), "upi", "pyon3x3", "position startpos moves nonsense"),
    ] {
        let mut engine = Engine::start(folder, &[protocol, code]);
        for (go, end) in [
            ("go infinite", "stop"),
            ("go ponder", "ponderhit"),
            ("go ponder depth 2", "ponderhit"),
            ("go ponder movetime 1", "stop"),
            ("go ponder infinite", "ponderhit\nisready\nstop"),
            ("go infinite", "ponderhit\nisready\nstop"),
            ("go infinite", "go depth 1"),
        ] {
            engine.tell(position);
            engine.tell(go);
            std::thread::sleep(Duration::from_millis(20));
            let before = engine.ask("isready", "readyok");
            assert!(before.iter().all(|line| !line.starts_with("bestmove")), "{code}, {go}: {before:?}");
            let answer = engine.ask(end, "bestmove ");
            if end.contains("isready") {
                assert!(answer.iter().any(|line| line == "readyok"), "{code}, {go}: {answer:?}");
            }
            if end.starts_with("go") {
                engine.ask("isready", "bestmove ");
                engine.ask("", "readyok");
            }
            let after = engine.ask("isready", "readyok");
            assert!(after.iter().all(|line| !line.starts_with("bestmove")), "{code}, {go}: {after:?}");
        }
        engine.tell("go infinite");
        engine.ask("quit", "bestmove ");
        engine.quit();
    }
}

/// A host gets exactly one `bestmove` for any `go`. Remarks name the skipped words.
#[test]
fn every_go_has_one_answer() {
    for (code, go, remark) in [
        ("bin7x6", "go btime 5000 wtime -20 byoyomi 1", None),
        ("bin7x6", "go btime 50 wtime 50 movestogo 10", Some("go: skipped \"movestogo 10\"")),
        ("bin7x6", "go depth", Some("go: skipped \"depth\"")),
        ("bin7x6", "go depth 0", Some("go: depth 0 is out of range, used 1")),
        ("val1n", "go nodes -1", Some("go: nodes -1 is out of range, used 1")),
        ("val1n", "go now", Some("go: skipped \"now\"")),
        ("pyon", "go depth 1 nodes 5", Some("go: skipped \"nodes 5\"")),
        ("pyon", "go fast", Some("go: skipped \"fast\"")),
    ] {
        let out = say(code, format!("setoption name MoveTime value 5\n{go}\nisready\n"));
        let count = |begin: &str| out.lines().filter(|line| line.starts_with(begin)).count();
        assert_eq!((count("bestmove "), count("readyok"), count(ERROR)), (1, 1, 0), "{code}, {go}: {out}");
        let remarks: Vec<_> = out.lines().filter_map(|line| line.strip_prefix("info string go: ")).collect();
        let expected: Vec<_> = remark.iter().map(|remark| &remark["go: ".len()..]).collect();
        assert_eq!(remarks, expected, "{code}, {go}");
    }
}

/// Words that are too long, and lines that cannot be read, are refused as the commands that they are: `go` still gets
/// its move, and after `position` there is none.
#[test]
fn long_and_unreadable_lines_are_refused_as_their_commands() {
    let long = "x".repeat(300);
    for code in ["bin3x3", "val1n", "pyon3x3"] {
        for rest in [&[b" ", long.as_bytes()].concat()[..], b" \xff", &[&b" "[..], &[b'x'; 1 << 21]].concat()] {
            let line = |begin: &str| [begin.as_bytes(), rest, b"\n"].concat();
            let go = [&b"setoption name MoveTime value 5\n"[..], &line("go depth 1"), b"isready\n"].concat();
            let out = say(code, go);
            let moves: Vec<_> = out.lines().filter_map(|line| line.strip_prefix("bestmove ")).collect();
            assert!(moves.len() == 1 && moves[0] != "resign" && out.contains("readyok"), "{code}: {out}");
            assert_eq!(out.matches(ERROR).count(), 1, "{code}: {out}");
            let out = say(code, [&line("position startpos moves")[..], b"go depth 1\n"].concat());
            assert!(
                out.contains("the last position was refused (") && out.ends_with("bestmove resign\n"),
                "{code}: {out}"
            );
        }
    }
}

/// After a refused `position` the game before it is still set up, but the engine answers `go` with no move of that
/// game.
#[test]
fn after_a_refused_position_go_has_no_move() {
    for (code, position, again) in [
        ("bin3x3", "position startpos moves 4n 4n", "position startpos"),
        ("val1n", "position sfen gle/1c1/1C1/ELG x - 1", "usinewgame"),
        ("pyon3x3", "position startpos moves a1", "position startpos"),
        ("pyon3x3", "position nowhere", "upinewgame"),
    ] {
        let out = say(code, format!("{position}\ngo depth 1\n{again}\ngo depth 1\n"));
        let moves: Vec<_> = out.lines().filter(|line| line.starts_with("bestmove ")).collect();
        assert!(moves.len() == 2 && moves[0] == "bestmove resign" && moves[1] != moves[0], "{code}: {out}");
        assert!(out.contains(&format!("{ERROR}go: the last position was refused (")), "{code}: {out}");
    }
}

/// Some hosts do not end a game at a third repetition or when a lion can be taken. The engine accepts further moves in
/// such games.
#[test]
fn games_go_on_where_a_host_goes_on() {
    let there_and_back = " 1d1c 3a3b 1c1d 3b3a".repeat(3);
    let position = format!("position startpos moves{there_and_back} 1d1c");
    let out = say("val1n", format!("{position}\ngo depth 1\nsfen\n"));
    assert!(!out.contains(ERROR) && out.contains("\nbestmove ") && out.contains(" 3b3a 1d1c\n"), "{out}");
    // White leaves its lion where Black's chick can take it, and Black does not take it.
    let out = say("val1n", "position startpos moves 2c2b 3a3b 1d1c 2a2b\ngo depth 1\nsfen\n");
    assert!(!out.contains(ERROR) && out.contains("\nbestmove ") && out.contains(" 1d1c 2a2b\n"), "{out}");
    // A third repetition, after which the game goes on.
    let lap = " a3a2 a1b2 a2a3 b2a1".repeat(2);
    let out = say("pyon3x3", format!("position startpos moves{lap} a3a2\nxfen\n"));
    assert!(out.ends_with(&format!("\nposition startpos moves{lap} a3a2\n")), "{out}");
    // A move that takes the lion is an error.
    let out = say("val1n", "position startpos moves 2c2b 3a3b 2b2a\n");
    assert!(out.contains("takes the lion"), "{out}");
}

/// A `stop` ends only the `go` directly before it, so the first search runs to its end.
#[test]
fn others_wait_for_the_end_of_a_search() {
    let out = say("pyon", "go depth 5\ngo infinite\nstop\nisready\nxfen\n");
    let depths = out.lines().take_while(|line| !line.starts_with("bestmove ")).filter(|line| line.contains(" depth "));
    assert_eq!(depths.count(), 5, "{out}");
    let seen: Vec<&str> = out.lines().filter(|line| !line.starts_with("info ")).collect();
    assert_eq!(seen.len(), 4, "{out}");
    assert!(seen[0].starts_with("bestmove ") && seen.contains(&"readyok"), "{out}");
    assert_eq!(seen[3], "position startpos moves");
}

/// After the file of a table disappears, an engine still plays by the open table. After it is told to look for tables
/// again, it plays by search.
#[test]
fn a_table_that_vanishes_is_no_disaster() {
    let folder = table("bin3x3");
    let mut engine = Engine::start(folder.path(), &["usi", "bin3x3"]);
    assert_eq!(engine.ask("go", "bestmove ")[0], "info string table: 8 of 11 replies spoil the win");
    std::fs::remove_file(folder.path().join("bin3x3.tbl")).unwrap();
    assert_eq!(engine.ask("go", "bestmove ")[0], "info string table: 8 of 11 replies spoil the win");
    let seen = engine.ask(&format!("setoption name Tables value {}\ngo depth 2", folder.path().display()), "bestmove ");
    let missing = seen[0].strip_prefix("info string there is no table ");
    assert!(missing.is_some_and(|rest| rest.ends_with("bin3x3.tbl; searching for a move")), "{seen:?}");
    std::fs::write(folder.path().join("bin3x3.tbl"), b"no table").unwrap();
    let seen = engine.ask("go depth 2", "bestmove ");
    assert!(seen[0].contains("bin3x3.tbl") && seen[0].ends_with("; searching for a move"), "{seen:?}");
    engine.quit();
}

/// A folder that does not exist stays set, so the engine finds a table that is put there later.
#[test]
fn a_folder_of_tables_may_be_made_later() {
    let (folder, made) = (TempDir::new().unwrap(), table("bin3x3"));
    let later = folder.path().join("later");
    let mut engine = Engine::start(folder.path(), &["usi", "bin3x3"]);
    let set = format!("setoption name Tables value {}", later.display());
    let seen = engine.ask(&format!("{set}\nisready"), "readyok");
    assert_eq!(seen[0], format!("info string option \"Tables\": {}: there is no such folder", later.display()));
    assert!(engine.ask("go depth 1", "bestmove ")[0].ends_with("; searching for a move"));
    std::fs::create_dir(&later).unwrap();
    std::fs::copy(made.path().join("bin3x3.tbl"), later.join("bin3x3.tbl")).unwrap();
    assert_eq!(engine.ask("go", "bestmove ")[0], "info string table: 8 of 11 replies spoil the win");
    assert_eq!(engine.ask(&format!("{set}\nisready"), "readyok"), ["readyok"]);
    engine.quit();
}

/// A search for a win ends at `stop`, at the end of the input, and when it has the answer. It is never held back.
#[test]
fn a_search_for_a_win_has_one_answer() {
    let (tables, none) = (table("bin3x3"), TempDir::new().unwrap());
    let mut engine = Engine::start(tables.path(), &["usi", "bin3x3"]);
    engine.tell("position startpos moves 2n");
    assert_eq!(engine.ask("go mate infinite", "checkmate ").len(), 1);
    assert_eq!(engine.ask("stop\nisready", "readyok"), ["readyok"]);
    engine.quit();
    let mut engine = Engine::start(none.path(), &["usi", "bin7x6"]);
    engine.ask("go mate infinite", "info ");
    let seen = engine.ask("isready", "readyok");
    assert!(seen.iter().all(|line| !line.starts_with("checkmate ")), "{seen:?}");
    engine.ask("stop", "checkmate timeout");
    engine.ask("go mate 200", "checkmate timeout");
    engine.ask("go mate infinite", "info ");
    engine.ask("go depth 1", "checkmate timeout");
    engine.hear("bestmove ");
    engine.tell("go mate infinite");
    engine.quit();
}

/// If nobody reads the output any more, the program ends without an error, even during a search.
#[test]
fn a_reader_that_goes_away_ends_it_quietly() {
    let folder = TempDir::new().unwrap();
    for (arguments, script, begin) in [
        (&["usi", "bin7x6"][..], "go infinite", "info depth 2 "),
        (&["upi", "pyon3x3"], "pos\ngo infinite", "[0 move(s)"),
        (&["play", "rev8x8", "--black", "random", "--white", "random"], "", "rev8x8: "),
    ] {
        let (process, mut input, mut output) = Engine::spawn(folder.path(), arguments);
        writeln!(input, "{script}").unwrap();
        assert!(output.by_ref().any(|line| line.unwrap().starts_with(begin)), "{arguments:?}");
        drop(output);
        let _ = writeln!(input, "stop\nboard");
        let output = process.wait_with_output().unwrap();
        assert!(output.status.success() && output.stderr.is_empty(), "{arguments:?}: {output:?}");
        drop(input);
    }
}
