//! The positions of the first plies.

use yomikiri_rules::Game;

/// The last ply that an opening can have. With more plies, there are too many positions to prove.
pub const MAX_PLIES: u32 = 9;

/// Returns the keys of the nonterminal canonical positions after 0 to `plies` moves. Element `n` has the keys after `n`
/// moves, in ascending order. All paths to a position must have the same number of moves.
pub fn levels<G: Game>(game: &G, plies: u32) -> Vec<Vec<u64>> {
    let mut levels = vec![vec![game.rank(&game.start())]];
    for _ in 0..plies {
        let last = levels.last().expect("there is the start");
        let mut next: Vec<u64> = last.iter().flat_map(|&key| children(game, key)).collect();
        next.sort_unstable();
        next.dedup();
        levels.push(next);
    }
    levels
}

/// Returns the keys of the nonterminal children of the position of `key`, in ascending order and without duplicates.
pub(super) fn children<G: Game>(game: &G, key: u64) -> Vec<u64> {
    let position = game.unrank(key).expect("keys lead back to their positions");
    let after = game.legal_moves(&position).into_iter().map(|mv| game.play(&position, mv));
    let mut keys: Vec<u64> = after.filter(|after| !game.is_terminal(after)).map(|after| game.rank(&after)).collect();
    keys.sort_unstable();
    keys.dedup();
    keys
}
