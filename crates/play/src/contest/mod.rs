//! Contests: two players, many games, and what came of them.
//!
//! `entrant` is a player by name, `seat` one that sits at a board and is asked for moves (`own` are those of this program).
//! `schedule` says who plays what in which game, `opening` draws beginnings, `bout` is one game from its first move to its
//! end, `judge` counts mistakes by the table. `run` plays all games, on several threads, `tally` adds them up to a
//! `summary`, and `interval` says how much its shares can be trusted.
//!
//! Players that do not count time play the same games again with the same seed, on any number of threads.

mod bout;
mod entrant;
mod interval;
mod judge;
mod opening;
mod own;
mod run;
mod schedule;
mod seat;
mod summary;
mod tally;

use std::path::PathBuf;
use std::time::Duration;

pub use bout::{Bout, Effort, Finish};
pub use entrant::{Entrant, Kind, Style, parse_time};
pub use interval::Share;
pub use judge::Mistakes;
pub use run::{Broken, run};
pub use seat::{Fault, Halt, Seat};
pub use summary::{Ended, Failures, Lengths, Margins, PlayerSummary, Results, Summary};

/// What is played, by whom and how.
pub struct Contest<'a, G> {
    pub game: &'a G,
    /// A and B.
    pub players: [Entrant; 2],
    /// Where tables lie.
    pub folder: PathBuf,
    pub games: u32,
    pub seed: u64,
    /// Plies that are drawn at random at the beginning of each pair of games.
    pub opening: u32,
    /// A game of so many plies is a draw.
    pub max_plies: u32,
    /// Games that are played at the same time.
    pub threads: usize,
    /// Bytes that a player may keep of what its search finds.
    pub memory: usize,
    /// How much longer than its time an external program may take for a move.
    pub grace: Duration,
}
