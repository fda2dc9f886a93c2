//! Opening tables; what to do where there is none.

use std::path::Path;

use yomikiri_solve::{Solvable, SolveError, memory};
use yomikiri_table::{Location, Table, name, probe};

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
    // At an address nothing can be made; it says itself what is not there.
    if location.has(path) || location.manifest().is_some() {
        return Ok(probe::open_at(game, location, path)?);
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

/// Why there is no answer about a position; where that is because too much lies below it, what may still tell who wins.
pub fn no_answer<G: Solvable>(game: &G, location: &Location, position: &G::Position, error: SolveError) -> Failure {
    // Where there is an exact search the problem tells of it.
    let is_hopeless = !G::CYCLIC && game.searcher(0).is_none();
    match error {
        SolveError::TooLarge(problem) if is_hopeless && !location.has(&name::whole(location.path(), &game.code())) => {
            let (code, text) = (game.code(), game.position_text(position));
            Failure::Work(format!("{problem}; or have it proved who wins: yomikiri prove {code} \"{text}\""))
        }
        other => other.into(),
    }
}
