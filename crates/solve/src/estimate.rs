//! Estimates of the number of positions that can arise in a game, by sampling.
//!
//! The first plies are counted exactly. Each later ply is divided into classes, which the game defines. A class has an
//! estimated size and a sample of its positions. The children of the samples show the number of moves that lead into
//! each class of the next ply. These moves are modelled as balls that are thrown at random into the boxes of the class:
//! `E` moves into a class with a capacity of `D` positions reach `D * (1 - exp(-r * E / D))` positions of the class.
//!
//! Two moves lead to the same position (they *meet*) more often than two balls fall into the same box. The factor `r`
//! corrects for that. If, at the last counted ply, one move in `k` led to a new position, then `r = 1 / k` at that ply.
//! At later plies, `k - 1` grows as a power of the number of plies from the root. The game gives the exponent.

use std::collections::BTreeMap;

use yomikiri_rules::Game;
use yomikiri_table::parallel;

/// A game that divides the positions of a ply into classes, and knows the greatest possible size of each class.
///
/// A class is a set of positions of one ply that are about equally likely to arise. The game numbers its classes.
pub trait Capacity: Game {
    /// Returns the class of a position.
    fn class(&self, position: &Self::Position) -> u32;

    /// Returns the number of canonical undecided positions of the class that could exist at a ply, reachable or not.
    fn capacity(&self, class: u32, ply: u32) -> f64;

    /// The exponent by which moves lead to the same position more often at later plies. Let one move in `k` lead to a
    /// new position: then `k - 1` grows as this power of the number of plies from the root. With 0, `k` stays as it is
    /// at the last counted ply.
    const MEETING_EXPONENT: f64;
}

/// Estimated numbers of canonical positions in which the game is not over.
#[derive(Clone, Debug, PartialEq)]
pub struct Estimate {
    /// The number of positions of each ply, from the root on.
    pub by_ply: Vec<f64>,
    /// The number of leading entries of `by_ply` that are counted, not estimated.
    pub exact_plies: usize,
    /// Bytes of memory that a run needs. If `None`, a run needs the game's
    /// [`memory_needed`](crate::Solvable::memory_needed).
    pub memory: Option<u64>,
}

impl Estimate {
    /// Returns the number of positions of all plies.
    pub fn total(&self) -> f64 {
        self.by_ply.iter().sum()
    }
}

/// A class of positions at one ply: the estimated number of its positions, and the keys of a sample of them.
struct Population {
    size: f64,
    sample: Vec<u64>,
}

/// Limits on the work that an estimate takes.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// The limit on the positions of a ply. The first ply that exceeds it is still counted; all later plies are
    /// estimated.
    pub exact: usize,
    /// The number of positions sampled per class.
    pub sample: usize,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits { exact: 50_000, sample: 300 }
    }
}

impl Limits {
    /// The limits of an estimate that tells only whether a number of positions is far too large. It takes about a fifth
    /// of the time of the default.
    pub const ROUGH: Limits = Limits { exact: 10_000, sample: 50 };
}

/// Estimates the number of positions of each ply from `root` on. The result is the same every time.
pub fn positions<G: Capacity>(game: &G, root: &G::Position, limits: Limits) -> Estimate {
    let space = Space {
        children: &|key| children(game, key),
        class: &|key| game.unrank(key).map(|position| game.class(&position)),
        capacity: &|class, ply| game.capacity(class, ply),
        meeting: G::MEETING_EXPONENT,
    };
    space.sample(game.rank(root), game.ply(root), limits)
}

