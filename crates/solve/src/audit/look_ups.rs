//! Compares single look-ups, which queries use, with batched look-ups, which audits use.

use super::Auditor;
use super::sample::SampleRng;
use crate::{Breach, Result, Solvable};
use yomikiri_rules::Value;
use yomikiri_table::format::BlockEntry;
use yomikiri_table::{IndexKind, Progress, Table, parallel};

/// The number of blocks whose keys are looked up in one batch.
const TOGETHER: u64 = 1 << 12;

/// Checks, for two keys of each block, that a single look-up and a batched one give the same byte. The choice of the
/// keys is random, but the same each time. If the bytes agree, queries read the values that the audit has checked.
pub fn check_look_ups<G: Solvable>(game: &G, table: &Table, progress: &dyn Progress) -> Result<()> {
    progress.begin("look-ups", table.blocks());
    let mut draw = SampleRng::default();
    for first in (0..table.blocks()).step_by(TOGETHER as usize) {
        let mut keys = Vec::new();
        for number in first..table.blocks().min(first + TOGETHER) {
            keys.extend(drawn_keys(table, &table.entry(number)?, &mut draw));
        }
        let together = game.probe_all(table, None, &keys)?;
        parallel::try_each(keys.len(), |at| check_look_up(game, table, keys[at], together[at]))?;
        progress.advance(TOGETHER.min(table.blocks() - first));
    }
    progress.end("single and batched look-ups agree");
    Ok(())
}

/// Returns two keys in the range of a block, in ascending order. In a block of sorted keys, the first key is that of
/// the block, and the second is random and may not be in the block. In any other block, both keys are random.
fn drawn_keys(table: &Table, block: &BlockEntry, draw: &mut SampleRng) -> [u64; 2] {
    let kind = table.header.index_kind;
    let mut keys = match kind {
        IndexKind::SortedKeys => [0, draw.below(u64::from(block.rows))],
        _ => [(); 2].map(|()| draw.below(kind.keys_of_rows(block.rows.into()))),
    };
    keys.sort_unstable();
    keys.map(|key| block.key.saturating_add(key))
}

fn check_look_up<G: Solvable>(game: &G, table: &Table, key: u64, together: u8) -> Result<()> {
    let position = game.unrank(key).filter(|position| !game.is_terminal(position) && game.rank(position) == key);
    let Some(position) = position else { return Ok(()) };
    let alone = game.probe(table, &position)?.map_or(0, Value::to_byte);
    match alone == together {
        true => Ok(()),
        false => Err(Auditor { game, table }.error(key, Breach::LookUps { alone, together })),
    }
}
