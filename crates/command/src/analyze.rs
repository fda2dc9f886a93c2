//! `yomikiri analyze`: makes the table of a rule code.

use std::path::Path;
use std::time::Duration;

use clap::Args;
use serde::Serialize;
use yomikiri_answer::{COUNTS_OVERFLOW, Stats};
use yomikiri_rules::{AnyGame, AnyPosition, AnyValue, Game, Measure, Notation, Outcome, Presentation, Side, Value};
use yomikiri_solve::pipeline::{self, Finished};
use yomikiri_solve::{Solvable, SolveOptions};
use yomikiri_table::{Silent, Table, pieces};

use super::error::Failure;
use super::output::{bytes, print, print_json, shown};
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

    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Tables of at most this many bytes are read whole before they are called finished: that takes less than a second.
const CHECKED_LENGTH: u64 = 64 << 20;

/// The origin of a finished table, as a fixed word in JSON.
#[derive(Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
enum TableChange {
    /// This run has made the table.
    Made,
    /// The table was there already, and stays as it is.
    Kept,
}

/// A finished table and the value of its root, as JSON.
#[derive(Serialize)]
struct AnalysisReport<'a> {
    /// The rule code, in its shortest form.
    rules: String,
    /// The root: the start of the game or, with `--from`, another position.
    position: String,
    file: &'a str,
    bytes: u64,
    change: TableChange,
    /// The outcome for the side to move.
    outcome: Outcome,
    /// The plies to the end, or the score for the side to move.
    #[serde(flatten)]
    measure: Measure,
    /// The side that wins; `null` in a draw.
    winner: Option<Side>,
}

pub fn run(arguments: Arguments) -> CommandResult {
    let game = &AnyGame::parse(&arguments.code)?;
    let Arguments { tables, resources, from, checkpoint, force, json, .. } = arguments;
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
    if !finished.fresh && finished.table.length() <= CHECKED_LENGTH {
        finished.table.check(&Silent)?;
    }
    let root = root.unwrap_or_else(|| game.start());
    if json { report_as_json(game, &root, &finished) } else { report(game, &root, &finished, &folder) }
}

/// Returns the value of the root of a table.
fn value_of_root(game: &AnyGame, root: &AnyPosition, table: &Table) -> Result<AnyValue, Failure> {
    let missing = || Failure::work(format!("{}: the root position has no value", shown(table.path())));
    game.probe(table, root)?.ok_or_else(missing)
}

fn report_as_json(game: &AnyGame, root: &AnyPosition, finished: &Finished) -> CommandResult {
    let table = &finished.table;
    let value = value_of_root(game, root, table)?;
    print_json(&AnalysisReport {
        rules: game.code(),
        position: game.position_text(root),
        file: &table.path().display().to_string(),
        bytes: table.length(),
        change: if finished.fresh { TableChange::Made } else { TableChange::Kept },
        outcome: value.outcome(),
        measure: value.measure(),
        winner: value.outcome().winner(game.side(root)),
    })
}

fn report(game: &AnyGame, root: &AnyPosition, finished: &Finished, folder: &Path) -> CommandResult {
    let table = &finished.table;
    let value = value_of_root(game, root, table)?;
    let stats =
        Stats::new(game, &table.meta()?, value, game.side(root)).ok_or_else(|| table.damaged(COUNTS_OVERFLOW))?;
    print(&result_lines(game, &stats))?;
    let (code, start) = (game.code(), *root == game.start());
    let place = if start { format!("{code} from the start") } else { format!("{code} from this position") };
    print(&format!("{}: {place}.", sentence(game, root, value)))?;
    if let Some(remark) = game.remark(root, value) {
        print(&remark)?;
    }
    let written = match finished.fresh {
        true => "written",
        false if table.length() <= CHECKED_LENGTH => "already there, nothing to do",
        false => "already there, nothing to do; its blocks were not checked",
    };
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
