//! The result of a comparison. Field names are those of the JSON.

use serde::{Deserialize, Serialize};

use super::change::ValueChange;
use super::join::{ComparedVariant, VariantPair};
use super::tally::{self, ComparisonTally, ExampleEntry};
use crate::{KeyText, Start};
use yomikiri_rules::{AnyValue, Game, Measure, Notation, Outcome, Value};
use yomikiri_solve::{Result, Solvable};

/// The comparison of two variants. All values are seen by the side to move.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Comparison {
    /// The first variant.
    pub first: VariantSummary,
    /// The second variant.
    pub second: VariantSummary,
    /// The number of positions that have a value in both variants: the sum over `go_on`, `over_in_first` and
    /// `over_in_second`.
    pub compared: u64,
    /// Positions that the tables of both variants have. In some of them the game is over, because there is no legal
    /// move.
    pub go_on: ComparedPositions,
    /// Positions that only the table of the second variant has, and in which the game is over in the first.
    pub over_in_first: ComparedPositions,
    /// Positions that only the table of the first variant has, and in which the game is over in the second.
    pub over_in_second: ComparedPositions,
    /// Positions that only the first variant has.
    pub only_first: CountedExamples,
    /// Positions that only the second variant has.
    pub only_second: CountedExamples,
}

/// One of the compared variants.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct VariantSummary {
    /// The rule code.
    pub rules: String,
    /// The number of positions in its table.
    pub positions: u64,
    /// The start position and its value.
    pub start: StartOf,
}

/// The start position of a variant.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StartOf {
    /// The position, in the game's notation.
    pub position: String,
    /// The key; `null` on boards without keys.
    pub key: Option<KeyText>,
    /// The value of the start position; in JSON, its fields are merged into this object.
    #[serde(flatten)]
    pub value: Start,
}

/// One `T` for each outcome.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ByOutcome<T> {
    /// The element for wins of the side to move.
    pub win: T,
    /// The element for draws.
    pub draw: T,
    /// The element for losses of the side to move.
    pub loss: T,
}

impl<T> ByOutcome<T> {
    /// Returns the element for `outcome`.
    pub fn of(&self, outcome: Outcome) -> &T {
        match outcome {
            Outcome::Win => &self.win,
            Outcome::Draw => &self.draw,
            Outcome::Loss => &self.loss,
        }
    }

    fn of_mut(&mut self, outcome: Outcome) -> &mut T {
        match outcome {
            Outcome::Win => &mut self.win,
            Outcome::Draw => &mut self.draw,
            Outcome::Loss => &mut self.loss,
        }
    }
}

/// Positions with a value in both variants.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ComparedPositions {
    /// The number of positions.
    pub compared: u64,
    /// The number of positions with the same value in both variants.
    pub unchanged: u64,
    /// The number of positions by outcome in the first variant, then by outcome in the second.
    pub outcomes: ByOutcome<ByOutcome<u64>>,
    /// Every kind of change that the values can have, in a fixed order, even if its count is 0.
    pub changes: Vec<Changes>,
}

/// Positions with the same change.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Changes {
    /// The kind of change, such as `win_to_loss` or `win_sooner`.
    pub change: ValueChange,
    /// The number of positions with this change, and examples of them.
    #[serde(flatten)]
    pub positions: CountedExamples,
}

/// A number of positions, and some of them as examples.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct CountedExamples {
    /// The number of positions.
    pub count: u64,
    /// Some of the positions, as examples. If values are distances, these are the positions nearest to the end, by the
    /// sum of the plies in both variants. If values are scores, they are the positions whose two scores differ most.
    pub examples: Vec<Example>,
}

/// A position with its values. A value is `null` for a variant that does not have the position.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Example {
    /// The position, in the game's notation.
    pub position: String,
    /// The key in the first variant; `null` on boards without keys.
    pub key: Option<KeyText>,
    /// The value in the first variant.
    pub first: Option<ExampleValue>,
    /// The value in the second variant.
    pub second: Option<ExampleValue>,
}

