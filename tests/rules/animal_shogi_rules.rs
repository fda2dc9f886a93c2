//! The rules of animal shogi, held against the slow second implementation in `naive/animal_shogi.rs`: moves, children,
//! ends and keys must be the same, whatever the rule code and however the board was set up.

use std::collections::HashMap;

use crate::naive::animal_shogi as naive;
use crate::naive::animal_shogi::Naive;
use crate::support::animal_shogi_boards::{random_board_text, random_code};
use crate::support::games::animal_shogi;
use crate::support::random::Random;
use yomikiri_rules::game::{Game, laws};
use yomikiri_rules::games::animal_shogi::text::board_lines;
use yomikiri_rules::games::animal_shogi::{AnimalShogi, Position};
use yomikiri_rules::value::{Outcome, Side, Value};
use yomikiri_solve::perft::perft;

/// Codes whose pieces cannot move at all, stand still once dropped, move one way only, or go everywhere.
const UNUSUAL_CODES: [&str; 24] = [
    "00000", "00000T", "v0000", "v0000T", "01000", "00100", "00010", "0000v", "0v000", "00v00", "000v0", "000vv",
    "vvvvv", "vvvvvT", "v10v1", "v10v1T", "val4n", "valgn", "valkn", "valgg", "11111", "11111T", "ggggg", "82g4v",
];

/// Codes with few positions, in which all of them are compared.
const SMALL_CODES: [&str; 9] = ["00000", "v0000", "01000", "0v000", "00534T", "01111", "1g056", "3cc05", "g3gc5"];

/// A position in both implementations.
type Twin = (Position, naive::Position);

/// One variant in both implementations, and what the positions seen so far are identified by in each.
struct Pair {
    code: String,
    fast: AnimalShogi,
    slow: Naive,
    key_of: HashMap<u64, u64>,
    canonical_of: HashMap<u64, u64>,
}

impl Pair {
    fn new(code: &str) -> Pair {
        let fast = animal_shogi(code);
        let slow = Naive::from_code(code);
        Pair { code: code.to_string(), fast, slow, key_of: HashMap::new(), canonical_of: HashMap::new() }
    }

    /// Plays random games of at most `plies` plies and checks every position on the way.
    fn play_random_games(&mut self, games: usize, plies: usize, random: &mut Random) {
        for _ in 0..games {
            let mut twin = (self.fast.start(), naive::start());
            for _ in 0..plies {
                let children = self.check(&twin);
                if children.is_empty() {
                    break;
                }
                twin = random.pick(&children).clone();
            }
        }
    }

    /// Checks a position given as a board text, and the positions after each of its moves.
    fn check_board_text(&mut self, text: &str) {
        let read = self.fast.parse_position(text);
        let position = read.unwrap_or_else(|error| panic!("{text:?} in {}: {error}", self.code));
        for child in self.check(&(position, naive::read_board(text))) {
            self.check(&child);
        }
    }

    /// Holds everything about one position against the naive rules; returns its children in both forms.
    fn check(&mut self, (position, slow): &Twin) -> Vec<Twin> {
        let text = format!("{:015x} of {} with {} to move", naive::key(slow), self.code, slow.turn);
        self.check_text(position, slow);
        self.check_end(position, slow, &text);
        self.check_identity(position, slow);
        laws::check(&self.fast, position);
        let mut moves = Vec::new();
        self.fast.moves(position, &mut moves);
        let mut named: Vec<_> = moves.iter().map(|&mv| (self.fast.move_text(mv), mv)).collect();
        named.sort_by(|a, b| a.0.cmp(&b.0));
        let names: Vec<_> = named.iter().map(|(name, _)| name.clone()).collect();
        assert_eq!(names, self.slow.legal_moves(slow), "moves of {text}");
        let mut children = Vec::new();
        for (name, mv) in named {
            let child = (self.fast.play(position, mv), self.slow.play(slow, &name));
            self.check_text(&child.0, &child.1);
            self.check_identity(&child.0, &child.1);
            children.push(child);
        }
        children
    }

    /// The literal key, the side to move, and both board texts.
    fn check_text(&self, position: &Position, slow: &naive::Position) {
        let key = format!("{:015x}", naive::key(slow));
        assert_eq!(self.fast.position_text(position), key, "key in {}", self.code);
        let side = if slow.turn == 'b' { Side::Black } else { Side::White };
        assert_eq!(self.fast.side(position), side, "side to move of {key}");
        let board = naive::write_board(slow);
        assert_eq!(board_lines(&position.board), board, "board of {key}");
        assert_eq!(self.fast.parse_position(&board).as_ref(), Ok(position), "{board:?} is not read as {key}");
    }

    fn check_end(&self, position: &Position, slow: &naive::Position, text: &str) {
        let depth = self.fast.terminal_value(position).map(depth);
        let expected = self.slow.ending(slow);
        assert_eq!(depth, expected, "end of {text}");
        assert_eq!(self.fast.is_terminal(position), matches!(expected, Some(0 | 1)), "{text} was over before");
    }

