//! Playing: one game with its history, players that choose moves, and the protocols by which other programs ask.
//!
//! `session` is a game under way and its end, `player` what every player is given and gives, `table_player` plays by a
//! finished table (with `clear_win` where positions have come again), `search` looks ahead where there is none (by the
//! game's `evaluate`), `greedy` does not look ahead at all, `machine` is the one of them that can answer. `record` is a
//! game as text. `dialogue` takes commands line by line, `input` reads lines while others work, `interrupt` is what may
//! disturb a player; `usi` is the protocol of Binarsi and animal shogi, `upi` that of the pyonpyon game. `contest` plays many
//! games between two players, which `external` programs can be.

pub mod arguments;
mod clear_win;
#[cfg(feature = "system")]
pub mod contest;
#[cfg(feature = "system")]
pub mod dialogue;
#[cfg(feature = "system")]
mod external;
mod greedy;
#[cfg(feature = "system")]
pub mod input;
#[cfg(feature = "system")]
mod interrupt;
mod machine;
pub mod player;
pub mod record;
pub mod search;
mod session;
mod stopwatch;
mod table_player;
#[cfg(feature = "system")]
pub mod upi;
#[cfg(feature = "system")]
pub mod usi;

pub use greedy::{GreedyPlayer, RandomPlayer};
pub use machine::Machine;
pub use player::{Choice, Limits, Listener, Player, Report, Score};
pub use record::Record;
pub use search::SearchPlayer;
pub use session::{Action, Ending, Session};
pub use table_player::TablePlayer;