/// The value of a position for the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ExampleValue {
    /// The outcome for the side to move.
    pub outcome: Outcome,
    /// The plies to the end, or the score for the side to move.
    #[serde(flatten)]
    pub measure: Measure,
}

/// Makes the report from a tally of all positions.
pub fn report(pair: &VariantPair, tally: ComparisonTally) -> Result<Comparison> {
    let [first, second] = [summary(&pair.variants[0])?, summary(&pair.variants[1])?];
    let [go_on, in_first, in_second] = tally.groups;
    // A position that only one variant has is not terminal in the other, so it is in the group `go_on`.
    let (go_on, [only_first, only_second]) = group(pair, go_on)?;
    let (over_in_first, _) = group(pair, in_first)?;
    let (over_in_second, _) = group(pair, in_second)?;
    let compared = go_on.compared + over_in_first.compared + over_in_second.compared;
    let comparison =
        Comparison { first, second, compared, go_on, over_in_first, over_in_second, only_first, only_second };
    comparison.holds_all(pair)?;
    Ok(comparison)
}

impl Comparison {
    /// Returns an error if the number of positions counted from a table differs from the number in the table's header.
    fn holds_all(&self, pair: &VariantPair) -> Result<()> {
        let met = [
            (&self.first, self.go_on.compared + self.over_in_second.compared + self.only_first.count),
            (&self.second, self.go_on.compared + self.over_in_first.compared + self.only_second.count),
        ];
        for (variant, (summary, met)) in pair.variants.iter().zip(met) {
            let expected = summary.positions;
            if met != expected {
                let what = format!("has {met} positions, but its header says {expected}");
                return Err(variant.table.damaged(what).into());
            }
        }
        Ok(())
    }
}

/// Makes the report of a group of positions. Returns separately the positions that only the first or only the second
/// variant has.
fn group(pair: &VariantPair, found: tally::GroupTally) -> Result<(ComparedPositions, [CountedExamples; 2])> {
    let (mut group, mut only) =
        (ComparedPositions::default(), [CountedExamples::default(), CountedExamples::default()]);
    let mut counts = [0; ValueChange::KINDS];
    for (bytes, count) in found.counts() {
        match pair.ranking.of(bytes) {
            Some((change, _)) => counts[change] += count,
            None => group.unchanged += count,
        }
        if let [Some(first), Some(second)] = bytes.map(|byte| pair.variants[0].game.value_of_byte(byte)) {
            group.compared += count;
            *group.outcomes.of_mut(first.outcome()).of_mut(second.outcome()) += count;
        }
    }
    for ((change, count), found) in pair.ranking.kinds.into_iter().zip(counts).zip(found.into_examples()) {
        let examples = found.iter().map(|found| example(pair, found)).collect::<Result<_, _>>()?;
        let positions = CountedExamples { count, examples };
        match change {
            ValueChange::OnlyFirst => only[0] = positions,
            ValueChange::OnlySecond => only[1] = positions,
            _ => group.changes.push(Changes { change, positions }),
        }
    }
    Ok((group, only))
}

fn summary(variant: &ComparedVariant) -> Result<VariantSummary> {
    let (game, table) = (variant.game, variant.table);
    let start = game.start();
    let value = match game.is_terminal(&start) {
        true => game.terminal_value(&start),
        false => game.probe(table, &start)?,
    };
    let value = value.ok_or_else(|| table.damaged("has no value for the start"))?;
    let (position, key) = (game.position_text(&start), KeyText::of(game, &start));
    let start = StartOf { position, key, value: Start::new(value, game.side(&start)) };
    Ok(VariantSummary { rules: game.code(), positions: table.header.positions.get(), start })
}

fn example(pair: &VariantPair, found: &ExampleEntry) -> Result<Example> {
    let (game, position) = (pair.variants[0].game, pair.position(found)?);
    let (position, key) = (game.position_text(&position), KeyText::of(game, &position));
    let worth = |value: AnyValue| ExampleValue { outcome: value.outcome(), measure: value.measure() };
    let [first, second] = found.bytes.map(|byte| game.value_of_byte(byte).map(worth));
    Ok(Example { position, key, first, second })
}
