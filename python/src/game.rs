//! Rules: variants of games and their positions, with moves, texts and keys.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;

use numpy::PyArray1;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use rayon::prelude::*;
use yomikiri_rules::{AnyGame, Game as Rules, TextError, key_text, with_game};

use crate::erased::{AnyPosition, Erased};
use crate::keys::{Keys, not_a_key};
use crate::value::Value;
use crate::{errors, threads};

/// A variant of a game, by its rule code, as ``Game("bin4x4")``.
///
/// Raises ``TextError``, which is a ``ValueError``, if there is no such code.
#[pyclass(frozen, module = "yomikiri")]
#[derive(Clone)]
pub struct Game {
    pub rules: Arc<AnyGame>,
}

/// Keys for Python.
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

    /// A position of this game.
    pub fn find(&self, position: PositionLike) -> PyResult<AnyPosition> {
        let text = match position {
            PositionLike::Position(position) => {
                let Position { game, position } = position;
                if game.is_same(self) {
                    return Ok(position);
                }
                let problem = format!("is one of {}, not of {}", game.code(), self.code());
                return Err(errors::argument("position", &problem));
            }
            PositionLike::Key(key) => key_text(key),
            PositionLike::Text(text) => text,
        };
        with_game!(&*self.rules, game => parse(game, &text)).map_err(errors::text)
    }

    /// The position asked for, or the start.
    pub fn find_or_start(&self, position: Option<PositionLike>) -> PyResult<AnyPosition> {
        position.map_or_else(|| Ok(self.start().position), |position| self.find(position))
    }

    fn is_same(&self, other: &Game) -> bool {
        Arc::ptr_eq(&self.rules, &other.rules) || self.rules.code() == other.rules.code()
    }
}

fn parse<G: Erased>(game: &G, text: &str) -> Result<AnyPosition, TextError> {
    game.parse_position(text).map(G::erase)
}

fn start<G: Erased>(game: &G) -> AnyPosition {
    G::erase(game.start())
}

/// How many children each key has, and the keys of all of them.
fn children<G: Rules>(game: &G, keys: &[u64]) -> Result<(Vec<usize>, Vec<u64>), u64> {
    let of = |moves: &mut Vec<G::Move>, &key: &u64| {
        let position = game.unrank(key).ok_or(key)?;
        game.moves(&position, moves);
        Ok(moves.iter().map(|&mv| game.rank(&game.play(&position, mv))).collect::<Vec<_>>())
    };
    let children: Vec<Vec<u64>> = keys.par_iter().map_init(Vec::new, of).collect::<Result<_, u64>>()?;
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

    /// The code that stands for all codes of the same game: of mirrored starts, transposed boards and the like.
    #[getter]
    fn same_game(&self) -> String {
        self.rules.same_game()
    }

    /// Every setting of the variant by its name; ``"game"`` is the first.
    #[getter]
    fn settings<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let settings = PyDict::new(py);
        for (name, value) in with_game!(&*self.rules, game => game.settings()) {
            settings.set_item(name, value)?;
        }
        Ok(settings)
    }

    /// Whether positions have keys. Where 64 bits are too few for them there are no tables.
    #[getter]
    pub fn has_keys(&self) -> bool {
        with_game!(&*self.rules, game => game.has_keys())
    }

    /// The first position.
    #[getter]
    pub fn start(&self) -> Position {
        Position { game: self.clone(), position: with_game!(&*self.rules, game => start(game)) }
    }

    /// A position by its text, which may have moves behind it (``"startpos moves 2n"``), or by its key.
    ///
    /// Raises ``TextError`` if it is none of this game.
    #[pyo3(signature = (position, /))]
    fn position(&self, position: PositionLike) -> PyResult<Position> {
        Ok(Position { game: self.clone(), position: self.find(position)? })
    }

    /// The keys after all moves of many positions.
    ///
    /// ``keys`` is an array of ``n`` keys. Returns two arrays of ``uint64``: ``offsets`` of shape ``(n + 1,)`` and the
    /// keys of all children one after the other, those of ``keys[i]`` from ``offsets[i]`` to ``offsets[i + 1]``, in the
    /// order of ``Position.moves``. Where the game is over there are none. Raises ``TextError`` for a number that is
    /// no position's key.
    #[pyo3(signature = (keys, /))]
    fn children<'py>(&self, py: Python<'py>, keys: Keys) -> PyResult<(KeyArray<'py>, KeyArray<'py>)> {
        if !self.has_keys() {
            return Err(errors::argument("keys", &format!("positions of {} have no keys", self.code())));
        }
        let work = || with_game!(&*self.rules, game => children(game, &keys.0));
        let found = py.detach(|| threads::shared()?.install(|| Ok::<_, PyErr>(work())))?;
        let (counts, children) =
            found.map_err(|key| errors::argument(&format!("key \"{}\"", key_text(key)), "is that of no position"))?;
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

/// A position of a game. Equal are positions that the rules do not tell apart.
#[pyclass(frozen, module = "yomikiri")]
#[derive(Clone)]
pub struct Position {
    pub game: Game,
    pub position: AnyPosition,
}

/// `game` is the position's; `here` is it as that game has it.
macro_rules! with_position {
    ($position:expr, $game:ident, $here:ident => $run:expr) => {
        with_game!(&*$position.game.rules, $game => {
            let $here = own($game, &$position.position);
            $run
        })
    };
}

fn own<'a, G: Erased>(_: &G, position: &'a AnyPosition) -> &'a G::Position {
    G::own(position)
}

