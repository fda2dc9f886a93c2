//! Compares the rules of Binarsi with the slow second implementation in `naive/binarsi.rs`. Moves, children, ends, keys
//! and values must be equal on every board size and with every rule option. The counts of the rules page (`Facts to
//! build on`) are checked here, too.

use std::collections::{HashMap, HashSet};

use crate::agreement::{Pair, rules_of_texts};
use crate::support::games::{binarsi, random_game};
use crate::support::random::Random;
use yomikiri_naive::binarsi::Naive;
use yomikiri_rules::games::binarsi::{Binarsi, Position};
use yomikiri_rules::{Distance, Game, Notation, Side, Value, laws};
use yomikiri_search::brute;

type Twins = Pair<Binarsi, Naive, str>;

fn pair(code: &str) -> Twins {
    Pair::new(binarsi(code), rules_of_texts!(code, Naive::start_sfen), check)
}

/// Checks whether and how the game is over, and the laws of games that never repeat.
fn check(pair: &Twins, position: &Position, sfen: &str) {
    let game = &pair.fast;
    let winner = game.terminal_value(position).map(|value| winner_and_plies(value, game.side(position)));
    let expected = pair.slow.rules.ending(sfen).map(|winner| (winner, 0));
    assert_eq!(winner, expected, "end of {sfen} in {}", game.code());
    laws::plies_left_fall(game, position);
    laws::symmetry_keeps_side(game, position);
}

/// Converts a value to the form of the naive rules: the winner and the number of plies.
fn winner_and_plies(value: Distance, side: Side) -> (char, u32) {
    let winner = value.outcome().winner(side).expect("no draws in Binarsi");
    let plies = value.plies().expect("no draws in Binarsi");
    (if winner == Side::Black { 'b' } else { 'w' }, u32::from(plies.0))
}

fn check_random_games(codes: &[&str], games: usize) {
    for (code, seed) in codes.iter().zip(0..) {
        let (mut pair, mut random) = (pair(code), Random::new(seed));
        (0..games).for_each(|_| drop(pair.play(usize::MAX, &mut random)));
    }
}

#[test]
fn random_games_agree_on_every_board_size() {
    for files in 2..=7 {
        for ranks in 2..=6 {
            check_random_games(&[&format!("bin{files}x{ranks}")], 6);
        }
    }
}

#[test]
fn random_games_agree_with_other_starts_and_komi() {
    let codes =
        ["bin2x2-kb3.5", "bin3x3-s2b", "bin4x4-s4d-kw7.5", "bin7x2-s7a-kb0.5", "bin2x6-s1f", "bin7x6-s4d-kb0.5"];
    check_random_games(&codes, 20);
}

#[test]
fn random_games_agree_with_other_target_lengths() {
    check_random_games(&["bin3x3-t222", "bin5x4-t245", "bin6x5-t532-kb4.5", "bin7x6-s1a-t234"], 20);
}

#[test]
fn random_games_agree_when_a_modify_must_change_stones() {
    check_random_games(&["bin2x2-n", "bin4x2-n", "bin4x4-s2b-t234-kb0.5-n", "bin7x6-n"], 20);
}

#[test]
fn random_games_agree_when_a_modify_must_not_mirror_the_board() {
    let codes = ["bin2x2-m", "bin3x3-m", "bin4x2-s2b-m", "bin2x6-m", "bin3x3-s2b-t999-m", "bin4x4-kb0.5-m", "bin7x6-m"];
    check_random_games(&codes, 30);
    check_random_games(&["bin3x2-t999-m", "bin2x3-t999-m", "bin5x3-t999-m"], 60);
}

/// Checks moves that `-m` forbids and `-n` allows.
#[test]
fn a_modify_to_the_mirror_image_is_illegal_on_the_whole_board_only() {
    let legal = |code: &str, text: &str, mv: &str| {
        let game = binarsi(code);
        let position = game.parse_position(text).unwrap();
        game.parse_move(&position, mv).map_err(|error| error.to_string()).err()
    };
    let refused = "move \"as1\": would turn the board into its mirror image; way a holds stones";
    // Reversing rank a leaves a mirror image: rank b and the empty rank c are their own images.
    assert_eq!(legal("bin2x3-t999-n", "xo/oo/2 b - - 2", "as1"), None);
    assert!(legal("bin2x3-t999-m", "xo/oo/2 b - - 2", "as1").is_some_and(|error| error.starts_with(refused)));
    // On three files, the same stones at the edge do not leave a mirror image. In the middle of four files they do.
    assert_eq!(legal("bin3x3-t999-m", "xo1/oo1/3 b - - 2", "as1"), None);
    assert!(legal("bin4x3-t999-m", "1xo1/1oo1/4 b - - 2", "as1").is_some());
    // Files are turned upside down. The empty file 3 is its own image.
    assert!(legal("bin3x2-t999-m", "1x1/1o1 w - - 1", "2s1").is_some());
    assert!(legal("bin3x2-t999-m", "xx1/ox1 b - - 2", "1s1").is_some());
    // Legal, because rank b is not its own image.
    assert_eq!(legal("bin2x3-t999-m", "xo/xo/2 b - - 2", "as1"), None);
}

