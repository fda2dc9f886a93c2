//! What `setoption` sets.

use std::ops::RangeInclusive;
use std::time::Duration;

use crate::Machine;
use crate::arguments::{number, truth};
use crate::dialogue::Answer;
use crate::machine;
use yomikiri_rules::game::TextError;
use yomikiri_rules::games::pyonpyon::Pyonpyon;

const HASH: RangeInclusive<usize> = 1..=1024;
const MOVE_TIME: RangeInclusive<u64> = 1..=86_400_000;
const RESIGN: RangeInclusive<u16> = 0..=999;

/// What holds from one search to the next.
pub struct Options {
    /// How long a search takes if `go` says nothing.
    pub move_time: Duration,
    /// A game that is lost in at most so many plies is resigned.
    pub resign: u16,
}

impl Default for Options {
    fn default() -> Options {
        Options { move_time: Duration::from_secs(1), resign: 0 }
    }
}

impl Options {
    /// Obeys `setoption`: `name <name> value <value>`.
    pub fn set(&mut self, words: &[&str], machine: &mut Machine<Pyonpyon>) -> Answer {
        let ["name", name, "value", value] = words else {
            return Err(TextError::new("setoption", "name <name> value <value> has to follow"));
        };
        match *name {
            "Hash" => machine.set_memory(number(name, value, HASH)? << 20),
            "MoveTime" => self.move_time = Duration::from_millis(number(name, value, MOVE_TIME)?),
            "Resign" => self.resign = number(name, value, RESIGN)?,
            "Table" => machine.uses_table = truth(name, value)?,
            _ => return Err(TextError::new(format!("option \"{name}\""), "is none of Hash, MoveTime, Resign, Table")),
        }
        Ok(String::new())
    }

    /// The lines that declare the options, defaults being what holds at the start.
    pub fn declarations() -> String {
        let Options { move_time, resign } = Options::default();
        let spin = |name: &str, default: u128, least: u128, most: u128| {
            format!("option name {name} type spin default {default} min {least} max {most}\n")
        };
        let hash = spin("Hash", (machine::MEMORY >> 20) as u128, *HASH.start() as u128, *HASH.end() as u128);
        let time = (*MOVE_TIME.start(), *MOVE_TIME.end());
        let time = spin("MoveTime", move_time.as_millis(), time.0.into(), time.1.into());
        let resign = spin("Resign", resign.into(), (*RESIGN.start()).into(), (*RESIGN.end()).into());
        format!("{hash}{time}{resign}option name Table type check default true")
    }
}
