//! Counting move sequences: the standard test of a move generator.

use rayon::prelude::*;

use super::Game;

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

/// Number of sequences of exactly `depth` legal moves.
pub fn sequences<G: Game>(game: &G, position: &G::Position, depth: u32) -> u64 {
    match depth {
        0 => 1,
        _ => count(game, position, depth, &mut vec![Vec::new(); depth as usize]),
    }
}

/// Depth-first count with one move buffer per remaining depth.
fn count<G: Game>(game: &G, position: &G::Position, depth: u32, buffers: &mut [Vec<G::Move>]) -> u64 {
    let (buffer, rest) = buffers.split_last_mut().expect("one buffer per depth");
    game.moves(position, buffer);
    if depth == 1 {
        return buffer.len() as u64;
    }
    buffer.iter().map(|&mv| count(game, &game.play(position, mv), depth - 1, rest)).sum()
}
