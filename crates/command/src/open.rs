//! Opens tables. If a table does not exist, the error says what to do.

use yomikiri_rules::{AnyGame, AnyPosition, Game, Notation, visible};
use yomikiri_search::Searchable;

use yomikiri_answer::{Answerer, shell};
use yomikiri_solve::{Solvable, SolveError, TooLarge, pipeline};
use yomikiri_table::location::one_of;
use yomikiri_table::memory;
use yomikiri_table::{Location, Table, probe};

use super::error::Failure;
use super::estimate;
use super::suggest::tables_option;

/// Opens the table of a whole game. If the table does not exist, the error has the same advice as in [`open_table_of`].
pub fn open_or_advise(game: &AnyGame, location: &Location) -> Result<Table, Failure> {
    open_table_of(game, location, None, None)
}

/// Opens a table. `root` is the root position of the table, and `from` is the same position as the user wrote it. Both
/// are `None` for the table of the whole game. If the table does not exist, the error says how to make it, or, if this
/// machine cannot make it, how else to get answers.
pub fn open_table_of(
    game: &AnyGame,
    location: &Location,
    root: Option<&AnyPosition>,
    from: Option<&str>,
) -> Result<Table, Failure> {
    let path = location.file(|folder| pipeline::path_of(game, root, folder));
    // If the only place of tables is an address, no table can be made there. So the error only names the missing file.
    if location.manifest().is_some() && location.places().count() == 1 {
        return Ok(probe::open_at(game, location, &path)?);
    }
    if let Some(table) = probe::open_if_there(game, location, &path)? {
        return Ok(table);
    }
    let code = game.code();
    let looked_for = visible(one_of(&location.candidates(|folder| pipeline::path_of(game, root, folder))));
    let advice = match from {
        _ if location.manifest().is_some() => return Err(Failure::work(format!("{looked_for}: does not exist"))),
        Some(position) => {
            let (position, tables) = (shell::word(position), tables_option(location.path()));
            format!("make it with: yomikiri analyze {code} --from {position}{tables}")
        }
        None => estimate::how_to_make(game, location, memory::at_most(u64::MAX)),
    };
    Err(Failure::work(format!("{looked_for}: does not exist; {advice}")))
}

/// Converts an error about `position` to a failure. The message suggests `analyze` if only a table can answer. It
/// suggests `prove` if all of this is true:
/// - Too many positions can arise from `position` to solve them all, and no table of the whole game is open.
/// - The game never repeats a position, and its positions have keys.
/// - The game has no exact search, or the search is likely to take hours.
pub fn answer_failure(answerer: &Answerer<'_>, position: &AnyPosition, error: SolveError) -> Failure {
    let game = answerer.game();
    // If a search is likely to end sooner, the text of the error already suggests it (`TooLarge::Unsearchable`).
    let is_long = game.searcher(0).is_none_or(|search| search.takes_hours(position));
    let is_hopeless = !game.is_cyclic() && game.has_keys() && is_long;
    match error {
        SolveError::TooLarge(limit @ TooLarge::NoTable { .. }) => {
            let (failure, location) = (Failure::work(limit), answerer.location());
            if location.manifest().is_some() {
                return failure;
            }
            let (code, tables) = (game.code(), tables_option(location.path()));
            failure.followed_by(format!("; make one with: yomikiri analyze {code}{tables}"))
        }
        SolveError::TooLarge(limit) if is_hopeless && !answerer.has_whole_table() => {
            let (code, text) = (game.code(), shell::word(&game.position_text(position)));
            Failure::work(limit).followed_by(format!("; or prove who wins: yomikiri prove {code} {text}"))
        }
        other => other.into(),
    }
}
