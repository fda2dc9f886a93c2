//! Writes small files of sorted keys with one byte for each key: certificates, excerpts and openings (docs/format.md).

use std::path::Path;

use serde::Serialize;

use super::{Contents, IndexKind, PartFile, Replaceable, Result, Writer};
use yomikiri_rules::Game;

/// Zstandard level of blocks: a high one, because the files are small and kept for long.
const LEVEL: i32 = 19;

/// Sorted keys with one byte for each key.
#[derive(Clone, Copy, Debug)]
pub struct KeyBytes<'a> {
    /// The keys, in ascending order.
    pub keys: &'a [u64],
    /// The byte of each key.
    pub bytes: &'a [u8],
    /// The encoding of the bytes, as the header of the file states it.
    pub codec: u8,
}

/// Writes a file of keys to `path`. The file has a temporary name until it is complete. `replace` says which existing
/// file may be replaced.
pub fn write_keys<G: Game>(
    game: &G,
    path: &Path,
    replace: Replaceable,
    KeyBytes { keys, bytes, codec }: KeyBytes,
    meta: &impl Serialize,
) -> Result<()> {
    let (part, file) = PartFile::create(path, replace)?;
    let mut writer = Writer::new(file, LEVEL);
    let blocks = writer.append_keys(keys, bytes, path)?;
    let contents = Contents {
        kind: IndexKind::SortedKeys,
        value_codec: codec,
        rule_code: &game.code(),
        rules_revision: game.rules_revision(),
        positions: keys.len() as u64,
    };
    writer.finish(&contents, &blocks, meta, path)?;
    part.finish(writer.file())
}
