//! Tests of `yomikiri usi` and `yomikiri upi` as hosts use them: games and values against the naive rules, lines of any
//! kind, and commands during a search. Other conversations are in the folder sessions.

use std::collections::HashMap;
use std::io::{BufRead, BufReader, Cursor, Lines, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::OnceLock;
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use crate::naive::binarsi::Naive;
use crate::naive_games::Rules;
use crate::support::command::{in_english, peak, program, table};
use crate::support::random::Random;
use crate::support::repository::page;
use tempfile::TempDir;
use yomikiri_play::{upi, usi};
use yomikiri_rules::AnyGame;

/// The prefix of an error line.
const ERROR: &str = "info string error: ";

/// Returns the output of an engine for a whole script, with tables in `folder`. The protocol is UPI for the pyonpyon
/// game, otherwise USI.
fn talk(folder: &Path, code: &str, script: impl Into<Vec<u8>>) -> String {
    let (mut output, input) = (Vec::new(), Cursor::new(script.into()));
    let folder = folder.to_path_buf();
    match &code[..3] {
        "pyo" => upi::serve(&AnyGame::parse(code).unwrap(), folder, input, &mut output).unwrap(),
        _ => usi::serve(&AnyGame::parse(code).unwrap(), folder, input, &mut output).unwrap(),
    }
    String::from_utf8(output).expect("answers are UTF-8")
}

/// Does the same as [`talk`], without tables.
fn say(code: &str, script: impl Into<Vec<u8>>) -> String {
    talk(Path::new("none"), code, script)
}

/// Returns the winner and the plies to the end of every position of the 3x3 board, by the naive rules.
fn values() -> &'static HashMap<String, (char, u32)> {
    static VALUES: OnceLock<HashMap<String, (char, u32)>> = OnceLock::new();
    VALUES.get_or_init(|| Naive::from_code("bin3x3").values())
}

fn lines(text: &str) -> Vec<&str> {
    text.lines().collect()
}

/// Returns the words of a line.
fn words(line: &str) -> impl Iterator<Item = &str> {
    line.split(' ')
}

/// Returns true if `side` is to move in a position of Binarsi.
fn is_turn_of(sfen: &str, side: char) -> bool {
    words(sfen).nth(1).is_some_and(|turn| turn.starts_with(side))
}

#[test]
fn help_and_page_name_every_command() {
    let (page, help) = (page("docs/usi.md"), say("bin7x6", "help\n"));
    for command in words(
        "usi isready usinewgame position board sfen clear_targets legal_moves do play undo go stop gameover quit \
         history moves_for_edit inverse_move mate1",
    ) {
        assert!(help.split(|letter: char| !(letter.is_alphanumeric() || letter == '_')).any(|word| word == command));
        assert!(page.contains(&format!("`{command}")), "{command}");
        assert!(!say("bin7x6", format!("{command}\n")).contains("is not known"), "{command}");
    }
    let help = say("pyon", "help\n");
    for command in words("position go pos xfen do undo resign draw stop setoption upi quit") {
        assert!(help.split([' ', ',', '\n']).any(|word| word == command), "{command}: {help}");
    }
}

#[test]
fn declared_options_can_be_set() {
    let (page, hello) = (page("docs/usi.md"), say("bin3x3", "usi\n"));
    let options: Vec<_> = hello.lines().filter_map(|line| line.strip_prefix("option name ")).collect();
    assert_eq!(options.len(), 9, "{hello}");
    for option in options {
        let (name, rest) = option.split_once(" type ").unwrap();
        let default = rest.split_once("default ").unwrap().1;
        let value = if rest.starts_with("string") { default } else { words(default).next().unwrap() };
        assert_eq!(say("bin3x3", format!("setoption name {name} value {value}\n")), "");
        assert!(page.contains(&format!("| `{name}` |")), "{name}");
    }
}

// Games

