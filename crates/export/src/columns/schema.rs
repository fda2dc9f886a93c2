//! The columns of a game, and the code that fills them.

use super::by_game::ByGame;
use super::column::{Batch, Cells, Column};
use super::rows::Rows;
use yomikiri_rules::{
    AnyGame, AnyPosition, AnyValue, CodedValue, Game, Measure, Notation, Outcome, Score, Side, Value, ValueCodec,
    key_text,
};
use yomikiri_solve::{Adapter, Result, Solvable};
use yomikiri_table::probe::{position_of, value_of_byte};
use yomikiri_table::{Table, parallel};

/// The number of rows that one thread makes at a time.
const BATCH: usize = 1 << 15;

/// The form in which keys are written to a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KeyFormat {
    Number,
    /// Text such as `@41600`, for readers whose numbers have only 53 bits.
    Text,
}

/// The columns of one game.
#[derive(Clone, Copy)]
pub struct Columns {
    keys: KeyFormat,
    /// True if there are columns for points.
    has_points: bool,
}

impl Columns {
    pub fn new(keys: KeyFormat, has_points: bool) -> Columns {
        Columns { keys, has_points }
    }

    /// Returns all columns, without rows.
    pub fn empty(&self, game: &AnyGame) -> Vec<Column> {
        self.fill(game, &[], &[], &Rows::default())
    }

    /// Converts rows to batches of columns, in parallel. The batches are in the order of the rows.
    pub fn batches(&self, game: &AnyGame, table: &Table, rows: &Rows) -> Result<Vec<Batch>> {
        let batch = |number: usize| {
            let start = number * BATCH;
            let rows = rows.part(start..(start + BATCH).min(rows.len()));
            let positions: Vec<AnyPosition> =
                rows.keys.iter().map(|&key| position_of(game, table, key)).collect::<Result<_, _>>()?;
            let values: Vec<AnyValue> =
                rows.bytes.iter().map(|&byte| value_of_byte(game, table, byte)).collect::<Result<_, _>>()?;
            Ok(Batch { columns: self.fill(game, &positions, &values, &rows), rows: rows.len() })
        };
        parallel::try_map(rows.len().div_ceil(BATCH), batch)
    }

    fn fill(&self, game: &AnyGame, positions: &[AnyPosition], values: &[AnyValue], rows: &Rows) -> Vec<Column> {
        let outcomes: Vec<Outcome> = values.iter().map(|value| value.outcome()).collect();
        let mut columns = first_columns(game, self.keys, &rows.keys, positions, &outcomes);
        columns.push(match game.codec() {
            ValueCodec::Score => Column::points("score", values.iter().map(|value| score(value.measure()))),
            ValueCodec::Distance | ValueCodec::ParityDistance => {
                let plies = values.iter().map(|value| value.plies().map(|plies| plies.0));
                Column { name: "plies", cells: Cells::Optional(plies.collect()) }
            }
        });
        columns.push(Column::counts("moves", rows.counts.iter().map(|counts| counts.legal)));
        columns.push(Column::counts("winning_moves", rows.counts.iter().map(|counts| counts.winning)));
        columns.push(Column::counts("drawing_moves", rows.counts.iter().map(|counts| counts.drawing)));
        columns.extend(game.columns(positions));
        if self.has_points {
            columns.extend(of_points(game, positions, &rows.points));
        }
        columns
    }
}

/// Returns the columns that tables and openings share: the key, the position, its ply, its side to move, the outcome
/// and the winner. The ply, the side and the winner are left out if the positions of the game do not tell them.
pub fn first_columns(
    game: &AnyGame,
    form: KeyFormat,
    keys: &[u64],
    positions: &[AnyPosition],
    outcomes: &[Outcome],
) -> Vec<Column> {
    let sides = |position: &AnyPosition| game.side_at(game.ply(position));
    let mut columns = vec![
        match form {
            KeyFormat::Number => Column { name: "key", cells: Cells::Keys(keys.to_vec()) },
            KeyFormat::Text => Column::texts("key", keys.iter().map(|&key| key_text(key))),
        },
        Column::texts("position", positions.iter().map(|position| game.position_text(position))),
    ];
    if !game.is_cyclic() {
        columns.push(Column::counts("ply", positions.iter().map(|position| game.ply(position) as u16)));
    }
    let tells_sides = game.side_at(0).is_some();
    if tells_sides {
        columns.push(Column::categories("side", positions.iter().map(|position| sides(position).map(Side::name))));
    }
    columns.push(Column::categories("outcome", outcomes.iter().map(|outcome| Some(outcome.name()))));
    if tells_sides {
        let winner = |(position, outcome): (&AnyPosition, &Outcome)| outcome.winner(sides(position)?);
        let winners = positions.iter().zip(outcomes).map(|both| winner(both).map(Side::name));
        columns.push(Column::categories("winner", winners));
    }
    columns
}

/// Returns the columns `ends_by` and `points` of Binarsi, for the game in which both sides play for points. `ends_by`
/// says if it ends by targets (lines of stones of one colour) or by points. `points` is the number of points by which
/// Black wins; it is empty if the game ends by targets. `bytes` encode the scores of `positions`.
fn of_points(game: &AnyGame, positions: &[AnyPosition], bytes: &[u8]) -> [Column; 2] {
    let black = |(position, &byte): (&AnyPosition, &u8)| {
        let score = Score::from_byte(byte)?.points();
        Some(game.side(position).pick([score, -score]))
    };
    let scores: Vec<Option<i8>> = positions.iter().zip(bytes).map(black).collect();
    let by_targets = |score: i8| score.abs() == Score::MAX;
    let end = |score: &Option<i8>| score.map(|score| if by_targets(score) { "targets" } else { "points" });
    [
        Column::categories("ends_by", scores.iter().map(end)),
        Column::points("points", scores.iter().map(|score| score.filter(|&score| !by_targets(score)))),
    ]
}

fn score(measure: Measure) -> Option<i8> {
    match measure {
        Measure::Score { score } => Some(score),
        Measure::Distance { .. } => None,
    }
}
