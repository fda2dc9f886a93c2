//! Compares the rules of animal shogi with the slow second implementation in `naive/animal_shogi.rs`. Moves, children,
//! ends and keys must be equal for every rule code and every board.

use std::collections::HashSet;

use crate::agreement::{NaiveRules, Pair};
use crate::support::animal_shogi_boards::{random_board_text, random_code};
use crate::support::games::animal_shogi;
use crate::support::random::Random;
use yomikiri_naive::animal_shogi as naive;
use yomikiri_naive::animal_shogi::Naive;
use yomikiri_rules::games::animal_shogi::text::board_lines;
use yomikiri_rules::games::animal_shogi::{AnimalShogi, Move, Position};
use yomikiri_rules::{Game, Notation, Outcome, Side, Value};

/// Codes with pieces that cannot move at all, cannot move after they are dropped, move in one direction only, or move
/// in all directions.
const UNUSUAL_CODES: [&str; 24] = [
    "00000", "00000T", "v0000", "v0000T", "01000", "00100", "00010", "0000v", "0v000", "00v00", "000v0", "000vv",
    "vvvvv", "vvvvvT", "v10v1", "v10v1T", "val4n", "valgn", "valkn", "valgg", "11111", "11111T", "ggggg", "82g4v",
];

/// Codes with few positions. All their positions are compared.
const SMALL_CODES: [&str; 9] = ["00000", "v0000", "01000", "0v000", "00534T", "01111", "1g056", "3cc05", "g3gc5"];

type Twins = Pair<AnimalShogi, Naive, naive::Position>;

fn pair(code: &str) -> Twins {
    let slow = NaiveRules {
        rules: Naive::from_code(code),
        start: |_| naive::start(),
        legal_moves: Naive::legal_moves,
        play: Naive::play,
        canonical: |_, position| format!("{:015x}", naive::canonical_key(position)),
        text: |position| {
            let side = if position.turn == 'b' { Side::Black } else { Side::White };
            let [key, canonical] = [naive::key, naive::canonical_key].map(|key| key(position));
            format!("{key:015x} {side} {canonical:015x}\n{}", naive::write_board(position))
        },
    };
    let mut pair = Pair::new(animal_shogi(code), slow, check_end);
    (pair.text, pair.in_order) = (text, false);
    pair
}

/// Returns a text of the key, the side to move, the canonical key and the board of a position. Checks that the text of
/// the board is parsed as the same position.
fn text(game: &AnimalShogi, position: &Position) -> String {
    let (key, board) = (game.position_text(position), board_lines(&position.board));
    assert_eq!(game.parse_position(&board).as_ref(), Ok(position), "{board:?} is not read as {key}");
    format!("{key} {} {}\n{board}", game.side(position), game.position_text(&game.canonical(position)))
}

fn check_end(pair: &Twins, position: &Position, slow: &naive::Position) {
    let text = (pair.slow.text)(slow);
    let expected = pair.slow.rules.ending(slow);
    assert_eq!(pair.fast.terminal_value(position).map(depth), expected, "end of {text} in {}", pair.fast.code());
    assert_eq!(pair.fast.is_terminal(position), matches!(expected, Some(0 | 1)), "{text} was over before");
}

/// Parses a board text, and checks its position and the position after each of its moves.
fn check_board_text(pair: &mut Twins, text: &str) {
    let read = pair.fast.parse_position(text);
    let position = read.unwrap_or_else(|error| panic!("{text:?} in {}: {error}", pair.fast.code()));
    for (_, child) in pair.check(&(position, naive::read_board(text))) {
        pair.check(&child);
    }
}

fn play_random_games(code: &str, games: usize, plies: usize, random: &mut Random) {
    let mut pair = pair(code);
    (0..games).for_each(|_| drop(pair.play(plies, random)));
}

/// Converts a value to a depth of the naive rules.
fn depth(value: impl Value) -> i32 {
    let Some(plies) = value.plies() else {
        assert_eq!(value.outcome(), Outcome::Draw);
        return naive::DRAW;
    };
    let expected = if plies.0 % 2 == 1 { Outcome::Win } else { Outcome::Loss };
    assert_eq!(value.outcome(), expected, "parity of {value:?}");
    i32::from(plies.0)
}

