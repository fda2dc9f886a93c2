//! Arguments that several subcommands share, and their parsers.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::thread::available_parallelism;
use std::time::Duration;

use clap::Args;
use clap::builder::{PathBufValueParser, TypedValueParser};
use yomikiri_play::arguments;
use yomikiri_rules::{
    AnyGame, AnyPosition, AnyValue, Game, Measure, Notation, Presentation, Score, Side, TextError, Value, visible,
};
use yomikiri_search::Searchable;
use yomikiri_solve::Adapter;
use yomikiri_table::memory;
use yomikiri_table::places::{self, Surroundings};
use yomikiri_table::threads::{self, MAX_THREADS};
use yomikiri_table::{Location, address, local, location};

/// Parses an amount of memory, such as 500M or 8G, and returns it in bytes.
pub use memory::parse as parse_memory;

use super::error::Failure;
use super::output::note;

/// Returns the facts about this process that decide where it looks for tables.
fn surroundings() -> Surroundings {
    Surroundings::of_process(std::env::current_exe().ok().as_deref())
}

/// Returns the folders and addresses of tables: `asked` (from `--tables`), or the usual ones if `asked` is empty
/// ([`Surroundings::places`]). New files are written to the first of them.
pub fn places(asked: &[PathBuf]) -> Result<Vec<PathBuf>, Failure> {
    Ok(surroundings().places(asked, Path::is_dir)?)
}

/// Returns the location of tables, with the certificates and openings that ship with the program. `asked` has the
/// places from `--tables` (see [`places`]). An address that cannot be read is an error.
pub fn location(asked: &[PathBuf]) -> Result<Location, Failure> {
    let knowledge = surroundings().knowledge(Path::is_dir)?;
    Ok(places::location(places(asked)?, knowledge.as_deref())?)
}

/// Returns the folder of certificates and openings that ship with the program, or `None` if there is none.
pub fn knowledge() -> Option<PathBuf> {
    surroundings().knowledge(Path::is_dir).ok().flatten()
}

/// Returns the folder that tables are written to, the first of [`places`]. It is an error if the first place is an
/// address.
pub fn folder(asked: &[PathBuf]) -> Result<PathBuf, Failure> {
    let first = places(asked)?.swap_remove(0);
    let is_address = address::of(&first).is_some();
    if !is_address {
        local::check(&first).map_err(Failure::request)?;
    }
    location::folder_of(first).map_err(|error| if is_address { Failure::request(error) } else { error.into() })
}

/// The places that tables are read from.
#[derive(Args)]
pub struct TablesOption {
    /// Folder of tables, or an address such as https://host/tables; may be repeated [default: see yomikiri --help]
    #[arg(long, value_name = "DIR")]
    tables: Vec<PathBuf>,
}

impl TablesOption {
    /// Returns the places given with `--tables`. The slice is empty if the option was not given.
    pub fn named(&self) -> &[PathBuf] {
        &self.tables
    }

    /// Returns the location that tables are read from ([`location`]).
    pub fn location(self) -> Result<Location, Failure> {
        location(&self.tables)
    }

    /// Returns the location for a command that answers without tables too. Prints a note for each folder given with
    /// `--tables` that does not exist, because the answer does not show that the folder is missing.
    pub fn location_or_note(self) -> Result<Location, Failure> {
        let location = location(&self.tables)?;
        let is_missing = |place: &&PathBuf| address::of(place).is_none() && !place.is_dir();
        for place in self.tables.iter().filter(is_missing).collect::<BTreeSet<_>>() {
            note(&format!("--tables {}: there is no such folder", address::shown(place)));
        }
        Ok(location)
    }
}

/// The places that tables are read from. The first one is written to.
#[derive(Args)]
pub struct WritableTablesOption {
    /// Folder of tables; if repeated, the first one is written to [default: see yomikiri --help]
    #[arg(long, value_name = "DIR")]
    tables: Vec<PathBuf>,
}

impl WritableTablesOption {
    /// Returns the folder that is written to ([`folder`]).
    pub fn folder(&self) -> Result<PathBuf, Failure> {
        folder(&self.tables)
    }

    /// Returns the folder that a command would write to if addresses were left out: the first folder among the places
    /// that were asked for, then among the usual ones, else the current folder.
    pub fn local_folder(&self) -> Result<PathBuf, Failure> {
        let places = [places(&self.tables)?, places(&[])?].concat();
        let local = places.into_iter().find(|place| address::of(place).is_none());
        Ok(location::folder_of(local.unwrap_or_else(|| ".".into()))?)
    }

    /// Returns the location to read from ([`location`]), or `None` if one of its places is an address.
    pub fn local_location(&self) -> Result<Option<Location>, Failure> {
        let is_local = places(&self.tables)?.iter().all(|place| address::of(place).is_none());
        is_local.then(|| location(&self.tables)).transpose()
    }

