//! An opening, the winners of the positions of the first plies, as columns. Each position with a known winner is a row.

use std::path::Path;

use super::column::{Batch, Cells, Column};
use super::schema::first_columns;
use super::write::{DataFile, DataFormat};
use super::{ByGame, GROUP, OutFile};
use yomikiri_rules::{AnyGame, AnyMove, AnyPosition, Game, Notation, Outcome};
use yomikiri_solve::Result;

/// A position of an opening.
pub struct OpeningRow {
    /// The key of the position.
    pub key: u64,
    /// The position, in canonical form.
    pub position: AnyPosition,
    /// The outcome for the side to move.
    pub outcome: Outcome,
    /// The moves that win, in the order in which the rules list the legal moves. `None` if a move exists whose outcome
    /// is not known.
    pub winning: Option<Vec<AnyMove>>,
}

/// Writes the rows of an opening to `path`, with a column for everything that is known about each position. The rows
/// must be in ascending order of their keys.
pub fn export_opening(game: &AnyGame, rows: &[OpeningRow], path: &Path, form: DataFormat) -> Result<()> {
    let mut writer = DataFile::create(form, OutFile::create(path)?, &columns(game, &[], form))?;
    for rows in rows.chunks(GROUP) {
        writer.write(&[Batch { columns: columns(game, rows, form), rows: rows.len() }])?;
    }
    writer.finish()
}

/// Returns all columns, filled with these rows.
fn columns(game: &AnyGame, rows: &[OpeningRow], form: DataFormat) -> Vec<Column> {
    let keys: Vec<u64> = rows.iter().map(|row| row.key).collect();
    let positions: Vec<AnyPosition> = rows.iter().map(|row| row.position).collect();
    let outcomes: Vec<Outcome> = rows.iter().map(|row| row.outcome).collect();
    let mut columns = first_columns(game, form.keys(), &keys, &positions, &outcomes);
    let number = |row: &OpeningRow| row.winning.as_ref().map(|moves| moves.len() as u16);
    let texts = |moves: &Vec<AnyMove>| moves.iter().map(|&mv| game.move_text(mv)).collect::<Vec<_>>().join(" ");
    columns.extend([
        Column::counts("moves", positions.iter().map(|position| game.legal_moves(position).len() as u16)),
        Column { name: "winning_moves", cells: Cells::Optional(rows.iter().map(number).collect()) },
        Column::texts("winning", rows.iter().map(|row| row.winning.as_ref().map(texts).unwrap_or_default())),
    ]);
    columns.extend(game.columns(&positions));
    columns
}
