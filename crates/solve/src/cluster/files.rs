//! The files of a run: their names, and checks that each file holds the section that its name promises.

use std::path::Path;
use std::sync::atomic::Ordering;

use super::run::{ClusterRun, Step};
use crate::Result;
use crate::tiers::{Row, Tiered, enumerate};
use crate::two_steps::{WordSection, read_words, with_words};
use yomikiri_table::blocks::{Lanes, ROWS_PER_BLOCK};
use yomikiri_table::{Identity, NewSection, PutPolicy, SectionBlocks, SectionFile, SectionRecord, TableError, Tally};

/// The folder for marks: the positions that moves lead to.
pub(super) const MARKS: &str = "marks";

impl Step {
    /// Returns the name of the folder for the step's files. The name is also the purpose ([`Identity::purpose`]) that
    /// the step's section files state.
    pub(super) fn folder(self) -> &'static str {
        match self {
            Step::Enumerate => "reach",
            Step::Solve | Step::Pack => "values",
            Step::Audit => "audit",
        }
    }

    /// Returns the name of the folder for results of the moves that are common to all parts of a tier.
    pub(super) fn common_folder(self) -> String {
        format!("common/{}", self.folder())
    }
}

impl<G: Tiered> ClusterRun<'_, G> {
    /// Returns the name of a unit's files: the index of its tier and, if the tier is cut, the index of its part.
    pub(super) fn unit_name(&self, unit: usize) -> String {
        let (tier, part) = self.part_of(unit);
        match part.filter(|part| !part.is_whole()) {
            Some(_) => format!("{tier:06}-{:02}", unit - self.firsts[tier]),
            None => format!("{tier:06}"),
        }
    }

    /// Returns the unit whose files have this name; `None` if there is none. If a tier is cut, a name without a part
    /// belongs to its shared unit, which makes the moves that are common to all parts.
    fn unit_called(&self, name: &str) -> Option<usize> {
        let (tier, part) = name.split_once('-').map_or((name, None), |(tier, part)| (tier, Some(part)));
        let tier: usize = tier.parse().ok().filter(|&tier| tier < self.graph.len())?;
        let cut = &self.cuts[tier];
        match part {
            None if cut.is_whole() => Some(self.firsts[tier]),
            None => Some(self.shared_unit(tier)),
            Some(part) => {
                let part: usize = part.parse().ok().filter(|&part| part < cut.parts.len() && !cut.is_whole())?;
                Some(self.firsts[tier] + part)
            }
        }
    }

    pub(super) fn path_in(&self, folder: &str, name: &str) -> String {
        format!("{}/{folder}/{name}", self.folder)
    }

    /// Returns the path of a unit's file for a step.
    pub(super) fn name(&self, step: Step, unit: usize) -> String {
        let is_common = step != Step::Pack && unit >= self.parts();
        let folder = if is_common { step.common_folder() } else { step.folder().into() };
        self.path_in(&folder, &self.unit_name(unit))
    }

    pub(super) fn identity(&self, purpose: &str) -> Identity {
        Identity::of(self.game, purpose)
    }

    /// Returns the names of the files in a folder, without the folder's own name.
    pub(super) fn names(&self, folder: &str) -> Result<Vec<String>> {
        let files = self.storage.list(&format!("{}/{folder}", self.folder))?;
        Ok(files.into_iter().filter_map(|(name, _)| Some(name.rsplit('/').next()?.to_string())).collect())
    }

    /// Returns the units that have finished a step, in ascending order.
    pub fn finished(&self, step: Step) -> Result<Vec<usize>> {
        let mut units = Vec::new();
        let is_part = |unit: &usize| *unit < self.parts();
        for name in self.names(step.folder())? {
            match (step, self.unit_called(&name)) {
                (Step::Audit, _) => units.extend(self.passed(&name)?),
                (Step::Pack, unit) => units.extend(unit.filter(|unit| !is_part(unit))),
                (Step::Enumerate | Step::Solve, unit) => units.extend(unit.filter(is_part)),
            }
        }
        if matches!(step, Step::Enumerate | Step::Solve) {
            let names = self.names(&step.common_folder())?;
            units.extend(names.iter().filter_map(|name| self.unit_called(name)).filter(|unit| !is_part(unit)));
            // A part's file is deleted once the next step has written its own. So parts that have finished the next
            // step count as finished here, too.
            let next = if step == Step::Enumerate { Step::Solve } else { Step::Pack };
            for unit in self.finished(next)? {
                match unit.checked_sub(self.parts()) {
                    None => units.push(unit),
                    Some(tier) if next == Step::Pack => units.extend(self.firsts[tier]..self.firsts[tier + 1]),
                    Some(_) => {}
                }
            }
        }
        units.retain(|&unit| self.tier_of(unit).is_some());
        units.sort_unstable();
        units.dedup();
        Ok(units)
    }

    /// Returns true if a unit's file for a step exists.
    pub(super) fn has(&self, step: Step, unit: usize) -> Result<bool> {
        Ok(self.storage.open(&self.name(step, unit))?.is_some())
    }

    pub(super) fn delete(&self, step: Step, unit: usize) -> Result<()> {
        self.delete_file(&self.name(step, unit))
    }

    /// Deletes a file in the folder of the run.
    pub(super) fn delete_file(&self, name: &str) -> Result<()> {
        self.check_begun()?;
        Ok(self.storage.delete(name)?)
    }

    /// Reads the section that a step has written for a part.
    pub(super) fn section(&self, step: Step, unit: usize) -> Result<SectionFile> {
        let (key, rows) = self.place(unit);
        self.file(&self.name(step, unit), step.folder(), key, rows)
    }

    /// Reads the section of values of a whole tier.
    pub(super) fn packed(&self, tier: usize) -> Result<SectionFile> {
        let node = &self.graph[tier];
        self.file(&self.packed_name(tier), Step::Pack.folder(), node.base, node.rows)
    }

    pub(super) fn packed_name(&self, tier: usize) -> String {
        self.path_in(Step::Pack.folder(), &format!("{tier:06}"))
    }

    /// Returns the key of a part's first row, and the number of rows of the part.
    fn place(&self, unit: usize) -> (u64, usize) {
        let (tier, part) = self.part_of(unit);
        let node = &self.graph[tier];
        part.map_or((node.base, node.rows), |part| (enumerate::part_key(node, part), part.rows()))
    }

    /// Reads the section in a file. Checks its identity, its key and its number of rows.
    pub(super) fn file(&self, name: &str, purpose: &str, key: u64, rows: usize) -> Result<SectionFile> {
        let path = self.storage.path(name);
        let bytes = self.storage.get(name)?.ok_or_else(|| missing(&path))?;
        self.read.fetch_add(bytes.len() as u64, Ordering::Relaxed);
        let file = SectionFile::decode(bytes, &path, &self.identity(purpose)).map_err(with_remedy)?;
        check_entry(file.entry(), key, rows, &path)?;
        Ok(file)
    }

    /// Reads the record of the section that has a part's values: the section's key, counts and blocks' places, but no
    /// values.
    pub(super) fn part_entry(&self, unit: usize) -> Result<SectionRecord> {
        let (key, rows) = self.place(unit);
        self.entry(&self.name(Step::Solve, unit), key, rows)
    }

    /// Reads the record of the section that has a tier's values: the section's key, counts and blocks' places, but no
    /// values.
    pub(super) fn tier_entry(&self, tier: usize) -> Result<SectionRecord> {
        let node = &self.graph[tier];
        self.entry(&self.packed_name(tier), node.base, node.rows)
    }

    fn entry(&self, name: &str, key: u64, rows: usize) -> Result<SectionRecord> {
        let path = self.storage.path(name);
        let file = self.storage.open(name)?.ok_or_else(|| missing(&path))?;
        let identity = self.identity(Step::Solve.folder());
        let entry = SectionFile::read_entry(&*file, &path, &identity).map_err(with_remedy)?;
        check_entry(&entry, key, rows, &path)?;
        Ok(entry)
    }

    pub(super) fn put(&self, step: Step, unit: usize, section: &NewSection) -> Result<()> {
        self.put_section(&self.name(step, unit), step.folder(), section)
    }

    pub(super) fn put_section(&self, name: &str, purpose: &str, section: &NewSection) -> Result<()> {
        self.put_bytes(name, SectionFile::encode(section, &self.identity(purpose)))
    }

    /// Writes a file in the folder of the run.
    pub(super) fn put_bytes(&self, name: &str, bytes: Vec<u8>) -> Result<()> {
        self.check_begun()?;
        self.written.fetch_add(bytes.len() as u64, Ordering::Relaxed);
        Ok(self.storage.put(name, bytes, PutPolicy::Any)?)
    }

    /// Reads the lanes that the common moves ([`crate::tiers::Moves::Common`]) into a tier lead to. Entry `i` is for
    /// row index `i` of [`crate::tiers::Part::unpinned`].
    pub(super) fn common_lanes(&self, tier: usize) -> Result<Vec<Lanes>> {
        let rows = self.cuts[tier].parts[0].unpinned().rows();
        Ok(read_words(&self.common_file(Step::Enumerate, tier, rows)?, rows, ROWS_PER_BLOCK)?)
    }

    pub(super) fn put_common_lanes(&self, tier: usize, lanes: &[Lanes]) -> Result<()> {
        let (node, folder) = (&self.graph[tier], Step::Enumerate.common_folder());
        let name = self.name(Step::Enumerate, self.shared_unit(tier));
        let form = WordSection { key: node.base, ply: node.ply, words: lanes.len(), block: ROWS_PER_BLOCK };
        with_words(form, |at| lanes[at], |section| self.put_section(&name, &folder, &section))
    }

    pub(super) fn common_file(&self, step: Step, tier: usize, rows: usize) -> Result<SectionFile> {
        let name = self.name(step, self.shared_unit(tier));
        self.file(&name, &step.common_folder(), self.graph[tier].base, rows)
    }

    /// Reads the values that the common moves ([`crate::tiers::Moves::Common`]) out of a tier give. Entry `i` is for
    /// row index `i` of [`crate::tiers::Part::unpinned`]. The file has 64 bytes for each row.
    pub(super) fn common_rows(&self, tier: usize) -> Result<Vec<Row>> {
        let mut rows = vec![Row::filled(0); self.cuts[tier].parts[0].unpinned().rows()];
        let section = self.common_file(Step::Solve, tier, rows.len())?;
        for (block, rows) in rows.chunks_mut(ROWS_PER_BLOCK).enumerate() {
            let bytes = section.block(block)?;
            if bytes.len() != size_of_val(rows) {
                return Err(section.damaged("a block of values has the wrong size").into());
            }
            rows.iter_mut().zip(bytes.as_chunks().0).for_each(|(row, bytes)| row.0 = *bytes);
        }
        Ok(rows)
    }

    pub(super) fn put_common_rows(&self, tier: usize, rows: &[Row]) -> Result<()> {
        let plain = |block: usize| {
            let rows = rows.chunks(ROWS_PER_BLOCK).nth(block).into_iter().flatten();
            rows.flat_map(|row| row.0).collect()
        };
        let section = NewSection {
            key: self.graph[tier].base,
            rows: rows.len() as u64,
            tally: Tally::default(),
            blocks: rows.len().div_ceil(ROWS_PER_BLOCK),
            plain: &plain,
        };
        let name = self.name(Step::Solve, self.shared_unit(tier));
        self.put_section(&name, &Step::Solve.common_folder(), &section)
    }

    /// Deletes the files of the run, then its folders unless they hold anything else.
    pub fn clean(&self) -> Result<()> {
        self.check_begun()?;
        let folders = Step::ALL.iter().flat_map(|step| [step.folder().into(), step.common_folder()]);
        let marks = (0..self.parts()).map(|unit| format!("{MARKS}/{}", self.unit_name(unit)));
        for folder in folders.chain(marks) {
            for name in self.names(&folder)?.iter().filter(|name| is_of_run(name)) {
                self.delete_file(&self.path_in(&folder, name))?;
            }
        }
        self.forget_folder()
    }
}

