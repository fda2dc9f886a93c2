//! Solves cyclic games with few positions by sorted keys. Finds the values of all positions that can follow one root,
//! by means of lists of parents and counters of moves.
//!
//! This method is an alternative to retrograde analysis by dense keys, and shares no code with it. Keys have 64 bits.
//! Indices of positions have 32 bits, because memory runs out before the indices do.

use std::collections::BTreeMap;
use std::ops::Range;
use std::path::Path;

use crate::counts::ByteCounts;
use crate::key_index::KeyIndex;
use crate::{Result, SolveOptions, Solved, TooLarge, sorted_keys};

use yomikiri_rules::{Game, HasDistance, Notation, Outcome, Value};
use yomikiri_table::{Meta, Progress, Silent, Tally, parallel};

/// The limits of a run.
#[derive(Clone, Copy)]
pub struct Limits {
    /// The maximum number of undecided positions.
    pub positions: u64,
    /// The memory that the run may use, in bytes.
    pub memory: u64,
}

impl Limits {
    /// Limits the memory, in bytes, but not the number of positions.
    pub fn memory(memory: u64) -> Limits {
        Limits { positions: u64::MAX, memory }
    }
}

/// The undecided positions that can arise.
pub struct Counted {
    /// The number of these positions.
    pub positions: u64,
    /// The memory for solving them, in bytes.
    pub memory: u64,
}

/// The positions found so far.
#[derive(Default)]
struct Reach {
    /// The keys of undecided positions, in ascending order.
    keys: Vec<u64>,
    /// The keys of decided positions with their table bytes, in ascending order.
    ended: Vec<(u64, u8)>,
    /// The number of moves that lead to undecided positions.
    moves: u64,
}

impl Reach {
    /// Returns the memory, in bytes, for solving the positions found so far and `more` undecided ones: the memory of
    /// [`Graph::new`], which needs most.
    fn memory(&self, more: usize) -> u64 {
        51 * (self.keys.len() + more) as u64 + 12 * self.moves + 16 * self.ended.len() as u64
    }
}

fn reach<G: Game>(game: &G, root: &G::Position, limits: Limits, progress: &dyn Progress) -> Result<Reach> {
    /// The least number of positions whose moves are made together.
    const BATCH: usize = 1 << 12;
    /// Bytes of memory for the moves of a position, in a game with thirty: each in two lists of keys and values.
    const MOVES: u64 = 1 << 10;
    let most_together = usize::try_from(limits.memory / 16 / MOVES).unwrap_or(usize::MAX);
    progress.begin("Step 1: enumerate", 0);
    let mut found = Reach::default();
    found.keys.extend((!game.is_terminal(root)).then(|| game.rank(root)));
    let mut level = found.keys.clone();
    while !level.is_empty() {
        let (mut next, index) = (Vec::new(), KeyIndex::new(&found.keys));
        // In batches, so that the moves of a large level take little memory beside all positions.
        for batch in level.chunks(BATCH.max(most_together.min(found.keys.len() / 16))) {
            let children = |&key: &u64| children(game, key);
            let children =
                parallel::flat_map(batch.len(), 64, |share| batch[share].iter().flat_map(children).collect::<Vec<_>>());
            let (open, over): (Vec<_>, Vec<_>) = children.into_iter().partition(|&(_, byte)| byte == 0);
            found.moves += open.len() as u64;
            add_all(&mut found.ended, over);
            let keys = open.into_iter().map(|(key, _)| key);
            add_all(&mut next, keys.filter(|&key| index.find(&found.keys, key).is_none()).collect());
            let positions = found.keys.len() + next.len();
            let most = limits.positions.min(u32::MAX.into());
            if positions as u64 > most || found.memory(next.len()) > limits.memory {
                return Err(TooLarge::SortedKeys(positions).into());
            }
            progress.advance(batch.len() as u64);
        }
        level.clone_from(&next);
        add_all(&mut found.keys, next);
    }
    let (open, ended) = (found.keys.len(), found.ended.len());
    progress.end(&format!("{open} positions, {ended} more in which the game is over"));
    Ok(found)
}

