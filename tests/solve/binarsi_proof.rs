//! Proofs of who wins, held against whole tables and the naive rules.

use crate::naive::binarsi::Naive;
use crate::support::games::binarsi;
use crate::support::random::Random;
use yomikiri_answer::Oracle;
use yomikiri_rules::game::Game;
use yomikiri_rules::games::binarsi::{Binarsi, Position};
use yomikiri_rules::value::{Side, Value};
use yomikiri_solve::Solvable;
use yomikiri_solve::adapters::binarsi::BinarsiProof;
use yomikiri_solve::proof::Prover;
use yomikiri_table::progress::Silent;

fn prover(game: &Binarsi, bytes: u64, threads: usize, near: u32) -> Prover<BinarsiProof> {
    let mut prover = Prover::new(BinarsiProof::new(game), bytes, threads);
    prover.set_endgame_plies(near);
    prover
}

/// A position after some random moves.
fn random_position(game: &Binarsi, random: &mut Random, plies: usize) -> Position {
    let mut position = game.start();
    for _ in 0..plies {
        let mut moves = Vec::new();
        game.moves(&position, &mut moves);
        if moves.is_empty() {
            break;
        }
        position = game.play(&position, *random.pick(&moves));
    }
    position
}

/// Every winner of a small board, by the naive rules; nothing is read out.
#[test]
fn small_boards_are_decided_as_the_naive_rules_say() {
    for code in ["bin2x2", "bin3x2", "bin2x3-n", "bin3x2-t223-kb1.5"] {
        let (game, values) = (binarsi(code), Naive::from_code(code).values());
        let mut prover = prover(&game, 1 << 20, 1, 0);
        for (sfen, (winner, _)) in &values {
            let side = if *winner == 'b' { Side::Black } else { Side::White };
            let position = game.parse_position(sfen).unwrap();
            assert_eq!(prover.winner(&position, |_| true), Some(side), "{sfen} of {code}");
        }
    }
}

/// Random positions of larger boards against all values below the start; on one thread and on three, with a table
/// that has to forget, read out from different plies on.
#[test]
fn larger_boards_are_decided_as_their_values_say() {
    for (code, near, threads, bytes) in [
        ("bin3x3", 0, 1, 1 << 20),
        ("bin3x3", 2, 3, 1 << 14),
        ("bin4x3", 3, 1, 1 << 22),
        ("bin3x4-n", 3, 2, 1 << 16),
        ("bin4x3-t233-kb1.5", 1, 1, 1 << 22),
        ("bin3x4-t342", 4, 1, 1 << 20),
    ] {
        let game = binarsi(code);
        let solved = game.solve_subgame(&game.start(), 1 << 30, &Silent).unwrap();
        let oracle = Oracle::of_subgame(&game, solved);
        let mut prover = prover(&game, bytes, threads, near);
        let mut random = Random::new(5);
        for plies in 0..60 {
            let position = random_position(&game, &mut random, plies % 12);
            let winner = oracle.value(&position).unwrap().outcome().winner(position.side());
            assert_eq!(prover.winner(&position, |_| true), winner, "{code}: {}", game.position_text(&position));
        }
    }
}

/// What the recorded tables say (precomp/expected), from the start.
#[test]
fn whole_boards_have_the_winner_of_their_tables() {
    for (code, near, threads, bytes) in
        [("bin4x4", 4, 1, 1 << 24), ("bin4x4", 7, 2, 1 << 16), ("bin5x4", 7, 2, 1 << 24)]
    {
        let game = binarsi(code);
        let mut prover = prover(&game, bytes, threads, near);
        assert_eq!(prover.winner(&game.start(), |_| true), Some(Side::White), "{code}");
        assert_eq!(prover.winner(&game.start(), |_| true), Some(Side::White), "{code}, once more");
    }
}

#[test]
fn a_proof_that_is_stopped_says_nothing_and_goes_on() {
    let game = binarsi("bin5x4");
    let mut prover = prover(&game, 1 << 26, 2, 6);
    let mut work = Vec::new();
    let winner = loop {
        let winner = prover.winner(&game.start(), |state| {
            work.push(state.work);
            false
        });
        if winner.is_some() || work.len() > 400 {
            break winner;
        }
    };
    assert_eq!(winner, Some(Side::White));
    assert!(!work.is_empty() && work.is_sorted(), "{work:?}");
}