/// Converts a position of the naive rules to SFEN. `plies` is the number of moves before it.
fn sfen(code: &str, position: &str, plies: usize) -> String {
    if code.starts_with("bin") {
        return position.into();
    }
    let fields: Vec<&str> = position.rsplitn(3, '\n').collect();
    let (turn, hands, board) = (fields[0], fields[1], fields[2]);
    let ranks = [("\n", "/"), ("...", "3"), ("..", "2"), (".", "1"), ("H", "+C"), ("h", "+c")];
    let board = ranks.iter().fold(board.to_string(), |text, (from, to)| text.replace(from, to));
    let double = |text: String, kind: char| text.replace(&format!("{kind}{kind}"), &format!("2{kind}"));
    let hands = "EGCegc".chars().fold(hands.to_string(), double);
    format!("{board} {turn} {} {}", if hands.is_empty() { "-" } else { &hands }, plies + 1)
}

/// Plays random games of the naive rules move by move and takes them back. Asks for the position after each step.
#[test]
fn random_games_are_played_and_taken_back() {
    let mut random = Random::new(6);
    for (code, count, most) in [
        ("bin7x6", 1000, 42),
        ("bin4x5-n", 100, 20),
        ("bin2x2", 50, 9),
        ("val1n", 200, 60),
        ("pyon", 200, 30),
        ("pyonB", 200, 30),
        ("pyon3x3", 200, 30),
        ("pyon3x4B", 200, 30),
        ("pyon2x3", 200, 30),
    ] {
        let rules = Rules::from_code(code);
        let show = if code.starts_with("pyon") { "xfen" } else { "sfen" };
        let (mut script, mut expected) = (String::new(), Vec::new());
        for _ in 0..count {
            let (mut positions, mut moves) = (vec![rules.start()], Vec::new());
            let goes_on = |positions: &[String]| {
                let here = positions.last().unwrap();
                rules.winner(here).is_none() && positions.iter().filter(|before| *before == here).count() < 3
            };
            while moves.len() < most && goes_on(&positions) {
                let here = &positions[moves.len()];
                moves.push(random.pick(&rules.legal_moves(here)).clone());
                positions.push(rules.play(here, &moves[moves.len() - 1]));
            }
            script += &format!("position startpos\n{show}\n");
            script.extend(moves.iter().map(|mv| format!("do {mv}\n{show}\n")));
            script += &format!("undo\n{show}\n").repeat(moves.len());
            for plies in (0..=moves.len()).chain((0..moves.len()).rev()) {
                let made: String = moves[..plies].iter().map(|mv| format!(" {mv}")).collect();
                if show == "xfen" {
                    expected.push(format!("position startpos moves{made}"));
                    continue;
                }
                let made = if plies == 0 { made } else { format!(" moves{made}") };
                expected.push(format!("[from beginning] sfen startpos{made}"));
                let here = &positions[plies];
                let text = if *here == positions[0] { "startpos".into() } else { sfen(code, here, plies) };
                expected.push(format!("[from present]   sfen {text}"));
            }
        }
        let output = say(code, script);
        let answers: Vec<_> = output.lines().filter(|line| !line.starts_with("info string result: ")).collect();
        assert_eq!(answers.len(), expected.len(), "{code}");
        for (answer, expected) in answers.into_iter().zip(expected) {
            assert_eq!(answer, expected, "{code}");
        }
    }
}

/// Checks the list of `legal_moves`: its order, the serial numbers of the moves, and the serial numbers of the moves
/// that lead to different positions.
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
        // Positions are the same if they differ only by the ply at which a target was cleared.
        let bare = |sfen: String| {
            let mut fields: Vec<String> = words(&sfen).map(String::from).collect();
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
            let moves = rules.legal_moves(&sfen);
            let wins =
                |mv: &&String| rules.ending(&rules.play(&sfen, mv)).is_some_and(|winner| is_turn_of(&sfen, winner));
            let names: String = moves.iter().filter(wins).map(|mv| format!(" {mv}")).collect();
            winning += usize::from(!names.is_empty());
            expected.push(format!("mate1{}", if names.is_empty() { " none" } else { &names }));
            script += &format!("position sfen {sfen}\nmate1\n");
            sfen = rules.play(&sfen, random.pick(&moves).as_str());
        }
        assert_eq!(lines(&say("bin5x4", script)), expected);
    }
    assert!(winning > 30, "{winning}");
}

