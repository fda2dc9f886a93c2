//! Tests of `yomikiri solve --checkpoint`: searches that were killed or stopped resume from their checkpoint, even with
//! another amount of memory.

use std::path::Path;
use std::process::Output;
use std::sync::atomic::AtomicU64;
use std::time::Duration;

use crate::support::command::{fails, files, good, kill_after_writing, run};
use crate::support::games::{connect_four, reversi};
use crate::support::solving::StopAfter;
use serde_json::Value;
use tempfile::TempDir;
use yomikiri_rules::{Game, Measure, Value as _};
use yomikiri_search::Searchable;
use yomikiri_search::exact::SearchRun;
use yomikiri_search::exact::checkpoint::{Checkpoints, SearchTotals};
use yomikiri_table::Silent;

const NEWEST: &str = "search.checkpoint";
const BEFORE: &str = "search.checkpoint.before";

fn json(output: &Output) -> Value {
    serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{error}: {output:?}"))
}

/// Returns the arguments of a search with its checkpoint in `folder`.
fn kept<'a>(code: &'a str, folder: &'a Path, more: &[&'a str]) -> Vec<&'a str> {
    let front = ["solve", code, "--threads", "1", "--memory", "64M", "--checkpoint", folder.to_str().unwrap()];
    [&front, more].concat()
}

/// Stops the search of the start repeatedly. Each time, a new search with another amount of memory resumes from the
/// files. The value must be that of an uninterrupted search. Returns the number of stops.
fn go_on_elsewhere<G: Searchable>(game: &G) -> usize {
    let start = game.start();
    let at_once = game.searcher(1 << 26).unwrap().solve(&start, &Silent);
    let folder = TempDir::new().unwrap();
    let (mut stops, mut nodes) = (0, 0);
    loop {
        let search = game.searcher(1 << (24 + stops % 3)).unwrap();
        let mut checkpoints = Checkpoints::open(folder.path(), 1 << 28).unwrap();
        let resumed = checkpoints.resume(game, search.as_ref(), &start).unwrap();
        assert_eq!(resumed.map_or(0, |resumed| resumed.header.details.nodes), nodes);
        let watch = StopAfter::new(20 + 40 * stops);
        let looked_at = AtomicU64::new(nodes);
        let solved = search.solve_until(&start, &SearchRun { stop: &watch.stop, nodes: &looked_at, progress: &watch });
        let before = std::mem::replace(&mut nodes, looked_at.into_inner());
        assert!(nodes > before);
        match solved {
            Ok(solution) => {
                assert_eq!((solution.value, solution.nodes), (at_once.value, nodes), "{}", game.code());
                assert!(nodes - before < at_once.nodes, "{}: nothing was saved", game.code());
                return stops as usize;
            }
            Err(known) => assert_eq!(known.nodes, nodes),
        }
        let spent = Duration::from_secs(stops);
        let kept = checkpoints
            .keep(game, search.as_ref(), &start, SearchTotals { nodes, spent }, &mut || true)
            .unwrap()
            .unwrap();
        assert!(kept.entries > 0);
        stops += 1;
    }
}

#[test]
fn searches_go_on_from_files_in_other_memory() {
    // The first game has keys of two 64-bit words, the second keys of one.
    let stops = [go_on_elsewhere(&reversi("rev5x5")), go_on_elsewhere(&connect_four("con6x4"))];
    assert!(stops.iter().all(|&stops| stops > 3), "{stops:?}");
}

#[test]
fn a_search_killed_several_times_finds_the_score() {
    let folder = TempDir::new().unwrap();
    let state = folder.path().join("state");
    let arguments = kept("rev6x5", &state, &["--every", "100ms", "--json"]);
    let kills = kill_after_writing(folder.path(), &arguments, &state.join(NEWEST), &[0, 30, 60, 10]);
    assert!(kills > 1, "the search was over after {kills} kills");
    let found = json(&run(folder.path(), &arguments));
    assert_eq!(found["checkpoint"]["resumed"], true, "{found}");
    assert_eq!(files(&state), [NEWEST, BEFORE], "nothing is left over");
    // The atlas has the score of the transposed board, from another search: Black wins by 10.
    assert_eq!((&found["score"], &found["go_on"]), (&10.into(), &Value::Null), "{found}");

    let again = json(&run(folder.path(), &arguments));
    let [before, after] = [&found, &again].map(|found| found["nodes"].as_u64().unwrap());
    assert_eq!(again["score"], 10);
    assert!(after < before + before / 10, "what is known is not found out again: {before} {after}");
}

