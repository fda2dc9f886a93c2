//! Binarsi: a game of logic operations on the lines of a 7x6 board, by Muzudho.
//!
//! docs/binarsi.md describes the rules. Files of this folder: `rules` (variants and their codes), `board` (bitboards),
//! `targets`, `moves`, `index` (keys and tiers), `text` (notation), `formats` (descriptions of the notation), `edit`
//! (board edits), `goal` (the meaning of values), `game` (the implementation of [`crate::game::Game`]).

pub mod board;
pub mod edit;
pub mod formats;
mod game;
pub mod goal;
pub mod index;
pub mod moves;
pub mod rules;
pub mod targets;
pub mod text;

use std::marker::PhantomData;

use index::KeyMap;

use crate::Distance;

pub use board::Position;
pub use moves::{Move, Op};
pub use rules::Rules;

/// One variant of Binarsi with its key map. Values are distances to the end.
pub type Binarsi = BinarsiOf<Distance>;

/// One variant of Binarsi with its key map. `V` is the type of values, see [`goal::Goal`].
#[derive(Clone, Debug)]
pub struct BinarsiOf<V> {
    /// The settings of the variant.
    pub rules: Rules,
    /// The keys of the positions.
    pub keys: KeyMap,
    values: PhantomData<V>,
}

impl<V> BinarsiOf<V> {
    /// Creates the variant and computes its key map.
    pub fn new(rules: Rules) -> BinarsiOf<V> {
        BinarsiOf { rules, keys: KeyMap::new(&rules), values: PhantomData }
    }
}
