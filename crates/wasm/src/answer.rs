//! Answers to questions.

use serde::Serialize;
use yomikiri_answer::{
    Answerer, GameList, KeyText, LineReport, Played, QueryReport, RulesReport, Source, View, Viewed,
};
use yomikiri_play::{CombinedPlayer, Limits, Listener, Player, Report, Session, Strength, WeakenedPlayer};
use yomikiri_rules::{FAMILIES, KEY_MARK, TextError, with_game};
use yomikiri_solve::{Playable, Solvable, SolveError};
use yomikiri_table::{Silent, TableError};

use super::files::{Files, Wanted};
use super::games::Games;
use super::question::{Arrange, BestLine, Choose, Decode, Nothing, Place, Query, Question};

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
    Line(LineReport),
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
    /// What is known to say so; none if the move was found by looking ahead.
    source: Option<Source>,
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

/// Opens the files that a question names.
fn answerer<'a, G: Solvable>(
    game: &'a G,
    files: &Files,
    table: Option<u32>,
    certificate: Option<u32>,
) -> Result<Answerer<'a, G>, TableError> {
    let table = table.map(|file| files.table(game, file)).transpose()?;
    let certificate = certificate.map(|file| files.certificate(game, file)).transpose()?;
    Ok(Answerer::of(game, table, certificate))
}

impl Query {
    fn answer<G: Solvable>(&self, game: &G, files: &Files) -> Result<QueryReport, Failure> {
        let position = game.parse_position(&self.position)?;
        let mut answerer = answerer(game, files, self.table, self.certificate)?;
        Ok(QueryReport::ask(&mut answerer, &position, self.memory.map_or(MEMORY, u64::from), &Silent)?)
    }
}

impl BestLine {
    fn answer<G: Solvable>(&self, game: &G, files: &Files) -> Result<LineReport, Failure> {
        let position = game.parse_position(&self.position)?;
        if game.terminal_value(&position).is_some() {
            return Err(over());
        }
        let mut answerer = answerer(game, files, self.table, self.certificate)?;
        let memory = self.memory.map_or(MEMORY, u64::from);
        Ok(answerer.line(&position, self.plies as usize, memory, &Silent)?.report(game))
    }
}

/// Keeps what is known to tell the move.
struct Told(Option<Source>);

impl<M> Listener<M> for Told {
    fn hear(&mut self, report: Report<M>) {
        if let Report::Known { source, .. } = report {
            self.0 = Some(source);
        }
    }

    fn wants_answer(&mut self) -> bool {
        false
    }
}

impl Choose {
    fn answer<G: Playable>(&self, game: &G, files: &Files) -> Result<Choice, Failure> {
        let mut session = Session::new(game, game.parse_position(&self.position)?);
        session.act_on_all(self.moves.as_deref().unwrap_or_default())?;
        if session.ending().is_some() {
            return Err(over());
        }
        let limits = Limits { nodes: self.nodes, depth: self.depth, ..Limits::default() };
        if limits == Limits::default() {
            return Err(Failure::Text("needs nodes or depth: there is no clock to end the search".into()));
        }
        let strength = self.strength.map_or(Some(Strength::FULL), Strength::new);
        let strength = strength.ok_or_else(|| Failure::Text("strength is no number from 0 to 100".into()))?;
        let best = CombinedPlayer::of(answerer(game, files, self.table, self.certificate)?);
        let mut player = WeakenedPlayer::new(best, strength, self.seed.unwrap_or_default().into());
        let mut told = Told(None);
        let choice = player.choose(&session, &limits, &mut told)?;
        Ok(Choice { mv: game.move_text(choice.mv), source: told.0 })
    }
}

