//! Records of surveys. A survey asks one question about many variants. Its file has one line of JSON for each answer
//! (docs/survey.md).
//!
//! `question` is the question. `finding` is the result for one variant. `consistency` checks that a finding can answer
//! a question. `record` is one line of the file. `file` is the whole file, with the journal that grows during a survey.
//! `upgrade` adds checksums to files of older programs.
//!
//! ```
//! use yomikiri_answer::survey::{DecidedBy, Finding, Question, Record, Winner};
//! use yomikiri_table::json_lines;
//!
//! let command = "yomikiri prove bin2x2 --threads 1 --memory 256M --json".to_string();
//! let finding = Finding { winner: Some(Winner::White), by: DecidedBy::Proof, command, ..Finding::default() };
//! let record = Record::new("bin2x2", Question::Winner, finding)?;
//! let line = json_lines::write(&record);
//! assert!(line.starts_with(r#"{"code":"bin2x2","answer":"winner","winner":"white","by":"proof","#));
//! assert_eq!(json_lines::read::<Record>(&line).unwrap(), record);
//! // A flipped bit is found.
//! assert!(json_lines::read::<Record>(&line.replace("white", "whitd")).is_err());
//! # Ok::<(), yomikiri_answer::survey::Inconsistent>(())
//! ```

mod consistency;
mod file;
mod finding;
mod question;
mod record;
#[cfg(test)]
mod tests;
mod upgrade;

pub use consistency::Inconsistent;
pub use file::{SurveyError, SurveyFile, SurveySummary, read_records};
pub use finding::{DecidedBy, Finding, MEMORY, Open, OpenReason, Seconds, Winner};
pub use question::Question;
pub use record::{Record, read_lines};
pub use upgrade::upgrade;
