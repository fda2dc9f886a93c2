//! Remedies for damaged files, as commands that can be pasted.

use std::error::Error;
use std::path::{Path, PathBuf};

use yomikiri_answer::inventory::named_game;
use yomikiri_answer::shell;
use yomikiri_rules::{AnyGame, Game, key_text};
use yomikiri_solve::{SolveError, Wrong};
use yomikiri_table::format::NOT_OURS;
use yomikiri_table::{TableError, address};

use super::error::Failure;
use super::settings;
use super::suggest::{program, tables_option};

/// The end of the messages about files of an unfinished run that cannot be used.
const START_AGAIN: &str = "start again with --force";

/// Adds the remedy to a failure that is about a damaged file, unless it has one already.
pub fn add_to(failure: Failure) -> Failure {
    let (Failure::Request(cause) | Failure::Work(cause)) = &failure;
    match of(&**cause) {
        Some(remedy) if !failure.to_string().ends_with(&remedy) => failure.followed_by(remedy),
        _ => failure,
    }
}

/// Returns the end of a message that tells how to replace the damaged file that `error`, or a cause of it, is about.
/// Returns `None` if there is no such file, or no command that makes it.
pub fn of(error: &(dyn Error + 'static)) -> Option<String> {
    let mut next = Some(error);
    while let Some(error) = next {
        if let Some(path) = foreign_file(error) {
            return address::of(path).is_none().then(|| "; move it away".into());
        }
        if let Some(path) = damaged_file(error) {
            let remedy = of_file(path)?;
            return Some(match error.to_string().ends_with(START_AGAIN) {
                true => format!(": {}", remedy.command),
                false => format!("; {}", remedy.text()),
            });
        }
        next = error.source();
    }
    None
}

/// Returns the path of the file if `error` says that it has no mark of this program. Only its owner may remove it.
fn foreign_file<'a>(error: &'a (dyn Error + 'static)) -> Option<&'a Path> {
    match table_error(error) {
        Some(TableError::Foreign { path, what }) if what == NOT_OURS => Some(path),
        _ => None,
    }
}

/// Returns the path of the file if `error` is about its damage.
fn damaged_file<'a>(error: &'a (dyn Error + 'static)) -> Option<&'a Path> {
    if let Some(SolveError::Wrong(Wrong::Position { path, .. })) = error.downcast_ref() {
        return Some(path);
    }
    match table_error(error)? {
        TableError::Damaged { path, .. } => Some(path),
        TableError::Foreign { path, what } if what.ends_with(START_AGAIN) => Some(path),
        TableError::Foreign { .. } | TableError::Io { .. } | TableError::Waiting { .. } => None,
    }
}

/// Returns the error about a file that `error` is or holds.
fn table_error<'a>(error: &'a (dyn Error + 'static)) -> Option<&'a TableError> {
    match error.downcast_ref() {
        Some(SolveError::Table(error)) => Some(error),
        _ => error.downcast_ref(),
    }
}

/// A command that makes a damaged file anew.
struct Remedy {
    /// The command before that one, if the file has to be deleted first.
    before: Option<String>,
    command: String,
}

impl Remedy {
    fn text(&self) -> String {
        let Remedy { before, command } = self;
        let before = before.as_ref().map_or(String::new(), |before| format!("delete it with: {before}; then "));
        format!("{before}make it anew with: {command}")
    }
}

/// Returns the remedy for a damaged file by its name. Returns `None` for a file at an address, for one that ships with
/// the program, and for a name without a rule code, since no command makes such files.
fn of_file(path: &Path) -> Option<Remedy> {
    let ships = || settings::knowledge().is_some_and(|folder| path.starts_with(folder));
    if address::of(path).is_some() || ships() {
        return None;
    }
    let name = path.file_name()?.to_str()?;
    let (game, rest) = named_game(name).filter(|(game, _)| game.has_keys())?;
    let code = game.code();
    if name.strip_suffix(rest) != Some(&code) {
        return None;
    }
    let root = match rest.strip_prefix('@') {
        Some(key) => Some(key_text(u64::from_str_radix(key.split('.').next()?, 16).ok()?)),
        None => None,
    };
    let (program, file) = (program(), shell::path(path));
    let (before, command) = match path.extension()?.to_str()? {
        "tbl" | "unaudited" | "work" | "journal" => {
            let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
            let from = root.map_or(String::new(), |key| format!(" --from {key}"));
            (None, format!("{program} analyze {code}{from} --force{}", tables_option(folder)))
        }
        // A certificate of a game with draws is about one of two claims, and its name does not say which.
        "proof" if matches!(game, AnyGame::Binarsi(_)) => {
            let position = root.map_or(String::new(), |key| format!(" {key}"));
            (None, format!("{program} prove {code}{position} --certificate {file} --force"))
        }
        "opening" => {
            let delete = format!("{program} tables delete {}", shell::path(&named_as_path(path)));
            (Some(delete), format!("{program} opening {code} --out {file}"))
        }
        _ => return None,
    };
    Some(Remedy { before, command })
}

/// Returns a path that `tables` does not take for a name in the folder of tables.
fn named_as_path(path: &Path) -> PathBuf {
    let is_clear = path.is_absolute() || path.starts_with(".") || path.starts_with("..");
    if is_clear { path.into() } else { Path::new(".").join(path) }
}
