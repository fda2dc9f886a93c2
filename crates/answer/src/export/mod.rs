//! Tables as plain files. docs/format.md has every form.
//!
//! Every game has pairs of keys and values. The other forms are those of animal shogi's own analyser: `lists` of all
//! positions and the second player's `best_play`, both made from `positions`, a table in memory. `file` writes files
//! that appear when they are whole, `members` those that can be read in parts; `own` tells exports from other files.

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
pub use columns::{ByGame, DataExported, DataForm, Selection, export_data};

use best_play::{export_best_moves, export_best_play};
use file::{OutFile, index_of};
use lists::{List, export_lists};
use yomikiri_rules::{AnyGame, Game, Value, with_game};
use yomikiri_solve::{Result, Solvable};
use yomikiri_table::entries::{Entries, each_block};
use yomikiri_table::{IndexKind, Progress, Table, TableError};

/// A form of export; the file is `r_<code>_<name>`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    Gz,
    Ends,
    Depths,
    Cooked,
    Keys,
    Values,
    BestPlay,
    BestMoves,
}

impl Form {
    pub const ALL: [Form; 8] =
        [Form::Gz, Form::Ends, Form::Depths, Form::Cooked, Form::Keys, Form::Values, Form::BestPlay, Form::BestMoves];

    /// The name in arguments and at the end of the file's name.
    pub fn name(self) -> &'static str {
        match self {
            Form::Gz => "gz",
            Form::Ends => "1.txt",
            Form::Depths => "2.txt",
            Form::Cooked => "2_cooked.txt",
            Form::Keys => "keys.gz",
            Form::Values => "vals.gz",
            Form::BestPlay => "3.txt",
            Form::BestMoves => "unpruned_ai.txt",
        }
    }

    /// What it holds, in a line.
    pub fn about(self) -> &'static str {
        match self {
            Form::Gz => "keys.gz (u64 little endian, sorted) and vals.gz (a byte each)",
            Form::Ends => "Animal shogi: every position with 0 lost, 1 can take the lion, -1 else",
            Form::Depths => "Animal shogi: every position with its depth, -1 for a draw",
            Form::Cooked => "Animal shogi: 2.txt from depth 4 on",
            Form::Keys => "Animal shogi: keys of 2_cooked.txt",
            Form::Values => "Animal shogi: depths of 2_cooked.txt",
            Form::BestPlay => "Animal shogi: best play of the second player, who must win",
            Form::BestMoves => "Animal shogi: one best move for each position of 3.txt",
        }
    }

    /// Whether a game has the form.
    pub fn suits(self, game: &AnyGame) -> bool {
        self == Form::Gz || matches!(game, AnyGame::AnimalShogi(_))
    }

    /// Whether it is the second player's way to win, so that player must win.
    pub fn follows_second_player(self) -> bool {
        matches!(self, Form::BestPlay | Form::BestMoves)
    }
}

/// What an export has written.
pub struct Exported {
    pub positions: u64,
    pub files: Vec<PathBuf>,
}

impl Exported {
    /// Files, and the indices of those that have one.
    fn new(positions: u64, mut files: Vec<PathBuf>) -> Exported {
        files.extend(files.iter().filter_map(|file| index_of(file)).collect::<Vec<_>>());
        files.sort();
        Exported { positions, files }
    }
}

/// Writes a table of a game that has the form into `folder`. Animal shogi's pairs are its lists; other games' come
/// with a third file that says what the bytes mean.
pub fn export(game: &AnyGame, table: &Table, form: Form, folder: &Path, progress: &dyn Progress) -> Result<Exported> {
    let AnyGame::AnimalShogi(game) = game else {
        return with_game!(game, game => {
            let files = export_names(folder, &game.code());
            let positions = export_gz(game, table, &files, progress)?;
            Ok(Exported::new(positions, files.into()))
        });
    };
    let path = |name: &str| folder.join(format!("r_{}_{name}", game.code()));
    let lists: &[(List, Form)] = match form {
        Form::Gz => &[(List::Keys, Form::Keys), (List::Values, Form::Values)],
        Form::Ends => &[(List::Ends, form)],
        Form::Depths => &[(List::Depths, form)],
        Form::Cooked => &[(List::Cooked, form)],
        Form::Keys => &[(List::Keys, form)],
        Form::Values => &[(List::Values, form)],
        Form::BestPlay | Form::BestMoves => {
            let file = path(form.name());
            let write = if form == Form::BestPlay { export_best_play } else { export_best_moves };
            return Ok(Exported::new(write(game, table, &file, progress)?, vec![file]));
        }
    };
    let lists: Vec<_> = lists.iter().map(|&(list, form)| (list, path(form.name()))).collect();
    let positions = export_lists(game, table, &lists, progress)?;
    Ok(Exported::new(positions, lists.into_iter().map(|(_, file)| file).collect()))
}

/// Names of the three files, in the folder: keys, values, and what the bytes mean.
pub fn export_names(folder: &Path, stem: &str) -> [PathBuf; 3] {
    ["keys.gz", "vals.gz", "vals.json"].map(|name| folder.join(format!("r_{stem}_{name}")))
}

/// Writes all positions that a table lists, sorted by key (draws are left out where they are left out there): u64
/// little-endian keys in one gzip file, a value byte each in another.
pub fn export_gz<G: Solvable>(game: &G, table: &Table, names: &[PathBuf; 3], progress: &dyn Progress) -> Result<u64> {
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
        // What is won is not listed there, but follows from the rest.
        IndexKind::RestWins => write(&game.entry_reader(table)?(0..u64::MAX)?)?,
        _ => each_block(table, write)?,
    }
    keys.finish()?;
    values.finish()?;
    write_sidecar(game, table.header.index_kind, count, &names[2])?;
    progress.end(&format!("{count} positions"));
    Ok(count)
}

fn write_sidecar<G: Game>(game: &G, kind: IndexKind, positions: u64, path: &Path) -> Result<(), TableError> {
    let meanings = G::Value::CODEC.meanings().iter().map(|&(bytes, meaning)| (bytes.to_string(), meaning.into()));
    let values: serde_json::Map<_, _> = meanings.collect();
    let meaning = serde_json::json!({
        "rules": game.code(),
        "positions": positions,
        "keys": "u64 little endian, ascending; docs/format.md says how a position makes a key",
        "values": values,
        "unlisted": match kind {
            IndexKind::RestDraws => "draws, and positions in which the game is over",
            _ => "positions in which the game is over or that cannot arise",
        }
    });
    let mut file = OutFile::create(path)?;
    file.write(format!("{meaning:#}\n").as_bytes())?;
    file.finish()
}
