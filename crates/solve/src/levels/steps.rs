//! The steps of levels as pure functions over slices of a level.
//!
//! A slice of a level is a run of its keys, which are canonical, ascend and do not repeat; valued, there is one table
//! byte for each. Slices of the level before make lists of keys, and merged lists are the level, or any range of it.
//! Slices of the next level, in the order of their keys, make the bytes of a slice of this one.

use rayon::prelude::*;

use yomikiri_rules::{Game, Value};

/// Keys of a level with their table bytes.
#[derive(Clone, Copy)]
pub struct LevelSlice<'a> {
    pub keys: &'a [u64],
    pub bytes: &'a [u8],
}

impl LevelSlice<'_> {
    fn byte(&self, key: u64) -> Option<u8> {
        self.keys.binary_search(&key).ok().map(|at| self.bytes[at])
    }
}

/// Undecided children of a slice.
#[derive(Default)]
pub struct Expansion {
    /// Those of the next level, ascending, each once.
    pub next: Vec<u64>,
    /// Those of the same level, which passes lead to, in no order.
    pub same: Vec<u64>,
}

/// The undecided children of some positions.
pub fn expand<G: Game>(game: &G, keys: &[u64]) -> Expansion {
    let (mut moves, mut found) = (Vec::new(), Expansion::default());
    for &key in keys {
        let position = position_of(game, key);
        game.moves(&position, &mut moves);
        let children = moves.iter().map(|&mv| game.play(&position, mv)).filter(|child| !game.is_terminal(child));
        for child in children {
            let level = if game.ply(&child) == game.ply(&position) { &mut found.same } else { &mut found.next };
            level.push(game.rank(&child));
        }
    }
    found.next = sorted(found.next);
    found
}

/// The keys upwards, each once.
pub fn sorted(mut keys: Vec<u64>) -> Vec<u64> {
    keys.par_sort_unstable();
    keys.dedup();
    keys
}

/// The union of two ascending lists without repeats.
pub fn merge(a: Vec<u64>, b: Vec<u64>) -> Vec<u64> {
    if a.is_empty() {
        return b;
    }
    let mut all = Vec::with_capacity(a.len() + b.len());
    let (mut a, mut b) = (a.into_iter().peekable(), b.into_iter().peekable());
    while let (Some(&x), Some(&y)) = (a.peek(), b.peek()) {
        all.push(x.min(y));
        if x <= y {
            a.next();
        }
        if y <= x {
            b.next();
        }
    }
    all.extend(a);
    all.extend(b);
    all
}

/// The table bytes of some positions. `next` are slices of the next level, ascending, with all of their children that
/// are undecided; empty after the last level.
pub fn reduce<G: Game>(game: &G, keys: &[u64], next: &[LevelSlice]) -> Vec<u8> {
    let mut moves = Vec::new();
    keys.iter().map(|&key| best_value(game, &position_of(game, key), next, &mut moves).to_byte()).collect()
}

/// The value of an undecided position. `moves` lends its memory.
fn best_value<G: Game>(game: &G, position: &G::Position, next: &[LevelSlice], moves: &mut Vec<G::Move>) -> G::Value {
    game.moves(position, moves);
    let value_of_move = |&mv: &G::Move| {
        let child = game.play(position, mv);
        if game.is_terminal(&child) {
            return game.terminal_value(&child).expect("a decided game has a value").of_move();
        }
        if game.ply(&child) == game.ply(position) {
            // After a pass no other follows.
            return best_value(game, &child, next, &mut Vec::new()).of_move();
        }
        let byte = byte_in(next, game.rank(&child)).expect("children are in the next level");
        G::Value::from_byte(byte).expect("the next level is solved").of_move()
    };
    let best = moves.iter().map(value_of_move).max();
    best.or_else(|| game.terminal_value(position)).expect("a position without moves is over")
}

/// The byte of a key in one of the slices.
fn byte_in(slices: &[LevelSlice], key: u64) -> Option<u8> {
    match slices {
        [one] => one.byte(key),
        _ => {
            let later = slices.partition_point(|slice| slice.keys.first().is_some_and(|&first| first <= key));
            slices[..later].last()?.byte(key)
        }
    }
}

fn position_of<G: Game>(game: &G, key: u64) -> G::Position {
    game.unrank(key).expect("keys of a level come from positions")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::levels;
    use yomikiri_rules::games::binarsi::Binarsi;
    use yomikiri_rules::games::reversi::Reversi;
    use yomikiri_table::Silent;

    /// Makes all levels slice by slice and holds them against the whole run.
    fn slices_agree<G: Game>(game: &G, length: usize) {
        let whole = levels::enumerate(game, &game.start(), 1 << 30, &Silent).unwrap();
        let values = levels::solve(game, &whole, &Silent);
        let mut level = vec![game.rank(&game.start())];
        for expected in &whole.levels {
            let mut fresh = level.clone();
            let mut next = Vec::new();
            while !fresh.is_empty() {
                let mut same = Vec::new();
                for slice in fresh.chunks(length) {
                    let found = expand(game, slice);
                    next = merge(next, found.next);
                    same.extend(found.same);
                }
                same.retain(|key| level.binary_search(key).is_err());
                fresh = sorted(same);
                level = merge(level, fresh.clone());
            }
            assert_eq!(level, *expected, "{}", game.code());
            level = next;
        }
        assert!(level.is_empty());
        for depth in 0..whole.levels.len() {
            let next = whole.levels.get(depth + 1).zip(values.get(depth + 1));
            let next: Vec<LevelSlice> = next.map_or(Vec::new(), |(keys, bytes)| {
                let slices = keys.chunks(length).zip(bytes.chunks(length));
                slices.map(|(keys, bytes)| LevelSlice { keys, bytes }).collect()
            });
            let bytes: Vec<u8> =
                whole.levels[depth].chunks(length).flat_map(|keys| reduce(game, keys, &next)).collect();
            assert_eq!(bytes, values[depth], "{}: {depth} plies from the start", game.code());
        }
    }

    #[test]
    fn slice_by_slice_gives_the_same_levels_as_whole() {
        for length in [1, 7, 1000] {
            slices_agree(&Binarsi::parse("bin3x2").unwrap(), length);
            // Has passes.
            slices_agree(&Reversi::parse("rev3x3").unwrap(), length);
            slices_agree(&Reversi::parse("rev3x4").unwrap(), length);
        }
    }
}
