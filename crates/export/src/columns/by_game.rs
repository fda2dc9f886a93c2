//! Columns that belong to a single game.

use super::column::Column;
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
use yomikiri_rules::{AnyGame, AnyPosition, Game, Registered, with_game};

/// A game that can add columns of its own.
pub trait ByGame: Game {
    /// Returns the columns that only this game has, filled for these positions. The names and types of the columns do
    /// not depend on the positions.
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
            Column::bytes("width", positions.iter().map(|position| position.rect.width)),
            Column::bytes("height", positions.iter().map(|position| position.rect.height)),
            Column::categories("corner", positions.iter().map(|position| Some(corner(position)))),
            Column::categories("locks", positions.iter().map(|position| Some(locked(position)))),
            Column::bytes("locked_ways", positions.iter().map(|position| position.locks.count_ones() as u8)),
            Column::bytes("black_stones", positions.iter().map(|position| position.stones.count_ones() as u8)),
            Column::bytes("white_stones", positions.iter().map(|position| position.white().count_ones() as u8)),
            Column::categories("cleared", positions.iter().map(|position| Some(cleared(position)))),
            Column::bytes("black_targets", positions.iter().map(number(targets::BLACK_ALL))),
            Column::bytes("white_targets", positions.iter().map(number(targets::WHITE_ALL))),
        ]
    }
}

impl ByGame for AnimalShogi {}

impl ByGame for Pyonpyon {}

impl ByGame for PyonpyonShogi {}

impl ByGame for Reversi {}

impl ByGame for ConnectFour {}

impl ByGame for AnyGame {
    fn columns(&self, positions: &[AnyPosition]) -> Vec<Column> {
        with_game!(self, game => columns_of(game, positions))
    }
}

fn columns_of<G: Registered + ByGame>(game: &G, positions: &[AnyPosition]) -> Vec<Column> {
    game.columns(&positions.iter().map(|position| *G::position_of(position)).collect::<Vec<_>>())
}
