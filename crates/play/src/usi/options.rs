//! What `setoption` sets.

use std::num::NonZeroUsize;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::clock::MILLISECONDS;
use super::game::UsiGame;
use crate::arguments::{number, truth};
use crate::repl::Answer;
use crate::{CombinedPlayer, combined_player};
use yomikiri_rules::game::TextError;

const HASH: RangeInclusive<usize> = 1..=16_384;
const THREADS: RangeInclusive<NonZeroUsize> = NonZeroUsize::MIN..=NonZeroUsize::MIN.saturating_add(63);
const RESIGN: RangeInclusive<u16> = 0..=999;
const OVERHEAD: RangeInclusive<u64> = 0..=10_000;

/// What holds from one search to the next.
pub struct Options {
    /// Where tables are looked for at first.
    folder: PathBuf,
    /// How long a search takes if `go` says nothing.
    pub move_time: Duration,
    /// What a move costs beside thinking.
    pub overhead: Duration,
    /// A game that is lost in at most so many plies is resigned.
    pub resign: u16,
}

impl Options {
    /// What holds at the start.
    pub fn new(folder: &Path) -> Options {
        Options {
            folder: folder.into(),
            move_time: Duration::from_secs(1),
            overhead: Duration::from_millis(50),
            resign: 0,
        }
    }

    /// Carries out `setoption`: `name <name> value <value>`.
    pub fn set<G: UsiGame>(&mut self, words: &[&str], player: &mut CombinedPlayer<G>) -> Answer {
        let ["name", name, "value", values @ ..] = words else {
            return Err(TextError::new("setoption", "name <name> value <value> has to follow"));
        };
        let value = values.join(" ");
        let milliseconds = |limits| number(name, &value, limits).map(Duration::from_millis);
        match *name {
            "USI_Hash" => player.set_memory(number(name, &value, HASH)? << 20),
            "Threads" => player.set_threads(number(name, &value, THREADS)?),
            "USI_Ponder" => drop(truth(name, &value)?),
            "Tables" => player.set_folder(if value.is_empty() { self.folder.clone() } else { value.into() }),
            "UseTables" => player.uses_table = truth(name, &value)?,
            "MoveTime" => self.move_time = milliseconds(1..=*MILLISECONDS.end())?,
            "Overhead" => self.overhead = milliseconds(OVERHEAD)?,
            "Resign" => self.resign = number(name, &value, RESIGN)?,
            _ => {
                let known = "USI_Hash, USI_Ponder, Threads, Tables, UseTables, MoveTime, Overhead, Resign";
                return Err(TextError::new(format!("option \"{name}\""), format!("is none of {known}")));
            }
        }
        Ok(String::new())
    }

    /// The lines that declare the options, defaults being what holds at the start.
    pub fn declarations(&self) -> String {
        let usual = Options::new(&self.folder);
        let spin = |name: &str, default: u128, least: u128, most: u128| {
            format!("option name {name} type spin default {default} min {least} max {most}")
        };
        [
            spin("USI_Hash", (combined_player::MEMORY >> 20) as u128, *HASH.start() as u128, *HASH.end() as u128),
            spin("Threads", 1, 1, THREADS.end().get() as u128),
            "option name USI_Ponder type check default false".into(),
            format!("option name Tables type string default {}", self.folder.display()),
            "option name UseTables type check default true".into(),
            spin("MoveTime", usual.move_time.as_millis(), 1, u128::from(*MILLISECONDS.end())),
            spin("Overhead", usual.overhead.as_millis(), 0, u128::from(*OVERHEAD.end())),
            spin("Resign", usual.resign.into(), 0, u128::from(*RESIGN.end())),
        ]
        .join("\n")
    }
}
