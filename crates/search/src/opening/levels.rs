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

/// Returns the last ply, at most `plies`, that has nonterminal positions. Looks for one position of a ply depth-first,
/// so that it need not list the plies of a large board.
#[cfg(feature = "write")]
pub fn last_ply<G: Game>(game: &G, plies: u32) -> u32 {
    (1..=plies).rev().find(|&plies| goes_on(game, &game.start(), plies)).unwrap_or(0)
}

/// Returns true if a game can go on for more than `plies` plies from `position`.
#[cfg(feature = "write")]
fn goes_on<G: Game>(game: &G, position: &G::Position, plies: u32) -> bool {
    let goes_on_after = |mv| goes_on(game, &game.play(position, mv), plies - 1);
    !game.is_terminal(position) && (plies == 0 || game.legal_moves(position).into_iter().any(goes_on_after))
}

/// Returns the position of a key of the opening.
pub(super) fn position<G: Game>(game: &G, key: u64) -> G::Position {
    game.unrank(key).expect("a key that `rank` returned has a position")
}

/// Returns the keys of the nonterminal children of the position of `key`, in ascending order and without duplicates.
pub(super) fn children<G: Game>(game: &G, key: u64) -> Vec<u64> {
    children_of(game, &position(game, key))
}

/// Like [`children`], but takes the position itself.
pub(super) fn children_of<G: Game>(game: &G, position: &G::Position) -> Vec<u64> {
    let after = game.legal_moves(position).into_iter().map(|mv| game.play(position, mv));
    let mut keys: Vec<u64> = after.filter(|after| !game.is_terminal(after)).map(|after| game.rank(&after)).collect();
    keys.sort_unstable();
    keys.dedup();
    keys
}