    /// Equal naive canonical keys and equal dense keys must mean the same.
    fn check_identity(&mut self, position: &Position, slow: &naive::Position) {
        let canonical = naive::canonical_key(slow);
        let representative = self.fast.canonical(position);
        let text = format!("{:015x}", naive::key(slow));
        assert_eq!(self.fast.position_text(&representative), format!("{canonical:015x}"), "canonical form of {text}");
        let key = self.fast.rank(position);
        let known = *self.key_of.entry(canonical).or_insert(key);
        assert_eq!(known, key, "{text} of {} has another key than its mirror image", self.code);
        let owner = *self.canonical_of.entry(key).or_insert(canonical);
        assert_eq!(owner, canonical, "{text} of {} shares its key {key} with {owner:015x}", self.code);
    }
}

/// A value as the naive rules write it.
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
    Pair::new("val1n").play_random_games(150, 100, &mut Random::new(1));
    Pair::new("val1nT").play_random_games(50, 100, &mut Random::new(2));
    Pair::new("vql1n").play_random_games(100, 100, &mut Random::new(3));
}

#[test]
fn random_games_agree_with_unusual_codes() {
    for (seed, code) in (0..).zip(UNUSUAL_CODES) {
        Pair::new(code).play_random_games(15, 60, &mut Random::new(seed));
    }
}

#[test]
fn random_games_agree_with_random_codes() {
    let mut random = Random::new(5);
    for _ in 0..200 {
        let code = random_code(&mut random);
        Pair::new(&code).play_random_games(4, 60, &mut random);
    }
}

#[test]
fn boards_set_up_at_random_agree_in_the_standard_game() {
    let mut random = Random::new(6);
    for code in ["val1n", "val1nT", "vql1n"] {
        let mut pair = Pair::new(code);
        for in_hand in 0..=8 {
            for _ in 0..30 {
                pair.check_board_text(&random_board_text(&mut random, in_hand));
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
        let mut pair = Pair::new(&code);
        for in_hand in [0, 2, 4, 6, 8] {
            pair.check_board_text(&random_board_text(&mut random, in_hand));
        }
    }
}

#[test]
fn boards_set_up_by_hand_agree() {
    let boards = [
        // Chicks on the last rank of either side, where they could be dropped.
        "Cl.\n...\n...\n.Lc\nEeGg",
        "C.l\n.e.\nG..\nL.c\nEg",
        // Chicks one step from the last rank; the capture there promotes too.
        ".ge\nCl.\n..c\nELG\n",
        // Hens, one of which can be taken.
        "hlH\n.E.\n.e.\n.L.\nGg",
        // Everything in the hand of one side, then of the other.
        ".l.\n...\n...\n.L.\nEEGGCC",
        ".l.\n...\n...\n.L.\neeggcc",
        // The lions side by side, then each on the other's home rank.
        "...\n.l.\n.L.\n...\nEeGgCc",
        ".L.\n...\n...\n.l.\nEeGgCc",
        // No square is left between the sides.
        "gle\n.c.\n.C.\nELG\n",
    ];
    for code in ["val1n", "val1nT", "vql1n", "v10v1", "00000", "000vv", "vvvvv", "ggggg", "valkn"] {
        let mut pair = Pair::new(code);
        for board in boards {
            pair.check_board_text(board);
        }
    }
}

#[test]
fn all_positions_of_small_codes_agree() {
    for code in SMALL_CODES {
        let mut pair = Pair::new(code);
        let graph = pair.slow.graph(20_000).expect("few positions");
        for &canonical in graph.keys() {
            let text = format!("{canonical:015x}");
            let position = pair.fast.parse_position(&text).unwrap();
            pair.check(&(position, naive::read_key(&text)));
        }
        assert_eq!(pair.key_of.len(), graph.len(), "positions of {code}");
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

/// Number of sequences of `depth` legal moves by the naive rules.
fn naive_perft(rules: &Naive, position: &naive::Position, depth: u32) -> u64 {
    let moves = rules.legal_moves(position);
    if depth == 1 {
        return moves.len() as u64;
    }
    moves.iter().map(|mv| naive_perft(rules, &rules.play(position, mv), depth - 1)).sum()
}

#[test]
fn perft_agrees_with_the_naive_rules() {
    let codes = [("val1n", 5), ("val1nT", 5), ("vql1n", 4), ("v10v1", 4), ("vvvvv", 4), ("01000", 6), ("00000", 3)];
    for (code, depth) in codes {
        let fast = animal_shogi(code);
        let slow = Naive::from_code(code);
        for depth in 1..=depth {
            let expected = naive_perft(&slow, &naive::start(), depth);
            assert_eq!(perft(&fast, &fast.start(), depth), expected, "perft {depth} of {code}");
        }
    }
}

#[test]
fn perft_of_the_standard_game_is_as_counted_before() {
    let fast = animal_shogi("val1n");
    let counts: Vec<u64> = (1..=6).map(|depth| perft(&fast, &fast.start(), depth)).collect();
    assert_eq!(counts, [4, 17, 96, 577, 3199, 18754]);
}