/// Adds items to an ascending list without repetitions, which it stays.
fn add_all<T: Ord + Send>(list: &mut Vec<T>, mut items: Vec<T>) {
    parallel::sort(&mut items);
    items.dedup();
    list.append(&mut items);
    // These are two ascending lists, one after the other, which this sort merges.
    list.sort();
    list.dedup();
}

/// Counts the undecided positions that can arise from `root`. Returns [`TooLarge`] if they exceed the limits.
pub fn count<G: Game>(game: &G, root: &G::Position, limits: Limits) -> Result<Counted> {
    let found = reach(game, root, limits, &Silent)?;
    Ok(Counted { positions: found.keys.len() as u64, memory: found.memory(0) })
}

/// Returns the keys of a position's children, each with the child's table byte if the game is over there, else with 0.
fn children<G: Game>(game: &G, key: u64) -> Vec<(u64, u8)> {
    let position = game.unrank(key).expect("keys come from positions");
    let moves = game.legal_moves(&position);
    let child = |mv| {
        let child = game.play(&position, mv);
        let over = game.is_terminal(&child).then(|| game.terminal_value(&child)).flatten();
        (game.rank(&child), over.map_or(0, yomikiri_rules::Value::to_byte))
    };
    moves.into_iter().map(child).collect()
}

/// Returns the values of all undecided positions that can arise from `root`, and the number of decided positions by
/// table byte. Returns [`TooLarge`] if that exceeds the limits.
pub fn solve<G: Game<Value: HasDistance>>(
    game: &G,
    root: &G::Position,
    limits: Limits,
    progress: &dyn Progress,
) -> Result<(Solved, BTreeMap<u8, u64>)> {
    let Reach { keys, ended: decided, .. } = reach(game, root, limits, progress)?;
    let mut ended = BTreeMap::new();
    decided.into_iter().for_each(|(_, byte)| *ended.entry(byte).or_default() += 1);
    progress.begin("Step 2: solve", keys.len() as u64);
    let mut graph = Graph::new(game, &keys);
    let bytes = graph.values::<G::Value>(progress)?;
    progress.end(&format!("{} values", bytes.len()));
    Ok((Solved { levels: vec![(keys, bytes)] }, ended))
}

/// The positions by index, with the data from which their values follow.
struct Graph {
    /// The parents of the first position, then those of the second, and so on. A parent is listed once for each move
    /// that leads to the position.
    parents: Vec<u32>,
    /// By position: the index in `parents` of its first parent. The last entry is the number of entries in `parents`.
    first: Vec<usize>,
    /// By position: the number of moves that neither end the game nor are known to lose.
    left: Vec<u32>,
    /// By position: the values of moves that end the game.
    ends: Vec<Ends>,
}

/// The values of a position's moves that end the game.
#[derive(Clone, Copy, Debug, Default)]
struct Ends {
    /// Plies to the soonest win; `None` if no such move wins.
    win: Option<u16>,
    /// Plies to the latest loss; 0 if no such move loses.
    loss: u16,
    /// True if one of these moves draws.
    draw: bool,
    /// True if the position has any move.
    moved: bool,
}

/// The moves of some positions that follow each other.
#[derive(Default)]
struct PartOfGraph {
    /// A pair of child and parent for each move to an undecided position.
    edges: Vec<(u32, u32)>,
    /// By position: the number of its pairs in `edges`.
    left: Vec<u32>,
    /// By position.
    ends: Vec<Ends>,
}

impl Graph {
    fn new<G: Game>(game: &G, keys: &[u64]) -> Graph {
        let index = KeyIndex::new(keys);
        let number = |key: u64| index.find(keys, key).expect("children were reached") as u32;
        let look = |share: Range<usize>| {
            let mut part = PartOfGraph::default();
            for parent in share {
                let (before, mut ends) = (part.edges.len(), Ends::default());
                for (key, byte) in children(game, keys[parent]) {
                    ends.moved = true;
                    match game.value_of_byte(byte) {
                        None => part.edges.push((number(key), parent as u32)),
                        Some(value) => ends.add(value.of_move()),
                    }
                }
                part.left.push((part.edges.len() - before) as u32);
                part.ends.push(ends);
            }
            vec![part]
        };
        let parts = parallel::flat_map(keys.len(), 64, look);
        // First the number of parents of each position, then the end of its parents, which moves to their beginning
        // while they are listed.
        let mut first = vec![0; keys.len() + 1];
        parts.iter().flat_map(|part| &part.edges).for_each(|&(child, _)| first[child as usize] += 1);
        let mut all = 0;
        for count in &mut first {
            all += *count;
            *count = all;
        }
        let mut graph = Graph { parents: vec![0; all], first, left: Vec::new(), ends: Vec::new() };
        for part in parts {
            for &(child, parent) in &part.edges {
                let place = &mut graph.first[child as usize];
                *place -= 1;
                graph.parents[*place] = parent;
            }
            graph.left.extend(part.left);
            graph.ends.extend(part.ends);
        }
        graph
    }

