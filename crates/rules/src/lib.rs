//! The rules of the games: positions, moves, notations and keys.
//!
//! A rule code selects a variant of a game. Every game reads and writes its positions and moves as text. It also gives
//! each position a number, the key, by which tables are indexed. Positions that are equal under a symmetry, such as
//! mirror images, share one key.
//!
//! ```
//! use yomikiri_rules::games::binarsi::Binarsi;
//! use yomikiri_rules::{Game, Notation, Side};
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
//! If the game is known only at run time, [`AnyGame`] reads the rule code. It implements [`Game`] by a dispatch on the
//! game:
//!
//! ```
//! use yomikiri_rules::{AnyGame, Game, Notation};
//!
//! for (code, moves) in [("bin4x4", 4), ("val1n", 4), ("rev8x8", 4), ("con7x6", 7)] {
//!     let game = AnyGame::parse(code)?;
//!     assert_eq!(game.legal_moves(&game.start()).len(), moves, "{code}");
//! }
//! # Ok::<(), yomikiri_rules::TextError>(())
//! ```
//!
//! # Stability
//!
//! Rule codes, notations and keys keep their meaning, because table files depend on them. A change to the rules that
//! changes any table raises [`Game::rules_revision`], and older tables are refused. [`AnyGame`], [`with_game!`] and the
//! methods of [`Game`] for texts, keys and moves are stable for callers, but later versions may add required methods to
//! the trait (docs/new-game.md). Everything in [`mod@games`] that is not part of the rules, such as the compact
//! positions and bitboards of searches, may change to make searches faster.
//!
//! # Modules
//!
//! `any` implements [`Game`] for [`AnyGame`]. `bits` walks through the set bits of words. `value` holds values and
//! outcomes. `game` holds the traits that all games implement, and the laws that they must obey. `games` has one folder
//! for each game. `notation` has the parts of notations that several games share. `registry` maps a rule code to its
//! game. `wide` compiles code a second time for machines with wide registers. This crate has no solver, reads no files
//! and starts no threads.

#![warn(missing_docs)]

pub mod bits;
#[macro_use]
mod game;
pub mod games;
pub mod notation;
#[macro_use]
mod registry;
mod any;
mod value;
pub mod wide;

pub use any::{AnyMove, AnyPosition, AnyValue, OfAnyValue, Registered};
pub use game::{
    Acyclic, Archive, ArchiveHeader, Archived, ArchivedOf, Family, Formats, Game, KEY_MARK, KeyRange, KeySpace,
    Notation, Presentation, Reason, SharedKeys, TextError, is_invisible, key_text, laws, not_shared, shared_keys,
    visible,
};
pub use registry::{AnyGame, FAMILIES, comparable};
pub use value::{
    CodedValue, Distance, HasDistance, Measure, Outcome, ParityDistance, Plies, Score, Side, Value, ValueCodec,
};
