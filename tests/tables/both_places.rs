//! Tests that every command that reads tables gives the same answers with an address as with the folder that is served
//! there.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use tempfile::TempDir;

use yomikiri_table::RunLock;

use crate::server::Server;
use crate::support::command::{command, good, refused, tables, verbs, with_input};
use crate::support::repository::{files_below, repository_path};
use crate::support::serve::Server as Explorer;

/// The codes of the tables, which are of several index kinds. bin3x3 also has a certificate.
const CODES: [&str; 5] = ["bin3x3", "m00c1", "pyon2x3", "rev3x4", "con3x4-k3"];

/// The name of the opening in the published folder.
pub const OPENING: &str = "openings/bin4x4.opening";

/// A run of the command: its arguments and its standard input.
type CommandRun<'a> = (&'a [&'a str], &'a str);

/// Runs that are made with each of the tables, in place of `CODE`.
const RUNS_OF_TABLES: &[&[&str]] = &[
    &["query", "CODE"],
    &["query", "CODE", "--json"],
    &["line", "CODE"],
    &["stats", "CODE", "--json"],
    &["stats", "CODE", "--by", "outcome"],
    &["match", "CODE", "table", "random", "--games", "4", "--json"],
];

/// Runs of every command that reads tables, except `serve` and `site`, which have tests of their own, and except those
/// of [`RUNS_OF_TABLES`].
const RUNS: &[CommandRun] = &[
    (&["query", "bin3x3", "startpos moves 2n", "--json"], ""),
    (&["query", "pyon2x3", "-", "--brief"], "startpos\n@7\n@12\n@999999\n"),
    (&["query", "bin2x5", "--json"], ""),
    (&["line", "bin2x5"], ""),
    (&["stats", "bin3x3", "--longest", "3"], ""),
    (&["plot", "bin3x3", "--to", "picture.svg"], ""),
    (&["plot", "m00c1", "--to", "picture.svg"], ""),
    (&["tables"], ""),
    (&["tables", "--json"], ""),
    (&["tables", "check"], ""),
    (&["tables", "check", "--json"], ""),
    (&["tables", "check", "pyon2x3.tbl"], ""),
    (&["puzzle", "bin3x3", "--plies", "3", "--seed", "5", "--json"], ""),
    (&["compare", "rev3x4", "rev3x4", "--json"], ""),
    (&["compare", "bin3x3", "bin3x3"], ""),
    (&["verify", "pyon2x3"], ""),
    (&["verify", "bin3x3", "--sample", "50"], ""),
    (&["verify", "con3x4-k3"], ""),
    (&["play", "bin3x3", "--black", "random", "--white", "human", "--seed=3"], "hint\nquit\n"),
    (&["usi", "bin3x3"], "usi\nisready\nposition startpos\ngo\nposition startpos moves 2n\ngo\nquit\n"),
    (&["upi", "pyon2x3"], "upi\nisready\nposition startpos\ngo\nquit\n"),
    (&["match", "m00c1", "random", "table", "--games", "4", "--seed", "2", "--json"], ""),
    (&["estimate", "bin7x6", "--json"], ""),
];

/// Runs of every command that takes a folder of tables but no address.
const FOLDERS_ONLY: &[&[&str]] = &[
    &["analyze", "bin2x2"],
    &["export", "bin3x3", "--to", "gz"],
    &["prove", "bin2x2", "--certificate"],
    &["opening", "bin2x3", "--plies", "1", "--memory", "16M"],
    &["survey", "bin2x2", "--out", "survey.jsonl"],
    &["tables", "delete", "bin2x2.tbl"],
    &["tables", "upgrade"],
    &["tables", "manifest"],
];

/// Returns a folder with tables, certificates, an opening and their manifest.
pub fn published() -> TempDir {
    let folder = tables(&CODES);
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_string();
    good(folder.path(), &["prove", "bin3x3", "--certificate"]);
    good(folder.path(), &["analyze", "bin3x3", "--from", "startpos moves 2n"]);
    good(folder.path(), &["opening", "bin4x4", "--plies", "1", "--memory", "64M"]);
    std::fs::copy(repository_path("precomp/proofs/bin2x5.proof"), path("bin2x5.proof")).unwrap();
    for name in ["bin3x3.proof", "bin2x5.proof", OPENING] {
        good(folder.path(), &["check", &path(name)]);
    }
    good(folder.path(), &["tables", "manifest"]);
    folder
}

/// Returns the output of a run, without its times and with `TABLES` for the place of its tables, and the files that it
/// leaves in its working folder.
fn told(place: &str, (args, input): CommandRun) -> (String, BTreeMap<String, Vec<u8>>) {
    let own = tempfile::tempdir().unwrap();
    let mut run = command(Path::new(place), args);
    run.current_dir(&own);
    let output = with_input(run, input);
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success(), "{args:?} with tables at {place}: {text}");
    (without_times(&text.replace(place, "TABLES")), files_below(own.path()))
}

/// Returns a text without the numbers in fields for times and speeds.
pub fn without_times(text: &str) -> String {
    let is_time = |name: &str| ["_ms\":", "_s\":", "seconds\":"].iter().any(|end| name.ends_with(end));
    let mut kept = String::new();
    for part in text.split_inclusive([',', ':', '\n', '}']) {
        let is_number = part.trim_start().starts_with(|letter: char| letter.is_ascii_digit());
        if !(is_number && is_time(&kept)) {
            kept.push_str(part);
        }
    }
    // Engines print their time and speed as separate words.
    let timed = ["time", "nps"];
    let mut words = kept.split(' ').peekable();
    let mut lasting = Vec::new();
    while let Some(word) = words.next() {
        lasting.push(word);
        if timed.contains(&word) {
            words.next();
        }
    }
    lasting.join(" ")
}

