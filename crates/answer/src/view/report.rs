//! The JSON of a view. Web pages rely on the field names.
//!
//! Files and ranks count from 0, left to right and top to bottom as the board is drawn. In games in which each side
//! starts at its own edge of the board, Black's edge is at the bottom. Squares have the names used in the game's moves.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

use crate::key_text::KeyText;
use yomikiri_rules::Side;

/// A position, its legal moves, and the game that led to it.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct View {
    /// The rule code.
    pub rules: String,
    /// The family of games.
    pub family: FamilyName,
    /// The position before the first move, as text that every command reads: `startpos`, or a position with its side to
    /// move.
    pub start: String,
    /// The position on the board, as text with its side to move.
    pub position: String,
    /// The key; `null` on boards without keys.
    pub key: Option<KeyText>,
    /// The side to move.
    pub to_move: Side,
    /// The ply by which tables count positions; in reversi, the number of discs. `null` in games with repetition.
    pub ply: Option<u32>,
    /// The moves from `start` to the position.
    pub moves_played: Vec<String>,
    /// The board as text, in several lines.
    pub text: String,
    /// The letters that stand for the pieces of Black and of White in `text`.
    pub marks: [Cow<'static, str>; 2],
    /// The end of the game; `null` if the game goes on.
    pub over: Option<End>,
    /// The names of files and ranks.
    pub board: BoardNames,
    /// All stones, sorted by rank, then by file.
    pub stones: Vec<Stone>,
    /// The parts of the position that only some games have.
    #[serde(flatten)]
    pub parts: Parts,
    /// All legal moves, in the order of the notation.
    pub moves: Vec<MoveView>,
}

/// The family of games of a rule code. Variants and goals of one game share a family.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub enum FamilyName {
    /// Binarsi with any goal.
    Binarsi,
    /// Animal shogi.
    AnimalShogi,
    /// Pyonpyon with pieces of one kind.
    Pyonpyon,
    /// Pyonpyon with the pieces of shogi.
    PyonpyonShogi,
    /// Reversi.
    Reversi,
    /// Connect Four.
    ConnectFour,
}

/// The names of files, left to right, and of ranks, top to bottom, as the board is drawn.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct BoardNames {
    /// The names of the files, left to right.
    pub files: Vec<String>,
    /// The names of the ranks, top to bottom.
    pub ranks: Vec<String>,
}

/// The end of a game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct End {
    /// The side that wins; `null` in a draw.
    pub winner: Option<Side>,
    /// The reason as an identifier for translations, such as `reversi-full`; `null` if the end needs no explanation.
    pub reason: Option<Cow<'static, str>>,
    /// The reason in English; `null` without a reason.
    pub text: Option<Cow<'static, str>>,
    /// The points of Black and White, if points have decided the game and the board does not show them; else `null`.
    pub points: Option<[String; 2]>,
    /// The squares that decided the game: a row, a goal, or a lion and its attackers. `null` if no squares did.
    pub squares: Option<Vec<String>>,
}

/// A stone, disc or piece on a square.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct Stone {
    /// The name of the square.
    pub square: String,
    /// The file, counted from 0 at the left.
    pub file: u8,
    /// The rank, counted from 0 at the top.
    pub rank: u8,
    /// The side of the stone.
    pub side: Side,
    /// The kind of piece; `null` in games with one kind.
    pub piece: Option<PieceName>,
}

/// The kinds of pieces: those of animal shogi, then those of shogi except the king.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub enum PieceName {
    /// The lion of animal shogi.
    Lion,
    /// The elephant of animal shogi.
    Elephant,
    /// The giraffe of animal shogi.
    Giraffe,
    /// The chick of animal shogi, which promotes to a hen.
    Chick,
    /// The hen of animal shogi, a promoted chick.
    Hen,
    /// The pawn of shogi.
    Pawn,
    /// The lance of shogi.
    Lance,
    /// The knight of shogi.
    Knight,
    /// The silver general of shogi.
    Silver,
    /// The gold general of shogi.
    Gold,
    /// The bishop of shogi.
    Bishop,
    /// The rook of shogi.
    Rook,
}

/// One value for each side.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct BySide<T> {
    /// The value for Black.
    pub black: T,
    /// The value for White.
    pub white: T,
}

