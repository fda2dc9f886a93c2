//! The result of a comparison. Field names are the JSON's.

use serde::Serialize;

use super::change::Change;
use super::join::{Pair, Variant};
use super::tally::{self, Found, Tally};
use crate::{KeyText, Start};
use yomikiri_rules::{Measure, Outcome, Value};
use yomikiri_solve::{Result, Solvable};

/// How the values of two variants compare, all of them seen by the side to move.
#[derive(Clone, Debug, Serialize)]
pub struct Comparison {
    pub first: Summary,
    pub second: Summary,
    /// Positions that have a value in both: those of the three groups.
    pub compared: u64,
    /// Positions in which the game goes on in both.
    pub go_on: Group,
    /// Positions that are over by the rules of one variant and go on in the other.
    pub over_in_first: Group,
    pub over_in_second: Group,
    /// Positions of one variant that the other does not have.
    pub only_first: Counted,
    pub only_second: Counted,
}

/// One of the variants.
#[derive(Clone, Debug, Serialize)]
pub struct Summary {
    pub rules: String,
    /// Positions in its table.
    pub positions: u64,
    pub start: StartOf,
}

/// The start of a variant.
#[derive(Clone, Debug, Serialize)]
pub struct StartOf {
    pub position: String,
    pub key: Option<KeyText>,
    #[serde(flatten)]
    pub value: Start,
}

/// A `T` for each outcome.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct ByOutcome<T> {
    pub win: T,
    pub draw: T,
    pub loss: T,
}

impl<T> ByOutcome<T> {
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
#[derive(Clone, Debug, Default, Serialize)]
pub struct Group {
    pub compared: u64,
    /// Of these, positions with the same outcome and distance.
    pub unchanged: u64,
    /// All of them, by outcome in the first variant, then by outcome in the second.
    pub outcomes: ByOutcome<ByOutcome<u64>>,
    /// Every change of outcome or distance, in the order of `Change::ALL`.
    pub changes: Vec<Changes>,
}

/// Positions with the same change.
#[derive(Clone, Debug, Serialize)]
pub struct Changes {
    pub change: Change,
    #[serde(flatten)]
    pub positions: Counted,
}

/// How many positions there are, and some of them.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Counted {
    pub count: u64,
    /// Those nearest to the end, by the plies of both values together; with scores, those that differ most.
    pub examples: Vec<Example>,
}

/// A position with its values; `None` in a variant that does not have it.
#[derive(Clone, Debug, Serialize)]
pub struct Example {
    pub position: String,
    /// In the first variant.
    pub key: Option<KeyText>,
    pub first: Option<Worth>,
    pub second: Option<Worth>,
}

/// What a position is worth to the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Worth {
    pub outcome: Outcome,
    #[serde(flatten)]
    pub measure: Measure,
}

/// Sums up a tally.
pub fn report<G: Solvable>(pair: &Pair<G>, tally: Tally) -> Result<Comparison> {
    let [first, second] = [summary(&pair.variants[0])?, summary(&pair.variants[1])?];
    let [go_on, in_first, in_second] = tally.groups;
    // A position that one variant does not have is over in none.
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
    /// Whether every position that the headers count has been met.
    fn holds_all<G: Solvable>(&self, pair: &Pair<G>) -> Result<()> {
        let met = [
            (&self.first, self.go_on.compared + self.over_in_second.compared + self.only_first.count),
            (&self.second, self.go_on.compared + self.over_in_first.compared + self.only_second.count),
        ];
        for (variant, (summary, met)) in pair.variants.iter().zip(met) {
            let expected = summary.positions;
            if met != expected {
                let what = format!("holds {met} positions where they are looked for, its header says {expected}");
                return Err(variant.table.damaged(what).into());
            }
        }
        Ok(())
    }
}

/// Sums up a group; beside it, what only one variant has.
fn group<G: Solvable>(pair: &Pair<G>, found: tally::Group) -> Result<(Group, [Counted; 2])> {
    let (mut group, mut only) = (Group::default(), [Counted::default(), Counted::default()]);
    let mut counts = [0; Change::KINDS];
    for (bytes, count) in found.counts() {
        match pair.ranking.of(bytes) {
            Some((change, _)) => counts[change] += count,
            None => group.unchanged += count,
        }
        if let [Some(first), Some(second)] = bytes.map(G::Value::from_byte) {
            group.compared += count;
            *group.outcomes.of_mut(first.outcome()).of_mut(second.outcome()) += count;
        }
    }
    for ((change, count), found) in pair.ranking.kinds.into_iter().zip(counts).zip(found.into_examples()) {
        let examples = found.iter().map(|found| example(pair, found)).collect::<Result<_, _>>()?;
        let positions = Counted { count, examples };
        match change {
            Change::OnlyFirst => only[0] = positions,
            Change::OnlySecond => only[1] = positions,
            _ => group.changes.push(Changes { change, positions }),
        }
    }
    Ok((group, only))
}

fn summary<G: Solvable>(variant: &Variant<G>) -> Result<Summary> {
    let (game, table) = (variant.game, variant.table);
    let start = game.start();
    let value = match game.is_terminal(&start) {
        true => game.terminal_value(&start),
        false => game.probe(table, &start)?,
    };
    let value = value.ok_or_else(|| table.damaged("has no value for the start"))?;
    let (position, key) = (game.position_text(&start), KeyText::of(game, &start));
    let start = StartOf { position, key, value: Start::new(value, game.side(&start)) };
    Ok(Summary { rules: game.code(), positions: table.header.positions.get(), start })
}

fn example<G: Solvable>(pair: &Pair<G>, found: &Found) -> Result<Example> {
    let (game, position) = (pair.variants[0].game, pair.position(found)?);
    let (position, key) = (game.position_text(&position), KeyText::of(game, &position));
    let worth = |value: G::Value| Worth { outcome: value.outcome(), measure: value.measure() };
    let [first, second] = found.bytes.map(|byte| G::Value::from_byte(byte).map(worth));
    Ok(Example { position, key, first, second })
}
