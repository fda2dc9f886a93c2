//! The rules of the pyonpyon game, held against the slow second implementation in `naive/pyonpyon.rs`: moves, children,
//! ends and keys must be the same, on every board size and in both readings. Hand-made positions and the known counts
//! stand here too.

use std::collections::HashMap;

use crate::naive::pyonpyon as naive;
use crate::naive::pyonpyon::Naive;
use crate::support::games::pyonpyon;
use crate::support::random::Random;
use yomikiri_rules::game::{Game, laws};
use yomikiri_rules::games::pyonpyon::{Position, Pyonpyon};
use yomikiri_rules::value::{Distance, Plies, Side, Value};
use yomikiri_solve::perft::perft;

/// Every board size in both readings.
fn all_codes() -> Vec<String> {
    let sizes = (2..=5).flat_map(|files| (3..=5).map(move |ranks| (files, ranks)));
    sizes.flat_map(|(files, ranks)| ["A", "B"].map(|reading| format!("pyon{files}x{ranks}{reading}"))).collect()
}

/// One variant in both implementations, and what the positions seen so far are identified by in each.
struct Pair {
    fast: Pyonpyon,
    slow: Naive,
    key_of: HashMap<String, u64>,
    canonical_of: HashMap<u64, String>,
}

impl Pair {
    fn new(code: &str) -> Pair {
        let (fast, slow) = (pyonpyon(code), Naive::from_code(code));
        Pair { fast, slow, key_of: HashMap::new(), canonical_of: HashMap::new() }
    }

    /// Plays a random game, to its end or for `plies` plies, and checks every position on the way.
    fn play(&mut self, start: &str, plies: usize, random: &mut Random) {
        let mut text = start.to_string();
        for _ in 0..plies {
            let children = self.check(&text);
            if children.is_empty() {
                return;
            }
            text = random.pick(&children).clone();
        }
    }

    /// Holds everything about one position against the naive rules; returns the texts of its children.
    fn check(&mut self, text: &str) -> Vec<String> {
        let code = self.fast.code();
        let position = self.fast.parse_position(text).unwrap();
        assert_eq!(self.fast.position_text(&position), text, "{code}");
        let mut moves = Vec::new();
        self.fast.moves(&position, &mut moves);
        let names: Vec<String> = moves.iter().map(|&mv| self.fast.move_text(mv)).collect();
        assert_eq!(names, self.slow.legal_moves(text), "moves of {text} in {code}");
        self.check_end(&position, text);
        self.check_identity(&position, text);
        laws::check(&self.fast, &position);
        let mut children = Vec::new();
        for (&mv, name) in moves.iter().zip(&names) {
            let child = self.fast.play(&position, mv);
            let child_text = self.slow.play(text, name);
            assert_eq!(self.fast.position_text(&child), child_text, "{name} in {text} of {code}");
            let back = self.fast.lines.destinations(child.own | child.other, u32::from(mv.to));
            assert!(back >> mv.from & 1 == 1, "{name} in {text} of {code} cannot be taken back");
            self.check_identity(&child, &child_text);
            children.push(child_text);
        }
        children
    }

    fn check_end(&self, position: &Position, text: &str) {
        let end = self.fast.terminal_value(position);
        let winner = end.map(|value| value.outcome().winner(position.side).expect("no draws at once"));
        let letter = winner.map(|side| if side == Side::Black { 'x' } else { 'o' });
        assert_eq!(letter, self.slow.winner(text), "end of {text} in {}", self.fast.code());
        assert!(end.is_none_or(|value| value.plies() == Some(Plies(0))), "end of {text}");
        assert_eq!(self.fast.is_terminal(position), end.is_some(), "end of {text}");
    }

