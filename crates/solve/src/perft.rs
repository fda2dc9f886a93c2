//! Perft: counts of move sequences, the standard test of a move generator.

use yomikiri_rules::Game;
use yomikiri_table::parallel;

/// The number of plies from the root whose moves are divided among threads.
const SHARED_PLIES: u32 = 4;

/// Counts, on all threads, the sequences of `depth` legal moves from `position`, as [`Game::perft`] counts them.
pub fn perft<G: Game>(game: &G, position: &G::Position, depth: u32) -> u64 {
    share_out(game, position, depth, SHARED_PLIES)
}

fn share_out<G: Game>(game: &G, position: &G::Position, depth: u32, plies: u32) -> u64 {
    let mut moves = Vec::new();
    if depth >= 3 && plies > 0 {
        game.moves(position, &mut moves);
    }
    if moves.is_empty() {
        return game.perft(position, depth);
    }
    parallel::map(moves.len(), |at| share_out(game, &game.play(position, moves[at]), depth - 1, plies - 1)).iter().sum()
}
