//! Exports tables as plain files. docs/format.md describes every form.
//!
//! Every game can be exported as pairs of keys and values, or as `columns` for data frames. The other forms are those
//! of the original analyser of animal shogi: `lists` of positions, and the second player's `best_play`. Both are made
//! from `positions`, a table in memory. `file` writes files that get their final names when they are complete.
//! `members` makes compressed files that can be read in parts. `own` recognises exports, so that no other file is
//! replaced.

mod best_play;
#[cfg(feature = "data")]
mod columns;
mod file;
mod lists;
mod members;
mod own;
mod positions;

use std::path::{Path, PathBuf};

#[cfg(feature = "data")]
pub use columns::{ByGame, DataExported, DataFormat, OpeningRow, Selection, export_data, export_opening};

use best_play::{export_best_moves, export_best_play};
use file::{OutFile, index_of};
use lists::{List, export_lists};
use yomikiri_rules::{AnyGame, Game};
use yomikiri_solve::{Result, Solvable};
use yomikiri_table::entries::{Entries, each_block};
use yomikiri_table::{IndexKind, Progress, Table, TableError};

/// A form of export. The files are named `r_<code>_<name>`. The description of each form gives `<name>`, such as
/// `1.txt`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExportFormat {
    /// Keys and values as two compressed files, `keys.gz` and `vals.gz`. The only form that suits all games.
    Gz,
    /// Animal shogi: all positions (`1.txt`). Each is marked as won (the lion can be taken), as lost (the opponent's
    /// lion has reached its last rank), or as open.
    Ends,
    /// Animal shogi: all positions with their depths (plies to the end), -1 for a draw (`2.txt`).
    Depths,
    /// Animal shogi: the positions with at least 4 plies to the end, each with this number (`2_cooked.txt`).
    Cooked,
    /// Animal shogi: the keys of `2_cooked.txt`, compressed (`keys.gz`).
    Keys,
    /// Animal shogi: the depths (plies to the end) of `2_cooked.txt`, compressed (`vals.gz`).
    Values,
    /// Animal shogi: the second player's winning strategy, with all best moves (`3.txt`). It exists only if the second
    /// player wins.
    BestPlay,
    /// Animal shogi: one best move for each position of `3.txt` (`unpruned_ai.txt`).
    BestMoves,
}

impl ExportFormat {
    /// All forms, in the order of the enum.
    pub const ALL: [ExportFormat; 8] = [
        ExportFormat::Gz,
        ExportFormat::Ends,
        ExportFormat::Depths,
        ExportFormat::Cooked,
        ExportFormat::Keys,
        ExportFormat::Values,
        ExportFormat::BestPlay,
        ExportFormat::BestMoves,
    ];

    /// Returns the name used in arguments, which is also the end of the file name.
    pub fn name(self) -> &'static str {
        match self {
            ExportFormat::Gz => "gz",
            ExportFormat::Ends => "1.txt",
            ExportFormat::Depths => "2.txt",
            ExportFormat::Cooked => "2_cooked.txt",
            ExportFormat::Keys => "keys.gz",
            ExportFormat::Values => "vals.gz",
            ExportFormat::BestPlay => "3.txt",
            ExportFormat::BestMoves => "unpruned_ai.txt",
        }
    }

    /// Returns a description of the content in one line.
    pub fn about(self) -> &'static str {
        match self {
            ExportFormat::Gz => "keys.gz (u64 little endian, sorted) and vals.gz (a byte each)",
            ExportFormat::Ends => {
                "Animal shogi: every position with 0 (lost by a try), 1 (can take the lion) or -1 (open)"
            }
            ExportFormat::Depths => "Animal shogi: every position with its depth, -1 for a draw",
            ExportFormat::Cooked => "Animal shogi: 2.txt without draws, and without depths below 4",
            ExportFormat::Keys => "Animal shogi: keys of 2_cooked.txt",
            ExportFormat::Values => "Animal shogi: depths of 2_cooked.txt",
            ExportFormat::BestPlay => "Animal shogi: best play of the second player, if that player wins",
            ExportFormat::BestMoves => "Animal shogi: one best move for each position of 3.txt",
        }
    }

    /// Returns true if a game can be exported in this form.
    pub fn suits(self, game: &AnyGame) -> bool {
        self == ExportFormat::Gz || matches!(game, AnyGame::AnimalShogi(_))
    }

    /// Returns true if the form is the second player's winning strategy. It exists only if the second player wins.
    pub fn follows_second_player(self) -> bool {
        matches!(self, ExportFormat::BestPlay | ExportFormat::BestMoves)
    }
}

/// The result of an export.
pub struct Exported {
    /// The number of positions.
    pub positions: u64,
    /// The paths of the files written, sorted, including the index files (`.gzi`) of compressed files.
    pub files: Vec<PathBuf>,
}

