//! The audit of tables of sorted keys, for acyclic games.

use super::{Auditor, first_unreached};
use crate::key_index::KeyIndex;
use crate::space::SharedSet;
use crate::{Breach, Result, SolveError, levels, sorted_keys};
use yomikiri_rules::Notation;
use yomikiri_table::{IndexKind, Progress, Table, Tally, parallel};

/// The number of positions that a thread checks at a time.
const PART: usize = 1024;

/// Returns the memory for [`audit_keys`], in bytes. For small tables, this is less than the memory of the program
/// itself.
pub fn memory_of_keys(table: &Table) -> u64 {
    let positions = table.header.positions.get();
    let taken = 9 * positions + positions / 2 + SharedSet::memory(positions);
    (taken + levels::ROOM).min(4 * taken)
}

/// Checks a table of `root` and the positions that can follow it: all values, the counts, and that each position is the
/// root or the child of another. Takes nine and a half bytes and one bit of memory for each position.
pub fn audit_keys<G: Notation>(game: &G, table: &Table, root: &G::Position, progress: &dyn Progress) -> Result<()> {
    let auditor = Auditor { game, table };
    auditor.expect_kind(&[IndexKind::SortedKeys])?;
    progress.begin("Step 3: audit", table.header.positions.get());
    let (keys, bytes) = sorted_keys::read(table)?;
    let (index, reached) = (KeyIndex::new(&keys), SharedSet::new(keys.len() as u64)?);
    let value = |position: &G::Position| {
        let Some(at) = index.find(&keys, game.rank(position)) else { return Ok(None) };
        reached.insert(at as u64);
        Ok(game.value_of_byte(bytes[at]))
    };
    if value(root)?.is_none() && !game.is_terminal(root) {
        return Err(auditor.without_root().into());
    }
    let check = |part: usize| {
        let (mut tally, mut moves) = (Tally::default(), Vec::new());
        let part = part * PART..keys.len().min((part + 1) * PART);
        for (&key, &byte) in keys[part.clone()].iter().zip(&bytes[part.clone()]) {
            let position = auditor.position(key)?;
            auditor.check_moves(key, byte, &position, &mut moves, value)?;
            tally.add(game.ply(&position), byte, 1);
        }
        progress.advance(part.len() as u64);
        Ok::<_, SolveError>(tally)
    };
    let tally = parallel::try_reduce(keys.len().div_ceil(PART), check, |mut all: Tally, part| {
        all.merge(&part);
        all
    })?;
    if let Some(at) = first_unreached(&reached, keys.len() as u64) {
        return Err(auditor.error(keys[at as usize], Breach::Unreached));
    }
    progress.end(&format!("{} positions, every value agrees with its moves", keys.len()));
    auditor.check_counts(&tally, &Default::default())
}
