//! Compares the look-ups of queries, one by one, with those of many positions together, which audits rest on.

use rayon::prelude::*;

use super::Auditor;
use super::sample::Draw;
use crate::{Result, Solvable};
use yomikiri_rules::Value;
use yomikiri_table::format::Block;
use yomikiri_table::{IndexKind, Progress, Table};

/// Blocks whose keys are looked up together.
const TOGETHER: u64 = 1 << 12;

/// Looks two keys of each block up, drawn at random (the same ones each time), as a query does and as batches do, and
/// checks that both find the same. Whoever has audited a table knows then that queries read it in the same way.
pub fn check_look_ups<G: Solvable>(game: &G, table: &Table, progress: &dyn Progress) -> Result<()> {
    progress.begin("look-ups", table.blocks());
    let mut draw = Draw::default();
    for first in (0..table.blocks()).step_by(TOGETHER as usize) {
        let mut keys = Vec::new();
        for number in first..table.blocks().min(first + TOGETHER) {
            keys.extend(drawn_keys(table, &table.entry(number)?, &mut draw));
        }
        let together = game.probe_all(table, None, &keys)?;
        keys.par_iter().zip(together).try_for_each(|(&key, byte)| check_look_up(game, table, key, byte))?;
        progress.advance(TOGETHER.min(table.blocks() - first));
    }
    progress.end("single look-ups find what batches find");
    Ok(())
}

/// Two keys of a block, ascending: of sorted keys the first, and one that may follow it.
fn drawn_keys(table: &Table, block: &Block, draw: &mut Draw) -> [u64; 2] {
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
        false => Err(Auditor { game, table }.wrong(key, format!("has byte {alone} alone and {together} in a batch"))),
    }
}
