//! Compares the rules of the pyonpyon game with shogi pieces with the slow second implementation in
//! `naive/pyonpyon_shogi.rs`. Moves, children, ends and keys must be equal on every board size, in both readings and
//! with pieces of every kind.

use crate::agreement::{Pair, rules_of_texts};
use crate::support::games::{legal_moves, pyonpyon_shogi};
use crate::support::random::Random;
use crate::support::repository;
use yomikiri_naive::pyonpyon_shogi::Naive;
use yomikiri_naive::write_rank;
use yomikiri_rules::games::pyonpyon_shogi::moves::take_back;
use yomikiri_rules::games::pyonpyon_shogi::{Position, PyonpyonShogi};
use yomikiri_rules::{Game, Notation, Presentation, Side, Value};

/// Returns codes of every board size in both readings, with random pieces.
fn all_codes() -> Vec<String> {
    let mut random = Random::new(5);
    let sizes = (2..=5).flat_map(|files| (3..=5).map(move |ranks| (files, ranks)));
    let codes = sizes.flat_map(|(files, ranks)| ["A", "B", "A"].map(|reading| (files, ranks, reading)));
    let pieces = |files, random: &mut Random| -> String {
        (0..files).map(|_| *random.pick(&['P', 'L', 'N', 'S', 'G', 'B', 'R'])).collect()
    };
    codes
        .map(|(files, ranks, reading)| format!("pyon{files}x{ranks}{reading}-{}", pieces(files, &mut random)))
        .collect()
}

type Twins = Pair<PyonpyonShogi, Naive, str>;

fn pair(code: &str) -> Twins {
    Pair::new(pyonpyon_shogi(code), rules_of_texts!(code, Naive::start_text), check)
}

/// Checks the end of a position, and that its moves can be taken back.
fn check(pair: &Twins, position: &Position, text: &str) {
    let game = &pair.fast;
    let end = game.terminal_value(position);
    let letter = |side| if side == Side::Black { 'b' } else { 'w' };
    let winner = end.and_then(|value| value.outcome().winner(position.side)).map(letter);
    let (is_stuck, slow) = (end.is_some() && winner.is_none(), &pair.slow.rules);
    assert_eq!((winner, is_stuck), (slow.winner(text), slow.is_stuck(text)), "end of {text} in {}", game.code());
    assert_eq!(game.is_terminal(position), winner.is_some(), "end of {text}");
    assert_eq!(
        game.end_reason(position).map(|reason| reason.id),
        end.map(|_| if is_stuck { "pyonpyon-no-move" } else { "pyonpyon-goal" })
    );
    for mv in legal_moves(game, position) {
        let child = game.play(position, mv);
        assert_eq!(take_back(&child, mv), *position);
        let mut back = Vec::new();
        let _ = game.each_unmove(&child, |mv| {
            back.push(mv);
            std::ops::ControlFlow::Continue(())
        });
        assert!(back.contains(&mv), "{mv:?} in {text} of {} cannot be taken back", game.code());
    }
}

/// Puts the pieces on random squares. Most of those of the side `near` go to its goal. Returns the text of the
/// position.
fn random_set_up(slow: &Naive, near: Option<char>, random: &mut Random) -> String {
    let mut squares = vec!['.'; slow.files * slow.ranks];
    let white = slow.pieces.iter().map(char::to_ascii_lowercase);
    for (at, piece) in slow.pieces.iter().copied().chain(white).enumerate() {
        let side = if piece.is_ascii_uppercase() { 'b' } else { 'w' };
        let ahead = usize::from(random.below(4) == 0);
        let rank = if side == 'b' { ahead } else { slow.ranks - 1 - ahead };
        let goal = rank * slow.files + at % slow.files;
        let mut square = if near == Some(side) { goal } else { random.below(squares.len()) };
        while squares[square] != '.' {
            square = random.below(squares.len());
        }
        squares[square] = piece;
    }
    let ranks: Vec<_> = squares.chunks(slow.files).map(write_rank).collect();
    format!("{} {}", ranks.join("/"), random.pick(&['b', 'w']))
}

