//! Where two variants with the same positions differ.
//!
//! `join` lays both tables side by side, range by range of keys, `tally` counts what it finds and
//! keeps examples, `change` tells kinds of differences apart, `report` is the result.

mod change;
mod join;
mod report;
mod tally;

pub use change::Change;
pub use report::{ByOutcome, Changes, Comparison, Counted, Example, Group, StartOf, Summary, Worth};

use rayon::prelude::*;

use join::{Pair, Variant};
use tally::Tally;
use yomikiri_rules::shared_keys;
use yomikiri_solve::{Result, Solvable, SolveError};
use yomikiri_table::{Progress, Table};

/// Compares two variants of a game by their tables, the first in each pair against the second; with at most `examples`
/// positions for each kind of change. Variants whose keys stand for different positions are an error.
pub fn compare<G: Solvable>(
    games: [&G; 2],
    tables: [&Table; 2],
    examples: usize,
    progress: &dyn Progress,
) -> Result<Comparison> {
    let pieces = join::pieces(&shared_keys(games[0], games[1])?, tables)?;
    let variant = |side: usize| Variant::new(games[side], tables[side], progress);
    let pair = Pair { variants: [variant(0)?, variant(1)?], ranking: change::Ranking::new::<G::Value>() };
    progress.begin("compare", tables.iter().map(|table| table.header.positions.get()).sum());
    let tally = pieces
        .par_iter()
        .try_fold(
            || Tally::new(examples),
            |mut tally, piece| {
                progress.advance(pair.join(piece, &mut tally)?);
                Ok::<_, SolveError>(tally)
            },
        )
        .try_reduce(|| Tally::new(examples), |mine, theirs| Ok(mine.merged(theirs)))?;
    progress.end("done");
    report::report(&pair, tally)
}
