//! `yomikiri upi`: serves the pyonpyon game by UPI (Universal Pyon Interface), for programs and for people.

use std::io::BufReader;

use clap::Args;
use yomikiri_play::upi::serve;
use yomikiri_rules::games::pyonpyon::Pyonpyon;
use yomikiri_rules::{AnyGame, Game};

use super::CommandResult;
use super::error::session_result;
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
    // Parses the code as one of the pyonpyon game, so the code of any other game is an error.
    let game = AnyGame::from(Pyonpyon::parse(&arguments.code)?);
    if arguments.install.write("upi", &game.code(), arguments.tables.named())? {
        return Ok(());
    }
    session_result(serve(
        &game,
        arguments.tables.location_or_note()?,
        BufReader::new(std::io::stdin()),
        std::io::stdout(),
    ))
}
