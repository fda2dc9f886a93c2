//! The audit of a run's values, by groups of units. A unit is a part of a tier, or the moves that are common to all
//! parts of a tier. The audit of a group first writes its marks: the positions that the group's moves lead to. Then it
//! writes a line of JSON with the units that have passed. Only then does it delete the marks on the group's own units.
//! So an interrupted audit can be repeated.

use std::collections::HashMap;
use std::path::Path;
use std::sync::atomic::Ordering;

use serde::{Deserialize, Serialize};

use super::files::{MARKS, damaged};
use super::run::{ClusterRun, Step};
use super::sheets::KeptSheets;
use crate::Result;
use crate::audit::{Audit, AuditedSections, KeepMarks, Marks, PartPlace};
use crate::tiers::{Cut, Row, Tiered};
use crate::tiers::{enumerate, solve};
use crate::two_steps::with_words;
use yomikiri_table::blocks::{Lanes, ROWS_PER_BLOCK, encode_block};
use yomikiri_table::{NewSection, Progress, SectionBlocks, TableError, Tally, json_lines};

/// The content of a group's file, a line of JSON with a checksum: the units of the group that have passed the audit.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Passed {
    /// The name of the group, which is also the name of the group's file.
    group: String,
    units: Vec<usize>,
}

impl<G: Tiered> ClusterRun<'_, G> {
    /// Returns the units of a group that have passed the audit; empty if the group has not been audited.
    pub(super) fn passed(&self, group: &str) -> Result<Vec<usize>> {
        let name = self.path_in(Step::Audit.folder(), group);
        let Some(bytes) = self.storage.get(&name)? else { return Ok(Vec::new()) };
        let line = std::str::from_utf8(&bytes).unwrap_or_default();
        match json_lines::read::<Passed>(line) {
            Ok(passed) if passed.group == group => Ok(passed.units),
            _ => Err(damaged(&self.storage.path(&name)).into()),
        }
    }

    /// Audits a group of units, unless all of them have passed the audit already.
    pub(super) fn audit(&self, units: &[usize], kept: &mut KeptSheets, progress: &dyn Progress) -> Result<()> {
        let Some(&first) = units.first() else { return Ok(()) };
        let group = self.group_name(first);
        let passed = self.passed(&group)?;
        if units.iter().all(|unit| passed.contains(unit)) {
            progress.advance(units.len() as u64);
            return Ok(());
        }
        let audited = RunValues(self);
        let audit = Audit::new(self.game, &self.graph, &audited);
        let room = self.room(Step::Audit, units);
        // A quarter of the free memory, `room`, is for marks that wait in memory. A sixteenth is for the marks on the
        // parts that a unit's moves lead into: the sheets of these parts take half of the cache, and the marks on a
        // part take an eighth of its sheet.
        let cache = kept.rows(Step::Audit, room - room / 4 - room / 16, self.is_of_use(Step::Audit, units));
        let mut marks = GroupMarks { run: self, group: &group, kept: HashMap::new(), room: room / 4, written: 0 };
        for &unit in units {
            let (tier, part) = self.part_of(unit);
            match part {
                None => {
                    let (lanes, best) = audit.common(tier, &mut marks, cache)?;
                    self.put_common_best(tier, &lanes, &best)?;
                }
                Some(_) => {
                    let seen = self.marks(&audit, unit)?;
                    let common = if self.has_common_moves(tier) { Some(self.common_best(tier)?) } else { None };
                    let mut tally = Tally::default();
                    let place = PartPlace { tier, part: unit - self.firsts[tier] };
                    audit.part(place, Some(seen), common.as_deref(), &mut marks, cache, &mut tally)?;
                    if tally != self.part_entry(unit)?.tally {
                        let path = self.storage.path(&self.name(Step::Solve, unit));
                        return Err(TableError::damaged(&path, "its counts do not match its positions").into());
                    }
                }
            }
            progress.advance(1);
        }
        marks.write_all()?;
        let line = json_lines::write(&Passed { group: group.clone(), units: units.to_vec() });
        self.put_bytes(&self.path_in(Step::Audit.folder(), &group), line.into_bytes())?;
        for &unit in units.iter().filter(|&&unit| unit < self.parts()) {
            let folder = format!("{MARKS}/{}", self.unit_name(unit));
            for name in self.names(&folder)? {
                self.delete_file(&self.path_in(&folder, &name))?;
            }
        }
        Ok(())
    }

    /// Returns the name of the group whose first unit is `first`.
    fn group_name(&self, first: usize) -> String {
        let common = if first < self.parts() { "" } else { "common-" };
        format!("{common}{}", self.unit_name(first))
    }

    /// Reads the marks on a part: its positions that the moves of earlier groups lead to.
    fn marks(&self, audit: &Audit<G>, unit: usize) -> Result<Marks> {
        let (tier, part) = self.part_of(unit);
        let (node, part) = (&self.graph[tier], part.expect("marks are of parts"));
        let mut marks = if tier == 0 { audit.start_seen(part)? } else { Marks::new(part)? };
        let folder = format!("{MARKS}/{}", self.unit_name(unit));
        for name in self.names(&folder)? {
            let file = self.file(&self.path_in(&folder, &name), MARKS, enumerate::part_key(node, part), part.rows())?;
            marks.add(&file, ROWS_PER_BLOCK)?;
        }
        Ok(marks)
    }

    /// Reads the grades of the best moves among those that are common to all parts of a tier: a byte for each lane,
    /// larger for a better move. The rows are those of [`crate::tiers::Part::unpinned`].
    fn common_best(&self, tier: usize) -> Result<Vec<Row>> {
        let unpinned = self.cuts[tier].parts[0].unpinned();
        let section = self.common_file(Step::Audit, tier, unpinned.rows())?;
        Ok(solve::stored_rows(&unpinned, &section, |byte| byte)?)
    }

    fn put_common_best(&self, tier: usize, lanes: &[Lanes], best: &[Row]) -> Result<()> {
        let plain = |block: usize| {
            let first = block * ROWS_PER_BLOCK;
            let end = (first + ROWS_PER_BLOCK).min(lanes.len());
            encode_block(&lanes[first..end], |row, lane| best[first + row].0[lane])
        };
        let blocks = lanes.len().div_ceil(ROWS_PER_BLOCK);
        let key = self.graph[tier].base;
        let section = NewSection { key, rows: lanes.len() as u64, tally: Tally::default(), blocks, plain: &plain };
        let name = self.name(Step::Audit, self.shared_unit(tier));
        self.put_section(&name, &Step::Audit.common_folder(), &section)
    }
}

