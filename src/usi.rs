//! `yomikiri usi`: Binarsi and animal shogi for other programs and for people, line by line.

use std::io::BufReader;
use std::path::PathBuf;

use clap::Args;
use yomikiri_play::usi::{UsiGame, serve};
use yomikiri_rules::game::Game;
use yomikiri_rules::games::animal_shogi::AnimalShogi;
use yomikiri_rules::games::binarsi::Binarsi;
use yomikiri_rules::registry::AnyGame;

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
    let folder = arguments.tables.folder();
    let code = arguments.code;
    if code.starts_with("bin") {
        return talk(&Binarsi::parse(&code)?, folder);
    }
    match AnimalShogi::parse(&code) {
        Ok(game) => talk(&game, folder),
        Err(error) => Err(refusal(&code).unwrap_or_else(|| error.into())),
    }
}

/// That a game has another protocol, where the code is one of those.
fn refusal(code: &str) -> Option<Failure> {
    let verb = match AnyGame::parse(code).ok()? {
        AnyGame::Pyonpyon(_) => "yomikiri upi plays this one",
        _ => "yomikiri play plays this one",
    };
    let problem = format!("rule code \"{code}\": usi plays Binarsi and animal shogi; {verb}");
    Some(Failure::Request(problem))
}

fn talk<G: UsiGame>(game: &G, folder: PathBuf) -> Done {
    conversed(serve(game, folder, BufReader::new(std::io::stdin()), std::io::stdout()))
}
