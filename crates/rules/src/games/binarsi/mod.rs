//! Binarsi: a game of logic operations on the lines of a 7x6 board, by Muzudho.
//!
//! The rules in words are in docs/binarsi.md. Files of this folder: `rules` (variants and their codes), `board`
//! (positions as bits), `targets`, `moves`, `index` (keys and tiers), `text` (notation), `edit` (board editing),
//! `kernel` (the rules once more, for searches), `game` (all of it as a [`crate::game::Game`]).

pub mod board;
pub mod edit;
mod game;
pub mod index;
pub mod kernel;
pub mod moves;
pub mod rules;
pub mod targets;
pub mod text;

use index::KeyMap;
use kernel::Successors;

pub use board::Position;
pub use moves::{Move, Op};
pub use rules::Rules;

/// One variant of Binarsi with its tables of keys.
#[derive(Clone, Debug)]
pub struct Binarsi {
    pub rules: Rules,
    pub keys: KeyMap,
    /// The rules as the kernel has them.
    pub successors: Successors,
}

impl Binarsi {
    pub fn new(rules: Rules) -> Binarsi {
        Binarsi { rules, keys: KeyMap::new(&rules), successors: Successors::new(&rules) }
    }
}
