//! Arguments that several verbs share, and how they are read.

use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::thread::available_parallelism;
use std::time::Duration;

use clap::Args;
use yomikiri_play::arguments::seconds;
use yomikiri_rules::{Game, Measure, Score, Side, TextError, Value};
use yomikiri_solve::{Solvable, memory};
use yomikiri_table::{Location, location, threads};

/// Reads the size of a memory.
pub use memory::parse as parse_memory;

use super::error::Failure;

/// Environment variable that names the folder of tables, or their address.
const TABLES_VARIABLE: &str = "YOMIKIRI_TABLES";

/// The folder of tables: the one asked for, else that of the environment, else `precomp` of the checkout the
/// program was built in while that exists, else `precomp` of the current folder.
pub fn tables_folder(asked: Option<PathBuf>) -> PathBuf {
    if let Some(folder) =
        asked.or_else(|| std::env::var_os(TABLES_VARIABLE).filter(|v| !v.is_empty()).map(PathBuf::from))
    {
        return folder;
    }
    let built_in = Path::new(env!("CARGO_MANIFEST_DIR")).join("precomp");
    if built_in.is_dir() { built_in } else { PathBuf::from("precomp") }
}

/// Where tables lie that are read.
#[derive(Args)]
pub struct Tables {
    /// Folder of tables, or an address as https://host/tables [default: $YOMIKIRI_TABLES, else precomp]
    #[arg(long, value_name = "DIR")]
    tables: Option<PathBuf>,
}

impl Tables {
    /// The folder, or the address with its list of files.
    pub fn location(self) -> Result<Location, Failure> {
        Ok(Location::find(tables_folder(self.tables))?)
    }
}

/// The folder into which tables are written.
#[derive(Args)]
pub struct TablesFolder {
    /// Folder of tables [default: $YOMIKIRI_TABLES, else precomp]
    #[arg(long, value_name = "DIR")]
    tables: Option<PathBuf>,
}

impl TablesFolder {
    /// The folder. An address is refused.
    pub fn folder(self) -> Result<PathBuf, Failure> {
        Ok(location::folder_of(tables_folder(self.tables))?)
    }
}

/// How much a run may use.
#[derive(Args)]
pub struct Resources {
    #[command(flatten)]
    pub threads: Threads,

    /// Memory the run may use, as 8G or 500M [default: 8G, or what the machine has]
    #[arg(long, value_name = "SIZE", value_parser = parse_memory)]
    memory: Option<u64>,
}

impl Resources {
    /// Bytes of memory that the run may use.
    pub fn memory(&self) -> Result<u64, Failure> {
        memory(self.memory, 8 << 30)
    }
}

/// How many threads a run has.
#[derive(Args)]
pub struct Threads {
    /// Number of threads [default: all cores]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=i64::from(MOST_THREADS)))]
    threads: Option<u16>,
}

/// The most threads of a run.
const MOST_THREADS: u16 = 1024;

/// Environment variables by which the threads' library is told how many it starts.
const THREADS_VARIABLES: [&str; 2] = ["RAYON_NUM_THREADS", "RAYON_RS_NUM_CPUS"];

/// Refuses numbers of threads that --threads would refuse, wherever they are said. Empty variables say nothing.
pub fn check_environment() -> Result<(), Failure> {
    let said = |name| std::env::var_os(name).filter(|value| !value.is_empty()).map(|value| (name, value));
    for (name, value) in THREADS_VARIABLES.into_iter().filter_map(said) {
        let value = value.to_string_lossy();
        if !value.parse().is_ok_and(|threads: u16| (1..=MOST_THREADS).contains(&threads)) {
            return Err(Failure::Request(format!("{name}: \"{value}\" is not a number from 1 to {MOST_THREADS}")));
        }
    }
    Ok(())
}

impl Threads {
    /// How many these are.
    pub fn count(&self) -> usize {
        self.threads.map_or_else(|| available_parallelism().map_or(1, NonZero::get), usize::from)
    }

