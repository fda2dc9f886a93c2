//! The winners of the positions of an opening, as far as they are known.

#[cfg(feature = "write")]
use std::collections::HashMap;

use super::levels::position;
#[cfg(feature = "write")]
use super::levels::{children, levels};
use yomikiri_rules::{Game, Outcome, Side, Value};

/// The positions of an opening with their winners, both indexed by the number of moves from the start.
#[derive(Clone)]
pub struct Outcomes {
    /// The keys of the positions after each number of moves from the start ([`levels`](super::levels())). Each inner
    /// list is in ascending order.
    pub levels: Vec<Vec<u64>>,
    /// For each key in `levels`: true if the side to move wins the position, false if it loses, `None` if the winner is
    /// not known.
    pub wins: Vec<Vec<Option<bool>>>,
}

impl Outcomes {
    /// Derives all winners that follow from `proved`. This map holds, by key, positions after at most `plies`
    /// moves: true if the side to move wins, false if it loses. Levels at the end without any proved winner are left
    /// out, but never the first level.
    #[cfg(feature = "write")]
    pub(super) fn of<G: Game>(game: &G, plies: u32, proved: &HashMap<u64, bool>) -> Outcomes {
        let levels = levels(game, plies);
        let wins = levels.iter().map(|keys| keys.iter().map(|key| proved.get(key).copied()).collect()).collect();
        let mut outcomes = Outcomes { levels, wins };
        while outcomes.levels.len() > 1 && outcomes.counts().last() == Some(&0) {
            outcomes.levels.pop();
            outcomes.wins.pop();
        }
        for plies in (0..outcomes.levels.len() - 1).rev() {
            let follows = outcomes.following(game, plies);
            for (known, follows) in outcomes.wins[plies].iter_mut().zip(follows) {
                *known = follows.or(*known);
            }
        }
        outcomes
    }

    /// Returns, for each number of moves from the start, the number of positions with a known winner.
    pub fn counts(&self) -> Vec<u64> {
        self.wins.iter().map(|wins| wins.iter().flatten().count() as u64).collect()
    }

    /// Returns the number of positions with a known winner.
    pub fn known(&self) -> u64 {
        self.counts().iter().sum()
    }

    /// Returns the positions after `plies` moves whose winner is known, each with its winner.
    pub fn winners<G: Game>(&self, game: &G, plies: usize) -> impl Iterator<Item = (G::Position, Side)> {
        self.levels[plies].iter().zip(&self.wins[plies]).filter_map(|(&key, &wins)| {
            let position = position(game, key);
            let mover = game.side(&position);
            Some((position, if wins? { mover } else { mover.other() }))
        })
    }

    /// Returns, by key of each position, the least number of mistakes on a line from the start to the position. A
    /// mistake is a move that turns a win for the side to move into a loss. A move counts as a mistake only if the
    /// winners before and after it are known.
    #[cfg(feature = "write")]
    pub(super) fn mistakes<G: Game>(&self, game: &G) -> HashMap<u64, u32> {
        let wins: HashMap<u64, Option<bool>> =
            self.levels.iter().flatten().copied().zip(self.wins.iter().flatten().copied()).collect();
        let mut least: HashMap<u64, u32> = self.levels[0].iter().map(|&key| (key, 0)).collect();
        for keys in &self.levels[..self.levels.len() - 1] {
            for &key in keys {
                let so_far = least[&key];
                for child in children(game, key) {
                    let is_mistake = wins[&key] == Some(true) && wins[&child] == Some(true);
                    let count = so_far + u32::from(is_mistake);
                    least.entry(child).and_modify(|known| *known = count.min(*known)).or_insert(count);
                }
            }
        }
        least
    }

    /// Derives the outcome of each position after `plies` moves from the positions one move later: true if the side to
    /// move has a winning move, false if every move is known to lose, else `None`. The next level must exist, and the
    /// game must have no draws.
    pub fn following<G: Game>(&self, game: &G, plies: usize) -> Vec<Option<bool>> {
        self.levels[plies].iter().map(|&key| following(game, key, |key| self.mover_wins(plies + 1, key))).collect()
    }

    /// Returns the moves that win in the position of `key`, which is `plies` moves from the start. Returns `None` if
    /// the outcome of a move is not known, as in a position of the last ply that the side to move wins.
    pub fn winning_moves<G: Game>(&self, game: &G, plies: usize, key: u64) -> Option<Vec<G::Move>> {
        if self.mover_wins(plies, key) == Some(false) {
            return Some(Vec::new());
        }
        if plies + 1 == self.levels.len() {
            return None;
        }
        let position = position(game, key);
        let mut winning = Vec::new();
        for mv in game.legal_moves(&position) {
            if move_wins(game, &position, mv, |key| self.mover_wins(plies + 1, key))? {
                winning.push(mv);
            }
        }
        Some(winning)
    }

    /// Returns the element of `wins` for the position of `key` after `plies` moves.
    pub(super) fn mover_wins(&self, plies: usize, key: u64) -> Option<bool> {
        self.wins[plies][self.levels[plies].binary_search(&key).expect("a level lists every position of its ply")]
    }
}

/// Returns true if a move wins, false if it loses, or `None` if its outcome is not known. `after` is as in
/// [`following`].
fn move_wins<G: Game>(
    game: &G,
    position: &G::Position,
    mv: G::Move,
    after: impl Fn(u64) -> Option<bool>,
) -> Option<bool> {
    let child = game.play(position, mv);
    match game.terminal_value(&child) {
        Some(value) => Some(value.of_move().outcome() == Outcome::Win),
        None => after(game.rank(&child)).map(|mover_wins| !mover_wins),
    }
}

/// Returns true if the position of `key` has a winning move, false if every move is known to lose, else `None`. `after`
/// takes the key of a nonterminal child. It returns true if the side to move in the child wins, false if it loses, and
/// `None` if the winner is not known.
fn following<G: Game>(game: &G, key: u64, after: impl Fn(u64) -> Option<bool>) -> Option<bool> {
    let position = position(game, key);
    let mut all_known = true;
    for mv in game.legal_moves(&position) {
        let wins = move_wins(game, &position, mv, &after);
        if wins == Some(true) {
            return wins;
        }
        all_known &= wins.is_some();
    }
    all_known.then_some(false)
}