fn over() -> Failure {
    Failure::Text("the game is over".into())
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

fn reply(files: &Files, games: &Games, question: &str) -> Result<Reply, Failure> {
    let any = |code: &str| games.find(code);
    Ok(match serde_json::from_str(question).map_err(|error| Failure::Text(error.to_string()))? {
        Question::Games(Nothing {}) => Reply::Games(GameList::of(FAMILIES)),
        Question::Rules(of) => Reply::Rules(with_game!(&*any(&of.rules)?, game => RulesReport::of(game))),
        Question::View(place) => Reply::View(Box::new(with_game!(&*any(&place.rules)?, game => place.view(game))?)),
        Question::Arrange(Arrange { rules, arrangement }) => {
            Reply::View(Box::new(with_game!(&*any(&rules)?, game => View::arranged(game, &arrangement))?))
        }
        Question::Encode(place) => Reply::Key(with_game!(&*any(&place.rules)?, game => place.key(game))?),
        Question::Decode(decode) => Reply::Decoded(with_game!(&*any(&decode.rules)?, game => decode.answer(game))?),
        Question::Query(query) => {
            Reply::Query(Box::new(with_game!(&*any(&query.rules)?, game => query.answer(game, files))?))
        }
        Question::Line(line) => Reply::Line(with_game!(&*any(&line.rules)?, game => line.answer(game, files))?),
        Question::Choose(choose) => {
            Reply::Choice(with_game!(&*any(&choose.rules)?, game => choose.answer(game, files))?)
        }
    })
}

/// The answer to a question, both as JSON. Questions that are none, damaged files and the like are answered with
/// `{"error":"..."}`, missing bytes with `{"wanted":[...]}`.
pub fn answer(files: &Files, games: &Games, question: &str) -> String {
    let reply = reply(files, games, question);
    let wanted = files.wanted();
    let reply = match reply {
        Err(Failure::Solve(error)) if error.is_waiting() => Reply::Wanted(WantedRanges { wanted }),
        Err(Failure::Solve(error)) => Reply::Error(Problem { error: error.to_string() }),
        Err(Failure::Text(error)) => Reply::Error(Problem { error }),
        Ok(reply) => reply,
    };
    serde_json::to_string(&reply).expect("replies are plain data")
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    /// The certificate of a small board.
    const PROOF: &[u8] = include_bytes!("../../../precomp/proofs/bin5x5-s3c.proof");

    fn ask(files: &Files, question: &Value) -> Value {
        serde_json::from_str(&answer(files, &Games::default(), &question.to_string())).unwrap()
    }

    /// The answer to a question about a certificate, whose bytes are handed in as they are wanted.
    fn ask_certificate(name: &str, mut question: Value) -> Value {
        let mut files = Files::default();
        let file = files.open(PROOF.len() as u64);
        let fields = question.as_object_mut().unwrap();
        fields.extend([("rules".into(), json!("bin5x5-s3c")), ("certificate".into(), json!(file))]);
        let question = json!({ name: question });
        for rounds in 0.. {
            let answer = ask(&files, &question);
            let Some(wanted) = answer["wanted"].as_array() else {
                assert!(rounds > 2, "{answer}");
                files.close(file);
                assert!(ask(&files, &question)["error"].as_str().unwrap().contains("is not open"));
                return answer;
            };
            for range in wanted {
                let [start, end] = ["start", "end"].map(|name| range[name].as_u64().unwrap() as usize);
                files.give(file, start as u64, PROOF[start..end].to_vec());
            }
        }
        unreachable!()
    }

    #[test]
    fn the_winner_of_a_certificate_plays_by_it_at_any_strength() {
        let choose = |strength, seed| {
            let question = json!({"position": "startpos", "nodes": 1, "strength": strength, "seed": seed});
            ask_certificate("choose", question)
        };
        let moves = ask_certificate("query", json!({"position": "startpos"}))["moves"].clone();
        let wins = |choice: &Value| {
            let is_it = |mv: &&Value| mv["move"] == choice["move"];
            moves.as_array().unwrap().iter().find(is_it).unwrap()["outcome"] == "win"
        };
        let best = choose(100, 0);
        assert!(wins(&best) && best["source"] == "certificate", "{best}");
        assert!((0..8).all(|seed| wins(&choose(99, seed))));
        let drawn: Vec<Value> = (0..8).map(|seed| choose(0, seed)).collect();
        assert_eq!(choose(0, 3), drawn[3]);
        // What a certificate does not know is searched.
        let mv = drawn.iter().find(|choice| !wins(choice)).unwrap();
        let lost = json!({"position": "startpos", "moves": [mv["move"]], "nodes": 100});
        assert_eq!(ask_certificate("choose", lost)["source"], Value::Null);
    }

    #[test]
    fn a_line_of_a_certificate_is_as_long_as_asked_for() {
        let line = ask_certificate("line", json!({"position": "startpos", "plies": 5}));
        assert_eq!((line["moves"].as_array().unwrap().len(), line["ends"].as_str()), (5, Some("cut")));
        assert_eq!(line["known_by"], "certificate");
    }

    #[test]
    fn questions_that_make_no_sense_are_told_why() {
        let error = |question: Value| ask(&Files::default(), &question)["error"].as_str().unwrap().to_string();
        let over = "oxxxxxx/xooxxxx/oxxoooo/xooxxxx/oxxoooo/xooxxxx b 1234567abcdef 4//12/9// 24";
        for name in ["line", "choose"] {
            let question = json!({name: {"rules": "bin7x6", "position": over, "plies": 1, "nodes": 1}});
            assert_eq!(error(question), "the game is over");
        }
        let choose = |more: Value| {
            let mut question = json!({"rules": "bin2x2", "position": "startpos"});
            question.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
            error(json!({"choose": question}))
        };
        assert!(choose(json!({"strength": 5})).contains("nodes or depth"));
        assert!(choose(json!({"strength": 101, "depth": 1})).contains("from 0 to 100"));
        assert!(choose(json!({"moves": ["2n", "9n"], "depth": 1})).contains("move \"9n\" (number 2 of moves)"));
    }
}
