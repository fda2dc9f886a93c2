//! Tables as plain files. docs/format.md has every form.
//!
//! `pairs` is the form of every game; the others are those of animal shogi's own analyser: `lists` of all positions in
//! the order of their keys (`key_order`, from the `positions` of a table), and the second player's `best_play`, written
//! by `best_text`. `file` writes files that appear when they are whole.

mod best_play;
mod best_text;
mod file;
mod key_order;
mod lists;
mod pairs;
mod positions;

pub use best_text::{export_best_moves, export_best_play};
pub use lists::{List, export_lists};
pub use pairs::{export_gz, export_names};