#[test]
fn random_games_agree_in_the_standard_game() {
    play_random_games("val1n", 150, 100, &mut Random::new(1));
    play_random_games("val1nT", 50, 100, &mut Random::new(2));
    play_random_games("vql1n", 100, 100, &mut Random::new(3));
}

#[test]
fn random_games_agree_with_unusual_codes() {
    for (seed, code) in (0..).zip(UNUSUAL_CODES) {
        play_random_games(code, 15, 60, &mut Random::new(seed));
    }
}

#[test]
fn random_games_agree_with_random_codes() {
    let mut random = Random::new(5);
    for _ in 0..200 {
        let code = random_code(&mut random);
        play_random_games(&code, 4, 60, &mut random);
    }
}

#[test]
fn boards_set_up_at_random_agree_in_the_standard_game() {
    let mut random = Random::new(6);
    for code in ["val1n", "val1nT", "vql1n"] {
        let mut pair = pair(code);
        for in_hand in 0..=8 {
            for _ in 0..30 {
                check_board_text(&mut pair, &random_board_text(&mut random, in_hand));
            }
        }
    }
}

#[test]
fn boards_set_up_at_random_agree_with_other_codes() {
    let mut random = Random::new(7);
    let mut codes: Vec<String> = UNUSUAL_CODES.iter().map(|code| code.to_string()).collect();
    codes.extend((0..200).map(|_| random_code(&mut random)));
    for code in codes {
        let mut pair = pair(&code);
        for in_hand in [0, 2, 4, 6, 8] {
            check_board_text(&mut pair, &random_board_text(&mut random, in_hand));
        }
    }
}

#[test]
fn boards_set_up_by_hand_agree() {
    let boards = [
        // Chicks on the last ranks, where they can be dropped.
        "Cl.\n...\n...\n.Lc\nEeGg",
        "C.l\n.e.\nG..\nL.c\nEg",
        // Chicks one step from the last rank, where a capture also promotes.
        ".ge\nCl.\n..c\nELG\n",
        // There are two hens, and one of them can be taken.
        "hlH\n.E.\n.e.\n.L.\nGg",
        // All pieces but the lions in the hand of one side, then of the other.
        ".l.\n...\n...\n.L.\nEEGGCC",
        ".l.\n...\n...\n.L.\neeggcc",
        // The lions side by side, then each on the other's home rank.
        "...\n.l.\n.L.\n...\nEeGgCc",
        ".L.\n...\n...\n.l.\nEeGgCc",
        // No empty square between the sides.
        "gle\n.c.\n.C.\nELG\n",
    ];
    for code in ["val1n", "val1nT", "vql1n", "v10v1", "00000", "000vv", "vvvvv", "ggggg", "valkn"] {
        let mut pair = pair(code);
        for board in boards {
            check_board_text(&mut pair, board);
        }
    }
}

#[test]
fn all_positions_of_small_codes_agree() {
    for code in SMALL_CODES {
        let mut pair = pair(code);
        let graph = pair.slow.rules.graph(20_000).expect("few positions");
        for &canonical in graph.keys() {
            let text = format!("{canonical:015x}");
            let position = pair.fast.parse_position(&text).unwrap();
            pair.check(&(position, naive::read_key(&text)));
        }
        assert_eq!(pair.seen(), graph.len(), "positions of {code}");
    }
}

#[test]
fn numbers_are_keys_of_canonical_positions_or_of_none() {
    let game = animal_shogi("val1n");
    let mut random = Random::new(8);
    let mut found = 0;
    for bits in (0..=64).cycle().take(65 * 2000) {
        let number = random.bits() >> (64 - bits).min(63);
        let Some(position) = game.unrank(number) else {
            continue;
        };
        found += 1;
        let text = game.position_text(&position);
        assert_eq!(game.rank(&position), number, "{text} is not at its number");
        assert_eq!(game.canonical(&position), position, "{text} at {number} is not canonical");
        let slow = naive::read_key(&text);
        assert_eq!(naive::key(&slow), naive::canonical_key(&slow), "{text} at {number} has the larger of its two keys");
    }
    assert!(found > 10_000, "only {found} numbers are keys");
}

