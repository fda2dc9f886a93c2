//! Playing: one game with its history, players that choose moves, and the protocols by which other programs ask.
//!
//! A [`Session`] is a game under way; a [`Player`] chooses moves in it. [`CombinedPlayer`] plays by a table or a
//! certificate where there is one, and looks ahead elsewhere.
//!
//! ```
//! use yomikiri_play::{Action, CombinedPlayer, GreedyPlayer, Limits, Listener, Player, Report, Session};
//! use yomikiri_rules::games::binarsi::Binarsi;
//! use yomikiri_rules::{Game, Side};
//!
//! /// Hears nothing, and waits.
//! struct Patient;
//!
//! impl<M> Listener<M> for Patient {
//!     fn hear(&mut self, _: Report<M>) {}
//!
//!     fn wants_answer(&mut self) -> bool {
//!         false
//!     }
//! }
//!
//! let game = Binarsi::parse("bin3x2")?;
//! let mut session = Session::new(&game, game.start());
//! let mut computer = CombinedPlayer::new(&game, std::path::Path::new("nowhere"));
//! let mut greedy = GreedyPlayer::new(1);
//! let limits = Limits { nodes: Some(10_000), ..Limits::default() };
//! while session.ending().is_none() {
//!     let player: &mut dyn Player<Binarsi> = if session.side() == Side::Black { &mut computer } else { &mut greedy };
//!     let choice = player.choose(&session, &limits, &mut Patient)?;
//!     session.act(Action::Move(choice.mv));
//! }
//! assert_eq!(session.words().len(), session.moves_made());
//! assert!(session.ending().is_some_and(|ending| ending.winner().is_some()));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # What is stable
//!
//! The protocols (docs/usi.md, docs/upi.md), records of games (docs/match.md) and names of players. [`Session`],
//! [`Player`], [`Limits`], [`Choice`] and the players handed on here are meant for other programs. How the search looks
//! ahead, and so which of several moves it chooses, changes with what is strong.
//!
//! # Parts
//!
//! `session` is a game under way and its end, `record` a game as text. `player` is what every player is given and
//! answers, with those that do not look ahead; `table_player` plays by exact values (with `avoid_repetition` where
//! positions have come again), `search` looks ahead by the game's `evaluate`, `combined_player` takes the best of
//! these that can answer, `strength` plays worse than that, by as much as is asked for. `repl` takes commands line by
//! line, `protocol` has the states of an engine between them, `order` reads the arguments of `go`, `input` reads lines
//! while others work; `usi` is the protocol of Binarsi and animal shogi, `upi` that of the pyonpyon game, `options` what
//! either can set. `matches` are many games between two players, which `external` programs can be.

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
#[cfg(feature = "system")]
mod order;
pub mod player;
#[cfg(feature = "system")]
pub mod protocol;
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
pub use player::{Choice, GreedyPlayer, Limits, Listener, Player, RandomPlayer, Report, Score, Told};
pub use record::Record;
pub use search::SearchPlayer;
pub use session::{Action, Ending, Session};
pub use strength::{Strength, WeakenedPlayer};
pub use table_player::TablePlayer;
