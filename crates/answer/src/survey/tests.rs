//! Tests with damaged, foreign and contradictory records.

use std::path::PathBuf;
use std::time::Duration;

use tempfile::TempDir;
use yomikiri_table::json_lines::{self, LineError};

use super::finding::{DecidedBy, Finding, Open, OpenReason, Seconds, Winner};
use super::{Question, Record, SurveyError, SurveyFile, SurveySummary, upgrade};

const COMMAND: &str = "yomikiri prove bin2x2 --threads 1 --memory 256M --json";

fn decided(winner: Winner) -> Finding {
    Finding { winner: Some(winner), by: DecidedBy::Proof, command: COMMAND.into(), ..Finding::default() }
}

/// Makes the finding of an open variant with this time limit and these bounds.
fn open(seconds: u64, at_least: Option<i64>, at_most: Option<i64>) -> Finding {
    let seconds = Some(Seconds::from(Duration::from_secs(seconds)));
    let open = Open { why: OpenReason::Time, seconds, at_least, at_most, ..Open::default() };
    Finding { open: Some(open), by: DecidedBy::Search, command: COMMAND.into(), ..Finding::default() }
}

const CODES: [&str; 2] = ["bin2x2", "bin2x2-kb0.5"];

fn codes() -> Vec<String> {
    CODES.map(String::from).to_vec()
}

/// A folder with a survey that is either finished or has all records in its journal. `text` is the text of the finished
/// file or of the journal.
struct Survey {
    _folder: TempDir,
    file: PathBuf,
    text: String,
}

impl Survey {
    fn new(is_finished: bool) -> Survey {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("out");
        let survey = SurveyFile::open(&file, Question::Winner, &codes()).unwrap();
        let found = [Winner::White, Winner::Black].map(decided);
        survey.add(CODES.map(String::from).into_iter().zip(found).collect()).unwrap();
        if is_finished {
            survey.finish().unwrap();
        }
        let path = if is_finished { file.clone() } else { file.with_extension("journal") };
        Survey { _folder: folder, text: std::fs::read_to_string(path).unwrap(), file }
    }

    /// Removes the survey's files, writes `bytes` to one of them, and opens the survey. `extension` is `journal` for
    /// the journal, or empty for the file that a finished survey leaves.
    fn with(&self, extension: &str, bytes: &[u8]) -> Result<SurveyFile, SurveyError> {
        for extension in ["", "journal"] {
            let _ = std::fs::remove_file(self.file.with_extension(extension));
        }
        std::fs::write(self.file.with_extension(extension), bytes).unwrap();
        SurveyFile::open(&self.file, Question::Winner, &codes())
    }

    fn problem(&self, extension: &str, text: &str) -> String {
        match self.with(extension, text.as_bytes()) {
            Ok(_) => panic!("{text} is accepted"),
            Err(error) => error.to_string(),
        }
    }
}

/// A file with any single bit flipped is refused and stays as it is.
#[test]
fn no_flipped_bit_of_a_file_is_accepted() {
    let survey = Survey::new(true);
    for at in 0..survey.text.len() {
        for bit in 0..8 {
            let mut bytes = survey.text.clone().into_bytes();
            bytes[at] ^= 1 << bit;
            assert!(survey.with("", &bytes).is_err(), "bit {bit} of byte {at}");
            assert_eq!(std::fs::read(&survey.file).unwrap(), bytes);
        }
    }
}

/// A survey accepts an empty file, such as `mktemp` makes, and replaces it at the end.
#[test]
fn an_empty_file_is_written() {
    let survey = Survey::new(true);
    let opened = survey.with("", b"").unwrap();
    opened.add(vec![(CODES[1].into(), decided(Winner::Black))]).unwrap();
    assert_eq!(opened.finish().unwrap(), SurveySummary { all: 2, won: [1, 0, 0], open: 1 });
    assert_eq!(std::fs::read_to_string(&survey.file).unwrap().lines().count(), 2);
}

