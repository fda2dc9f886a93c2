//! Units: their numbers, what each needs, and what it has to wait for.

use std::ops::Range;

use super::run::{ClusterRun, Step};
use super::ways::Way;
use crate::tiers::{Cut, Moves, Part, Row, Tiered};
use yomikiri_table::blocks::Lanes;

/// What takes a unit through a step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unit {
    pub number: usize,
    pub ply: u32,
    /// Work, in rows that enumeration goes through.
    pub cost: u64,
    /// Bytes of memory.
    pub memory: u64,
    /// Steps of other units that come before it.
    pub after: Vec<(Step, usize)>,
}

/// What a row costs that a step goes through, in rows of the enumeration.
fn weight(step: Step) -> u64 {
    match step {
        Step::Enumerate | Step::Pack => 1,
        Step::Solve => 4,
        Step::Audit => 8,
    }
}

impl<G: Tiered> ClusterRun<'_, G> {
    /// Number of parts of all tiers: so many units begin with them.
    pub(super) fn parts(&self) -> usize {
        self.firsts[self.graph.len()]
    }

    /// The tier of a unit; `None` if there is no such unit.
    pub(super) fn tier_of(&self, unit: usize) -> Option<usize> {
        match unit.checked_sub(self.parts()) {
            None => Some(self.firsts.partition_point(|&first| first <= unit) - 1),
            Some(tier) => (tier < self.graph.len()).then_some(tier),
        }
    }

    /// The tier of a unit, and which part of it; `None` for what its parts share.
    pub(super) fn part_of(&self, unit: usize) -> (usize, Option<&Part>) {
        let tier = self.tier_of(unit).expect("units are checked before they are worked on");
        let number = (unit < self.parts()).then(|| unit - self.firsts[tier]);
        (tier, number.map(|number| &self.cuts[tier].parts[number]))
    }

    /// The unit of what the parts of a tier share.
    pub(super) fn shared_unit(&self, tier: usize) -> usize {
        self.parts() + tier
    }

    /// Bytes of memory that a step over a unit needs.
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
            // Lanes, twice where there are images, what moves have in common, and a parent's as they are read and
            // spread.
            (Step::Enumerate, _) if is_whole => (2 * rows + 2 * other) * lanes,
            (Step::Enumerate, _) => (3 * rows + 2 * other) * lanes,
            (Step::Solve, _) if is_whole => (rows + rows / 4 + other) * row,
            (Step::Solve, _) => (2 * rows + other) * row,
            (Step::Audit, _) if is_whole => (2 * rows + rows / 2 + other) * row,
            // Its own rows, the best of them and of what they share, those of another part, and marks.
            (Step::Audit, Some(_)) => (3 * rows + rows / 2 + other + other / 4) * row,
            (Step::Audit, None) => (2 * rows + most(&self.cuts[tier]) + other + other / 4) * row,
            // Packed, as parts and as a whole.
            (Step::Pack, _) => 4 * node.rows as u64,
        }
    }

    /// The most that any unit needs.
    pub(super) fn least_memory(&self) -> u64 {
        let needs = |step| (0..self.parts()).map(move |unit| self.memory_of(step, unit)).max().unwrap_or(0);
        Step::ALL[..3].iter().map(|&step| needs(step)).max().unwrap_or(0)
    }

    /// All that a step has to do, in an order in which neighbours share what they read: by ply, then tier.
    pub fn units(&self, step: Step) -> Vec<Unit> {
        let has_common: Vec<bool> = (0..self.graph.len()).map(|tier| self.has_common_moves(tier)).collect();
        let mut units = Vec::new();
        for tier in 0..self.graph.len() {
            let neighbours =
                Neighbours { into: self.ways_into(tier), out_of: self.ways_out_of(tier), has_common: &has_common };
            let is_shared = match step {
                Step::Pack => !self.cuts[tier].is_whole(),
                Step::Enumerate => neighbours.into.iter().any(|way| way.is_common),
                Step::Solve | Step::Audit => has_common[tier],
            };
            let shared = is_shared.then(|| self.shared_unit(tier));
            let parts = if step == Step::Pack { 0..0 } else { self.units_of(tier) };
            units.extend(shared.into_iter().chain(parts).map(|unit| self.unit(step, unit, &neighbours)));
        }
        units
    }

    /// The parts of a tier.
    fn units_of(&self, tier: usize) -> Range<usize> {
        self.firsts[tier]..self.firsts[tier + 1]
    }

    fn unit(&self, step: Step, number: usize, neighbours: &Neighbours<G>) -> Unit {
        let (tier, part) = self.part_of(number);
        let node = &self.graph[tier];
        let rows = match (step, part) {
            (Step::Pack, _) => node.rows,
            (_, Some(part)) => part.rows() * (node.links.len() + 1),
            // Every part of the other tier is gone through once.
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
        for way in &neighbours.into {
            let Some(moves) = way.moves_of(part) else { continue };
            if moves == Moves::Own {
                after.push((Step::Enumerate, self.shared_unit(tier)));
            }
            let parts = self.cuts[way.parent].parts.iter().zip(self.units_of(way.parent));
            let before = parts.filter(|(from, _)| way.crossing.leads(moves, from, part.unwrap_or(&unpinned)));
            after.extend(before.map(|(_, unit)| (Step::Enumerate, unit)));
        }
        after
    }

    /// What has to be solved before what a unit's moves lead to can be looked at.
    fn children(&self, number: usize, neighbours: &Neighbours<G>) -> Vec<(Step, usize)> {
        let (tier, part) = self.part_of(number);
        let unpinned = self.cuts[tier].parts[0].unpinned();
        let mut children = Vec::new();
        for way in &neighbours.out_of {
            let Some(moves) = way.moves_of(part) else { continue };
            let parts = self.cuts[way.child].parts.iter().zip(self.units_of(way.child));
            let after = parts.filter(|(into, _)| way.crossing.leads(moves, part.unwrap_or(&unpinned), into));
            children.extend(after.map(|(_, unit)| (Step::Solve, unit)));
        }
        children
    }

    /// What the parts of a unit's tier share, if it is one of them.
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
        // All that lead here have to have left their marks.
        for way in &neighbours.into {
            if way.is_common {
                after.push((Step::Audit, self.shared_unit(way.parent)));
            }
            let parts = self.cuts[way.parent].parts.iter().zip(self.units_of(way.parent));
            let before = parts.filter(|(from, _)| way.crossing.leads(Moves::All, from, part));
            after.extend(before.map(|(_, unit)| (Step::Audit, unit)));
        }
        after
    }

    /// Nobody reads the parts any more.
    fn before_pack(&self, tier: usize, neighbours: &Neighbours<G>) -> Vec<(Step, usize)> {
        let readers = neighbours.into.iter().map(|way| way.parent).chain([tier]);
        let units = readers.flat_map(|tier| {
            let common = neighbours.has_common[tier].then(|| self.shared_unit(tier));
            self.units_of(tier).chain(common)
        });
        units.map(|unit| (Step::Audit, unit)).collect()
    }
}

/// What moves connect a tier with.
struct Neighbours<'h, G: Tiered> {
    into: Vec<Way<G>>,
    out_of: Vec<Way<G>>,
    /// By tier, whether there are moves out of it that are common to all its parts.
    has_common: &'h [bool],
}
