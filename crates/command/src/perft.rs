//! `yomikiri perft`: counts move sequences.

use clap::Args;
use yomikiri_rules::AnyGame;
use yomikiri_solve::perft::perft;

use super::CommandResult;
use super::output::print;
use super::settings::position_or_start;

/// Count the move sequences of a length
#[derive(Args)]
pub struct Arguments {
    /// Rule code, such as bin7x6
    code: String,

    /// Length in plies
    #[arg(value_parser = clap::value_parser!(u32).range(0..=64))]
    depth: u32,

    /// Count from this position
    #[arg(long, value_name = "POSITION", allow_hyphen_values = true)]
    from: Option<String>,
}

pub fn run(arguments: Arguments) -> CommandResult {
    let game = &AnyGame::parse(&arguments.code)?;
    let position = position_or_start(game, arguments.from.as_deref())?;
    print(&perft(game, &position, arguments.depth).to_string())
}
