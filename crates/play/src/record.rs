//! Records of games as text, which people can read and programs can replay.
//!
//! A record consists of lines `name: text`, in any order. Empty lines separate records, and lines that begin with `#`
//! are comments. The line `game` has the rule code, and `moves` has the actions in the game's notation; both are
//! required. The line `start` has the first position if it is not the start of the game. The lines `black`, `white` and
//! `result` are for people.

use super::session::{Ending, Session};
use yomikiri_rules::{AnyGame, Game, Notation, Side, TextError, notation, visible};

/// The record of one game.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Record {
    /// The rule code.
    pub game: String,
    /// The name of Black's player; empty if unknown.
    pub black: String,
    /// The name of White's player; empty if unknown.
    pub white: String,
    /// The first position in the game's notation; empty if it is the start of the game.
    pub start: String,
    /// The actions in the game's notation: moves, `resign`, `draw` and board edits.
    pub moves: Vec<String>,
    /// The result in words; empty while the game goes on.
    pub result: String,
}

impl Record {
    /// Creates the record of a session. `start` is the text of its first position, or empty for the start of the game.
    /// The last argument has the names of the players, Black's first.
    pub fn of(session: &Session, start: &str, [black, white]: [&str; 2]) -> Record {
        Record {
            game: session.game().code(),
            black: black.into(),
            white: white.into(),
            start: start.into(),
            moves: session.words().to_vec(),
            result: session.ending().map_or(String::new(), result),
        }
    }

    /// Returns the lines of the record, each with a line break. Control characters are escaped.
    pub fn text(&self) -> String {
        let moves = self.moves.join(" ");
        let fields = [
            ("game", &self.game),
            ("black", &self.black),
            ("white", &self.white),
            ("start", &self.start),
            ("moves", &moves),
            ("result", &self.result),
        ];
        let said = fields.iter().filter(|(name, text)| !text.is_empty() || *name == "moves");
        said.map(|(name, text)| visible(format!("{name}: {text}").trim_end()) + "\n").collect()
    }

    /// Parses all records of a text, in order. The error names the line.
    pub fn parse_all(text: &str) -> Result<Vec<Record>, TextError> {
        let (mut records, mut begun) = (Vec::new(), None);
        for (line, number) in notation::lines(text).zip(1..) {
            let line = line.trim();
            if line.is_empty() {
                records.extend(finished(begun.take())?);
            } else if !line.starts_with('#') {
                let (record, seen, _) = begun.get_or_insert_with(|| (Record::default(), Vec::new(), number));
                record.read(seen, line).map_err(|problem| TextError::new(format!("line {number}"), problem))?;
            }
        }
        records.extend(finished(begun)?);
        Ok(records)
    }

    /// Parses a line `name: text` and sets the field with this name. `seen` has the names of the record's lines so far.
    fn read(&mut self, seen: &mut Vec<String>, line: &str) -> Result<(), String> {
        let (name, text) = line.split_once(':').ok_or("is not of the form name: text")?;
        let (name, text) = (name.trim_end(), text.trim_start());
        if seen.iter().any(|other| other == name) {
            return Err(format!("\"{name}\" occurs twice in a record; separate records by empty lines"));
        }
        seen.push(name.into());
        let field = match name {
            "game" => &mut self.game,
            "black" => &mut self.black,
            "white" => &mut self.white,
            "start" => &mut self.start,
            "result" => &mut self.result,
            "moves" => {
                self.moves = text.split_whitespace().map(String::from).collect();
                return Ok(());
            }
            _ => return Err(format!("\"{name}\" is not one of game, black, white, start, moves, result")),
        };
        *field = text.into();
        Ok(())
    }

    /// Replays the record. The error names the move that failed.
    pub fn replay<'a>(&self, game: &'a AnyGame) -> Result<Session<'a>, TextError> {
        let start = if self.start.is_empty() { game.start() } else { game.parse_position(&self.start)? };
        let mut session = Session::new(game, start);
        session.act_on_all(&self.moves)?;
        Ok(session)
    }
}

/// A record that is being read, the names of its lines so far, and the line number at which it begins.
type Begun = (Record, Vec<String>, usize);

fn finished(begun: Option<Begun>) -> Result<Option<Record>, TextError> {
    let Some((record, seen, number)) = begun else { return Ok(None) };
    let lacks = |name: &&str| !seen.iter().any(|other| other == name) || *name == "game" && record.game.is_empty();
    match ["game", "moves"].into_iter().find(lacks) {
        Some(name) => Err(TextError::new(format!("record at line {number}"), format!("has no \"{name}\""))),
        None => Ok(Some(record)),
    }
}

/// Returns the result in words: "Black wins", "White wins by resignation", "draw by repetition" or "draw".
pub fn result(ending: Ending) -> String {
    match (ending, ending.winner()) {
        (Ending::Resignation { .. }, Some(winner)) => format!("{winner} wins by resignation"),
        (_, Some(winner)) => format!("{winner} wins"),
        (Ending::Repetition, None) => "draw by repetition".into(),
        (_, None) => "draw".into(),
    }
}

impl Record {
    /// Returns the name of the player of a side.
    pub fn name(&self, side: Side) -> &str {
        side.pick([&self.black, &self.white])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_are_read_as_they_were_written() {
        let game = AnyGame::parse("bin7x6").unwrap();
        let mut session = Session::new(&game, game.start());
        for word in ["4n", "cs1", "&4e#$..0...", "resign"] {
            session.act_on(word).unwrap();
        }
        let record = Record::of(&session, "", ["a person", "search time=1s"]);
        assert_eq!(record.text().lines().last(), Some("result: White wins by resignation"));
        let other = Record { start: "7/7/2ox3/7/7/7 w - - 1".into(), moves: Vec::new(), ..record.clone() };
        let text = format!("# two games\n\n{}\n\n{}", record.text(), other.text());
        assert_eq!(Record::parse_all(&text), Ok(vec![record.clone(), other.clone()]));
        assert_eq!(record.replay(&game).unwrap().position(), session.position());
        assert_eq!(game.position_text(other.replay(&game).unwrap().position()), other.start);
    }

    #[test]
    fn mistakes_are_named() {
        let problem = |text: &str| Record::parse_all(text).unwrap_err().to_string();
        assert_eq!(problem("game: bin7x6\nblack: a"), "record at line 1: has no \"moves\"");
        assert_eq!(problem("moves: 4n"), "record at line 1: has no \"game\"");
        assert_eq!(problem("game:\nmoves: 4n"), "record at line 1: has no \"game\"");
        assert_eq!(problem("game"), "line 1: is not of the form name: text");
        assert_eq!(
            problem("game: a\nwho: b"),
            "line 2: \"who\" is not one of game, black, white, start, moves, result"
        );
        assert!(problem("game: a\nmoves:\ngame: b").starts_with("line 3: \"game\" occurs twice"));
        let record = Record { game: "bin7x6".into(), moves: vec!["4n".into(), "9n".into()], ..Record::default() };
        let error = record.replay(&AnyGame::parse("bin7x6").unwrap()).unwrap_err().to_string();
        assert!(error.starts_with("move \"9n\" (move 2)"), "{error}");
    }
}