fn play<G: Erased>(game: &G, position: &G::Position, mv: &str) -> Result<AnyPosition, TextError> {
    Ok(G::erase(game.play(position, game.parse_move(position, mv)?)))
}

fn moves_of<G: Erased>(game: &G, position: &G::Position) -> Vec<(String, AnyPosition)> {
    let moves = game.legal_moves(position).into_iter();
    moves.map(|mv| (game.move_text(mv), G::erase(game.play(position, mv)))).collect()
}

#[pymethods]
impl Position {
    /// The game that it is a position of.
    #[getter]
    fn game(&self) -> Game {
        self.game.clone()
    }

    /// The position in the game's notation, which ``Game.position`` reads.
    #[getter]
    fn text(&self) -> String {
        with_position!(self, game, here => game.position_text(here))
    }

    /// The number that tables know it by, the same for positions that a symmetry makes equal; ``None`` on boards whose
    /// positions are too many for 64 bits.
    #[getter]
    fn key(&self) -> Option<u64> {
        with_position!(self, game, here => game.has_keys().then(|| game.rank(here)))
    }

    /// The side to move: ``"black"``, which has the first move of a game, or ``"white"``. Where keys stand for a
    /// position as the side to move sees it (animal shogi, the pyonpyon game, reversi), that of a key is always Black.
    #[getter]
    fn side(&self) -> &'static str {
        with_position!(self, game, here => game.side(here).name())
    }

    /// Plies from the start of the game, where the position tells; else 0.
    #[getter]
    fn ply(&self) -> u32 {
        with_position!(self, game, here => game.ply(here))
    }

    /// A picture of the board, in lines.
    #[getter]
    fn board(&self) -> String {
        with_position!(self, game, here => game.board_text(here))
    }

    /// The legal moves in the game's notation and order; none if the game is over.
    #[getter]
    fn moves(&self) -> Vec<String> {
        let moves = with_position!(self, game, here => moves_of(game, here));
        moves.into_iter().map(|(text, _)| text).collect()
    }

    /// The legal moves with the position after each.
    #[getter]
    fn children(&self) -> Vec<(String, Position)> {
        let children = with_position!(self, game, here => moves_of(game, here));
        let child = |(text, position)| (text, Position { game: self.game.clone(), position });
        children.into_iter().map(child).collect()
    }

    /// The position after moves, one after the other.
    ///
    /// Raises ``TextError`` for a move that is not legal.
    #[pyo3(signature = (*moves))]
    fn play(&self, moves: Vec<String>) -> PyResult<Position> {
        let mut position = self.clone();
        for mv in moves {
            position.position = with_position!(position, game, here => play(game, here, &mv)).map_err(errors::text)?;
        }
        Ok(position)
    }

    /// The value by the rules alone, where the game is over; else ``None``.
    #[getter]
    fn over(&self) -> Option<Value> {
        with_position!(self, game, here => game.terminal_value(here).map(Value::of))
    }

    /// Why the game is over, where that needs saying.
    #[getter]
    fn why_over(&self) -> Option<&'static str> {
        with_position!(self, game, here => game.why_over(here).map(|why| why.text))
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
