//! `yomikiri upi`: serves the pyonpyon game by UPI (Universal Pyon Interface), for programs and for people.

use std::io::BufReader;

use clap::Args;
use yomikiri_play::{upi, usi};
use yomikiri_rules::{AnyGame, Game};

use super::CommandResult;
use super::error::{Failure, session_result};
use super::settings::TablesOption;
use super::start_file::InstallOption;

/// Play the pyonpyon game by UPI: commands on standard input, answers on standard output
///
/// Begin with: position startpos, then go. The command help lists the others.
#[derive(Args)]
pub struct Arguments {
    /// Rule code, such as pyonB
    #[arg(default_value = "pyon")]
    code: String,

    #[command(flatten)]
    tables: TablesOption,

    #[command(flatten)]
    install: InstallOption,
}

pub fn run(arguments: Arguments) -> CommandResult {
    let game = AnyGame::parse(&arguments.code)?;
    if !upi::is_spoken_by(&game) {
        return Err(refusal(&game, &arguments.code));
    }
    if arguments.install.write("upi", &game.code(), arguments.tables.named())? {
        return Ok(());
    }
    let (input, output) = (BufReader::new(std::io::stdin()), std::io::stdout());
    session_result(upi::serve(&game, arguments.tables.location_or_note()?, input, output))
}

/// Returns the error for a game that UPI does not support. It names the subcommand that plays the game.
fn refusal(game: &AnyGame, code: &str) -> Failure {
    let verb = if usi::dialect(game).is_some() { "usi" } else { "play" };
    let cure = format!("use yomikiri {verb} {}", game.code());
    Failure::request(format!("rule code \"{code}\": upi is for the pyonpyon game; {cure}"))
}
