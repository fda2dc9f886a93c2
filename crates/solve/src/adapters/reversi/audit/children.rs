//! Positions looked up one after the other, most of which have the same squares occupied.

use super::ply::Ply;
use yomikiri_rules::game::Game;
use yomikiri_rules::games::reversi::Reversi;
use yomikiri_rules::games::reversi::board::{Position, Squares};
use yomikiri_rules::games::reversi::index::{self, Packing};
use yomikiri_rules::value::{Score, Value};

/// What is known about the occupied squares of the last position.
#[derive(Clone, Default)]
pub struct Children {
    last: Option<Known>,
}

#[derive(Clone)]
struct Known {
    occupied: Squares,
    packing: Packing,
    first_key: u64,
    /// Number of the section that has its keys, if any.
    section: Option<usize>,
}

impl Children {
    /// The value of an undecided position in its ply, and marks it as reached; `None` if it is not there.
    #[inline]
    pub fn value(&mut self, game: &Reversi, ply: &Ply, position: &Position) -> Option<Score> {
        let canonical = game.canonical(position);
        let occupied = canonical.occupied();
        let known = match &mut self.last {
            Some(known) if known.occupied == occupied => known,
            last => last.insert(Known::new(game, ply, occupied)),
        };
        let key = known.first_key + known.packing.pack(canonical.own);
        ply.reach(known.section?, key).and_then(Score::from_byte)
    }
}

impl Known {
    fn new(game: &Reversi, ply: &Ply, occupied: Squares) -> Known {
        let first_key = index::first_key_of(game.rules.board, occupied);
        Known { occupied, packing: Packing::new(occupied), first_key, section: ply.section_of(first_key) }
    }
}
