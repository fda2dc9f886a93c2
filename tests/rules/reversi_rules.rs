//! The rules of reversi, held against the slow second implementation in `naive/reversi.rs`: moves, discs turned,
//! children, scores and symmetry must be the same on every board size. The example of the bitboard article the move
//! kernels start from, and the published counts, stand here too.

use std::collections::HashMap;

use crate::naive::reversi::Naive;
use crate::support::games::reversi;
use crate::support::random::Random;
use yomikiri_rules::game::{Game, laws};
use yomikiri_rules::games::reversi::lines::{behind_down, behind_up, flips, legal_moves};
use yomikiri_rules::games::reversi::{Board, Move, Position, Reversi, Squares, moves};
use yomikiri_rules::value::{Score, Side};
use yomikiri_solve::perft::perft;

/// Every board size, with all four pairs of options by turns.
fn all_codes() -> Vec<String> {
    let sizes = (3..=8).flat_map(|files| (3..=8).map(move |ranks| (files, ranks)));
    let code = |((files, ranks), options)| format!("rev{files}x{ranks}{options}");
    sizes.zip(["", "-w", "-p", "-p-w", ""].into_iter().cycle()).map(code).collect()
}

/// One variant in both implementations, and what the positions seen so far are identified by in each.
struct Pair {
    fast: Reversi,
    slow: Naive,
    slow_of: HashMap<String, String>,
    fast_of: HashMap<String, String>,
}

impl Pair {
    fn new(code: &str) -> Pair {
        let (fast, slow) = (reversi(code), Naive::from_code(code));
        Pair { fast, slow, slow_of: HashMap::new(), fast_of: HashMap::new() }
    }

    /// Plays a random game to its end and checks every position on the way; returns how many passes it had.
    fn play(&mut self, start: &str, random: &mut Random) -> usize {
        let (mut text, mut passes) = (start.to_string(), 0);
        loop {
            let children = self.check(&text);
            if children.is_empty() {
                return passes;
            }
            let (name, child) = random.pick(&children).clone();
            passes += usize::from(name == "pass");
            text = child;
        }
    }

    /// Holds everything about one position against the naive rules; returns its moves and the texts after them.
    fn check(&mut self, text: &str) -> Vec<(String, String)> {
        let code = self.fast.code();
        let position = self.fast.parse_position(text).unwrap();
        assert_eq!(self.fast.position_text(&position), text, "{code}");
        let mut moves = Vec::new();
        self.fast.moves(&position, &mut moves);
        let names: Vec<String> = moves.iter().map(|&mv| self.fast.move_text(mv)).collect();
        assert_eq!(names, self.slow.legal_moves(text), "moves of {text} in {code}");
        let score = self.fast.terminal_value(&position).map(|score| i32::from(score.points()));
        assert_eq!(score, self.slow.score(text), "end of {text} in {code}");
        assert_eq!(self.fast.why_over(&position).is_some(), score.is_some(), "end of {text} in {code}");
        self.check_identity(&position, text);
        self.check_flips(&position, text);
        laws::check(&self.fast, &position);
        let play = |(&mv, name): (&Move, &String)| {
            let child = self.slow.play(text, name);
            assert_eq!(self.fast.position_text(&self.fast.play(&position, mv)), child, "{name} in {text} of {code}");
            (name.clone(), child)
        };
        moves.iter().zip(&names).map(play).collect()
    }

    /// The discs turned on every empty square, none where no move is legal.
    fn check_flips(&self, position: &Position, text: &str) {
        let board = self.fast.rules.board;
        for square in moves::each(board.squares() & !position.occupied()) {
            let name = self.fast.move_text(Move::Place(square));
            let bit = |(file, rank): (usize, usize)| 1 << board.bit(file as u8, rank as u8);
            let expected: Squares = self.slow.turned_by(text, &name).into_iter().map(bit).sum();
            assert_eq!(flips(square, position.own, position.other), expected, "{name} in {text}");
        }
    }

    /// Equal naive canonical texts and equal canonical forms (and keys) must mean the same.
    fn check_identity(&mut self, position: &Position, text: &str) {
        let mut fast = self.fast.position_text(&self.fast.canonical(position));
        if self.fast.has_keys() {
            fast += &format!(" {}", self.fast.rank(position));
        }
        let slow = self.slow.canonical(text);
        let known = self.slow_of.entry(slow.clone()).or_insert_with(|| fast.clone());
        assert_eq!(*known, fast, "{text} of {} differs from its image", self.fast.code());
        let known = self.fast_of.entry(fast).or_insert_with(|| slow.clone());
        assert_eq!(*known, slow, "{text} of {} is taken for another position", self.fast.code());
    }
}

#[test]
fn random_games_agree_on_every_board() {
    let mut passes = 0;
    for (code, seed) in all_codes().iter().zip(0..) {
        let mut pair = Pair::new(code);
        let mut random = Random::new(seed);
        let start = pair.slow.start_text();
        assert_eq!(pair.fast.position_text(&pair.fast.start()), start, "start of {code}");
        for _ in 0..12 {
            passes += pair.play(&start, &mut random);
        }
    }
    assert!(passes > 100, "only {passes} passes in all games");
}

