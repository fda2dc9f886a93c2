//! `yomikiri usi`: serves Binarsi and animal shogi by USI (Universal Shogi Interface), for programs and for people.

use std::io::BufReader;

use clap::Args;
use yomikiri_play::{upi, usi};
use yomikiri_rules::{AnyGame, Game};

use super::CommandResult;
use super::error::{Failure, session_result};
use super::settings::TablesOption;
use super::start_file::InstallOption;

/// Play Binarsi or animal shogi by USI: commands on standard input, answers on standard output
///
/// Begin with: position startpos, then legal_moves and play. The command help lists the others.
#[derive(Args)]
pub struct Arguments {
    /// Rule code, such as bin4x4 or val1n
    #[arg(default_value = "bin7x6")]
    code: String,

    #[command(flatten)]
    tables: TablesOption,

    #[command(flatten)]
    install: InstallOption,
}

pub fn run(arguments: Arguments) -> CommandResult {
    let game = AnyGame::parse(&arguments.code)?;
    usi::dialect(&game).ok_or_else(|| refusal(&game, &arguments.code))?;
    if arguments.install.write("usi", &game.code(), arguments.tables.named())? {
        return Ok(());
    }
    let (input, output) = (BufReader::new(std::io::stdin()), std::io::stdout());
    session_result(usi::serve(&game, arguments.tables.location_or_note()?, input, output))
}

/// Returns the error for a game that USI does not support. It names the subcommand that plays the game.
fn refusal(game: &AnyGame, code: &str) -> Failure {
    let verb = if upi::is_spoken_by(game) { "upi" } else { "play" };
    let cure = format!("use yomikiri {verb} {}", game.code());
    Failure::request(format!("rule code \"{code}\": usi is for Binarsi and animal shogi; {cure}"))
}
