//! `yomikiri estimate`: what a run would cost, before anyone starts it.

use std::path::Path;
use std::time::Duration;

use clap::Args;
use yomikiri_answer::CostReport;
use yomikiri_rules::{AnyGame, with_game};
use yomikiri_solve::Solvable;
use yomikiri_table::name;

use super::Done;
use super::error::Failure;
use super::output::{bytes, print, print_json};
use super::settings::TablesFolder;

/// Bytes that nobody has a word for.
const BEYOND_NUMBERS: f64 = 1e24;

/// Estimate positions per ply, memory, disk and time of a run
#[derive(Args)]
pub struct Arguments {
    /// Rule code, as bin5x4
    code: String,

    #[command(flatten)]
    tables: TablesFolder,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub fn run(arguments: Arguments) -> Done {
    with_game!(AnyGame::parse(&arguments.code)?, game => show(&game, arguments))
}

fn lines(cost: &CostReport) -> String {
    let is_counted = cost.exact_plies > 0 && cost.exact_plies >= cost.by_ply.len();
    let about = if is_counted { "" } else { "about " };
    let mut text = format!("{}: {about}{} undecided positions\n", cost.rules, short(cost.positions));
    for (ply, &count) in cost.by_ply.iter().enumerate() {
        let exact = if ply < cost.exact_plies { "" } else { "about " };
        text += &format!("  ply {ply:2}  {:>16}\n", format!("{exact}{}", short(count)));
    }
    let memory = cost.memory.map_or("more than any machine has".into(), |m| format!("at least {}", bytes(m as f64)));
    text += &format!("memory   {memory}\n");
    text += &format!("disk     about {} while it runs, then a table of {}\n", bytes(cost.disk), bytes(cost.table));
    text + &format!("time     about {} on two cores, audit included", duration(cost.seconds))
}

fn show<G: Solvable>(game: &G, arguments: Arguments) -> Done {
    let cost = CostReport::of(game);
    if arguments.json {
        return print_json(&cost);
    }
    print(&format!("{}\n{}", lines(&cost), advice(game, &cost, &arguments.tables.folder()?, None)))
}

/// Refuses a whole game that does not fit memory or disk, and says what to do instead. Starts nothing.
pub fn refuse_too_large<G: Solvable>(game: &G, folder: &Path, memory: u64) -> Result<(), Failure> {
    /// Below this a run needs less than any machine has.
    const SURELY_FITS: u64 = 256 << 20;
    let needed = game.memory_needed();
    if needed.is_some_and(|needed| needed <= SURELY_FITS.min(memory)) {
        return Ok(());
    }
    let cost = CostReport::of(game);
    if fits(&cost, folder, memory) {
        return Ok(());
    }
    let why = advice(game, &cost, folder, Some(memory));
    Err(Failure::Work(format!("{} has about {} positions; {why}", cost.rules, short(cost.positions))))
}

fn fits(cost: &CostReport, folder: &Path, memory: u64) -> bool {
    cost.memory.is_some_and(|needed| needed <= memory) && free(folder).is_none_or(|free| cost.disk <= free as f64)
}

/// Free bytes of the disk that has, or will have, the folder.
fn free(folder: &Path) -> Option<u64> {
    let full = std::path::absolute(folder).ok()?;
    full.ancestors().find_map(|place| fs4::available_space(place).ok())
}

/// How to make the table of a whole game with so many bytes of memory, or what else there is.
pub fn how_to_make<G: Solvable>(game: &G, folder: &Path, memory: u64) -> String {
    let (cost, code) = (CostReport::of(game), game.code());
    match fits(&cost, folder, memory) {
        true => format!("make it with: yomikiri analyze {code}"),
        false if !name::all_proofs(&folder.into(), &code).is_empty() => {
            let size = bytes(cost.table);
            format!("a table of {size} cannot be made; a certificate tells who wins: yomikiri query {code} startpos")
        }
        false => advice(game, &cost, folder, Some(memory)),
    }
}

/// One line: what stands against a run, or how to start it.
fn advice<G: Solvable>(game: &G, cost: &CostReport, folder: &Path, memory: Option<u64>) -> String {
    let code = game.code();
    let search = format!("search single positions with: yomikiri solve {code} \"<position>\"");
    let below = format!("solve what lies below a late position with: yomikiri analyze {code} --from \"<position>\"");
    let proof = format!("{below}; or have it proved who wins: yomikiri prove {code}");
    let late = match game.searcher(0) {
        Some(_) => &search,
        None if G::CYCLIC => &below,
        None => &proof,
    };
    match (cost.memory, free(folder)) {
        (None, _) if cost.table > BEYOND_NUMBERS => format!("no table can be made; {late}"),
        (None, _) => format!("a table of {} cannot be made; {late}", bytes(cost.table)),
        (Some(needed), _) if memory.is_some_and(|memory| needed > memory) => {
            format!("a run needs --memory {}M or more; or {late}", needed.div_ceil(1 << 20))
        }
        (_, Some(free)) if cost.disk > free as f64 => {
            format!("a run needs about {} of disk, {} are free; or {late}", bytes(cost.disk), bytes(free as f64))
        }
        (Some(needed), _) => {
            let more =
                if needed > 8 << 30 { format!(" --memory {}M", needed.div_ceil(1 << 20)) } else { String::new() };
            format!("start it with: yomikiri analyze {code}{more}")
        }
    }
}

/// A large count with three digits.
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
