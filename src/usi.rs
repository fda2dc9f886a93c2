//! `yomikiri usi`: Binarsi and animal shogi for other programs and for people, line by line.

use std::io::BufReader;

use clap::Args;
use yomikiri_play::{upi, usi};
use yomikiri_rules::AnyGame;

use super::Done;
use super::error::{Failure, conversed};
use super::settings::Tables;

/// Play Binarsi or animal shogi by USI: commands on standard input, answers on standard output
///
/// Begin with: position startpos, then legal_moves and play. The command help lists the others.
#[derive(Args)]
pub struct Arguments {
    /// Rule code, as bin4x4 or val1n
    #[arg(default_value = "bin7x6")]
    code: String,

    #[command(flatten)]
    tables: Tables,
}

pub fn run(arguments: Arguments) -> Done {
    let game = AnyGame::parse(&arguments.code)?;
    let speaker = usi::speaker(&game).ok_or_else(|| refusal(&game, &arguments.code))?;
    let (input, output) = (BufReader::new(std::io::stdin()), std::io::stdout());
    conversed(speaker.serve(arguments.tables.location()?, Box::new(input), Box::new(output)))
}

/// That a game has another protocol.
fn refusal(game: &AnyGame, code: &str) -> Failure {
    let verb = if upi::is_spoken_by(game) { "upi" } else { "play" };
    let problem = format!("rule code \"{code}\": usi plays Binarsi and animal shogi; yomikiri {verb} plays this one");
    Failure::Request(problem)
}