    /// Equal naive canonical texts and equal keys must mean the same.
    fn check_identity(&mut self, position: &Position, text: &str) {
        let key = self.fast.rank(position);
        let canonical = self.slow.canonical(text);
        let known = *self.key_of.entry(canonical.clone()).or_insert(key);
        assert_eq!(known, key, "{text} of {} has another key than its image", self.fast.code());
        let owner = self.canonical_of.entry(key).or_insert_with(|| canonical.clone());
        assert_eq!(*owner, canonical, "{text} of {} shares its key {key}", self.fast.code());
    }
}

/// A position text from the pieces of all squares, rank by rank.
fn text_of(squares: &[char], files: usize, turn: char) -> String {
    let ranks: Vec<_> = squares.chunks(files).map(naive::write_rank).collect();
    format!("{} {turn}", ranks.join("/"))
}

/// Puts the pieces on random squares, those in `preferred` first.
fn random_set_up(slow: &Naive, preferred: [&[usize]; 2], random: &mut Random) -> String {
    let mut squares = vec!['.'; slow.files * slow.ranks];
    for (piece, preferred) in ['x', 'o'].into_iter().zip(preferred) {
        let mut left = slow.files;
        let mut preferred = preferred.to_vec();
        while left > 0 {
            let at = preferred.pop().unwrap_or_else(|| random.below(squares.len()));
            if squares[at] == '.' {
                squares[at] = piece;
                left -= 1;
            }
        }
    }
    text_of(&squares, slow.files, *random.pick(&['x', 'o']))
}

/// Squares on which `x` wins or is short of it in few files: numbers rank by rank from the top.
fn near_goal(slow: &Naive, side: char, random: &mut Random) -> Vec<usize> {
    let square = |file: usize, depth: usize| {
        let rank = if side == 'x' { depth } else { slow.ranks - 1 - depth };
        rank * slow.files + file
    };
    (0..slow.files).map(|file| square(file, usize::from(random.below(4) == 0))).collect()
}

#[test]
fn random_games_agree_on_every_board() {
    for (code, seed) in all_codes().iter().zip(0..) {
        let mut pair = Pair::new(code);
        let mut random = Random::new(seed);
        let start = pair.slow.start_text();
        assert_eq!(pair.fast.position_text(&pair.fast.start()), start, "start of {code}");
        for _ in 0..4 {
            pair.play(&start, 40, &mut random);
        }
    }
}

#[test]
fn random_set_ups_agree_on_every_board() {
    for (code, seed) in all_codes().iter().zip(100..) {
        let mut pair = Pair::new(code);
        let mut random = Random::new(seed);
        for _ in 0..40 {
            let text = random_set_up(&pair.slow, [&[], &[]], &mut random);
            pair.play(&text, 2, &mut random);
        }
    }
}

#[test]
fn set_ups_about_to_end_agree_on_every_board() {
    for (code, seed) in all_codes().iter().zip(200..) {
        let mut pair = Pair::new(code);
        let mut random = Random::new(seed);
        let mut ended = 0;
        for round in 0..120 {
            let mut near = |side| near_goal(&pair.slow, side, &mut random);
            let (x, o) = match round % 3 {
                0 => (near('x'), vec![]),
                1 => (vec![], near('o')),
                _ => (near('x'), near('o')),
            };
            let text = random_set_up(&pair.slow, [&x, &o], &mut random);
            ended += usize::from(pair.slow.winner(&text).is_some());
            pair.play(&text, 3, &mut random);
        }
        assert!(ended > 5, "only {ended} of the set-ups of {code} are over");
    }
}

/// Where the piece on `from` can go.
fn destinations(code: &str, text: &str, from: &str) -> String {
    let mut pair = Pair::new(code);
    pair.check(text);
    let moves = pair.slow.legal_moves(text);
    moves.iter().filter_map(|mv| mv.strip_prefix(from)).collect::<Vec<_>>().join(" ")
}

