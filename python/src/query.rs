//! Asks everything that is known or can be proved about a position.

use std::num::NonZero;
use std::thread::available_parallelism;
use std::time::{Duration, Instant};

use pyo3::prelude::*;
use yomikiri_answer::{
    Answerer, MoveReport, ProofLimits, ProofObserver, ProofQuestion, QueryReport, Trust, ValueBound,
};
use yomikiri_rules::{AnyGame, AnyPosition, Game as _, Measure, Notation, Outcome, Side};
use yomikiri_search::Searchable as _;
use yomikiri_solve::SolveError;
use yomikiri_table::{Location, Progress};

use crate::arguments::{self, GameOrCode, Memory};
use crate::folder::Tables;
use crate::game::{Game, Position, PositionLike};
use crate::value::Value;
use crate::work::{Watched, run_with_progress};
use crate::{errors, folder};

/// The default memory of searches, and the default memory of proofs, in bytes.
const MEMORY: u64 = 1 << 30;
const PROOF_MEMORY: u64 = 512 << 20;

/// The default time limit of a proof or a search.
const TIME: Duration = Duration::from_secs(30);

/// A legal move, with what is known about it.
#[pyclass(frozen, get_all, module = "yomikiri")]
pub struct JudgedMove {
    /// The move in the game's notation.
    text: String,
    /// The value of the move for the side that makes it; ``None`` if its outcome is not known. The plies of the value
    /// include the move itself.
    value: Option<Value>,
    /// The position after the move.
    position: Position,
}

/// A position, with what is known about it and its moves.
#[pyclass(frozen, get_all, module = "yomikiri")]
pub struct Verdict {
    /// The winner, ``"black"`` or ``"white"``; ``None`` in a draw, or if the winner is not known.
    winner: Option<&'static str>,
    /// The value of the position for the side to move; ``None`` if its outcome is not known.
    value: Option<Value>,
    /// The source of the values: ``"table"``, ``"excerpt"``, ``"subgame"``, ``"certificate"``, ``"opening"``,
    /// ``"search"`` or ``"proof"``; ``None`` if the game is over, because the rules give the value.
    source: Option<String>,
    /// ``"checked"`` or ``"unchecked"`` if a certificate or an opening names the winner, else ``None``.
    certificate: Option<&'static str>,
    /// The lower bound of the value, inclusive, if a search has found one but not the value, else ``None``.
    at_least: Option<Value>,
    /// The upper bound of the value, inclusive, if a search has found one but not the value, else ``None``.
    at_most: Option<Value>,
    /// The legal moves, the best first. Equally good moves are in the order of the notation.
    moves: Vec<Py<JudgedMove>>,
}

#[pymethods]
impl JudgedMove {
    fn __str__(&self) -> &str {
        &self.text
    }

    fn __repr__(&self) -> String {
        format!("<JudgedMove {}: {}>", self.text, self.value.map_or("not known", |value| value.outcome))
    }
}

#[pymethods]
impl Verdict {
    fn __repr__(&self) -> String {
        let open = self.moves.iter().filter(|mv| mv.get().value.is_none()).count();
        let open = if open == 0 { String::new() } else { format!(", {open} of them not known") };
        let outcome = self.value.map_or("not known", |value| value.outcome);
        format!("<Verdict {outcome}, {} moves{open}>", self.moves.len())
    }
}

fn value_of(outcome: Option<Outcome>, measure: Measure) -> Option<Value> {
    outcome.map(|outcome| Value::measured(outcome, measure))
}

fn value_of_bound(bound: Option<ValueBound>) -> Option<Value> {
    bound.map(|bound| Value::measured(bound.outcome, bound.measure))
}

impl Verdict {
    fn of(py: Python<'_>, game: &Game, report: QueryReport) -> PyResult<Verdict> {
        let moves = report.moves.into_iter().map(|mv| {
            let MoveReport { mv: text, outcome, measure, position, .. } = mv;
            let position = game.rules.parse_position(&position).map_err(errors::text)?;
            let position = Position { game: game.clone(), position };
            Py::new(py, JudgedMove { text, value: value_of(outcome, measure), position })
        });
        Ok(Verdict {
            winner: report.winner.map(Side::name),
            value: value_of(report.outcome, report.measure),
            source: report.source.map(|source| source.to_string()),
            certificate: report.certificate.map(Trust::name),
            at_least: value_of_bound(report.at_least),
            at_most: value_of_bound(report.at_most),
            moves: moves.collect::<PyResult<_>>()?,
        })
    }
}

