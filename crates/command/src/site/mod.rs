//! `yomikiri site`: copies of the explorer, the web page of `yomikiri serve`, for plain web hosts.
//!
//! `copy` writes a copy, `list` describes it in `site.json`, and `front` writes the page that lists all copies. `pins`
//! records hashes of the files, which `integrity` computes.

mod copy;
mod front;
mod integrity;
mod list;
mod pins;

use std::path::PathBuf;

use clap::Args;
use yomikiri_rules::AnyGame;

use super::CommandResult;
use super::settings::TablesOption;

/// Write a copy of the explorer for a plain web host
///
/// DIR/CODE gets the page, counts, and the table of the code in parts below 50 MB; without a table, its certificate and
/// opening. The host must support byte ranges, except for a copy made with --small. Without a code, DIR/index.html
/// lists all copies.
#[derive(Args)]
pub struct Arguments {
    /// Rule code, such as bin4x4
    code: Option<String>,

    /// Folder of the copies
    #[arg(long, value_name = "DIR", default_value = front::FOLDER)]
    into: PathBuf,

    /// Copy only the positions that the winner needs to win, or in a draw one side not to lose: at most 10 MB
    #[arg(long, requires = "code")]
    small: bool,

    #[command(flatten)]
    tables: TablesOption,
}

pub fn run(arguments: Arguments) -> CommandResult {
    let Arguments { code, into, small, tables } = arguments;
    match code {
        None => front::write(&into),
        Some(code) => {
            let location = tables.location()?;
            copy::write(&AnyGame::parse(&code)?, &location, &into, small)
        }
    }
}
