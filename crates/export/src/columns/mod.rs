//! Whole tables and openings as columns for data frames: Parquet, CSV or JSON lines. Rows are in key order.
//!
//! `select` chooses the positions that become rows. `rows` holds the data of each row. `schema` defines the columns of
//! a game and fills them. `column` is one column. `by_game` adds the columns that only one game has. `opening` fills
//! the columns of an opening instead of a table. `write` writes the three formats: `parquet` is one of them and `text`
//! the other two.

mod by_game;
mod column;
mod opening;
mod parquet;
mod rows;
mod schema;
mod select;
mod text;
mod write;

use std::path::Path;

use self::rows::Rows;
use self::schema::Columns;
use self::select::Selected;
use self::write::DataFile;
use super::file::OutFile;
use yomikiri_rules::{AnyGame, Game};
use yomikiri_solve::{Result, Solvable, SolveError};
use yomikiri_table::entries::ranges;
use yomikiri_table::{Location, Progress, Table, name, parallel, probe};

pub use by_game::ByGame;
pub use opening::{OpeningRow, export_opening};
pub use select::Selection;
pub use write::DataFormat;

/// The number of rows that are written at once. In Parquet they form one row group.
const GROUP: usize = 1 << 20;

/// The number of key ranges that are read at once, in parallel.
const RANGES: usize = 8;

/// The maximum size in bytes of the cache that is used to count the moves of positions.
const MEMORY: u64 = 384 << 20;

/// The result of [`export_data`].
pub struct DataExported {
    /// The number of rows written.
    pub rows: u64,
    /// The rule code of the variant whose values are points, if its table was not found. The columns for points are
    /// then missing. `None` if the columns are there, or if the game has no such variant.
    pub without_points: Option<String>,
}

/// Writes the selected positions of a table, with columns for everything known about each position. Some games have a
/// variant with the same positions, but points as values ([`Game::points_variant`]). If the table of that variant is at
/// `location`, there are columns for the points too.
pub fn export_data(
    game: &AnyGame,
    table: &Table,
    location: &Location,
    path: &Path,
    form: DataFormat,
    selection: &Selection,
    progress: &dyn Progress,
) -> Result<DataExported> {
    let points = PointsTable::open(game, location)?;
    let columns = Columns::new(form.keys(), points.is_some());
    let mut writer = DataFile::create(form, OutFile::create(path)?, &columns.empty(game))?;
    let mut selected = Selected::new(game, table, selection)?;
    let mut counter = game.move_counter(table, MEMORY)?;
    let read = game.entry_reader(table)?;
    progress.begin("export", table.header.positions.get());
    let (mut group, mut rows) = (Rows::default(), 0u64);
    for some in ranges(table)?.chunks(RANGES) {
        let entries = parallel::try_map(some.len(), |number| read(some[number].clone()))?;
        for mut entries in entries {
            let read = entries.keys.len() as u64;
            selected.retain(game, table, &mut entries)?;
            group.counts.append(&mut counter.count(&entries.keys)?);
            if let Some(points) = &points {
                group.points.append(&mut points.bytes(&entries.keys)?);
            }
            group.keys.append(&mut entries.keys);
            group.bytes.append(&mut entries.bytes);
            while group.len() >= GROUP {
                rows += GROUP as u64;
                writer.write(&columns.batches(game, table, &group.split_off(GROUP))?)?;
            }
            progress.advance(read);
        }
    }
    rows += group.len() as u64;
    writer.write(&columns.batches(game, table, &group)?)?;
    writer.finish()?;
    progress.end(&format!("{rows} rows"));
    let without_points = game.points_variant().filter(|_| points.is_none());
    Ok(DataExported { rows, without_points })
}

/// The table of the variant that has the same positions, but points as values.
struct PointsTable {
    variant: AnyGame,
    table: Table,
}

impl PointsTable {
    fn open(game: &AnyGame, location: &Location) -> Result<Option<PointsTable>> {
        let Some(code) = game.points_variant() else { return Ok(None) };
        let path = location.file(|folder| name::whole(folder, &code));
        let variant = AnyGame::parse(&code).expect("`points_variant` returns a valid rule code");
        let table = probe::open_if_there(&variant, location, &path)?;
        Ok(table.map(|table| PointsTable { variant, table }))
    }

    /// Returns the byte that encodes the value of each of `keys`, which must be in ascending order. A key without a
    /// value is an error.
    fn bytes(&self, keys: &[u64]) -> Result<Vec<u8>> {
        let bytes = self.variant.probe_all(&self.table, None, keys)?;
        match bytes.iter().position(|&byte| byte == 0) {
            Some(at) => Err(SolveError::from(self.table.damaged(format!("has no value for the key {}", keys[at])))),
            None => Ok(bytes),
        }
    }
}