/// Discs anywhere, one square in `empty` left empty, and a little more of one colour than of the other.
fn random_set_up(slow: &Naive, random: &mut Random) -> String {
    let (empty, black) = (1 + random.below(6), 1 + random.below(9));
    let mut disc = || match (random.below(empty + 1), random.below(10) < black) {
        (0, _) => '-',
        (_, true) => 'X',
        (_, false) => 'O',
    };
    let squares: String = (0..slow.files * slow.ranks).map(|_| disc()).collect();
    format!("{squares} {}", random.pick(&['X', 'O']))
}

#[test]
fn games_from_any_set_up_agree_on_every_board() {
    for (code, seed) in all_codes().iter().zip(100..) {
        let mut pair = Pair::new(code);
        let mut random = Random::new(seed);
        for _ in 0..40 {
            let text = random_set_up(&pair.slow, &mut random);
            pair.play(&text, &mut random);
        }
    }
}

/// The squares of one letter on a board of four files as the article draws it: `B`, `W`, `x` for an empty square, or
/// bits.
fn set_of(rows: [&str; 4], letter: char) -> Squares {
    let squares = rows.iter().flat_map(|row| row.chars()).zip(moves::each(Board { files: 4, ranks: 4 }.squares()));
    squares.filter(|&(found, _)| found == letter).map(|(_, square)| 1 << square).sum()
}

/// Checks all legal moves of both sides on a board as the article draws it.
fn check_drawn(rows: [&str; 4]) {
    let text = rows.concat().replace('B', "X").replace('W', "O").replace('x', "-");
    for side in ['X', 'O'] {
        Pair::new("rev4x4").check(&format!("{text} {side}"));
    }
}

/// The article looks to the left, where its bits are the higher ones; here they are the lower ones.
#[test]
fn the_search_to_the_left_of_the_article() {
    for (rows, found) in [
        (["xxxx", "xWBx", "xBWx", "xxxx"], ["0000", "1000", "0000", "0000"]),
        (["xWWB", "xWBB", "xWBW", "xBWB"], ["1000", "1000", "1000", "0000"]),
    ] {
        let [black, white, empty] = ['B', 'W', 'x'].map(|letter| set_of(rows, letter));
        assert_eq!(behind_down::<1>(black, white) & empty, set_of(found, '1'), "{rows:?}");
        check_drawn(rows);
    }
}

/// White discs on the outer files are left out, as nothing can turn them along a rank.
#[test]
fn the_edges_of_the_article() {
    let rows = ["WBxW", "BWBx", "WWBx", "WBxx"];
    let [black, white, empty] = ['B', 'W', 'x'].map(|letter| set_of(rows, letter));
    let inner = white & set_of(["0110"; 4], '1');
    assert_eq!(inner, set_of(["0000", "0100", "0100", "0000"], '1'));
    assert_eq!(behind_down::<1>(black, inner) & empty, 0, "both runs end at a disc");
    check_drawn(rows);
}

/// The article's function on its own bits: the first square is the highest bit, a step to the left a shift upwards.
fn moves_of_the_article(own: u64, opponent: u64) -> u64 {
    let blank = !(own | opponent);
    let opponent = opponent & 0x7e7e_7e7e_7e7e_7e7e;
    let mut run = own << 1 & opponent;
    for _ in 0..5 {
        run |= run << 1 & opponent;
    }
    run << 1 & blank
}

#[test]
fn the_function_of_the_article_is_one_direction_of_eight() {
    // The article's own default board: a black disc right of a white one, seen in its bits.
    assert_eq!(moves_of_the_article(0x0000_1008_0000, 0x0000_0810_0000), 0x0000_0020_0000);
    let mut random = Random::new(7);
    for _ in 0..10_000 {
        let (some, occupied) = (random.bits(), random.bits() | random.bits());
        let (own, other) = (some & occupied, !some & occupied);
        let inner = other & 0x7e7e_7e7e_7e7e_7e7e;
        let left = moves_of_the_article(own.reverse_bits(), other.reverse_bits()).reverse_bits();
        let right = moves_of_the_article(own, other);
        assert_eq!(behind_down::<1>(own, inner) & !occupied, left);
        assert_eq!(behind_up::<1>(own, inner) & !occupied, right);
        assert_eq!((left | right) & !legal_moves(own, other, !occupied), 0);
    }
}

/// Published counts for the 8x8 board: a pass is a ply, a game that is over counts once.
#[test]
fn published_counts_of_move_sequences() {
    let counts = [1, 4, 12, 56, 244, 1396, 8200, 55092, 390216, 3005288];
    for (depth, count) in (0..).zip(counts) {
        assert_eq!(perft(&reversi("rev8x8"), &reversi("rev8x8").start(), depth), count, "depth {depth}");
    }
}

/// The same by the plain moves, one after the other.
fn plain_sequences(game: &Reversi, position: &Position, depth: u32) -> u64 {
    let mut moves = Vec::new();
    game.moves(position, &mut moves);
    if depth == 0 || moves.is_empty() {
        return 1;
    }
    moves.iter().map(|&mv| plain_sequences(game, &game.play(position, mv), depth - 1)).sum()
}

