//! Certificates: who wins, and a move that does, where no table reaches.

use std::path::{Path, PathBuf};

use pyo3::prelude::*;
use pyo3::types::PyType;
use yomikiri_rules::games::binarsi::Binarsi;
use yomikiri_rules::games::binarsi_points::BinarsiPoints;
use yomikiri_rules::games::connect_four::ConnectFour;
use yomikiri_rules::games::reversi::Reversi;
use yomikiri_rules::{AnyGame, Side};
use yomikiri_solve::Strategy;
use yomikiri_solve::certificate::{CertificateFile, CertificateGame, MOST_HORIZON, check};
use yomikiri_table::{Location, Progress, Table, TableError, checked, name};

use crate::arguments::GameOrFile;
use crate::erased::{AnyPosition, Erased};
use crate::game::{Game, Position, PositionLike};
use crate::users::Users;
use crate::work::attend;
use crate::{errors, folder, threads};

/// What a certificate says of a position, for a game that is known here alone.
trait Certified: Send + Sync {
    fn position(&self) -> AnyPosition;
    fn winner(&self) -> Side;
    fn draws(&self) -> Option<Side>;
    fn horizon(&self) -> u32;
    fn hash(&self) -> u64;
    fn winner_of(&self, position: &AnyPosition) -> Result<Option<Side>, TableError>;
    fn winning_move(&self, position: &AnyPosition) -> Result<Option<String>, TableError>;
}

impl<G: CertificateGame + Erased> Certified for CertificateFile<G> {
    fn position(&self) -> AnyPosition {
        G::erase(self.claim.position)
    }

    fn winner(&self) -> Side {
        self.claim.winner
    }

    fn draws(&self) -> Option<Side> {
        self.claim.draws
    }

    fn horizon(&self) -> u32 {
        self.claim.horizon
    }

    fn hash(&self) -> u64 {
        CertificateFile::hash(self)
    }

    fn winner_of(&self, position: &AnyPosition) -> Result<Option<Side>, TableError> {
        let position = G::own(position);
        Ok(Strategy::winner(self, position)?.or_else(|| self.winner_near_end(position)))
    }

    fn winning_move(&self, position: &AnyPosition) -> Result<Option<String>, TableError> {
        let mv = Strategy::winning_move(self, G::own(position))?;
        Ok(mv.map(|mv| self.claim.game.move_text(mv)))
    }
}

/// Opens a file as a certificate of a game.
fn open_as<G: CertificateGame>(location: &Location, path: &Path) -> Result<CertificateFile<G>, TableError> {
    CertificateFile::from_source(location.open(path)?, path)
}

/// Opens a file as a certificate of a game that is known here alone.
fn open_any<G: CertificateGame + Erased>(location: &Location, path: &Path) -> Result<Box<dyn Certified>, TableError> {
    Ok(Box::new(open_as::<G>(location, path)?))
}

/// Plays a certificate by the rules; the error says why it proves nothing.
fn check_as<G: CertificateGame>(
    file: &Certificate,
    progress: &dyn Progress,
) -> Result<Result<Checked, String>, TableError> {
    let loaded = || {
        let _use = file.users.enter(&file.path)?;
        open_as::<G>(&file.location, &file.path)?.load()
    };
    let certificate = loaded()?;
    let report = check(&certificate, progress);
    Ok(report.map_err(|why| why.to_string()).map(|report| Checked {
        entries: certificate.len(),
        winner_to_move: report.winner_to_move,
        loser_to_move: report.loser_to_move,
        read_out: report.endgames,
    }))
}

/// What the check of a certificate has met.
#[pyclass(frozen, get_all, module = "yomikiri")]
pub struct Checked {
    /// Positions listed.
    entries: usize,
    /// Positions with the winner to move, where the listed move was played.
    winner_to_move: u64,
    /// Positions with the loser to move, where all moves were played.
    loser_to_move: u64,
    /// Positions solved without a listed move.
    read_out: u64,
}

/// A certificate: who wins from a position, and a move that does in every position that can arise by its play.
#[pyclass(frozen, module = "yomikiri")]
pub struct Certificate {
    game: Game,
    location: Location,
    path: PathBuf,
    certified: Box<dyn Certified>,
    users: Users,
}

impl Certificate {
    fn open_at(location: Location, path: PathBuf) -> PyResult<Certificate> {
        if !location.has(&path) {
            return Err(errors::missing_in(&location, &path, "certificates are made by yomikiri.prove"));
        }
        let open = || {
            let code = Table::of_any_game(location.open(&path)?, &path)?.header.rule_code();
            let game = AnyGame::parse(&code).map_err(|error| TableError::foreign(&path, error.to_string()))?;
            let certified = match &game {
                AnyGame::Binarsi(_) => open_any::<Binarsi>(&location, &path),
                AnyGame::BinarsiPoints(_) => open_any::<BinarsiPoints>(&location, &path),
                AnyGame::ConnectFour(_) => open_any::<ConnectFour>(&location, &path),
                AnyGame::Reversi(_) => open_any::<Reversi>(&location, &path),
                AnyGame::AnimalShogi(_) | AnyGame::Pyonpyon(_) | AnyGame::PyonpyonShogi(_) => {
                    Err(TableError::foreign(&path, format!("there are no certificates of {}", game.code())))
                }
            };
            Ok((game, certified?))
        };
        let (game, certified) = open().map_err(errors::table)?;
        Ok(Certificate { game: Game::of(game), location, path, certified, users: Users::default() })
    }

