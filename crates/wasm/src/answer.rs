//! Questions and answers.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};
use yomikiri_answer::{Answerer, QueryReport};
use yomikiri_play::player::Patient;
use yomikiri_play::{CombinedPlayer, Limits, Player, Session};
use yomikiri_rules::{AnyGame, TextError, with_game};
use yomikiri_solve::{Playable, Solvable, SolveError};
use yomikiri_table::{Silent, TableError};

use super::files::{Files, Wanted};

/// What can be asked, as `{"query":{...}}` and `{"choose":{...}}`.
#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
enum Question {
    Query(Query),
    Choose(Choose),
}

/// The value of a position and of its moves.
#[derive(Deserialize)]
struct Query {
    rules: String,
    position: String,
    /// Numbers of files with a table and with a certificate of these rules.
    table: Option<u32>,
    certificate: Option<u32>,
    /// Bytes of memory for what no table reaches.
    #[serde(default = "memory")]
    memory: u64,
}

/// A move for the side to move, found by looking ahead, without files.
#[derive(Deserialize)]
struct Choose {
    rules: String,
    position: String,
    /// Positions to look at and plies to look ahead, at most; at least one of them.
    nodes: Option<u64>,
    depth: Option<u32>,
}

fn memory() -> u64 {
    64 << 20
}

#[derive(Serialize)]
#[serde(untagged)]
enum Reply {
    Query(QueryReport),
    Choice(Choice),
    Wanted { wanted: Vec<Wanted> },
    Error { error: String },
}

#[derive(Serialize)]
struct Choice {
    #[serde(rename = "move")]
    mv: String,
}

impl Query {
    fn answer<G: Solvable>(&self, game: &G, files: &Files) -> Result<QueryReport, Failure> {
        let position = game.parse_position(&self.position)?;
        let table = self.table.map(|file| files.table(game, file)).transpose()?;
        let certificate = self.certificate.map(|file| files.certificate(game, file)).transpose()?;
        Ok(QueryReport::ask(&mut Answerer::of(game, table, certificate), &position, self.memory, &Silent)?)
    }
}

impl Choose {
    fn answer<G: Playable>(&self, game: &G) -> Result<Choice, Failure> {
        let position = game.parse_position(&self.position)?;
        if game.terminal_value(&position).is_some() {
            return Err(Failure::Text("the game is over".into()));
        }
        let limits = Limits { nodes: self.nodes, depth: self.depth, ..Limits::default() };
        if limits == Limits::default() {
            return Err(Failure::Text("needs nodes or depth: there is no clock to end the search".into()));
        }
        let mut player = CombinedPlayer::new(game, PathBuf::new());
        player.uses_table = false;
        let choice = player.choose(&Session::new(game, position), &limits, &mut Patient)?;
        Ok(Choice { mv: game.move_text(choice.mv) })
    }
}

/// Why there is no answer.
#[derive(Debug)]
enum Failure {
    Text(String),
    Solve(SolveError),
}

impl From<TextError> for Failure {
    fn from(error: TextError) -> Failure {
        Failure::Text(error.to_string())
    }
}

impl From<SolveError> for Failure {
    fn from(error: SolveError) -> Failure {
        Failure::Solve(error)
    }
}

impl From<TableError> for Failure {
    fn from(error: TableError) -> Failure {
        Failure::Solve(error.into())
    }
}

fn reply(files: &Files, question: &str) -> Result<Reply, Failure> {
    match serde_json::from_str(question).map_err(|error| Failure::Text(error.to_string()))? {
        Question::Query(query) => {
            with_game!(&AnyGame::parse(&query.rules)?, game => query.answer(game, files)).map(Reply::Query)
        }
        Question::Choose(choose) => {
            with_game!(&AnyGame::parse(&choose.rules)?, game => choose.answer(game)).map(Reply::Choice)
        }
    }
}

/// The answer to a question, both as JSON. Questions that are none, damaged files and the like are answered with
/// `{"error":"..."}`, missing bytes with `{"wanted":[...]}`.
pub fn answer(files: &Files, question: &str) -> String {
    let reply = reply(files, question);
    let wanted = files.wanted();
    let reply = match reply {
        Err(Failure::Solve(SolveError::Table(error))) if error.is_waiting() => Reply::Wanted { wanted },
        Err(Failure::Solve(error)) => Reply::Error { error: error.to_string() },
        Err(Failure::Text(error)) => Reply::Error { error },
        Ok(reply) => reply,
    };
    serde_json::to_string(&reply).expect("replies are plain data")
}