/// A journal with a bit flipped is refused, unless the flip makes the last line incomplete. Then that line is reported,
/// and its variant is asked about again.
#[test]
fn no_flipped_bit_of_a_journal_changes_what_is_known() {
    let survey = Survey::new(false);
    let (known, _) = (survey.with("journal", survey.text.as_bytes()).unwrap().settled(None, 0), ());
    assert_eq!(known.len(), 2);
    for at in 0..survey.text.len() {
        for bit in 0..8 {
            let mut bytes = survey.text.clone().into_bytes();
            bytes[at] ^= 1 << bit;
            let Ok(opened) = survey.with("journal", &bytes) else { continue };
            assert_eq!(at, survey.text.len() - 1, "bit {bit}");
            assert!(
                opened.truncation_note().unwrap().contains("its last line was incomplete: "),
                "{:?}",
                opened.truncation_note()
            );
            let left = opened.settled(None, 0);
            assert!(left.len() == 1 && left["bin2x2"] == known["bin2x2"]);
        }
    }
}

#[test]
fn the_end_of_a_killed_journal_is_cut_off_and_the_survey_goes_on() {
    let survey = Survey::new(false);
    let first = survey.text.find('\n').unwrap() + 1;
    for length in first..survey.text.len() {
        let opened = survey.with("journal", &survey.text.as_bytes()[..length]).unwrap();
        let torn = length - first;
        assert_eq!(opened.truncation_note().is_some(), torn > 0);
        assert!(opened.truncation_note().is_none_or(|line| line.contains(&format!(": {torn} bytes are cut off"))));
        opened.add(vec![(CODES[1].into(), decided(Winner::Black))]).unwrap();
        let journal = std::fs::read_to_string(survey.file.with_extension("journal")).unwrap();
        assert_eq!(journal, survey.text, "behind {length} bytes");
        let summary = opened.finish().unwrap();
        assert_eq!(summary, SurveySummary { all: 2, won: [1, 1, 0], open: 0 });
        assert_eq!(std::fs::read_to_string(&survey.file).unwrap(), survey.text);
    }
}

#[test]
fn problems_name_the_line() {
    let survey = Survey::new(true);
    let lines: Vec<&str> = survey.text.lines().collect();
    let out = survey.file.display().to_string();
    let both = |second: &str| format!("{}\n{second}\n", lines[0]);
    let again = "delete the line to ask about its variant again";
    assert_eq!(
        survey.problem("", &both(&lines[1].replace("black", "blacj"))),
        format!("{out}: line 2 does not match its checksum; {again}")
    );
    let plain = lines[1].split(",\"crc32\"").next().unwrap().to_string() + "}";
    assert_eq!(
        survey.problem("journal", &both(&plain)),
        format!(
            "{out}.journal: line 2 has no checksum; if an older version wrote the file, run \
             \"yomikiri survey --upgrade {out}\""
        )
    );
    let summed = |from: &str, to: &str| json_lines::with_sum(&plain.replace(from, to));
    assert!(
        survey
            .problem("", &both(&summed("black", "blacj")))
            .contains("line 2 has unexpected contents: unknown variant")
    );
    let unknown = survey.problem("", &both(&summed("\"by\"", "\"more\":1,\"by\"")));
    assert!(unknown.contains("line 2 has unexpected contents: unknown field `more`"), "{unknown}");
    assert!(survey.problem("", &both(&summed(":\"black\"", ":null"))).contains("neither decided nor open"));
    assert!(survey.problem("", &both(&summed("\"winner\":\"black\",", ""))).contains("missing field `winner`"));
    assert!(survey.problem("", &both(&summed("bin2x2-kb0.5", "bin9x9"))).contains("contradicts itself: "));
    assert!(survey.problem("", &both(&summed("bin2x2-kb0.5", "bin2x2-kw0.5"))).contains("should be written bin2x2"));
    assert!(survey.problem("", &both(&summed("\"by\":", "\"by\": "))).contains("is not formatted as this program"));
    assert!(survey.problem("", &both(lines[0])).ends_with("line 2 repeats a rule code; use another file"));
    assert!(survey.problem("", lines[0]).ends_with("ends within a line; use another file"));
    let text = both(lines[1]).replace('p', "\u{e9}").into_bytes();
    let latin: Vec<u8> = text.iter().copied().filter(|&byte| byte != 0xc3).collect();
    let Err(error) = survey.with("", &latin) else { panic!("no text") };
    assert!(error.to_string().ends_with("line 1 is not UTF-8; use another file"), "{error}");
}

