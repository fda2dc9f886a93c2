//! The steps of retrograde analysis as pure functions over parts of the keys.
//!
//! A set of positions implements [`Keys`], such as a chunk of a shared set. Values are one table byte per key; 0 if the
//! key has no position. A step passes the keys that it finds to a callback. They can be anywhere in the key space. The
//! driver puts them into shared sets ([`super::solve`]).
//!
//! To make the frontier of distance `d + 1` from that of distance `d`:
//! 1. [`predecessors`] finds the predecessors of the frontier's won positions. Those still undecided are candidates.
//! 2. [`lost`] finds the candidates that lose, by the set of positions won so far. They are no longer undecided.
//! 3. [`predecessors`] finds the predecessors of the frontier's lost positions. Those still undecided are won, and are
//!    no longer undecided.
//! 4. [`settle`] writes the values of the new frontier. If it is empty, all values are known, unless some [`seeds`]
//!    have a greater distance.

use std::cell::{Cell, RefCell};
use std::ops::ControlFlow;

use super::{Cyclic, DenseKey, Members, RunKeys, RunSet};
use crate::space::SharedSet;
use yomikiri_rules::{HasDistance, Outcome, Value};

/// A set of keys that can be visited in ascending order.
pub trait Keys {
    /// Calls `visit` with each key.
    fn each(&self, visit: impl FnMut(u64));
}

impl Members for SharedSet {
    #[inline]
    fn has(&self, key: u64) -> bool {
        self.contains(key)
    }

    #[inline]
    fn run(&self, first: u64) -> RunSet {
        self.window(first)
    }
}

/// The keys of a shared set that lie in one chunk, given by the index of the chunk.
pub struct Chunk<'a>(pub &'a SharedSet, pub u64);

impl Keys for Chunk<'_> {
    #[inline]
    fn each(&self, visit: impl FnMut(u64)) {
        self.0.visit_chunk(self.1, visit);
    }
}

/// The output of a step: one key, or several keys of a run, which is a range of consecutive keys ([`Cyclic::run`]).
#[derive(Clone, Copy, Debug)]
pub enum FoundKeys<'a, K> {
    /// A single key.
    One(K),
    /// Several keys, all of one run ([`Cyclic::run`]).
    Run(RunKeys<'a>),
}

impl<K: DenseKey> FoundKeys<'_, K> {
    /// Calls `visit` with each key.
    #[inline]
    pub fn each(&self, mut visit: impl FnMut(u64)) {
        match *self {
            FoundKeys::One(key) => visit(key.into()),
            FoundKeys::Run(keys) => keys.each(visit),
        }
    }
}

/// The least number of positions of one run ([`Cyclic::run`]) whose moves a step makes together. Fewer positions are
/// handled one by one. docs/perf/animal-shogi.md has measurements.
const TOGETHER: u32 = 4;

/// Like [`TOGETHER`], for steps that gain less from handling the positions of a run ([`Cyclic::run`]) together: few of
/// the positions share an un-move, or one or two moves are enough to rule out most of them.
const TOGETHER_BACK: u32 = 8;

/// Groups `keys` by their runs ([`Cyclic::run`]). Calls `run` with the keys of a group if there are at least `together`
/// of them. Otherwise calls `one` with each key of the group.
#[inline]
fn each_run<G: Cyclic>(
    game: &G,
    together: u32,
    keys: &impl Keys,
    mut one: impl FnMut(u64, &mut G::Block),
    mut run: impl FnMut(RunKeys, &mut G::Block),
) {
    let mut block = G::Block::default();
    let (mut first, mut count, mut set) = (0, 0, RunSet::default());
    let mut flush = |first: u64, set: &RunSet, block: &mut G::Block| {
        let (keys, count) = (RunKeys { first, set }, set.iter().map(|word| word.count_ones()).sum::<u32>());
        if count >= together { run(keys, block) } else { keys.each(|key| one(key, block)) }
    };
    keys.each(|key| {
        if key.wrapping_sub(first) >= u64::from(count) {
            flush(first, &set, &mut block);
            (first, count) = game.run(G::Key::of(key), &mut block);
            set = RunSet::default();
        }
        let place = key - first;
        set[(place / 64) as usize % 4] |= 1 << (place % 64);
    });
    flush(first, &set, &mut block);
}