/// Returns true if a file of a run may have this name. Names consist of the indices of tiers and parts, the word
/// `common`, and the serial numbers of the files that a group has written.
fn is_of_run(name: &str) -> bool {
    let number = name.strip_prefix("common-").unwrap_or(name);
    number.bytes().all(|byte| byte.is_ascii_digit() || byte == b'-')
        || number.split_once("-common-").is_some_and(|(first, rest)| is_of_run(first) && is_of_run(rest))
}

fn check_entry(entry: &SectionRecord, key: u64, rows: usize, path: &Path) -> Result<(), TableError> {
    if (entry.key, entry.rows) == (key, rows as u64) { Ok(()) } else { Err(damaged(path)) }
}

pub(super) fn missing(path: &Path) -> TableError {
    TableError::foreign(path, "does not exist; an earlier step has to write it first")
}

pub(super) fn damaged(path: &Path) -> TableError {
    with_remedy(TableError::damaged(path, "does not have the contents that the run wrote"))
}

/// Adds the remedy to an error about damage: to delete the file, so that it is made again.
fn with_remedy(error: TableError) -> TableError {
    match error {
        TableError::Damaged { path, what } => {
            TableError::Damaged { path, what: format!("{what}; delete the file and repeat the command") }
        }
        other => other,
    }
}
