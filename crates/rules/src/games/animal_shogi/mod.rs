//! Animal shogi (dobutsu shogi) with any moves of its five pieces.
//!
//! The rules in words are in docs/animal-shogi.md. Files of this folder: `rules` (rule codes, where pieces go),
//! `same_game` (codes of one game), `board` (positions as bits), `moves` (moves and un-moves), `index` (rank and
//! unrank), `runs` (moves of many positions at once), `text` (keys, board texts, moves), `sfen` (positions as shogi
//! programs write them), `bracket_fen` and `position_string` (as other programs do), `positions` (read in all ways),
//! `game` (all of it as a [`crate::game::Game`]); for exports `digits` (keys of many boards) and `candidates` (an order
//! of moves).

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

/// One variant of animal shogi with its numbers.
#[derive(Clone, Debug)]
pub struct AnimalShogi {
    pub rules: Rules,
    pub index: Index,
}

impl AnimalShogi {
    pub fn new(rules: Rules) -> AnimalShogi {
        let index = Index::new(&rules);
        AnimalShogi { rules, index }
    }
}