#[test]
fn less_time_tells_less_unless_bounds_are_narrower() {
    let before = open(60, Some(-2), None);
    for (finding, is_kept) in [
        (open(10, Some(-2), None), true),
        (open(10, None, None), true),
        (open(60, None, None), false),
        (open(10, Some(0), None), false),
        (open(10, Some(-2), Some(8)), false),
        (decided(Winner::Black), false),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let survey = SurveyFile::open(&folder.path().join("out"), Question::Winner, &codes()).unwrap();
        for finding in [&before, &finding] {
            survey.add(vec![(CODES[0].into(), finding.clone())]).unwrap();
        }
        let known = survey.settled(None, 0).get(CODES[0]).cloned();
        let text = std::fs::read_to_string(folder.path().join("out.journal")).unwrap();
        assert_eq!(text.lines().count(), if is_kept { 1 } else { 2 }, "{finding:?}");
        assert_eq!(known.is_some(), finding.open.is_none(), "what is decided is asked about no more");
    }
}

#[test]
fn what_contradicts_itself_is_no_record() {
    let problem = |code: &str, question: Question, finding: Finding| {
        Record::new(code, question, finding).unwrap_err().to_string()
    };
    let black = || decided(Winner::Black);
    let table = || Finding { by: DecidedBy::Whole, positions: Some(48), draws: Some(0), longest: Some(7), ..black() };
    let first = |moves: &[&str]| Some(moves.iter().map(ToString::to_string).collect::<Vec<_>>());
    let open_with = |open: Open| Finding { open: Some(open), winner: None, ..black() };
    for (code, question, finding, what) in [
        ("bin2x2", Question::Winner, Finding { winner: None, ..black() }, "neither decided nor open"),
        ("bin2x2", Question::Winner, Finding { by: DecidedBy::None, ..black() }, "decided without a method"),
        ("bin2x2", Question::Winner, Finding { plies: Some(3), ..black() }, "plies or a score that nobody asked for"),
        (
            "bin2x2",
            Question::Winner,
            Finding { first_moves: first(&[]), ..black() },
            "first moves that were not asked for",
        ),
        ("bin2x2", Question::Winner, Finding { by_targets: true, ..black() }, "a fair komi that was not asked for"),
        ("bin2x2", Question::Winner, Finding { nodes: Some(1), ..black() }, "nodes without a search"),
        ("bin2x2", Question::Winner, Finding { positions: Some(1), ..black() }, "positions without a table"),
        ("bin2x2", Question::Winner, Finding { draws: Some(49), ..table() }, "more draws than positions"),
        (
            "bin2x2",
            Question::Winner,
            Finding { draws: None, ..table() },
            "a number of positions but none of draws, or the reverse",
        ),
        (
            "bin2x2",
            Question::Winner,
            Finding { command: "rm -r".into(), ..black() },
            "a command that is not a yomikiri command",
        ),
        (
            "bin2x2",
            Question::Winner,
            Finding { command: COMMAND.replace(' ', "\n"), ..black() },
            "a command that is not a yomikiri command",
        ),
        ("bin2x2", Question::Plies, black(), "decided without plies or points"),
        ("rev3x3", Question::Plies, Finding { plies: Some(3), ..black() }, "plies of a game about points"),
        ("rev3x3", Question::Plies, Finding { score: Some(-9), ..black() }, "points that disagree with the winner"),
        ("rev3x3", Question::Plies, Finding { score: Some(90), ..black() }, "more points than a board has"),
        ("pyon3x3", Question::Plies, Finding { plies: Some(1), ..decided(Winner::Draw) }, "a draw with plies"),
        ("con3x3-k3", Question::FairKomi, black(), "a fair komi of a game without points"),
        ("bin2x2", Question::FairKomi, black(), "decided without a fair komi"),
        ("bin2x2", Question::FairKomi, Finding { fair_komi: Some(-1), ..black() }, "points that disagree"),
        ("bin2x2", Question::FirstMoves, black(), "decided without first moves"),
        ("bin2x2", Question::FirstMoves, Finding { first_moves: first(&[]), ..black() }, "no first move that keeps"),
        (
            "bin2x2",
            Question::FirstMoves,
            Finding { first_moves: first(&["9n"]), ..black() },
            "\"9n\" is not a legal first move",
        ),
        ("bin2x2", Question::FirstMoves, Finding { first_moves: first(&["an", "2n"]), ..black() }, ""),
        ("bin2x2", Question::Winner, open_with(Open { memory: 0, ..Open::default() }), "open with a memory limit of 0"),
        (
            "bin2x2",
            Question::Plies,
            open_with(Open { at_least: Some(9), at_most: Some(8), ..Open::default() }),
            "a lower bound above the upper one",
        ),
        (
            "bin2x2",
            Question::Winner,
            open_with(Open { why: OpenReason::Said("two\nlines".into()), ..Open::default() }),
            "a reason that is not one line",
        ),
    ] {
        let said = problem(code, question, finding);
        assert!(said.starts_with(&format!("contradicts itself: {what}")), "{said}, not {what}");
    }
}

