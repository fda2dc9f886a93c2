//! `yomikiri estimate`: estimates the cost of a run.

use std::path::Path;
use std::time::Duration;

use clap::Args;
use yomikiri_answer::{Answerer, CostReport};
use yomikiri_rules::{AnyGame, Game};
use yomikiri_search::Searchable;
use yomikiri_solve::Solvable;
use yomikiri_table::Location;
use yomikiri_table::disk::free_space;

use super::CommandResult;
use super::error::Failure;
use super::output::{bytes, print, print_json};
use super::settings::{WritableTablesOption, needs_keys, search_advice};
use super::suggest::{tables_option, tables_options};

/// Estimate the positions of each ply, and the memory, disk space and time of a run
#[derive(Args)]
pub struct Arguments {
    /// Rule code, such as bin5x4
    code: String,

    #[command(flatten)]
    tables: WritableTablesOption,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub fn run(arguments: Arguments) -> CommandResult {
    let game = &AnyGame::parse(&arguments.code)?;
    needs_keys(game)?;
    let cost = CostReport::of(game);
    if arguments.json {
        return print_json(&cost);
    }
    print(&format!("{}\n{}", lines(&cost), advice(game, &cost, &arguments.tables.local_folder()?, None)))
}

fn lines(cost: &CostReport) -> String {
    let mut text = format!("{}: {} undecided positions\n", cost.rules, positions(cost));
    for (ply, &count) in cost.by_ply.iter().enumerate() {
        let exact = if ply < cost.exact_plies { "" } else { "about " };
        text += &format!("  ply {ply:2}  {:>16}\n", format!("{exact}{}", short(count)));
    }
    let memory = cost.memory.map_or("more than any machine has".into(), |m| format!("at least {}", bytes(m as f64)));
    text += &format!("memory   {memory}\n");
    let most = at_most(cost);
    text +=
        &format!("disk     {most}about {} while it runs, then a table of {}\n", bytes(cost.disk), bytes(cost.table));
    text + &format!("time     {most}about {} on two cores, audit included", duration(cost.seconds))
}

/// Returns "at most " if the number of positions is only known to be no larger than the estimate: in a game that can
/// repeat, few of the keys may have a position that arises from the start.
fn at_most(cost: &CostReport) -> &'static str {
    if cost.by_ply.is_empty() && cost.exact_plies == 0 { "at most " } else { "" }
}

/// Formats the number of positions, with a word that says how exact it is.
fn positions(cost: &CostReport) -> String {
    let is_counted = cost.exact_plies > 0 && cost.exact_plies >= cost.by_ply.len();
    format!("{}{}{}", at_most(cost), if is_counted { "" } else { "about " }, short(cost.positions))
}

/// Returns an error if the whole game can have no table, or if making it does not fit in `memory` bytes or on the disk
/// of `folder`. The error suggests alternatives.
pub fn refuse_too_large(game: &AnyGame, folder: &Path, memory: u64) -> Result<(), Failure> {
    needs_keys(game)?;
    let Some(cost) = CostReport::too_large(game, folder, memory) else { return Ok(()) };
    let why = advice(game, &cost, folder, Some(memory));
    Err(Failure::work(format!("{} has {} positions; {why}", cost.rules, positions(&cost))))
}

/// Returns advice for making the table of a whole game in the first folder of tables in `location`: the command, or an
/// alternative if `memory` bytes or the disk of the folder are not enough.
pub fn how_to_make(game: &AnyGame, location: &Location, memory: u64) -> String {
    let (cost, code, folder) = (CostReport::of(game), game.code(), location.path());
    match cost.fits(game, memory, free_space(folder)) {
        true => format!("make it with: yomikiri analyze {code}{}", tables_option(folder)),
        false => match winner_source(game, location) {
            Some(source) => {
                let (size, tables) = (bytes(cost.table), tables_options(location));
                format!(
                    "a table of {size} cannot be made; {source} has the winner: yomikiri query {code} startpos{tables}"
                )
            }
            None => advice(game, &cost, folder, Some(memory)),
        },
    }
}

/// Returns the certificate or opening that names the winner of the game, in words. Returns `None` if there is none, or
/// if it cannot be read.
fn winner_source(game: &AnyGame, location: &Location) -> Option<&'static str> {
    let (start, mut answerer) = (game.start(), Answerer::new(game, location));
    let certificates = answerer.certificates().ok()?;
    certificates.winner(&start).ok()??;
    let (source, trust) = certificates.source(&start).ok()?;
    Some(source.in_words(Some(trust)))
}

/// Returns one line of advice: the command that starts a run, or the obstacle to the run and an alternative. `memory`
/// is the memory for the run in bytes. If it is `None`, the run may take as much memory as it needs, and the command
/// asks for that amount.
fn advice(game: &AnyGame, cost: &CostReport, folder: &Path, memory: Option<u64>) -> String {
    let (code, tables) = (game.code(), tables_option(folder));
    let search = search_advice(&code);
    let below = format!(
        "solve the positions below a late position with: yomikiri analyze {code} --from \"<position>\"{tables}"
    );
    let proof = format!("{below}; or prove who wins: yomikiri prove {code}");
    let late = match game.searcher(0) {
        Some(_) => &search,
        None if game.is_cyclic() => &below,
        None => &proof,
    };
    match (cost.sufficient_memory(game), free_space(folder)) {
        _ if !game.has_keys() => format!("no table can be made; {late}"),
        (None, _) => format!("a table of {} cannot be made; {late}", bytes(cost.table)),
        (Some(needed), _) if memory.is_some_and(|memory| needed > memory) => {
            format!("a run needs more memory; --memory {}M is enough; or {late}", needed.div_ceil(1 << 20))
        }
        (_, Some(free)) if cost.disk > free as f64 => {
            format!(
                "a run needs about {} of disk space, and {} are free; or {late}",
                bytes(cost.disk),
                bytes(free as f64)
            )
        }
        (Some(needed), _) => {
            let more =
                if needed > 8 << 30 { format!(" --memory {}M", needed.div_ceil(1 << 20)) } else { String::new() };
            format!("start it with: yomikiri analyze {code}{more}{tables}")
        }
    }
}

/// Formats a count. Counts of a million or more are rounded to three significant digits.
fn short(count: f64) -> String {
    if count < 1e6 { format!("{count:.0}") } else { format!("{count:.2e}") }
}

fn duration(seconds: f64) -> String {
    let years = seconds / (365.25 * 86400.0);
    if years >= 2.0 {
        return format!("{} years", short(years));
    }
    if seconds < 1.0 {
        return "a second".into();
    }
    indicatif::HumanDuration(Duration::from_secs_f64(seconds)).to_string()
}
