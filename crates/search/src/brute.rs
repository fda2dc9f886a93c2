//! A brute-force solver: recursion with a hash map. It is slow and takes much memory. Tests compare the kernels with
//! it.

use std::collections::HashMap;

use yomikiri_rules::{Game, Value};

/// Returns the values of the canonical positions that can be reached from `root`, by key. Positions for which
/// [`Game::is_terminal`] returns true are left out. The game must be acyclic.
pub fn solve<G: Game>(game: &G, root: &G::Position) -> HashMap<u64, G::Value> {
    let mut values = HashMap::new();
    value(game, root, &mut values);
    values
}

fn value<G: Game>(game: &G, position: &G::Position, values: &mut HashMap<u64, G::Value>) -> G::Value {
    let over = game.terminal_value(position);
    if let Some(value) = over.filter(|_| game.is_terminal(position)) {
        return value;
    }
    let key = game.rank(position);
    if let Some(&known) = values.get(&key) {
        return known;
    }
    let moves = game.legal_moves(position);
    let best = moves.iter().map(|&mv| value(game, &game.play(position, mv), values).of_move()).max();
    let result = best.or(over).expect("a position without moves is over");
    values.insert(key, result);
    result
}
