//! What `setoption` sets, in either protocol.

use std::num::NonZeroUsize;
use std::time::Duration;

use yomikiri_rules::{TextError, visible};
use yomikiri_solve::{Playable, SolveError};
use yomikiri_table::Location;

use crate::arguments::{number, truth};
use crate::repl::Answer;
use crate::{Choice, CombinedPlayer, Score, combined_player};

/// Milliseconds that commands may name: a day.
pub const MOST_MILLISECONDS: u64 = 86_400_000;

/// What an option sets, with the least and the most where that is a number.
#[derive(Clone, Copy)]
pub enum Setting {
    /// Mebibytes of the search.
    Memory(u64, u64),
    Threads(u64, u64),
    /// Whether the other program may let this one ponder, which makes no difference.
    Ponder,
    /// Where tables are looked for; where they were at first if nothing is said.
    Tables,
    UsesTables,
    /// Whether tables are read into memory that are sooner asked there.
    Resident,
    /// Milliseconds.
    MoveTime(u64, u64),
    /// Milliseconds.
    Overhead(u64, u64),
    /// Plies.
    Resign(u64, u64),
}

/// The options of a protocol by their names.
pub struct Declared {
    pub settings: &'static [(&'static str, Setting)],
    /// All names, for people.
    pub names: &'static str,
}

/// What holds from one search to the next.
pub struct Options {
    declared: &'static Declared,
    /// Where tables are looked for at first.
    location: Location,
    /// How long a search takes if `go` says nothing.
    pub move_time: Duration,
    /// What a move costs beside thinking.
    pub overhead: Duration,
    /// A game that is lost in at most so many plies is resigned.
    pub resign: u16,
}

impl Options {
    /// What holds at the start.
    pub fn new(declared: &'static Declared, location: &Location) -> Options {
        let (move_time, overhead) = (Duration::from_secs(1), Duration::from_millis(50));
        Options { declared, location: location.into(), move_time, overhead, resign: 0 }
    }

    /// Carries out `setoption`: `name <name> value <value>`.
    pub fn set<G: Playable>(&mut self, words: &[&str], player: &mut CombinedPlayer<G>) -> Answer {
        let ["name", name, "value", values @ ..] = words else {
            return Err(TextError::new("setoption", "name <name> value <value> has to follow"));
        };
        let value = values.join(" ");
        let milliseconds = |least, most| number(name, &value, least..=most).map(Duration::from_millis);
        let setting = self.declared.settings.iter().find(|(other, _)| other == name).map(|&(_, setting)| setting);
        let unknown = || TextError::new(format!("option \"{name}\""), format!("is none of {}", self.declared.names));
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
            Setting::Ponder => drop(truth(name, &value)?),
            Setting::Tables => player.set_location(match value.is_empty() {
                true => self.location.clone(),
                false => Location::find(value)
                    .map_err(|error| TextError::new(format!("option \"{name}\""), error.to_string()))?,
            }),
            Setting::UsesTables => player.uses_table = truth(name, &value)?,
            Setting::Resident => player.set_resident(truth(name, &value)?),
            Setting::MoveTime(least, most) => self.move_time = milliseconds(least, most)?,
            Setting::Overhead(least, most) => self.overhead = milliseconds(least, most)?,
            Setting::Resign(least, most) => self.resign = number(name, &value, least as u16..=most as u16)?,
        }
        Ok(String::new())
    }

    /// The lines that declare the options, defaults being what holds at the start.
    pub fn declarations(&self) -> String {
        let usual = Options::new(self.declared, &self.location);
        let spin = |default: u128, least, most| format!("type spin default {default} min {least} max {most}");
        let check = |default: bool| format!("type check default {default}");
        let line = |&(name, setting): &(&str, Setting)| {
            let kind = match setting {
                Setting::Memory(least, most) => spin((combined_player::MEMORY >> 20) as u128, least, most),
                Setting::Threads(least, most) => spin(1, least, most),
                Setting::Ponder => check(false),
                Setting::Tables => format!("type string default {}", visible(self.location.path().display())),
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

    /// The `bestmove` line of a choice: `resign` where the game is lost soon enough.
    pub fn best_move<G: Playable>(&self, game: &G, choice: &Choice<G::Move>) -> String {
        match choice.score {
            Score::Lost(plies) if plies.0 <= self.resign => "bestmove resign".into(),
            _ => format!("bestmove {}", game.move_text(choice.mv)),
        }
    }
}
