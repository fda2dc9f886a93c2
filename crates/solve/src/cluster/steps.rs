//! The steps of the kernel over units: enumerate and solve.

use super::run::{ClusterRun, Step};
use super::ways::Way;
use crate::memory::Zeros;
use crate::tiers::{LaneSheets, Moves, Part, Row, RowSheets, Sheet, SheetMut, Tiered, enumerate, solve};
use crate::{Result, SolveError};
use yomikiri_table::blocks::Lanes;
use yomikiri_table::{NewSection, Progress, SectionBlocks};

impl<G: Tiered> ClusterRun<'_, G> {
    /// Takes some units of one ply through a step, in their order; those that have come through it are passed over.
    pub fn work(&self, step: Step, units: &[usize], progress: &dyn Progress) -> Result<()> {
        let plies = |&unit: &usize| self.tier_of(unit).map(|tier| self.graph[tier].ply);
        let ply = units.first().and_then(plies);
        if units.iter().any(|unit| plies(unit).is_none() || plies(unit) != ply) {
            return Err(SolveError::TooLarge("the units of a step are of one ply of the board".into()));
        }
        match step {
            Step::Enumerate => self.enumerate(units, progress),
            Step::Solve => self.solve(units, progress),
            Step::Audit => self.audit(units, progress),
            Step::Pack => self.pack(units, progress),
        }
    }

    /// What is left of the memory for sheets that several units need.
    pub(super) fn room(&self, step: Step, units: &[usize]) -> u64 {
        let needs = units.iter().map(|&unit| self.memory_of(step, unit)).max().unwrap_or(0);
        self.memory.saturating_sub(needs)
    }

    fn enumerate(&self, units: &[usize], progress: &dyn Progress) -> Result<()> {
        let mut cache = LaneSheets::new(self.room(Step::Enumerate, units));
        for &unit in units {
            if !self.has(Step::Enumerate, unit)? {
                let (tier, part) = self.part_of(unit);
                let node = &self.graph[tier];
                match part {
                    Some(part) => {
                        let lanes = self.reached(tier, part, &mut cache)?;
                        let put = |section: NewSection| self.put(Step::Enumerate, unit, &section);
                        enumerate::with_section(self.game, node, part, &lanes, put)?;
                        cache.give_back(lanes);
                    }
                    None => {
                        let unpinned = self.cuts[tier].parts[0].unpinned();
                        let mut lanes = vec![0; unpinned.rows()];
                        for way in self.ways_into(tier).iter().filter(|way| way.is_common) {
                            let into = SheetMut { part: &unpinned, rows: &mut lanes };
                            self.reach(way, Moves::Common, into, &mut cache)?;
                        }
                        self.put_common_lanes(tier, &lanes)?;
                    }
                }
            }
            progress.advance(1);
        }
        Ok(())
    }

    /// The lanes of a part that can arise.
    fn reached(&self, tier: usize, part: &Part, cache: &mut LaneSheets) -> Result<Zeros<Lanes>> {
        let mut lanes = enumerate::start(self.game, &self.graph, (tier, part), cache);
        for way in self.ways_into(tier) {
            if way.is_common {
                let common = self.common_lanes(tier)?;
                self.game.reach_common(self.edge(&way), &common, SheetMut { part, rows: &mut lanes });
            }
            self.reach(&way, way.moves_of_part(), SheetMut { part, rows: &mut lanes }, cache)?;
        }
        enumerate::finish(self.game, &self.graph[tier], part, &mut lanes);
        Ok(lanes)
    }

    /// Adds what moves from a parent reach.
    fn reach(&self, way: &Way<G>, moves: Moves, into: SheetMut<Lanes>, cache: &mut LaneSheets) -> Result<()> {
        let parent = way.parent;
        for (number, from) in self.cuts[parent].parts.iter().enumerate() {
            if !way.crossing.leads(moves, from, into.part) {
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
                    enumerate::load(self.game, &self.graph[parent], from, &section, (unit, &mut *cache))?
                }
            };
            let into = SheetMut { part: into.part, rows: &mut *into.rows };
            self.game.reach(self.edge(way), moves, Sheet { part: from, rows: &lanes }, into);
        }
        Ok(())
    }

    fn solve(&self, units: &[usize], progress: &dyn Progress) -> Result<()> {
        let mut cache = RowSheets::new(self.room(Step::Solve, units));
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
                        let rows = self.valued(tier, part, &mut cache)?;
                        let lanes = enumerate::stored_lanes(part, &reach)?;
                        let put = |section: NewSection| self.put(Step::Solve, unit, &section);
                        solve::with_section(self.game, node, part, (&lanes, &rows), put)??;
                        cache.give_back(rows);
                    }
                }
                None if is_made => {}
                None => {
                    let unpinned = self.cuts[tier].parts[0].unpinned();
                    let mut rows = vec![Row::filled(self.game.worst(node.ply)); unpinned.rows()];
                    for way in self.ways_out_of(tier).iter().filter(|way| way.is_common) {
                        let into = SheetMut { part: &unpinned, rows: &mut rows };
                        self.improve(way, Moves::Common, into, &mut cache)?;
                    }
                    self.put_common_rows(tier, &rows)?;
                }
            }
            if part.is_some() {
                // Whoever needs it has come through the step before: the tiers to which moves lead are solved.
                self.delete(Step::Enumerate, unit)?;
            }
            progress.advance(1);
        }
        Ok(())
    }

    /// The values of a part's rows, absolute bytes that are not lifted.
    fn valued(&self, tier: usize, part: &Part, cache: &mut RowSheets) -> Result<Zeros<Row>> {
        let node = &self.graph[tier];
        let mut rows = cache.fresh(part.rows(), Row::filled(self.game.worst(node.ply)));
        for way in self.ways_out_of(tier) {
            if way.is_common {
                let common = self.common_rows(tier)?;
                self.game.improve_common(self.edge(&way), &common, SheetMut { part, rows: &mut rows });
            }
            self.improve(&way, way.moves_of_part(), SheetMut { part, rows: &mut rows }, cache)?;
        }
        self.game.end_rows(node, SheetMut { part, rows: &mut rows });
        Ok(rows)
    }

    /// Improves rows by moves to a child. A part without open positions still tells who has won in it.
    fn improve(&self, way: &Way<G>, moves: Moves, into: SheetMut<Row>, cache: &mut RowSheets) -> Result<()> {
        for (number, from) in self.cuts[way.child].parts.iter().enumerate() {
            if !way.crossing.leads(moves, into.part, from) {
                continue;
            }
            let unit = self.firsts[way.child] + number;
            let rows = match cache.get(unit) {
                Some(rows) => rows,
                None => {
                    let section = self.section(Step::Solve, unit)?;
                    solve::load(self.game, &self.graph[way.child], from, &section, (unit, &mut *cache))?
                }
            };
            let into = SheetMut { part: into.part, rows: &mut *into.rows };
            self.game.improve(self.edge(way), moves, Sheet { part: from, rows: &rows }, into);
        }
        Ok(())
    }
}
