//! One line of the file of a survey.

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::{Map, Value};
use yomikiri_rules::{AnyGame, Game};
use yomikiri_table::json_lines::{self, LineError};

use super::consistency::{Inconsistent, check};
use super::finding::Finding;
use super::question::Question;

/// One line of the file of a survey: a rule code, the question and the finding. The finding is always a possible answer
/// to the question.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Record {
    code: String,
    answer: Question,
    #[serde(flatten)]
    finding: Finding,
}

impl Record {
    /// Creates the record of a rule code, which must be in its shortest form. Returns an error if the finding cannot be
    /// an answer to the question.
    pub fn new(code: &str, question: Question, finding: Finding) -> Result<Record, Inconsistent> {
        let game = AnyGame::parse(code).map_err(|error| Inconsistent::new(error.to_string()))?;
        if game.code() != code {
            return Err(Inconsistent::new(format!("rule code \"{code}\" should be written {}", game.code())));
        }
        check(&game, question, &finding)?;
        Ok(Record { code: code.into(), answer: question, finding })
    }

    /// Returns the rule code of the variant.
    pub fn code(&self) -> &str {
        &self.code
    }

    /// Returns the question of the survey.
    pub fn question(&self) -> Question {
        self.answer
    }

    /// Returns the finding about the variant.
    pub fn finding(&self) -> &Finding {
        &self.finding
    }

    /// Returns the finding and drops the rest of the record.
    pub fn into_finding(self) -> Finding {
        self.finding
    }
}

impl<'de> Deserialize<'de> for Record {
    // Reads flattened fields by hand, because serde does not reject unknown fields among them.
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Record, D::Error> {
        let mut fields = Map::deserialize(deserializer)?;
        let mut take = |name: &'static str| fields.remove(name).ok_or_else(|| D::Error::missing_field(name));
        let (code, question) = (take("code")?, take("answer")?);
        let code = String::deserialize(code).map_err(D::Error::custom)?;
        let question = Question::deserialize(question).map_err(D::Error::custom)?;
        let finding = Finding::deserialize(Value::Object(fields)).map_err(D::Error::custom)?;
        Record::new(&code, question, finding).map_err(D::Error::custom)
    }
}

/// Reads complete lines, in order. An error has the number of its line, counted from 1.
pub fn read_lines(text: &str) -> impl Iterator<Item = Result<Record, (usize, LineError)>> {
    (1..).zip(text.lines()).map(|(number, line)| json_lines::read(line).map_err(|error| (number, error)))
}
