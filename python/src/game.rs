//! The rules: variants of games and their positions, with moves, texts and keys.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;

use numpy::PyArray1;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use yomikiri_answer::Viewed;
use yomikiri_rules::{AnyGame, AnyMove, AnyPosition, Game as _, Notation, Presentation, key_text};
use yomikiri_table::parallel;

use crate::keys::{Keys, not_a_key};
use crate::value::Value;
use crate::{errors, threads};

/// The minimum number of positions whose children one thread makes at a time.
const SHARE: usize = 256;

/// A variant of a game, made from its rule code: ``Game("bin4x4")``.
///
/// Raises ``TextError``, a subclass of ``ValueError``, if there is no such code.
#[pyclass(frozen, module = "yomikiri")]
#[derive(Clone)]
pub struct Game {
    pub rules: Arc<AnyGame>,
}

/// An array of keys.
type KeyArray<'py> = Bound<'py, PyArray1<u64>>;

/// A position, its key, or its text.
pub enum PositionLike {
    Position(Position),
    Key(u64),
    Text(String),
}

impl<'py> FromPyObject<'_, 'py> for PositionLike {
    type Error = PyErr;

    fn extract(given: Borrowed<'_, 'py, PyAny>) -> PyResult<PositionLike> {
        if let Ok(position) = given.cast::<Position>() {
            return Ok(PositionLike::Position(position.get().clone()));
        }
        if let Ok(text) = given.extract() {
            return Ok(PositionLike::Text(text));
        }
        given.extract().map(PositionLike::Key).map_err(|error| match not_a_key(&given, error) {
            error if error.is_instance_of::<PyTypeError>(given.py()) => {
                errors::type_error("a Position, a key or a text", &given)
            }
            error => error,
        })
    }
}

impl Game {
    pub fn of(rules: AnyGame) -> Game {
        Game { rules: Arc::new(rules) }
    }

    /// Converts `position` to a position of this game. Returns an error if it is not one.
    pub fn find(&self, position: PositionLike) -> PyResult<AnyPosition> {
        let text = match position {
            PositionLike::Position(position) => {
                let Position { game, position } = position;
                if game.is_same(self) {
                    return Ok(position);
                }
                let problem = format!("belongs to {}, not to {}", game.code(), self.code());
                return Err(errors::argument("position", &problem));
            }
            PositionLike::Key(key) => key_text(key),
            PositionLike::Text(text) => text,
        };
        self.rules.parse_position(&text).map_err(errors::text)
    }

    /// Like [`Game::find`], but returns the start position for `None`.
    pub fn find_or_start(&self, position: Option<PositionLike>) -> PyResult<AnyPosition> {
        position.map_or_else(|| Ok(self.start().position), |position| self.find(position))
    }

    fn is_same(&self, other: &Game) -> bool {
        Arc::ptr_eq(&self.rules, &other.rules) || self.rules.code() == other.rules.code()
    }
}

/// Returns the number of children of each position, and the keys of all children, concatenated. `keys` are the keys of
/// the positions. The error is one of `keys` that is not the key of a position.
fn children(game: &AnyGame, keys: &[u64]) -> Result<(Vec<usize>, Vec<u64>), u64> {
    let of = |moves: &mut Vec<AnyMove>, key: u64| {
        let position = game.unrank(key).ok_or(key)?;
        game.moves(&position, moves);
        Ok(moves.iter().map(|&mv| game.rank(&game.play(&position, mv))).collect::<Vec<_>>())
    };
    let children = parallel::try_flat_map(keys.len(), SHARE, |range| {
        let mut moves = Vec::new();
        keys[range].iter().map(|&key| of(&mut moves, key)).collect::<Result<Vec<_>, u64>>()
    })?;
    Ok((children.iter().map(Vec::len).collect(), children.concat()))
}

#[pymethods]
impl Game {
    #[new]
    pub fn new(code: &str) -> PyResult<Game> {
        AnyGame::parse(code).map(Game::of).map_err(errors::text)
    }

    /// The shortest rule code of the variant.
    #[getter]
    pub fn code(&self) -> String {
        self.rules.code()
    }

    /// The rule code that stands for all rule codes of the same game. For example, mirrored starts and transposed
    /// boards have different codes but are the same game.
    #[getter]
    fn same_game(&self) -> String {
        self.rules.representative_code()
    }