    /// Sets the number of threads for the whole process.
    pub fn apply(&self) -> Result<(), Failure> {
        let threads = self.threads.map_or(0, usize::from);
        let refused = |refused| Failure::Work(format!("{refused}; try --threads 1"));
        threads::start_global_pool(threads).map_err(refused)
    }
}

/// The bytes asked for by --memory, which are refused if the machine has not as many; else `usual`, or as many as it
/// has.
pub fn memory(asked: Option<u64>, usual: u64) -> Result<u64, Failure> {
    memory::at_wish(asked, usual).map_err(|refusal| Failure::Work(format!("--memory: {refusal}")))
}

/// Reads 500ms, 1.5s, 2m or 1h, up to so many hours; a number alone is seconds.
pub fn parse_hours(text: &str, most: u32) -> Result<Duration, String> {
    let wrong = || format!("write a number with ms, s, m or h after it, more than 0 and at most {most}h");
    let units = [("ms", 0.001), ("", 1.0), ("s", 1.0), ("m", 60.0), ("h", 3600.0)];
    let sensible = 0.001..=f64::from(most) * 3600.0;
    seconds(text, &units).filter(|time| sensible.contains(time)).map(Duration::from_secs_f64).ok_or_else(wrong)
}

/// Reads a time of at most some ten years.
pub fn parse_time(text: &str) -> Result<Duration, String> {
    parse_hours(text, 100_000)
}

/// Reads a position among arguments. Boards may begin with hyphens; what has other letters than these is an option that
/// does not exist.
pub fn position_argument(text: &str) -> Result<String, String> {
    let word = text.strip_prefix("--").and_then(|option| option.split('=').next()).unwrap_or_default();
    let is_option = word.bytes().all(|letter| letter.is_ascii_lowercase() || letter == b'-')
        && word.bytes().any(|letter| !b"xo-".contains(&letter));
    if is_option { Err("there is no such option; see --help".into()) } else { Ok(text.to_string()) }
}

/// The position asked for, or the start of the game.
pub fn position_or_start<G: Solvable>(game: &G, text: Option<&str>) -> Result<G::Position, TextError> {
    text.map_or_else(|| Ok(game.start()), |text| game.parse_position(text))
}

/// The position whose table is meant, if it is not that of the whole game.
pub fn root<G: Game>(game: &G, from: Option<&str>) -> Result<Option<G::Position>, Failure> {
    let root = from.map(|text| game.parse_position(text)).transpose()?;
    if root.is_some() && !game.has_keys() {
        return Err(Failure::Request(format!("{}: positions of this board have no keys, so no tables", game.code())));
    }
    Ok(root)
}

/// "White wins in 14 plies", or "White wins by 8", for a value with a side to move.
pub fn sentence<G: Game>(game: &G, position: &G::Position, value: G::Value) -> String {
    let (winner, over) = (value.outcome().winner(game.side(position)), game.terminal_value(position).is_some());
    verdict(winner, value.measure(), over, G::BEYOND_POINTS)
}

/// [`sentence`] by who wins, if anybody, by how much or how soon, whether the game is over, and what wins more than any
/// number of points ([`Game::BEYOND_POINTS`]).
pub fn verdict(winner: Option<Side>, measure: Measure, over: bool, beyond: Option<&str>) -> String {
    let Some(winner) = winner else { return "It is a draw".into() };
    match measure {
        Measure::Distance { plies: Some(plies) } if !over => format!("{winner} wins in {plies}"),
        Measure::Distance { .. } => format!("{winner} has won"),
        Measure::Score { score } => {
            let verb = if over { "has won" } else { "wins" };
            match beyond.filter(|_| score.unsigned_abs() == Score::MOST as u8) {
                Some(beyond) => format!("{winner} {verb} {beyond}"),
                None => format!("{winner} {verb} by {}", score.unsigned_abs()),
            }
        }
    }
}

/// [`sentence`] for a position in which the game is over, with the reason where the game gives one.
pub fn last_sentence<G: Game>(game: &G, position: &G::Position, value: G::Value) -> String {
    let reason = game.why_over(position).map_or(String::new(), |why| format!(": {why}"));
    format!("{}{reason}", sentence(game, position, value))
}
