//! `yomikiri analyze`: makes the table of a rule code.

use std::path::Path;
use std::time::Duration;

use clap::Args;
use yomikiri_answer::{COUNTS_OVERFLOW, Stats};
use yomikiri_rules::{AnyGame, AnyPosition, Game, Measure, Notation, Presentation};
use yomikiri_solve::pipeline::{self, Finished};
use yomikiri_solve::{Solvable, SolveOptions};
use yomikiri_table::pieces;

use super::error::Failure;
use super::output::{bytes, print, shown};
use super::progress::TerminalProgress;
use super::settings::{Resources, WritableTablesOption, sentence};
use super::suggest::{position_argument, program, tables_option};
use super::{CommandResult, estimate, settings, signals};

/// Enumerate, solve, audit and pack a game; resumes an earlier run that was stopped
#[derive(Args)]
pub struct Arguments {
    /// Rule code, such as bin4x4
    code: String,

    #[command(flatten)]
    tables: WritableTablesOption,

    #[command(flatten)]
    resources: Resources,

    /// Solve only the positions below this one
    #[arg(long, value_name = "POSITION", allow_hyphen_values = true)]
    from: Option<String>,

    /// Seconds between two checkpoints, in games that can repeat and in the audit of Binarsi's boards
    #[arg(long, value_name = "SECONDS", default_value = "60")]
    checkpoint: u64,

    /// Start anew, even if there is a finished table or unfinished work
    #[arg(long)]
    force: bool,
}

pub fn run(arguments: Arguments) -> CommandResult {
    let game = &AnyGame::parse(&arguments.code)?;
    let Arguments { tables, resources, from, checkpoint, force, .. } = arguments;
    let (folder, memory) = (tables.folder()?, resources.memory()?);
    let root = settings::root(game, from.as_deref())?;
    if let Some(position) = root.as_ref().filter(|position| game.terminal_value(position).is_some()) {
        return Err(Failure::request(format!("position \"{}\": the game is over", game.position_text(position))));
    }
    resources.threads.apply()?;
    signals::exit_on_signal()?;
    let path = pipeline::path_of(game, root.as_ref(), &folder);
    if root.is_none() && (force || !pieces::is_there(&path)) {
        estimate::refuse_too_large(game, &folder, memory)?;
    }
    let progress = TerminalProgress::new(true);
    let checkpoint = Duration::from_secs(checkpoint);
    let options = SolveOptions { memory, force, checkpoint, progress: &progress };
    let finished = pipeline::analyze(game, root.as_ref(), &folder, &options)?;
    report(game, &root.unwrap_or_else(|| game.start()), &finished, &folder)
}

fn report(game: &AnyGame, root: &AnyPosition, finished: &Finished, folder: &Path) -> CommandResult {
    let table = &finished.table;
    let missing = || Failure::work(format!("{}: the root position has no value", table.path().display()));
    let value = game.probe(table, root)?.ok_or_else(missing)?;
    let stats =
        Stats::new(game, &table.meta()?, value, game.side(root)).ok_or_else(|| table.damaged(COUNTS_OVERFLOW))?;
    print(&result_lines(game, &stats))?;
    let (code, start) = (game.code(), *root == game.start());
    let place = if start { format!("{code} from the start") } else { format!("{code} from this position") };
    print(&format!("{}: {place}.", sentence(game, root, value)))?;
    if let Some(remark) = game.remark(root, value) {
        print(&remark)?;
    }
    let written = if finished.fresh { "written" } else { "already there, nothing to do" };
    print(&format!("{} ({}, {written})", shown(table.path()), bytes(table.length() as f64)))?;
    print(&hints(game, root, folder))
}

fn result_lines(game: &AnyGame, stats: &Stats) -> String {
    match stats.start.measure {
        Measure::Distance { plies } => distance_lines(game, stats, plies.map_or(0, |plies| plies.0)),
        Measure::Score { score } => score_lines(stats, score),
    }
}

/// Formats the result in the same lines as the original analyser of animal shogi (docs/animal-shogi.md), for users of
/// that program. `depth` is the distance from the start position to the end, in plies.
///
/// In games that can repeat positions, values are relative to the side to move. The line for White then counts the
/// positions that the side to move wins, and the line for Black the positions that it loses. The last number is then
/// `depth` - 1, because the original analyser counts from the position after the first move.
fn distance_lines(game: &AnyGame, stats: &Stats, depth: u16) -> String {
    let (depth, black, white) = match game.is_cyclic() {
        true => (depth.saturating_sub(1), stats.losses, stats.wins),
        false => (depth, stats.black_wins.unwrap_or(0), stats.white_wins.unwrap_or(0)),
    };
    format!(
        "Step 2: result\n  black-winning boards: {:9}\n  white-winning boards: {:9}\n  draw                : {:9}\n  \
         max depth : {:3}\n  init depth: {:3}\nStep 2: done!",
        black,
        white,
        stats.draws,
        stats.spread.max_plies().unwrap_or(0),
        depth
    )
}

/// Formats the result of a game with scores. `start` is the score of the start position for the side to move.
fn score_lines(stats: &Stats, start: i8) -> String {
    format!(
        "Step 2: result\n  side to move wins   : {:9}\n  side to move loses  : {:9}\n  draw                : {:9}\n  \
         init score: {start:+3}\nStep 2: done!",
        stats.wins, stats.losses, stats.draws
    )
}

fn hints(game: &AnyGame, root: &AnyPosition, folder: &Path) -> String {
    let code = game.code();
    let (program, tables) = (program(), tables_option(folder));
    let position = position_argument(game, root);
    let line = if *root == game.start() { String::new() } else { format!(" {position}") };
    format!("Query it with:\n  {program} query {code} {position}{tables}\n  {program} line {code}{line}{tables}")
}