/// Makes the moves of all positions in `keys`. Calls `open` with undecided children, and `over` with decided ones and
/// their table byte. Returns the number of positions expanded.
#[inline]
pub fn expand<G: Cyclic>(
    game: &G,
    keys: &impl Keys,
    mut open: impl FnMut(FoundKeys<G::Key>),
    mut over: impl FnMut(FoundKeys<G::Key>, u8),
) -> u64 {
    let expanded = Cell::new(0);
    let byte = |(outcome, plies): (Outcome, u8)| G::Value::of(outcome, plies.into()).to_byte();
    let (open, over) = (RefCell::new(&mut open), RefCell::new(&mut over));
    each_run(
        game,
        TOGETHER,
        keys,
        |key, block| {
            expanded.set(expanded.get() + 1);
            let (open, over) = (&mut *open.borrow_mut(), &mut *over.borrow_mut());
            let _ = game.children(&game.board(G::Key::of(key), block), |child, ended| {
                let key = game.key_of(child);
                match ended {
                    None => open(FoundKeys::One(key)),
                    Some(end) => over(FoundKeys::One(key), byte(end)),
                }
                ControlFlow::Continue(())
            });
        },
        |keys, block| {
            expanded.set(expanded.get() + keys.set.iter().map(|word| u64::from(word.count_ones())).sum::<u64>());
            let (open, over) = (&mut *open.borrow_mut(), &mut *over.borrow_mut());
            game.children_of_run(
                keys,
                block,
                |first, set| open(FoundKeys::Run(RunKeys { first, set })),
                |first, set, end| over(FoundKeys::Run(RunKeys { first, set }), byte(end)),
            );
        },
    );
    expanded.get()
}

/// Finds the positions in `keys` whose value follows from moves to decided positions alone ([`Cyclic::ended_value`]).
/// Calls `found` with them, their outcome and their distance to the end. The caller adds them to the frontier of that
/// distance, unless they already have a value then.
#[inline]
pub fn seeds<G: Cyclic>(game: &G, keys: &impl Keys, mut found: impl FnMut(FoundKeys<G::Key>, Outcome, u8)) {
    let found = RefCell::new(&mut found);
    each_run(
        game,
        TOGETHER,
        keys,
        |key, block| {
            if let Some((outcome, plies)) = game.ended_value(&game.board(G::Key::of(key), block)) {
                found.borrow_mut()(FoundKeys::One(G::Key::of(key)), outcome, plies);
            }
        },
        |keys, block| {
            let found = &mut **found.borrow_mut();
            game.ended_of_run(keys, block, |set, (outcome, plies)| {
                found(FoundKeys::Run(RunKeys { set, ..keys }), outcome, plies);
            });
        },
    );
}

/// Calls `found` with the keys of all positions that have a move to a position in `frontier`. Keys may repeat, and may
/// belong to positions that cannot arise.
#[inline]
pub fn predecessors<G: Cyclic>(game: &G, frontier: &impl Keys, mut found: impl FnMut(FoundKeys<G::Key>)) {
    let found = RefCell::new(&mut found);
    each_run(
        game,
        TOGETHER_BACK,
        frontier,
        |key, block| {
            let found = &mut **found.borrow_mut();
            let _ = game.parents(&game.board(G::Key::of(key), block), |parent| {
                found(FoundKeys::One(parent));
                ControlFlow::Continue(())
            });
        },
        |run, block| {
            let found = &mut **found.borrow_mut();
            game.parents_of_run(run, block, |first, set| found(FoundKeys::Run(RunKeys { first, set })));
        },
    );
}

