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

/// The result of a request to pack a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Packing {
    /// The table has been rewritten in its smaller form.
    Packed,
    /// The table had that form already.
    AlreadyPacked,
    /// The table has stayed as it was, because that form is not smaller. This happens to small tables.
    NotSmaller,
}

/// Rewrites a table with its blocks in the form [`BlockForm::Coded`]. The table must leave out an outcome, such as
/// wins. `runs` returns the layout of the runs (series of keys of similar positions) in a block. Returns false if the
/// blocks have this form already.
///
/// # Errors
///
/// Returns an error if the table lists all its positions, or cannot be read or replaced. A damaged file stays as it is.
pub fn to_coded(path: &Path, runs: impl Fn(&BlockEntry) -> Runs + Sync, progress: &dyn Progress) -> Result<bool> {
    Ok(to_coded_below(path, u64::MAX, runs, progress)? == Packing::Packed)
}

/// Like [`to_coded`], but keeps the table as it is if the new form is not smaller.
pub fn to_smaller(path: &Path, runs: impl Fn(&BlockEntry) -> Runs + Sync, progress: &dyn Progress) -> Result<Packing> {
    to_coded_below(path, pieces::open(path)?.length(), runs, progress)
}

/// Like [`to_coded`], but keeps the table as it is unless the new form has fewer than `limit` bytes.
fn to_coded_below(
    path: &Path,
    limit: u64,
    runs: impl Fn(&BlockEntry) -> Runs + Sync,
    progress: &dyn Progress,
) -> Result<Packing> {
    let table = open(path)?;
    if !matches!(table.header.index_kind, IndexKind::UnlistedWins | IndexKind::UnlistedDraws) {
        return Err(TableError::foreign(
            path,
            "lists all its positions; only tables that leave an outcome out have a smaller form",
        ));
    }
    if table.form() == BlockForm::Coded {
        return Ok(Packing::AlreadyPacked);
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
    let rewritten = RewrittenTable::write(&table, blocks, progress, |writer, blocks| {
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
    if rewritten.length()? >= limit {
        return Ok(Packing::NotSmaller);
    }
    rewritten.replace(path)?;
    Ok(Packing::Packed)
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
    let rewritten = RewrittenTable::write(&table, entries(&table)?, progress, |writer, blocks| {
        let packed = |block: &BlockEntry| {
            progress.advance(1);
            let plain = table.inflated(block)?;
            Ok((plain.len() as u32, pack(&plain, LISTED_LEVEL)))
        };
        writer.append_made(blocks, packed, path)
    })?;
    rewritten.replace(path)?;
    Ok(true)
}

fn open(path: &Path) -> Result<Table> {
    Table::open_any_game(pieces::open(path)?, path)
}

fn entries(table: &Table) -> Result<Vec<BlockEntry>> {
    (0..table.blocks()).map(|number| table.entry(number)).collect()
}

/// A table with the contents of another one in a different form, still under a temporary name. Dropping it deletes the
/// file. The fields are dropped in this order, so the file is closed first.
struct RewrittenTable {
    writer: Writer,
    part: PartFile,
}

impl RewrittenTable {
    /// Writes the contents of `table`. `append` writes the blocks and returns their places, in the order of `blocks`.
    fn write(
        table: &Table,
        mut blocks: Vec<BlockEntry>,
        progress: &dyn Progress,
        append: impl FnOnce(&mut Writer, &[BlockEntry]) -> Result<Vec<super::format::BlockPlace>>,
    ) -> Result<RewrittenTable> {
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
        Ok(RewrittenTable { writer, part })
    }

    /// Returns the length of the file in bytes.
    fn length(&self) -> Result<u64> {
        let place = self.part.place();
        Ok(place.metadata().map_err(TableError::io(place))?.len())
    }

    /// Puts the file in place of the table at `path`, and deletes the pieces of that table, if it is in pieces.
    fn replace(self, path: &Path) -> Result<()> {
        self.part.finish(self.writer.file())?;
        pieces::remove(path)
    }
}
