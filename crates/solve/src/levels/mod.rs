//! Solves acyclic games by sorted keys: one root and all positions that can follow it, ply by ply. A pass leads to a
//! position of the same ply.
//!
//! A position takes eight bytes during enumeration, and one more for its value. This kernel solves whole games and
//! subgames that are too sparse for a dense index. It can also solve the games of `tiers`, as a check. `steps` has the
//! algorithm as pure functions. This module runs them on threads. `run` keeps finished levels on disk and writes the
//! table.

#[cfg(feature = "write")]
mod run;
mod steps;

use crate::estimate::Estimate;
use crate::{Costs, Result, SolveError, TooLarge};
#[cfg(feature = "write")]
pub use run::{PARTS, analyze};
use steps::{SolvedLevel, expand, merge, reduce, sorted};
use yomikiri_rules::Game;
use yomikiri_table::{Progress, parallel};

/// The number of positions that are expanded before their children are merged into the next level.
const BATCH: usize = 1 << 18;

/// The undecided positions by level. The index of a level is its distance from the root in plies. A level has canonical
/// keys in ascending order.
pub struct Levels {
    /// The keys of each level, from the root on.
    pub levels: Vec<Vec<u64>>,
}

impl Levels {
    /// Returns the total number of positions in all levels.
    pub fn positions(&self) -> u64 {
        self.levels.iter().map(|level| level.len() as u64).sum()
    }
}

/// Returns the peak memory, in bytes, of solving levels with these numbers of positions: a key and a value for each
/// position, and the keys of the largest level once more, because each level is merged while it is found. The program
/// itself ([`ROOM`]) is not included.
pub fn memory_for(levels: impl IntoIterator<Item = f64>) -> f64 {
    let add = |(all, largest): (f64, f64), level: f64| (all + level, level.max(largest));
    let (all, largest) = levels.into_iter().fold((0.0, 0.0), add);
    9.0 * all + 8.0 * largest
}

/// Bytes of memory for the program itself, and for the children of a batch of positions before they are merged.
pub const ROOM: u64 = 32 << 20;

/// The costs of a run, measured with Connect Four on 5x5 squares.
pub const COSTS: Costs = Costs { table: 1.6, work: 1.6, rate: 1.2e6 };

/// Returns the memory, in bytes, that a run takes for a game of the estimated size; `None` if no machine has that much.
pub fn memory_for_estimate(estimate: &Estimate) -> Option<u64> {
    Some(memory_for_levels(estimate)? + ROOM)
}

/// Returns the least `--memory`, in bytes, with which a game of the estimated size can be solved; `None` if no machine
/// has that much. For small games, all of whose positions are counted, this is less than the memory of the program
/// itself, see [`budget`].
pub fn least_memory_for_estimate(estimate: &Estimate) -> Option<u64> {
    let (levels, is_counted) = (memory_for_levels(estimate)?, estimate.exact_plies >= estimate.by_ply.len());
    Some(if is_counted { (levels + ROOM).min(levels * 4) } else { levels + ROOM })
}

/// Returns the part of `memory` bytes that a run may use for levels. A quarter is for the levels in any case, so that
/// small boards are solved with hardly any memory.
#[cfg(feature = "write")]
pub fn budget(memory: u64) -> u64 {
    memory.saturating_sub(ROOM).max(memory / 4)
}

/// Returns the memory, in bytes, for the levels of a game of the estimated size; `None` if no machine has that much.
fn memory_for_levels(estimate: &Estimate) -> Option<u64> {
    const OUT_OF_QUESTION: f64 = 1e12;
    /// Counts that are not exact are raised by this factor, so that the memory suffices more often than not.
    const MARGIN: f64 = 1.1;
    let margin = |ply: usize| if ply < estimate.exact_plies { 1.0 } else { MARGIN };
    let levels = estimate.by_ply.iter().enumerate().map(|(ply, positions)| positions * margin(ply));
    (estimate.total() < OUT_OF_QUESTION).then(|| memory_for(levels) as u64)
}

/// Enumerates `root` and the positions that can follow it. Returns [`SolveError::TooLarge`] if these positions take
/// more than `memory` bytes.
pub fn enumerate<G: Game>(game: &G, root: &G::Position, memory: u64, progress: &dyn Progress) -> Result<Levels> {
    levels_within(game, root, memory, progress).map_err(|(_, error)| error)
}

/// As [`enumerate`]. If the memory does not suffice, returns the levels found so far with the error. The last level may
/// lack positions after passes.
pub fn levels_within<G: Game>(
    game: &G,
    root: &G::Position,
    memory: u64,
    progress: &dyn Progress,
) -> Result<Levels, (Levels, SolveError)> {
    let mut found = Levels { levels: Vec::new() };
    match go_on_enumerating(game, root, &mut found, memory, progress, |_| Ok(())) {
        Ok(()) => Ok(found),
        Err(error) => Err((found, error)),
    }
}

