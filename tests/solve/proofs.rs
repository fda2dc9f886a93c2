//! Who wins by df-pn, held against naive rules, brute force and recorded tables: Binarsi with all it knows of itself,
//! and by nothing but their rules Connect Four, and reversi, which has passes and keys that do not tell whose move it
//! is. Both have draws.

use std::time::Duration;

use crate::naive::binarsi::Naive;
use crate::provable::{Board, Provable, SIDES, Setting};
use crate::support::games::{binarsi, connect_four, random_game, reversi};
use crate::support::random::Random;
use yomikiri_rules::{Acyclic, Game, Side, laws};
use yomikiri_solve::proof::PlainProof;
use yomikiri_solve::proof::checkpoint::Checkpoints;

/// Every winner of a small board, by the naive rules; nothing is read out.
#[test]
fn small_boards_are_decided_as_the_naive_rules_say() {
    for code in ["bin2x2", "bin3x2", "bin2x3-n", "bin2x3-m", "bin3x2-t999-m", "bin3x2-t223-kb1.5"] {
        let (game, values) = (binarsi(code), Naive::from_code(code).values());
        let mut prover = game.prover(Side::White, (0, 1 << 20, 1));
        for (sfen, (winner, _)) in &values {
            let side = if *winner == 'b' { Side::Black } else { Side::White };
            let position = game.parse_position(sfen).unwrap();
            assert_eq!(prover.winner(&position, |_| true), Some(side), "{sfen} of {code}");
        }
    }
}

/// Random positions, with tables that forget, on one and more threads, read out from different plies on; counts
/// outcomes.
fn check_winners<G: Provable>(game: G, setting: Setting, outcomes: &mut [u32; 3]) {
    let board = Board::new(game);
    for draws in SIDES {
        let mut prover = board.game.prover(draws, setting);
        let mut random = Random::new(7);
        for plies in 0..120 {
            let position = board.random_position(&mut random, plies % 13);
            let (winner, text) = (board.winner(&position, draws), board.game.position_text(&position));
            let code = board.game.code();
            assert_eq!(prover.winner(&position, |_| true), Some(winner), "{code}, draws for {draws}: {text}");
            outcomes[board.outcome(&position) as usize] += 1;
        }
    }
}

#[test]
fn proofs_have_the_winners_of_brute_force() {
    for (code, setting) in [
        ("bin3x3", (0, 1 << 20, 1)),
        ("bin3x3", (2, 1 << 14, 3)),
        ("bin4x3", (3, 1 << 22, 1)),
        ("bin3x4-n", (3, 1 << 16, 2)),
        ("bin3x4-m", (3, 1 << 16, 2)),
        ("bin4x3-s1a-kb0.5-m", (2, 1 << 20, 1)),
        ("bin4x3-t233-kb1.5", (1, 1 << 22, 1)),
        ("bin3x4-t342", (4, 1 << 20, 1)),
    ] {
        check_winners(binarsi(code), setting, &mut [0; 3]);
    }
    let mut outcomes = [0; 3];
    for (code, setting) in [
        ("rev3x3", (0, 1 << 16, 1)),
        ("rev3x4", (3, 1 << 20, 1)),
        ("rev4x3", (0, 1 << 10, 2)),
        ("rev4x4-w", (4, 1 << 16, 2)),
    ] {
        check_winners(reversi(code), setting, &mut outcomes);
    }
    for (code, setting) in [
        ("con3x3-k3", (0, 1 << 16, 1)),
        ("con4x3-k3", (1, 1 << 10, 2)),
        ("con4x4-k3", (0, 1 << 20, 1)),
        ("con4x4", (6, 1 << 22, 2)),
    ] {
        check_winners(connect_four(code), setting, &mut outcomes);
    }
    assert!(outcomes.iter().all(|&count| count > 100), "{outcomes:?}");
}

/// What the recorded tables say (precomp/expected), from the start.
#[test]
fn whole_boards_have_the_winner_of_their_tables() {
    for (code, setting) in [("bin4x4", (4, 1 << 24, 1)), ("bin4x4", (7, 1 << 16, 2)), ("bin5x4", (7, 1 << 24, 2))] {
        let game = binarsi(code);
        let mut prover = game.prover(Side::White, setting);
        assert_eq!(prover.winner(&game.start(), |_| true), Some(Side::White), "{code}");
        assert_eq!(prover.winner(&game.start(), |_| true), Some(Side::White), "{code}, once more");
    }
}

#[test]
fn a_proof_that_is_stopped_says_nothing_and_goes_on() {
    let game = binarsi("bin5x4");
    let mut prover = game.prover(Side::White, (6, 1 << 26, 2));
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

fn check_plies_left<G: Acyclic>(game: &G) {
    let mut random = Random::new(1);
    for position in (0..300).flat_map(|_| random_game(game, &mut random)) {
        laws::plies_left_fall(game, &position);
    }
}

#[test]
fn every_move_brings_the_end_nearer() {
    for code in ["rev3x3", "rev4x3", "rev4x4", "rev5x5"] {
        check_plies_left(&reversi(code));
    }
    for code in ["con3x3-k3", "con4x4", "con7x6", "con8x8"] {
        check_plies_left(&connect_four(code));
    }
}

#[test]
fn boards_without_fitting_keys_are_refused() {
    for (code, fits) in [("rev6x6", true), ("rev5x8", false), ("rev8x8", false)] {
        assert_eq!(PlainProof::new(&reversi(code), Side::Black).is_ok(), fits, "{code}");
    }
}

#[test]
fn proofs_go_on_from_a_checkpoint_with_draws_for_the_same_side() {
    let (game, setting) = (reversi("rev4x4"), (4, 1 << 22, 1));
    let (start, folder) = (game.start(), tempfile::tempdir().unwrap());
    let mut first = game.prover(Side::Black, setting);
    assert_eq!(first.winner(&start, |_| true), Some(Side::White));
    let mut checkpoints = Checkpoints::open(folder.path(), 0).unwrap();
    let kept = checkpoints.keep(&first.state(&start), &start, Duration::ZERO, &mut || true).unwrap().unwrap();
    let mut second = game.prover(Side::Black, setting);
    let resumed = checkpoints.resume(&mut second, &start).unwrap().unwrap();
    assert_eq!((resumed.entries, second.state(&start).work), (kept.entries, first.state(&start).work));
    assert_eq!(second.winner(&start, |_| true), Some(Side::White));
    assert!(second.state(&start).work <= first.state(&start).work + 1, "it is known already");
    let mut other = game.prover(Side::White, setting);
    let refused = checkpoints.resume(&mut other, &start).map(|_| ()).unwrap_err();
    assert!(refused.to_string().ends_with("checkpoint of another version of the program"), "{refused}");
}
