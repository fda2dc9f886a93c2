//! `yomikiri decode`: a key as a position, a rule code as bits.

use clap::Args;
use yomikiri_rules::games::animal_shogi::{Rules, text};
use yomikiri_rules::{AnyGame, Game, KEY_MARK, with_game};

use super::Done;
use super::output::print;

/// Print the position of a key
///
/// With one argument it shows 15 hexadecimal digits of animal shogi as a board, the side to move's pieces in capitals.
#[derive(Args)]
pub struct Arguments {
    /// Rule code, as bin4x4; alone, 15 hexadecimal digits, or with -r a rule code of animal shogi
    #[arg(value_name = "CODE")]
    text: String,

    /// Key, as @41600 or 41600
    key: Option<String>,

    /// Show the bits of a rule code instead: lion, elephant, giraffe, chick, hen
    #[arg(short = 'r', long, conflicts_with = "key")]
    rules: bool,
}

pub fn run(arguments: Arguments) -> Done {
    let Arguments { text, key, rules } = arguments;
    if let Some(key) = key {
        let key = key.trim_start_matches(KEY_MARK);
        return with_game!(AnyGame::parse(&text)?, game => decode(&game, &format!("{KEY_MARK}{key}")));
    }
    if rules {
        let rules = Rules::parse(&text)?;
        let bits = rules.digits.map(|digit| format!("{digit:05b}"));
        return print(&format!("{} {}", rules.code(), bits.join("_")));
    }
    print(&text::board_lines(&text::board_of_key(&text)?))
}

fn decode<G: Game>(game: &G, key: &str) -> Done {
    print(&game.position_text(&game.parse_position(key)?))
}