#[test]
fn perft_agrees_with_the_naive_rules() {
    let codes = [("val1n", 5), ("val1nT", 5), ("vql1n", 4), ("v10v1", 4), ("vvvvv", 4), ("01000", 6), ("00000", 3)];
    for (code, depth) in codes {
        pair(code).check_perft(depth);
    }
}

/// Returns the smallest rule code of the game that a code selects.
fn least(code: &str) -> String {
    animal_shogi(code).rules.least_of_same_game().code()
}

#[test]
fn codes_of_one_game_have_one_least_code() {
    for (codes, expected) in [
        (&["val1n", "vla1n"][..], "val1n"),
        (&["val1nT", "vla1nT"], "val1nT"),
        (&["val10", "val11", "val12", "val13", "vla13"], "val10"),
        (&["val14", "val17"], "val14"),
        (&["val18"], "val18"),
        (&["0al1n", "8al1n", "gal1n", "ola1n", "0al1nT", "gal1nT"], "0al1n"),
        (&["4al1n", "cal1nT", "kal1n", "sal1n"], "4al1n"),
        (&["2al1n"], "2al1n"),
        (&["val00", "val0v"], "val00"),
        (&["valg3"], "valg3"),
    ] {
        for code in codes {
            assert_eq!(least(code), expected, "{code}");
        }
    }
}

#[test]
fn there_are_so_many_games_at_most() {
    const DIGITS: &str = "0123456789abcdefghijklmnopqrstuv";
    let pairs = |code_of: &dyn Fn(char, char) -> String| {
        let codes = DIGITS.chars().flat_map(|a| DIGITS.chars().map(move |b| (a, b)));
        codes.map(|(a, b)| least(&code_of(a, b))).collect::<HashSet<_>>().len()
    };
    // Three groups do not depend on each other: the lion with the try rule, the elephant with the giraffe, and the
    // chick with the hen. So the counts of their codes multiply.
    let lions: HashSet<_> =
        DIGITS.chars().flat_map(|lion| ["", "T"].map(|t| least(&format!("{lion}al1n{t}")))).collect();
    let officers = pairs(&|elephant, giraffe| format!("v{elephant}{giraffe}1n"));
    let chicks = pairs(&|chick, hen| format!("val{chick}{hen}"));
    assert_eq!(lions.len() * officers * chicks, 25_106_400);
}

/// Plays random games of a code. The naive rules play the same moves with the smallest code of the same game.
#[test]
fn codes_with_one_least_code_are_one_game() {
    let mut random = Random::new(12);
    let (mut games, mut plies, mut promotions) = (0, 0, 0);
    while games < 20_000 {
        let mut code = random_code(&mut random);
        // Lions and hens that stay on a rank are rare in random codes.
        if random.below(2) == 0 {
            let (lion, chick, hen) =
                (random.pick(&["0", "8", "4", "g", "k", "s", "v"]), random.below(8), random.below(8));
            code = format!("{lion}{}{chick}{hen}{}", &code[1..3], &code[5..]);
        }
        let fast = animal_shogi(&code);
        let least = fast.rules.least_of_same_game();
        if least == fast.rules {
            continue;
        }
        games += 1;
        let slow = Naive::from_code(&least.code());
        let (mut position, mut image) = (fast.start(), naive::start());
        let text_of = |mv: Move| fast.move_text(if fast.rules.exchanges() { mv.exchanged() } else { mv });
        for _ in 0..60 {
            let end = fast.terminal_value(&position).map(depth);
            assert_eq!(slow.ending(&image), end, "{code}: {}", fast.position_text(&position));
            let moves = fast.legal_moves(&position);
            let mut expected: Vec<String> = moves.iter().map(|&mv| text_of(mv)).collect();
            let mut legal = if end.is_none() { slow.legal_moves(&image) } else { Vec::new() };
            expected.sort_unstable();
            legal.sort_unstable();
            assert_eq!(legal, expected, "{code}: {}", fast.position_text(&position));
            if moves.is_empty() {
                break;
            }
            let mv = *random.pick(&moves);
            promotions += usize::from(mv.promotes);
            image = slow.play(&image, &text_of(mv));
            position = fast.play(&position, mv);
            plies += 1;
        }
    }
    assert!(plies > 100_000 && promotions > 500, "{plies} plies, {promotions} promotions");
}
