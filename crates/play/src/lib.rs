//! Playing: one game with its history, players that choose moves, and the protocols by which other programs ask.
//!
//! `session` is a game under way and its end, `record` a game as text. `player` is what every player is given and
//! answers, with those that do not look ahead; `table_player` plays by exact values (with `avoid_repetition` where
//! positions have come again), `search` looks ahead by the game's `evaluate`, `combined_player` takes the best of
//! these that can answer, `strength` plays worse than that, by as much as is asked for. `repl` takes commands line by
//! line, `input` reads lines while others work; `usi` is the protocol of Binarsi and animal shogi, `upi` that of the
//! pyonpyon game, `options` what either can set. `matches` are many games between two players, which `external` programs
//! can be.

#[cfg(feature = "system")]
pub mod arguments;
mod avoid_repetition;
mod combined_player;
#[cfg(feature = "system")]
mod external;
#[cfg(feature = "system")]
pub mod input;
#[cfg(feature = "system")]
pub mod matches;
#[cfg(feature = "system")]
mod options;
pub mod player;
pub mod record;
#[cfg(feature = "system")]
pub mod repl;
pub mod search;
mod session;
mod stopwatch;
mod strength;
mod table_player;
#[cfg(feature = "system")]
pub mod upi;
#[cfg(feature = "system")]
pub mod usi;

pub use combined_player::CombinedPlayer;
pub use player::{Choice, GreedyPlayer, Limits, Listener, Player, RandomPlayer, Report, Score};
pub use record::Record;
pub use search::SearchPlayer;
pub use session::{Action, Ending, Session};
pub use strength::{Strength, WeakenedPlayer};
pub use table_player::TablePlayer;