#[test]
fn chains_turn_and_jump_over_mixed_runs_at_once() {
    // b5 over c4 to d3, over c3 (o) and b3 (x) to a3, over b2 to c1: the picture of rule 3-2.
    let text = "o3o/1o3/1xo2/2x1o/1x1xx x";
    assert_eq!(destinations("pyon", text, "b5"), "a3 a4 a5 b4 c1 c5 d3");
}

#[test]
fn a_run_can_be_as_long_as_the_board_allows() {
    let text = "xoxo1/5/5/4o/xxxoo x";
    assert_eq!(destinations("pyon", text, "a1"), "a2 b2 e1");
    assert_eq!(destinations("pyon", text, "c1"), "b2 c2 d2 e1");
    // Own pieces only; then up over e4.
    assert_eq!(destinations("pyon", "1xxxx/5/x4/4o/oooo1 o", "a5"), "a4 b4 e3 e5");
}

#[test]
fn a_run_up_to_the_edge_cannot_be_jumped() {
    let text = "xoxox/5/5/oo3/xxo2 x";
    assert_eq!(destinations("pyon", text, "a1"), "a2 b2");
    assert_eq!(destinations("pyon", text, "c1"), "b2 c2 d2");
    assert_eq!(destinations("pyon", text, "e1"), "d2 e2");
    assert_eq!(destinations("pyon4x3", "xoxo/xo2/o1x1 x", "a1"), "", "all lines are full");
}

#[test]
fn a_chain_that_comes_back_is_no_move() {
    let text = "xo3/o1o2/1o3/5/xxxxo x";
    assert_eq!(destinations("pyon", text, "a1"), "a3 b2 c1 c3");
}

#[test]
fn the_moves_of_the_author_are_legal() {
    let mut pair = Pair::new("pyon");
    let mut text = "1o1o1/o1o1o/5/x1x1x/1x1x1 x".to_string();
    assert_eq!(pair.slow.start_text(), text);
    for (mv, after) in [
        ("d5c5", "1o1o1/o1o1o/5/x1x1x/1xx2 o"),
        ("b1d3", "3o1/o1o1o/3o1/x1x1x/1xx2 o"),
        ("c5c1", "2xo1/o1o1o/3o1/x1x1x/1x3 o"),
    ] {
        pair.check(&text);
        text = pair.slow.play(&text, mv);
        assert_eq!(text.split(' ').next(), after.split(' ').next(), "after {mv}");
    }
    pair.check(&text);
}

/// The end of a position in readings A and B.
fn ends(text: &str) -> [Option<Distance>; 2] {
    ["pyonA", "pyonB"].map(|code| {
        Pair::new(code).check(text);
        let game = pyonpyon(code);
        game.terminal_value(&game.parse_position(text).unwrap())
    })
}

const WIN: Option<Distance> = Some(Distance::Win(Plies(0)));
const LOSS: Option<Distance> = Some(Distance::Loss(Plies(0)));

#[test]
fn the_pictures_of_wins() {
    assert_eq!(ends("xxxxx/5/oooo1/4o/5 o"), [LOSS, LOSS]);
    assert_eq!(ends("xxxxo/4x/oooo1/5/5 o"), [LOSS, LOSS]);
    assert_eq!(ends("xxxx1/4x/oooo1/4o/5 o"), [None, None], "in front of an empty square");
    assert_eq!(ends("xxxxo/5/oooox/5/5 o"), [None, None], "two squares short");
    assert_eq!(ends("5/5/xxxx1/o4/xoooo x"), [LOSS, LOSS]);
    assert_eq!(ends("5/5/xxxx1/1o3/xoooo x"), [None, None], "not in the same file");
}

#[test]
fn readings_differ_where_the_side_to_move_has_its_pattern() {
    assert_eq!(ends("xxxxo/4x/oooo1/5/5 x"), [WIN, None]);
    assert_eq!(ends("5/5/xxxx1/o4/xoooo o"), [WIN, None]);
    // d4e5 completes the pattern of o, who is then to move.
    let after = Naive::from_code("pyon").play("5/xxxx1/5/3xo/oooo1 x", "d4e5");
    assert_eq!(ends(&after), [WIN, None]);
    // Both patterns: the side that has just moved comes first.
    assert_eq!(ends("xxxxx/5/5/5/ooooo x"), [LOSS, LOSS]);
    assert_eq!(ends("xxxxx/5/5/5/ooooo o"), [LOSS, LOSS]);
}

