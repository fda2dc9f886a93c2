//! `yomikiri upi`: serves the pyonpyon game by UPI (Universal Pyon Interface), for programs and for people.

use std::io::BufReader;

use clap::Args;
use yomikiri_play::upi;
use yomikiri_rules::{AnyGame, Game};

use super::CommandResult;
use super::error::session_result;
use super::settings::TablesOption;
use super::start_file::InstallOption;
use super::suggest::refused_by;

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
        return Err(refused_by("upi", "the pyonpyon game", &game, &arguments.code));
    }
    if arguments.install.write("upi", &game.code(), arguments.tables.named())? {
        return Ok(());
    }
    let (input, output) = (BufReader::new(std::io::stdin()), std::io::stdout());
    session_result(upi::serve(&game, arguments.tables.location_or_note()?, input, output))
}
