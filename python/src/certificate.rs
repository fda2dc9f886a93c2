//! Certificates, which give the winner of positions that no table reaches, and winning moves.

use std::num::NonZero;
use std::path::{Path, PathBuf};

use pyo3::prelude::*;
use pyo3::types::PyType;
use yomikiri_rules::{AnyGame, Game as _, Notation, Side};
use yomikiri_search::certificate::{AnyCertificateFile, Claim, MAX_HORIZON};
use yomikiri_search::open_certificate;
use yomikiri_solve::Solvable;
use yomikiri_table::{Location, Progress, Table, TableError, checked, name};

use crate::arguments::{self, GameOrFile};
use crate::folder::Tables;
use crate::game::{Game, Position, PositionLike};
use crate::users::CallCount;
use crate::work::run_with_progress;
use crate::{errors, folder, threads};

/// The result of checking a certificate.
#[pyclass(frozen, get_all, module = "yomikiri")]
pub struct Checked {
    /// The number of positions that the certificate lists.
    entries: usize,
    /// The number of positions with the winner to move, in which the listed move was played.
    winner_to_move: u64,
    /// The number of positions with the loser to move, in which all moves were played.
    loser_to_move: u64,
    /// The number of positions near the end that were solved, because the certificate lists no move for them.
    read_out: u64,
}

/// A certificate: the winner of a position, and a winning move for every position that can arise when the winner plays
/// the listed moves.
#[pyclass(frozen, module = "yomikiri")]
pub struct Certificate {
    game: Game,
    location: Location,
    path: PathBuf,
    file: Box<dyn AnyCertificateFile>,
    claim: Claim<AnyGame>,
    users: CallCount,
}

/// Advice about a missing certificate.
const MAKE_IT: &str = "make it with yomikiri.prove";

impl Certificate {
    fn open_at(location: Location, path: PathBuf) -> PyResult<Certificate> {
        let open = || {
            let code = Table::open_any_game(location.open(&path)?, &path)?.header.rule_code();
            let game = AnyGame::parse(&code).map_err(|error| TableError::foreign(&path, error.to_string()))?;
            if game.is_cyclic() {
                return Err(TableError::foreign(&path, format!("{} has no certificates", game.code())));
            }
            let file = open_certificate(Some(&game), location.open(&path)?, &path)?;
            Ok((game, file))
        };
        let (game, file) = open().map_err(errors::table)?;
        let claim = file.claim();
        Ok(Certificate { game: Game::of(game), location, path, file, claim, users: CallCount::default() })
    }

    /// Calls `ask` with the open certificate, without the interpreter's lock. Returns an error in a process that was
    /// forked while another thread used the certificate.
    fn ask<T: Send>(
        &self,
        py: Python<'_>,
        ask: impl FnOnce(&dyn AnyCertificateFile) -> Result<T, TableError> + Send,
    ) -> PyResult<T> {
        let ask = || {
            let _use = self.users.enter(&self.path)?;
            ask(&*self.file)
        };
        threads::detach(py, ask)?.map_err(errors::table)
    }

    /// Replays the certificate by the rules. The outer error means that the file cannot be read. The inner error says
    /// why the certificate does not prove the winner.
    fn check_file(&self, progress: &dyn Progress) -> Result<Result<Checked, String>, TableError> {
        let loaded = || {
            let _use = self.users.enter(&self.path)?;
            open_certificate(Some(&*self.game.rules), self.location.open(&self.path)?, &self.path)?.load()
        };
        let certificate = loaded()?;
        let report = certificate.check(progress);
        Ok(report.map_err(|why| why.to_string()).map(|report| Checked {
            entries: certificate.entries(),
            winner_to_move: report.winner_to_move,
            loser_to_move: report.loser_to_move,
            read_out: report.endgames,
        }))
    }
}

#[pymethods]
impl Certificate {
    /// Opens the certificate of a game or rule code, or a file. A path names a file, and so does a string that ends
    /// with ``.proof``, has a slash, or is no rule code but the name of a file. The certificate of a game is looked up
    /// in the folder or at the address ``tables`` and then in its subfolder ``proofs``, or in a list of them in order
    /// (else in those of ``$YOMIKIRI_TABLES``, else in the user's folder for data). Certificates that ship with the
    /// package come last.
    ///
    /// Raises ``MissingTableError`` if there is no such file; ``TableError`` if it cannot be read.
    #[classmethod]
    #[pyo3(signature = (game, /, *, tables=None))]
    fn open(
        _class: &Bound<'_, PyType>,
        py: Python<'_>,
        game: &Bound<'_, PyAny>,
        tables: Option<Tables>,
    ) -> PyResult<Certificate> {
        let code = match GameOrFile::read(game, ".proof")? {
            GameOrFile::Game(game) => game.code(),
            GameOrFile::File(path) => {
                let folder: Location = path.parent().unwrap_or(Path::new("")).into();
                if !folder.has(&path) {
                    return Err(errors::missing(&[path], MAKE_IT));
                }
                return threads::detach(py, || Certificate::open_at(folder, path))?;
            }
        };
        let location = folder::to_read(py, tables)?;
        let Some(path) = name::proof_at(&location, &code) else {
            return Err(errors::missing_in(&location, |folder| name::proof(folder, &code), MAKE_IT));
        };
        threads::detach(py, || Certificate::open_at(location, path))?
    }