/// Number of sequences of `depth` legal moves by the naive rules.
fn naive_perft(rules: &Naive, text: &str, depth: u32) -> u64 {
    let moves = rules.legal_moves(text);
    if depth == 1 {
        return moves.len() as u64;
    }
    moves.iter().map(|mv| naive_perft(rules, &rules.play(text, mv), depth - 1)).sum()
}

#[test]
fn perft_agrees_with_the_naive_rules() {
    let start = pyonpyon("pyon");
    assert_eq!([1, 2, 3].map(|depth| perft(&start, &start.start(), depth)), [22, 496, 13_396]);
    for code in all_codes() {
        let (fast, slow) = (pyonpyon(&code), Naive::from_code(&code));
        let most = if slow.files < 4 { 4 } else { 3 };
        for depth in 1..=most {
            let expected = naive_perft(&slow, &slow.start_text(), depth);
            assert_eq!(perft(&fast, &fast.start(), depth), expected, "perft {depth} of {code}");
        }
    }
}

/// All texts of a board with the side to move.
fn all_positions(slow: &Naive, turn: char) -> Vec<String> {
    let mut rows = vec![(String::new(), 0, 0)];
    for _ in 0..slow.files * slow.ranks {
        let longer = |(squares, x, o): &(String, usize, usize)| {
            [('x', x + 1, *o), ('o', *x, o + 1), ('.', *x, *o)].map(|(piece, x, o)| (format!("{squares}{piece}"), x, o))
        };
        rows = rows.iter().flat_map(longer).filter(|(_, x, o)| *x.max(o) <= slow.files).collect();
    }
    let whole = rows.iter().filter(|(_, x, o)| (*x, *o) == (slow.files, slow.files));
    whole.map(|(squares, ..)| text_of(&squares.chars().collect::<Vec<_>>(), slow.files, turn)).collect()
}

/// Every position of a board has its key, the keys are dense, and they fall together as the naive images do.
fn check_all_keys(code: &str) {
    let mut pair = Pair::new(code);
    for turn in ['x', 'o'] {
        for text in all_positions(&pair.slow, turn) {
            let position = pair.fast.parse_position(&text).unwrap();
            pair.check_identity(&position, &text);
            laws::key_round_trip(&pair.fast, &position);
        }
    }
    assert_eq!(pair.canonical_of.len() as u32, pair.fast.index.count(), "{code}");
    assert!(pair.canonical_of.keys().all(|&key| key < u64::from(pair.fast.index.count())), "{code}");
    assert_eq!(pair.fast.unrank(u64::from(pair.fast.index.count())), None);
}

#[test]
fn keys_number_the_canonical_positions_of_small_boards() {
    for code in ["pyon2x3", "pyon2x4", "pyon2x5", "pyon3x3", "pyon3x4"] {
        check_all_keys(code);
    }
}

fn choose(n: u64, k: u64) -> u64 {
    if k > n { 0 } else { (1..=k).fold(1, |product, i| product * (n - k + i) / i) }
}

/// Number of placements of both sides seen from the side to move, mirror images taken as one: half of all placements
/// and of those that are their own mirror images.
fn canonical_placements(files: u64, ranks: u64) -> u64 {
    let area = files * ranks;
    let all = choose(area, files) * choose(area - files, files);
    let (pairs, middle) = (files / 2 * ranks, files % 2 * ranks);
    let mut fixed = 0;
    for own in 0..=files / 2 {
        for other in 0..=files / 2 {
            let own_ways = choose(pairs, own) * choose(middle, files - 2 * own);
            let left = middle.saturating_sub(files - 2 * own);
            fixed += own_ways * choose(pairs - own, other) * choose(left, files - 2 * other);
        }
    }
    (all + fixed) / 2
}