/// An answer that contradicts itself does not count: its variant stays open.
#[test]
fn an_answer_that_contradicts_itself_leaves_its_variant_open() {
    let folder = tempfile::tempdir().unwrap();
    let survey = SurveyFile::open(&folder.path().join("out"), Question::Winner, &codes()).unwrap();
    survey.add(vec![(CODES[0].into(), Finding { nodes: Some(1), ..decided(Winner::Black) })]).unwrap();
    assert_eq!(survey.finish().unwrap().open, 2);
    let text = std::fs::read_to_string(folder.path().join("out")).unwrap();
    assert!(text.contains("\"why\":\"its answer contradicts itself: nodes without a search\""), "{text}");
}

#[test]
fn files_of_older_programs_are_upgraded_once() {
    let survey = Survey::new(true);
    let plain = |line: &str| line.split(",\"crc32\"").next().unwrap().to_string() + "}\n";
    let old: String = survey.text.lines().map(plain).collect();
    let journal = survey.file.with_extension("journal");
    std::fs::write(&survey.file, &old).unwrap();
    std::fs::write(&journal, format!("{}{{\"code\":\"bin", old.lines().next().unwrap().to_string() + "\n")).unwrap();
    assert_eq!(upgrade(&survey.file).unwrap(), 3);
    assert_eq!(std::fs::read_to_string(&survey.file).unwrap(), survey.text);
    assert_eq!(std::fs::read_to_string(&journal).unwrap(), survey.text.lines().next().unwrap().to_string() + "\n");
    assert_eq!(upgrade(&survey.file).unwrap(), 0);
    // A damaged line is not upgraded.
    for (from, to) in
        [("white", "whitf"), (",\"by\"", ", \"by\""), ("\"winner\"", "\"winnes\""), ("bin2x2\"", "bin2x3\",")]
    {
        std::fs::write(&survey.file, old.replacen(from, to, 1)).unwrap();
        let before = std::fs::read(&survey.file).unwrap();
        assert!(matches!(upgrade(&survey.file), Err(SurveyError::Refused { .. })), "{to}");
        assert_eq!(std::fs::read(&survey.file).unwrap(), before);
    }
    // A line with a damaged checksum field is not taken for a line without a checksum.
    let damaged = survey.text.replacen("crc32", "crc33", 1);
    std::fs::write(&survey.file, &damaged).unwrap();
    assert!(
        upgrade(&survey.file)
            .unwrap_err()
            .to_string()
            .contains("line 1 has unexpected contents: unknown field `crc33`")
    );
    assert!(upgrade(&survey.file.with_file_name("none")).is_err());
}

#[test]
fn a_plain_record_has_no_checksum() {
    let plain = json_lines::read_plain::<Record>("{}").unwrap_err();
    assert!(matches!(plain, LineError::Unread(_)), "{plain}");
}