#[test]
fn random_games_agree_until_every_way_is_locked() {
    check_random_games(&["bin4x4-t999", "bin5x4-t999-n", "bin6x6-t995-kb2.5", "bin7x6-t999"], 12);
}

#[test]
fn perft_agrees_with_the_naive_rules() {
    for (code, depth) in [
        ("bin2x2", 6),
        ("bin2x2-n", 6),
        ("bin2x2-m", 6),
        ("bin3x3-s2b-m", 5),
        ("bin4x3-m", 4),
        ("bin3x3", 4),
        ("bin2x6-s2c", 4),
        ("bin7x2-t222", 4),
        ("bin4x4-s2b-n", 4),
        ("bin5x4-kb0.5", 4),
        ("bin7x6", 4),
    ] {
        pair(code).check_perft(depth);
    }
}

#[test]
fn a_move_is_accepted_exactly_when_the_naive_rules_have_it() {
    let codes: Vec<String> = "1234567abcdefgA08"
        .chars()
        .flat_map(|way| {
            let ops = "s0 s1 s2 s3 s4 s5 s6 s7 s s01 n nL nH nl a o xo na no xn c e ze on A".split(' ');
            ops.map(move |op| format!("{way}{op}"))
        })
        .collect();
    for code in ["bin3x3", "bin7x6", "bin7x6-n", "bin4x3-m"] {
        let game = binarsi(code);
        let slow = Naive::from_code(code);
        for position in random_game(&game, &mut Random::new(3)) {
            let legal = slow.legal_moves(&game.position_text(&position));
            let accepted = codes.iter().filter(|mv| game.parse_move(&position, mv).is_ok());
            let mut accepted: Vec<String> = accepted.cloned().collect();
            accepted.sort();
            assert_eq!(accepted, legal, "{}", game.position_text(&position));
        }
    }
}

/// Returns the number of canonical positions at each ply that are not decided by targets. The list ends with ply `last`
/// or with the end of the longest game.
fn count_by_ply(code: &str, last: usize) -> Vec<usize> {
    let game = binarsi(code);
    let mut layer = HashMap::from([(game.rank(&game.start()), game.start())]);
    let mut counts = Vec::new();
    let mut moves = Vec::new();
    while !layer.is_empty() && counts.len() <= last {
        counts.push(layer.len());
        let mut next = HashMap::new();
        for position in layer.values() {
            game.moves(position, &mut moves);
            let children = moves.iter().map(|&mv| game.play(position, mv));
            next.extend(children.filter(|child| !game.is_terminal(child)).map(|child| (game.rank(&child), child)));
        }
        layer = next;
    }
    counts
}

#[test]
fn bin3x3_has_the_known_number_of_positions_at_every_ply() {
    let known = [1, 2, 11, 42, 196, 988, 4565, 14544, 21720, 11164, 2056];
    assert_eq!(count_by_ply("bin3x3", 24), known);
}

#[test]
fn bin7x6_has_the_known_number_of_positions_at_the_first_plies() {
    assert_eq!(count_by_ply("bin7x6", 5), [1, 4, 30, 205, 1866, 20442]);
}

/// Compares the values of all positions with those of the naive rules. Returns the winner and the plies of the start.
fn check_values(code: &str) -> (char, u32) {
    let fast = binarsi(code);
    let expected = Naive::from_code(code).values();
    let values = brute::solve(&fast, &fast.start());
    assert_eq!(values.len(), expected.len(), "number of positions of {code}");
    let mut seen = HashSet::new();
    for (sfen, expected) in expected {
        let position = fast.parse_position(&sfen).unwrap();
        let key = fast.rank(&position);
        assert!(seen.insert(key), "{sfen} of {code} shares its key {key}");
        assert_eq!(winner_and_plies(values[&key], fast.side(&position)), expected, "value of {sfen} in {code}");
    }
    winner_and_plies(values[&fast.rank(&fast.start())], Side::Black)
}

#[test]
fn all_values_of_bin2x2_agree_with_the_naive_rules() {
    assert_eq!(check_values("bin2x2"), ('w', 6));
    assert_eq!(check_values("bin2x2-kb0.5"), ('b', 6));
    assert_eq!(check_values("bin2x2-n"), ('w', 4));
}

#[test]
fn all_values_of_bin3x2_and_bin2x3_agree_with_the_naive_rules() {
    assert_eq!(check_values("bin3x2"), ('w', 8));
    assert_eq!(check_values("bin2x3"), ('w', 8));
}

#[test]
fn all_values_of_bin4x2_agree_with_the_naive_rules() {
    assert_eq!(check_values("bin4x2"), ('w', 10));
}

#[test]
fn all_values_of_boards_with_options_agree_with_the_naive_rules() {
    for code in ["bin2x2-n", "bin2x4-n", "bin3x2-t222-n", "bin2x2-m", "bin3x2-m", "bin2x3-t999-m", "bin4x2-m"] {
        check_values(code);
    }
}