/// The marks that the audit of a group makes, which are the positions that the group's moves lead to. Marks on tiers
/// that are not cut stay in memory until the group is done. Marks on parts of cut tiers stay in memory while they fit
/// `room`; all others are written to files as soon as a unit has made them.
struct GroupMarks<'r, 'a, G: Tiered> {
    run: &'r ClusterRun<'a, G>,
    group: &'r str,
    kept: HashMap<PartPlace, Marks>,
    /// The memory left for marks, in bytes.
    room: u64,
    /// The number of files written so far.
    written: usize,
}

impl<G: Tiered> GroupMarks<'_, '_, G> {
    fn write(&mut self, PartPlace { tier, part }: PartPlace, marks: &Marks) -> Result<()> {
        let run = self.run;
        let (node, unit) = (&run.graph[tier], run.firsts[tier] + part);
        let part = &run.cuts[tier].parts[part];
        let word = |row: usize| marks.0[row].load(Ordering::Relaxed);
        let folder = format!("{MARKS}/{}", run.unit_name(unit));
        let name = run.path_in(&folder, &format!("{}-{:04}", self.group, self.written));
        self.written += 1;
        with_words(enumerate::part_words(node, part), word, |section| run.put_section(&name, MARKS, &section))
    }

    fn write_all(mut self) -> Result<()> {
        let mut kept: Vec<_> = std::mem::take(&mut self.kept).into_iter().collect();
        kept.sort_unstable_by_key(|(place, _)| *place);
        kept.iter().try_for_each(|(place, marks)| self.write(*place, marks))
    }
}

impl<G: Tiered> KeepMarks for GroupMarks<'_, '_, G> {
    fn take(&mut self, tier: usize, part: usize) -> Result<Option<Marks>> {
        let marks = self.kept.remove(&PartPlace { tier, part });
        self.room += marks.as_ref().map_or(0, Marks::bytes);
        Ok(marks)
    }

    fn put(&mut self, tier: usize, part: usize, marks: Marks) -> Result<()> {
        let bytes = marks.bytes();
        if !self.run.cuts[tier].is_whole() && bytes > self.room {
            return self.write(PartPlace { tier, part }, &marks);
        }
        self.room = self.room.saturating_sub(bytes);
        self.kept.insert(PartPlace { tier, part }, marks);
        Ok(())
    }
}

/// The values of a run, as the audit reads them.
struct RunValues<'r, 'a, G: Tiered>(&'r ClusterRun<'a, G>);

impl<G: Tiered> AuditedSections for RunValues<'_, '_, G> {
    fn path(&self) -> &Path {
        Path::new(&self.0.folder)
    }

    fn cut(&self, number: usize) -> &Cut {
        &self.0.cuts[number]
    }

    fn unit(&self, number: usize, part: usize) -> usize {
        self.0.firsts[number] + part
    }

    fn section(&self, number: usize, part: usize) -> Result<Option<Box<dyn SectionBlocks + '_>>> {
        let section = self.0.section(Step::Solve, self.unit(number, part))?;
        Ok((section.count() > 0).then(|| Box::new(section) as Box<dyn SectionBlocks>))
    }
}
