//! Counts of a table, and its positions that are furthest from the end.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::ops::Range;

use rayon::prelude::*;
use serde::Serialize;

use super::key_text::KeyText;
use yomikiri_rules::{Game, Measure, Outcome, Side, Value, ValueCodec};
use yomikiri_solve::{Result, Solvable};
use yomikiri_table::entries::{EntryReader, ranges};
use yomikiri_table::probe::position_of;
use yomikiri_table::{Meta, Progress, Table, TableError};

/// What is wrong with a table of which there are no [`Stats`].
pub const NO_SUM: &str = "the sum of its counts is more than there can be";

/// The start of a table under best play.
#[derive(Clone, Debug, Serialize)]
pub struct Start {
    pub outcome: Outcome,
    #[serde(flatten)]
    pub measure: Measure,
    pub winner: Option<Side>,
}

impl Start {
    /// From the value of the first position, with `mover` to move.
    pub fn new<V: Value>(value: V, mover: Side) -> Start {
        Start { outcome: value.outcome(), measure: value.measure(), winner: value.outcome().winner(mover) }
    }
}

/// Counts of a table: the JSON of `stats`.
#[derive(Clone, Debug, Serialize)]
pub struct Stats {
    pub rules: String,
    /// Canonical positions that can arise; in games that can repeat, those in which the game is over are among them.
    pub positions: u64,
    /// Of these, positions in which the game is over, where they are counted.
    pub ended: u64,
    /// The others by ply, from the ply of the table's first position on; empty in games that can repeat.
    pub by_ply: Vec<u64>,
    /// Positions the side to move wins, loses, draws.
    pub wins: u64,
    pub losses: u64,
    pub draws: u64,
    /// Positions that side wins, whoever is to move; nothing where positions are the same for both sides.
    pub black_wins: Option<u64>,
    pub white_wins: Option<u64>,
    pub start: Start,
    #[serde(flatten)]
    pub spread: Spread,
    /// Positions furthest from the end, where asked for: [`Furthest::report`].
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub longest: Vec<FurthestPosition>,
}

/// How many positions have each value; which fields there are follows from the kind of values.
#[derive(Clone, Debug, Serialize)]
#[serde(untagged)]
pub enum Spread {
    /// Decided positions by distance to the end in plies, and the longest distance.
    Distances { max_plies: u16, by_plies: BTreeMap<u16, u64> },
    /// Positions by score for the side to move.
    Scores { by_score: BTreeMap<i8, u64> },
}

impl Spread {
    fn new(codec: ValueCodec) -> Spread {
        match codec {
            ValueCodec::Distance | ValueCodec::ParityDistance => {
                Spread::Distances { max_plies: 0, by_plies: BTreeMap::new() }
            }
            ValueCodec::Score => Spread::Scores { by_score: BTreeMap::new() },
        }
    }

    /// The longest distance to the end, where values have one.
    pub fn max_plies(&self) -> Option<u16> {
        match self {
            Spread::Distances { max_plies, .. } => Some(*max_plies),
            Spread::Scores { .. } => None,
        }
    }

    /// Counts positions of one value.
    fn add(&mut self, measure: Measure, count: u64) {
        match (self, measure) {
            (Spread::Distances { max_plies, by_plies }, Measure::Distance { plies: Some(plies) }) => {
                *max_plies = plies.0.max(*max_plies);
                *by_plies.entry(plies.0).or_default() += count;
            }
            (Spread::Scores { by_score }, Measure::Score { score }) => *by_score.entry(score).or_default() += count,
            // A draw has no distance; a codec has one kind of measure.
            _ => {}
        }
    }
}