/// Calls `found` with the candidates that are lost: all their moves lead to positions that the other side wins. `won`
/// has the positions that the side to move wins.
#[inline]
pub fn lost<G: Cyclic>(game: &G, candidates: &impl Keys, won: &impl Members, mut found: impl FnMut(FoundKeys<G::Key>)) {
    let found = RefCell::new(&mut found);
    each_run(
        game,
        TOGETHER_BACK,
        candidates,
        |key, block| {
            let all = game.children(&game.board(G::Key::of(key), block), |child, over| {
                let loses = match over {
                    None => won.has(game.key_of(child).into()),
                    Some((outcome, _)) => outcome == Outcome::Win,
                };
                if loses { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
            });
            if all.is_continue() {
                found.borrow_mut()(FoundKeys::One(G::Key::of(key)));
            }
        },
        |keys, block| {
            let lost = game.lost_of_run(keys, block, |first| won.run(first));
            if lost != RunSet::default() {
                found.borrow_mut()(FoundKeys::Run(RunKeys { set: &lost, ..keys }));
            }
        },
    );
}

/// Writes the values of a frontier, whose positions all have this distance to the end, to `bytes`: the table bytes of
/// the keys from `first` on. `won` returns true for keys that the side to move wins. Returns the number of values.
#[inline]
pub fn settle<V: HasDistance>(
    frontier: &impl Keys,
    won: impl Fn(u64) -> bool,
    distance: u16,
    first: u64,
    bytes: &mut [u8],
) -> u64 {
    let mut count = 0;
    frontier.each(|key| {
        let outcome = if won(key) { Outcome::Win } else { Outcome::Loss };
        bytes[(key - first) as usize] = V::of(outcome, distance).to_byte();
        count += 1;
    });
    count
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::heaps::{EMPTY, Heaps};
    use crate::retrograde::{Analysis, solve, solve_all};
    use yomikiri_rules::bits::set_bits;
    use yomikiri_rules::games::pyonpyon::Pyonpyon;
    use yomikiri_rules::{Distance, Game};
    use yomikiri_search::brute;
    use yomikiri_table::Silent;

    /// A set of keys. Bit `i` stands for key `EMPTY + i`.
    struct HeapSet(u64);

    impl Keys for HeapSet {
        fn each(&self, mut visit: impl FnMut(u64)) {
            set_bits(self.0).for_each(|bit| visit(EMPTY + u64::from(bit)));
        }
    }

    impl Members for HeapSet {
        fn has(&self, key: u64) -> bool {
            self.0 >> (key - EMPTY) & 1 == 1
        }

        fn run(&self, first: u64) -> RunSet {
            [self.0 >> (first - EMPTY), 0, 0, 0]
        }
    }

    #[test]
    fn part_by_part_gives_the_same_bytes_as_all_keys_together() {
        for code in ["pyon2x3", "pyon3x3B", "pyon2x5", "pyon3x4"] {
            let game = Pyonpyon::parse(code).unwrap();
            let whole = solve(&game, Analysis::from_ends(&game).unwrap(), &Silent, |_| Ok(())).unwrap();
            let by_parts = solve_all(&game, Analysis::from_ends(&game).unwrap(), &Silent, |_| Ok(())).unwrap();
            assert!(by_parts == whole, "{code}");
        }
    }

    #[test]
    fn keys_of_more_than_32_bits_are_not_cut_off() {
        let bit = |key: u64| 1u64 << (key - EMPTY);
        let mut bytes = [0; 64];
        let mut frontier: u64 = (EMPTY..EMPTY + 64).filter(|key| Heaps.is_terminal(key)).map(bit).sum();
        let mut won = 0u64;
        for distance in 1..=14 {
            let (mut candidates, mut next, mut wins) = (0, 0, 0);
            predecessors(&Heaps, &HeapSet(frontier & won), |found| found.each(|key| candidates |= bit(key)));
            lost(&Heaps, &HeapSet(candidates), &HeapSet(won), |found| found.each(|key| next |= bit(key)));
            predecessors(&Heaps, &HeapSet(frontier & !won), |found| found.each(|key| wins |= bit(key)));
            won |= wins;
            next |= wins;
            settle::<Distance>(&HeapSet(next), |key| won & bit(key) != 0, distance, EMPTY, &mut bytes);
            frontier = next;
        }
        for (key, value) in brute::solve(&Heaps, &Heaps.start()) {
            assert_eq!(bytes[(key - EMPTY) as usize], value.to_byte(), "{key}");
        }
        let (mut open, mut over) = (Vec::new(), Vec::new());
        let set = 1 << 0o11 | 1 << 0o12;
        expand(
            &Heaps,
            &HeapSet(set),
            |found| found.each(|key| open.push(key - EMPTY)),
            |found, _| found.each(|key| over.push(key - EMPTY)),
        );
        assert_eq!((open, over), (vec![0o11], vec![0o01, 0o10, 0o02]));
    }

    /// In an analysis of the reachable positions, the first frontier comes from the seeds, not from ended positions.
    #[test]
    fn seeds_are_the_positions_next_to_an_end() {
        let game = Pyonpyon::parse("pyon3x3").unwrap();
        let all = SharedSet::full(game.keys().into()).unwrap();
        let mut found = std::collections::BTreeSet::new();
        (0..all.chunks()).for_each(|chunk| {
            seeds(&game, &Chunk(&all, chunk), |seeds, outcome, plies| {
                seeds.each(|key| {
                    let board = game.board(key as u32, &mut Default::default());
                    assert_eq!(game.ended_value(&board), Some((outcome, plies)));
                    found.insert(key);
                });
            });
        });
        let whole = solve(&game, Analysis::from_ends(&game).unwrap(), &Silent, |_| Ok(())).unwrap();
        let won_at_once = Distance::of(Outcome::Win, 1).to_byte();
        let in_one: Vec<u64> =
            (0..).zip(&whole).filter(|&(_, &byte)| byte == won_at_once).map(|(key, _)| key).collect();
        assert!(!in_one.is_empty() && in_one.iter().all(|key| found.contains(key)));
    }
}
