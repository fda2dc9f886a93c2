//! The JSON of a view. Field names are the contract with pages.
//!
//! Files and ranks are counted from 0, left to right and top to bottom as the board is drawn: Black at the bottom, but
//! for games whose boards have no sides. Squares are named as the game's moves name them.

use serde::{Deserialize, Serialize};

use crate::key_text::KeyText;
use yomikiri_rules::Side;

/// A position with its moves and the game that led to it.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct View {
    /// Rule code.
    pub rules: String,
    pub family: FamilyName,
    /// Where the moves begin, as a text that every verb reads: `startpos`, or a position with its side to move.
    pub start: String,
    /// The position on the board.
    pub position: String,
    /// None on boards without keys.
    pub key: Option<KeyText>,
    pub to_move: Side,
    /// As in counts of tables (in reversi the number of discs); none in games that can repeat.
    pub ply: Option<u32>,
    /// The moves from `start` to the position.
    pub moves_played: Vec<String>,
    /// A picture in several lines.
    pub text: String,
    /// How the pieces of Black and White look in that.
    pub marks: [&'static str; 2],
    /// How the game has ended; none while it goes on.
    pub over: Option<End>,
    pub board: BoardNames,
    /// By ranks, then files.
    pub stones: Vec<Stone>,
    #[serde(flatten)]
    pub parts: Parts,
    /// All legal moves, in the order of the notation.
    pub moves: Vec<MoveView>,
}

/// Which rules a code belongs to, variants and goals apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub enum FamilyName {
    Binarsi,
    AnimalShogi,
    Pyonpyon,
    PyonpyonShogi,
    Reversi,
    ConnectFour,
}

/// Names of files, left to right, and of ranks, top to bottom, as the board is drawn.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct BoardNames {
    pub files: Vec<String>,
    pub ranks: Vec<String>,
}

/// The end of a game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct End {
    /// None in a draw.
    pub winner: Option<Side>,
    /// A name for translations, as `reversi-full`, and the same in English; none where that needs no saying.
    pub reason: Option<&'static str>,
    pub text: Option<&'static str>,
    /// Of Black and White, where points that pictures do not show have decided.
    pub points: Option<[String; 2]>,
    /// The squares that have decided, where squares did: a row, a goal, a lion and those who take it.
    pub squares: Option<Vec<String>>,
}

/// A stone, disc or piece on a square.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct Stone {
    pub square: String,
    pub file: u8,
    pub rank: u8,
    pub side: Side,
    /// In games with several kinds of pieces.
    pub piece: Option<PieceName>,
}

/// The pieces of animal shogi, then those of shogi but for the king.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub enum PieceName {
    Lion,
    Elephant,
    Giraffe,
    Chick,
    Hen,
    Pawn,
    Lance,
    Knight,
    Silver,
    Gold,
    Bishop,
    Rook,
}

/// Something of each side's.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct BySide<T> {
    pub black: T,
    pub white: T,
}

/// What some games alone have.
#[derive(Clone, Debug, Default, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct Parts {
    /// Animal shogi: pieces in hand.
    pub hands: Option<BySide<Vec<Held>>>,
    /// Binarsi: files, then ranks.
    pub ways: Option<Vec<WayView>>,
    /// Binarsi: b3, b4, b5, w3, w4, w5.
    pub targets: Option<Vec<TargetView>>,
    /// Pyonpyon: the squares that each side has to reach.
    pub goals: Option<BySide<Vec<String>>>,
    /// Games with several kinds of pieces: where those of the variant go.
    pub pieces: Option<Vec<PieceSteps>>,
}

/// So many pieces of a kind, at least one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct Held {
    pub piece: PieceName,
    pub count: u8,
}

/// A file or rank of Binarsi.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct WayView {
    pub name: String,
    pub kind: WayKind,
    /// Its place among the files or ranks.
    pub index: u8,
    pub locked: bool,
    /// Whether stones lie on it.
    pub holds: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub enum WayKind {
    File,
    Rank,
}

/// A clear target of Binarsi.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct TargetView {
    pub name: String,
    pub side: Side,
    /// Stones in a row.
    pub length: u8,
    pub direction: Direction,
    pub cleared: bool,
    /// The ply at which it was cleared; as the position has it.
    pub ply: Option<u8>,
    /// Whether it is cleared or stones that can never change again leave room for it. Other things may still forbid it.
    pub possible: bool,
    /// The squares on which it lies now, several lines taken together; none where it does not lie.
    pub squares: Option<Vec<String>>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub enum Direction {
    Across,
    Diagonal,
    Down,
}

/// Where a piece goes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct PieceSteps {
    pub piece: PieceName,
    /// Squares to the right and down for Black, whose board is drawn from its side: forward is up. White's pieces go
    /// the same steps turned half round. Of pieces that slide over empty squares, all that the board has room for.
    pub steps: Vec<[i8; 2]>,
}

/// A legal move.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct MoveView {
    #[serde(rename = "move")]
    pub mv: String,
    /// The position after it.
    pub position: String,
    pub key: Option<KeyText>,
    /// Whether it leaves the turn to the other side and the board as it is.
    pub pass: bool,
    /// How it ends the game, if it does.
    pub ends: Option<End>,
    #[serde(flatten)]
    pub effect: Effect,
}

/// What a move does on the board; each game has some of these.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct Effect {
    /// The square that a piece leaves.
    pub from: Option<String>,
    /// The square that it comes to; where a disc comes to lie.
    pub to: Option<String>,
    /// The piece dropped from the hand.
    pub drop: Option<PieceName>,
    pub promotes: bool,
    /// The piece taken, as it stood on the board.
    pub captures: Option<PieceName>,
    /// Binarsi: the way and the operator.
    pub way: Option<String>,
    pub operator: Option<String>,
    /// Binarsi: all that the way holds after the move.
    pub line: Option<Vec<LineStone>>,
    /// Binarsi: targets that are cleared by the move and were not before.
    pub cleared: Vec<String>,
    /// Pyonpyon: the squares of a step, or of as few jumps as lead there, first to last.
    pub path: Option<Vec<String>>,
    /// Reversi: the squares whose discs are turned.
    pub flips: Option<Vec<String>>,
}

/// A stone of a line.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct LineStone {
    pub square: String,
    pub side: Side,
}
