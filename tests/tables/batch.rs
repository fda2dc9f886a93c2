//! Tests of many questions through a pipe: `query CODE -`.

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::Stdio;

use serde_json::Value as Json;

use crate::support::command::{command, good, good_json, table, with_input};
use crate::support::games::random_game_within;
use crate::support::random::Random;
use yomikiri_rules::{AnyGame, Notation, key_text};
use yomikiri_table::entries::{block_starts, listed_within};

/// Returns the lines with which `query CODE -` answers these lines.
fn answers(folder: &Path, args: &[&str], lines: &[String]) -> Vec<String> {
    let mut all = vec!["query"];
    all.extend(args);
    all.insert(2, "-");
    let output = with_input(command(folder, &all), lines.join("\n") + "\n");
    assert!(output.status.success());
    String::from_utf8(output.stdout).unwrap().lines().map(String::from).collect()
}

/// Returns at least `count` positions of random games, alternately as texts and as keys.
fn positions<G: Notation>(game: &G, count: usize, random: &mut Random) -> Vec<String> {
    let mut texts = Vec::new();
    while texts.len() < count {
        for (ply, here) in random_game_within(game, 60, random).iter().enumerate() {
            texts.push(if ply % 2 == 0 { game.position_text(here) } else { key_text(game.rank(here)) });
        }
    }
    texts
}

/// With every kind of table, each line gets the answer that the same question gets alone, in the order of the lines.
#[test]
fn many_answers_are_those_of_single_questions() {
    let mut random = Random::new(17);
    for code in ["bin3x3", "con4x4", "rev4x4", "pyon3x4", "m00c1", "pyon2x3"] {
        let folder = table(code);
        let mut lines = positions(&AnyGame::parse(code).unwrap(), 40, &mut random);
        lines.insert(7, "nonsense".into());
        lines.insert(9, String::new());
        let (full, brief) =
            (answers(folder.path(), &[code], &lines), answers(folder.path(), &[code, "--brief"], &lines));
        assert_eq!((full.len(), brief.len()), (lines.len(), lines.len()));
        for ((line, full), brief) in lines.iter().zip(full).zip(brief) {
            let brief: Json = serde_json::from_str(&brief).unwrap();
            if line == "nonsense" || line.is_empty() {
                assert!(full.starts_with("{\"error\":\"") && brief["error"].is_string(), "{full}");
                continue;
            }
            let single = good_json(folder.path(), &["query", code, line, "--json"]);
            assert_eq!(serde_json::from_str::<Json>(&full).unwrap(), single, "{code}: {line}");
            let told = brief.as_object().unwrap();
            assert!(told.len() >= 3 && told.iter().all(|(name, value)| single[name] == *value), "{brief} {single}");
        }
    }
}

/// All keys of a board are answered, in random order. The outcomes add up to the counts of the table.
#[test]
fn a_whole_board_is_answered() {
    let folder = table("bin3x3");
    let game = crate::support::games::binarsi("bin3x3");
    let table = yomikiri_table::probe::open(&game, &folder.path().join("bin3x3.tbl")).unwrap();
    assert!(block_starts(&table).unwrap().len() > 100);
    let mut keys = listed_within(&table, 0..u64::MAX).unwrap().keys;
    let mut random = Random::new(5);
    for at in (1..keys.len()).rev() {
        keys.swap(at, random.below(at + 1));
    }
    let lines: Vec<String> = keys.iter().map(|&key| key_text(key)).collect();
    let told = answers(folder.path(), &["bin3x3", "--brief", "--threads", "2"], &lines);
    let (mut wins, mut losses) = (0, 0);
    for (line, told) in lines.iter().zip(&told) {
        assert!(told.starts_with(&format!("{{\"key\":\"{line}\",")), "{told}");
        wins += u64::from(told.contains("\"win\""));
        losses += u64::from(told.contains("\"loss\""));
    }
    let stats = good_json(folder.path(), &["stats", "bin3x3", "--json"]);
    assert_eq!([stats["wins"].as_u64(), stats["losses"].as_u64()], [Some(wins), Some(losses)]);
}

/// A program can wait for each answer before it writes the next line.
#[test]
fn each_line_is_answered_when_it_has_come() {
    let folder = table("bin2x2");
    let mut process =
        command(folder.path(), &["query", "bin2x2", "-"]).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let (mut input, mut output) = (process.stdin.take().unwrap(), BufReader::new(process.stdout.take().unwrap()));
    for moves in ["", " moves 2n", " moves 2n 1nH"] {
        writeln!(input, "startpos{moves}").unwrap();
        let mut said = String::new();
        output.read_line(&mut said).unwrap();
        assert_eq!(said, good(folder.path(), &["query", "bin2x2", &format!("startpos{moves}"), "--json"]));
    }
    drop(input);
    assert!(process.wait().unwrap().success());
}

/// Without a table, small boards are solved, others are proved within the time limit, and a game without proofs is
/// refused if it has too many positions.
#[test]
fn lines_are_answered_without_a_table() {
    let nowhere = tempfile::tempdir().unwrap();
    let lines = ["startpos", "startpos moves dn", "1xox3/1xoo3/1oxx3/1oxx3/1oxx3/7 b 234cde 12///12// 12"];
    // A proof has this time for each line.
    let told = answers(nowhere.path(), &["bin7x6", "--time", "300ms"], &lines.map(String::from));
    assert!(told.iter().all(|answer| answer.contains(r#""source":"proof""#)), "{told:?}");
    assert!(told[..2].iter().all(|answer| answer.contains(r#""outcome":null"#)), "{told:?}");
    let told =
        answers(nowhere.path(), &["bin7x6", "--time", "300ms", "--brief"], &[lines[0], lines[1]].map(String::from));
    assert!(told.iter().all(|answer| answer.contains(r#""outcome":null,"plies":null}"#)), "{told:?}");
    let told = answers(nowhere.path(), &["bin7x6-p"], &["startpos".into()]);
    assert!(told[0].contains("too many"), "{told:?}");
    let told = answers(nowhere.path(), &["bin3x3"], &["startpos".into()]);
    assert_eq!(told, [good(nowhere.path(), &["query", "bin3x3", "startpos", "--json"]).trim_end()]);
}
