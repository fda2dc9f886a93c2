//! Proves the winner of positions that no table reaches.

use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::thread::available_parallelism;
use std::time::{Duration, Instant};

use pyo3::prelude::*;
use yomikiri_rules::{AnyGame, AnyPosition, Game as _, Notation, Side};
use yomikiri_search::Searchable;
use yomikiri_search::certificate;
use yomikiri_search::position_proof::{ProofOptions, ProofProgress};
use yomikiri_search::proof::checkpoint::Checkpoints;

use crate::arguments::{self, GameOrCode, Memory};
use crate::errors;
use crate::game::PositionLike;
use crate::work::{Step, notify};

/// The default memory for proof numbers, in bytes.
const MEMORY: u64 = 1 << 30;

/// The maximum size of a checkpoint in bytes, and the time between two checkpoints.
const CHECKPOINT: u64 = 1 << 30;
const EVERY: Duration = Duration::from_secs(300);

/// The result of an attempt to prove the winner of a position.
#[pyclass(frozen, get_all, module = "yomikiri")]
pub struct Proof {
    /// The winner, ``"black"`` or ``"white"``; ``None`` if the proof was not finished in time.
    winner: Option<&'static str>,
    /// The side for which a draw counts as a win; ``None`` if the game has no draws. If that side is the winner, the
    /// proof shows only that this side gets at least a draw.
    draws: Option<&'static str>,
    /// A winning move, if the side to move wins and the proof has kept one; else ``None``.
    winning_move: Option<String>,
    /// The number of positions expanded, including the positions of earlier runs that this run has resumed.
    expansions: u64,
    /// The duration of this run in seconds.
    seconds: f64,
    /// The path of the certificate, if one was written.
    certificate: Option<PathBuf>,
    /// The number of positions in the certificate; ``None`` if none was written.
    entries: Option<usize>,
}

#[pymethods]
impl Proof {
    fn __repr__(&self) -> String {
        match self.winner {
            Some(winner) => format!("<Proof: {winner} wins>"),
            None => format!("<Proof: not decided after {} expansions>", self.expansions),
        }
    }
}

/// The settings of a proof.
struct Settings<'a> {
    proof: ProofOptions,
    time: Option<Duration>,
    checkpoint: Option<PathBuf>,
    certificate: Option<PathBuf>,
    horizon: u32,
    progress: Option<&'a Py<PyAny>>,
}

/// Handles signals, progress and the time limit while a proof runs.
struct ProofWatch<'a> {
    settings: &'a Settings<'a>,
    begun: Instant,
    failed: Option<PyErr>,
}

impl ProofWatch<'_> {
    /// Handles signals and calls `progress`. Returns false if the work has to stop.
    fn look(&mut self, name: &str, done: u64) -> bool {
        if self.failed.is_none() {
            let step = self.settings.progress.map(|_| Step::at(name, done));
            self.failed = Python::attach(|py| notify(py, self.settings.progress, step)).err();
        }
        self.failed.is_none()
    }

    fn is_over_time(&self) -> bool {
        self.settings.time.is_some_and(|time| self.begun.elapsed() >= time)
    }
}

