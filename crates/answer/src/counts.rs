//! Counts the positions of a table by one or more dimensions at once.

use std::collections::BTreeMap;

use serde::Serialize;
use serde::ser::{SerializeMap, Serializer};

use super::stats::COUNTS_OVERFLOW;
use yomikiri_rules::{AnyGame, Game, Measure, Outcome, Side, Value, ValueCodec, with_game};
use yomikiri_solve::{Adapter, Result, Solvable};
use yomikiri_table::entries::{Entries, ranges};
use yomikiri_table::probe::position_of;
use yomikiri_table::{Progress, Table, Tally, parallel};

/// A dimension by which positions are counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dimension {
    /// Plies from the start; in reversi, the number of discs.
    Ply,
    /// The side to move.
    Side,
    /// The outcome for the side to move.
    Outcome,
    /// The winner, whichever side is to move.
    Winner,
    /// The plies to the end under best play. Draws have the label [`Label::None`].
    Plies,
    /// The score for the side to move.
    Score,
    /// The number of legal moves, or 0 in a terminal position. The table's meta data have no counts by number of moves,
    /// so every position is read.
    Moves,
}

impl Dimension {
    /// All dimensions, in the order of the enum.
    pub const ALL: [Dimension; 7] = [
        Dimension::Ply,
        Dimension::Side,
        Dimension::Outcome,
        Dimension::Winner,
        Dimension::Plies,
        Dimension::Score,
        Dimension::Moves,
    ];

    /// Returns the name used in arguments and in JSON.
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

    /// Returns the reason why positions of `game` cannot be counted by this dimension, or `None` if they can.
    pub fn refusal(self, game: &AnyGame) -> Option<&'static str> {
        let scores = game.codec() == ValueCodec::Score;
        match self {
            Dimension::Ply if game.is_cyclic() => Some("positions can repeat, so they have no ply"),
            Dimension::Side | Dimension::Winner if game.side_at(0).is_none() => {
                Some("the table does not record which side is to move")
            }
            Dimension::Plies if scores => Some("values are scores, not distances to the end"),
            Dimension::Score if !scores => Some("values are distances, not scores"),
            _ => None,
        }
    }

    /// Returns the label, in this dimension, of a position with these properties. `moves` is the number of legal moves.
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

/// The number of positions by ply, value byte and number of legal moves.
type ByMoves = BTreeMap<(u32, u8, u32), u64>;

/// The label of a group of positions in one dimension.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(untagged)]
pub enum Label {
    /// A ply, a number of plies or moves, or a score.
    Number(i64),
    /// The outcome for the side to move.
    Outcome(Outcome),
    /// The side to move, or the winner.
    Side(Side),
    /// No winner, or no distance, as in a draw; `null` in JSON.
    None,
}

impl From<Option<Side>> for Label {
    fn from(side: Option<Side>) -> Label {
        side.map_or(Label::None, Label::Side)
    }
}

/// The number of positions in each group: the JSON of `stats --by`.
#[derive(Clone, Debug, Serialize)]
pub struct GroupedCounts {
    /// The rule code.
    pub rules: String,
    /// The total number of positions, which is the sum of the counts.
    pub positions: u64,
    /// The names of the dimensions.
    pub by: Vec<&'static str>,
    /// The groups that have at least one position, sorted by the first dimension, then by the next.
    pub counts: Vec<CountedGroup>,
}

/// Positions with the same labels. In JSON, each label is a field named after its dimension; the field `count` comes
/// last.
#[derive(Clone, Debug)]
pub struct CountedGroup {
    /// Each dimension with its label, in the order of [`GroupedCounts::by`].
    pub labels: Vec<(Dimension, Label)>,
    /// The number of positions, at least 1.
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

impl GroupedCounts {
    /// Counts the positions of a table. Terminal positions are included if the table counts them. If `by` has
    /// [`Dimension::Moves`], every position is read, which takes long for a large table. Otherwise the counts in the
    /// table's meta data are enough.
    ///
    /// # Errors
    /// Returns an error if the table cannot be read, or if its positions do not match the counts in its meta data.
    pub fn of_table(game: &AnyGame, table: &Table, by: &[Dimension], progress: &dyn Progress) -> Result<GroupedCounts> {
        let meta = table.meta()?;
        let open = match by.contains(&Dimension::Moves) {
            true => by_moves(game, table, &meta.tally, progress)?,
            false => meta.tally.iter().map(|(ply, byte, count)| ((ply, byte, 0), count)).collect(),
        };
        let over = meta.ended.iter().map(|(&byte, &count)| ((0, byte, 0), count));
        let mut groups: BTreeMap<Vec<Label>, u64> = BTreeMap::new();
        let mut positions = 0u64;
        for ((ply, byte, moves), count) in open.into_iter().chain(over) {
            positions = positions.checked_add(count).ok_or_else(|| table.damaged(COUNTS_OVERFLOW))?;
            let Some(value) = game.value_of_byte(byte) else { continue };
            let labels = by.iter().map(|dimension| dimension.of(ply, game.side_at(ply), value, moves)).collect();
            *groups.entry(labels).or_default() += count;
        }
        let group = |(labels, count): (Vec<Label>, u64)| CountedGroup {
            labels: by.iter().copied().zip(labels).collect(),
            count,
        };
        Ok(GroupedCounts {
            rules: game.code(),
            positions,
            by: by.iter().map(|dimension| dimension.name()).collect(),
            counts: groups.into_iter().map(group).collect(),
        })
    }
}

/// Counts the positions of a table by ply, value byte and number of legal moves. Returns an error if the positions do
/// not match `tally`, the counts in the meta data.
fn by_moves(game: &AnyGame, table: &Table, tally: &Tally, progress: &dyn Progress) -> Result<ByMoves> {
    progress.begin("count moves", tally.positions());
    let read = game.entry_reader(table)?;
    let ranges = ranges(table)?;
    let count = |number: usize| -> Result<ByMoves> {
        let entries = read(ranges[number].clone())?;
        let counts = with_game!(game, game => moves_of(game, table, &entries))?;
        progress.advance(counts.values().sum());
        Ok(counts)
    };
    let counts = parallel::try_reduce(ranges.len(), count, |mut sum, more| {
        more.into_iter().for_each(|(group, count)| *sum.entry(group).or_default() += count);
        sum
    })?;
    let mut found = Tally::default();
    counts.iter().for_each(|(&(ply, byte, _), &count)| found.add(ply, byte, count));
    if found != *tally {
        return Err(table.damaged("has positions that do not match the counts in its meta data").into());
    }
    progress.end("done");
    Ok(counts)
}

/// Counts the legal moves of the positions in `entries`. The function is generic over the game, because `AnyGame` would
/// allocate a list of wrapped moves for each position.
fn moves_of<G: Solvable>(game: &G, table: &Table, entries: &Entries) -> Result<ByMoves> {
    let (mut counts, mut moves) = (ByMoves::new(), Vec::new());
    for (&key, &byte) in entries.keys.iter().zip(&entries.bytes) {
        let position = position_of(game, table, key)?;
        let ply = if game.is_cyclic() { 0 } else { game.ply(&position) };
        game.moves(&position, &mut moves);
        *counts.entry((ply, byte, moves.len() as u32)).or_default() += 1;
    }
    Ok(counts)
}
