//! The steps of the kernel `tiers` over units: enumerate and solve.

use std::sync::Arc;

use super::cut_edges::CutEdge;
use super::run::{ClusterRun, Step};
use super::sheets::KeptSheets;
use crate::Result;
use crate::tiers::{LaneSheets, Moves, NodePart, Part, Row, RowSheets, Sheet, SheetMut, Tiered, enumerate, solve};
use yomikiri_rules::TextError;
use yomikiri_table::blocks::Lanes;
use yomikiri_table::memory::Zeros;
use yomikiri_table::{NewSection, Progress, SectionBlocks};

/// For each byte, a word that spreads the bits of that byte: byte `i` of the word, from the lowest on, is 0xff if bit
/// `i` is set, else 0.
const BYTES_OF_BITS: [u64; 256] = {
    let mut bytes = [0; 256];
    let mut number = 0;
    while number < 8 * 256 {
        let (bits, bit) = (number / 8, number % 8);
        if bits >> bit & 1 == 1 {
            bytes[bits] |= 0xff << (8 * bit);
        }
        number += 1;
    }
    bytes
};

impl<G: Tiered> ClusterRun<'_, G> {
    /// Takes units through a step, in the given order. Returns an error unless all have the same ply. Skips units that
    /// have finished the step. `kept` has the sheets (rows in memory) that earlier calls have kept, and this call adds
    /// its own. The earlier calls must be of this run, or of another run over the same files.
    pub fn work(&self, step: Step, units: &[usize], kept: &mut KeptSheets, progress: &dyn Progress) -> Result<()> {
        let plies = |&unit: &usize| self.tier_of(unit).map(|tier| self.graph[tier].ply);
        let ply = units.first().and_then(plies);
        if units.iter().any(|unit| plies(unit).is_none() || plies(unit) != ply) {
            return Err(TextError::new("units of a step", "must all exist and have the same ply").into());
        }
        // Nothing is read from a folder that does not belong to the run.
        self.check_begun()?;
        match step {
            Step::Enumerate => self.enumerate(units, kept, progress),
            Step::Solve => self.solve(units, kept, progress),
            Step::Audit => self.audit(units, kept, progress),
            Step::Pack => self.pack(units, progress),
        }
    }

    /// Returns the memory, in bytes, that remains for cached sheets while the largest of these units is worked on.
    pub(super) fn room(&self, step: Step, units: &[usize]) -> u64 {
        let needs = units.iter().map(|&unit| self.memory_of(step, unit)).max().unwrap_or(0);
        self.memory.saturating_sub(needs)
    }

    /// Returns a predicate that is true for units whose sheets are worth keeping for this step or the next one. These
    /// are the units of the ply that the step reads and, if the step makes sheets, of the ply of `units`.
    pub(super) fn is_of_use(&self, step: Step, units: &[usize]) -> impl Fn(usize) -> bool {
        let ply = |unit: usize| self.tier_of(unit).map_or(0, |tier| self.graph[tier].ply);
        let own = units.first().map_or(0, |&unit| ply(unit));
        let plies = match step {
            Step::Enumerate => own.saturating_sub(1)..=own,
            Step::Solve => own..=own + 1,
            Step::Audit | Step::Pack => own + 1..=own + 1,
        };
        move |unit| plies.contains(&ply(unit))
    }

    fn enumerate(&self, units: &[usize], kept: &mut KeptSheets, progress: &dyn Progress) -> Result<()> {
        let cache = kept.lanes(self.room(Step::Enumerate, units), self.is_of_use(Step::Enumerate, units));
        for &unit in units {
            if !self.has(Step::Enumerate, unit)? {
                let (tier, part) = self.part_of(unit);
                let node = &self.graph[tier];
                match part {
                    Some(part) => {
                        let lanes = self.reached(tier, part, cache)?;
                        let put = |section: NewSection| self.put(Step::Enumerate, unit, &section);
                        enumerate::with_section(self.game, node, part, &lanes, put)?;
                        cache.put(unit, Arc::new(lanes));
                    }
                    None => {
                        let unpinned = self.cuts[tier].parts[0].unpinned();
                        let mut lanes = vec![0; unpinned.rows()];
                        for edge in self.edges_into(tier).iter().filter(|edge| edge.is_common) {
                            let into = SheetMut { part: &unpinned, rows: &mut lanes };
                            self.reach(edge, Moves::Common, into, cache)?;
                        }
                        self.put_common_lanes(tier, &lanes)?;
                    }
                }
            }
            progress.advance(1);
        }
        Ok(())
    }

    /// Finds the positions of a part that can arise: for each row, the set of lanes that have a position.
    fn reached(&self, tier: usize, part: &Part, cache: &mut LaneSheets) -> Result<Zeros<Lanes>> {
        let mut lanes = enumerate::start(self.game, &self.graph, tier, part, cache)?;
        for edge in self.edges_into(tier) {
            if edge.is_common {
                let common = self.common_lanes(tier)?;
                self.game.reach_common(self.edge(&edge), &common, SheetMut { part, rows: &mut lanes });
            }
            self.reach(&edge, edge.moves_of_part(), SheetMut { part, rows: &mut lanes }, cache)?;
        }
        enumerate::finish(self.game, &self.graph[tier], part, &mut lanes);
        Ok(lanes)
    }

    /// Adds to `into` the lanes that the moves of an edge lead to, from all parts of the edge's parent tier.
    fn reach(&self, edge: &CutEdge<G>, moves: Moves, into: SheetMut<Lanes>, cache: &mut LaneSheets) -> Result<()> {
        let parent = edge.parent;
        for (number, from) in self.cuts[parent].parts.iter().enumerate() {
            if !edge.crossing.leads(moves, from, into.part) {
                continue;
            }
            let unit = self.firsts[parent] + number;
            let lanes = match cache.get(unit) {
                Some(lanes) => lanes,
                None => {
                    let section = self.section(Step::Enumerate, unit)?;
                    if section.count() == 0 {
                        continue;
                    }
                    let place = NodePart { node: &self.graph[parent], part: from };
                    enumerate::load(self.game, place, &section, unit, cache)?
                }
            };
            let into = SheetMut { part: into.part, rows: &mut *into.rows };
            self.game.reach(self.edge(edge), moves, Sheet { part: from, rows: &lanes }, into);
        }
        Ok(())
    }

    fn solve(&self, units: &[usize], kept: &mut KeptSheets, progress: &dyn Progress) -> Result<()> {
        let cache = kept.rows(Step::Solve, self.room(Step::Solve, units), self.is_of_use(Step::Solve, units));
        for &unit in units {
            let (tier, part) = self.part_of(unit);
            let node = &self.graph[tier];
            let is_made = self.has(Step::Solve, unit)?;
            match part {
                Some(_) if is_made => {}
                Some(part) => {
                    let reach = self.section(Step::Enumerate, unit)?;
                    if reach.count() == 0 {
                        let empty = solve::empty_section(enumerate::part_key(node, part), part.rows());
                        self.put(Step::Solve, unit, &empty)?;
                    } else {
                        let mut rows = self.valued(tier, part, cache)?;
                        let lanes = enumerate::stored_lanes(part, &reach)?;
                        let put = |section: NewSection| self.put(Step::Solve, unit, &section);
                        solve::with_section(self.game, NodePart { node, part }, &lanes, &rows, put)??;
                        if !part.is_whole() {
                            self.clear_unreached(tier, part, lanes, &mut rows);
                        }
                        self.game.lift(node, SheetMut { part, rows: &mut rows });
                        cache.put(unit, Arc::new(rows));
                    }
                }
                None if is_made => {}
                None => {
                    let unpinned = self.cuts[tier].parts[0].unpinned();
                    let mut rows = vec![Row::filled(self.game.worst(node.ply)); unpinned.rows()];
                    for edge in self.edges_out_of(tier).iter().filter(|edge| edge.is_common) {
                        let into = SheetMut { part: &unpinned, rows: &mut rows };
                        self.improve(edge, Moves::Common, into, cache)?;
                    }
                    self.put_common_rows(tier, &rows)?;
                }
            }
            if part.is_some() {
                // Nothing reads the unit's file of positions any more. It served to enumerate the tiers that the unit's
                // moves lead to, and these tiers are solved already.
                self.delete(Step::Enumerate, unit)?;
            }
            progress.advance(1);
        }
        Ok(())
    }

    /// Sets the bytes of lanes that cannot arise to 0, so that the sheet equals one that is read from a file. The files
    /// of common moves are made from such sheets, and these files must depend on nothing but the rules.
    fn clear_unreached(&self, tier: usize, part: &Part, mut lanes: Zeros<Lanes>, rows: &mut [Row]) {
        enumerate::fill_images(&self.game.images(&self.graph[tier]), part, &mut lanes);
        for (row, lanes) in rows.iter_mut().zip(&lanes[..]) {
            for (bytes, set) in row.0.as_chunks_mut().0.iter_mut().zip(lanes.to_le_bytes()) {
                *bytes = (u64::from_le_bytes(*bytes) & BYTES_OF_BITS[usize::from(set)]).to_le_bytes();
            }
        }
    }

    /// Finds the values of a part's rows, as absolute bytes (the larger, the better for Black). The rows are not lifted
    /// yet; [`Tiered`] explains both terms.
    fn valued(&self, tier: usize, part: &Part, cache: &mut RowSheets) -> Result<Zeros<Row>> {
        let node = &self.graph[tier];
        let mut rows = cache.fresh(part.rows(), Row::filled(self.game.worst(node.ply)))?;
        for edge in self.edges_out_of(tier) {
            if edge.is_common {
                let common = self.common_rows(tier)?;
                self.game.improve_common(self.edge(&edge), &common, SheetMut { part, rows: &mut rows });
            }
            self.improve(&edge, edge.moves_of_part(), SheetMut { part, rows: &mut rows }, cache)?;
        }
        self.game.end_rows(node, SheetMut { part, rows: &mut rows });
        Ok(rows)
    }

    /// Improves the values of the rows `into` by the moves of an edge into all parts of its child tier. Parts without
    /// undecided positions are read, too, because moves into them can end the game.
    fn improve(&self, edge: &CutEdge<G>, moves: Moves, into: SheetMut<Row>, cache: &mut RowSheets) -> Result<()> {
        for (number, from) in self.cuts[edge.child].parts.iter().enumerate() {
            if !edge.crossing.leads(moves, into.part, from) {
                continue;
            }
            let unit = self.firsts[edge.child] + number;
            let rows = match cache.get(unit) {
                Some(rows) => rows,
                None => {
                    let section = self.section(Step::Solve, unit)?;
                    let place = NodePart { node: &self.graph[edge.child], part: from };
                    solve::load(self.game, place, &section, unit, cache)?
                }
            };
            let into = SheetMut { part: into.part, rows: &mut *into.rows };
            self.game.improve(self.edge(edge), moves, Sheet { part: from, rows: &rows }, into);
        }
        Ok(())
    }
}
