//! `yomikiri decode`: a key of animal shogi as a board, a rule code as bits.

use clap::Args;
use yomikiri_rules::games::animal_shogi::{Rules, text};

use super::Done;
use super::output::print;

/// Show a key of animal shogi as a board, the side to move's pieces in capitals
#[derive(Args)]
pub struct Arguments {
    /// Key of 15 hexadecimal digits, or with -r a rule code
    #[arg(value_name = "KEY")]
    text: String,

    /// Show the bits of a rule code instead: lion, elephant, giraffe, chick, hen
    #[arg(short = 'r', long)]
    rules: bool,
}

pub fn run(arguments: Arguments) -> Done {
    if arguments.rules {
        let rules = Rules::parse(&arguments.text)?;
        let bits = rules.digits.map(|digit| format!("{digit:05b}"));
        return print(&format!("{} {}", rules.code(), bits.join("_")));
    }
    print(&text::board_lines(&text::board_of_key(&arguments.text)?))
}