/// Proves the winner of a position. Returns an error if the game has no proofs.
fn run(game: &AnyGame, position: &AnyPosition, settings: &Settings<'_>) -> PyResult<Proof> {
    let Some(mut prover) = game.proof(position, &settings.proof).map_err(errors::text)? else {
        let problem = format!("{}: proofs exist only for games that never repeat a position", game.code());
        return Err(errors::argument("game", &problem));
    };
    let open = |folder: &PathBuf| Checkpoints::open(folder, CHECKPOINT).map_err(errors::table);
    let mut checkpoints = settings.checkpoint.as_ref().map(open).transpose()?;
    let resumed = checkpoints.as_mut().map(|kept| prover.resume(kept)).transpose();
    let before = resumed.map_err(errors::table)?.flatten().map_or(0.0, |resumed| resumed.header.seconds);
    let before = Duration::try_from_secs_f64(before).unwrap_or_default();
    let mut watch = ProofWatch { settings, begun: Instant::now(), failed: None };
    let mut kept = Instant::now();
    let mut unwritten = None;
    let begun = watch.begun;
    let mut keep = |state: &dyn ProofProgress, go_on: &mut dyn FnMut() -> bool| {
        kept = Instant::now();
        let written = checkpoints.as_mut().map(|files| state.save(files, before + begun.elapsed(), go_on));
        unwritten = written.and_then(Result::err);
        kept
    };
    let mut last = begun;
    let winner = prover.winner(&mut |state| {
        let goes_on = watch.look("proof", state.expansions()) && !watch.is_over_time();
        if goes_on && last.elapsed() >= EVERY {
            last = keep(state, &mut || watch.look("checkpoint", state.expansions()));
        }
        goes_on
    });
    let winner = winner.map_err(errors::solve)?;
    keep(&*prover.state(), &mut || true);
    if let Some(error) = watch.failed {
        return Err(error);
    }
    if let Some(error) = unwritten {
        return Err(errors::table(error));
    }
    let seconds = begun.elapsed().as_secs_f64();
    let state = prover.state();
    let mover = winner.filter(|&winner| winner == game.side(position));
    let winning_move = mover.and_then(|_| state.winning_move()).map(|mv| game.move_text(mv));
    let mut proof = Proof {
        winner: winner.map(Side::name),
        draws: prover.draws().map(Side::name),
        winning_move,
        expansions: state.expansions(),
        seconds,
        certificate: None,
        entries: None,
    };
    drop(state);
    if let Some((winner, file)) = winner.zip(settings.certificate.as_ref()) {
        let mut watch = ProofWatch { settings, begun, failed: None };
        let found = prover.certificate(winner, settings.horizon, &mut |count| watch.look("certificate", count));
        let found = found.map_err(errors::solve)?;
        if let Some(error) = watch.failed {
            return Err(error);
        }
        let none = |why| errors::not_proved(format!("{}: no certificate was written: {why}", file.display()));
        let found = found.map_err(none)?;
        found.write_over(file, certificate::replaceable(&game.code())).map_err(errors::table)?;
        (proof.certificate, proof.entries) = (Some(file.clone()), Some(found.entries()));
    }
    Ok(proof)
}

/// Returns an error if there is a file at this path that the certificate must not replace. Called before any work.
fn check_place(code: &str, file: &Path) -> PyResult<()> {
    certificate::replaceable(code).check(file).map_err(|error| errors::argument("certificate", &error.to_string()))
}

/// Proves the winner of a position, by default the start, in a game that never repeats a position: Binarsi, reversi,
/// Connect Four. Proofs reach larger boards than tables, but do not find the distance to the end.
///
/// ``draws`` is the side for which a draw counts as a win, in games with draws. ``memory`` is for proof numbers (by
/// default 1G, or less if the machine has less), and ``threads`` is the number of threads (by default one for each
/// core). After ``seconds`` seconds the proof gives up, and the winner is ``None``. ``progress`` is called several
/// times a second with a ``Step`` whose ``done`` is the number of positions expanded. An exception from ``progress``,
/// or Ctrl-C, stops the proof and is raised here. ``checkpoint`` is a folder for the state of the proof. The state is
/// written every five minutes and at the end, even if the proof is stopped. A later call with the same folder resumes
/// the proof. If the winner is found, the winning moves are written to the file ``certificate``, except in positions
/// that have at most ``horizon`` plies left.
///
/// Raises ``TextError`` for a wrong argument, or for a game that has no proofs; ``TableError`` if a file cannot be read
/// or written; ``AuditError`` if no certificate could be made from the proof.
#[pyfunction]
#[pyo3(signature = (
    game, position=None, /, *, draws="white", memory=None, threads=None, seconds=None, progress=None, checkpoint=None,
    certificate=None, horizon=6
))]
#[expect(clippy::too_many_arguments, reason = "most are left out")]
pub fn prove(
    py: Python<'_>,
    game: GameOrCode,
    position: Option<PositionLike>,
    draws: &str,
    memory: Option<Memory>,
    #[pyo3(from_py_with = arguments::threads)] threads: Option<NonZero<u16>>,
    #[pyo3(from_py_with = arguments::seconds)] seconds: Option<Duration>,
    progress: Option<Py<PyAny>>,
    checkpoint: Option<PathBuf>,
    certificate: Option<PathBuf>,
    #[pyo3(from_py_with = arguments::horizon)] horizon: u32,
) -> PyResult<Proof> {
    let game = game.game()?;
    let position = game.find_or_start(position)?;
    let draws = match draws {
        "black" => Side::Black,
        "white" => Side::White,
        _ => return Err(errors::argument("draws", "must be \"black\" or \"white\"")),
    };
    if let Some(file) = &certificate {
        check_place(&game.code(), file)?;
    }
    let cores = || available_parallelism().map_or(1, NonZero::get);
    let threads = threads.map_or_else(cores, |threads| threads.get().into());
    let settings = Settings {
        proof: ProofOptions { draws, memory: Memory::bytes(memory, MEMORY)?, threads },
        time: seconds,
        checkpoint,
        certificate,
        horizon,
        progress: progress.as_ref(),
    };
    py.detach(|| run(&game.rules, &position, &settings))
}
