//! Counting move sequences: the standard test of a move generator.

use rayon::prelude::*;
use yomikiri_rules::Game;

/// The first plies, whose positions are shared out among threads.
const SHARED_PLIES: u32 = 4;

/// Number of sequences of `depth` legal moves from `position`, as [`Game::sequences`] counts them.
pub fn perft<G: Game>(game: &G, position: &G::Position, depth: u32) -> u64 {
    share_out(game, position, depth, SHARED_PLIES)
}

fn share_out<G: Game>(game: &G, position: &G::Position, depth: u32, plies: u32) -> u64 {
    let mut moves = Vec::new();
    if depth >= 3 && plies > 0 {
        game.moves(position, &mut moves);
    }
    if moves.is_empty() {
        return game.sequences(position, depth);
    }
    moves.par_iter().map(|&mv| share_out(game, &game.play(position, mv), depth - 1, plies - 1)).sum()
}
