//! Tests of `yomikiri prove` over time: time limits, Ctrl-C, and checkpoints that are damaged, refused, or resumed
//! after kills and with other settings.

use std::path::Path;
use std::process::{Child, Command, Output, Stdio};

use crate::support::command::{PATIENCE, command, fails, files, good, kill_after_writing, run, wait};
use rexpect::session::spawn_command;
use serde_json::Value;
use tempfile::TempDir;

/// A board that takes hours to prove.
const LARGE: &str = "bin6x6-s3c";

const NEWEST: &str = "proof.checkpoint";
const BEFORE: &str = "proof.checkpoint.before";

fn json(output: &Output) -> Value {
    let text = String::from_utf8_lossy(&output.stdout);
    assert_eq!(text.lines().count(), 1, "JSON stands on one line: {text}");
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{error}: {text}"))
}

fn said(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

/// Returns the arguments of a proof with its checkpoint in `folder`.
fn kept<'a>(code: &'a str, folder: &'a Path, more: &[&'a str]) -> Vec<&'a str> {
    [&["prove", code, "--memory", "16M", "--checkpoint", folder.to_str().unwrap()], more].concat()
}

fn start(folder: &Path, arguments: &[&str]) -> Child {
    command(folder, arguments).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
}

/// Returns a folder in which bin4x4 was proved twice, so that it has two checkpoints.
fn two_checkpoints() -> TempDir {
    let folder = TempDir::new().unwrap();
    for _ in 0..2 {
        good(folder.path(), &kept("bin4x4", folder.path(), &[]));
    }
    assert_eq!(files(folder.path()), [NEWEST, BEFORE]);
    folder
}

/// Removes `count` bytes from the front and returns them as a little-endian number.
fn taken(bytes: &mut &[u8], count: usize) -> u64 {
    let (number, rest) = bytes.split_at(count);
    *bytes = rest;
    number.iter().rev().fold(0, |number, &byte| number << 8 | u64::from(byte))
}

/// Reads a checkpoint as docs/prove.md describes it.
#[test]
fn the_file_is_what_the_page_says() {
    let folder = two_checkpoints();
    let proof = json(&run(folder.path(), &kept("bin4x4", folder.path(), &["--json"])));
    let file = std::fs::read(folder.path().join(NEWEST)).unwrap();
    let (front, mut digest) = file.split_at(file.len() - 8);
    assert_eq!(taken(&mut digest, 8), xxhash_rust::xxh3::xxh3_64(front));
    let mut rest = front.strip_prefix(b"YOMIPROV").unwrap();
    assert_eq!(taken(&mut rest, 2), 1);
    let length = taken(&mut rest, 4) as usize;
    let (header, packed) = rest.split_at(length);
    let header: Value = serde_json::from_slice(header).unwrap();
    for (field, expected) in [("rule_code", "bin4x4"), ("position", "4/1o2/4/4 b - - 0")] {
        assert_eq!(header[field], expected, "{field}");
    }
    assert_eq!((&header["rules_revision"], &header["wins"], &header["loses"]), (&1.into(), &Value::Null, &0.into()));
    for (field, of_json) in [("expansions", "expansions"), ("readings", "readings"), ("read", "nodes")] {
        assert_eq!(header[field], proof[of_json], "{field}");
    }
    assert!(header["written"].as_u64() > Some(1_700_000_000) && header["seconds"].as_f64() > Some(0.0));

    let plain = zstd::decode_all(packed).unwrap();
    let (mut plain, mut entries, mut decided) = (&plain[..], 0, 0);
    while !plain.is_empty() {
        let count = taken(&mut plain, 4) as usize;
        assert!((1..=16_384).contains(&count));
        let (block, after) = plain.split_at(17 * count);
        let byte = |plane: usize, at: usize| u64::from(block[plane * count + at]);
        let number = |planes: std::ops::Range<usize>, at| planes.rev().fold(0, |sum, plane| sum << 8 | byte(plane, at));
        for at in 0..count {
            let [wins, loses] = [8..12, 12..16].map(|planes| number(planes, at));
            assert!(at == 0 || number(0..8, at) > 0, "keys ascend");
            assert_eq!(wins == 0, loses == u64::from(u32::MAX), "what is won cannot be lost");
            decided += usize::from(wins == 0 || loses == 0);
            assert!(byte(16, at) < 64);
        }
        (plain, entries) = (after, entries + count);
    }
    assert_eq!(proof["checkpoint"]["entries"], entries as u64);
    assert!(decided > 100 && decided <= entries, "{decided} of {entries}");
}