    /// The game of the certificate.
    #[getter]
    fn game(&self) -> Game {
        self.game.clone()
    }

    /// The path of the file.
    #[getter]
    fn path(&self) -> &Path {
        &self.path
    }

    /// The address that the file is read from; ``None`` if it is in a folder.
    #[getter]
    fn address(&self) -> Option<String> {
        self.location.is_remote(&self.path).then(|| self.path.display().to_string())
    }

    /// The position whose winner the certificate proves.
    #[getter]
    fn position(&self) -> Position {
        Position { game: self.game.clone(), position: self.claim.position }
    }

    /// The winner of ``position``: ``"black"`` or ``"white"``.
    #[getter]
    fn winner(&self) -> &'static str {
        self.claim.winner.name()
    }

    /// The side for which a draw counts as a win; ``None`` if the game has no draws. If that side is the winner, the
    /// certificate shows only that this side gets at least a draw.
    #[getter]
    fn draws(&self) -> Option<&'static str> {
        self.claim.draws.map(Side::name)
    }

    /// The horizon in plies. Positions with at most this many plies left are not listed.
    #[getter]
    fn horizon(&self) -> u32 {
        self.claim.horizon
    }

    /// True if it is on record that the file has passed ``check`` or the check of the command line.
    #[getter]
    fn is_checked(&self) -> bool {
        self.location.is_checked(&self.path, self.file.hash())
    }

    /// Returns the winner of a position, ``"black"`` or ``"white"``. The winner follows from the listed moves or, near
    /// the end of the game, from a search of some milliseconds. Returns ``None`` if the certificate does not give the
    /// winner.
    #[pyo3(signature = (position, /))]
    fn winner_of(&self, py: Python<'_>, position: PositionLike) -> PyResult<Option<&'static str>> {
        let position = self.game.find(position)?;
        Ok(self.ask(py, |file| file.winner(&position))?.map(Side::name))
    }

    /// Returns the move that is listed for a position with the winner to move; ``None`` if no move is listed.
    #[pyo3(signature = (position, /))]
    fn winning_move(&self, py: Python<'_>, position: PositionLike) -> PyResult<Option<String>> {
        let position = self.game.find(position)?;
        let mv = self.ask(py, |file| file.winning_move(&position))?;
        Ok(mv.map(|mv| self.game.rules.move_text(mv)))
    }

    /// Replays the certificate by the rules: plays its moves against every reply. If the certificate passes and its
    /// file is in a folder, writes a note there, which queries and engines read. ``progress`` and ``threads`` have the
    /// same meaning as in ``analyze``.
    ///
    /// Raises ``AuditError`` if the certificate does not prove the winner; ``TableError`` if the file cannot be read or
    /// the note cannot be written.
    #[pyo3(signature = (*, progress=None, threads=None))]
    fn check(
        &self,
        py: Python<'_>,
        progress: Option<Py<PyAny>>,
        #[pyo3(from_py_with = arguments::threads)] threads: Option<NonZero<u16>>,
    ) -> PyResult<Checked> {
        let about = |what: &str| format!("{}: {what}", self.path.display());
        if self.horizon() > MAX_HORIZON {
            let most = format!("its horizon is {} plies, but at most {MAX_HORIZON} are allowed", self.horizon());
            return Err(errors::not_proved(about(&most)));
        }
        let report = run_with_progress(py, progress.as_ref(), threads, |progress| self.check_file(progress))?;
        let report = report.map_err(errors::table)?;
        let report = report.map_err(|why| errors::not_proved(about(&format!("not proved: {why}"))))?;
        if !self.location.is_remote(&self.path) {
            let (path, hash) = (&self.path, self.file.hash());
            py.detach(|| checked::note_checked(path, hash)).map_err(errors::table)?;
        }
        Ok(report)
    }

    fn __repr__(&self) -> String {
        format!("<Certificate of {}: {} wins, {}>", self.game.code(), self.winner(), self.path.display())
    }
}
