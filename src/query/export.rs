//! Tables as plain sorted keys and values, the interchange form every game has.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

use flate2::Compression;
use flate2::write::GzEncoder;

use crate::game::Game;
use crate::solve::{Progress, SolveError};
use crate::table::blocks::{Lanes, ROWS_PER_BLOCK, decode_block, decode_keys, for_each_lane};
use crate::table::{IndexKind, Section, Table, TableError};

/// Names of the three files, in the folder: keys, values, and what the bytes mean.
pub fn export_names(folder: &Path, stem: &str) -> [PathBuf; 3] {
    ["keys.gz", "vals.gz", "vals.json"].map(|name| folder.join(format!("r_{stem}_{name}")))
}

/// Writes all positions of a table, sorted by key: u64 little-endian keys in one gzip file, a value byte each in
/// another. Files appear under their names once they are whole.
pub fn export_gz<G: Game>(
    game: &G,
    table: &Table,
    names: &[PathBuf; 3],
    progress: &dyn Progress,
) -> Result<u64, SolveError> {
    progress.begin("export", table.header.positions);
    let mut keys = GzFile::create(&names[0])?;
    let mut values = GzFile::create(&names[1])?;
    let mut count = 0u64;
    for number in 0..table.header.sections {
        let section = table.section(number);
        for (key_bytes, value_bytes) in blocks_of(table, section) {
            let (key_bytes, value_bytes): (Vec<u8>, Vec<u8>) = (key_bytes?, value_bytes);
            keys.write(&key_bytes)?;
            values.write(&value_bytes)?;
            count += value_bytes.len() as u64;
            progress.advance(value_bytes.len() as u64);
        }
    }
    keys.finish()?;
    values.finish()?;
    write_sidecar(game, count, &names[2])?;
    progress.end(&format!("{count} positions"));
    Ok(count)
}

/// Key bytes and value bytes of a section, block by block.
fn blocks_of(table: &Table, section: Section) -> impl Iterator<Item = (Result<Vec<u8>, TableError>, Vec<u8>)> + '_ {
    let tiers = table.header.index_kind == IndexKind::Tiers;
    let blocks = if tiers { section.rows.div_ceil(ROWS_PER_BLOCK as u64) } else { 1 };
    (0..blocks).map(move |block| match entries(table, section, block) {
        Ok((keys, values)) => (Ok(keys), values),
        Err(error) => (Err(error), Vec::new()),
    })
}

fn entries(table: &Table, section: Section, block: u64) -> Result<(Vec<u8>, Vec<u8>), TableError> {
    let bytes = table.block(section.first_block + block)?;
    let bad = || table.damaged("a block has the wrong size");
    if table.header.index_kind == IndexKind::SortedKeys {
        let (keys, values) = decode_keys(&bytes, section.rows as usize).ok_or_else(bad)?;
        return Ok((keys.iter().flat_map(|key| key.to_le_bytes()).collect(), values.to_vec()));
    }
    let first = block * ROWS_PER_BLOCK as u64;
    let rows = (section.rows - first).min(ROWS_PER_BLOCK as u64) as usize;
    let (mut keys, mut values) = (Vec::new(), Vec::new());
    let visit = |row: usize, set: Lanes, mine: &[u8]| {
        for_each_lane(set, |lane| {
            let key = section.key + ((first + row as u64) << 6 | lane as u64);
            keys.extend_from_slice(&key.to_le_bytes());
        });
        values.extend_from_slice(mine);
    };
    decode_block(&bytes, rows, visit).ok_or_else(bad)?;
    Ok((keys, values))
}

/// A gzip file written under another name until it is whole.
struct GzFile {
    path: PathBuf,
    part: Part,
    encoder: GzEncoder<BufWriter<File>>,
}

/// A file that is deleted unless it got its name.
struct Part(PathBuf);

impl Part {
    fn of(path: &Path) -> Part {
        Part(path.with_added_extension("part"))
    }

    fn name(self, path: &Path) -> Result<(), TableError> {
        std::fs::rename(&self.0, path).map_err(TableError::io(path))
    }
}

impl Drop for Part {
    fn drop(&mut self) {
        // After a rename there is nothing left to delete.
        let _ = std::fs::remove_file(&self.0);
    }
}

impl GzFile {
    fn create(path: &Path) -> Result<GzFile, TableError> {
        let part = Part::of(path);
        let file = File::create(&part.0).map_err(TableError::io(&part.0))?;
        let encoder = GzEncoder::new(BufWriter::with_capacity(1 << 20, file), Compression::fast());
        Ok(GzFile { path: path.to_path_buf(), part, encoder })
    }

    fn write(&mut self, bytes: &[u8]) -> Result<(), TableError> {
        self.encoder.write_all(bytes).map_err(TableError::io(&self.part.0))
    }

    fn finish(self) -> Result<(), TableError> {
        let mut rest = self.encoder.finish().map_err(TableError::io(&self.part.0))?;
        rest.flush().map_err(TableError::io(&self.part.0))?;
        self.part.name(&self.path)
    }
}

fn write_sidecar<G: Game>(game: &G, positions: u64, path: &Path) -> Result<(), TableError> {
    let meaning = serde_json::json!({
        "rules": game.code(),
        "positions": positions,
        "keys": "u64 little endian, ascending; docs/format.md says how a position makes a key",
        "values": {
            "1": "draw",
            "2..127": "the side to move loses in (byte - 2) plies",
            "128..255": "the side to move wins in (byte - 128) plies"
        }
    });
    let part = Part::of(path);
    std::fs::write(&part.0, format!("{meaning:#}\n")).map_err(TableError::io(&part.0))?;
    part.name(path)
}
