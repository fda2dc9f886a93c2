//! Edges between tiers that may be cut, and which parts of one they lead to of the other.

use super::run::ClusterRun;
use crate::tiers::{Crossing, Edge, Moves, Part, Tiered};

/// An edge, by the numbers of its tiers.
pub(super) struct Way<G: Tiered> {
    pub parent: usize,
    pub child: usize,
    step: G::Step,
    pub crossing: Crossing,
    /// Whether the moves that are common to all parts of the parent are made once for all of them.
    pub is_common: bool,
}

impl<G: Tiered> Way<G> {
    /// What is left to do for each part.
    pub fn moves_of_part(&self) -> Moves {
        if self.is_common { Moves::Own } else { Moves::All }
    }

    /// What is to be done for a part, or for what the parts share; `None` if that is nothing.
    pub fn moves_of(&self, part: Option<&Part>) -> Option<Moves> {
        match part {
            Some(_) => Some(self.moves_of_part()),
            None => self.is_common.then_some(Moves::Common),
        }
    }
}

impl<G: Tiered> ClusterRun<'_, G> {
    fn way(&self, parent: usize, child: usize, step: G::Step) -> Way<G> {
        let crossing = self.game.crossing(Edge { parent: &self.graph[parent], child: &self.graph[child], step });
        let is_common = crossing.has_common(&self.cuts[parent].parts[0], &self.cuts[child].parts[0]);
        Way { parent, child, step, crossing, is_common }
    }

    /// All by which moves lead to a tier.
    pub(super) fn ways_into(&self, tier: usize) -> Vec<Way<G>> {
        self.parents[tier].iter().map(|link| self.way(link.child, tier, link.step)).collect()
    }

    /// All by which moves lead out of a tier.
    pub(super) fn ways_out_of(&self, tier: usize) -> Vec<Way<G>> {
        self.graph[tier].links.iter().map(|link| self.way(tier, link.child, link.step)).collect()
    }

    pub(super) fn edge(&self, way: &Way<G>) -> Edge<'_, G> {
        Edge { parent: &self.graph[way.parent], child: &self.graph[way.child], step: way.step }
    }

    /// Whether there are moves out of a tier that are common to all its parts.
    pub(super) fn has_common_moves(&self, tier: usize) -> bool {
        !self.cuts[tier].is_whole() && self.ways_out_of(tier).iter().any(|way| way.is_common)
    }
}
