//! `yomikiri play`: a game at the terminal.
//!
//! `controller` holds the game and its seats, `commands` parses what is typed, and `machines` are the players that are
//! programs. `hint` finds the values of moves, `files` saves and loads games, and `terminal` reads and writes lines.
//! `locale` has the languages and `highlight` the colours. `repl` brings them together.

mod commands;
mod controller;
mod files;
mod highlight;
mod hint;
mod locale;
mod machines;
mod repl;
mod terminal;

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use yomikiri_play::{Limits, Record, arguments, search};
use yomikiri_rules::AnyGame;

use super::CommandResult;
use super::error::Failure;
use super::output::shown;
use super::settings::TablesOption;
use controller::{GameController, SeatKind, Seats};
use locale::{Language, Locale};
use machines::Machines;
use repl::Repl;
use terminal::Terminal;

/// The default game: the standard board of Binarsi.
const STANDARD: &str = "bin7x6";

/// The computer's default time for a move.
const USUAL_TIME: Duration = Duration::from_secs(1);

/// Play against the computer, or against another person, at the terminal
///
/// Type moves in the game's notation. The command help lists the other commands.
#[derive(Args)]
pub struct Arguments {
    /// Rule code, such as rev8x8 [default: bin7x6, or the game of --load]
    code: Option<String>,

    /// Player of Black
    #[arg(long, value_name = "WHO", default_value = "human")]
    black: SeatKind,

    /// Player of White
    #[arg(long, value_name = "WHO", default_value = "computer")]
    white: SeatKind,

    /// Time that the computer has for a move, such as 500ms, 1.5s or 2m [default: 1s, or no limit with --depth]
    #[arg(long, value_parser = parse_time)]
    time: Option<Duration>,

    /// Maximum depth of the computer's search, in plies
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=i64::from(search::MAX_DEPTH)))]
    depth: Option<u32>,

    /// Begin from this position (as for query)
    #[arg(long, value_name = "POSITION", allow_hyphen_values = true)]
    start: Option<String>,

    /// Continue a saved game
    #[arg(long, value_name = "FILE", conflicts_with = "start")]
    load: Option<PathBuf>,

    #[command(flatten)]
    tables: TablesOption,

    /// Seed of the random numbers of the players random and greedy
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,

    /// Language of the game [default: that of the environment]
    #[arg(long)]
    lang: Option<Language>,
}

pub fn run(arguments: Arguments) -> CommandResult {
    let record = arguments.load.as_ref().map(|path| {
        let failed = |problem| Failure::work(format!("{}: {problem}", shown(path)));
        files::read(path).map_err(failed)
    });
    let record = record.transpose()?;
    let of_record = record.as_ref().map(|record| record.game.clone());
    let code = arguments.code.clone().or(of_record).unwrap_or(STANDARD.into());
    play(&AnyGame::parse(&code)?, arguments, record)
}

fn play(game: &AnyGame, arguments: Arguments, record: Option<Record>) -> CommandResult {
    let Arguments { black, white, time, depth, start, load, tables, seed, lang, .. } = arguments;
    let mut controller = GameController::new(game, start.as_deref(), Seats { black, white })?;
    if let (Some(record), Some(path)) = (record, load) {
        let named = |error| Failure::request(error).named(shown(&path));
        controller.go_on(&record).map_err(named)?;
    }
    let time = time.or(depth.is_none().then_some(USUAL_TIME));
    let limits = Limits { depth, nodes: None, time };
    let location = tables.location_or_note()?;
    let machines = Machines::new(game, &location, limits, seed);
    let locale = Locale::new(lang.unwrap_or_else(Language::of_environment));
    Repl::new(controller, machines, location, Terminal::new()?, locale).run()
}

/// Parses a time of at most a day.
fn parse_time(text: &str) -> Result<Duration, String> {
    arguments::time(text, 24)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times() {
        assert_eq!(parse_time("500ms"), Ok(Duration::from_millis(500)));
        assert_eq!(parse_time("1.5s"), Ok(Duration::from_millis(1500)));
        assert_eq!(parse_time("2m"), Ok(Duration::from_secs(120)));
        assert_eq!(parse_time("3"), Ok(Duration::from_secs(3)));
        for bad in ["", "s", "-1s", "0", "0.1ms", "25h", "1d", "nan", "inf", "1e9s", "1e2s", "+5s", ".5s", "5.s", "１s"]
        {
            assert!(parse_time(bad).is_err(), "{bad}");
        }
    }
}
