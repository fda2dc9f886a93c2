//! Rules of the games: what a position is, which moves it has, how it is written and numbered.
//!
//! `value` is what a position is worth, `game` the trait of all games with its laws, `games` one folder per game,
//! `notation` what their texts have in common, `registry` leads from a rule code to its game. No solver, no files, no
//! threads.

mod game;
pub mod games;
mod notation;
#[macro_use]
mod registry;
mod value;

pub use game::{
    Acyclic, Family, Game, KEY_MARK, KeyRange, KeySpace, Reason, Shared, TextError, key_text, laws, not_shared,
    shared_keys, visible,
};
pub use registry::{AnyGame, FAMILIES, comparable};
pub use value::{Distance, HasDistance, Measure, Outcome, ParityDistance, Plies, Score, Side, Value, ValueCodec};