    /// Returns the table byte of each position. Finds the values in ascending order of distance.
    fn values<V: HasDistance>(&mut self, progress: &dyn Progress) -> Result<Vec<u8>> {
        // A position is a draw until it is settled.
        let draw = V::of(Outcome::Draw, 0).to_byte();
        let mut bytes = vec![draw; self.left.len()];
        // Positions to settle, by distance. A position may occur at several distances, and the smallest of them counts.
        let mut frontiers: Vec<Vec<(u32, Outcome)>> = vec![Vec::new()];
        let put = |frontiers: &mut Vec<Vec<_>>, plies: u16, position: u32, outcome| {
            if frontiers.len() <= plies.into() {
                frontiers.resize(usize::from(plies) + 1, Vec::new());
            }
            frontiers[usize::from(plies)].push((position, outcome));
        };
        for position in 0..self.left.len() {
            let ends = self.ends[position];
            if let Some(plies) = ends.win {
                put(&mut frontiers, plies, position as u32, Outcome::Win);
            } else if self.left[position] == 0 && ends.moved && !ends.draw {
                put(&mut frontiers, ends.loss, position as u32, Outcome::Loss);
            }
        }
        let mut plies = 0u16;
        while usize::from(plies) < frontiers.len() {
            for (position, outcome) in std::mem::take(&mut frontiers[usize::from(plies)]) {
                if bytes[position as usize] != draw {
                    continue;
                }
                if plies > V::MAX_PLIES {
                    return Err(TooLarge::Distance { code: None, plies }.into());
                }
                bytes[position as usize] = V::of(outcome, plies).to_byte();
                progress.advance(1);
                for at in self.first[position as usize]..self.first[position as usize + 1] {
                    let parent = self.parents[at];
                    let ends = self.ends[parent as usize];
                    if outcome == Outcome::Loss {
                        put(&mut frontiers, plies + 1, parent, Outcome::Win);
                        continue;
                    }
                    self.left[parent as usize] -= 1;
                    if self.left[parent as usize] == 0 && !ends.draw && ends.win.is_none() {
                        put(&mut frontiers, ends.loss.max(plies + 1), parent, Outcome::Loss);
                    }
                }
            }
            plies += 1;
        }
        Ok(bytes)
    }
}

impl Ends {
    /// Adds the value of a move.
    fn add<V: Value>(&mut self, value: V) {
        let plies = value.plies().map_or(0, |plies| plies.0);
        match value.outcome() {
            Outcome::Win => self.win = Some(self.win.map_or(plies, |best| best.min(plies))),
            Outcome::Loss => self.loss = self.loss.max(plies),
            Outcome::Draw => self.draw = true,
        }
    }
}

/// Solves `root` and all positions that can follow it, at most `most` undecided ones, and writes a table of sorted keys
/// to `path`.
#[cfg(feature = "write")]
pub fn analyze<G: Notation<Value: HasDistance>>(
    game: &G,
    root: &G::Position,
    most: u64,
    path: &Path,
    options: &SolveOptions,
) -> Result<()> {
    let limits = Limits { positions: most, memory: options.memory };
    let (solved, ended) = solve(game, root, limits, options.progress)?;
    let (keys, bytes) = &solved.levels[0];
    let mut tally = Tally::default();
    ByteCounts::of(bytes).add_to(&mut tally, 0);
    let meta = Meta::of(game, root, tally, ended);
    Ok(sorted_keys::write(game, keys.iter().copied().zip(bytes.iter().copied()), &meta, path)?)
}
