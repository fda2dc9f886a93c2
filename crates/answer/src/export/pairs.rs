//! Tables as plain sorted keys and values, the interchange form every game has.

use std::path::{Path, PathBuf};

use super::file::OutFile;
use yomikiri_rules::game::Game;
use yomikiri_rules::value::Value;
use yomikiri_solve::{Solvable, SolveError};
use yomikiri_table::entries::{Entries, each_block};
use yomikiri_table::progress::Progress;
use yomikiri_table::{IndexKind, Table, TableError};

/// Names of the three files, in the folder: keys, values, and what the bytes mean.
pub fn export_names(folder: &Path, stem: &str) -> [PathBuf; 3] {
    ["keys.gz", "vals.gz", "vals.json"].map(|name| folder.join(format!("r_{stem}_{name}")))
}

/// Writes all positions that a table lists, sorted by key (draws are left out where they are left out there): u64 little-endian keys in one gzip file, a value byte each in
/// another.
pub fn export_gz<G: Solvable>(
    game: &G,
    table: &Table,
    names: &[PathBuf; 3],
    progress: &dyn Progress,
) -> Result<u64, SolveError> {
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
