//! Compares the rules of the pyonpyon game with the slow second implementation in `naive/pyonpyon.rs`. Moves, children,
//! ends and keys must be equal on every board size and in both readings. Known counts are checked here, too.

use crate::agreement::{Pair, rules_of_texts};
use crate::support::games::{legal_moves, pyonpyon};
use crate::support::random::Random;
use crate::support::repository;
use yomikiri_naive::pyonpyon::Naive;
use yomikiri_naive::write_rank;
use yomikiri_rules::games::pyonpyon::{Position, Pyonpyon};
use yomikiri_rules::{Game, Notation, Plies, Side, Value};

/// Returns the codes of every board size in both readings.
fn all_codes() -> Vec<String> {
    let sizes = (2..=5).flat_map(|files| (3..=5).map(move |ranks| (files, ranks)));
    sizes.flat_map(|(files, ranks)| ["A", "B"].map(|reading| format!("pyon{files}x{ranks}{reading}"))).collect()
}

type Twins = Pair<Pyonpyon, Naive, str>;

fn pair(code: &str) -> Twins {
    Pair::new(pyonpyon(code), rules_of_texts!(code, Naive::start_text), check)
}

/// Checks the end of a position, and that its moves can be taken back.
fn check(pair: &Twins, position: &Position, text: &str) {
    let end = pair.fast.terminal_value(position);
    let winner = end.map(|value| value.outcome().winner(position.side).expect("no draws at once"));
    let letter = winner.map(|side| if side == Side::Black { 'x' } else { 'o' });
    assert_eq!(letter, pair.slow.rules.winner(text), "end of {text} in {}", pair.fast.code());
    assert!(end.is_none_or(|value| value.plies() == Some(Plies(0))), "end of {text}");
    assert_eq!(pair.fast.is_terminal(position), end.is_some(), "end of {text}");
    for mv in legal_moves(&pair.fast, position) {
        let child = pair.fast.play(position, mv);
        let back = pair.fast.lines.destinations(child.own | child.other, u32::from(mv.to));
        assert!(back >> mv.from & 1 == 1, "{mv:?} in {text} of {} cannot be taken back", pair.fast.code());
    }
}

/// Returns the text of a position. `squares` lists the pieces on all squares, rank by rank.
fn text_of(squares: &[char], files: usize, turn: char) -> String {
    let ranks: Vec<_> = squares.chunks(files).map(write_rank).collect();
    format!("{} {turn}", ranks.join("/"))
}

/// Puts the pieces of x and o on the squares in `preferred`, as far as these are empty, and the rest on random squares.
/// Returns the text of the position.
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

/// Returns a square near the goal of `side` in each file, as an index counted from the top left rank by rank. It is on
/// the goal rank, or with probability 1/4 on the rank before it.
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
        let (mut pair, mut random) = (pair(code), Random::new(seed));
        (0..4).for_each(|_| drop(pair.play(40, &mut random)));
    }
}

#[test]
fn random_set_ups_agree_on_every_board() {
    for (code, seed) in all_codes().iter().zip(100..) {
        let (mut pair, mut random) = (pair(code), Random::new(seed));
        for _ in 0..40 {
            let text = random_set_up(&pair.slow.rules, [&[], &[]], &mut random);
            pair.play_from(pair.read(&text), 2, &mut random);
        }
    }
}

#[test]
fn set_ups_about_to_end_agree_on_every_board() {
    for (code, seed) in all_codes().iter().zip(200..) {
        let (mut pair, mut random) = (pair(code), Random::new(seed));
        let mut ended = 0;
        for round in 0..120 {
            let mut near = |side| near_goal(&pair.slow.rules, side, &mut random);
            let (x, o) = match round % 3 {
                0 => (near('x'), vec![]),
                1 => (vec![], near('o')),
                _ => (near('x'), near('o')),
            };
            let text = random_set_up(&pair.slow.rules, [&x, &o], &mut random);
            ended += usize::from(pair.slow.rules.winner(&text).is_some());
            pair.play_from(pair.read(&text), 3, &mut random);
        }
        assert!(ended > 5, "only {ended} of the set-ups of {code} are over");
    }
}

/// Checks positions made by hand: jumps that change direction, long jumps, full lines, the author's moves, and ends of
/// games in both readings.
#[test]
fn positions_of_the_texts_agree() {
    let mut checked = 0;
    for (code, text) in repository::positions_of_texts("pyonpyon") {
        let mut pair = pair(&code);
        pair.check(&pair.read(&text));
        checked += 1;
    }
    assert!(checked > 20, "{checked}");
}

#[test]
fn perft_agrees_with_the_naive_rules() {
    for code in all_codes() {
        let pair = pair(&code);
        pair.check_perft(if pair.slow.rules.files < 4 { 4 } else { 3 });
    }
}

/// Checks that every position of a board has a key, that the keys are dense, and that two positions share a key exactly
/// if they are symmetric by the naive rules.
fn check_all_keys(code: &str) {
    let mut pair = pair(code);
    for turn in ['x', 'o'] {
        for text in pair.slow.rules.all_positions(turn) {
            let position = pair.fast.parse_position(&text).unwrap();
            pair.check_identity(&(position, text));
        }
    }
    let count = pair.fast.index.count();
    assert_eq!(pair.seen(), count as usize, "{code}");
    assert!((0..u64::from(count)).all(|key| pair.fast.unrank(key).is_some()), "{code}");
    assert_eq!(pair.fast.unrank(count.into()), None);
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

/// Returns the number of placements of both sides' pieces, with mirror images counted once. That is half the sum of two
/// counts: of all placements, and of those that are their own mirror image.
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

/// Checks that the position of a key has that key again, and so has its mirror image.
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

/// Returns the smallest number of squares on the lines through a square of the board. The square itself counts.
fn least_lines(files: i32, ranks: i32) -> i32 {
    let on_line = |file: i32, rank: i32| file == 0 || rank == 0 || file.abs() == rank.abs();
    let squares = || (0..files).flat_map(|file| (0..ranks).map(move |rank| (file, rank)));
    let lines = |(file, rank)| squares().filter(|(f, r)| on_line(f - file, r - rank)).count() as i32;
    squares().map(lines).min().unwrap()
}

#[test]
fn no_side_is_ever_without_a_move() {
    // If a piece cannot move, all lines through its square are full. If these lines always have more squares than there
    // are pieces, every piece can move. On the other boards all positions are checked.
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
