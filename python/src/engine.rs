//! An engine that chooses a move in any position.

use std::num::NonZero;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use pyo3::prelude::*;
use yomikiri_play::player::{Listener, PlayerReport};
use yomikiri_play::{CombinedPlayer, Limits, Player, Score, Session};
use yomikiri_rules::{AnyGame, AnyPosition, Notation, Outcome, Plies};
use yomikiri_table::Location;

use crate::arguments::{self, Memory};
use crate::folder::Tables;
use crate::game::Position;
use crate::value::Value;
use crate::work::run_interruptible;
use crate::{errors, folder};

/// The default time for a move.
const TIME: Duration = Duration::from_secs(1);

/// The default memory of the search, in bytes.
const MEMORY: u64 = 16 << 20;

/// The move that the engine chooses, with its value or the engine's guess, and their source.
#[pyclass(frozen, get_all, module = "yomikiri")]
pub struct Choice {
    /// The move in the game's notation.
    text: String,
    /// The value of the move for the side that makes it; ``None`` if the move is a guess. It takes into account which
    /// positions have occurred, because a repetition can be a draw. The plies of the value are ``None`` if the distance
    /// to the end is not known.
    value: Option<Value>,
    /// The engine's estimate of the position, in a unit that depends on the game, if the move is a guess; else
    /// ``None``.
    guess: Option<i32>,
    /// The source of the choice: ``"table"``, ``"excerpt"``, ``"certificate"``, ``"opening"``, ``"proof"`` or
    /// ``"search"``.
    source: String,
    /// The depth of the last completed iteration in plies, if the engine searched; else ``None``.
    depth: Option<u32>,
    /// The number of nodes searched by the end of the last completed iteration; ``None`` if the engine did not search.
    nodes: Option<u64>,
}

#[pymethods]
impl Choice {
    fn __str__(&self) -> &str {
        &self.text
    }

    fn __repr__(&self) -> String {
        format!("<Choice {} by {}>", self.text, self.source)
    }
}

/// Listens to the player, which chooses the move. Keeps the last source, depth and number of nodes that the player has
/// reported. Stops the player once `stop` is set.
struct Attendant<'a> {
    stop: &'a AtomicBool,
    source: String,
    searched: Option<(u32, u64)>,
}

impl Listener for Attendant<'_> {
    fn report(&mut self, report: PlayerReport) {
        match report {
            PlayerReport::Searched { depth, nodes, .. } => self.searched = Some((depth, nodes)),
            PlayerReport::Known { source, .. } => self.source = source.kind.to_string(),
            PlayerReport::Remark(_) | PlayerReport::Line(_) | PlayerReport::Proving { .. } => {}
        }
    }

    fn should_stop(&mut self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }
}

/// Converts a score that is not a guess to a value. Returns a guess as the error.
fn value_of(score: Score) -> Result<Value, i32> {
    let known = |outcome, plies| Ok(Value { outcome, plies, score: None });
    let points = |outcome, score| Ok(Value { outcome, plies: None, score: Some(score) });
    match score {
        Score::Won(Plies(plies)) => known("win", Some(plies)),
        Score::Lost(Plies(plies)) => known("loss", Some(plies)),
        Score::Drawn | Score::Decided(Outcome::Draw) => known("draw", None),
        Score::Decided(Outcome::Win) => known("win", None),
        Score::Decided(Outcome::Loss) => known("loss", None),
        Score::Points(score @ 1..) => points("win", score),
        Score::Points(0) => points("draw", 0),
        Score::Points(score) => points("loss", score),
        Score::Guess(guess) => Err(guess),
    }
}

/// The settings of the player.
struct Settings {
    location: Location,
    memory: u64,
    threads: NonZero<usize>,
    limits: Limits,
}

fn choose(
    game: &AnyGame,
    position: &AnyPosition,
    moves: &[String],
    settings: Settings,
    stop: &AtomicBool,
) -> PyResult<Choice> {
    let mut attendant = Attendant { stop, source: "search".into(), searched: None };
    let mut session = Session::new(game, *position);
    session.act_on_all(moves).map_err(errors::text)?;
    if session.ending().is_some() {
        return Err(errors::argument("position", "the game is over"));
    }
    let mut player = CombinedPlayer::new(game, settings.location);
    player.set_memory(settings.memory as usize).map_err(errors::solve)?;
    player.set_threads(settings.threads);
    let choice = player.choose(&session, &settings.limits, &mut attendant);
    let choice = choice.map_err(errors::solve)?;
    let value = value_of(choice.score);
    let (depth, nodes) = attendant.searched.unzip();
    let source = attendant.source;
    Ok(Choice { text: game.move_text(choice.mv), value: value.ok(), guess: value.err(), source, depth, nodes })
}

/// Chooses a move for the side to move. Looks the position up in the tables, excerpts, certificates and openings in the
/// folder or at the address ``tables``, or in a list of them. If none of them knows it, uses a proof or a search.
///
/// ``moves`` are the moves made from ``position``; the engine chooses the next one. They also tell the engine which
/// positions have occurred before. The search is limited to ``seconds`` seconds, ``depth`` plies and ``nodes`` nodes;
/// without any limit, it takes one second. It uses ``memory`` (by default 16M) and ``threads`` threads (by default
/// one). Ctrl-C stops it.
///
/// Raises ``TextError`` if the game is over or a move is not legal.
#[pyfunction]
#[pyo3(signature = (
    position, /, moves=None, *, tables=None, seconds=None, depth=None, nodes=None, memory=None,
    threads=None
))]
#[expect(clippy::too_many_arguments, reason = "most are left out")]
pub fn best_move(
    py: Python<'_>,
    position: &Position,
    moves: Option<Vec<String>>,
    tables: Option<Tables>,
    #[pyo3(from_py_with = arguments::seconds)] seconds: Option<Duration>,
    #[pyo3(from_py_with = arguments::depth)] depth: Option<u32>,
    #[pyo3(from_py_with = arguments::nodes)] nodes: Option<u64>,
    memory: Option<Memory>,
    #[pyo3(from_py_with = arguments::threads)] threads: Option<NonZero<u16>>,
) -> PyResult<Choice> {
    let Position { game, position } = position;
    let moves = moves.unwrap_or_default();
    let seconds = seconds.or((depth.is_none() && nodes.is_none()).then_some(TIME));
    let settings = Settings {
        location: folder::to_read(py, tables)?,
        memory: Memory::bytes(memory, MEMORY)?,
        threads: threads.unwrap_or(NonZero::<u16>::MIN).into(),
        limits: Limits { depth, nodes, time: seconds },
    };
    run_interruptible(py, |stop| choose(&game.rules, position, &moves, settings, stop))?
}
