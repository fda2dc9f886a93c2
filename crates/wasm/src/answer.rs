//! Answers questions. Questions and answers are JSON.

use serde::Serialize;
use yomikiri_answer::{GameList, KeyText, Played, RulesReport, View};
#[cfg(feature = "values")]
use yomikiri_answer::{LineReport, QueryReport};
use yomikiri_rules::{AnyGame, FAMILIES, KEY_MARK, Notation, Presentation, TextError};
use yomikiri_solve::SolveError;

use super::failure::{Failure, TOO_LARGE};
use super::files::{Files, Wanted};
use super::games::Games;
use super::question::{Arrange, Decode, Nothing, Place, Question};
#[cfg(feature = "values")]
use super::values::Choice;

#[derive(Serialize)]
#[serde(untagged)]
enum Reply {
    Games(GameList),
    Rules(RulesReport),
    View(Box<View>),
    Key(KeyOf),
    Decoded(Decoded),
    #[cfg(feature = "values")]
    Query(Box<QueryReport>),
    #[cfg(feature = "values")]
    Line(LineReport),
    #[cfg(feature = "values")]
    Choice(Choice),
    Wanted(WantedRanges),
    Error(Problem),
}

/// The key of a position; `null` on boards without keys.
#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct KeyOf {
    key: Option<KeyText>,
}

/// The position of a key.
#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Decoded {
    /// The position, in the game's notation.
    position: String,
    /// The board as text, in several lines.
    text: String,
}

/// The ranges of files whose bytes are missing. Hand in these bytes and ask again.
#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct WantedRanges {
    wanted: Vec<Wanted>,
}

/// The error that prevented an answer, in one line.
#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Problem {
    error: String,
}

impl Place {
    fn played(&self, game: &AnyGame) -> Result<Played, TextError> {
        let moves = self.moves.as_deref().unwrap_or_default();
        Played::read(game, self.position.as_deref().unwrap_or("startpos"), moves)
    }

    fn view(&self, game: &AnyGame) -> Result<View, TextError> {
        Ok(View::of(game, &self.played(game)?))
    }

    fn key(&self, game: &AnyGame) -> Result<KeyOf, TextError> {
        Ok(KeyOf { key: KeyText::of(game, &self.played(game)?.position(game)) })
    }
}

impl Decode {
    fn answer(&self, game: &AnyGame) -> Result<Decoded, TextError> {
        let key = self.key.trim();
        let position = game.parse_key(key.strip_prefix(KEY_MARK).unwrap_or(key))?;
        Ok(Decoded { position: game.position_text(&position), text: game.board_text(&position) })
    }
}

fn reply(
    #[cfg_attr(not(feature = "values"), expect(unused_variables))] files: &Files,
    games: &Games,
    question: &str,
) -> Result<Reply, Failure> {
    let any = |code: &str| games.find(code);
    Ok(match serde_json::from_str(question).map_err(|error| Failure::Text(error.to_string()))? {
        Question::Games(Nothing {}) => Reply::Games(GameList::of(FAMILIES)),
        Question::Rules(of) => Reply::Rules(RulesReport::of(&*any(&of.rules)?)),
        Question::View(place) => Reply::View(Box::new(place.view(&*any(&place.rules)?)?)),
        Question::Arrange(Arrange { rules, arrangement }) => {
            Reply::View(Box::new(View::arranged(&*any(&rules)?, &arrangement)?))
        }
        Question::Encode(place) => Reply::Key(place.key(&*any(&place.rules)?)?),
        Question::Decode(decode) => Reply::Decoded(decode.answer(&*any(&decode.rules)?)?),
        #[cfg(feature = "values")]
        Question::Query(query) => Reply::Query(Box::new(query.answer(&*any(&query.rules)?, files)?)),
        #[cfg(feature = "values")]
        Question::Line(line) => Reply::Line(line.answer(&*any(&line.rules)?, files)?),
        #[cfg(feature = "values")]
        Question::Choose(choose) => Reply::Choice(choose.answer(&*any(&choose.rules)?, files)?),
    })
}

/// Answers a question. The question and the answer are JSON. The answer is `{"error":"..."}` if there is an error, such
/// as a malformed question or a damaged file. It is `{"wanted":[...]}` if bytes of a file are missing.
pub fn answer(files: &Files, games: &Games, question: &str) -> String {
    let reply = reply(files, games, question);
    let wanted = files.wanted();
    let reply = match reply {
        Err(Failure::Solve(error)) if error.is_waiting() => Reply::Wanted(WantedRanges { wanted }),
        // The messages of `TooLarge` suggest options and commands of the program, which the caller does not have.
        Err(Failure::Solve(SolveError::TooLarge(_))) => Reply::Error(Problem { error: TOO_LARGE.into() }),
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

    /// The certificate of a small board, as bytes.
    const PROOF: &[u8] = include_bytes!("../../../precomp/proofs/bin5x5-s3c.proof");

    fn ask(files: &Files, question: &Value) -> Value {
        serde_json::from_str(&answer(files, &Games::default(), &question.to_string())).unwrap()
    }

    /// Asks a question about the certificate [`PROOF`]. Hands in bytes of the file whenever the answer wants them.
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
        // A position that the certificate does not decide is searched.
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
        assert!(choose(json!({"moves": ["2n", "9n"], "depth": 1})).contains("move \"9n\" (move 2)"));
    }
}
