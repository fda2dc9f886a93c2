//! Tests of the winners that df-pn finds, against naive rules, brute force and recorded tables. Binarsi uses all its
//! hooks; Connect Four and reversi are proved by their rules alone. These two have draws. Reversi also has passes, and
//! its keys do not tell the side to move.

use std::time::Duration;

use crate::provable::{Provable, ProverSettings, SIDES, SolvedBoard};
use crate::support::games::{binarsi, connect_four, legal_moves, reversi};
use crate::support::random::Random;
use yomikiri_naive::binarsi::Naive;
use yomikiri_rules::{Game, Notation, Side, Value};
use yomikiri_search::proof::checkpoint::Checkpoints;
use yomikiri_search::proof::{PlainProof, Prover, WithDeadline};

/// Every position of a small board has the winner of the naive rules. The endgame solver is off.
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

/// Compares the winners of random positions with brute force, and counts the positions by outcome in `outcomes`. The
/// callers vary the memory, the threads, and the plies at which the endgame solver is used.
fn check_winners<G: Provable>(game: G, setting: ProverSettings, outcomes: &mut [u32; 3]) {
    let board = SolvedBoard::new(game);
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

/// Compares the winners of all moves of random positions with brute force. One prover finds them all. Counts losing and
/// winning moves in `counts`.
fn check_moves<G: Provable>(game: G, setting: ProverSettings, counts: &mut [u32; 2]) {
    let board = SolvedBoard::new(game);
    for draws in SIDES {
        let mut prover = board.game.prover(draws, setting);
        let mut random = Random::new(11);
        for plies in 0..40 {
            let position = board.random_position(&mut random, plies % 9);
            let played = prover.winners_of_moves(&position, |_| true);
            let text = format!("{} of {}", board.game.position_text(&position), board.game.code());
            assert_eq!(
                played.iter().map(|of| of.mv).collect::<Vec<_>>(),
                legal_moves(&board.game, &position),
                "{text}"
            );
            for of in played {
                let winner = board.winner(&board.game.play(&position, of.mv), draws);
                assert_eq!(of.winner, Some(winner), "{} in {text}", board.game.move_text(of.mv));
                counts[usize::from(winner == board.game.side(&position))] += 1;
            }
        }
    }
}

#[test]
fn the_winners_of_all_moves_are_those_of_brute_force() {
    let mut counts = [0; 2];
    for (code, setting) in [
        ("bin3x3", (0, 1 << 20, 1)),
        ("bin4x3", (3, 1 << 14, 2)),
        ("bin3x4-m", (2, 1 << 20, 1)),
        ("bin2x2-n", (0, 64, 1)),
    ] {
        check_moves(binarsi(code), setting, &mut counts);
    }
    check_moves(reversi("rev4x4-w"), (4, 1 << 16, 2), &mut counts);
    check_moves(connect_four("con4x4-k3"), (2, 1 << 16, 1), &mut counts);
    assert!(counts.iter().all(|&count| count > 200), "{counts:?}");
}

#[test]
fn moves_stay_open_once_they_are_stopped() {
    let game = binarsi("bin6x6");
    let mut prover = game.prover(Side::White, (7, 1 << 20, 1));
    let played = prover.winners_of_moves(&game.start(), |_| false);
    assert!(played.len() == 4 && played.iter().all(|of| of.winner.is_none()), "{played:?}");
}

/// Compares the plies to a win with brute force, for the start and `positions` random positions. The prover must find
/// this number of plies, a win within it, and no win within one ply less. Counts the positions by plies in `lengths`.
fn check_lengths<G: Provable>(game: G, setting: ProverSettings, positions: usize, lengths: &mut [u32; 30]) {
    let board = SolvedBoard::new(game);
    let mut random = Random::new(5);
    for number in 0..=positions {
        let position = board.random_position(&mut random, number % 8);
        let (value, text) = (board.value(&position), board.game.position_text(&position));
        let Some(winner) = value.outcome().winner(board.game.side(&position)) else { continue };
        let plies = u32::from(value.plies().unwrap().0);
        let code = board.game.code();
        let prover = |plies| {
            let within = WithDeadline::new(board.game.proof(winner.other()), winner, &position, plies);
            let mut prover = Prover::new(within, setting.1, setting.2);
            prover.set_endgame_plies(setting.0);
            prover
        };
        let found = prover(0).plies_to_win(&position, 0, |_, _| true);
        assert_eq!(found, Ok(plies), "{winner} wins {text} of {code}");
        for (asked, expected) in [(plies.checked_sub(1), winner.other()), (Some(plies), winner)] {
            let found = asked.map(|asked| prover(asked).winner(&position, |_| true));
            assert_eq!(found, asked.map(|_| Some(expected)), "{winner} wins {text} of {code} in {plies}");
        }
        lengths[plies as usize] += 1;
    }
}

#[test]
fn wins_take_as_many_plies_as_brute_force_says() {
    let mut lengths = [0; 30];
    let codes = "
        bin2x2 bin2x3 bin3x2 bin2x4 bin4x2 bin5x2 bin2x2-n bin2x2-m bin3x2-m bin4x2-t223
        bin3x3 bin3x3-s2a bin3x3-s1b bin3x3-s2b bin3x3-kb0.5 bin3x3-n bin3x3-m bin3x3-t222 bin3x3-t233 bin4x3-t222
        bin4x3 bin3x4-kb1.5";
    for (number, code) in codes.split_whitespace().enumerate() {
        let setting = (number as u32 % 5, 1 << (12 + number % 9), 1 + number % 2);
        check_lengths(binarsi(code), setting, if code.starts_with("bin3x3") { 60 } else { 12 }, &mut lengths);
    }
    for code in ["con3x3-k3", "con4x3-k3", "con4x4-k3", "con4x4"] {
        check_lengths(connect_four(code), (3, 1 << 18, 1), 40, &mut lengths);
    }
    assert!(lengths[..13].iter().filter(|&&count| count > 5).count() > 9, "{lengths:?}");
}

#[test]
fn a_length_that_is_stopped_says_how_far_it_came() {
    let game = binarsi("bin6x6-s3c");
    let mut prover = Prover::new(WithDeadline::new(game.proof(Side::Black), Side::White, &game.start(), 0), 1 << 20, 1);
    let found = prover.plies_to_win(&game.start(), 3, |plies, _| plies < 5);
    assert!(matches!(found, Err(Some(not_within)) if not_within >= 4), "{found:?}");
}

/// The start has the winner of its recorded table (precomp/expected).
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
    // With one thread, the proof lasts a dozen intervals between two calls of the closure.
    let game = binarsi("bin6x4");
    let mut prover = game.prover(Side::White, (6, 1 << 26, 1));
    let mut work = Vec::new();
    let winner = loop {
        let winner = prover.winner(&game.start(), |state| {
            work.push(state.work);
            false
        });
        if winner.is_some() || work.len() > 20_000 {
            break winner;
        }
    };
    assert_eq!(winner, Some(Side::White));
    assert!(work.len() > 1 && work.is_sorted(), "{work:?}");
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
    let kept = checkpoints.save(&first.state(&start), Duration::ZERO, &mut || true).unwrap().unwrap();
    let mut second = game.prover(Side::Black, setting);
    let resumed = checkpoints.resume(&mut second, &start).unwrap().unwrap();
    assert_eq!((resumed.entries, second.state(&start).work), (kept.entries, first.state(&start).work));
    assert_eq!(second.winner(&start, |_| true), Some(Side::White));
    assert!(second.state(&start).work <= first.state(&start).work + 1, "it is known already");
    let mut other = game.prover(Side::White, setting);
    let refused = checkpoints.resume(&mut other, &start).map(|_| ()).unwrap_err();
    assert!(
        refused.to_string().ends_with("checkpoint of the other --draws, or of another version of the program"),
        "{refused}"
    );
}