#[test]
fn random_games_agree_on_every_board() {
    for (code, seed) in all_codes().iter().zip(0..) {
        let (mut pair, mut random) = (pair(code), Random::new(seed));
        (0..4).for_each(|_| drop(pair.play(40, &mut random)));
    }
}

#[test]
fn random_set_ups_agree_on_every_board() {
    let (mut won, mut stuck) = (0, 0);
    for (code, seed) in all_codes().iter().zip(100..) {
        let (mut pair, mut random) = (pair(code), Random::new(seed));
        for round in 0..60 {
            let near = [None, Some('b'), Some('w')][round % 3];
            let text = random_set_up(&pair.slow.rules, near, &mut random);
            won += u32::from(pair.slow.rules.winner(&text).is_some());
            stuck += u32::from(pair.slow.rules.is_stuck(&text));
            pair.play_from(pair.read(&text), 3, &mut random);
        }
    }
    assert!(won > 200 && stuck > 3, "{won} of the set-ups are won, in {stuck} there is no move");
}

/// Checks positions made by hand: steps of every kind, blocked steps, and ends of games.
#[test]
fn positions_of_the_texts_agree() {
    let mut checked = 0;
    for (code, text) in repository::positions_of_texts("pyonpyon_shogi") {
        let mut pair = pair(&code);
        pair.check(&pair.read(&text));
        checked += 1;
    }
    assert!(checked > 15, "{checked}");
}

#[test]
fn perft_agrees_with_the_naive_rules() {
    for code in all_codes() {
        let pair = pair(&code);
        pair.check_perft(if pair.slow.rules.files < 4 { 4 } else { 3 });
    }
}

/// Checks that every position of a board has a key, and that two positions share a key exactly if they are symmetric by
/// the naive rules.
#[test]
fn keys_number_the_canonical_positions_of_small_boards() {
    for code in ["pyon2x3-PP", "pyon2x3-PG", "pyon2x4-NS", "pyon2x5-LR", "pyon3x3-PGP", "pyon3x3-PNS"] {
        let mut pair = pair(code);
        for turn in ['b', 'w'] {
            for text in pair.slow.rules.all_positions(turn) {
                let position = pair.fast.parse_position(&text).unwrap();
                pair.check_identity(&(position, text));
            }
        }
        let count = pair.fast.index.count();
        let used = (0..count).filter(|&key| pair.fast.unrank(key).is_some()).count();
        assert_eq!(pair.seen(), used, "{code}");
        assert_eq!((pair.fast.unrank(count), pair.fast.unrank(u64::MAX)), (None, None));
    }
}

#[test]
fn keys_of_all_boards_lead_back() {
    for code in all_codes() {
        let (game, mut random) = (pyonpyon_shogi(&code), Random::new(9));
        let mut found = 0;
        for _ in 0..2000 {
            let key = random.below(game.index.count() as usize) as u64;
            if let Some(position) = game.unrank(key) {
                assert_eq!(game.rank(&position), key, "{code}");
                found += 1;
            }
        }
        assert!(found > 1000, "{code}");
    }
}

/// Checks that variants with the same pieces on the same board have the same keys, whatever the order of the pieces at
/// the start.
#[test]
fn the_same_pieces_share_their_keys() {
    let shared =
        |first: &str, second: &str| yomikiri_rules::shared_keys(&pyonpyon_shogi(first), &pyonpyon_shogi(second));
    assert!(shared("pyon3x4-PNS", "pyon3x4B-SPN").is_ok());
    assert!(shared("pyon3x4-PNS", "pyon3x4-PNG").is_err());
    assert!(shared("pyon3x4-PNS", "pyon3x3-PNS").is_err());
    let (one, other) = (pyonpyon_shogi("pyon3x4-PNS"), pyonpyon_shogi("pyon3x4-SPN"));
    let mut random = Random::new(3);
    for _ in 0..500 {
        let key = random.below(one.index.count() as usize) as u64;
        assert_eq!(one.unrank(key), other.unrank(key));
    }
}
