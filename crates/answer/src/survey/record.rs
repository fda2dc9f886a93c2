//! One line of the file of a survey.

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::{Map, Value};
use yomikiri_rules::AnyGame;
use yomikiri_table::json_lines::{self, LineError};

use super::consistency::{Inconsistent, check};
use super::finding::Finding;
use super::question::Question;

/// What is known of a variant, which is consistent in itself.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Record {
    code: String,
    answer: Question,
    #[serde(flatten)]
    finding: Finding,
}

impl Record {
    /// The record of a code; an error if the finding cannot answer the question about it.
    pub fn new(code: &str, question: Question, finding: Finding) -> Result<Record, Inconsistent> {
        let game = AnyGame::parse(code).map_err(|error| Inconsistent::new(error.to_string()))?;
        if game.code() != code {
            return Err(Inconsistent::new(format!("rule code \"{code}\" is written {}", game.code())));
        }
        check(&game, question, &finding)?;
        Ok(Record { code: code.into(), answer: question, finding })
    }

    /// Rule code of the variant.
    pub fn code(&self) -> &str {
        &self.code
    }

    pub fn question(&self) -> Question {
        self.answer
    }

    pub fn finding(&self) -> &Finding {
        &self.finding
    }

    /// The finding alone.
    pub fn into_finding(self) -> Finding {
        self.finding
    }
}

impl<'de> Deserialize<'de> for Record {
    // Fields that are flattened are read by hand, since serde does not refuse unknown ones among them.
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

/// Reads whole lines; an error has the number of the line, from 1 on.
pub fn read_lines(text: &str) -> impl Iterator<Item = Result<Record, (usize, LineError)>> {
    (1..).zip(text.lines()).map(|(number, line)| json_lines::read(line).map_err(|error| (number, error)))
}
