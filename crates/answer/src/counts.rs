//! Counts of a table by two or more things at once.

use std::collections::BTreeMap;

use serde::Serialize;
use serde::ser::{SerializeMap, Serializer};

use yomikiri_rules::{Measure, Outcome, Side, Value, ValueCodec};
use yomikiri_solve::Solvable;
use yomikiri_table::Meta;

/// What positions can be counted by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dimension {
    /// Plies from the start; discs in reversi.
    Ply,
    /// The side to move.
    Side,
    /// The outcome for the side to move.
    Outcome,
    /// The side that wins, whoever is to move.
    Winner,
    /// Plies to the end under best play; none in a draw.
    Plies,
    /// The score for the side to move.
    Score,
}

impl Dimension {
    pub const ALL: [Dimension; 6] =
        [Dimension::Ply, Dimension::Side, Dimension::Outcome, Dimension::Winner, Dimension::Plies, Dimension::Score];

    /// The name in arguments and in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Dimension::Ply => "ply",
            Dimension::Side => "side",
            Dimension::Outcome => "outcome",
            Dimension::Winner => "winner",
            Dimension::Plies => "plies",
            Dimension::Score => "score",
        }
    }

    /// Why positions of a game cannot be counted so, if they cannot.
    pub fn refusal<G: Solvable>(self, game: &G) -> Option<&'static str> {
        let scores = G::Value::CODEC == ValueCodec::Score;
        match self {
            Dimension::Ply if G::CYCLIC => Some("positions can come again later, so they have no ply"),
            Dimension::Side | Dimension::Winner if game.side_at(0).is_none() => {
                Some("the table does not tell the sides apart")
            }
            Dimension::Plies if scores => Some("values are scores, which tell no distance to the end"),
            Dimension::Score if !scores => Some("values are distances, not scores"),
            _ => None,
        }
    }

    /// What a position of a ply has of it, by its value and the side to move.
    fn of<V: Value>(self, ply: u32, side: Option<Side>, value: V) -> Label {
        match self {
            Dimension::Ply => Label::Number(ply.into()),
            Dimension::Side => side.into(),
            Dimension::Outcome => Label::Outcome(value.outcome()),
            Dimension::Winner => side.and_then(|side| value.outcome().winner(side)).into(),
            Dimension::Plies => value.plies().map_or(Label::None, |plies| Label::Number(plies.0.into())),
            Dimension::Score => match value.measure() {
                Measure::Score { score } => Label::Number(score.into()),
                Measure::Distance { .. } => Label::None,
            },
        }
    }
}

/// What a group of positions has in common.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(untagged)]
pub enum Label {
    Number(i64),
    Outcome(Outcome),
    Side(Side),
    /// Nobody wins, or draws have no distance.
    None,
}

impl From<Option<Side>> for Label {
    fn from(side: Option<Side>) -> Label {
        side.map_or(Label::None, Label::Side)
    }
}

/// Numbers of positions: the JSON of `stats --by`.
#[derive(Clone, Debug, Serialize)]
pub struct Counts {
    pub rules: String,
    /// All positions, which is the sum of the counts.
    pub positions: u64,
    /// Names of what they are counted by.
    pub by: Vec<&'static str>,
    /// In the order of what they are counted by, the first first; only groups that have positions.
    pub counts: Vec<CountedGroup>,
}

/// Positions that have all of this in common: in JSON each label under its name, then `count`.
#[derive(Clone, Debug)]
pub struct CountedGroup {
    pub labels: Vec<(Dimension, Label)>,
    pub count: u64,
}

impl Serialize for CountedGroup {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.labels.len() + 1))?;
        for (dimension, label) in &self.labels {
            map.serialize_entry(dimension.name(), label)?;
        }
        map.serialize_entry("count", &self.count)?;
        map.end()
    }
}

impl Counts {
    /// By a table's meta data; positions in which the game is over are among them where the table counts them. `None`
    /// if the sum is more than a number holds, as in no true table.
    pub fn new<G: Solvable>(game: &G, meta: &Meta, by: &[Dimension]) -> Option<Counts> {
        let mut groups: BTreeMap<Vec<Label>, u64> = BTreeMap::new();
        let mut positions = 0u64;
        let over = meta.ended.iter().map(|(&byte, &count)| (0, byte, count));
        let open = meta.tally.plies.iter();
        let open = open.flat_map(|(&ply, bytes)| bytes.iter().map(move |(&byte, &count)| (ply, byte, count)));
        for (ply, byte, count) in open.chain(over) {
            positions = positions.checked_add(count)?;
            let Some(value) = G::Value::from_byte(byte) else { continue };
            let labels = by.iter().map(|dimension| dimension.of(ply, game.side_at(ply), value)).collect();
            *groups.entry(labels).or_default() += count;
        }
        let group = |(labels, count): (Vec<Label>, u64)| CountedGroup {
            labels: by.iter().copied().zip(labels).collect(),
            count,
        };
        Some(Counts {
            rules: game.code(),
            positions,
            by: by.iter().map(|dimension| dimension.name()).collect(),
            counts: groups.into_iter().map(group).collect(),
        })
    }
}
