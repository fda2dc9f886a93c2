//! Records of surveys. The first byte of an input says if the text is the file or the journal, and if checksums are
//! corrected. The second byte selects the question. The rest is the text.

use std::collections::BTreeSet;

use yomikiri_answer::survey::{DecidedBy, Finding, Open, OpenReason, Question, Record, SurveyFile, Winner, read_lines};
use yomikiri_table::json_lines;

use crate::checksums::{self, new_folder};

const QUESTIONS: [Question; 4] = [Question::Winner, Question::FirstMoves, Question::Plies, Question::FairKomi];

/// The variants of the survey. The variants of accepted records are added.
const CODES: [&str; 6] = ["bin2x2", "bin2x2-kb0.5", "bin3x3", "rev3x3", "pyon3x3", "con3x3-k3"];

/// Returns inputs with a record for each question, and with one that is open.
pub fn sound() -> Vec<Vec<u8>> {
    let command = || "yomikiri prove bin2x2 --threads 1 --memory 256M --json".to_string();
    let white =
        || Finding { winner: Some(Winner::White), by: DecidedBy::Proof, command: command(), ..Finding::default() };
    let open = Open { why: OpenReason::SurveyTime, at_least: Some(-3), at_most: Some(8), ..Open::default() };
    let findings = [
        (0, "bin2x2", white()),
        (1, "bin2x2", Finding { first_moves: Some(Vec::new()), ..white() }),
        (2, "bin2x2", Finding { plies: Some(6), ..white() }),
        (2, "rev3x3", Finding { score: Some(-9), by: DecidedBy::Search, nodes: Some(90), ..white() }),
        (3, "bin3x3", Finding { fair_komi: Some(-1), ..white() }),
        (3, "bin3x3", Finding { winner: None, open: Some(open), ..white() }),
    ];
    let input = |(question, code, finding): (u8, &str, Finding)| {
        let record = Record::new(code, QUESTIONS[usize::from(question)], finding).expect("a sound record");
        let plain = serde_json::to_string(&record).expect("a record is text");
        [0, 1].map(|kind| [&[kind, question][..], plain.as_bytes(), b"\n"].concat())
    };
    findings.into_iter().flat_map(input).collect()
}

/// Opens a survey. The lines of an accepted text must be written as they were read. A refused text must stay as it is.
pub fn run(bytes: &[u8]) {
    let Some((&[kind, question], text)) = bytes.split_first_chunk() else { return };
    let text = if kind & 2 == 0 { checksums::lines(text) } else { text.to_vec() };
    let mut codes: BTreeSet<String> = CODES.map(String::from).into();
    if let Ok(text) = std::str::from_utf8(&text) {
        for (record, line) in read_lines(text).zip(text.lines()).filter_map(|(read, line)| Some((read.ok()?, line))) {
            check_line(&record, line);
            codes.insert(record.code().into());
        }
    }
    let question = QUESTIONS[usize::from(question) % 4];
    // The command asks for fair komi only in these games.
    let has_points = |code: &String| code.starts_with("bin") || code.starts_with("rev");
    let codes: Vec<String> =
        codes.into_iter().filter(|code| question != Question::FairKomi || has_points(code)).collect();
    let folder = new_folder();
    let file = folder.path().join("out");
    let path = if kind & 1 == 0 { file.clone() } else { file.with_extension("journal") };
    std::fs::write(&path, &text).expect("a new folder can be written to");
    match SurveyFile::open(&file, question, &codes) {
        Err(error) => {
            let error = error.to_string();
            assert!(!error.chars().any(char::is_control), "{error:?}");
            assert_eq!(std::fs::read(&path).expect("it stays"), text, "changed, though refused");
        }
        Ok(survey) => {
            let summary = survey.finish().expect("a new folder can be written to");
            assert_eq!(summary.won.iter().sum::<usize>() + summary.open, codes.len());
            let written = std::fs::read_to_string(&file).expect("it was written");
            assert_eq!(written.lines().count(), codes.len());
            let kept = written.lines().filter(|line| !line.contains("\"by\":\"none\""));
            // An incomplete last line, which is cut off, may hold any bytes.
            let given = String::from_utf8_lossy(&text);
            kept.for_each(|line| assert!(given.lines().any(|given| given == line), "{line} was not given"));
        }
    }
}

/// Checks that an accepted line is the only form of its record.
fn check_line(record: &Record, line: &str) {
    assert_eq!(json_lines::write(record), line, "written as another line");
    let again = Record::new(record.code(), record.question(), record.finding().clone());
    assert_eq!(again.as_ref(), Ok(record), "a record that cannot be made");
}
