//! Parts of the commands that messages suggest.

use std::path::{Path, absolute};

use yomikiri_answer::shell;
use yomikiri_play::{upi, usi};
use yomikiri_rules::{AnyGame, AnyPosition, Game, Notation};
use yomikiri_table::Location;

use super::error::Failure;
use super::settings;

/// Returns the command that runs this program, quoted for a shell. If the program is in the current folder or below it,
/// the path is relative to that folder.
pub fn program() -> String {
    let Some(called) = std::env::args_os().next() else { return "yomikiri".into() };
    let here = std::env::current_dir().unwrap_or_default();
    match Path::new(&called).strip_prefix(&here) {
        // A shell looks up a name without a folder in the search path, not in the current folder.
        Ok(below) if below.components().count() == 1 => shell::path(&Path::new(".").join(below)),
        Ok(below) => shell::path(below),
        Err(_) => shell::path(Path::new(&called)),
    }
}

/// Returns a position as an argument of a suggested command: `startpos`, or its text, quoted for a shell.
pub fn position_argument(game: &AnyGame, position: &AnyPosition) -> String {
    if *position == game.start() { "startpos".into() } else { shell::word(&game.position_text(position)) }
}

/// Returns the error for a game that a protocol does not support. It names the subcommand that plays the game. `code`
/// is the rule code as it was given, and `games` names the games of the protocol.
pub fn refused_by(protocol: &str, games: &str, game: &AnyGame, code: &str) -> Failure {
    let verb = match game {
        game if usi::dialect(game).is_some() => "usi",
        game if upi::is_spoken_by(game) => "upi",
        _ => "play",
    };
    let cure = format!("use yomikiri {verb} {}", game.code());
    Failure::request(format!("rule code \"{code}\": {protocol} is for {games}; {cure}"))
}

/// Returns the advice to check the certificate or opening in `file`, such as "check it with: yomikiri check x.proof".
pub fn check_advice(file: &Path) -> String {
    format!("check it with: yomikiri check {}", shell::path(file))
}

/// Returns ` --tables FOLDER` for a suggested command that writes to the folder, or an empty text if the command writes
/// to that folder without the option.
pub fn tables_option(folder: &Path) -> String {
    if is_first(folder) { String::new() } else { format!(" --tables {}", shell::path(folder)) }
}

/// Returns ` --tables PLACE` for each folder and address of `location`, for a suggested command that reads from them.
/// Returns an empty text if the command reads from them without the option.
pub fn tables_options(location: &Location) -> String {
    let here = location.candidates(Path::to_path_buf);
    match settings::places(&[]) {
        Ok(usual) if usual == here || (here.len() == 1 && usual.len() == 1 && is_first(&here[0])) => String::new(),
        _ => here.iter().map(|place| format!(" --tables {}", shell::path(place))).collect(),
    }
}

/// Returns true if this is the folder that a command without `--tables` writes to.
fn is_first(folder: &Path) -> bool {
    let Some(first) = settings::places(&[]).ok().and_then(|places| places.into_iter().next()) else { return false };
    match (absolute(&first), absolute(folder)) {
        (Ok(first), Ok(folder)) => first == folder,
        _ => first == folder,
    }
}
