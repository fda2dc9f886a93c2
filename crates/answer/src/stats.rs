//! Counts the positions of a table, and finds the positions farthest from the end.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::fmt::Display;
use std::ops::Range;
use std::str::FromStr;

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize};

use super::key_text::KeyText;
use yomikiri_rules::{AnyGame, AnyPosition, AnyValue, Game, Measure, Notation, Outcome, Side, Value, ValueCodec};
use yomikiri_solve::{Adapter, Result, Solvable};
use yomikiri_table::entries::{EntryReader, ranges};
use yomikiri_table::probe::position_of;
use yomikiri_table::{Meta, Progress, Table, TableError, parallel};

/// The error message for a table whose counts of positions sum to more than a `u64` can hold. Such a table has no
/// [`Stats`].
pub const COUNTS_OVERFLOW: &str = "the sum of its counts overflows";

/// The value of a table's start position.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Start {
    /// The outcome for the side to move.
    pub outcome: Outcome,
    /// The plies to the end, or the score for the side to move.
    #[serde(flatten)]
    pub measure: Measure,
    /// The side that wins; `null` in a draw.
    pub winner: Option<Side>,
}

impl Start {
    /// Creates the value of a table's start position, with `mover` to move.
    pub fn new<V: Value>(value: V, mover: Side) -> Start {
        Start { outcome: value.outcome(), measure: value.measure(), winner: value.outcome().winner(mover) }
    }
}

/// The counts of a table's positions: the JSON of `stats`.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Stats {
    /// The rule code.
    pub rules: String,
    /// The number of canonical positions that can arise from the table's start position, including the terminal
    /// positions that `ended` counts.
    pub positions: u64,
    /// The number of terminal positions, or 0 if the table does not count them.
    pub ended: u64,
    /// The number of positions by ply, without the positions that `ended` counts. The first element is for the ply of
    /// the table's start position. Empty in games with repetition.
    pub by_ply: Vec<u64>,
    /// The number of positions that the side to move wins.
    pub wins: u64,
    /// The number of positions that the side to move loses.
    pub losses: u64,
    /// The number of drawn positions.
    pub draws: u64,
    /// The number of positions that Black wins, whichever side is to move; `null` if the table does not tell the sides
    /// apart.
    pub black_wins: Option<u64>,
    /// The number of positions that White wins; `null` if the table does not tell the sides apart.
    pub white_wins: Option<u64>,
    /// The value of the table's start position.
    pub start: Start,
    /// The number of positions with each value.
    #[serde(flatten)]
    pub spread: Spread,
    /// The positions farthest from the end, if they were asked for ([`Furthest::report`]).
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub longest: Vec<FurthestPosition>,
}

/// The number of positions with each value. The fields depend on the kind of values.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Spread {
    /// The number of won and lost positions by distance to the end in plies, and the longest distance.
    Distances {
        /// The longest distance in plies; 0 if no position is won or lost.
        max_plies: u16,
        /// The number of positions by distance in plies; distances without positions are left out.
        #[serde(deserialize_with = "counts_by_number")]
        by_plies: BTreeMap<u16, u64>,
    },
    /// The number of positions by score for the side to move.
    Scores {
        /// The number of positions by score in points; scores without positions are left out.
        #[serde(deserialize_with = "counts_by_number")]
        by_score: BTreeMap<i8, u64>,
    },
}

/// Reads counts whose keys are numbers. In JSON the keys are text, which serde does not parse inside flattened fields.
fn counts_by_number<'de, D, K>(deserializer: D) -> Result<BTreeMap<K, u64>, D::Error>
where
    D: Deserializer<'de>,
    K: FromStr<Err: Display> + Ord,
{
    let counts = BTreeMap::<String, u64>::deserialize(deserializer)?;
    counts.into_iter().map(|(key, count)| Ok((key.parse().map_err(D::Error::custom)?, count))).collect()
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

    /// Returns the longest distance to the end in plies, or `None` if values are scores.
    pub fn max_plies(&self) -> Option<u16> {
        match self {
            Spread::Distances { max_plies, .. } => Some(*max_plies),
            Spread::Scores { .. } => None,
        }
    }

    /// Adds `count` positions whose value has the measure `measure`. Ignores draws without a distance.
    fn add(&mut self, measure: Measure, count: u64) {
        match (self, measure) {
            (Spread::Distances { max_plies, by_plies }, Measure::Distance { plies: Some(plies) }) => {
                *max_plies = plies.0.max(*max_plies);
                *by_plies.entry(plies.0).or_default() += count;
            }
            (Spread::Scores { by_score }, Measure::Score { score }) => *by_score.entry(score).or_default() += count,
            // A draw has no distance. All values of a game are of one kind, distances or scores.
            _ => {}
        }
    }
}

