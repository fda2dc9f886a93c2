//! `yomikiri decode`: the position of a key, or the bits of a rule code.

use clap::Args;
use yomikiri_rules::games::animal_shogi::{Rules, text};
use yomikiri_rules::{AnyGame, Game, KEY_MARK, Notation, TextError};

use super::CommandResult;
use super::error::Failure;
use super::output::print;

/// Print the position of a key
///
/// With one argument, shows 15 hexadecimal digits of animal shogi as a board; capitals are the side to move's pieces.
#[derive(Args)]
pub struct Arguments {
    /// Rule code, such as bin4x4. Without KEY: 15 hexadecimal digits or, with -r, a rule code of animal shogi
    #[arg(value_name = "CODE")]
    text: String,

    /// Key, such as @41600 or 41600
    key: Option<String>,

    /// Show the bits of a rule code instead: lion, elephant, giraffe, chick, hen
    #[arg(short = 'r', long, conflicts_with = "key")]
    rules: bool,
}

pub fn run(arguments: Arguments) -> CommandResult {
    let Arguments { text, key, rules } = arguments;
    if let Some(key) = key {
        let key = key.strip_prefix(KEY_MARK).unwrap_or(&key);
        return decode(&AnyGame::parse(&text)?, &format!("{KEY_MARK}{key}"));
    }
    if rules {
        let rules = Rules::parse(&text).map_err(|error| refusal(&text, error))?;
        let bits = rules.digits.map(|digit| format!("{digit:05b}"));
        return print(&format!("{} {}", rules.code(), bits.join("_")));
    }
    print(&text::board_lines(&text::board_of_key(&text)?))
}

/// Returns the error for a text that is no rule code of animal shogi. `error` says why it is none. If the text is a
/// rule code of another game, the error says that instead.
fn refusal(text: &str, error: TextError) -> Failure {
    match AnyGame::parse(text) {
        Ok(game) => Failure::request(format!("{}: -r is for rule codes of animal shogi, such as val1n", game.code())),
        Err(_) => error.into(),
    }
}

fn decode(game: &AnyGame, key: &str) -> CommandResult {
    print(&game.position_text(&game.parse_position(key)?))
}
