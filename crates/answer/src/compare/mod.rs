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

use rayon::prelude::*;

use join::{ComparedVariant, VariantPair};
use tally::ComparisonTally;
use yomikiri_rules::{AnyGame, Game, shared_keys};
use yomikiri_solve::{Result, SolveError};
use yomikiri_table::{Progress, Table};

/// Compares the tables of two variants of a game. Keeps at most `examples` positions for each kind of change. Returns
/// an error if a key does not mean the same position in both variants.
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
    let tally = pieces
        .par_iter()
        .try_fold(
            || ComparisonTally::new(examples),
            |mut tally, piece| {
                progress.advance(pair.join(piece, &mut tally)?);
                Ok::<_, SolveError>(tally)
            },
        )
        .try_reduce(|| ComparisonTally::new(examples), |mine, theirs| Ok(mine.merged(theirs)))?;
    progress.end("done");
    report::report(&pair, tally)
}
