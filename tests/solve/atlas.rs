//! Tests of the recorded surveys, and of the pages and pictures that scripts generate from them.

use std::path::{Path, PathBuf};

use crate::support::command::{files as left, good, good_json};
use crate::support::repository::{files, read_json_lines, repository_path};
use flate2::Crc;
use serde_json::Value as Json;
use tempfile::TempDir;
use yomikiri_answer::survey;

const RECORDS: &str = "precomp/surveys";
/// Boards of at most this number of squares are surveyed again.
const SMALL: u32 = 12;

/// A recorded survey: one line of `questions.txt`.
struct Question {
    name: String,
    answer: String,
    /// Options of `survey` that limit the variants and the time.
    limits: Vec<String>,
    patterns: Vec<String>,
}

fn questions() -> Vec<Question> {
    let text = std::fs::read_to_string(repository_path(RECORDS).join("questions.txt")).unwrap();
    let lines = text.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    let question = |line: &str| {
        let cells: Vec<&str> = line.split('|').map(str::trim).collect();
        let [limits, patterns] = [cells[2], cells[3]].map(|cell| cell.split(' ').map(String::from).collect());
        Question { name: cells[0].into(), answer: cells[1].into(), limits, patterns }
    };
    lines.map(question).collect()
}

/// Every recorded line has a valid checksum, and a survey accepts each recorded file.
#[test]
fn recorded_lines_are_sound() {
    let folder = TempDir::new().unwrap();
    for Question { name, answer, limits, patterns } in questions() {
        let recorded = repository_path(RECORDS).join(format!("{name}.jsonl"));
        if recorded.exists() {
            let text = std::fs::read_to_string(&recorded).unwrap();
            let records =
                survey::read_lines(&text).map(|read| read.map_err(|(line, error)| format!("{name} {line}: {error}")));
            let records: Vec<survey::Record> = records.collect::<Result<_, _>>().unwrap();
            assert!(records.iter().all(|record| record.question().name() == answer), "{name}");
            let file = folder.path().join(&name);
            std::fs::write(&file, &text).unwrap();
            let words = [&limits[..], &patterns[..], &[String::from("--list")]].concat();
            let words: Vec<&str> = words.iter().map(String::as_str).collect();
            let codes =
                good(folder.path(), &[&["survey"], &words[..]].concat()).lines().map(String::from).collect::<Vec<_>>();
            drop(survey::SurveyFile::open(&file, records[0].question(), &codes).unwrap());
        }
    }
}

/// Returns the number of squares of a code's board, or `None` if the code does not give its size.
fn squares(code: &str) -> Option<u32> {
    let (files, ranks) = code.trim_start_matches(char::is_alphabetic).split_once('x')?;
    Some(files.parse::<u32>().ok()? * ranks.get(..1)?.parse::<u32>().ok()?)
}

#[test]
fn surveys_have_every_code_that_was_asked_about() {
    let folder = TempDir::new().unwrap();
    for Question { name, answer, limits, patterns } in questions() {
        let file = repository_path(RECORDS).join(format!("{name}.jsonl"));
        if !file.exists() {
            continue;
        }
        let words = limits.iter().chain(&patterns).map(String::as_str).collect();
        let list = [vec!["survey", "--list"], words].concat();
        let asked = good(folder.path(), &list);
        let answered: Vec<Json> = read_json_lines(&file);
        let codes: Vec<&str> = answered.iter().map(|line| line["code"].as_str().unwrap()).collect();
        assert_eq!(codes, asked.lines().collect::<Vec<_>>(), "{name}");
        assert!(answered.iter().all(|line| line["answer"] == *answer), "{name}");
    }
    assert!(left(folder.path()).is_empty());
}

/// The pages give the number of codes of animal shogi with nearly the usual rules, and the number of different games
/// that these codes select.
#[test]
fn pages_count_the_codes_that_a_sample_is_of() {
    let question = questions().into_iter().find(|question| question.name == "animal-shogi-sample").unwrap();
    let patterns: Vec<&str> = question.patterns.iter().map(String::as_str).collect();
    let jobs = good(Path::new("."), &[&["survey", "--list-jobs"], &patterns[..]].concat());
    assert_eq!((jobs.lines().count(), jobs.split_whitespace().count()), (15_612, 19_532));
    for page in ["atlas.txt", "atlas.ja.txt"] {
        let text = std::fs::read_to_string(repository_path(RECORDS).join(page)).unwrap();
        assert!(text.contains("19,532") && text.contains("15,612"), "{page}");
    }
}

