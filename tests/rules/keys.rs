//! Checks that `unrank` alone decides which numbers are keys of positions.

use yomikiri_rules::{AnyGame, Notation, key_text, with_game};

use crate::support::random::Random;

/// The maximum number of keys of a variant to try in order, at the beginnings of its ranges of keys.
const TRIED: u64 = 1 << 15;

/// Variants of every game. All keys of the smallest variants are tried.
const CODES: &str = "bin2x2 bin2x3 bin3x2 bin3x3 bin3x3-n bin4x3 bin3x3-p bin7x6 rev3x3 rev3x4 rev4x4 rev8x5 con3x4 \
    con4x4 con7x6 pyon2x3 pyon3x3 pyon3x4B pyon pyon3x3-PGP pyon3x4-PGP 2g001 8bs1g m00c1 val1n val1nT";

/// Returns the numbers to try as keys, in ascending order: the first ones of each range of keys, those around its end,
/// and random ones in it.
fn tried<G: Notation>(game: &G) -> Vec<u64> {
    let (mut random, mut keys, ranges) = (Random::new(17), vec![0, u64::MAX - 1, u64::MAX], game.key_space().ranges);
    let most = TRIED / ranges.len() as u64;
    for range in ranges {
        let (first, length) = (range.keys.start, range.keys.end - range.keys.start);
        keys.extend((0..length.min(most)).map(|at| first + at));
        keys.extend((range.keys.end.saturating_sub(100)..).take(200));
        keys.extend((0..most / 8).map(|_| first + random.bits() % length));
    }
    keys.sort_unstable();
    keys.dedup();
    keys
}

/// Returns true if `key` is the key of a position. If it is, checks that the position is canonical and that its text is
/// parsed as the same position. If it is not, checks that it is refused when positions are parsed.
fn check<G: Notation>(game: &G, key: u64) -> bool {
    let read = game.parse_position(&key_text(key));
    let Some(position) = game.unrank(key) else {
        let error = read.expect_err("a key of no position");
        assert_eq!(error.problem, "is not the key of a position", "{}: key {key}", game.code());
        return false;
    };
    let (code, text) = (game.code(), game.position_text(&position));
    assert_eq!(read, Ok(position), "{code}: key {key}");
    assert_eq!(game.parse_notation(&text), Ok(position), "{code}: the text of key {key}");
    assert_eq!((game.rank(&position), game.canonical(&position)), (key, position), "{code}: key {key}, {text}");
    true
}

#[test]
fn every_key_is_that_of_a_position_whose_text_is_read_or_of_none() {
    for code in CODES.split_whitespace() {
        let game = AnyGame::parse(code).unwrap();
        with_game!(&game, game => {
            let keys = tried(game);
            let positions = keys.iter().filter(|&&key| check(game, key)).count();
            assert!(positions > 40 && positions < keys.len(), "{code}: {positions} of {}", keys.len());
        });
    }
}

/// Checks that no key is that of a position with a target cleared before the first move.
#[test]
fn targets_of_binarsi_are_cleared_by_moves() {
    for (code, keys) in [("bin2x3", [7, 15, 23]), ("bin3x3", [1, 7, 64 + 63])] {
        let game = AnyGame::parse(code).unwrap();
        with_game!(&game, game => assert!(keys.iter().all(|&key| !check(game, key)), "{code}"));
    }
}
