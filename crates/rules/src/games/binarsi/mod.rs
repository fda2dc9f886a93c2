//! Binarsi: a game of logic operations on the lines of a 7x6 board, by Muzudho.
//!
//! The rules in words are in docs/binarsi.md. Files of this folder: `rules` (variants and their codes), `board`
//! (positions as bits), `targets`, `moves`, `index` (keys and tiers), `text` (notation), `edit` (board editing),
//! `kernel` (the rules once more, for searches), `goal` (what values are about), `game` (all of it as a
//! [`crate::game::Game`]).

pub mod board;
pub mod edit;
mod game;
pub mod goal;
pub mod index;
pub mod kernel;
pub mod moves;
pub mod rules;
pub mod targets;
pub mod text;

use std::marker::PhantomData;

use index::KeyMap;
use kernel::Successors;

use crate::Distance;

pub use board::Position;
pub use moves::{Move, Op};
pub use rules::Rules;

/// One variant of Binarsi, played to win soon, with its tables of keys.
pub type Binarsi = BinarsiOf<Distance>;

/// One variant of Binarsi with its tables of keys. `V` is what values are about ([`goal::Goal`]).
#[derive(Clone, Debug)]
pub struct BinarsiOf<V> {
    pub rules: Rules,
    pub keys: KeyMap,
    /// The rules as the kernel has them.
    pub successors: Successors,
    values: PhantomData<V>,
}

impl<V> BinarsiOf<V> {
    pub fn new(rules: Rules) -> BinarsiOf<V> {
        BinarsiOf { rules, keys: KeyMap::new(&rules), successors: Successors::new(&rules), values: PhantomData }
    }
}
