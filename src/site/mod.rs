//! `yomikiri site`: copies of the explorer for plain web hosts.
//!
//! `copy` writes one, `list` is the file `site.json` that says what is in it, `pins` the hashes there, by `integrity`,
//! `front` the page over all copies.

mod copy;
mod front;
mod integrity;
mod list;
mod pins;

use std::path::PathBuf;

use clap::Args;
use yomikiri_rules::{AnyGame, with_game};

use super::Done;
use super::settings::Tables;

/// Write a copy of the explorer for a plain web host
///
/// DIR/CODE gets the page, the table of the code or else its certificate in parts below 50 MB, and counts. The host has
/// to answer ranges of bytes; a copy made with --small does without. Without a code DIR/index.html lists all copies.
#[derive(Args)]
pub struct Arguments {
    /// Rule code, as bin4x4
    code: Option<String>,

    /// Folder of the copies
    #[arg(long, value_name = "DIR", default_value = "site")]
    into: PathBuf,

    /// Only what the side that wins needs to win, or in a draw one side not to lose: 10 MB at most
    #[arg(long, requires = "code")]
    small: bool,

    #[command(flatten)]
    tables: Tables,
}

pub fn run(arguments: Arguments) -> Done {
    let Arguments { code, into, small, tables } = arguments;
    match code {
        None => front::write(&into),
        Some(code) => {
            let location = tables.location()?;
            with_game!(&AnyGame::parse(&code)?, game => copy::write(game, &location, &into, small))
        }
    }
}