/// Like [`positions`], for a game that does not implement [`Capacity`]. Each ply is one class, and its capacity
/// (greatest possible size) is the number of the game's keys. That capacity hardly limits the estimate, which depends
/// on how often two moves lead to the same position. The exponent ([`Capacity::MEETING_EXPONENT`]) was fitted to
/// Connect Four on 5x4 and 4x5 squares, with 2,000 and with 50,000 counted positions. The estimate for a game without
/// keys is 2^64 positions, because its positions do not fit 64-bit keys.
pub fn positions_by_keys<G: Game>(game: &G, root: &G::Position, limits: Limits) -> Estimate {
    if !game.has_keys() {
        return Estimate { by_ply: vec![2f64.powi(64)], exact_plies: 0, memory: None };
    }
    let keys = game.key_space().ranges.iter().map(|range| (range.keys.end - range.keys.start) as f64).sum::<f64>();
    let space = Space {
        children: &|key| children(game, key),
        class: &|key| game.unrank(key).map(|_| 0),
        capacity: &|_, _| keys,
        meeting: 0.7,
    };
    space.sample(game.rank(root), game.ply(root), limits)
}

/// The children of one position: the keys of those that are not decided, without and with a pass.
struct Children {
    /// Children at the next ply.
    next: Vec<u64>,
    /// Children after a pass, which are at the same ply.
    passed: Vec<u64>,
}

/// Returns the undecided children of a position, by their keys.
fn children<G: Game>(game: &G, key: u64) -> Children {
    let mut children = Children { next: Vec::new(), passed: Vec::new() };
    let Some(position) = game.unrank(key) else { return children };
    for &mv in &game.legal_moves(&position) {
        let child = game.play(&position, mv);
        if !game.is_terminal(&child) {
            let passed = game.ply(&child) == game.ply(&position);
            let keys = if passed { &mut children.passed } else { &mut children.next };
            keys.push(game.rank(&child));
        }
    }
    children
}

/// The questions that an estimate asks about a game. Positions are given by their keys, so that the estimate is
/// compiled once, not for each game.
struct Space<'a> {
    children: &'a (dyn Fn(u64) -> Children + Sync),
    /// The class of a position. `None` if no position has the key.
    class: &'a (dyn Fn(u64) -> Option<u32> + Sync),
    /// The greatest possible number of positions of a class at a ply.
    capacity: &'a (dyn Fn(u32, u32) -> f64 + Sync),
    /// The exponent by which moves lead to the same position more often at later plies
    /// ([`Capacity::MEETING_EXPONENT`]).
    meeting: f64,
}

