//! Openings from a file. Each line is an opening: moves from the start.

use xxhash_rust::xxh3::xxh3_64;

use crate::{Action, Session};
use yomikiri_rules::{AnyGame, AnyMove, Game, TextError};

/// One or more openings. Each is a list of moves from the start, after which the game is not over.
#[derive(Clone, Debug)]
pub struct Openings {
    lines: Vec<Vec<AnyMove>>,
    hash: u64,
}

impl Openings {
    /// Parses one opening on each line, such as `startpos moves dn 4n` or `dn 4n`. Skips empty lines and comments after
    /// `#`. A text without openings is an error. The error names the line.
    pub fn read(game: &AnyGame, text: &str) -> Result<Openings, TextError> {
        let (mut lines, mut words) = (Vec::new(), String::new());
        for (line, number) in text.lines().zip(1..) {
            let moves: Vec<&str> = line.split('#').next().unwrap_or_default().split_whitespace().collect();
            let moves = match moves[..] {
                ["startpos"] => &[],
                ["startpos", "moves", ref moves @ ..] => moves,
                [] => continue,
                ref moves => moves,
            };
            let session = replayed(game, moves).map_err(|error| error.within(&format!("line {number}")))?;
            words += &(session.words().join(" ") + "\n");
            lines.push(session.actions().iter().filter_map(Action::as_move).collect());
        }
        if lines.is_empty() {
            return Err(TextError::new("openings", "the file has no opening"));
        }
        Ok(Openings { lines, hash: xxh3_64(words.as_bytes()) })
    }

    /// Returns the number of openings.
    pub fn count(&self) -> usize {
        self.lines.len()
    }

    /// Returns the XXH3 hash of all openings as 16 hexadecimal digits. The hashed text has one opening a line, in the
    /// game's notation.
    pub fn hash(&self) -> String {
        format!("{:016x}", self.hash)
    }

    /// Returns the moves of the opening with the index `number`, counted from 0. An index past the last opening wraps
    /// around to the first.
    pub fn moves(&self, number: u32) -> &[AnyMove] {
        &self.lines[number as usize % self.lines.len()]
    }
}

/// Returns the game after `moves`. It is an error if a move is illegal or the game is over after the moves.
fn replayed<'a>(game: &'a AnyGame, moves: &[&str]) -> Result<Session<'a>, TextError> {
    let mut session = Session::new(game, game.start());
    session.replay(moves)?;
    match session.actions().iter().all(|action| matches!(action, Action::Move(_))) && session.ending().is_none() {
        true => Ok(session),
        false => Err(TextError::new("opening", "the game is over after these moves")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Openings, TextError> {
        Openings::read(&AnyGame::parse("con3x3-k3").unwrap(), text)
    }

    #[test]
    fn lines_are_moves_from_the_start() {
        let openings = read("# two of them\n\nstartpos moves 1 2\n3 # a remark\nstartpos\n").unwrap();
        let lengths: Vec<usize> = openings.lines.iter().map(Vec::len).collect();
        assert_eq!(lengths, [2, 1, 0]);
        assert_eq!(openings.hash(), read("1 2\n3\nstartpos").unwrap().hash());
        assert_ne!(openings.hash(), read("3\n1 2\nstartpos").unwrap().hash());
    }

    #[test]
    fn after_the_last_opening_comes_the_first() {
        let openings = read("1 2\n3").unwrap();
        assert_eq!([0, 1, 2, 3].map(|number| openings.moves(number).len()), [2, 1, 2, 1]);
    }

    #[test]
    fn what_is_no_opening_is_refused_with_its_line() {
        let refused = |text, part: &str| {
            let error = read(text).unwrap_err().to_string();
            assert!(error.contains(part), "{text}: {error}");
        };
        refused("", "the file has no opening");
        refused("# nothing", "the file has no opening");
        refused("1\n4 1", "line 2");
        refused("1 2 1 2 1", "line 1");
        refused("moves 1", "line 1");
    }
}