impl Stats {
    /// Sums up a table's meta data; `start` is the value of its first position, with `mover` to move. `None` if the sum
    /// of its counts is more than a number holds, as in no true table.
    pub fn new<G: Solvable>(game: &G, meta: &Meta, start: G::Value, mover: Side) -> Option<Stats> {
        let mut counts = meta.tally.plies.values().flat_map(BTreeMap::values).chain(meta.ended.values());
        let positions = counts.try_fold(0, |sum: u64, &count| sum.checked_add(count))?;
        let mut stats = Stats {
            rules: game.code(),
            positions,
            ended: meta.ended.values().sum(),
            by_ply: match G::CYCLIC {
                true => Vec::new(),
                false => meta.tally.plies.values().map(|bytes| bytes.values().sum()).collect(),
            },
            wins: 0,
            losses: 0,
            draws: 0,
            black_wins: game.side_at(0).map(|_| 0),
            white_wins: game.side_at(0).map(|_| 0),
            start: Start::new(start, mover),
            spread: Spread::new(G::Value::CODEC),
            longest: Vec::new(),
        };
        for (&ply, bytes) in &meta.tally.plies {
            for (&byte, &count) in bytes {
                if let Some(value) = G::Value::from_byte(byte) {
                    stats.add(value, game.side_at(ply), count);
                }
            }
        }
        for (&byte, &count) in &meta.ended {
            if let Some(value) = G::Value::from_byte(byte) {
                stats.add(value, game.side_at(0), count);
            }
        }
        Some(stats)
    }

    fn add<V: Value>(&mut self, value: V, mover: Option<Side>, count: u64) {
        match value.outcome() {
            Outcome::Win => self.wins += count,
            Outcome::Loss => self.losses += count,
            Outcome::Draw => self.draws += count,
        }
        match mover.and_then(|mover| value.outcome().winner(mover)) {
            Some(Side::Black) => self.black_wins = self.black_wins.map(|wins| wins + count),
            Some(Side::White) => self.white_wins = self.white_wins.map(|wins| wins + count),
            None => {}
        }
        self.spread.add(value.measure(), count);
    }
}

/// A position found, ordered from the longest distance and then by key: distance in plies, key.
type Found = (Reverse<u16>, u64);

/// A position far from the end, with its value.
pub struct Furthest<G: Game> {
    pub position: G::Position,
    pub value: G::Value,
}

/// The same as JSON.
#[derive(Clone, Debug, Serialize)]
pub struct FurthestPosition {
    pub position: String,
    pub key: Option<KeyText>,
    pub outcome: Outcome,
    pub plies: Option<u16>,
}

impl<G: Game> Furthest<G> {
    /// For [`Stats::longest`].
    pub fn report(&self, game: &G) -> FurthestPosition {
        FurthestPosition {
            position: game.position_text(&self.position),
            key: KeyText::of(game, &self.position),
            outcome: self.value.outcome(),
            plies: self.value.plies().map(|plies| plies.0),
        }
    }
}

/// The `count` positions with the longest distance to the end, the longest first, those of equal distance by key;
/// fewer if fewer are won or lost.
pub fn longest<G: Solvable>(
    game: &G,
    table: &Table,
    count: usize,
    progress: &dyn Progress,
) -> Result<Vec<Furthest<G>>> {
    progress.begin("longest", table.header.positions.get());
    let read = game.entry_reader(table)?;
    let found = ranges(table)?
        .into_par_iter()
        .map(|range| longest_within::<G>(&read, range, count, progress))
        .try_reduce(Vec::new, |mine, theirs| Ok(first(mine.into_iter().chain(theirs).collect(), count)))?;
    progress.end("done");
    let position = |&(_, key): &Found| {
        let position = position_of(game, table, key)?;
        let value = game.probe(table, &position)?.ok_or_else(|| table.damaged("loses a position it has"))?;
        Ok(Furthest { position, value })
    };
    found.iter().map(position).collect()
}

fn longest_within<G: Solvable>(
    read: &EntryReader,
    range: Range<u64>,
    count: usize,
    progress: &dyn Progress,
) -> Result<Vec<Found>, TableError> {
    let entries = read(range)?;
    let plies = |&byte: &u8| G::Value::from_byte(byte).and_then(|value| value.plies());
    let found = entries.keys.iter().zip(&entries.bytes);
    let found = found.filter_map(|(&key, byte)| plies(byte).map(|plies| (Reverse(plies.0), key))).collect();
    progress.advance(entries.keys.len() as u64);
    Ok(first(found, count))
}

/// The first `count` in order.
fn first(mut found: Vec<Found>, count: usize) -> Vec<Found> {
    if found.len() > count && count > 0 {
        found.select_nth_unstable(count - 1);
    }
    found.truncate(count);
    found.sort_unstable();
    found
}
