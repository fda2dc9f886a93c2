//! Tests of `yomikiri match` with other programs that behave well, behave badly, or do not start.

use std::io::Read;
use std::process::{Command, Stdio};

use crate::matches::{check_counts, naive_winner, nowhere, play_match, results, winner};
use crate::support::command::{command, program, run, tables, wait};
use crate::support::session::check_table;
use tempfile::TempDir;
use yomikiri_play::Record;
use yomikiri_play::matches::{Failures, MatchSummary};

/// A shell script that speaks USI and makes the first legal move. It runs the shell lines `trouble` before it answers
/// `go`. In these, `$moves` is the number of moves made so far.
struct FakeEngine {
    folder: TempDir,
}

impl FakeEngine {
    fn new(code: &str, trouble: &str) -> FakeEngine {
        let folder = tempfile::tempdir().unwrap();
        let yomikiri = program().display().to_string();
        let script = format!(
            r#"echo $$ >> "$(dirname "$0")/pids"
while read -r command rest; do
  echo "$command $rest" >> "$(dirname "$0")/heard"
  case $command in
    usi) echo "a line of no meaning"; echo "id name fixture"; echo usiok ;;
    isready) echo readyok ;;
    position) position=$rest; set -- $rest; moves=$(( $# > 2 ? $# - 2 : 0 )) ;;
    go)
      {trouble}
      echo "info depth 1 string thinking"
      echo "bestmove $("{yomikiri}" moves {code} "$position" --json | sed 's/[^[]*\[{{"move":"\([^"]*\)".*/\1/')" ;;
    quit) exit ;;
  esac
done
"#
        );
        std::fs::write(folder.path().join("engine"), script).unwrap();
        FakeEngine { folder }
    }

    /// Returns the argument of `match` that names the program as a player.
    fn player(&self) -> String {
        format!("usi,time=50ms:sh '{}'", self.path("engine"))
    }

    fn path(&self, name: &str) -> String {
        self.folder.path().join(name).to_str().unwrap().to_string()
    }

    fn lines(&self, name: &str) -> Vec<String> {
        let text = std::fs::read_to_string(self.path(name)).unwrap_or_default();
        text.lines().map(String::from).collect()
    }

    /// Returns the number of times that the program was started. Waits until none of its processes runs.
    fn started(&self) -> usize {
        let pids = self.lines("pids");
        for pid in &pids {
            wait(&format!("process {pid} was left behind"), || !runs(pid));
        }
        pids.len()
    }
}

/// Returns true if a process runs. A zombie does not.
fn runs(pid: &str) -> bool {
    match std::fs::read_to_string(format!("/proc/{pid}/stat")) {
        Ok(stat) => !stat.contains(") Z "),
        Err(_) => {
            let asked = Command::new("kill").args(["-0", pid]).stderr(Stdio::null()).status();
            asked.unwrap().success()
        }
    }
}

/// Plays a match of a [`FakeEngine`] that runs `trouble` against the random player. Returns the result, the records
/// and the engine.
fn with_trouble(trouble: &str, games: &str, grace: &str) -> (MatchSummary, Vec<Record>, FakeEngine) {
    let fixture = FakeEngine::new("bin3x3", trouble);
    let player = fixture.player();
    let args = ["bin3x3", &player, "random", "--games", games, "--grace", grace];
    let (summary, records) = play_match(nowhere().path(), &args);
    (summary, records, fixture)
}

fn failures(summary: &MatchSummary) -> [u32; 4] {
    let Failures { time, illegal_move, ended, not_ready } = summary.a.failures;
    [time, illegal_move, ended, not_ready]
}

#[test]
fn a_program_plays_by_usi() {
    for code in ["bin3x3", "m00c1"] {
        let fixture = FakeEngine::new(code, "");
        let player = fixture.player();
        let (summary, records) =
            play_match(nowhere().path(), &[code, &player, "random", "--games", "6", "--grace", "30s"]);
        check_counts(&summary, &records);
        assert_eq!((failures(&summary), fixture.started()), ([0; 4], 1));
        let heard = fixture.lines("heard");
        let begin = ["usi ", "isready ", "isready ", "usinewgame ", "isready ", "position startpos", "go movetime 50"];
        assert_eq!(heard[..7], begin);
        assert_eq!(heard.last().unwrap(), "quit ");
        let told = |word: &str| heard.iter().filter(|line| *line == word).count() as u32;
        let ends = ["gameover win", "gameover draw", "gameover lose"].map(told);
        assert_eq!(ends, results(&summary.a.together));
        // `isready` comes once at the start, before each game and before each move.
        assert_eq!([told("usinewgame "), told("isready ")], [6, 7 + told("go movetime 50")]);
        for (record, number) in records.iter().zip(0..) {
            assert_eq!(naive_winner(code, &record.moves), Some(winner(record)));
            let name = if number % 2 == 0 { &record.black } else { &record.white };
            assert_eq!(*name, player);
        }
    }
}