/// Follows a proof or a search, and ends it at the time limit or when Python wants to stop.
struct Observer<'a> {
    watched: &'a Watched<'a>,
    /// The name of the step.
    name: &'static str,
    time: Duration,
    moves: u64,
    begun: Option<Instant>,
}

impl ProofObserver for Observer<'_> {
    fn begin(&mut self) {
        self.begun = Some(Instant::now());
        self.watched.begin(self.name, self.moves);
    }

    fn go_on(&mut self) -> bool {
        !self.watched.should_stop() && self.begun.is_none_or(|begun| begun.elapsed() < self.time)
    }

    fn found_move(&mut self, _: &MoveReport, decided: usize, _: usize) {
        self.watched.set_done(decided as u64);
    }
}

/// The settings of a question.
struct Settings {
    location: Location,
    memory: u64,
    proofs: ProofLimits,
    time: Duration,
    question: ProofQuestion,
}

fn ask(
    game: &AnyGame,
    position: &AnyPosition,
    settings: Settings,
    watched: &Watched<'_>,
) -> Result<QueryReport, SolveError> {
    let Settings { location, memory, proofs, time, question } = settings;
    let mut answerer = Answerer::new(game, location);
    answerer.set_proofs(proofs);
    let moves = game.legal_moves(position).len() as u64;
    let name = if game.has_proofs() { "proof" } else { "search" };
    let mut observer = Observer { watched, name, time, moves, begun: None };
    let report = QueryReport::prove(&mut answerer, position, memory, question, watched, &mut observer)?;
    if observer.begun.is_some() {
        let decided = report.moves.iter().filter(|mv| mv.outcome.is_some()).count();
        watched.end(&format!("{decided} of {moves} moves decided"));
    }
    Ok(report)
}

/// Answers who wins a position, by default the start, and who wins after each of its moves.
///
/// Looks the position up in the tables, excerpts, certificates and openings in the folder or at the address
/// ``tables``, or in a list of them. If none of them has it, solves all positions that can follow, if ``memory`` (by
/// default 1G) is enough for them. If it is not enough and the game never repeats a position, decides first the
/// position and then each move, within ``seconds`` seconds (by default 30). Binarsi proves who wins; Binarsi for points
/// and the other games search for the exact value. Values that are still unknown then are ``None``. A certificate
/// answers at once, with one winning move. If ``seconds`` is given or ``plies`` is true, the moves that the certificate
/// leaves open are decided too. If ``plies`` is true, also proves how soon a win comes, within the same time.
/// ``moves=False`` asks about the position alone.
///
/// ``threads`` is the number of threads (by default one for each core). ``progress`` is called several times a second
/// with a ``Step``; while moves are decided, ``done`` of its ``total`` moves are decided. An exception from
/// ``progress``, or Ctrl-C, ends the question and is raised here.
///
/// Raises ``TextError`` for a wrong argument; ``TooLargeError`` if nothing has the position, it is too large to solve,
/// and the game has no proofs and no search that could end soon; ``TableError`` if a file cannot be read.
#[pyfunction]
#[pyo3(signature = (
    game, position=None, /, *, tables=None, seconds=None, plies=false, moves=true, memory=None, threads=None,
    progress=None
))]
#[expect(clippy::too_many_arguments, reason = "most are left out")]
pub fn query(
    py: Python<'_>,
    game: GameOrCode,
    position: Option<PositionLike>,
    tables: Option<Tables>,
    #[pyo3(from_py_with = arguments::seconds)] seconds: Option<Duration>,
    plies: bool,
    moves: bool,
    memory: Option<Memory>,
    #[pyo3(from_py_with = arguments::threads)] threads: Option<NonZero<u16>>,
    progress: Option<Py<PyAny>>,
) -> PyResult<Verdict> {
    let game = game.game()?;
    let position = game.find_or_start(position)?;
    let cores = || available_parallelism().map_or(1, NonZero::get);
    let asked = memory.is_some();
    let memory = Memory::bytes(memory, MEMORY)?;
    let settings = Settings {
        location: folder::to_read(py, tables)?,
        memory,
        proofs: ProofLimits {
            memory: if asked { memory } else { PROOF_MEMORY.min(memory) },
            threads: threads.map_or_else(cores, |threads| threads.get().into()),
        },
        time: seconds.unwrap_or(TIME),
        question: ProofQuestion { moves, plies, beyond_certificates: seconds.is_some() || plies },
    };
    let report =
        run_with_progress(py, progress.as_ref(), threads, |watched| ask(&game.rules, &position, settings, watched))?;
    Verdict::of(py, &game, report.map_err(errors::solve)?)
}
