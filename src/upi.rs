//! `yomikiri upi`: the pyonpyon game for other programs, line by line.

use std::io::BufReader;

use clap::Args;
use yomikiri_play::upi::serve;
use yomikiri_rules::Game;
use yomikiri_rules::games::pyonpyon::Pyonpyon;

use super::Done;
use super::error::conversed;
use super::settings::Tables;

/// Play the pyonpyon game by UPI: commands on standard input, answers on standard output
///
/// Begin with: position startpos, then go. The command help lists the others.
#[derive(Args)]
pub struct Arguments {
    /// Rule code, as pyonB
    #[arg(default_value = "pyon")]
    code: String,

    #[command(flatten)]
    tables: Tables,
}

pub fn run(arguments: Arguments) -> Done {
    let game = Pyonpyon::parse(&arguments.code)?;
    conversed(serve(&game, arguments.tables.location()?, BufReader::new(std::io::stdin()), std::io::stdout()))
}
