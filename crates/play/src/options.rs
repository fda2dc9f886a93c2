//! The options of USI and UPI, which `setoption` sets.

use std::ffi::OsStr;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::time::Duration;

use yomikiri_rules::{AnyGame, Notation, TextError, visible};
use yomikiri_solve::SolveError;
use yomikiri_table::{Location, address, places};

use crate::arguments::{number, truth};
use crate::repl::CommandAnswer;
use crate::{Choice, CombinedPlayer, Score, Selection, combined_player};

/// The maximum number of milliseconds in a command: a day.
pub const MAX_MILLISECONDS: u64 = 86_400_000;

/// The kind of an option. The fields are the minimum and the maximum of its value, if the value is a number.
#[derive(Clone, Copy)]
pub enum Setting {
    /// Memory of the search in MiB.
    Memory(u64, u64),
    Threads(u64, u64),
    /// The number of best moves to report, each with its line.
    MultiPv(u64, u64),
    /// True if the host may send `go ponder`. The engine ignores this option, because `go ponder` always works.
    Ponder,
    /// The folders and addresses of tables, as a list. An empty value selects the initial location.
    Tables,
    UsesTables,
    /// True if tables are read into memory, where look-ups are faster.
    Resident,
    /// The time for a move, in milliseconds.
    MoveTime(u64, u64),
    /// The part of the time for a move that is reserved for communication with the host, in milliseconds.
    Overhead(u64, u64),
    /// The maximum number of plies to a certain loss at which the engine resigns.
    Resign(u64, u64),
}

/// The options that a protocol declares.
pub struct Declared {
    pub settings: &'static [(&'static str, Setting)],
    /// The names of all options, for error messages.
    pub names: &'static str,
}

/// The settings that remain in force from one search to the next.
pub struct Options {
    declared: &'static Declared,
    /// The initial location of tables.
    location: Location,
    /// The time for a move, used if `go` sets no limit.
    pub move_time: Duration,
    /// The part of the time for a move that is reserved for communication with the host.
    pub overhead: Duration,
    /// The maximum number of plies to a certain loss at which the engine resigns.
    pub resign: u16,
    /// The number of best moves to report, each with its line.
    pub lines: usize,
}

impl Options {
    /// Returns the initial settings.
    pub fn new(declared: &'static Declared, location: &Location) -> Options {
        let (move_time, overhead) = (Duration::from_secs(1), Duration::from_millis(50));
        Options { declared, location: location.into(), move_time, overhead, resign: 0, lines: 1 }
    }

    /// Carries out `setoption`. `words` are its arguments, `name <name> value <value>`.
    pub fn set(&mut self, words: &[&str], player: &mut CombinedPlayer) -> CommandAnswer {
        let ["name", name, "value", values @ ..] = words else {
            return Err(TextError::new("setoption", "needs the arguments: name <name> value <value>"));
        };
        let value = values.join(" ");
        let milliseconds = |least, most| number(name, &value, least..=most).map(Duration::from_millis);
        let setting = self.declared.settings.iter().find(|(other, _)| other == name).map(|&(_, setting)| setting);
        let unknown = || TextError::new(format!("option \"{name}\""), format!("is not one of {}", self.declared.names));
        match setting.ok_or_else(unknown)? {
            Setting::Memory(least, most) => {
                let bytes = number(name, &value, least as usize..=most as usize)? << 20;
                let refused = |error: SolveError| TextError::new(format!("option \"{name}\""), error.to_string());
                player.set_memory(bytes).map_err(refused)?;
            }
            Setting::Threads(least, most) => {
                let threads = number(name, &value, least as usize..=most as usize)?;
                player.set_threads(NonZeroUsize::new(threads).unwrap_or(NonZeroUsize::MIN));
            }
            Setting::MultiPv(least, most) => self.lines = number(name, &value, least as usize..=most as usize)?,
            Setting::Ponder => drop(truth(name, &value)?),
            Setting::Tables if value.is_empty() || value == self.places() => player.set_location(&self.location),
            Setting::Tables => {
                let location = self.elsewhere(&format!("option \"{name}\""), &value)?;
                let missing = missing_folders(&location.candidates(Path::to_path_buf));
                player.set_location(location);
                // The option stays in force, because the folder may be made later.
                return Ok(missing.map_or(String::new(), |names| {
                    format!("info string option \"{name}\": {names}: there is no such folder")
                }));
            }
            Setting::UsesTables => player.uses_table = truth(name, &value)?,
            Setting::Resident => player.set_resident(truth(name, &value)?),
            Setting::MoveTime(least, most) => self.move_time = milliseconds(least, most)?,
            Setting::Overhead(least, most) => self.overhead = milliseconds(least, most)?,
            Setting::Resign(least, most) => self.resign = number(name, &value, least as u16..=most as u16)?,
        }
        Ok(String::new())
    }

