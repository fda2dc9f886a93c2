//! Opening tables; what to do where there is none.

use std::path::Path;

use yomikiri_answer::Answerer;
use yomikiri_solve::{Solvable, SolveError, memory};
use yomikiri_table::{Location, Table, probe};

use super::error::Failure;
use super::estimate;
use super::output::shown;

/// Opens a table; where there is none, says how to make it, or what else tells of the game if that is out of question.
pub fn open_or_advise<G: Solvable>(
    game: &G,
    location: &Location,
    path: &Path,
    from: Option<&str>,
) -> Result<Table, Failure> {
    // Nothing can be made at an address; the error says what is missing there.
    if location.manifest().is_some() {
        return Ok(probe::open_at(game, location, path)?);
    }
    if let Some(table) = probe::open_if_there(game, location, path)? {
        return Ok(table);
    }
    let code = game.code();
    let advice = match from {
        Some(position) => format!("make it with: yomikiri analyze {code} --from \"{position}\""),
        None => {
            let folder = path.parent().unwrap_or(Path::new("."));
            estimate::how_to_make(game, folder, memory::at_most(u64::MAX))
        }
    };
    Err(Failure::Work(format!("{}: not there; {advice}", shown(path))))
}

/// The failure of a question about `position`. Where too much lies below it and no table was open, the line names the
/// verb that may still tell who wins.
pub fn no_answer<G: Solvable>(answerer: &Answerer<'_, G>, position: &G::Position, error: SolveError) -> Failure {
    let game = answerer.game();
    // Where there is an exact search the problem tells of it.
    let is_hopeless = !G::CYCLIC && game.searcher(0).is_none();
    match error {
        SolveError::TooLarge(problem) if is_hopeless && !answerer.has_whole_table() => {
            let (code, text) = (game.code(), game.position_text(position));
            Failure::Work(format!("{problem}; or have it proved who wins: yomikiri prove {code} \"{text}\""))
        }
        other => other.into(),
    }
}