    /// Returns the location to read from ([`location`]). It is an error if the first place is an address.
    pub fn location(&self) -> Result<Location, Failure> {
        self.folder()?;
        location(&self.tables)
    }
}

/// The threads and the memory of a run.
#[derive(Args)]
pub struct Resources {
    #[command(flatten)]
    pub threads: Threads,

    /// Memory that the run may use, such as 8G or 500M [default: 8G, or what the machine has]
    #[arg(long, value_name = "SIZE", value_parser = parse_memory)]
    memory: Option<u64>,
}

impl Resources {
    /// Returns the memory that the run may use, in bytes.
    pub fn memory(&self) -> Result<u64, Failure> {
        memory(self.memory, 8 << 30)
    }
}

/// The number of threads of a run.
#[derive(Args)]
pub struct Threads {
    /// Number of threads [default: all cores]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=i64::from(MAX_THREADS)))]
    threads: Option<u16>,
}

/// The environment variables that set rayon's number of threads.
const THREADS_VARIABLES: [&str; 2] = ["RAYON_NUM_THREADS", "RAYON_RS_NUM_CPUS"];

/// Checks the environment variables for threads against the limits of `--threads`. Empty variables are ignored.
pub fn check_environment() -> Result<(), Failure> {
    let said = |name| std::env::var_os(name).filter(|value| !value.is_empty()).map(|value| (name, value));
    for (name, value) in THREADS_VARIABLES.into_iter().filter_map(said) {
        let value = value.to_string_lossy();
        if !value.parse().is_ok_and(|threads: u16| (1..=MAX_THREADS).contains(&threads)) {
            return Err(Failure::request(format!("{name}: \"{value}\" is not a number from 1 to {MAX_THREADS}")));
        }
    }
    Ok(())
}

impl Threads {
    /// Returns the number of threads that the user has asked for, else the number of cores.
    pub fn count(&self) -> usize {
        self.threads.map_or_else(|| available_parallelism().map_or(1, NonZero::get), usize::from)
    }

    /// Starts the global thread pool with this number of threads.
    pub fn apply(&self) -> Result<(), Failure> {
        let threads = self.threads.map_or(0, usize::from);
        let refused = |refused| Failure::work(refused).followed_by("; try --threads 1");
        threads::start_global_pool(threads).map_err(refused)
    }
}

/// Returns the memory to use, in bytes. If `asked` (from `--memory`) is given, returns that number, or an error if the
/// machine has less. Otherwise returns `usual`, halved until the machine has that much.
pub fn memory(asked: Option<u64>, usual: u64) -> Result<u64, Failure> {
    memory::requested_or(asked, usual).map_err(|refusal| Failure::work(refusal).named("--memory"))
}

/// Parses a time of at most 100,000 hours.
pub fn parse_time(text: &str) -> Result<Duration, String> {
    arguments::time(text, 100_000)
}

/// A position, given as one argument or as several words.
#[derive(Args)]
pub struct PositionWords {
    /// Position (startpos, a board, an SFEN, a key such as @41600 or a transcript), with or without moves after it; in
    /// quotes or as several words [default: startpos]
    #[arg(value_parser = position_argument, allow_hyphen_values = true)]
    position: Option<String>,

    /// The words after the first. Boards may begin with hyphens, but they are always the first word. So options can
    /// follow.
    #[arg(hide = true)]
    more: Vec<String>,
}

impl PositionWords {
    /// Returns the position as one text, or `None` if no word was given.
    pub fn text(&self) -> Option<String> {
        let words = self.position.iter().chain(&self.more).cloned().collect();
        let words = with_passes(words, std::env::args_os());
        (!words.is_empty()).then(|| words.join(" "))
    }
}

/// Puts a `--` that clap has removed back into the words of a position, where it is a pass. clap removes the first `--`
/// of a command line as the end of the options. A `--` before the first word of the position is not put back. `all` has
/// the arguments of the process, and `words` the words of the position, which are the last arguments.
fn with_passes(mut words: Vec<String>, all: impl Iterator<Item = OsString>) -> Vec<String> {
    let all: Vec<OsString> = all.collect();
    let behind = all.iter().position(|argument| argument == "--").map(|at| all.len() - at - 1);
    if let Some(before) = behind.and_then(|behind| words.len().checked_sub(behind)).filter(|&before| before > 0) {
        words.insert(before, "--".into());
    }
    words
}

/// Parses the first word of a position. The word may begin with hyphens, because boards may. It is refused as an
/// unknown option if it looks like `--name` or `--name=value`: the name has only lower-case letters and hyphens, and at
/// least one letter that no board has.
fn position_argument(text: &str) -> Result<String, String> {
    let word = text.strip_prefix("--").and_then(|option| option.split('=').next()).unwrap_or_default();
    let is_option = word.bytes().all(|letter| letter.is_ascii_lowercase() || letter == b'-')
        && word.bytes().any(|letter| !b"xo-".contains(&letter));
    if is_option { Err("unknown option; see --help".into()) } else { Ok(text.to_string()) }
}

