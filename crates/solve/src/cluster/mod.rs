//! A whole board made by many machines: every machine takes some parts of tiers of one ply through one step, and what
//! is finished lies in a storage that all of them see, a section in a file of its own. Who does what, and when, is
//! decided elsewhere; a step may be done twice or broken off at any moment, for its files are there whole or not at all
//! and depend on nothing but the rules.
//!
//! What is taken through a step is a *unit*, and has a number: first all parts of all tiers, in their order, then for
//! every tier what its parts share. The files of a unit are named by its tier, and its part if the tier is cut
//! (`000123-05`). Below the folder of a run lie `reach/UNIT` (positions that can arise), `values/UNIT`,
//! `marks/UNIT/GROUP` (where the moves of a group of units have led to, until the unit they lead to is audited),
//! `audit/GROUP`, a line of JSON that says which units have passed, and `common/STEP/TIER`, what the moves that are
//! common to all parts of a tier make. A group is named by its first unit.

mod audit;
mod files;
mod pack;
mod tables;
mod units;
mod ways;

use std::sync::atomic::{AtomicU64, Ordering};

use crate::cache::Cache;
use crate::tiers::{Cut, Link, Moves, NodeOf, Part, Row, Sheet, SheetMut, Tiered, enumerate, solve};
use crate::{Result, SolveError};
use yomikiri_table::blocks::Lanes;
use yomikiri_table::{NewSection, Progress, SectionBlocks, Storage};

pub use units::Unit;
use ways::Way;

/// What is done with a unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Step {
    /// Needs the same step of those from which moves lead here.
    Enumerate,
    /// Needs the unit enumerated, and the same step of those to which moves lead.
    Solve,
    /// Needs the unit and those to which its moves lead solved, and the same step of those from which moves lead here.
    Audit,
    /// Makes one section of the parts of a tier. Needs all of them audited, and those from which moves lead there.
    Pack,
}

impl Step {
    pub const ALL: [Step; 4] = [Step::Enumerate, Step::Solve, Step::Audit, Step::Pack];
}

/// A run over a board, and where its files lie.
pub struct ClusterRun<'a, G: Tiered> {
    game: &'a G,
    graph: Vec<NodeOf<G>>,
    parents: Vec<Vec<Link<G::Step>>>,
    cuts: Vec<Cut>,
    /// The unit of the first part of each tier, and at the end the number of all parts.
    firsts: Vec<usize>,
    storage: &'a Storage,
    folder: String,
    /// Bytes of memory that a step may use.
    memory: u64,
    read: AtomicU64,
    written: AtomicU64,
}

impl<'a, G: Tiered> ClusterRun<'a, G> {
    /// A run that cuts tiers of more than so many rows. Refuses boards whose parts do not fit the memory.
    pub fn new(game: &'a G, storage: &'a Storage, memory: u64, uncut: usize) -> Result<Self> {
        if game.largest_tier().is_none() {
            return Err(SolveError::TooLarge(format!("{}: its tiers have more rows than numbers", game.code())));
        }
        let graph = game.tier_graph();
        let parents = enumerate::parents_of::<G>(&graph);
        let cut = |node: &NodeOf<G>| match node.rows > uncut {
            true => Cut::new(node.rows, game.pins(node), &game.images(node)),
            false => Cut::whole(node.rows),
        };
        let cuts: Vec<Cut> = graph.iter().map(cut).collect();
        let mut firsts = vec![0];
        for cut in &cuts {
            firsts.push(firsts[firsts.len() - 1] + cut.parts.len());
        }
        let folder = format!("{}.run", game.code());
        let [read, written] = [0, 0].map(AtomicU64::new);
        let run = ClusterRun { game, graph, parents, cuts, firsts, storage, folder, memory, read, written };
        let least = run.least_memory();
        match least <= memory {
            true => Ok(run),
            false => {
                let text = format!("{}: a step needs {least} bytes of memory, not {memory}", game.code());
                Err(SolveError::TooLarge(text))
            }
        }
    }

    /// Bytes that have been read from the storage, and written there.
    pub fn moved(&self) -> (u64, u64) {
        (self.read.load(Ordering::Relaxed), self.written.load(Ordering::Relaxed))
    }

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
    fn room(&self, step: Step, units: &[usize]) -> u64 {
        let needs = units.iter().map(|&unit| self.memory_of(step, unit)).max().unwrap_or(0);
        self.memory.saturating_sub(needs)
    }

    fn enumerate(&self, units: &[usize], progress: &dyn Progress) -> Result<()> {
        let mut cache = Cache::new(self.room(Step::Enumerate, units));
        for &unit in units {
            if !self.has(Step::Enumerate, unit)? {
                let (tier, part) = self.part_of(unit);
                let node = &self.graph[tier];
                match part {
                    Some(part) => {
                        let lanes = self.reached(tier, part, &mut cache)?;
                        let put = |section: NewSection| self.put(Step::Enumerate, unit, &section);
                        enumerate::with_section(self.game, node, part, &lanes, put)?;
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
    fn reached(&self, tier: usize, part: &Part, cache: &mut Cache<Lanes>) -> Result<Vec<Lanes>> {
        let mut lanes = enumerate::start(self.game, &self.graph, tier, part);
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
    fn reach(&self, way: &Way<G>, moves: Moves, into: SheetMut<Lanes>, cache: &mut Cache<Lanes>) -> Result<()> {
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
        let mut cache = Cache::new(self.room(Step::Solve, units));
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
    fn valued(&self, tier: usize, part: &Part, cache: &mut Cache<Row>) -> Result<Vec<Row>> {
        let node = &self.graph[tier];
        let mut rows = vec![Row::filled(self.game.worst(node.ply)); part.rows()];
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
    fn improve(&self, way: &Way<G>, moves: Moves, into: SheetMut<Row>, cache: &mut Cache<Row>) -> Result<()> {
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