impl Space<'_> {
    /// Makes the estimate of [`positions`] or [`positions_by_keys`]: counts the first plies, then samples.
    fn sample(&self, root: u64, root_ply: u32, limits: Limits) -> Estimate {
        let mut level = self.with_passes(vec![root]);
        let mut by_ply = Vec::new();
        let mut counted_fresh = 1.0;
        while !level.is_empty() && level.len() <= limits.exact {
            by_ply.push(level.len() as f64);
            let reached = parallel::flat_map(level.len(), 64, |places| {
                level[places].iter().flat_map(|&key| self.next_keys(key)).collect()
            });
            let moves = reached.len() as f64;
            level = self.with_passes(unique(reached));
            counted_fresh = level.len() as f64 / moves;
        }
        let exact_plies = by_ply.len() + usize::from(!level.is_empty());
        let counted = by_ply.len() as f64;
        let mut ply = root_ply + by_ply.len() as u32;
        let mut classes = self.divide(level, limits.sample);
        while !classes.is_empty() {
            by_ply.push(classes.values().map(|class| class.size).sum());
            ply += 1;
            let further = by_ply.len() as f64 / counted;
            let fresh = 1.0 / (1.0 + (1.0 / counted_fresh - 1.0) * further.powf(self.meeting));
            classes = self.next_ply(&classes, ply, fresh, limits.sample);
        }
        Estimate { by_ply, exact_plies, memory: None }
    }

    /// Divides a counted level into classes. Each class keeps a sample of at most `limit` positions.
    fn divide(&self, level: Vec<u64>, limit: usize) -> BTreeMap<u32, Population> {
        let mut classes: BTreeMap<u32, Population> = BTreeMap::new();
        for key in level {
            if let Some(class) = (self.class)(key) {
                let population = classes.entry(class).or_insert(Population { size: 0.0, sample: Vec::new() });
                population.size += 1.0;
                population.sample.push(key);
            }
        }
        classes.values_mut().for_each(|population| thin(&mut population.sample, limit));
        classes
    }

    fn next_ply(
        &self,
        classes: &BTreeMap<u32, Population>,
        ply: u32,
        fresh: f64,
        limit: usize,
    ) -> BTreeMap<u32, Population> {
        let mut moves: BTreeMap<u32, f64> = BTreeMap::new();
        let mut found: BTreeMap<u32, Vec<u64>> = BTreeMap::new();
        for population in classes.values() {
            let weight = population.size / population.sample.len() as f64;
            let sample = &population.sample;
            let reached = parallel::flat_map(sample.len(), 4, |places| {
                let keys = sample[places].iter().flat_map(|&key| self.next_keys(key));
                keys.filter_map(|key| Some(((self.class)(key)?, key))).collect()
            });
            for (class, key) in reached {
                *moves.entry(class).or_default() += weight;
                let sample = found.entry(class).or_default();
                sample.push(key);
                // Most keys would be left out at the end, so they are left out before they take memory.
                if sample.len() >= 16 * limit.max(1) {
                    thin(sample, limit);
                }
            }
        }
        let population = |(class, moves): (u32, f64)| {
            let room = (self.capacity)(class, ply);
            let mut sample = found.remove(&class).unwrap_or_default();
            thin(&mut sample, limit);
            let size = room * -(-fresh * moves / room).exp_m1();
            (class, Population { size: size.max(1.0), sample })
        };
        moves.into_iter().map(population).collect()
    }

    /// Returns the keys of the distinct undecided children of a position at the next ply. A child after a pass is at
    /// the same ply, so its own children replace it.
    fn next_keys(&self, key: u64) -> Vec<u64> {
        let Children { mut next, passed } = (self.children)(key);
        passed.into_iter().for_each(|key| next.append(&mut self.next_keys(key)));
        next.sort_unstable();
        next.dedup();
        next
    }

    /// Adds the positions after passes, which are at the same ply, to a level.
    fn with_passes(&self, mut level: Vec<u64>) -> Vec<u64> {
        let beside = parallel::flat_map(level.len(), 64, |places| {
            level[places].iter().flat_map(|&key| (self.children)(key).passed).collect()
        });
        level.extend(beside);
        unique(level)
    }
}

fn unique(mut keys: Vec<u64>) -> Vec<u64> {
    parallel::sort(&mut keys);
    keys.dedup();
    keys
}

/// Keeps at most `limit` of the keys, each once, those with the smallest hashes: a random choice that is the same every
/// time.
fn thin(keys: &mut Vec<u64>, limit: usize) {
    keys.sort_unstable_by_key(|&key| mixed(key));
    keys.dedup();
    keys.truncate(limit);
}

fn mixed(key: u64) -> u64 {
    let mut mixed = key.wrapping_add(0x9e37_79b9_7f4a_7c15);
    mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ (mixed >> 31)
}

/// Returns the binomial coefficient: the number of sets of `k` things that can be taken from `n` things.
pub fn choose(n: u32, k: u32) -> f64 {
    if k > n { 0.0 } else { (0..k).map(|i| f64::from(n - i) / f64::from(i + 1)).product() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::levels;
    use yomikiri_rules::games::connect_four::ConnectFour;
    use yomikiri_table::Silent;

    /// Connect Four does not implement [`Capacity`]. The limit on counted positions is low.
    #[test]
    fn a_plain_game_is_estimated_by_how_its_moves_meet() {
        for code in ["con4x4", "con5x4-k3", "con4x5"] {
            let game = ConnectFour::parse(code).unwrap();
            let found = levels::enumerate(&game, &game.start(), 1 << 30, &Silent).unwrap();
            let estimate = positions_by_keys(&game, &game.start(), Limits { exact: 2000, sample: 300 });
            assert_eq!(estimate.by_ply.len(), found.levels.len(), "{code}");
            let exact = estimate.by_ply.iter().zip(&found.levels).take(estimate.exact_plies);
            assert!(exact.clone().all(|(&about, level)| about == level.len() as f64), "{code}");
            let ratio = estimate.total() / found.positions() as f64;
            assert!((0.5..2.0).contains(&ratio), "{code}: {ratio}");
        }
    }
}