#[test]
fn edits_are_taken_back() {
    let edits = say("bin7x6", "moves_for_edit\n");
    let edits: Vec<&str> = edits.lines().filter_map(|line| line.split_once("| do ")).map(|(_, edit)| edit).collect();
    assert!(edits.len() > 10, "{edits:?}");
    for edit in edits {
        let (operator, stones) = edit.split_at(edit.find('$').unwrap_or(edit.len()));
        assert_eq!(say("bin7x6", format!("do {edit}\nundo\ndo {operator}#{stones}\n")), "", "{edit}");
    }
}

// The machine's moves

/// Checks the last score that the engine reports before each of its moves. `go` is the command to which it answers with
/// a move, by a table in `folder` or by search.
fn scores(folder: &Path, go: &str, positions: &[(&String, &(char, u32))]) {
    let script: String = positions.iter().map(|(sfen, _)| format!("position sfen {sfen}\n{go}\n")).collect();
    let expected = positions
        .iter()
        .map(|(sfen, (winner, plies))| format!("mate {}{plies}", if is_turn_of(sfen, *winner) { "" } else { "-" }));
    let (mut found, mut score) = (Vec::new(), "");
    let out = talk(folder, "bin3x3", script);
    for line in out.lines() {
        if let Some((_, rest)) = line.split_once(" score ") {
            score = rest.split(" pv ").next().unwrap();
        }
        if line.starts_with("bestmove ") {
            found.push(score);
        }
    }
    assert_eq!(found, expected.collect::<Vec<_>>());
}

#[test]
fn tables_say_who_wins_and_when() {
    let positions: Vec<_> = values().iter().filter(|(_, (_, plies))| *plies > 0).take(300).collect();
    scores(table("bin3x3").path(), "go", &positions);
}

#[test]
fn the_search_proves_what_is_near() {
    let positions: Vec<_> = values().iter().filter(|(_, (_, plies))| (1..=5).contains(plies)).take(200).collect();
    scores(Path::new("none"), "go depth 9", &positions);
}

#[test]
fn after_the_end_there_is_a_word_that_fits() {
    for (sfen, (winner, _)) in values().iter().filter(|(_, (_, plies))| *plies == 0).take(50) {
        let out = say("bin3x3", format!("position sfen {sfen}\ngo\ndo 1s1\n"));
        let word = if is_turn_of(sfen, *winner) { "win" } else { "resign" };
        assert_eq!(lines(&out)[1], format!("bestmove {word}"), "{sfen}");
        assert_eq!(out.matches(ERROR).count(), 2, "{out}");
    }
}

// Arbitrary lines

/// Sends lines of protocol words in random order, mixed with random bytes. The engine answers or skips every line.
#[test]
fn garbage_is_survived() {
    let known: Vec<&str> = words(
        "position startpos sfen moves 4n cs1 &4e#$..10.. do play undo go depth 1 stop legal_moves history \
         inverse_move moves_for_edit mate1 7/7/2o4/7/7/7 b - 0 setoption name value MoveTime \0 読み切り & $ # c# \
         99999999999999999999 -1 ponderhit gameover clear_targets isready usinewgame",
    )
    .collect();
    for code in ["bin7x6", "bin2x2", "val1n"] {
        let mut random = Random::new(17);
        let mut script = b"setoption name MoveTime value 1\n".to_vec();
        for _ in 0..1500 {
            let line: Vec<&str> = (0..random.below(6)).map(|_| *random.pick(&known)).collect();
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
    let whole = "position startpos moves d5c5 b1d3\ngo depth 2\nxfen\n";
    for end in 0..whole.len() {
        let out = say("pyon3x3", &whole[..end]);
        assert!(out.ends_with('\n') || out.is_empty(), "{out}");
    }
}

// An engine that is driven line by line

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