impl Exported {
    /// Creates the result. Adds the paths of the index files (`.gzi`) of compressed files to `files`, and sorts the
    /// paths.
    fn new(positions: u64, mut files: Vec<PathBuf>) -> Exported {
        files.extend(files.iter().filter_map(|file| index_of(file)).collect::<Vec<_>>());
        files.sort();
        Exported { positions, files }
    }
}

/// Writes a table into `folder` in a form that suits the game ([`ExportFormat::suits`]). For animal shogi,
/// [`ExportFormat::Gz`] writes the files of [`ExportFormat::Keys`] and [`ExportFormat::Values`]. For other games, it
/// also writes a third file, which explains the bytes that encode values.
pub fn export(
    game: &AnyGame,
    table: &Table,
    form: ExportFormat,
    folder: &Path,
    progress: &dyn Progress,
) -> Result<Exported> {
    let AnyGame::AnimalShogi(game) = game else {
        let files = export_names(folder, &game.code());
        let positions = export_gz(game, table, &files, progress)?;
        return Ok(Exported::new(positions, files.into()));
    };
    let path = |name: &str| folder.join(format!("r_{}_{name}", game.code()));
    let lists: &[(List, ExportFormat)] = match form {
        ExportFormat::Gz => &[(List::Keys, ExportFormat::Keys), (List::Values, ExportFormat::Values)],
        ExportFormat::Ends => &[(List::Ends, form)],
        ExportFormat::Depths => &[(List::Depths, form)],
        ExportFormat::Cooked => &[(List::Cooked, form)],
        ExportFormat::Keys => &[(List::Keys, form)],
        ExportFormat::Values => &[(List::Values, form)],
        ExportFormat::BestPlay | ExportFormat::BestMoves => {
            let file = path(form.name());
            let write = if form == ExportFormat::BestPlay { export_best_play } else { export_best_moves };
            return Ok(Exported::new(write(game, table, &file, progress)?, vec![file]));
        }
    };
    let lists: Vec<_> = lists.iter().map(|&(list, form)| (list, path(form.name()))).collect();
    let positions = export_lists(game, table, &lists, progress)?;
    Ok(Exported::new(positions, lists.into_iter().map(|(_, file)| file).collect()))
}

/// Returns the paths in `folder` of the three files of [`export_gz`]: keys, values, and the explanation of the bytes
/// that encode values. `stem` is the rule code.
pub fn export_names(folder: &Path, stem: &str) -> [PathBuf; 3] {
    ["keys.gz", "vals.gz", "vals.json"].map(|name| folder.join(format!("r_{stem}_{name}")))
}

/// Writes all positions of a table in key order to the three files `names` ([`export_names`]). The first is a gzip file
/// with the keys as u64, little endian. The second is a gzip file with a byte for each key, which encodes the value.
/// The third explains these bytes in JSON. Leaves out draws if the table does not list them. Returns the number of
/// positions.
pub fn export_gz(game: &AnyGame, table: &Table, names: &[PathBuf; 3], progress: &dyn Progress) -> Result<u64> {
    own::of(&names[2]).check(&names[2])?;
    progress.begin("export", table.header.positions.get());
    let mut keys = OutFile::create(&names[0])?;
    let mut values = OutFile::create(&names[1])?;
    let mut count = 0u64;
    let mut write = |entries: &Entries| {
        let bytes: Vec<u8> = entries.keys.iter().flat_map(|key| key.to_le_bytes()).collect();
        keys.write(&bytes)?;
        values.write(&entries.bytes)?;
        count += entries.bytes.len() as u64;
        progress.advance(entries.bytes.len() as u64);
        Ok::<_, TableError>(())
    };
    match table.header.index_kind {
        // This kind of table does not list wins. The entry reader derives them from the other values.
        IndexKind::UnlistedWins => write(&game.entry_reader(table)?(0..u64::MAX)?)?,
        _ => each_block(table, write)?,
    }
    keys.finish()?;
    values.finish()?;
    write_sidecar(game, table.header.index_kind, count, &names[2])?;
    progress.end(&format!("{count} positions"));
    Ok(count)
}

fn write_sidecar(game: &AnyGame, kind: IndexKind, positions: u64, path: &Path) -> Result<(), TableError> {
    let meanings = game.codec().meanings().iter().map(|&(bytes, meaning)| (bytes.to_string(), meaning.into()));
    let values: serde_json::Map<_, _> = meanings.collect();
    let meaning = serde_json::json!({
        "rules": game.code(),
        "positions": positions,
        "keys": "u64 little endian, ascending; docs/format.md says how a position makes a key",
        "values": values,
        "unlisted": match kind {
            IndexKind::UnlistedDraws => "draws, and positions in which the game is over",
            _ => "positions in which the game is over or that cannot arise",
        }
    });
    let mut file = OutFile::create(path)?;
    file.write(format!("{meaning:#}\n").as_bytes())?;
    file.finish()
}
