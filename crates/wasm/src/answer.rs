//! Answers to questions.

use std::path::PathBuf;

use serde::Serialize;
use yomikiri_answer::{Answerer, GameList, KeyText, Played, QueryReport, RulesReport, View, Viewed};
use yomikiri_play::player::Patient;
use yomikiri_play::{CombinedPlayer, Limits, Player, Session};
use yomikiri_rules::{AnyGame, FAMILIES, KEY_MARK, TextError, with_game};
use yomikiri_solve::{Playable, Solvable, SolveError};
use yomikiri_table::{Silent, TableError};

use super::files::{Files, Wanted};
use super::question::{Choose, Decode, Nothing, Place, Query, Question};

/// Bytes of memory for what no table reaches, if nobody says otherwise.
const MEMORY: u64 = 64 << 20;

#[derive(Serialize)]
#[serde(untagged)]
enum Reply {
    Games(GameList),
    Rules(RulesReport),
    View(Box<View>),
    Key(KeyOf),
    Decoded(Decoded),
    Query(Box<QueryReport>),
    Choice(Choice),
    Wanted(WantedRanges),
    Error(Problem),
}

/// The key of a position; none on boards without keys.
#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct KeyOf {
    key: Option<KeyText>,
}

/// The position of a key.
#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Decoded {
    position: String,
    /// A picture in several lines.
    text: String,
}

/// A move for the side to move.
#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Choice {
    #[serde(rename = "move")]
    mv: String,
}

/// Bytes of files are missing: hand them in and ask again.
#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct WantedRanges {
    wanted: Vec<Wanted>,
}

/// Why there is no answer, in one line.
#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Problem {
    error: String,
}

impl Place {
    fn played<G: Viewed>(&self, game: &G) -> Result<Played<G>, TextError> {
        let moves = self.moves.as_deref().unwrap_or_default();
        Played::read(game, self.position.as_deref().unwrap_or("startpos"), moves)
    }

    fn view<G: Viewed>(&self, game: &G) -> Result<View, TextError> {
        Ok(View::of(game, &self.played(game)?))
    }

    fn key<G: Viewed>(&self, game: &G) -> Result<KeyOf, TextError> {
        Ok(KeyOf { key: KeyText::of(game, &self.played(game)?.position(game)) })
    }
}

impl Decode {
    fn answer<G: Viewed>(&self, game: &G) -> Result<Decoded, TextError> {
        let key = self.key.trim();
        let position = game.parse_key(key.strip_prefix(KEY_MARK).unwrap_or(key))?;
        Ok(Decoded { position: game.position_text(&position), text: game.board_text(&position) })
    }
}

impl Query {
    fn answer<G: Solvable>(&self, game: &G, files: &Files) -> Result<QueryReport, Failure> {
        let position = game.parse_position(&self.position)?;
        let table = self.table.map(|file| files.table(game, file)).transpose()?;
        let certificate = self.certificate.map(|file| files.certificate(game, file)).transpose()?;
        Ok(QueryReport::ask(
            &mut Answerer::of(game, table, certificate),
            &position,
            self.memory.map_or(MEMORY, u64::from),
            &Silent,
        )?)
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
    let any = |code: &str| AnyGame::parse(code);
    Ok(match serde_json::from_str(question).map_err(|error| Failure::Text(error.to_string()))? {
        Question::Games(Nothing {}) => Reply::Games(GameList::of(FAMILIES)),
        Question::Rules(of) => Reply::Rules(with_game!(&any(&of.rules)?, game => RulesReport::of(game))),
        Question::View(place) => Reply::View(with_game!(&any(&place.rules)?, game => place.view(game)).map(Box::new)?),
        Question::Arrange(arrange) => {
            let view = with_game!(&any(&arrange.rules)?, game => View::arranged(game, &arrange.arrangement))?;
            Reply::View(Box::new(view))
        }
        Question::Encode(place) => Reply::Key(with_game!(&any(&place.rules)?, game => place.key(game))?),
        Question::Decode(decode) => Reply::Decoded(with_game!(&any(&decode.rules)?, game => decode.answer(game))?),
        Question::Query(query) => {
            let report = with_game!(&any(&query.rules)?, game => query.answer(game, files))?;
            Reply::Query(Box::new(report))
        }
        Question::Choose(choose) => Reply::Choice(with_game!(&any(&choose.rules)?, game => choose.answer(game))?),
    })
}

/// The answer to a question, both as JSON. Questions that are none, damaged files and the like are answered with
/// `{"error":"..."}`, missing bytes with `{"wanted":[...]}`.
pub fn answer(files: &Files, question: &str) -> String {
    let reply = reply(files, question);
    let wanted = files.wanted();
    let reply = match reply {
        Err(Failure::Solve(SolveError::Table(error))) if error.is_waiting() => Reply::Wanted(WantedRanges { wanted }),
        Err(Failure::Solve(error)) => Reply::Error(Problem { error: error.to_string() }),
        Err(Failure::Text(error)) => Reply::Error(Problem { error }),
        Ok(reply) => reply,
    };
    serde_json::to_string(&reply).expect("replies are plain data")
}