/// `yomikiri usi` also plays in matches by USI. With a table it keeps every win.
#[test]
fn our_own_engine_plays_by_usi() {
    let folder = tables(&["bin3x3"]);
    let engine = format!("usi,time=1s:{} usi bin3x3", program().display());
    let (summary, records) =
        play_match(folder.path(), &["bin3x3", &engine, "random", "--games", "20", "--opening", "1"]);
    check_counts(&summary, &records);
    assert_eq!(failures(&summary), [0; 4]);
    let mistakes = summary.a.mistakes.unwrap();
    assert!(mistakes.won > 20, "{mistakes:?}");
    assert_eq!(mistakes.wins_spoiled, 0);
}

/// A program loses if it is late, ends, sends an illegal move, floods the match with output or does not read its input.
/// Lines without a meaning are skipped.
#[test]
fn programs_that_make_trouble() {
    check_table::<3>("play/troubles.txt", |[games, grace, trouble]| {
        let (summary, records, fixture) = with_trouble(trouble, games, grace);
        let ended: Vec<_> = summary.ended.iter().map(|ended| ended.how.as_str()).collect();
        let games: Vec<_> =
            records.iter().map(|game| format!("{:?} after {}", game.result, game.moves.len())).collect();
        format!("{:?}, {}, {:?}, {}", failures(&summary), fixture.started(), ended.join(", "), games.join(", "))
    });
}

/// The flood of output goes on between the games. The program may or may not be ready in time for the next game.
#[test]
fn a_program_that_floods_after_its_answer_is_no_trouble() {
    let (summary, _, fixture) =
        with_trouble("(while :; do echo info; done) & echo bestmove resign; continue", "3", "300ms");
    assert_eq!(results(&summary.a.together), [0, 0, 3]);
    assert!(fixture.started() <= 3);
}

/// The processes that a program has started end when the program ends.
#[test]
fn nothing_is_left_behind() {
    let trouble = r#"sleep 1000 & echo $! >> "$(dirname "$0")/pids""#;
    let (summary, _, fixture) = with_trouble(trouble, "1", "30s");
    assert_eq!(failures(&summary), [0; 4]);
    assert!(fixture.started() > 3);
}

#[test]
fn programs_that_only_fail_end_the_contest() {
    let fixture = FakeEngine::new("bin3x3", "exit");
    let args = ["match", "bin3x3", "random", &fixture.player(), "--games", "50", "--json"];
    let output = run(nowhere().path(), &args);
    assert_eq!(output.status.code(), Some(1));
    let error = String::from_utf8(output.stderr).unwrap();
    assert_eq!(
        error,
        "error: program sh: lost 5 games in a row by faults; in the last one it ended in the middle of the game: \
         5 of 50 games were finished\n"
    );
    let summary: MatchSummary = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!((summary.games, summary.asked, summary.b.failures.ended), (5, 50, 5));
    assert!(summary.stopped.unwrap().starts_with("program sh: lost 5 games"));
    assert_eq!(fixture.started(), 5);
}

#[test]
fn an_interrupt_prints_what_there_is() {
    for signal in ["-INT", "-TERM"] {
        let fixture = FakeEngine::new("bin3x3", r#"[ $(wc -l < "$(dirname "$0")/heard") -gt 60 ] && sleep 1000"#);
        let player = fixture.player();
        let (folder, records) = (nowhere(), fixture.path("games"));
        let args = ["match", "bin3x3", "random", &player, "--games", "1000", "--grace", "1000s", "--records", &records];
        let mut run = command(folder.path(), &args);
        let mut child = run.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        wait("the program hangs", || fixture.lines("heard").len() > 60);
        assert!(Command::new("kill").args([signal, &child.id().to_string()]).status().unwrap().success());
        let status = child.wait().unwrap();
        let (mut out, mut err) = (String::new(), String::new());
        child.stdout.unwrap().read_to_string(&mut out).unwrap();
        child.stderr.unwrap().read_to_string(&mut err).unwrap();
        let written = Record::parse_all(&std::fs::read_to_string(&records).unwrap()).unwrap();
        let games = written.len();
        assert_eq!((status.code(), err), (Some(1), format!("error: stopped: {games} of 1000 games were finished\n")));
        assert!(games > 0 && out.starts_with(&format!("bin3x3: {games} of 1000 games, seed 0\n")), "{out}");
        assert_eq!(fixture.started(), 1);
    }
}
