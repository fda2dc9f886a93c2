//! Units: their indices, costs and dependencies.

use std::ops::Range;

use super::cut_edges::CutEdge;
use super::run::{ClusterRun, Step};
use crate::tiers::{Cut, Moves, Part, Row, Tiered};
use yomikiri_table::blocks::Lanes;

/// A unit (a part of a tier, or the moves that are common to all its parts) that a step has to process.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unit {
    /// The index of the unit.
    pub number: usize,
    /// The ply of the positions in the unit's tier.
    pub ply: u32,
    /// The estimated work, in a unit of measure that is the same for all steps.
    pub cost: u64,
    /// The memory that the step needs for this unit, in bytes.
    pub memory: u64,
    /// All work that must be finished before: pairs of a step and the index of a unit that must have gone through that
    /// step.
    pub after: Vec<(Step, usize)>,
}

/// Returns the work that a step takes for one row. The work of enumerating a row is 1.
fn weight(step: Step) -> u64 {
    match step {
        Step::Enumerate | Step::Pack => 1,
        Step::Solve => 4,
        Step::Audit => 8,
    }
}

impl<G: Tiered> ClusterRun<'_, G> {
    /// Returns the total number of parts of all tiers. A unit with a smaller index is a part. All others are shared
    /// units, each for the moves that are common to all parts of a tier.
    pub(super) fn parts(&self) -> usize {
        self.firsts[self.graph.len()]
    }

    /// Returns the tier of a unit; `None` if there is no such unit.
    pub(super) fn tier_of(&self, unit: usize) -> Option<usize> {
        match unit.checked_sub(self.parts()) {
            None => Some(self.firsts.partition_point(|&first| first <= unit) - 1),
            Some(tier) => (tier < self.graph.len()).then_some(tier),
        }
    }

    /// Returns the tier and the part of a unit. The part is `None` for a shared unit, which is for the moves that are
    /// common to all parts of the tier.
    pub(super) fn part_of(&self, unit: usize) -> (usize, Option<&Part>) {
        let tier = self.tier_of(unit).expect("units are checked before they are worked on");
        let number = (unit < self.parts()).then(|| unit - self.firsts[tier]);
        (tier, number.map(|number| &self.cuts[tier].parts[number]))
    }

    /// Returns the index of a tier's shared unit, which is for the moves that are common to all parts of the tier.
    pub(super) fn shared_unit(&self, tier: usize) -> usize {
        self.parts() + tier
    }

    /// Returns the memory that a step over a unit needs, in bytes.
    pub(super) fn memory_of(&self, step: Step, unit: usize) -> u64 {
        let (tier, part) = self.part_of(unit);
        let node = &self.graph[tier];
        let most = |cut: &Cut| cut.parts.iter().map(Part::rows).max().unwrap_or(0) as u64;
        let neighbours = if step == Step::Enumerate { &self.parents[tier] } else { &node.links };
        let other = neighbours.iter().map(|link| most(&self.cuts[link.child])).max().unwrap_or(0);
        let (lanes, row) = (size_of::<Lanes>() as u64, size_of::<Row>() as u64);
        let unpinned = || self.cuts[tier].parts[0].unpinned().rows() as u64;
        let rows = part.map_or_else(unpinned, |part| part.rows() as u64);
        let is_whole = self.cuts[tier].is_whole();
        match (step, part) {
            // Memory for enumeration: the unit's lanes, a copy of them if the tier has images, and the lanes of common
            // moves. A parent's lanes count twice: as read from the file, and as a sheet.
            (Step::Enumerate, _) if is_whole => (2 * rows + 2 * other) * lanes,
            (Step::Enumerate, _) => (3 * rows + 2 * other) * lanes,
            (Step::Solve, _) if is_whole => (rows + rows / 4 + other) * row,
            (Step::Solve, _) => (2 * rows + other) * row,
            (Step::Audit, _) if is_whole => (2 * rows + rows / 2 + other) * row,
            // Memory for an audit: the part's own rows, the best values of these and of the common moves, the rows of a
            // part of another tier, and marks.
            (Step::Audit, Some(_)) => (3 * rows + rows / 2 + other + other / 4) * row,
            (Step::Audit, None) => (2 * rows + most(&self.cuts[tier]) + other + other / 4) * row,
            // Memory for packing: the packed bytes of the parts, and those of the whole tier.
            (Step::Pack, _) => 4 * node.rows as u64,
        }
    }

    /// Returns the memory, in bytes, that a run needs at least: the maximum over all parts and all steps except
    /// packing.
    pub(super) fn least_memory(&self) -> u64 {
        let needs = |step| (0..self.parts()).map(move |unit| self.memory_of(step, unit)).max().unwrap_or(0);
        Step::ALL[..3].iter().map(|&step| needs(step)).max().unwrap_or(0)
    }

    /// Returns all units that a step has to process, by ply and then by tier. So successive units read the same rows.
    pub fn units(&self, step: Step) -> Vec<Unit> {
        let has_common: Vec<bool> = (0..self.graph.len()).map(|tier| self.has_common_moves(tier)).collect();
        let mut units = Vec::new();
        for tier in 0..self.graph.len() {
            let neighbours =
                Neighbours { into: self.edges_into(tier), out_of: self.edges_out_of(tier), has_common: &has_common };
            let is_shared = match step {
                Step::Pack => !self.cuts[tier].is_whole(),
                Step::Enumerate => neighbours.into.iter().any(|edge| edge.is_common),
                Step::Solve | Step::Audit => has_common[tier],
            };
            let shared = is_shared.then(|| self.shared_unit(tier));
            let parts = if step == Step::Pack { 0..0 } else { self.units_of(tier) };
            units.extend(shared.into_iter().chain(parts).map(|unit| self.unit(step, unit, &neighbours)));
        }
        units
    }

    /// Returns the units of the parts of a tier.
    fn units_of(&self, tier: usize) -> Range<usize> {
        self.firsts[tier]..self.firsts[tier + 1]
    }

    fn unit(&self, step: Step, number: usize, neighbours: &Neighbours<G>) -> Unit {
        let (tier, part) = self.part_of(number);
        let node = &self.graph[tier];
        let rows = match (step, part) {
            (Step::Pack, _) => node.rows,
            (_, Some(part)) => part.rows() * (node.links.len() + 1),
            // For common moves, every part of the tier at the other end of an edge is read once.
            (_, None) => self.cuts[tier].parts[0].unpinned().rows() * self.cuts[tier].parts.len(),
        };
        let mut after = match step {
            Step::Enumerate => self.before_enumerate(tier, part, neighbours),
            Step::Solve => self.before_solve(number, neighbours),
            Step::Audit => self.before_audit(number, neighbours),
            Step::Pack => self.before_pack(tier, neighbours),
        };
        after.sort_unstable();
        after.dedup();
        let memory = self.memory_of(step, number);
        Unit { number, ply: node.ply, cost: rows as u64 * weight(step), memory, after }
    }

    fn before_enumerate(&self, tier: usize, part: Option<&Part>, neighbours: &Neighbours<G>) -> Vec<(Step, usize)> {
        let unpinned = self.cuts[tier].parts[0].unpinned();
        let mut after = Vec::new();
        for edge in &neighbours.into {
            let Some(moves) = edge.moves_of(part) else { continue };
            if moves == Moves::Own {
                after.push((Step::Enumerate, self.shared_unit(tier)));
            }
            let parts = self.cuts[edge.parent].parts.iter().zip(self.units_of(edge.parent));
            let before = parts.filter(|(from, _)| edge.crossing.leads(moves, from, part.unwrap_or(&unpinned)));
            after.extend(before.map(|(_, unit)| (Step::Enumerate, unit)));
        }
        after
    }

    /// Returns the dependencies of a unit on the parts that have the children of its positions. Each entry is
    /// [`Step::Solve`] and a part, which must be solved before the children can be looked up.
    fn children(&self, number: usize, neighbours: &Neighbours<G>) -> Vec<(Step, usize)> {
        let (tier, part) = self.part_of(number);
        let unpinned = self.cuts[tier].parts[0].unpinned();
        let mut children = Vec::new();
        for edge in &neighbours.out_of {
            let Some(moves) = edge.moves_of(part) else { continue };
            let parts = self.cuts[edge.child].parts.iter().zip(self.units_of(edge.child));
            let after = parts.filter(|(into, _)| edge.crossing.leads(moves, part.unwrap_or(&unpinned), into));
            children.extend(after.map(|(_, unit)| (Step::Solve, unit)));
        }
        children
    }

    /// Returns the dependency of a part on the shared unit of its tier: `step`, and the index of the shared unit, which
    /// must finish `step` before the part does. Returns `None` if unit `number` is not a part, or if no moves are
    /// common to all parts of its tier.
    fn common_before(&self, step: Step, number: usize, neighbours: &Neighbours<G>) -> Option<(Step, usize)> {
        let (tier, part) = self.part_of(number);
        (part.is_some() && neighbours.has_common[tier]).then(|| (step, self.shared_unit(tier)))
    }

    fn before_solve(&self, number: usize, neighbours: &Neighbours<G>) -> Vec<(Step, usize)> {
        let own = (number < self.parts()).then_some((Step::Enumerate, number));
        let common = self.common_before(Step::Solve, number, neighbours);
        self.children(number, neighbours).into_iter().chain(own).chain(common).collect()
    }

    fn before_audit(&self, number: usize, neighbours: &Neighbours<G>) -> Vec<(Step, usize)> {
        let (tier, part) = self.part_of(number);
        let mut after = self.children(number, neighbours);
        after.extend(self.common_before(Step::Audit, number, neighbours));
        let Some(part) = part else {
            after.extend(self.units_of(tier).map(|unit| (Step::Solve, unit)));
            return after;
        };
        after.push((Step::Solve, number));
        // The units with moves to this part must be audited before, because their audits mark the positions of this
        // part.
        for edge in &neighbours.into {
            if edge.is_common {
                after.push((Step::Audit, self.shared_unit(edge.parent)));
            }
            let parts = self.cuts[edge.parent].parts.iter().zip(self.units_of(edge.parent));
            let before = parts.filter(|(from, _)| edge.crossing.leads(Moves::All, from, part));
            after.extend(before.map(|(_, unit)| (Step::Audit, unit)));
        }
        after
    }

    /// Returns the audits of all units that read the parts of a tier. These audits must be finished before packing,
    /// because packing deletes the parts.
    fn before_pack(&self, tier: usize, neighbours: &Neighbours<G>) -> Vec<(Step, usize)> {
        let readers = neighbours.into.iter().map(|edge| edge.parent).chain([tier]);
        let units = readers.flat_map(|tier| {
            let common = neighbours.has_common[tier].then(|| self.shared_unit(tier));
            self.units_of(tier).chain(common)
        });
        units.map(|unit| (Step::Audit, unit)).collect()
    }
}

/// The edges into and out of a tier.
struct Neighbours<'h, G: Tiered> {
    into: Vec<CutEdge<G>>,
    out_of: Vec<CutEdge<G>>,
    /// For each tier of the graph: true if some moves out of it are common to all its parts.
    has_common: &'h [bool],
}
