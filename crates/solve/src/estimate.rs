//! How many positions a game can pass through, by sampling.
//!
//! The first plies are counted. From there on each ply is a number of classes (what a class is, the game says) with an
//! estimated size and a sample of positions each. The children of the samples tell how many moves lead into each class
//! of the next ply; those moves are taken for balls thrown at random into the class's boxes, so that `E` moves into a
//! class with room for `D` positions reach `D * (1 - exp(-r * E / D))` of them. Moves meet more often than balls do;
//! `r` is how much more often they did at the last ply that was counted.

use std::collections::{BTreeMap, HashSet};

use rayon::prelude::*;

use yomikiri_rules::game::Game;

/// A game that knows how much room there is.
pub trait Capacity: Game {
    /// A set of positions of one ply that fills evenly; `Ord` only for a fixed order.
    type Class: Ord + Copy + Send + Sync;

    fn class(&self, position: &Self::Position) -> Self::Class;

    /// How many canonical undecided positions of the class there could be at a ply, reachable or not.
    fn capacity(&self, class: Self::Class, ply: u32) -> f64;
}

/// Numbers of canonical undecided positions.
#[derive(Clone, Debug, PartialEq)]
pub struct Estimate {
    /// By ply, from the root on.
    pub by_ply: Vec<f64>,
    /// So many leading entries are counted, not estimated.
    pub exact_plies: usize,
}

impl Estimate {
    pub fn total(&self) -> f64 {
        self.by_ply.iter().sum()
    }
}

/// Positions of one class at one ply: how many, and some of their keys.
struct Population {
    size: f64,
    sample: Vec<u64>,
}

/// How much work an estimate takes.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Plies with more positions are estimated.
    pub exact: usize,
    /// Positions sampled per class.
    pub sample: usize,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits { exact: 50_000, sample: 300 }
    }
}

/// Estimates all plies from `root` on. The same answer every time.
pub fn positions<G: Capacity>(game: &G, root: &G::Position, limits: Limits) -> Estimate {
    let mut level = with_passes(game, vec![game.key(root)]);
    let mut by_ply = Vec::new();
    let mut fresh = 1.0;
    while !level.is_empty() && level.len() <= limits.exact {
        by_ply.push(level.len() as f64);
        let reached: Vec<u64> = level.par_iter().flat_map_iter(|&key| children(game, key)).collect();
        let moves = reached.len() as f64;
        level = with_passes(game, unique(reached));
        fresh = level.len() as f64 / moves;
    }
    let exact_plies = by_ply.len() + usize::from(!level.is_empty());
    let mut ply = game.ply(root) + by_ply.len() as u32;
    let mut classes = divide(game, level, limits.sample);
    while !classes.is_empty() {
        by_ply.push(classes.values().map(|class| class.size).sum());
        ply += 1;
        classes = next_ply(game, &classes, ply, fresh, limits.sample);
    }
    Estimate { by_ply, exact_plies }
}

/// Keys of the distinct undecided children of a position at the next ply; those of the position after a pass stand for it.
fn children<G: Game>(game: &G, key: u64) -> Vec<u64> {
    let mut keys = Vec::new();
    for (child, passed) in undecided_children(game, key) {
        if passed { keys.extend(children(game, game.key(&child))) } else { keys.push(game.key(&child)) }
    }
    unique(keys)
}

/// A level with what passes in it lead to.
fn with_passes<G: Game>(game: &G, mut level: Vec<u64>) -> Vec<u64> {
    let passed = |&key: &u64| undecided_children(game, key).into_iter().filter(|&(_, passed)| passed);
    let beside: Vec<u64> = level.par_iter().flat_map_iter(passed).map(|(child, _)| game.key(&child)).collect();
    level.extend(beside);
    unique(level)
}

/// The undecided children of a position, each with whether a pass leads there.
fn undecided_children<G: Game>(game: &G, key: u64) -> Vec<(G::Position, bool)> {
    let Some(position) = game.position_of_key(key) else { return Vec::new() };
    let mut moves = Vec::new();
    game.moves(&position, &mut moves);
    let children = moves.iter().map(|&mv| game.play(&position, mv)).filter(|child| !game.decided(child));
    children.map(|child| (child, game.ply(&child) == game.ply(&position))).collect()
}

fn unique(mut keys: Vec<u64>) -> Vec<u64> {
    keys.par_sort_unstable();
    keys.dedup();
    keys
}

fn class_of<G: Capacity>(game: &G, key: u64) -> Option<G::Class> {
    game.position_of_key(key).map(|position| game.class(&position))
}

/// A counted level as classes.
fn divide<G: Capacity>(game: &G, level: Vec<u64>, limit: usize) -> BTreeMap<G::Class, Population> {
    let mut classes: BTreeMap<G::Class, Population> = BTreeMap::new();
    for key in level {
        if let Some(class) = class_of(game, key) {
            let population = classes.entry(class).or_insert(Population { size: 0.0, sample: Vec::new() });
            population.size += 1.0;
            population.sample.push(key);
        }
    }
    classes.values_mut().for_each(|population| thin(&mut population.sample, limit));
    classes
}

/// Leaves at most `limit` of the keys, those whose mixed bits are smallest: a fixed but random choice.
fn thin(keys: &mut Vec<u64>, limit: usize) {
    keys.sort_by_cached_key(|&key| mixed(key));
    keys.truncate(limit);
}

fn mixed(key: u64) -> u64 {
    let mut mixed = key.wrapping_add(0x9e37_79b9_7f4a_7c15);
    mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ (mixed >> 31)
}

fn next_ply<G: Capacity>(
    game: &G,
    classes: &BTreeMap<G::Class, Population>,
    ply: u32,
    fresh: f64,
    limit: usize,
) -> BTreeMap<G::Class, Population> {
    let mut moves: BTreeMap<G::Class, f64> = BTreeMap::new();
    let mut found: BTreeMap<G::Class, HashSet<u64>> = BTreeMap::new();
    for population in classes.values() {
        let weight = population.size / population.sample.len() as f64;
        let reached: Vec<Vec<u64>> = population.sample.par_iter().map(|&key| children(game, key)).collect();
        for key in reached.into_iter().flatten() {
            if let Some(class) = class_of(game, key) {
                *moves.entry(class).or_default() += weight;
                found.entry(class).or_default().insert(key);
            }
        }
    }
    let population = |(class, moves): (G::Class, f64)| {
        let room = game.capacity(class, ply);
        let mut sample: Vec<u64> = found.remove(&class).unwrap_or_default().into_iter().collect();
        thin(&mut sample, limit);
        let size = room * -(-fresh * moves / room).exp_m1();
        (class, Population { size: size.max(1.0), sample })
    };
    moves.into_iter().map(population).collect()
}

/// Number of sets of `k` among `n` things.
pub fn choose(n: u32, k: u32) -> f64 {
    if k > n { 0.0 } else { (0..k).map(|i| f64::from(n - i) / f64::from(i + 1)).product() }
}
