//! `yomikiri verify`: checks that a table is complete and correct.

use clap::Args;
use std::time::Duration;

use yomikiri_rules::{AnyGame, Game};
use yomikiri_search::{Search, Searchable};
use yomikiri_solve::{Solvable, SolveError, SolveOptions, TooLarge};

use super::error::Failure;
use super::open::open_table_of;
use super::output::{counted, print, shown};
use super::progress::TerminalProgress;
use super::settings::{Resources, TablesOption};
use super::{CommandResult, settings};

/// The maximum size of a search's transposition table, in bytes.
const SEARCH_MEMORY: u64 = 256 << 20;

/// Check a table: its checksums, then every value against the values after its moves
#[derive(Args)]
pub struct Arguments {
    /// Rule code, such as bin4x4
    code: String,

    #[command(flatten)]
    tables: TablesOption,

    #[command(flatten)]
    resources: Resources,

    /// Check the table of the positions below this one, not that of the whole game
    #[arg(long, value_name = "POSITION", allow_hyphen_values = true)]
    from: Option<String>,

    /// Check only N positions, drawn at random, besides the checksums; all of them if N is more than half
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    sample: Option<u64>,

    /// Check those positions by a search without the table, instead of by the values after their moves
    #[arg(long, requires = "sample")]
    search: bool,
}

pub fn run(arguments: Arguments) -> CommandResult {
    let game = &AnyGame::parse(&arguments.code)?;
    let Arguments { tables, resources, from, sample, search, .. } = arguments;
    let memory = resources.memory()?;
    let searcher = if search { Some(searcher(game, memory)?) } else { None };
    let root = settings::root(game, from.as_deref())?;
    resources.threads.apply()?;
    let location = tables.location()?;
    let table = open_table_of(game, &location, root.as_ref(), from.as_deref())?;
    let progress = TerminalProgress::new(false);
    let options = SolveOptions { memory, force: false, checkpoint: Duration::MAX, progress: &progress };
    // The counts say how much memory is needed, so they come first.
    yomikiri_solve::audit::check_meta(game, root.as_ref(), &table)?;
    let positions = table.header.positions.get();
    let sample = sample.filter(|&count| count <= positions / 2);
    if sample.is_none() && searcher.is_none() {
        let needed = game.audit_memory(root.as_ref(), &table)?;
        if needed > memory {
            return Err(SolveError::from(TooLarge::Audit { code: game.code(), needed }).into());
        }
    }
    table.check(&progress)?;
    let checked = match (sample, searcher) {
        (count, Some(search)) => {
            let count = count.unwrap_or(positions);
            yomikiri_solve::audit::search_sample(game, search.as_ref(), &table, count, &progress)?
        }
        (Some(count), None) => game.audit_sample(&table, count, &progress)?,
        (None, None) => {
            game.audit(root.as_ref(), &table, &options)?;
            positions
        }
    };
    yomikiri_solve::audit::check_look_ups(game, &table, &progress)?;
    print(&format!("{}: correct ({} checked)", shown(table.path()), counted(checked, "position")))
}

/// Returns the game's search with a transposition table of at most [`SEARCH_MEMORY`] and at most `memory` bytes. It is
/// an error if the game has no search.
fn searcher(game: &AnyGame, memory: u64) -> Result<Box<dyn Search<AnyGame>>, Failure> {
    game.searcher(memory.min(SEARCH_MEMORY)).ok_or_else(|| {
        Failure::request(format!("{}: this game has no search for single positions; leave out --search", game.code()))
    })
}