impl Stats {
    /// Sums up the counts in the meta data of a table. `start` is the value of the table's start position, and `mover`
    /// the side to move there. Returns `None` if the sum of the counts overflows, which does not happen with a sound
    /// table.
    pub fn new(game: &AnyGame, meta: &Meta, start: AnyValue, mover: Side) -> Option<Stats> {
        let mut counts = meta.tally.plies.values().flat_map(BTreeMap::values).chain(meta.ended.values());
        let positions = counts.try_fold(0, |sum: u64, &count| sum.checked_add(count))?;
        let mut stats = Stats {
            rules: game.code(),
            positions,
            ended: meta.ended.values().sum(),
            by_ply: match game.is_cyclic() {
                true => Vec::new(),
                false => meta.tally.plies.values().map(|bytes| bytes.values().sum()).collect(),
            },
            wins: 0,
            losses: 0,
            draws: 0,
            black_wins: game.side_at(0).map(|_| 0),
            white_wins: game.side_at(0).map(|_| 0),
            start: Start::new(start, mover),
            spread: Spread::new(game.codec()),
            longest: Vec::new(),
        };
        for (&ply, bytes) in &meta.tally.plies {
            for (&byte, &count) in bytes {
                if let Some(value) = game.value_of_byte(byte) {
                    stats.add(value, game.side_at(ply), count);
                }
            }
        }
        for (&byte, &count) in &meta.ended {
            if let Some(value) = game.value_of_byte(byte) {
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

/// The distance to the end in plies and the key of a position. Entries are ordered from the longest distance to the
/// shortest, then by key.
type FarEntry = (Reverse<u16>, u64);

/// A position far from the end, with its value.
pub struct Furthest {
    /// The position.
    pub position: AnyPosition,
    /// The value for the side to move.
    pub value: AnyValue,
}

/// A position far from the end, as JSON.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct FurthestPosition {
    /// The position, in the game's notation.
    pub position: String,
    /// The key; `null` on boards without keys.
    pub key: Option<KeyText>,
    /// The outcome for the side to move.
    pub outcome: Outcome,
    /// The plies to the end, or `None` if the value has no distance.
    pub plies: Option<u16>,
}

impl Furthest {
    /// Makes an element of [`Stats::longest`].
    pub fn report(&self, game: &AnyGame) -> FurthestPosition {
        FurthestPosition {
            position: game.position_text(&self.position),
            key: KeyText::of(game, &self.position),
            outcome: self.value.outcome(),
            plies: self.value.plies().map(|plies| plies.0),
        }
    }
}

/// Returns the `count` positions with the longest distance to the end, the longest first. Positions at the same
/// distance are in key order. Returns fewer if fewer positions are won or lost.
pub fn longest(game: &AnyGame, table: &Table, count: usize, progress: &dyn Progress) -> Result<Vec<Furthest>> {
    progress.begin("longest", table.header.positions.get());
    let read = game.entry_reader(table)?;
    let ranges = ranges(table)?;
    let found = parallel::try_reduce(
        ranges.len(),
        |number| longest_within(game, &read, ranges[number].clone(), count, progress),
        |mine, theirs| first(mine.into_iter().chain(theirs).collect(), count),
    )?;
    progress.end("done");
    let position = |&(_, key): &FarEntry| {
        let position = position_of(game, table, key)?;
        let value = game.probe(table, &position)?.ok_or_else(|| table.damaged("lists a position without a value"))?;
        Ok(Furthest { position, value })
    };
    found.iter().map(position).collect()
}

fn longest_within(
    game: &AnyGame,
    read: &EntryReader,
    range: Range<u64>,
    count: usize,
    progress: &dyn Progress,
) -> Result<Vec<FarEntry>, TableError> {
    let entries = read(range)?;
    let plies = |&byte: &u8| game.value_of_byte(byte).and_then(|value| value.plies());
    let found = entries.keys.iter().zip(&entries.bytes);
    let found = found.filter_map(|(&key, byte)| plies(byte).map(|plies| (Reverse(plies.0), key))).collect();
    progress.advance(entries.keys.len() as u64);
    Ok(first(found, count))
}

/// Returns the smallest `count` elements in ascending order.
fn first(mut found: Vec<FarEntry>, count: usize) -> Vec<FarEntry> {
    if found.len() > count && count > 0 {
        found.select_nth_unstable(count - 1);
    }
    found.truncate(count);
    found.sort_unstable();
    found
}
