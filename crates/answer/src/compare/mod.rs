//! Compares two variants with the same positions.
//!
//! `join` merges both tables, one range of keys at a time. `tally` counts the pairs of values and keeps examples.
//! `change` defines the kinds of change. `report` holds the result.

mod change;
mod join;
mod report;
mod tally;

pub use change::ValueChange;
pub use report::{
    ByOutcome, Changes, ComparedPositions, Comparison, CountedExamples, Example, ExampleValue, StartOf, VariantSummary,
};

use join::{ComparedVariant, VariantPair};
use tally::ComparisonTally;
use yomikiri_rules::{AnyGame, Game, shared_keys};
use yomikiri_solve::{Result, SolveError};
use yomikiri_table::{Progress, Table, parallel};

/// Compares the tables of two variants of a game. Keeps at most `examples` positions for each kind of change. Returns
/// an error if the two variants do not have keys for the same positions.
pub fn compare(
    games: [&AnyGame; 2],
    tables: [&Table; 2],
    examples: usize,
    progress: &dyn Progress,
) -> Result<Comparison> {
    let pieces = join::ranges(&shared_keys(games[0], games[1])?, tables)?;
    let variant = |side: usize| ComparedVariant::new(games[side], tables[side], progress);
    let pair = VariantPair { variants: [variant(0)?, variant(1)?], ranking: change::Ranking::new(games[0].codec()) };
    progress.begin("compare", tables.iter().map(|table| table.header.positions.get()).sum());
    let start = || ComparisonTally::new(examples);
    let tallies = parallel::try_fold(pieces.len(), start, |tally, number| {
        progress.advance(pair.join(&pieces[number], tally)?);
        Ok::<_, SolveError>(())
    })?;
    progress.end("done");
    report::report(&pair, tallies.into_iter().fold(start(), ComparisonTally::merged))
}