/// Returns the parser for a path of an option beside [`PositionWords`]. Because words of a position may begin with
/// hyphens, clap would take a mistyped option for the path; this parser refuses it.
pub fn path_beside_position() -> impl TypedValueParser<Value = PathBuf> {
    PathBufValueParser::new().try_map(|path| match path.as_os_str().as_encoded_bytes() {
        [b'-', b'-', ..] => {
            Err(format!("unknown option; see --help (for a file of this name, write ./{})", visible(path.display())))
        }
        _ => Ok(path),
    })
}

/// Parses a position. Returns the start of the game if `text` is `None`.
pub fn position_or_start(game: &AnyGame, text: Option<&str>) -> Result<AnyPosition, TextError> {
    text.map_or_else(|| Ok(game.start()), |text| game.parse_position(text))
}

/// Parses the root position of a table. Returns `None` if `from` is `None`, which means the table of the whole game. It
/// is an error to give a root position if positions of the board have no keys.
pub fn root(game: &AnyGame, from: Option<&str>) -> Result<Option<AnyPosition>, Failure> {
    let root = from.map(|text| game.parse_position(text)).transpose()?;
    if root.is_some() {
        needs_keys(game)?;
    }
    Ok(root)
}

/// Returns an error if positions of the board have no keys, so that it can have no tables. The error suggests the
/// smaller board that is the example of the game's codes, and the search of single positions if the game has one.
pub fn needs_keys(game: &AnyGame) -> Result<(), Failure> {
    if game.has_keys() {
        return Ok(());
    }
    let (why, example) = (game.why_no_tables(), game.family().example);
    let search = game.searcher(0).map_or(String::new(), |_| format!("; or {}", search_advice(&game.code())));
    let board = format!("make the table of a smaller board, such as: yomikiri analyze {example}");
    Err(Failure::request(format!("{why}; {board}{search}")))
}

/// Returns the advice to search positions of a game without a table.
pub fn search_advice(code: &str) -> String {
    format!("search single positions with: yomikiri solve {code} \"<position>\"")
}

/// Returns a sentence about the value of a position, such as "White wins in 14 plies" or "White wins by 8". `value` is
/// relative to the side to move.
pub fn sentence(game: &AnyGame, position: &AnyPosition, value: AnyValue) -> String {
    let (winner, over) = (value.outcome().winner(game.side(position)), game.terminal_value(position).is_some());
    verdict(winner, value.measure(), over, game.beyond_points())
}

/// Makes the [`sentence`] from its parts: the winner (`None` for a draw), the distance or score, and `over` if the game
/// is over. `beyond` has the words for a win that counts more than any number of points
/// ([`Presentation::beyond_points`]).
pub fn verdict(winner: Option<Side>, measure: Measure, over: bool, beyond: Option<&str>) -> String {
    let Some(winner) = winner else { return "It is a draw".into() };
    match measure {
        Measure::Distance { plies: Some(plies) } if !over => format!("{winner} wins in {plies}"),
        Measure::Distance { .. } => format!("{winner} has won"),
        Measure::Score { score } => {
            let verb = if over { "has won" } else { "wins" };
            match beyond.filter(|_| score.unsigned_abs() == Score::MAX as u8) {
                Some(beyond) => format!("{winner} {verb} {beyond}"),
                None => format!("{winner} {verb} by {}", score.unsigned_abs()),
            }
        }
    }
}

/// Returns the [`sentence`] for a terminal position, with the reason if the game gives one.
pub fn final_sentence(game: &AnyGame, position: &AnyPosition, value: AnyValue) -> String {
    let reason = game.end_reason(position).map_or(String::new(), |why| format!(": {why}"));
    format!("{}{reason}", sentence(game, position, value))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pass_is_no_end_of_options() {
        for (all, words, expected) in [
            ("query rev4x4 b1 a1", "b1 a1", "b1 a1"),
            ("query rev4x4 -- b1 a1", "b1 a1", "b1 a1"),
            ("query -- rev4x4 b1 a1", "b1 a1", "b1 a1"),
            ("query --json -- rev4x4", "", ""),
            ("query rev4x4 b1 -- a1", "b1 a1", "b1 -- a1"),
            ("query rev4x4 b1 a1 --", "b1 a1", "b1 a1 --"),
            ("query rev4x4 b1 -- a1 --", "b1 a1 --", "b1 -- a1 --"),
        ] {
            let split = |text: &str| text.split_whitespace().map(String::from).collect::<Vec<_>>();
            let all_words = split(all).into_iter().map(OsString::from);
            assert_eq!(with_passes(split(words), all_words), split(expected), "{all}");
        }
    }
}
