//! Animal shogi (dobutsu shogi), with any choice of moves for its five kinds of pieces.
//!
//! docs/animal-shogi.md describes the rules. Files of this folder: `rules` (rule codes, steps of the pieces),
//! `same_game` (codes of the same game), `board` (bitboards), `moves` (moves and un-moves), `index` (rank and unrank),
//! `runs` (moves of many positions at once), `text` (keys, board texts, moves), `sfen` (notation of shogi programs),
//! `bracket_fen` and `position_string` (notations of other programs), `positions` (the reader of all notations), `game`
//! (the implementation of [`crate::game::Game`]), and two files for exports, `digits` (keys of many boards) and
//! `candidates` (an order of moves).

pub mod board;
mod bracket_fen;
pub mod candidates;
pub mod digits;
mod game;
pub mod index;
pub mod moves;
mod position_string;
mod positions;
pub mod rules;
pub mod runs;
mod same_game;
pub mod sfen;
pub mod text;

use index::Index;

pub use board::{Board, Kind, Position};
pub use moves::Move;
pub use rules::Rules;

/// One variant of animal shogi with its index.
#[derive(Clone, Debug)]
pub struct AnimalShogi {
    /// The moves of the pieces, and the try rule.
    pub rules: Rules,
    /// The numbering of the positions, which gives their keys.
    pub index: Index,
}

impl AnimalShogi {
    /// Creates the variant and computes its index.
    pub fn new(rules: Rules) -> AnimalShogi {
        let index = Index::new(&rules);
        AnimalShogi { rules, index }
    }
}
