//! Playing games: sessions with their history, players that choose moves, and the protocols for other programs.
//!
//! A [`Session`] is a game in progress; a [`Player`] chooses its moves. [`CombinedPlayer`] uses a table or a
//! certificate if there is one, and searches otherwise.
//!
//! ```
//! use yomikiri_play::player::SilentListener;
//! use yomikiri_play::{Action, CombinedPlayer, GreedyPlayer, Limits, Player, Session};
//! use yomikiri_rules::{AnyGame, Game, Side};
//!
//! let game = AnyGame::parse("bin3x2")?;
//! let mut session = Session::new(&game, game.start());
//! let mut computer = CombinedPlayer::new(&game, std::path::Path::new("nowhere"));
//! let mut greedy = GreedyPlayer::new(1);
//! let limits = Limits { nodes: Some(10_000), ..Limits::default() };
//! while session.ending().is_none() {
//!     let player: &mut dyn Player = if session.side() == Side::Black { &mut computer } else { &mut greedy };
//!     let choice = player.choose(&session, &limits, &mut SilentListener)?;
//!     session.act(Action::Move(choice.mv));
//! }
//! assert_eq!(session.words().len(), session.moves_made());
//! assert!(session.ending().is_some_and(|ending| ending.winner().is_some()));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # What is stable
//!
//! The protocols (docs/usi.md, docs/upi.md), records of games (docs/match.md) and names of players are stable.
//! [`Session`], [`Player`], [`Limits`], [`Choice`] and the players exported here are meant for other programs. The
//! search may change, so a later version may choose other moves.
//!
//! # Parts
//!
//! `session` holds a game in progress and its end. `record` writes and reads games as text. `player` defines players,
//! their limits and their reports, and holds the players that do not search. `table_player` plays by the exact values
//! of a table. With `avoid_repetition`, it finds a win that the opponent cannot turn into a draw by repetition.
//! `search` looks ahead with the game's `evaluate`. `combined_player` plays by the best source that knows the position.
//! `strength` weakens `combined_player` to a chosen strength. `selection` has the moves that a player may choose, and
//! the number of best moves that it reports. `move_outcomes` has what is known about these moves before the search.
//! `proof_watch` limits the time of proofs and reports their progress. `win_search` finds a forced win with its line.
//! `later_search` gives a search after other work the rest of the time for a move.
//!
//! `repl` reads commands line by line. `protocol` is the state machine of an engine. `order` parses the arguments of
//! `go`. `input` reads lines in the background. `usi` is the protocol for Binarsi and animal shogi, and `upi` the
//! protocol for the pyonpyon game; `options` has the options of both protocols. `matches` plays many games between two
//! players. `external` runs other programs as players.

#![warn(missing_docs)]

#[cfg(feature = "system")]
pub mod arguments;
mod avoid_repetition;
mod combined_player;
#[cfg(feature = "system")]
mod external;
#[cfg(feature = "system")]
pub mod input;
mod later_search;
#[cfg(feature = "system")]
pub mod matches;
mod move_outcomes;
#[cfg(feature = "system")]
mod options;
#[cfg(feature = "system")]
mod order;
pub mod player;
mod proof_watch;
#[cfg(feature = "system")]
pub mod protocol;
pub mod record;
#[cfg(feature = "system")]
pub mod repl;
pub mod search;
mod selection;
mod session;
mod stopwatch;
mod strength;
mod table_player;
#[cfg(feature = "system")]
pub mod upi;
#[cfg(feature = "system")]
pub mod usi;
mod win_search;

pub use combined_player::CombinedPlayer;
pub use player::{
    Choice, GreedyPlayer, Limits, LineOrigin, Listener, Player, PlayerReport, RandomPlayer, RankedLine, Score,
    ScoreSource, SearchEffort, SourceListener,
};
pub use record::Record;
pub use search::SearchPlayer;
pub use selection::{Candidate, Selection};
pub use session::{Action, Ending, Session};
pub use strength::{Strength, WeakenedPlayer};
pub use table_player::TablePlayer;
pub use win_search::WinAnswer;
