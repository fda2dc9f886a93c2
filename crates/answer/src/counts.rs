//! Counts of a table by two or more things at once.

use std::collections::BTreeMap;
use std::ops::Range;

use rayon::prelude::*;
use serde::Serialize;
use serde::ser::{SerializeMap, Serializer};

use super::stats::NO_SUM;
use yomikiri_rules::{Measure, Outcome, Side, Value, ValueCodec};
use yomikiri_solve::{Result, Solvable};
use yomikiri_table::entries::{Entries, ranges};
use yomikiri_table::probe::position_of;
use yomikiri_table::{Progress, Table, Tally};

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
    /// The number of legal moves, none where the game is over. The meta data do not tell it: every position is looked
    /// at.
    Moves,
}

impl Dimension {
    pub const ALL: [Dimension; 7] = [
        Dimension::Ply,
        Dimension::Side,
        Dimension::Outcome,
        Dimension::Winner,
        Dimension::Plies,
        Dimension::Score,
        Dimension::Moves,
    ];

    /// The name in arguments and in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Dimension::Ply => "ply",
            Dimension::Side => "side",
            Dimension::Outcome => "outcome",
            Dimension::Winner => "winner",
            Dimension::Plies => "plies",
            Dimension::Score => "score",
            Dimension::Moves => "moves",
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

    /// What a position of a ply has of it, by its value, the side to move and its number of moves.
    fn of<V: Value>(self, ply: u32, side: Option<Side>, value: V, moves: u32) -> Label {
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
            Dimension::Moves => Label::Number(moves.into()),
        }
    }
}

/// How many positions of a ply have a value's byte and so many legal moves.
type ByMoves = BTreeMap<(u32, u8, u32), u64>;

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
    /// Counts the positions of a table; those in which the game is over are among them where the table counts them. By
    /// its meta data, or, if moves are counted, by a look at each position, for as long as that takes.
    ///
    /// # Errors
    /// If the table cannot be read, or does not have as many positions as it says.
    pub fn of_table<G: Solvable>(game: &G, table: &Table, by: &[Dimension], progress: &dyn Progress) -> Result<Counts> {
        let meta = table.meta()?;
        let open = match by.contains(&Dimension::Moves) {
            true => by_moves(game, table, &meta.tally, progress)?,
            false => meta.tally.iter().map(|(ply, byte, count)| ((ply, byte, 0), count)).collect(),
        };
        let over = meta.ended.iter().map(|(&byte, &count)| ((0, byte, 0), count));
        let mut groups: BTreeMap<Vec<Label>, u64> = BTreeMap::new();
        let mut positions = 0u64;
        for ((ply, byte, moves), count) in open.into_iter().chain(over) {
            positions = positions.checked_add(count).ok_or_else(|| table.damaged(NO_SUM))?;
            let Some(value) = G::Value::from_byte(byte) else { continue };
            let labels = by.iter().map(|dimension| dimension.of(ply, game.side_at(ply), value, moves)).collect();
            *groups.entry(labels).or_default() += count;
        }
        let group = |(labels, count): (Vec<Label>, u64)| CountedGroup {
            labels: by.iter().copied().zip(labels).collect(),
            count,
        };
        Ok(Counts {
            rules: game.code(),
            positions,
            by: by.iter().map(|dimension| dimension.name()).collect(),
            counts: groups.into_iter().map(group).collect(),
        })
    }
}

/// Counts the legal moves of all positions that a table knows, which have to be as many as its meta data say.
fn by_moves<G: Solvable>(game: &G, table: &Table, tally: &Tally, progress: &dyn Progress) -> Result<ByMoves> {
    progress.begin("count moves", tally.positions());
    let read = game.entry_reader(table)?;
    let count = |range: Range<u64>| {
        let counts = moves_of(game, table, &read(range)?)?;
        progress.advance(counts.values().sum());
        Ok(counts)
    };
    let counts = ranges(table)?.into_par_iter().map(count).try_reduce(ByMoves::new, |mut sum, more| {
        more.into_iter().for_each(|(group, count)| *sum.entry(group).or_default() += count);
        Ok::<_, yomikiri_solve::SolveError>(sum)
    })?;
    let mut found = Tally::default();
    counts.iter().for_each(|(&(ply, byte, _), &count)| found.add(ply, byte, count));
    if found != *tally {
        return Err(table.damaged("has other positions than its meta data count").into());
    }
    progress.end("done");
    Ok(counts)
}

fn moves_of<G: Solvable>(game: &G, table: &Table, entries: &Entries) -> Result<ByMoves> {
    let (mut counts, mut moves) = (ByMoves::new(), Vec::new());
    for (&key, &byte) in entries.keys.iter().zip(&entries.bytes) {
        let position = position_of(game, table, key)?;
        let ply = if G::CYCLIC { 0 } else { game.ply(&position) };
        game.moves(&position, &mut moves);
        *counts.entry((ply, byte, moves.len() as u32)).or_default() += 1;
    }
    Ok(counts)
}
