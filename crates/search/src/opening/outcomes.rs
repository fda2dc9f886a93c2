//! The winners of earlier plies, derived from those of the last ply.

use std::collections::HashMap;

use yomikiri_rules::{Game, Outcome, Value};

/// Returns, for each position of `levels` ([`super::levels`]), true if the side to move wins. `last` has these values
/// for the last level. The values of each earlier level follow from those of the next level.
pub fn outcomes<G: Game>(game: &G, levels: &[Vec<u64>], last: Vec<bool>) -> Vec<Vec<bool>> {
    let (mut after, mut outcomes) = (last, Vec::with_capacity(levels.len()));
    for at in (0..levels.len()).rev() {
        let before = match at {
            0 => Vec::new(),
            _ => {
                let won: HashMap<u64, bool> = levels[at].iter().copied().zip(after.iter().copied()).collect();
                levels[at - 1].iter().map(|&key| wins(game, key, |child| won[&child])).collect()
            }
        };
        outcomes.push(std::mem::replace(&mut after, before));
    }
    outcomes.reverse();
    outcomes
}

/// Returns true if the side to move wins the position of a key. `mover_wins` returns the same for the key of a child in
/// which the game goes on. The game has no draws.
pub(super) fn wins<G: Game>(game: &G, key: u64, mover_wins: impl Fn(u64) -> bool) -> bool {
    let position = game.unrank(key).expect("keys lead back to their positions");
    game.legal_moves(&position).into_iter().any(|mv| {
        let after = game.play(&position, mv);
        match game.terminal_value(&after) {
            Some(value) => value.of_move().outcome() == Outcome::Win,
            None => !mover_wins(game.rank(&after)),
        }
    })
}
