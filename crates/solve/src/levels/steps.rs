//! The steps of the kernel `levels` as pure functions over slices of a level.
//!
//! A slice has some successive keys of a level: canonical, ascending and distinct. [`expand`] lists the children of a
//! slice. The lists of all slices, merged, are the next level. [`reduce`] computes the table bytes of a slice from the
//! next level.

use crate::key_index::KeyIndex;
use yomikiri_rules::{Game, Value};
use yomikiri_table::parallel;

/// The keys of a level with their table bytes.
pub struct SolvedLevel<'a> {
    keys: &'a [u64],
    bytes: &'a [u8],
    index: KeyIndex,
}

impl<'a> SolvedLevel<'a> {
    /// Creates a level from its keys, which are ascending and distinct, and the table byte of each key.
    pub fn new(keys: &'a [u64], bytes: &'a [u8]) -> SolvedLevel<'a> {
        SolvedLevel { keys, bytes, index: KeyIndex::new(keys) }
    }

    #[inline]
    fn byte(&self, key: u64) -> Option<u8> {
        self.index.find(self.keys, key).map(|at| self.bytes[at])
    }
}

/// The undecided children of some keys of a level.
#[derive(Default)]
pub struct Expansion {
    /// Children of the next level, ascending and distinct.
    pub next: Vec<u64>,
    /// Children of the same level, after passes, in no order.
    pub same: Vec<u64>,
}

/// Returns the undecided children of the positions `keys`.
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

/// Sorts keys in ascending order and drops repeats.
pub fn sorted(mut keys: Vec<u64>) -> Vec<u64> {
    parallel::sort(&mut keys);
    keys.dedup();
    keys
}

/// Returns the union of two ascending lists without repeats.
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

/// Returns the table bytes of the positions `keys`. `next` is the next level, which has all their undecided
/// children; `None` for the last level.
pub fn reduce<G: Game>(game: &G, keys: &[u64], next: Option<&SolvedLevel>) -> Vec<u8> {
    let mut moves = Vec::new();
    keys.iter().map(|&key| best_value(game, &position_of(game, key), next, &mut moves).to_byte()).collect()
}

/// Returns the value of an undecided position. `moves` is a buffer.
fn best_value<G: Game>(
    game: &G,
    position: &G::Position,
    next: Option<&SolvedLevel>,
    moves: &mut Vec<G::Move>,
) -> G::Value {
    game.moves(position, moves);
    let value_of_move = |&mv: &G::Move| {
        let child = game.play(position, mv);
        if game.is_terminal(&child) {
            return game.terminal_value(&child).expect("a decided game has a value").of_move();
        }
        if game.ply(&child) == game.ply(position) {
            // No pass follows a pass, so the recursion is one call deep.
            return best_value(game, &child, next, &mut Vec::new()).of_move();
        }
        let byte = next.and_then(|next| next.byte(game.rank(&child))).expect("children are in the next level");
        game.value_of_byte(byte).expect("the next level is solved").of_move()
    };
    let best = moves.iter().map(value_of_move).max();
    best.or_else(|| game.terminal_value(position)).expect("a position without moves is over")
}

fn position_of<G: Game>(game: &G, key: u64) -> G::Position {
    game.unrank(key).expect("keys of a level come from positions")
}