#[test]
fn the_number_of_keys_is_that_of_the_canonical_positions() {
    for code in all_codes() {
        let game = pyonpyon(&code);
        let board = game.rules.board;
        let expected = canonical_placements(u64::from(board.files), u64::from(board.ranks));
        assert_eq!(u64::from(game.index.count()), expected, "{code}");
    }
    assert_eq!(pyonpyon("pyon").index.count(), 411_883_560);
}

/// Checks that a key leads to a canonical position and back.
fn check_key(game: &Pyonpyon, key: u32) {
    let (own, other) = game.index.position(key);
    let board = game.rules.board;
    assert_eq!((own.count_ones(), other.count_ones(), own & other), (board.files.into(), board.files.into(), 0));
    assert_eq!(game.index.key(own, other), key, "key {key} of {}", game.code());
    let (own_image, other_image) = (board.mirrored(own), board.mirrored(other));
    assert_eq!(game.index.key(own_image, other_image), key, "mirror image of key {key} of {}", game.code());
}

#[test]
fn keys_of_all_boards_lead_back() {
    for code in ["pyon3x5", "pyon4x3", "pyon4x4", "pyon4x5", "pyon5x3", "pyon5x4", "pyon"] {
        let game = pyonpyon(code);
        let count = game.index.count();
        let step = (count / 200_000).max(1) as usize;
        (0..count).step_by(step).for_each(|key| check_key(&game, key));
    }
}

#[test]
fn rows_follow_each_other_without_gaps() {
    for code in ["pyon2x3", "pyon3x4", "pyon4x4", "pyon5x4", "pyon"] {
        let game = pyonpyon(code);
        let mut next = 0;
        for number in 0..game.index.rows() {
            let row = game.index.row_at(number);
            let keys = game.index.keys(&row);
            assert_eq!(keys.start, next, "row {number} of {code}");
            [keys.start, keys.end - 1].into_iter().for_each(|key| {
                check_key(&game, key);
                assert_eq!(game.index.position(key), (row.own, game.index.other_at(&row, key - keys.start)));
            });
            next = keys.end;
        }
        assert_eq!(next, game.index.count(), "{code}");
    }
}

/// The least number of squares, itself among them, that lie on lines from one square.
fn least_lines(files: i32, ranks: i32) -> i32 {
    let on_line = |file: i32, rank: i32| file == 0 || rank == 0 || file.abs() == rank.abs();
    let squares = || (0..files).flat_map(|file| (0..ranks).map(move |rank| (file, rank)));
    let lines = |(file, rank)| squares().filter(|(f, r)| on_line(f - file, r - rank)).count() as i32;
    squares().map(lines).min().unwrap()
}

#[test]
fn no_side_is_ever_without_a_move() {
    // A piece that cannot move has all its lines full. Where they hold more squares than there are pieces, every piece
    // can move; on the other boards every position is looked at.
    for code in all_codes() {
        let game = pyonpyon(&code);
        let (files, ranks) = (game.rules.board.files.into(), game.rules.board.ranks.into());
        let can_be_full = least_lines(files, ranks) <= 2 * files;
        assert_eq!(can_be_full, files >= 4 && ranks == 3, "{code}");
        if can_be_full {
            (0..u64::from(game.index.count())).for_each(|key| check_has_move(&game, key));
        }
    }
}

fn check_has_move(game: &Pyonpyon, key: u64) {
    let position = game.unrank(key).unwrap();
    let occupied = position.own | position.other;
    let mut moves = 0;
    game.lines.each(position.own, occupied, |_, _| moves += 1);
    assert!(moves > 0, "{} of {} has no move", game.position_text(&position), game.code());
}
