//! `yomikiri solve`: finds exact values of single positions by search.

mod checkpointed;
mod solved_position;
mod stopped;
mod suite;

use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::Args;
use yomikiri_rules::{AnyGame, Game};
use yomikiri_search::Search;
use yomikiri_search::Searchable;

use super::CommandResult;
use super::checkpoints::{self, CheckpointWriter};
use super::error::Failure;
use super::output::{print, print_json};
use super::settings::{
    PositionWords, Threads, memory, parse_memory, parse_time, path_beside_position, position_or_start,
};
use checkpointed::{CheckpointedSearch, SearchResult};
use solved_position::{SolvedPosition, TimedSolution, warn_if_long};
use stopped::{BoundedPosition, SearchTimer};
pub use stopped::{OpenSearchReport, bounds_text};
use suite::{SuiteForm, SuiteSource};

/// Find the exact value of a position by search, without a table
#[derive(Args)]
#[command(after_help = "A file has one position per line, in any form of POSITION. Empty lines and lines that begin\n\
    with % or # are skipped. All lines are read before any is solved. Lines of test suites (OBF) may\n\
    have scores of moves, such as \"<board> <side>; d3:+2; c4:-6;\". The value is then compared with the\n\
    best score, and the exit status is 1 if any value differs. A file of the WTHOR database (.wtb) has a\n\
    position of each game and its theoretical score. With the code rev8x8-w, the value is compared with\n\
    this score.\n\n\
    After --time, and on Ctrl-C, solve prints the bounds of the value, and the exit status is 1.\n\
    With --checkpoint the same command resumes a run that was stopped or killed, also with other memory,\n\
    with other threads or on another machine.")]
pub struct Arguments {
    /// Rule code, such as rev6x6
    code: String,

    #[command(flatten)]
    position: PositionWords,

    /// Solve the positions of a file, one for each line or recorded game; - is standard input
    #[arg(long, value_name = "FILE", conflicts_with_all = ["checkpoint", "position"])]
    #[arg(value_parser = path_beside_position())]
    file: Option<PathBuf>,

    /// Show best play to the end
    #[arg(long)]
    line: bool,

    #[command(flatten)]
    threads: Threads,

    /// Memory for the transposition table [default: 1G, or what the machine has]
    #[arg(long, value_name = "SIZE", value_parser = parse_memory)]
    memory: Option<u64>,

    /// Stop after this time, such as 90s, 30m or 12h, and print the bounds of the value
    #[arg(long, value_name = "T", value_parser = parse_time, conflicts_with = "file")]
    time: Option<Duration>,

    #[command(flatten)]
    keeping: checkpoints::CheckpointOptions,

    /// Print JSON; with --file, one object per line
    #[arg(long)]
    json: bool,
}

pub fn run(arguments: Arguments) -> CommandResult {
    let game = &AnyGame::parse(&arguments.code)?;
    // A search with 0 bytes of memory is enough to find out if the game has a search and if a position takes hours.
    let reach = searcher(game, 0)?;
    let memory = memory(arguments.memory, 1 << 30)?;
    match &arguments.file {
        None => one(game, arguments, memory, reach.as_ref()),
        Some(file) => all(game, &arguments, memory, file),
    }
}

/// Solves a single position.
fn one(game: &AnyGame, arguments: Arguments, memory: u64, reach: &dyn Search<AnyGame>) -> CommandResult {
    let Arguments { position, threads, time, line, json, keeping, .. } = arguments;
    let position = position_or_start(game, position.text().as_deref())?;
    threads.apply()?;
    let search = searcher(game, memory)?;
    let kept = CheckpointedSearch::resume(game, search.as_ref(), &position, CheckpointWriter::open(keeping)?, json)?;
    warn_if_long(game, reach, &position);
    let watch = SearchTimer::begin(time)?;
    let SearchResult { solved, time, kept } = kept.solve(&watch.stop)?;
    match solved {
        Ok(solution) => {
            let found = SolvedPosition::of(game, search.as_ref(), &position, TimedSolution { solution, time }, line)?;
            if json { print_json(&kept.with(found.report(game))) } else { print(&kept.after(found.text(game))) }
        }
        Err(known) => {
            let stopped = BoundedPosition { game, position, known, time, reason: watch.reason() };
            let said = if json { print_json(&kept.with(stopped.report())) } else { print(&kept.after(stopped.text())) };
            said.and(Err(stopped.failure()))
        }
    }
}

/// Solves the positions of a file.
fn all(game: &AnyGame, arguments: &Arguments, memory: u64, file: &Path) -> CommandResult {
    let source = SuiteSource::of(file);
    let entries = suite::read(game, &source)?;
    arguments.threads.apply()?;
    let search = searcher(game, memory)?;
    let form = SuiteForm { line: arguments.line, json: arguments.json };
    suite::solve(game, search.as_ref(), &source, &entries, form)
}

/// Returns the game's search with a transposition table of at most `memory` bytes. It is an error if the game has no
/// search.
fn searcher(game: &AnyGame, memory: u64) -> Result<Box<dyn Search<AnyGame>>, Failure> {
    game.searcher(memory).ok_or_else(|| {
        let code = game.code();
        Failure::request(format!(
            "{code}: this game has no search for single positions; its values come from tables: \
             yomikiri analyze {code}, then yomikiri query {code} POSITION"
        ))
    })
}
