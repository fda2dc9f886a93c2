//! Lists of positions in the forms of animal shogi's own analyser: text with a line per position, or its columns.

use std::io::Write;
use std::path::PathBuf;

use super::file::OutFile;
use super::key_order::{Listed, in_key_order};
use super::positions::{Positions, depth};
use yomikiri_rules::games::animal_shogi::AnimalShogi;
use yomikiri_solve::SolveError;
use yomikiri_table::Table;
use yomikiri_table::progress::Progress;

/// Positions with fewer plies to the end are left out of the shorter lists.
const LEAST_DEPTH: u16 = 4;

/// What is written about each position. All lists ascend by key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum List {
    /// Every position: key, then 0 lost by a try, 1 the lion can be taken, -1 else.
    Ends,
    /// Every position: key and depth.
    Depths,
    /// Key and depth, without draws and depths below 4.
    Cooked,
    /// Keys of the cooked list, 8 bytes each, little endian.
    Keys,
    /// Depths of the cooked list, a byte each.
    Values,
}

impl List {
    /// Whether decided positions, draws and small depths are in the list.
    fn has_all(self) -> bool {
        matches!(self, List::Ends | List::Depths)
    }

    fn encode(self, Listed { key, byte, over }: Listed, bytes: &mut Vec<u8>) {
        let depth = depth(byte);
        // Writing to memory does not fail.
        let _ = match self {
            List::Ends => writeln!(bytes, "{key:015x} {}", if over { depth } else { -1 }),
            List::Depths | List::Cooked => writeln!(bytes, "{key:015x} {depth}"),
            List::Keys => bytes.write_all(&key.to_le_bytes()),
            List::Values => bytes.write_all(&[depth as u8]),
        };
    }
}

/// Writes lists of the same positions, all cooked or none; returns how many positions they have.
pub fn export_lists(
    game: &AnimalShogi,
    table: &Table,
    lists: &[(List, PathBuf)],
    progress: &dyn Progress,
) -> Result<u64, SolveError> {
    let open = |&(list, ref path): &(List, PathBuf)| Ok((list, OutFile::create(path)?));
    let mut files = lists.iter().map(open).collect::<Result<Vec<_>, SolveError>>()?;
    let positions = match lists.iter().all(|(list, _)| list.has_all()) {
        true => Positions::all(game, table, progress)?,
        false => Positions::from_depth(LEAST_DEPTH, game, table, progress)?,
    };
    let count = positions.count();
    progress.begin("export", count);
    in_key_order(&positions, |run| {
        for (list, file) in &mut files {
            file.write_each(run.entries, |&entry, bytes| {
                list.encode(run.open(entry), bytes);
                Ok(())
            })?;
        }
        progress.advance(run.entries.len() as u64);
        Ok(())
    })?;
    files.into_iter().try_for_each(|(_, file)| file.finish())?;
    progress.end(&format!("{count} positions"));
    Ok(count)
}