#[test]
fn small_boards_are_answered_the_same_again() {
    let folder = TempDir::new().unwrap();
    let mut again = 0;
    for Question { name, answer, .. } in questions() {
        let file = repository_path(RECORDS).join(format!("{name}.jsonl"));
        if !file.exists() {
            continue;
        }
        let code = |line: &Json| line["code"].as_str().unwrap().to_string();
        let is_small = |line: &Json| squares(&code(line)).is_some_and(|squares| squares <= SMALL);
        // Of the larger ones of these boards, one in five: all together would take more than a minute.
        let is_asked = |number: usize, line: &Json| {
            squares(&code(line)).is_some_and(|squares| squares <= 8) || number.is_multiple_of(5)
        };
        let recorded = read_json_lines(&file).into_iter().filter(is_small).enumerate();
        let recorded: Vec<Json> =
            recorded.filter(|(number, line)| is_asked(*number, line)).map(|(_, line)| line).collect();
        if recorded.is_empty() {
            continue;
        }
        let out = folder.path().join(format!("{name}.jsonl"));
        let codes: Vec<String> = recorded.iter().map(code).collect();
        let args = ["survey", "--answer", &answer, "--out", out.to_str().unwrap()];
        good(folder.path(), &[&args[..], &codes.iter().map(String::as_str).collect::<Vec<_>>()].concat());
        assert_eq!(read_json_lines(&out), recorded, "{name}");
        again += codes.len();
    }
    assert!(again > 100, "{again} variants");
}

/// Matches on small boards have the recorded results when they are played again.
#[test]
fn recorded_matches_come_out_again() {
    let folder = TempDir::new().unwrap();
    let asked = std::fs::read_to_string(repository_path(RECORDS).join("matches.txt")).unwrap();
    let asked = asked.lines().filter(|line| !line.starts_with('#'));
    let recorded = read_json_lines(&repository_path(RECORDS).join("matches.jsonl"));
    assert_eq!(asked.clone().count(), recorded.len());
    let mut again = 0;
    for (line, recorded) in asked.zip(recorded) {
        let words: Vec<&str> = line.split(' ').collect();
        assert_eq!(recorded["rules"], words[0]);
        assert_eq!(recorded["games"].to_string(), words[4]);
        if squares(words[0]).is_some_and(|squares| squares <= 16) {
            let mut played = good_json(folder.path(), &[&["match", "--json"], &words[..]].concat());
            for player in ["a", "b"] {
                played[player].as_object_mut().unwrap().retain(|name, _| !name.ends_with("_ms"));
            }
            assert_eq!(played, recorded, "{line}");
            again += 1;
        }
    }
    assert_eq!(again, 2);
}

/// Returns the checksum that a script writes into its output: the CRC-32 of its sources, of the records and of the
/// text, in hexadecimal.
pub fn checksum(sources: &[&str], records: impl Iterator<Item = PathBuf>, text: &str) -> String {
    let mut crc = Crc::new();
    for path in sources.iter().copied().map(repository_path).chain(records) {
        crc.update(&std::fs::read(path).unwrap());
    }
    crc.update(text.as_bytes());
    format!("{:08x}", crc.sum())
}

#[test]
fn the_pictures_are_what_the_script_makes_of_the_surveys() {
    let pictures = files("docs/atlas", ".svg");
    for picture in &pictures {
        let text = std::fs::read_to_string(picture).unwrap();
        let (drawn, mark) = text.split_once("<!-- scripts/atlas-plots ").unwrap();
        let (mark, records) = mark.trim_end().trim_end_matches(" -->").split_once(' ').unwrap();
        let records = records.split(' ').map(|name| repository_path(RECORDS).join(format!("{name}.jsonl")));
        assert_eq!(
            mark,
            checksum(&["scripts/atlas-plots", "scripts/recorded.py"], records, drawn),
            "make atlas draws {} anew",
            picture.display()
        );
    }
    for page in ["atlas.md", "atlas.ja.md"] {
        let text = std::fs::read_to_string(repository_path("docs").join(page)).unwrap();
        let shown = |path: &&PathBuf| text.contains(&format!("(atlas/{})", path.file_name().unwrap().display()));
        assert_eq!(pictures.iter().filter(shown).count(), 4, "{page}");
    }
}

#[test]
fn the_pages_are_what_the_script_makes_of_the_surveys() {
    for page in ["atlas.md", "atlas.ja.md"] {
        let text = std::fs::read_to_string(repository_path("docs").join(page)).unwrap();
        let (text, mark) = text.rsplit_once("\n<!-- scripts/atlas ").unwrap();
        let sum = checksum(&["scripts/atlas", "scripts/recorded.py"], files(RECORDS, "").into_iter(), text);
        assert_eq!(mark, format!("{sum} -->\n"), "make atlas writes docs/{page} anew");
    }
}
