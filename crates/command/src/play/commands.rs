//! Parses the lines that are typed at the prompt.

use yomikiri_rules::Side;

use super::controller::SeatKind;

/// A parsed line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Command<'a> {
    /// A blank line or a comment (`#`).
    Nothing,
    /// A move, a board edit, or an unknown word.
    Move(&'a str),
    Moves,
    Hint,
    Undo,
    Redo,
    Board,
    Position,
    /// Saves the game, to the file of the last save if `file` is `None`.
    Save {
        file: Option<&'a str>,
        overwrite: bool,
    },
    Load(&'a str),
    /// Starts a new game from this position, or from the start of the current game if `None`.
    New(Option<&'a str>),
    Seat(Side, SeatKind),
    Go,
    Stop,
    Resign,
    Draw,
    Help,
    Quit,
}

/// The reason why a line cannot be parsed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mistake<'a> {
    /// An argument after a command that takes none.
    Alone(&'a str),
    /// `black` or `white` without the name of a player.
    NoPlayer(&'a str),
    /// A command without the file name that it needs.
    NoFile(&'a str),
    /// `play` without a move.
    NoMove(&'a str),
    /// Several words that do not form a command.
    Unknown(&'a str),
}

/// Parses a line. Command words may be in capitals.
pub fn parse(line: &str) -> Result<Command<'_>, Mistake<'_>> {
    let line = line.trim_start_matches('\u{feff}').trim();
    if line.is_empty() || line.starts_with('#') {
        return Ok(Command::Nothing);
    }
    let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    let rest = Some(rest.trim()).filter(|rest| !rest.is_empty());
    match (word.to_lowercase().as_str(), rest) {
        ("do" | "play", Some(mv)) => one_word(mv),
        ("play", None) => Err(Mistake::NoMove(word)),
        ("black", _) => seat(Side::Black, word, rest),
        ("white", _) => seat(Side::White, word, rest),
        ("save", file) => Ok(Command::Save { file, overwrite: false }),
        ("save!", file) => Ok(Command::Save { file, overwrite: true }),
        ("load", file) => file.map(Command::Load).ok_or(Mistake::NoFile(word)),
        ("new", position) => Ok(Command::New(position)),
        (small, _) => match (alone(small), rest) {
            (Some(command), None) => Ok(command),
            (Some(_), Some(_)) => Err(Mistake::Alone(word)),
            (None, None) => Ok(Command::Move(word)),
            (None, Some(_)) => Err(Mistake::Unknown(line)),
        },
    }
}

/// Returns the command that consists of this word alone, or `None` if there is none.
fn alone(word: &str) -> Option<Command<'static>> {
    Some(match word {
        "moves" => Command::Moves,
        "hint" => Command::Hint,
        "undo" => Command::Undo,
        "redo" => Command::Redo,
        "board" => Command::Board,
        "position" => Command::Position,
        "go" => Command::Go,
        "stop" => Command::Stop,
        "resign" => Command::Resign,
        "draw" => Command::Draw,
        "help" | "?" => Command::Help,
        "quit" | "exit" => Command::Quit,
        _ => return None,
    })
}

fn one_word(text: &str) -> Result<Command<'_>, Mistake<'_>> {
    if text.contains(char::is_whitespace) { Err(Mistake::Unknown(text)) } else { Ok(Command::Move(text)) }
}

fn seat<'a>(side: Side, word: &'a str, who: Option<&str>) -> Result<Command<'a>, Mistake<'a>> {
    who.and_then(SeatKind::parse).map(|who| Command::Seat(side, who)).ok_or(Mistake::NoPlayer(word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_may_be_in_capitals_and_moves_stay_as_they_are() {
        assert_eq!(parse("  UNDO \r\n"), Ok(Command::Undo));
        assert_eq!(parse("Black Computer"), Ok(Command::Seat(Side::Black, SeatKind::Computer)));
        assert_eq!(parse("4nH"), Ok(Command::Move("4nH")));
        assert_eq!(parse("do 4nH"), Ok(Command::Move("4nH")));
        assert_eq!(parse("do"), Ok(Command::Move("do")), "rank d, OR: a move of Binarsi");
        assert_eq!(parse("save my game.txt"), Ok(Command::Save { file: Some("my game.txt"), overwrite: false }));
        assert_eq!(parse("save! AnyGame"), Ok(Command::Save { file: Some("AnyGame"), overwrite: true }));
        assert_eq!(parse("new startpos moves 4n"), Ok(Command::New(Some("startpos moves 4n"))));
        for nothing in ["", "  \t", "# undo", "\u{feff}"] {
            assert_eq!(parse(nothing), Ok(Command::Nothing), "{nothing:?}");
        }
    }

    #[test]
    fn what_is_too_much_or_too_little_is_named() {
        assert_eq!(parse("undo 3"), Err(Mistake::Alone("undo")));
        assert_eq!(parse("black"), Err(Mistake::NoPlayer("black")));
        assert_eq!(parse("white me"), Err(Mistake::NoPlayer("white")));
        assert_eq!(parse("load"), Err(Mistake::NoFile("load")));
        assert_eq!(parse("play"), Err(Mistake::NoMove("play")));
        assert_eq!(parse("4n cs1"), Err(Mistake::Unknown("4n cs1")));
    }
}