#[test]
fn a_search_that_is_stopped_says_how_it_goes_on() {
    let folder = TempDir::new().unwrap();
    let state = folder.path().join("state");
    let stopped = run(folder.path(), &kept("rev8x8", &state, &["--time", "400ms"]));
    let text = String::from_utf8_lossy(&stopped.stdout).into_owned();
    assert_eq!(stopped.status.code(), Some(1), "{text}");
    let [go_on, kept_line] = text.lines().rev().take(2).collect::<Vec<_>>()[..] else { panic!("{text}") };
    assert!(kept_line.starts_with("checkpoint ") && kept_line.contains(" entries, "), "{text}");
    let command = go_on.strip_prefix("resume with ").unwrap_or_else(|| panic!("{text}"));
    // The first word is the name of the program.
    let words: Vec<&str> = command.split(' ').skip(1).collect();
    let again = run(folder.path(), &words);
    let said = String::from_utf8_lossy(&again.stderr).into_owned();
    assert!(said.contains(": resumed from 2") && said.contains(" positions in 0:00:0"), "{said}");

    // Checkpoints of other variants or positions, and damaged checkpoints, are refused.
    let line = fails(folder.path(), &kept("rev8x8-p", &state, &[]), 2);
    assert!(line.trim_end().ends_with("checkpoint of rev8x8, not of rev8x8-p; use another folder"), "{line}");
    let position = ["startpos moves d3"];
    let line = fails(folder.path(), &[&["solve", "rev8x8"], &position[..], &kept("", &state, &[])[2..]].concat(), 2);
    assert!(line.contains("is a checkpoint of another position, \""), "{line}");
    for name in [NEWEST, BEFORE] {
        let mut bytes = std::fs::read(state.join(name)).unwrap();
        let middle = bytes.len() / 2;
        bytes[middle] ^= 1;
        std::fs::write(state.join(name), bytes).unwrap();
    }
    let line = fails(folder.path(), &kept("rev8x8", &state, &["--time", "1s"]), 1);
    assert!(
        line.contains("damaged") && line.trim_end().ends_with("to start anew, delete the checkpoints in this folder"),
        "{line}"
    );
    let positions = folder.path().join("positions");
    std::fs::write(&positions, "startpos\n").unwrap();
    let file = [&kept("rev4x4", &state, &[])[..], &["--file", positions.to_str().unwrap()]].concat();
    let refused = run(folder.path(), &file);
    assert_eq!(refused.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&refused.stderr).contains("cannot be used with"), "{refused:?}");
    let new = folder.path().join("new/state");
    good(folder.path(), &kept("rev4x4", &new, &[]));
    assert_eq!(files(&new), [NEWEST]);
}

/// Bounds that no position can have are ignored. Only a forged file contains them.
#[test]
fn bounds_that_no_position_has_are_not_remembered() {
    let game = reversi("rev4x4");
    let (start, search) = (game.start(), game.searcher(1 << 20).unwrap());
    let value = search.solve(&start, &Silent).value;
    let all: Vec<_> = search.entries().collect();
    assert!(all.len() > 3);
    let other = game.searcher(1 << 20).unwrap();
    other.make_room(&start, 0);
    for remembered in &all {
        for (lower, upper) in [(300, i16::MAX), (i16::MIN, -17), (5, 4), (-20_000, 20_000)] {
            other.restore(&start, yomikiri_search::exact::SearchEntry { lower, upper, ..*remembered });
        }
    }
    assert_eq!(other.entries().count(), 0);
    assert_eq!(other.solve(&start, &Silent).value, value);
    assert!(matches!(value.measure(), Measure::Score { score: -8 }));
}