/// The parts of a position that only some games have; `null` in other games.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct Parts {
    /// Animal shogi: the pieces in hand.
    pub hands: Option<BySide<Vec<Held>>>,
    /// Binarsi: the files, then the ranks.
    pub ways: Option<Vec<WayView>>,
    /// Binarsi: the targets b3, b4, b5, w3, w4, w5.
    pub targets: Option<Vec<TargetView>>,
    /// Pyonpyon: the squares that each side has to reach.
    pub goals: Option<BySide<Vec<String>>>,
    /// Games with several kinds of pieces: the steps of each kind in the variant.
    pub pieces: Option<Vec<PieceSteps>>,
}

/// Pieces of one kind in hand, at least one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct Held {
    /// The kind of the pieces.
    pub piece: PieceName,
    /// The number of these pieces.
    pub count: u8,
}

/// A way, that is, a file or rank of Binarsi.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct WayView {
    /// The name, one letter or digit.
    pub name: String,
    /// The kind: a file or a rank.
    pub kind: WayKind,
    /// The index among the files or among the ranks, from 0.
    pub index: u8,
    /// True if the way is locked.
    pub locked: bool,
    /// True if stones lie on the way.
    pub holds: bool,
}

/// The kind of a way.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub enum WayKind {
    /// A column of the board.
    File,
    /// A row of the board.
    Rank,
}

/// A target of Binarsi: a row of stones of one side.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct TargetView {
    /// The name, such as `b3`.
    pub name: String,
    /// The side to which the target belongs.
    pub side: Side,
    /// The number of stones in the row.
    pub length: u8,
    /// The direction of the row.
    pub direction: Direction,
    /// True if the target is cleared.
    pub cleared: bool,
    /// The ply at which the target was cleared, as the position records it; `null` if it is not cleared.
    pub ply: Option<u8>,
    /// True if the target is cleared, or if the stones that can never change again leave room for the target. Other
    /// conditions may still rule it out.
    pub possible: bool,
    /// The squares of all rows on the board that clear the target, as one list; `null` if there is no such row.
    pub squares: Option<Vec<String>>,
}

/// The direction in which the stones of a target lie.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub enum Direction {
    /// Along a rank.
    Across,
    /// Along a diagonal, in either of its two directions.
    Diagonal,
    /// Along a file.
    Down,
}

/// The steps of a kind of piece.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct PieceSteps {
    /// The kind of piece.
    pub piece: PieceName,
    /// The steps of a Black piece, each as `[right, down]` in squares. Black's side is at the bottom, so forward is up.
    /// White's pieces have the same steps, rotated by half a turn. A piece that slides over empty squares has all steps
    /// that fit on the board.
    pub steps: Vec<[i8; 2]>,
}

/// A legal move.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct MoveView {
    /// The move, in the game's notation.
    #[serde(rename = "move")]
    pub mv: String,
    /// The position after the move, as text with its side to move.
    pub position: String,
    /// The key of the position after the move; `null` on boards without keys.
    pub key: Option<KeyText>,
    /// True if the move is a pass, which changes only the side to move.
    pub pass: bool,
    /// The end of the game after the move; `null` if the game goes on.
    pub ends: Option<End>,
    /// The effect of the move on the board.
    #[serde(flatten)]
    pub effect: Effect,
}

/// The effect of a move on the board. Each game sets only some of the fields.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct Effect {
    /// The square that a piece leaves.
    pub from: Option<String>,
    /// The square on which a piece or disc arrives.
    pub to: Option<String>,
    /// The piece dropped from the hand.
    pub drop: Option<PieceName>,
    /// True if the piece promotes.
    pub promotes: bool,
    /// The captured piece, as it stood on the board.
    pub captures: Option<PieceName>,
    /// Binarsi: the name of the way to which the move applies its operator.
    pub way: Option<String>,
    /// Binarsi: the operator, in the notation of moves.
    pub operator: Option<String>,
    /// Binarsi: all stones on the way after the move.
    pub line: Option<Vec<LineStone>>,
    /// Binarsi: the targets that the move clears.
    pub cleared: Vec<String>,
    /// Pyonpyon: the squares of a step, or of a shortest sequence of jumps, first to last.
    pub path: Option<Vec<String>>,
    /// Reversi: the squares whose discs are flipped.
    pub flips: Option<Vec<String>>,
}

/// A stone on a way.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct LineStone {
    /// The name of the square.
    pub square: String,
    /// The side of the stone.
    pub side: Side,
}
