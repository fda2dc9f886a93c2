//! Counting move sequences: the standard test of a move generator.

use rayon::prelude::*;

use super::Game;

/// Number of sequences of exactly `depth` legal moves from `position`.
pub fn perft<G: Game>(game: &G, position: &G::Position, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    let mut moves = Vec::new();
    game.moves(position, &mut moves);
    if depth < 3 {
        return count(game, position, depth, &mut vec![Vec::new(); depth as usize]);
    }
    moves.par_iter().map(|&mv| perft(game, &game.play(position, mv), depth - 1)).sum()
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
