//! What players of each game speak of, as columns.

use super::column::Column;
use yomikiri_rules::Game;
use yomikiri_rules::games::animal_shogi::AnimalShogi;
use yomikiri_rules::games::binarsi::BinarsiOf;
use yomikiri_rules::games::binarsi::board::{Position, Way};
use yomikiri_rules::games::binarsi::goal::Goal;
use yomikiri_rules::games::binarsi::targets;
use yomikiri_rules::games::binarsi::text::way_name;
use yomikiri_rules::games::connect_four::ConnectFour;
use yomikiri_rules::games::pyonpyon::Pyonpyon;
use yomikiri_rules::games::pyonpyon_shogi::PyonpyonShogi;
use yomikiri_rules::games::reversi::Reversi;

/// A game with columns of its own.
pub trait ByGame: Game {
    /// Columns for these positions; the same ones for any positions, for none too.
    fn columns(&self, _: &[Self::Position]) -> Vec<Column> {
        Vec::new()
    }
}

impl<V: Goal> ByGame for BinarsiOf<V> {
    fn columns(&self, positions: &[Position]) -> Vec<Column> {
        let rules = &self.rules;
        let corner = |position: &Position| rules.square_name(position.rect.file, position.rect.rank);
        let locked = |position: &Position| {
            Way::all(rules).filter(|way| position.locks & way.lock() != 0).map(way_name).collect::<String>()
        };
        let cleared = |position: &Position| {
            let names = (0..6).filter(|bit| position.targets >> bit & 1 == 1).map(|bit| targets::NAMES[bit]);
            names.collect::<Vec<_>>().join(" ")
        };
        let number = |all: u8| move |position: &Position| (position.targets & all).count_ones() as u8;
        vec![
            Column::small("width", positions.iter().map(|position| position.rect.width)),
            Column::small("height", positions.iter().map(|position| position.rect.height)),
            Column::words("corner", positions.iter().map(|position| Some(corner(position)))),
            Column::words("locks", positions.iter().map(|position| Some(locked(position)))),
            Column::small("locked_ways", positions.iter().map(|position| position.locks.count_ones() as u8)),
            Column::small("black_stones", positions.iter().map(|position| position.stones.count_ones() as u8)),
            Column::small("white_stones", positions.iter().map(|position| position.white().count_ones() as u8)),
            Column::words("cleared", positions.iter().map(|position| Some(cleared(position)))),
            Column::small("black_targets", positions.iter().map(number(targets::BLACK_ALL))),
            Column::small("white_targets", positions.iter().map(number(targets::WHITE_ALL))),
        ]
    }
}

impl ByGame for AnimalShogi {}

impl ByGame for Pyonpyon {}

impl ByGame for PyonpyonShogi {}

impl ByGame for Reversi {}

impl ByGame for ConnectFour {}
