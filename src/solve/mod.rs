//! `yomikiri solve`: exact values of single positions by search.

mod found;
mod kept;
mod stopped;
mod suite;

use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::Args;
use yomikiri_rules::{AnyGame, with_game};
use yomikiri_solve::{Search, Solvable};

use super::Done;
use super::error::Failure;
use super::keeping::{self, Keeping};
use super::output::{print, print_json};
use super::settings::{Threads, memory, parse_memory, parse_time, position_argument, position_or_start};
use found::{Found, warn_if_long};
use kept::{Ended, Kept};
use stopped::{Stopped, Watch};
use suite::{Form, Source};

/// Exact value of a position by search, without a table
#[derive(Args)]
#[command(
    after_help = "A file has a position a line, in any form that POSITION can have. Empty lines and lines that begin\n\
    with % or # are passed over. All lines are read before any is solved. Lines of test suites (OBF) may\n\
    have scores of moves, as \"<board> <side>; d3:+2; c4:-6;\": then the value found is held against the\n\
    best of them, and the exit status is 1 if they differ anywhere.\n\n\
    With --time, and on Ctrl-C, it says what is known of the value by then, and the exit status is 1.\n\
    With --checkpoint the same command goes on where the last one stopped or was killed, also with other memory,\n\
    with other threads or on another machine."
)]
pub struct Arguments {
    /// Rule code, as rev6x6
    code: String,

    /// Position (startpos, a board or a transcript), or one with moves after it [default: startpos]
    #[arg(value_parser = position_argument, allow_hyphen_values = true, conflicts_with = "file")]
    position: Option<String>,

    /// Solve the positions of a file, one a line; - is standard input
    #[arg(long, value_name = "FILE", conflicts_with = "checkpoint")]
    file: Option<PathBuf>,

    /// Show best play to the end
    #[arg(long)]
    line: bool,

    #[command(flatten)]
    threads: Threads,

    /// Memory for what is remembered of positions searched before [default: 1G, or what the machine has]
    #[arg(long, value_name = "SIZE", value_parser = parse_memory)]
    memory: Option<u64>,

    /// Stop after so long, as 90s, 30m or 12h, and say what is known of the value
    #[arg(long, value_name = "T", value_parser = parse_time, conflicts_with = "file")]
    time: Option<Duration>,

    #[command(flatten)]
    keeping: keeping::Place,

    /// Print JSON; with --file an object a line
    #[arg(long)]
    json: bool,
}

pub fn run(arguments: Arguments) -> Done {
    with_game!(AnyGame::parse(&arguments.code)?, game => solve(&game, arguments))
}

fn solve<G: Solvable>(game: &G, arguments: Arguments) -> Done {
    // Whether there is a search, and how long it will take, is known before memory is laid out.
    let reach = searcher(game, 0)?;
    let memory = memory(arguments.memory, 1 << 30)?;
    match &arguments.file {
        None => one(game, arguments, memory, reach.as_ref()),
        Some(file) => all(game, &arguments, memory, file),
    }
}

/// Solves the one position asked for.
fn one<G: Solvable>(game: &G, arguments: Arguments, memory: u64, reach: &dyn Search<G>) -> Done {
    let position = position_or_start(game, arguments.position.as_deref())?;
    arguments.threads.apply()?;
    let search = searcher(game, memory)?;
    let Arguments { time, line, json, keeping, .. } = arguments;
    let kept = Kept::resume(game, search.as_ref(), &position, Keeping::open(keeping)?, json)?;
    warn_if_long(game, reach, &position);
    let watch = Watch::begin(time)?;
    let Ended { solved, time, kept } = kept.solve(&watch.stop)?;
    match solved {
        Ok(solution) => {
            let found = Found::of(game, search.as_ref(), &position, (solution, time), line)?;
            if json { print_json(&kept.with(found.report(game))) } else { print(&kept.after(found.text(game))) }
        }
        Err(known) => {
            let stopped = Stopped { game, position, known, time, reason: watch.reason() };
            let said = if json { print_json(&kept.with(stopped.report())) } else { print(&kept.after(stopped.text())) };
            said.and(Err(stopped.failure()))
        }
    }
}

/// Solves the positions of a file.
fn all<G: Solvable>(game: &G, arguments: &Arguments, memory: u64, file: &Path) -> Done {
    let source = Source::of(file);
    let entries = suite::read(game, &source)?;
    arguments.threads.apply()?;
    let search = searcher(game, memory)?;
    let form = Form { line: arguments.line, json: arguments.json };
    suite::solve(game, search.as_ref(), &source, &entries, form)
}

/// The game's search with room for at most `memory` bytes.
pub fn searcher<G: Solvable>(game: &G, memory: u64) -> Result<Box<dyn Search<G>>, Failure> {
    game.searcher(memory).ok_or_else(|| {
        let code = game.code();
        Failure::Request(format!(
            "{code}: this game has no search for single positions; its values come from tables: \
             yomikiri analyze {code}, then yomikiri query {code} POSITION"
        ))
    })
}