#[test]
fn counts_of_whole_games_are_those_of_the_plain_moves() {
    for code in ["rev3x3", "rev3x4", "rev4x3-p", "rev4x4", "rev3x5", "rev5x3"] {
        let game = reversi(code);
        for depth in 0..11 {
            let expected = plain_sequences(&game, &game.start(), depth);
            assert_eq!(perft(&game, &game.start(), depth), expected, "{code} at depth {depth}");
        }
    }
}

/// What a position is worth to the side to move when its game is over.
fn end(code: &str, text: &str) -> Option<Score> {
    Pair::new(code).check(text);
    let game = reversi(code);
    game.terminal_value(&game.parse_position(text).unwrap())
}

#[test]
fn the_only_move_of_a_blocked_side_is_a_pass() {
    let game = reversi("rev4x4");
    let mut moves = Vec::new();
    let blocked = game.parse_position("XOXXXXXXXXXXXXX- X").unwrap();
    game.moves(&blocked, &mut moves);
    assert_eq!(moves, [], "neither side has a move");
    let blocked = game.parse_position("OXXXXXXXXXXXXXX- X").unwrap();
    game.moves(&blocked, &mut moves);
    assert_eq!(moves, [Move::Pass], "only O has a move");
    let after = game.play(&blocked, Move::Pass);
    game.moves(&after, &mut moves);
    assert_eq!(moves.iter().map(|&mv| game.move_text(mv)).collect::<Vec<_>>(), ["d4"]);
    assert_eq!((after.side, after.own, after.other), (Side::White, blocked.other, blocked.own));
    assert_eq!(game.ply(&after), game.ply(&blocked), "a pass puts no disc");
}

#[test]
fn games_end_when_neither_side_has_a_move() {
    let score = |points| Some(Score::new(points));
    assert_eq!(end("rev4x4", "XXXXXXXXOOOOOOOO X"), score(0));
    assert_eq!(end("rev4x4", "OXXXXXXXXXXXXXX- X"), None, "O has a move");
    assert_eq!(end("rev4x4", "XOXXXXXXXXXXXXX- X"), score(13));
    assert_eq!(end("rev4x4", "XOXXXXXXXXXXXXX- O"), score(-13));
    assert_eq!(end("rev4x4-w", "XOXXXXXXXXXXXXX- O"), score(-14));
    assert_eq!(end("rev3x3", "XXX------ O"), score(-3));
    assert_eq!(end("rev3x3-w", "XXX------ O"), score(-9));
    assert_eq!(end("rev3x3", "--------- X"), score(0));
}

#[test]
fn reasons_for_the_end() {
    let why = |text: &str| {
        reversi("rev4x4").why_over(&reversi("rev4x4").parse_position(text).unwrap()).map(|reason| reason.text)
    };
    assert_eq!(why("XXXXXXXXOOOOOOOO X"), Some("the board is full"));
    assert_eq!(why("XXXX------------ O"), Some("one side has no discs"));
    assert_eq!(why("XOXXXXXXXXXXXXX- X"), Some("neither side has a move"));
    assert_eq!(why("OXXXXXXXXXXXXXX- X"), None);
}

/// The shortest game on 8x8: all white discs are gone after nine plies.
#[test]
fn the_shortest_game() {
    let game = reversi("rev8x8");
    let position = game.parse_position("e6f4e3f6g5d6e7f5c5").unwrap();
    assert_eq!(game.terminal_value(&position), Some(Score::new(-13)));
    assert_eq!(game.why_over(&position).map(|reason| reason.text), Some("one side has no discs"));
}

/// Canonical forms, by hand: the first moves of the cross start are all the same, those of the parallel start are not.
#[test]
fn first_moves_by_symmetry() {
    let distinct = |code: &str| {
        let game = reversi(code);
        let mut moves = Vec::new();
        game.moves(&game.start(), &mut moves);
        let mut children: Vec<_> = moves.iter().map(|&mv| game.canonical(&game.play(&game.start(), mv))).collect();
        children.sort_by_key(|child| (child.own, child.other));
        children.dedup();
        (moves.len(), children.len())
    };
    assert_eq!(distinct("rev8x8"), (4, 1));
    assert_eq!(distinct("rev6x6"), (4, 1));
    assert_eq!(distinct("rev8x8-p"), (4, 2));
    assert_eq!(distinct("rev6x4"), (4, 2));
    assert_eq!(distinct("rev5x5"), (4, 2));
}

#[test]
fn keys_end_where_64_bits_do() {
    for (code, keys) in [("rev5x8", true), ("rev8x5", true), ("rev6x6", true), ("rev6x7", false), ("rev8x8", false)] {
        assert_eq!(reversi(code).has_keys(), keys, "{code}");
    }
    let game = reversi("rev5x8");
    assert_eq!(game.unrank(u64::MAX), None);
    assert_eq!(game.unrank(3u64.pow(40)), None);
}
