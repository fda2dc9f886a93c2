//! A move for any position.

use std::num::NonZero;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use pyo3::prelude::*;
use yomikiri_play::player::{Listener, Report};
use yomikiri_play::{CombinedPlayer, Limits, Player, Score, Session};
use yomikiri_rules::{Outcome, Plies, with_game};
use yomikiri_table::Location;

use crate::arguments::Memory;
use crate::erased::{AnyPosition, Erased};
use crate::game::Position;
use crate::value::Value;
use crate::work::watch;
use crate::{errors, folder};

/// Seconds to think if nobody says otherwise.
const SECONDS: f64 = 1.0;

/// Bytes of memory of the search if nobody says otherwise.
const MEMORY: u64 = 16 << 20;

/// What the engine plays, and why.
#[pyclass(frozen, get_all, module = "yomikiri")]
pub struct Choice {
    /// The move in the game's notation.
    text: String,
    /// What it comes to for the side that makes it, where that is certain, repetitions so far included; plies are
    /// ``None`` where it is not known how soon. ``None`` where the move is a guess.
    value: Option<Value>,
    /// What the engine takes the position to be worth, where it guesses, in a unit of the game.
    guess: Option<i32>,
    /// What has told: ``"table"``, ``"certificate"`` or ``"search"``.
    source: String,
    /// Plies that the search has looked ahead, if it has.
    depth: Option<u32>,
    /// Positions that it has looked at.
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

/// Hears what the player tells, and stops it when Python wants that.
struct Attendant<'a> {
    stop: &'a AtomicBool,
    source: String,
    searched: Option<(u32, u64)>,
}

impl<M> Listener<M> for Attendant<'_> {
    fn hear(&mut self, report: Report<M>) {
        match report {
            Report::Searched { depth, nodes, .. } => self.searched = Some((depth, nodes)),
            Report::Known { source, .. } => self.source = source.to_string(),
            Report::Remark(_) => {}
        }
    }

    fn wants_answer(&mut self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }
}

/// What a score says, or the guess that it is.
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

/// How the player is set.
struct Settings {
    location: Location,
    memory: u64,
    threads: NonZero<usize>,
    limits: Limits,
}

fn choose<G: Erased>(
    game: &G,
    position: &AnyPosition,
    moves: &[String],
    settings: Settings,
    stop: &AtomicBool,
) -> PyResult<Choice> {
    let mut attendant = Attendant { stop, source: "search".into(), searched: None };
    let mut session = Session::new(game, *G::own(position));
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

/// A move for the side to move: by a table or a certificate in the folder or at the address ``tables`` if there
/// is one, else by search.
///
/// ``position`` is a ``Position``; ``moves`` are those made since, so that the engine knows which positions have come
/// before. The search looks ahead for ``seconds`` (one, if no limit is given), at most ``depth`` plies and ``nodes``
/// positions, with ``memory`` (16M) and on so many ``threads`` (one). Ctrl-C stops it.
///
/// Raises ``TextError`` if the game is over, or a move is not legal.
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
    tables: Option<PathBuf>,
    seconds: Option<f64>,
    depth: Option<u32>,
    nodes: Option<u64>,
    memory: Option<Memory>,
    threads: Option<NonZero<u16>>,
) -> PyResult<Choice> {
    let Position { game, position } = position;
    let moves = moves.unwrap_or_default();
    let seconds = seconds.or((depth.is_none() && nodes.is_none()).then_some(SECONDS));
    let wrong = |_| errors::argument("seconds", "is no length of time");
    let time = seconds.map(Duration::try_from_secs_f64).transpose().map_err(wrong)?;
    let settings = Settings {
        location: folder::to_read(py, tables)?,
        memory: Memory::bytes(memory, MEMORY)?,
        threads: threads.unwrap_or(NonZero::<u16>::MIN).into(),
        limits: Limits { depth, nodes, time },
    };
    watch(py, |stop| with_game!(&*game.rules, game => choose(game, position, &moves, settings, stop)))?
}
