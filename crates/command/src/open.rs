//! Opens tables. If a table does not exist, the error says what to do.

use std::path::Path;
use yomikiri_rules::{AnyGame, AnyPosition, Game};
use yomikiri_search::Searchable;

use yomikiri_answer::{Answerer, shell};
use yomikiri_solve::{Solvable, SolveError};
use yomikiri_table::memory;
use yomikiri_table::{Location, Table, probe};

use super::error::Failure;
use super::estimate;
use super::output::shown;
use super::suggest::tables_option;

/// Opens a table. `from` is the root position of the table, or `None` for the table of the whole game. If the table
/// does not exist, the error says how to make it. If the table cannot be made on this machine, the error says how else
/// to get answers.
pub fn open_or_advise(game: &AnyGame, location: &Location, path: &Path, from: Option<&str>) -> Result<Table, Failure> {
    // At an address no table can be made, so the error only names the missing file.
    if location.manifest().is_some() {
        return Ok(probe::open_at(game, location, path)?);
    }
    if let Some(table) = probe::open_if_there(game, location, path)? {
        return Ok(table);
    }
    let code = game.code();
    let folder = path.parent().unwrap_or(Path::new("."));
    let advice = match from {
        Some(position) => {
            let position = shell::word(position);
            format!("make it with: yomikiri analyze {code} --from {position}{}", tables_option(folder))
        }
        None => estimate::how_to_make(game, folder, memory::at_most(u64::MAX)),
    };
    Err(Failure::work(format!("{}: does not exist; {advice}", shown(path))))
}

/// Converts an error about `position` to a failure. If too many positions can arise from `position` to solve them all,
/// the message suggests `prove`. It does so only if the game never repeats a position and has no exact search, and if
/// no table of the whole game is open.
pub fn answer_failure(answerer: &Answerer<'_>, position: &AnyPosition, error: SolveError) -> Failure {
    let game = answerer.game();
    // In a game with an exact search, the error itself suggests that search.
    let is_hopeless = !game.is_cyclic() && game.searcher(0).is_none();
    match error {
        SolveError::TooLarge(limit) if is_hopeless && !answerer.has_whole_table() => {
            let (code, text) = (game.code(), shell::word(&game.position_text(position)));
            Failure::work(limit).followed_by(format!("; or prove who wins: yomikiri prove {code} {text}"))
        }
        other => other.into(),
    }
}