/// Adds the levels that `found` does not have yet, and calls `keep` with each new one.
fn go_on_enumerating<G: Game>(
    game: &G,
    root: &G::Position,
    found: &mut Levels,
    memory: u64,
    progress: &dyn Progress,
    mut keep: impl FnMut(&[u64]) -> Result<()>,
) -> Result<()> {
    progress.begin("Step 1: enumerate", 0);
    progress.advance(found.positions());
    let kept = found.levels.len();
    if kept == 0 && !game.is_terminal(root) {
        found.levels.push(vec![game.rank(root)]);
    }
    loop {
        let next = expand_last(game, found, memory, progress)?;
        if let Some(whole) = found.levels[kept..].last() {
            keep(whole)?;
        }
        if next.is_empty() {
            break;
        }
        found.levels.push(next);
    }
    progress.end(&format!("{} positions", found.positions()));
    Ok(())
}

/// Expands the last level and returns the next one. Adds the positions after passes to the last level, which completes
/// it.
fn expand_last<G: Game>(game: &G, found: &mut Levels, memory: u64, progress: &dyn Progress) -> Result<Vec<u64>> {
    let mut next = Vec::new();
    let Some(last) = found.levels.len().checked_sub(1) else { return Ok(next) };
    let mut same = expand_all(game, found, &found.levels[last], &mut next, memory, progress)?;
    loop {
        same.retain(|key| found.levels[last].binary_search(key).is_err());
        if same.is_empty() {
            return Ok(next);
        }
        let further = expand_all(game, found, &same, &mut next, memory, progress)?;
        found.levels[last] = merge(std::mem::take(&mut found.levels[last]), same);
        same = further;
    }
}

/// Adds the children of the positions `keys` to the next level. Returns the keys of the positions after passes, in
/// ascending order.
fn expand_all<G: Game>(
    game: &G,
    found: &Levels,
    keys: &[u64],
    next: &mut Vec<u64>,
    memory: u64,
    progress: &dyn Progress,
) -> Result<Vec<u64>> {
    let (mut same, mut rest, mut moves) = (Vec::new(), keys, 16);
    while !rest.is_empty() {
        // With little memory, batches are small, so that the run stops soon if memory does not suffice. A move takes 24
        // bytes: its key in a list of a thread, in the list of all threads, and in the buffer of the sort.
        let together = (memory / 8 / (24 * moves)).clamp(1 << 10, BATCH as u64) as usize;
        let (batch, left) = rest.split_at(together.min(rest.len()));
        rest = left;
        let children = parallel::map_parts(batch, 1024, |keys| expand(game, keys));
        let (fresh, passed): (Vec<_>, Vec<_>) = children.into_iter().map(|found| (found.next, found.same)).unzip();
        moves = 1 + fresh.iter().map(|keys| keys.len() as u64).sum::<u64>() / batch.len() as u64;
        *next = merge(std::mem::take(next), sorted(fresh.concat()));
        same = merge(same, sorted(passed.concat()));
        let levels = found.levels.iter().map(Vec::len).chain([next.len()]);
        if memory_for(levels.map(|level| level as f64)) > memory as f64 {
            let positions = found.positions() + next.len() as u64;
            return Err(TooLarge::Levels { positions, plies: found.levels.len(), allowed: memory }.into());
        }
        progress.advance(batch.len() as u64);
    }
    Ok(same)
}

/// Returns the table bytes of all positions, in the order of the keys in `found`.
pub fn solve<G: Game>(game: &G, found: &Levels, progress: &dyn Progress) -> Vec<Vec<u8>> {
    let keep = |_: &[u8]| Ok::<(), std::convert::Infallible>(());
    match go_on_solving(game, found, Vec::new(), progress, keep) {
        Ok(values) => values,
        Err(never) => match never {},
    }
}

/// As [`solve`], but continues from `values`: the known bytes of the deepest levels, the deepest first. Calls `keep`
/// with the bytes of each new level.
fn go_on_solving<G: Game, E>(
    game: &G,
    found: &Levels,
    mut values: Vec<Vec<u8>>,
    progress: &dyn Progress,
    mut keep: impl FnMut(&[u8]) -> Result<(), E>,
) -> Result<Vec<Vec<u8>>, E> {
    progress.begin("Step 2: solve", found.positions());
    progress.advance(values.iter().map(|bytes| bytes.len() as u64).sum());
    for depth in (0..found.levels.len() - values.len()).rev() {
        let next = values.last().map(|bytes| SolvedLevel::new(&found.levels[depth + 1], bytes));
        let bytes = parallel::map_parts(&found.levels[depth], 4096, |keys| {
            let bytes = reduce(game, keys, next.as_ref());
            progress.advance(keys.len() as u64);
            bytes
        });
        let bytes = bytes.concat();
        keep(&bytes)?;
        values.push(bytes);
    }
    values.reverse();
    progress.end(&format!("{} values", found.positions()));
    Ok(values)
}
