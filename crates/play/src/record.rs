//! Games as text: what was played by whom, so that people can read it and programs play it again.
//!
//! A record is a few lines `name: text`, in any order; records stand apart by empty lines. Lines that begin with `#`
//! are remarks. `game` is a rule code and `moves` what was done, in the game's notation; both have to be there.
//! `start` is the first position if it is not that of the game; `black`, `white` and `result` are for people.

use super::session::{Ending, Session};
use yomikiri_rules::{Game, Side, TextError, notation, visible};

/// One game.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Record {
    /// Rule code.
    pub game: String,
    /// Who played; empty if nobody said.
    pub black: String,
    pub white: String,
    /// The first position; empty for that of the game.
    pub start: String,
    /// Moves, `resign`, `draw` and board edits.
    pub moves: Vec<String>,
    /// How it ended; empty while it goes on.
    pub result: String,
}

impl Record {
    /// A session as a record; `start` is the text of its first position, empty for that of the game.
    pub fn of<G: Game>(session: &Session<G>, start: &str, [black, white]: [&str; 2]) -> Record {
        Record {
            game: session.game().code(),
            black: black.into(),
            white: white.into(),
            start: start.into(),
            moves: session.words().to_vec(),
            result: session.ending().map_or(String::new(), result),
        }
    }

    /// The lines of the record, control characters written out, with a line break after each.
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

    /// Reads all records of a text. An error names the line.
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

    /// Takes in a line; `seen` are the names so far.
    fn read(&mut self, seen: &mut Vec<String>, line: &str) -> Result<(), String> {
        let (name, text) = line.split_once(':').ok_or("is not a name and a text with a colon between them")?;
        let (name, text) = (name.trim_end(), text.trim_start());
        if seen.iter().any(|other| other == name) {
            return Err(format!("\"{name}\" stands twice in a record; empty lines go between records"));
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
            _ => return Err(format!("\"{name}\" is none of game, black, white, start, moves, result")),
        };
        *field = text.into();
        Ok(())
    }

    /// Plays the record again. An error names the move.
    pub fn replay<'a, G: Game>(&self, game: &'a G) -> Result<Session<'a, G>, TextError> {
        let start = if self.start.is_empty() { game.start() } else { game.parse_position(&self.start)? };
        let mut session = Session::new(game, start);
        session.act_on_all(&self.moves)?;
        Ok(session)
    }
}

/// A record being read with the names of its lines and the number of the first.
type Begun = (Record, Vec<String>, usize);

fn finished(begun: Option<Begun>) -> Result<Option<Record>, TextError> {
    let Some((record, seen, number)) = begun else { return Ok(None) };
    let lacks = |name: &&str| !seen.iter().any(|other| other == name) || *name == "game" && record.game.is_empty();
    match ["game", "moves"].into_iter().find(lacks) {
        Some(name) => Err(TextError::new(format!("record from line {number} on"), format!("has no \"{name}\""))),
        None => Ok(Some(record)),
    }
}

/// "Black wins", "White wins by resignation", "draw by repetition", "draw".
pub fn result(ending: Ending) -> String {
    match (ending, ending.winner()) {
        (Ending::Resignation { .. }, Some(winner)) => format!("{winner} wins by resignation"),
        (_, Some(winner)) => format!("{winner} wins"),
        (Ending::Repetition, None) => "draw by repetition".into(),
        (_, None) => "draw".into(),
    }
}

impl Record {
    /// The name of the one who played a side.
    pub fn name(&self, side: Side) -> &str {
        side.pick([&self.black, &self.white])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use yomikiri_rules::games::binarsi::Binarsi;

    #[test]
    fn records_are_read_as_they_were_written() {
        let game = Binarsi::parse("bin7x6").unwrap();
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
        assert_eq!(problem("game: bin7x6\nblack: a"), "record from line 1 on: has no \"moves\"");
        assert_eq!(problem("moves: 4n"), "record from line 1 on: has no \"game\"");
        assert_eq!(problem("game:\nmoves: 4n"), "record from line 1 on: has no \"game\"");
        assert_eq!(problem("game"), "line 1: is not a name and a text with a colon between them");
        assert_eq!(problem("game: a\nwho: b"), "line 2: \"who\" is none of game, black, white, start, moves, result");
        assert!(problem("game: a\nmoves:\ngame: b").starts_with("line 3: \"game\" stands twice"));
        let record = Record { game: "bin7x6".into(), moves: vec!["4n".into(), "9n".into()], ..Record::default() };
        let error = record.replay(&Binarsi::parse("bin7x6").unwrap()).unwrap_err().to_string();
        assert!(error.starts_with("move \"9n\" (number 2 of moves)"), "{error}");
    }
}