#[test]
fn all_verbs_answer_from_both_places_alike() {
    let folder = published();
    let server = Server::start(folder.path());
    let of_table =
        |code, args: &[&'static str]| args.iter().map(|&word| if word == "CODE" { code } else { word }).collect();
    let of_tables = CODES.iter().flat_map(|code| RUNS_OF_TABLES.iter().map(|args| (of_table(*code, args), "")));
    let runs = RUNS.iter().map(|&(args, input)| (args.to_vec(), input)).chain(of_tables);
    for (args, input) in runs {
        let run = (&args[..], input);
        let (here, there) = (told(folder.path().to_str().unwrap(), run), told(&server.address, run));
        assert!(!here.0.is_empty(), "{run:?}");
        assert_eq!(there, here, "{run:?}");
    }
}

/// Every command with the option `--tables` is compared in this file or refuses addresses.
#[test]
fn all_verbs_are_compared_or_refuse_addresses() {
    let compared: BTreeSet<&str> = RUNS.iter().map(|(args, _)| args[0]).chain(["serve", "site"]).collect();
    let refusing: BTreeSet<&str> = FOLDERS_ONLY.iter().map(|args| args[0]).collect();
    for verb in verbs(&[]) {
        let knows_tables = good(Path::new("."), &[&verb, "--help"]).contains("--tables");
        let verb = verb.as_str();
        assert_eq!(knows_tables, compared.contains(verb) || refusing.contains(verb), "{verb}");
    }
    let address = "http://127.0.0.1:9/tables";
    for args in FOLDERS_ONLY {
        let own = tempfile::tempdir().unwrap();
        let output = command(Path::new(address), args).current_dir(&own).output().unwrap();
        let line = refused(&output, 2, args);
        assert_eq!(
            line,
            format!("error: {address}: is an address; its files can be read but not written\n"),
            "{args:?}"
        );
    }
}

#[test]
fn the_explorer_answers_from_both_places_alike() {
    let folder = published();
    let server = Server::start(folder.path());
    let (here, there) = (Explorer::start(folder.path(), &[]), Explorer::start(Path::new(&server.address), &[]));
    for question in [
        "tables",
        "query?rules=bin3x3&position=startpos",
        "query?rules=bin2x5&position=startpos",
        "line?rules=rev3x4&position=startpos",
        "stats?rules=pyon2x3",
        "counts?rules=bin3x3&by=ply,winner",
        "proof?rules=bin2x5&position=startpos",
        "choose?rules=m00c1&position=startpos&seed=1",
        "query?rules=bin3x3&position=nonsense",
    ] {
        let [(status, _, answer), other] = [&here, &there].map(|explorer| explorer.get(&format!("/api/v1/{question}")));
        assert!((other.0, other.2) == (status, answer), "{question}");
        assert_eq!(status, if question.ends_with("nonsense") { 400 } else { 200 }, "{question}");
    }
}

#[test]
fn copies_of_both_places_are_the_same() {
    let folder = published();
    let server = Server::start(folder.path());
    let copy = |place: &str, args: &[&str]| {
        let own = tempfile::tempdir().unwrap();
        let output = command(Path::new(place), &[&["site"], args].concat()).current_dir(&own).output().unwrap();
        (output.status.code(), String::from_utf8(output.stderr).unwrap(), files_below(own.path()))
    };
    for args in [&["bin3x3"][..], &["bin2x5"], &["rev3x4", "--small"]] {
        let here = copy(folder.path().to_str().unwrap(), args);
        assert_eq!(copy(&server.address, args), here, "{args:?}");
        // A program that was built without the page refuses to copy it.
        assert!(here.0 == Some(0) || here.1.contains("without the page"), "{here:?}");
    }
}

/// A kill while a copy replaces an older one leaves one of the two. The next run removes what is left of the other.
#[test]
fn a_killed_replacement_of_a_copy_loses_nothing() {
    let (folder, own) = (published(), tempfile::tempdir().unwrap());
    let site = || command(folder.path(), &["site", "rev3x4"]).current_dir(&own).output().unwrap();
    let (first, expected) = (site(), files_below(own.path()));
    if !first.status.success() {
        assert!(String::from_utf8(first.stderr).unwrap().contains("without the page"));
        return;
    }
    let place = |ending: &str| own.path().join("site/rev3x4").with_extension(ending);
    let before_the_new_has_its_name = || std::fs::rename(place(""), place("old")).unwrap();
    let before_the_old_is_removed = || {
        let copied = std::process::Command::new("cp").arg("-r").args([place(""), place("old")]).status().unwrap();
        assert!(copied.success());
    };
    let before_the_old_gives_way = || {
        let copied = std::process::Command::new("cp").arg("-r").args([place(""), place("part")]).status().unwrap();
        assert!(copied.success());
    };
    let states: [&dyn Fn(); 3] = [&before_the_old_gives_way, &before_the_new_has_its_name, &before_the_old_is_removed];
    for state in states {
        state();
        // Without a table the run fails, and no copy is lost.
        let table = folder.path().join("rev3x4.tbl");
        std::fs::rename(&table, table.with_extension("away")).unwrap();
        assert!(!site().status.success() && (place("").exists() || place("old").exists()));
        std::fs::rename(table.with_extension("away"), &table).unwrap();
        assert!(site().status.success());
        assert_eq!(files_below(own.path()), expected);
    }
    let _lock = RunLock::take_for(&place(""), "copy").unwrap();
    let second = String::from_utf8(site().stderr).unwrap();
    assert!(second.contains("another run is at work on this copy"), "{second}");
}
