//! Positions laid out by hand: stones on squares, and what else a position has, as an editor has them.

use std::fmt::Display;

use serde::Deserialize;

use super::report::{BoardNames, BySide, Held, PieceName};
use yomikiri_rules::{Side, TextError};

/// What lies where.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(optional_fields))]
pub struct Arrangement {
    pub stones: Vec<ArrangedStone>,
    /// Black if nothing is said; where the stones tell whose turn it is, not looked at.
    pub to_move: Option<Side>,
    /// Animal shogi: pieces in hand, nothing if nothing is said.
    pub hands: Option<BySide<Vec<Held>>>,
    /// Binarsi: names of locked ways.
    pub locks: Option<Vec<String>>,
    /// Binarsi: names of targets that were cleared; those that lie on the board are in any case.
    pub cleared: Option<Vec<String>>,
}

/// A stone on a square, by its name.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(optional_fields))]
pub struct ArrangedStone {
    pub square: String,
    pub side: Side,
    /// In games with several kinds of pieces.
    pub piece: Option<PieceName>,
}

/// What is written for each square, by ranks from the top and files from the left.
pub type Grid<T> = Vec<Vec<Option<T>>>;

impl Arrangement {
    /// Black if nothing is said.
    pub fn side(&self) -> Side {
        self.to_move.unwrap_or(Side::Black)
    }

    /// The stones on their squares, each as `letter` writes it. `place` finds a square by its name: file and rank as
    /// drawn.
    pub fn grid<T: Clone>(
        &self,
        board: &BoardNames,
        place: impl Fn(&str) -> Option<(u8, u8)>,
        letter: impl Fn(&ArrangedStone) -> Result<T, TextError>,
    ) -> Result<Grid<T>, TextError> {
        let mut grid = vec![vec![None; board.files.len()]; board.ranks.len()];
        for stone in &self.stones {
            let bad = |problem| TextError::new(format!("square \"{}\"", stone.square), problem);
            let (file, rank) = place(&stone.square).ok_or_else(|| bad("is not on the board"))?;
            let square = &mut grid[usize::from(rank)][usize::from(file)];
            if square.replace(letter(stone)?).is_some() {
                return Err(bad("has two stones"));
            }
        }
        Ok(grid)
    }
}

/// The piece of a stone in a game with several kinds.
pub fn piece_of(stone: &ArrangedStone) -> Result<PieceName, TextError> {
    let missing = || TextError::new(format!("square \"{}\"", stone.square), "has a stone without a piece");
    stone.piece.ok_or_else(missing)
}

/// File and rank as drawn of the square that `name` gives this name.
pub fn find(board: &BoardNames, text: &str, name: impl Fn(u8, u8) -> String) -> Option<(u8, u8)> {
    let files = board.files.len() as u8;
    let squares = (0..board.ranks.len() as u8).flat_map(|rank| (0..files).map(move |file| (file, rank)));
    squares.into_iter().find(|&(file, rank)| name(file, rank) == text)
}

/// Ranks from the top with `/` between them, numbers for empty squares side by side.
pub fn fen<T: Display>(grid: &Grid<T>) -> String {
    let rank = |rank: &Vec<Option<T>>| -> String {
        let runs = rank.chunk_by(|left, right| left.is_none() && right.is_none());
        runs.map(|run| run[0].as_ref().map_or(run.len().to_string(), T::to_string)).collect()
    };
    grid.iter().map(rank).collect::<Vec<_>>().join("/")
}
