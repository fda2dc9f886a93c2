//! Divides the positions of a ply into groups. The positions of a group have many descendants in common.

use std::collections::HashSet;

use super::levels::children;
use yomikiri_rules::Game;

/// The number of moves from the common ancestor of a group to its positions.
const DEPTH: u32 = 1;

/// Positions of one ply with a common ancestor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlyGroup {
    /// The number of moves from the start to these positions.
    pub plies: u32,
    /// The key of the common ancestor of the positions.
    pub below: u64,
    /// The keys of the positions.
    pub keys: Vec<u64>,
}

/// Returns the nonterminal positions after `plies` moves, each in exactly one group. The groups come in the order of a
/// depth-first walk through the game tree, so that neighbouring groups have many descendants in common.
pub fn groups<G: Game>(game: &G, plies: u32) -> Vec<PlyGroup> {
    let depth = DEPTH.min(plies);
    let mut walk = Walk { game, plies, depth: plies - depth, seen: HashSet::new(), groups: Vec::new() };
    walk.from(game.rank(&game.start()), 0);
    let (mut seen, mut groups) = (HashSet::new(), walk.groups);
    for group in &mut groups {
        for _ in 0..depth {
            group.keys = group.keys.iter().flat_map(|&key| children(game, key)).collect();
        }
        group.keys.retain(|&key| seen.insert(key));
    }
    groups.retain(|group| !group.keys.is_empty());
    groups
}

/// A depth-first walk to all positions after `depth` moves. It visits each position once.
struct Walk<'a, G> {
    game: &'a G,
    plies: u32,
    depth: u32,
    seen: HashSet<(u32, u64)>,
    groups: Vec<PlyGroup>,
}

impl<G: Game> Walk<'_, G> {
    fn from(&mut self, key: u64, ply: u32) {
        if !self.seen.insert((ply, key)) {
            return;
        }
        if ply == self.depth {
            self.groups.push(PlyGroup { plies: self.plies, below: key, keys: vec![key] });
            return;
        }
        children(self.game, key).into_iter().for_each(|key| self.from(key, ply + 1));
    }
}
