//! Positions laid out by hand, as in an editor: stones on squares and the other parts of a position.

use std::fmt::Display;

use serde::Deserialize;

use super::report::{BoardNames, BySide, Held, PieceName};
use yomikiri_rules::{Side, TextError};

/// The stones on the board and the other parts of a position.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(optional_fields))]
pub struct Arrangement {
    /// The stones, at most one on a square.
    pub stones: Vec<ArrangedStone>,
    /// The side to move, Black by default; ignored if the stones determine it.
    pub to_move: Option<Side>,
    /// Animal shogi: the pieces in hand, none by default.
    pub hands: Option<BySide<Vec<Held>>>,
    /// Binarsi: the names of locked ways.
    pub locks: Option<Vec<String>>,
    /// Binarsi: the names of cleared targets. Targets that are on the board count as cleared in any case.
    pub cleared: Option<Vec<String>>,
}

/// A stone on a square.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(optional_fields))]
pub struct ArrangedStone {
    /// The name of the square.
    pub square: String,
    /// The side of the stone.
    pub side: Side,
    /// The kind of piece; required in games with several kinds.
    pub piece: Option<PieceName>,
}

/// A value for each square; `None` for an empty square. Ranks are in order from the top, the squares of a rank from the
/// left.
pub type Grid<T> = Vec<Vec<Option<T>>>;

impl Arrangement {
    /// Returns the side to move, Black by default.
    pub fn side(&self) -> Side {
        self.to_move.unwrap_or(Side::Black)
    }

    /// Returns the stones as a grid. `letter` returns the grid's value for a stone. `place` finds the file and rank of
    /// a square by its name, counted from 0 at the left and at the top. A square that is not on the board or has two
    /// stones is an error.
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

/// Returns the kind of piece of a stone, in a game with several kinds. A stone without a piece is an error.
pub fn piece_of(stone: &ArrangedStone) -> Result<PieceName, TextError> {
    let missing = || TextError::new(format!("square \"{}\"", stone.square), "has a stone without a piece");
    stone.piece.ok_or_else(missing)
}

/// Finds the square with the name `text`. Returns its file and rank, counted from 0 at the left and at the top, or
/// `None` if no square has this name. `name` returns the name of the square at a file and rank.
pub fn find(board: &BoardNames, text: &str, name: impl Fn(u8, u8) -> String) -> Option<(u8, u8)> {
    let files = board.files.len() as u8;
    let squares = (0..board.ranks.len() as u8).flat_map(|rank| (0..files).map(move |file| (file, rank)));
    squares.into_iter().find(|&(file, rank)| name(file, rank) == text)
}

/// Writes the ranks from the top, separated by `/`, with a number for each run of empty squares, as in FEN.
pub fn fen<T: Display>(grid: &Grid<T>) -> String {
    let rank = |rank: &Vec<Option<T>>| -> String {
        let runs = rank.chunk_by(|left, right| left.is_none() && right.is_none());
        runs.map(|run| run[0].as_ref().map_or(run.len().to_string(), T::to_string)).collect()
    };
    grid.iter().map(rank).collect::<Vec<_>>().join("/")
}
