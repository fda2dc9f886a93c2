//! Edges between tiers that may be cut into parts, and the parts that an edge connects. An edge is a group of moves
//! from one tier to another that are made together.

use super::run::ClusterRun;
use crate::tiers::{Crossing, Edge, Moves, Part, Tiered};

/// An edge: a group of moves from one tier to another. It has the indices of both tiers.
pub(super) struct CutEdge<G: Tiered> {
    pub parent: usize,
    pub child: usize,
    step: G::Step,
    pub crossing: Crossing,
    /// True if the moves that are common to all parts of the parent are made once for all these parts.
    pub is_common: bool,
}

impl<G: Tiered> CutEdge<G> {
    /// Returns the moves that each part makes itself: all moves, or only the part's own moves if the common ones are
    /// made once for all parts.
    pub fn moves_of_part(&self) -> Moves {
        if self.is_common { Moves::Own } else { Moves::All }
    }

    /// Returns the moves to make for a part. If `part` is `None`, returns the common moves, which are made once for all
    /// parts, or `None` if there are no such moves.
    pub fn moves_of(&self, part: Option<&Part>) -> Option<Moves> {
        match part {
            Some(_) => Some(self.moves_of_part()),
            None => self.is_common.then_some(Moves::Common),
        }
    }
}

impl<G: Tiered> ClusterRun<'_, G> {
    fn cut_edge(&self, parent: usize, child: usize, step: G::Step) -> CutEdge<G> {
        let crossing = self.game.crossing(Edge { parent: &self.graph[parent], child: &self.graph[child], step });
        let is_common = crossing.has_common(&self.cuts[parent].parts[0], &self.cuts[child].parts[0]);
        CutEdge { parent, child, step, crossing, is_common }
    }

    /// Returns the edges (groups of moves) from other tiers into a tier.
    pub(super) fn edges_into(&self, tier: usize) -> Vec<CutEdge<G>> {
        self.parents[tier].iter().map(|link| self.cut_edge(link.child, tier, link.step)).collect()
    }

    /// Returns the edges (groups of moves) from a tier into other tiers.
    pub(super) fn edges_out_of(&self, tier: usize) -> Vec<CutEdge<G>> {
        self.graph[tier].links.iter().map(|link| self.cut_edge(tier, link.child, link.step)).collect()
    }

    pub(super) fn edge(&self, edge: &CutEdge<G>) -> Edge<'_, G> {
        Edge { parent: &self.graph[edge.parent], child: &self.graph[edge.child], step: edge.step }
    }

    /// Returns true if some moves out of a tier are common to all its parts.
    pub(super) fn has_common_moves(&self, tier: usize) -> bool {
        !self.cuts[tier].is_whole() && self.edges_out_of(tier).iter().any(|edge| edge.is_common)
    }
}
