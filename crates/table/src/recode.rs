//! Rewrites finished tables in place, with their blocks in the other [`BlockForm`]. Positions and values stay the same.
//! A table in pieces becomes one file.

use std::path::Path;

use super::coded_block;
use super::compression::pack;
use super::context_model::DecisionCounts;
pub use super::context_model::Runs;
use super::format::{BlockEntry, BlockForm, Meta};
use super::writer::LISTED_LEVEL;
use super::{
    Contents, IndexKind, PartFile, Progress, Replaceable, Result, Table, TableError, Writer, parallel, pieces,
};

/// Rewrites a table with its blocks in the form [`BlockForm::Coded`]. The table must leave out an outcome, such as
/// wins. `runs` returns the layout of the runs (series of keys of similar positions) in a block. Returns false if the
/// blocks have this form already.
///
/// # Errors
///
/// Returns an error if the table lists all its positions, or cannot be read or replaced. A damaged file stays as it is.
pub fn to_coded(path: &Path, runs: impl Fn(&BlockEntry) -> Runs + Sync, progress: &dyn Progress) -> Result<bool> {
    let table = open(path)?;
    if !matches!(table.header.index_kind, IndexKind::UnlistedWins | IndexKind::UnlistedDraws) {
        return Err(TableError::foreign(
            path,
            "lists all its positions; only tables that leave an outcome out have a smaller form",
        ));
    }
    if table.form() == BlockForm::Coded {
        return Ok(false);
    }
    let blocks = entries(&table)?;
    let wrong_size = || table.damaged("a block has the wrong size");
    progress.begin("model", blocks.len() as u64);
    let count = |counts: &mut DecisionCounts, number: usize| {
        progress.advance(1);
        let block = &blocks[number];
        let plain = table.inflated(block)?;
        coded_block::count(&plain, block.rows as usize, runs(block), counts).ok_or_else(wrong_size)
    };
    let counts = parallel::try_fold(blocks.len(), DecisionCounts::new, count)?;
    let model = counts.iter().fold(DecisionCounts::new(), DecisionCounts::merge).model();
    progress.end("probabilities of all decisions");
    rewrite(&table, blocks, progress, |writer, blocks| {
        writer.append_model(&model, path)?;
        let coded = |block: &BlockEntry| {
            progress.advance(1);
            let (plain, rows) = (table.inflated(block)?, block.rows as usize);
            let coded = coded_block::encode(&plain, rows, runs(block), &model).ok_or_else(wrong_size)?;
            // The new table replaces the old one, so each block is decoded again and compared.
            let back = coded_block::decode(&coded, rows, plain.len(), &model);
            assert!(back.as_ref() == Some(&plain), "a coded block decodes to the bytes that were coded");
            Ok((plain.len() as u32, coded))
        };
        writer.append_made(blocks, coded, path)
    })?;
    Ok(true)
}

/// Rewrites a table with its blocks in the form [`BlockForm::Zstd`]. The result equals, byte for byte, the table that a
/// run writes. Returns false if the blocks have this form already.
///
/// # Errors
///
/// Returns an error if the table cannot be read or replaced. A damaged file stays as it is.
pub fn to_zstd(path: &Path, progress: &dyn Progress) -> Result<bool> {
    let table = open(path)?;
    if table.form() == BlockForm::Zstd {
        return Ok(false);
    }
    rewrite(&table, entries(&table)?, progress, |writer, blocks| {
        let packed = |block: &BlockEntry| {
            progress.advance(1);
            let plain = table.inflated(block)?;
            Ok((plain.len() as u32, pack(&plain, LISTED_LEVEL)))
        };
        writer.append_made(blocks, packed, path)
    })?;
    Ok(true)
}

fn open(path: &Path) -> Result<Table> {
    Table::open_any_game(pieces::open(path)?, path)
}

fn entries(table: &Table) -> Result<Vec<BlockEntry>> {
    (0..table.blocks()).map(|number| table.entry(number)).collect()
}

/// Replaces a table with one that has the same contents in a different form. `append` writes the blocks and returns
/// their places, in the order of `blocks`.
fn rewrite(
    table: &Table,
    mut blocks: Vec<BlockEntry>,
    progress: &dyn Progress,
    append: impl FnOnce(&mut Writer, &[BlockEntry]) -> Result<Vec<super::format::BlockPlace>>,
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
    let (part, file) = PartFile::create(path, Replaceable::table())?;
    let mut writer = Writer::new(file, LISTED_LEVEL);
    progress.begin("blocks", blocks.len() as u64);
    let packed = append(&mut writer, &blocks)?;
    blocks.iter_mut().zip(packed).for_each(|(block, packed)| block.packed = packed);
    writer.finish(&contents, &blocks, &meta, path)?;
    progress.end("all blocks written");
    part.finish(writer.file())?;
    pieces::remove(path)
}
