//! `yomikiri usi`: serves Binarsi and animal shogi by USI (Universal Shogi Interface), for programs and for people.

use std::io::BufReader;

use clap::Args;
use yomikiri_play::usi;
use yomikiri_rules::{AnyGame, Game};

use super::CommandResult;
use super::error::session_result;
use super::settings::TablesOption;
use super::start_file::InstallOption;
use super::suggest::refused_by;

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
    usi::dialect(&game).ok_or_else(|| refused_by("usi", "Binarsi and animal shogi", &game, &arguments.code))?;
    if arguments.install.write("usi", &game.code(), arguments.tables.named())? {
        return Ok(());
    }
    let (input, output) = (BufReader::new(std::io::stdin()), std::io::stdout());
    session_result(usi::serve(&game, arguments.tables.location_or_note()?, input, output))
}
