//! Tests that a question about a position without a table stays within its memory limit, and ends when it is abandoned.

use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};
use tempfile::TempDir;

use crate::support::command::{command, ended_with_peak, peak};

/// A position of the standard board whose proof takes minutes.
const HARD: &str = "startpos moves 4n";

/// The memory that the program may use in addition to the `--memory` of a question, in bytes.
const BESIDE: u64 = 64 << 20;

/// Starts a query in a folder without tables.
fn ask(folder: &TempDir, options: &[&str]) -> Child {
    let words = [&["query", "bin7x6", HARD], options].concat();
    let mut command = command(folder.path(), &words);
    command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
}

/// Waits until a search uses a transposition table of a size in bytes, however long that takes on a busy machine.
fn wait_for_table(child: &mut Child, bytes: u64) {
    while peak(child) < bytes {
        assert!(child.try_wait().unwrap().is_none(), "the search ended early");
        std::thread::sleep(Duration::from_millis(20));
    }
}

#[test]
fn a_question_takes_no_more_memory_than_it_is_given() {
    let folder = tempfile::tempdir().unwrap();
    for (size, bytes) in [("16M", 16 << 20), ("64M", 64 << 20)] {
        let mut child = ask(&folder, &["--memory", size, "--time", "100h"]);
        wait_for_table(&mut child, bytes);
        // From then on nothing grows.
        std::thread::sleep(Duration::from_secs(3));
        let most = peak(&child);
        kill_process(Pid::from_child(&child), Signal::INT).unwrap();
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(1), "{output:?}");
        assert!(most < bytes + BESIDE, "{size}: {most} bytes");
    }
}

/// Games that can repeat are solved from a position by sorted keys. In some of them a position has thirty moves, and
/// each takes memory.
#[test]
fn positions_of_games_that_can_repeat_take_no_more_memory_than_allowed() {
    let folder = tempfile::tempdir().unwrap();
    let limits = [("pyon", "80M", 80 << 20), ("pyon", "300M", 300 << 20), ("val1n", "100M", 100 << 20)];
    for ((code, size, bytes), verb) in limits.into_iter().flat_map(|limit| [(limit, "query"), (limit, "analyze")]) {
        let (from, told): (&[&str], _) = match verb {
            "query" => (&[], "positions can follow it"),
            _ => (&["--from"], "positions lie below"),
        };
        let words = [&[verb, code], from, &["startpos", "--memory", size]].concat();
        let mut command = command(folder.path(), &words);
        let (output, most) = ended_with_peak(command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap());
        let err = String::from_utf8(output.stderr).unwrap();
        assert!(err.contains(told), "{words:?}: {err}");
        assert!(most < bytes + BESIDE / 2, "{words:?}: {most} bytes");
    }
}

/// A query that would go on for hours ends on a signal. (`scripts/abandon` measures how soon.)
#[test]
fn an_abandoned_question_ends() {
    let folder = tempfile::tempdir().unwrap();
    for signal in [Signal::INT, Signal::TERM] {
        let mut child = ask(&folder, &["--time", "100h", "--memory", "64M"]);
        wait_for_table(&mut child, 64 << 20);
        // `timeout` of GNU sends its signal twice, one right after the other.
        let begun = Instant::now();
        for _ in 0..2 {
            kill_process(Pid::from_child(&child), signal).unwrap();
        }
        let is_quick = begun.elapsed() < Duration::from_millis(300);
        let output = child.wait_with_output().unwrap();
        if !is_quick {
            continue;
        }
        assert_eq!(output.status.code(), Some(1), "{output:?}");
        let err = String::from_utf8(output.stderr).unwrap();
        assert!(err.ends_with("error: bin7x6: stopped before a decision\n"), "{err}");
    }
}
