//! Rules of the games: what a position is, which moves it has, how it is written and numbered.
//!
//! A rule code names a variant of a game. Every game has positions and moves with texts, and keys: numbers that stand
//! for positions in files. Equal positions, mirror images among them, have one key.
//!
//! ```
//! use yomikiri_rules::games::binarsi::Binarsi;
//! use yomikiri_rules::{Game, Side};
//!
//! let game = Binarsi::parse("bin2x2")?;
//! let here = game.parse_position("startpos moves 2n")?;
//! assert_eq!(game.side(&here), Side::White);
//! assert_eq!(game.position_text(&here), "ox/2 w - - 1");
//!
//! let moves: Vec<String> = game.legal_moves(&here).into_iter().map(|mv| game.move_text(mv)).collect();
//! assert_eq!(moves.len(), 4);
//! let next = game.play(&here, game.parse_move(&here, "bn")?);
//! assert_eq!(game.terminal_value(&next), None);
//!
//! let key = game.rank(&here);
//! assert_eq!(key, 6208);
//! assert_eq!(game.unrank(key), Some(game.canonical(&here)));
//! assert_eq!(game.parse_position("@6208")?, game.canonical(&here));
//! # Ok::<(), yomikiri_rules::TextError>(())
//! ```
//!
//! Where the game is known only when the program runs, [`AnyGame`] reads the code and [`with_game!`] leads to the game:
//!
//! ```
//! use yomikiri_rules::{AnyGame, Game, with_game};
//!
//! for (code, moves) in [("bin4x4", 4), ("val1n", 4), ("rev8x8", 4), ("con7x6", 7)] {
//!     with_game!(AnyGame::parse(code)?, game => assert_eq!(game.legal_moves(&game.start()).len(), moves, "{code}"));
//! }
//! # Ok::<(), yomikiri_rules::TextError>(())
//! ```
//!
//! # What is stable
//!
//! Rule codes, notations and keys mean what they mean: files of tables rest on them. A change of the rules' code that
//! changes any table raises [`Game::RULES_REVISION`], and older tables are refused. [`AnyGame`], [`with_game!`] and the
//! methods of [`Game`] that read, write, number and play stay; the trait may ask more of those who write a game
//! (docs/new-game.md). What lies in [`mod@games`] beside the rules, as compact positions and kernels for searches,
//! changes with what is fast.
//!
//! # Parts
//!
//! `value` is what a position is worth, `game` the trait of all games with its laws, `games` one folder per game,
//! `notation` what their texts have in common, `registry` leads from a rule code to its game. No solver, no files, no
//! threads.

mod game;
pub mod games;
pub mod notation;
#[macro_use]
mod registry;
mod value;

pub use game::{
    Acyclic, Family, Game, KEY_MARK, KeyRange, KeySpace, Reason, Shared, TextError, key_text, laws, not_shared,
    shared_keys, visible,
};
pub use registry::{AnyGame, FAMILIES, comparable};
pub use value::{Distance, HasDistance, Measure, Outcome, ParityDistance, Plies, Score, Side, Value, ValueCodec};