    /// The settings of the variant by name; ``"game"`` is the first.
    #[getter]
    fn settings<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let settings = PyDict::new(py);
        for (name, value) in self.rules.settings() {
            settings.set_item(name, value)?;
        }
        Ok(settings)
    }

    /// True if positions have keys. Boards with too many positions for 64-bit keys have no keys, and so no tables.
    #[getter]
    pub fn has_keys(&self) -> bool {
        self.rules.has_keys()
    }

    /// The start position.
    #[getter]
    pub fn start(&self) -> Position {
        Position { game: self.clone(), position: self.rules.start() }
    }

    /// Returns a position by its text, which moves may follow (``"startpos moves 2n"``), or by its key.
    ///
    /// Raises ``TextError`` if it is not a position of this game.
    #[pyo3(signature = (position, /))]
    fn position(&self, position: PositionLike) -> PyResult<Position> {
        Ok(Position { game: self.clone(), position: self.find(position)? })
    }

    /// Returns the keys of the positions after each move, for many positions at once.
    ///
    /// ``keys`` is an array of ``n`` keys. Returns two arrays of ``uint64``: ``offsets`` of shape ``(n + 1,)``, and the
    /// keys of all children, concatenated. The children of ``keys[i]`` are at ``offsets[i]`` to ``offsets[i + 1]``, in
    /// the order of ``Position.moves``. A position in which the game is over has no children. Raises ``TextError`` for
    /// a number that is not the key of a position.
    #[pyo3(signature = (keys, /))]
    fn children<'py>(&self, py: Python<'py>, keys: Keys) -> PyResult<(KeyArray<'py>, KeyArray<'py>)> {
        if !self.has_keys() {
            return Err(errors::argument("keys", &format!("positions of {} have no keys", self.code())));
        }
        let work = || children(&self.rules, &keys.0);
        let found = py.detach(|| threads::shared()?.install(|| Ok::<_, PyErr>(work())))?;
        let wrong = |key| errors::argument(&format!("key \"{}\"", key_text(key)), "is not the key of a position");
        let (counts, children) = found.map_err(wrong)?;
        let mut end = 0;
        let mut offsets = vec![0];
        offsets.extend(counts.into_iter().map(|count| {
            end += count as u64;
            end
        }));
        Ok((PyArray1::from_vec(py, offsets), PyArray1::from_vec(py, children)))
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other.cast::<Game>().is_ok_and(|other| self.is_same(other.get()))
    }

    fn __hash__(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        self.code().hash(&mut hasher);
        hasher.finish()
    }

    fn __repr__(&self) -> String {
        format!("Game({:?})", self.code())
    }

    fn __getnewargs__(&self) -> (String,) {
        (self.code(),)
    }
}

/// A position of a game. Two positions are equal if the rules do not tell them apart.
#[pyclass(frozen, module = "yomikiri")]
#[derive(Clone)]
pub struct Position {
    pub game: Game,
    pub position: AnyPosition,
}

impl Position {
    /// The rules and the position.
    fn parts(&self) -> (&AnyGame, &AnyPosition) {
        (&self.game.rules, &self.position)
    }

    /// The legal moves with the position after each.
    fn moved(&self) -> impl Iterator<Item = (String, AnyPosition)> {
        let (game, here) = self.parts();
        game.legal_moves(here).into_iter().map(|mv| (game.move_text(mv), game.play(here, mv)))
    }
}

#[pymethods]
impl Position {
    /// The game of the position.
    #[getter]
    fn game(&self) -> Game {
        self.game.clone()
    }

    /// The position in the game's notation, with the side to move, which ``Game.position`` reads.
    #[getter]
    fn text(&self) -> String {
        let (game, here) = self.parts();
        game.text_with_side(here)
    }

    /// The key of the position in tables. Positions that are equal by symmetry have the same key. ``None`` on boards
    /// with too many positions for 64-bit keys.
    #[getter]
    fn key(&self) -> Option<u64> {
        let (game, here) = self.parts();
        game.has_keys().then(|| game.rank(here))
    }

    /// The side to move: ``"black"``, which moves first in a game, or ``"white"``. In games whose keys describe
    /// positions as the side to move sees them (animal shogi, the pyonpyon game, reversi), the side of a position made
    /// from a key is always Black.
    #[getter]
    fn side(&self) -> &'static str {
        let (game, here) = self.parts();
        game.side(here).name()
    }

    /// The number of plies since the start of the game, if the position tells it; else 0.
    #[getter]
    fn ply(&self) -> u32 {
        let (game, here) = self.parts();
        game.ply(here)
    }

    /// The board as lines of text.
    #[getter]
    fn board(&self) -> String {
        let (game, here) = self.parts();
        game.board_text(here)
    }

    /// The legal moves in the game's notation and order; empty if the game is over.
    #[getter]
    fn moves(&self) -> Vec<String> {
        self.moved().map(|(text, _)| text).collect()
    }

    /// The legal moves with the position after each.
    #[getter]
    fn children(&self) -> Vec<(String, Position)> {
        let child = |(text, position)| (text, Position { game: self.game.clone(), position });
        self.moved().map(child).collect()
    }

    /// Returns the position after some moves, made in order.
    ///
    /// Raises ``TextError`` for a move that is not legal.
    #[pyo3(signature = (*moves))]
    fn play(&self, moves: Vec<String>) -> PyResult<Position> {
        let mut position = self.clone();
        for mv in moves {
            let (game, here) = position.parts();
            let mv = game.parse_move(here, &mv).map_err(errors::text)?;
            position.position = game.play(here, mv);
        }
        Ok(position)
    }

    /// The value by the rules for the side to move, if the game is over; else ``None``.
    #[getter]
    fn over(&self) -> Option<Value> {
        let (game, here) = self.parts();
        game.terminal_value(here).map(Value::of)
    }

    /// The reason why the game is over, in English; ``None`` if the game goes on.
    #[getter]
    fn why_over(&self) -> Option<&'static str> {
        let (game, here) = self.parts();
        game.end_reason(here).map(|why| why.text)
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        let is_same = |other: &Position| self.position == other.position && self.game.code() == other.game.code();
        other.cast::<Position>().is_ok_and(|other| is_same(other.get()))
    }

    fn __hash__(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        self.position.hash(&mut hasher);
        hasher.finish()
    }

    fn __str__(&self) -> String {
        self.text()
    }

    fn __repr__(&self) -> String {
        format!("<Position of {}: {}>", self.game.code(), self.text())
    }

    fn __reduce__(&self, py: Python<'_>) -> PyResult<(Py<PyAny>, (String,))> {
        let game = Bound::new(py, self.game.clone())?;
        Ok((game.getattr("position")?.unbind(), (self.text(),)))
    }
}