    /// Returns the initial folders and addresses of tables, as a list.
    fn places(&self) -> String {
        visible(places::join(&self.location.candidates(Path::to_path_buf)).display())
    }

    /// Returns the location with the folders and addresses of `list`, or with those of the initial location if `list`
    /// has no entry. The folder that the initial location has for certificates and openings alone comes last. `field`
    /// is the name of the list in errors.
    fn elsewhere(&self, field: &str, list: &str) -> Result<Location, TextError> {
        let listed = places::split(field, OsStr::new(list))?;
        let named = if listed.is_empty() { self.location.candidates(Path::to_path_buf) } else { listed };
        places::location(named, self.location.knowledge()).map_err(|error| TextError::new(field, error.to_string()))
    }

    /// Returns the `option` lines of the protocol, which name the initial settings as defaults.
    pub fn declarations(&self) -> String {
        let usual = Options::new(self.declared, &self.location);
        let spin = |default: u128, least, most| format!("type spin default {default} min {least} max {most}");
        let check = |default: bool| format!("type check default {default}");
        let line = |&(name, setting): &(&str, Setting)| {
            let kind = match setting {
                Setting::Memory(least, most) => spin((combined_player::MEMORY >> 20) as u128, least, most),
                Setting::Threads(least, most) => spin(1, least, most),
                Setting::MultiPv(least, most) => spin(usual.lines as u128, least, most),
                Setting::Ponder => check(false),
                Setting::Tables => format!("type string default {}", self.places()),
                Setting::UsesTables => check(true),
                Setting::Resident => check(false),
                Setting::MoveTime(least, most) => spin(usual.move_time.as_millis(), least, most),
                Setting::Overhead(least, most) => spin(usual.overhead.as_millis(), least, most),
                Setting::Resign(least, most) => spin(usual.resign.into(), least, most),
            };
            format!("option name {name} {kind}")
        };
        self.declared.settings.iter().map(line).collect::<Vec<_>>().join("\n")
    }

    /// Returns the `bestmove` line for a choice. It is `bestmove resign` if the game is lost in at most
    /// [`Options::resign`] plies. If `selection` leaves moves out, the game need not be lost, so the move is named.
    pub fn best_move(&self, game: &AnyGame, selection: &Selection, choice: &Choice) -> String {
        match choice.score {
            Score::Lost(plies) if plies.0 <= self.resign && selection.moves.is_none() => "bestmove resign".into(),
            _ => format!("bestmove {}", game.move_text(choice.mv)),
        }
    }
}

/// Returns the names of the folders among `places` that do not exist, separated by commas, or `None` if all exist.
/// Addresses are not looked up.
fn missing_folders(places: &[PathBuf]) -> Option<String> {
    let missing = places.iter().filter(|place| address::of(place).is_none() && !place.is_dir());
    let names: Vec<String> = missing.map(|place| visible(place.display())).collect();
    (!names.is_empty()).then(|| names.join(", "))
}