#[test]
fn the_session_of_the_page_is_real() {
    trycmd::TestCases::new().case("docs/prove.md");
}

#[test]
fn a_proof_that_runs_out_of_time_goes_on_with_other_memory_and_threads() {
    let folder = TempDir::new().unwrap();
    let state = folder.path().join("state");
    let output = run(folder.path(), &kept(LARGE, &state, &["--time", "1.5s", "--threads", "1"]));
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert_eq!((output.status.code(), said(&output).as_str()), (Some(1), "error: bin6x6: not decided in 1.5 s\n"));
    for part in [
        "The winner is open.\n",
        "to a win    to a loss\nin all  ",
        "\nrefuted       0 of 4 moves\n",
        "\nestimate      ",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
    let command = text.lines().find_map(|line| line.strip_prefix("resume with   ")).expect("the command");
    assert!(command.ends_with("--time 1.5s --threads 1") && command.contains(" prove bin6x6-s3c "), "{command}");
    assert_eq!(files(&state), [NEWEST]);

    let arguments = "prove bin6x6 --memory 5M --threads 3 --time 1 --json --checkpoint".split(' ');
    let output = run(folder.path(), &arguments.chain([state.to_str().unwrap()]).collect::<Vec<_>>());
    let proof = json(&output);
    assert_eq!((output.status.code(), said(&output).as_str()), (Some(1), "error: bin6x6: not decided in 1 s\n"));
    assert_eq!((&proof["stopped"], &proof["winner"]), (&Value::from("time"), &Value::Null));
    assert_eq!((&proof["threads"], &proof["memory"]), (&3.into(), &(4 << 20).into()));
    assert_eq!((&proof["checkpoint"]["resumed"], &proof["checkpoint"]["failed"]), (&true.into(), &false.into()));
    let [here, in_all] = ["seconds", "seconds_in_all"].map(|field| proof[field].as_f64().unwrap());
    assert!(here >= 1.0 && in_all - here > 1.4, "{here} {in_all}");
    let number = |text: &str| text.replace(',', "").parse::<u64>().unwrap();
    let before = text.lines().find_map(|line| line.strip_prefix("expansions    ")).map(number).unwrap();
    assert!(proof["expansions"].as_u64().unwrap() > before, "{before}: {proof}");
    assert_eq!(files(&state), [NEWEST, BEFORE]);

    let output = run(folder.path(), &kept(LARGE, &state, &["--time", "10ms"]));
    let said = said(&output);
    assert!(said.lines().count() == 2 && said.contains(": resumed from 2") && said.contains(" entries)\n"), "{said}");
}

#[test]
fn a_proof_killed_several_times_ends_with_the_same_winner() {
    let folder = TempDir::new().unwrap();
    let state = folder.path().join("state");
    let arguments = kept("bin6x4", &state, &["--every", "40ms", "--threads", "2", "--json"]);
    let kills = kill_after_writing(folder.path(), &arguments, &state.join(NEWEST), &[0, 10, 25, 31, 2]);
    assert!(kills > 2, "the proof was over after {kills} kills");
    let output = run(folder.path(), &arguments);
    let proof = json(&output);
    assert_eq!((&proof["winner"], &proof["checkpoint"]["resumed"]), (&"white".into(), &true.into()), "{proof}");
    assert_eq!(files(&state), [NEWEST, BEFORE], "nothing is left over");

    let again = json(&run(folder.path(), &arguments));
    assert_eq!((&again["winner"], &again["to_loss"]), (&"white".into(), &0.into()));
    let [before, after] = [&proof, &again].map(|proof| proof["expansions"].as_u64().unwrap());
    assert!(after < before + before / 10, "what is decided is not done again: {before} {after}");
}

#[test]
fn a_damaged_checkpoint_gives_way_to_the_one_before() {
    let folder = two_checkpoints();
    let newest = folder.path().join(NEWEST);
    let whole = std::fs::read(&newest).unwrap();
    let before = std::fs::read(folder.path().join(BEFORE)).unwrap();
    let length = whole.len();
    let damages = [0, 8, 11, 20, length / 2, length - 4].map(|at| (at, length));
    for (at, length) in damages.into_iter().chain([0, 5, 13, 21, length / 2, length - 1].map(|cut| (length, cut))) {
        let mut bytes = whole.clone();
        bytes.get_mut(at).into_iter().for_each(|byte| *byte ^= 0x10);
        bytes.truncate(length);
        std::fs::write(&newest, bytes).unwrap();
        std::fs::write(folder.path().join(BEFORE), &before).unwrap();
        let output = run(folder.path(), &kept("bin4x4", folder.path(), &["--json"]));
        let (proof, said) = (json(&output), said(&output));
        assert_eq!(
            (&proof["winner"], &proof["checkpoint"]["resumed"]),
            (&"white".into(), &true.into()),
            "{at} {length}"
        );
        assert!(said.lines().count() == 1 && said.starts_with("warning: ") && said.contains("damaged"), "{at}: {said}");
        assert!(said.ends_with("; resuming from the previous checkpoint\n"), "{said}");
        let kept = std::fs::read(folder.path().join(BEFORE)).unwrap();
        assert!(kept == before, "the good one is not replaced by the damaged one");
    }
}

#[test]
fn one_process_works_in_a_folder_and_a_signal_ends_it_well() {
    let folder = TempDir::new().unwrap();
    let state = folder.path().join("state");
    let child = start(folder.path(), &kept(LARGE, &state, &["--every", "200ms", "--json"]));
    wait("no checkpoint", || state.join(NEWEST).exists());
    let line = fails(folder.path(), &kept(LARGE, &state, &[]), 1);
    assert!(line.contains("proof.lock: another run is at work on this proof"), "{line}");

    assert!(Command::new("kill").args(["-TERM", &child.id().to_string()]).status().unwrap().success());
    let output = child.wait_with_output().unwrap();
    let proof = json(&output);
    let line = "error: bin6x6: stopped before a decision\n";
    assert_eq!((output.status.code(), said(&output).as_str()), (Some(1), line));
    assert_eq!((&proof["stopped"], &proof["checkpoint"]["resumed"]), (&"signal".into(), &false.into()));
    assert!(proof["checkpoint"]["entries"].as_u64().is_some_and(|entries| entries > 0), "{proof}");
    assert_eq!(files(&state), [NEWEST, BEFORE], "nothing is left over");
}

#[test]
fn ctrl_c_at_a_terminal_writes_a_checkpoint() {
    let folder = TempDir::new().unwrap();
    let state = folder.path().join("state");
    let mut proof = command(folder.path(), &kept(LARGE, &state, &["--threads", "1"]));
    for name in ["NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE", "CI"] {
        proof.env_remove(name);
    }
    proof.env("TERM", "xterm");
    let mut session = spawn_command(proof, Some(PATIENCE.as_millis() as u64)).unwrap();
    for part in [
        "bin6x6, Black to move: ",
        " to a win, ",
        " to a loss",
        "of 4 moves refuted, nearest to a win: ",
        " a second)",
        " % full",
    ] {
        session.exp_string(part).unwrap_or_else(|error| panic!("{part}: {error}"));
    }
    session.send_control('c').unwrap();
    let rest = session.exp_eof().unwrap();
    assert!(rest.contains("The winner is open.") && rest.contains("resume with   "), "{rest}");
    assert!(rest.contains("stopped before a decision"), "{rest}");
    let status = session.process().wait().unwrap();
    assert!(matches!(status, rexpect::process::WaitStatus::Exited(_, 1)), "{status:?}");
    assert_eq!(files(&state), [NEWEST]);
}
