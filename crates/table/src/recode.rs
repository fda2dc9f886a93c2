//! Finished tables written anew in the other form of their blocks, in their place: the same positions and values. A
//! table in pieces becomes one file.

use std::path::Path;

use rayon::prelude::*;

use super::coded_block;
use super::compression::pack;
use super::context_model::Counts;
pub use super::context_model::Runs;
use super::format::{Block, BlockForm, Meta};
use super::writer::LISTED_LEVEL;
use super::{Contents, IndexKind, Part, Progress, Replace, Result, Table, TableError, Writer, pieces};

/// Writes a table that leaves an outcome out in the coded form. `runs` says of a block, by its first key and its rows,
/// where the game has runs in it: keys of positions that differ in little. False if it has that form already. A file
/// that is damaged stays as it is.
pub fn to_coded(path: &Path, runs: impl Fn(&Block) -> Runs + Sync, progress: &dyn Progress) -> Result<bool> {
    let table = open(path)?;
    if !matches!(table.header.index_kind, IndexKind::RestWins | IndexKind::RestDraws) {
        return Err(TableError::foreign(path, "lists all its positions; only tables that do not have a smaller form"));
    }
    if table.form() == BlockForm::Coded {
        return Ok(false);
    }
    let blocks = entries(&table)?;
    let wrong_size = || table.damaged("a block has the wrong size");
    progress.begin("model", blocks.len() as u64);
    let count = |mut counts: Counts, block: &Block| {
        progress.advance(1);
        let plain = table.inflated(block)?;
        coded_block::count(&plain, block.rows as usize, runs(block), &mut counts).ok_or_else(wrong_size)?;
        Ok(counts)
    };
    let counts = blocks.par_iter().try_fold(Counts::new, count);
    let model = counts.try_reduce(Counts::new, |some, more| Ok(some.merge(&more)))?.model();
    progress.end("probabilities of all decisions");
    rewrite(&table, blocks, progress, |writer, blocks| {
        writer.append_model(&model, path)?;
        let coded = |block: &Block| {
            progress.advance(1);
            let (plain, rows) = (table.inflated(block)?, block.rows as usize);
            let coded = coded_block::encode(&plain, rows, runs(block), &model).ok_or_else(wrong_size)?;
            // Nobody has the table any more once this one stands in its place.
            let back = coded_block::decode(&coded, rows, plain.len(), &model);
            assert!(back.as_ref() == Some(&plain), "a block that is coded comes back");
            Ok((plain.len() as u32, coded))
        };
        writer.append_made(blocks, coded, path)
    })?;
    Ok(true)
}

/// Writes a table of coded blocks in the form in which runs make tables, byte for byte. False if it has that form. A
/// file that is damaged stays as it is.
pub fn to_zstd(path: &Path, progress: &dyn Progress) -> Result<bool> {
    let table = open(path)?;
    if table.form() == BlockForm::Zstd {
        return Ok(false);
    }
    rewrite(&table, entries(&table)?, progress, |writer, blocks| {
        let packed = |block: &Block| {
            progress.advance(1);
            let plain = table.inflated(block)?;
            Ok((plain.len() as u32, pack(&plain, LISTED_LEVEL)))
        };
        writer.append_made(blocks, packed, path)
    })?;
    Ok(true)
}

fn open(path: &Path) -> Result<Table> {
    Table::of_any_game(pieces::open(path)?, path)
}

fn entries(table: &Table) -> Result<Vec<Block>> {
    (0..table.blocks()).map(|number| table.entry(number)).collect()
}

/// Puts a table with other blocks in the place of one; `append` writes them.
fn rewrite(
    table: &Table,
    mut blocks: Vec<Block>,
    progress: &dyn Progress,
    append: impl FnOnce(&mut Writer, &[Block]) -> Result<Vec<super::format::Packed>>,
) -> Result<()> {
    let (path, header) = (table.path(), &table.header);
    let meta: Meta = table.meta()?;
    let contents = Contents {
        kind: header.index_kind,
        value_codec: header.value_codec,
        rule_code: &header.rule_code(),
        rules_revision: header.rules_revision.get(),
        positions: header.positions.get(),
    };
    let (part, file) = Part::create(path, Replace::table())?;
    let mut writer = Writer::new(file, LISTED_LEVEL);
    progress.begin("blocks", blocks.len() as u64);
    let packed = append(&mut writer, &blocks)?;
    blocks.iter_mut().zip(packed).for_each(|(block, packed)| block.packed = packed);
    writer.finish(&contents, &blocks, &meta, path)?;
    progress.end("all blocks written");
    part.finish(writer.file())?;
    pieces::remove(path)
}