    /// Asks the certificate about a position. An error in a process that was forked while another thread asked.
    fn ask<T: Send>(
        &self,
        py: Python<'_>,
        ask: impl FnOnce(&dyn Certified) -> Result<T, TableError> + Send,
    ) -> PyResult<T> {
        let ask = || {
            let _use = self.users.enter(&self.path)?;
            ask(&*self.certified)
        };
        threads::detach(py, ask)?.map_err(errors::table)
    }

    fn check_file(&self, progress: &dyn Progress) -> Result<Result<Checked, String>, TableError> {
        match &*self.game.rules {
            AnyGame::BinarsiPoints(_) => check_as::<BinarsiPoints>(self, progress),
            AnyGame::ConnectFour(_) => check_as::<ConnectFour>(self, progress),
            AnyGame::Reversi(_) => check_as::<Reversi>(self, progress),
            _ => check_as::<Binarsi>(self, progress),
        }
    }
}

#[pymethods]
impl Certificate {
    /// Opens a certificate: that of a game by its rule code, in the folder or at the address ``tables`` (else
    /// ``$YOMIKIRI_TABLES``, else ``precomp``) or in its folder ``proofs``, or the one in a file, if the text ends with
    /// ``.proof`` or a path is given.
    ///
    /// Raises ``MissingTableError`` if there is no such file, ``TableError`` if it cannot be read.
    #[classmethod]
    #[pyo3(signature = (game, /, *, tables=None))]
    fn open(
        _class: &Bound<'_, PyType>,
        py: Python<'_>,
        game: &Bound<'_, PyAny>,
        tables: Option<PathBuf>,
    ) -> PyResult<Certificate> {
        let code = match GameOrFile::read(game, ".proof")? {
            GameOrFile::Game(game) => game.code(),
            GameOrFile::File(path) => {
                let folder = path.parent().unwrap_or(Path::new("")).into();
                return threads::detach(py, || Certificate::open_at(folder, path))?;
            }
        };
        let location = folder::to_read(py, tables)?;
        let found = name::all_proofs(&location, &code)
            .into_iter()
            .find(|path| path.file_stem().is_some_and(|name| name == code.as_str()));
        let path = found.unwrap_or_else(|| name::proof(location.path(), &code));
        threads::detach(py, || Certificate::open_at(location, path))?
    }

    /// The game that it is about.
    #[getter]
    fn game(&self) -> Game {
        self.game.clone()
    }

    /// The file.
    #[getter]
    fn path(&self) -> &Path {
        &self.path
    }

    /// Where the file is read from, if it lies at an address.
    #[getter]
    fn address(&self) -> Option<String> {
        self.location.manifest().map(|_| self.path.display().to_string())
    }

    /// The position from which somebody wins.
    #[getter]
    fn position(&self) -> Position {
        Position { game: self.game.clone(), position: self.certified.position() }
    }

    /// Who wins it: ``"black"`` or ``"white"``.
    #[getter]
    fn winner(&self) -> &'static str {
        self.certified.winner().name()
    }

    /// The side for which draws count, ``None`` if the game has none. If it is the winner, a draw is all that is
    /// proved.
    #[getter]
    fn draws(&self) -> Option<&'static str> {
        self.certified.draws().map(Side::name)
    }

    /// Positions with at most so many plies left are not listed.
    #[getter]
    fn horizon(&self) -> u32 {
        self.certified.horizon()
    }

    /// Whether the file has passed ``check``, here or in the command.
    #[getter]
    fn is_checked(&self) -> bool {
        self.location.is_checked(&self.path, self.certified.hash())
    }

    /// Who wins a position, ``"black"`` or ``"white"``, by the moves listed, or by a search of some milliseconds near
    /// the end; ``None`` where the certificate does not tell.
    #[pyo3(signature = (position, /))]
    fn winner_of(&self, py: Python<'_>, position: PositionLike) -> PyResult<Option<&'static str>> {
        let position = self.game.find(position)?;
        Ok(self.ask(py, |certified| certified.winner_of(&position))?.map(Side::name))
    }

    /// The move listed for a position in which the winner is to move; ``None`` where none is.
    #[pyo3(signature = (position, /))]
    fn winning_move(&self, py: Python<'_>, position: PositionLike) -> PyResult<Option<String>> {
        let position = self.game.find(position)?;
        self.ask(py, |certified| certified.winning_move(&position))
    }

    /// Plays all of it by the rules: its moves against every reply. Notes in the folder, if it lies in one, that it has
    /// passed, for queries and engines. ``progress`` and ``threads`` are those of ``analyze``.
    ///
    /// Raises ``AuditError`` if it does not prove who wins.
    #[pyo3(signature = (*, progress=None, threads=None))]
    fn check(
        &self,
        py: Python<'_>,
        progress: Option<Py<PyAny>>,
        threads: Option<std::num::NonZero<u16>>,
    ) -> PyResult<Checked> {
        let about = |what: &str| format!("{}: {what}", self.path.display());
        if self.horizon() > MOST_HORIZON {
            let most = format!("a horizon of {} plies, at most {MOST_HORIZON} are allowed", self.horizon());
            return Err(errors::not_proved(about(&most)));
        }
        let report = attend(py, progress.as_ref(), threads, |progress| self.check_file(progress))?;
        let report = report.map_err(errors::table)?;
        let report = report.map_err(|why| errors::not_proved(about(&format!("not proved: {why}"))))?;
        if self.location.manifest().is_none() {
            checked::note_checked(&self.path, self.certified.hash()).map_err(errors::table)?;
        }
        Ok(report)
    }

    fn __repr__(&self) -> String {
        format!("<Certificate of {}: {} wins, {}>", self.game.code(), self.winner(), self.path.display())
    }
}
