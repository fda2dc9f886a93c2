//! Compares the rules of reversi with the slow second implementation in `naive/reversi.rs`. Moves, turned discs,
//! children, scores and symmetry must be equal on every board size. The examples of the bitboard article that the move
//! kernels are based on are checked here, too.

use crate::agreement::{Pair, rules_of_texts};
use crate::support::games::reversi;
use crate::support::random::Random;
use yomikiri_naive::reversi::Naive;
use yomikiri_rules::bits::squares_of;
use yomikiri_rules::games::reversi::lines::{behind_down, behind_up, flips, legal_moves};
use yomikiri_rules::games::reversi::{Board, Move, Position, Reversi, Squares};
use yomikiri_rules::{Game, Notation, Presentation, Side, laws};
use yomikiri_solve::perft::perft;

/// Returns one code for each board size, with the four combinations of options in turn.
fn all_codes() -> Vec<String> {
    let sizes = (3..=8).flat_map(|files| (3..=8).map(move |ranks| (files, ranks)));
    let code = |((files, ranks), options)| format!("rev{files}x{ranks}{options}");
    sizes.zip(["", "-w", "-p", "-p-w", ""].into_iter().cycle()).map(code).collect()
}

type Twins = Pair<Reversi, Naive, str>;

fn pair(code: &str) -> Twins {
    Pair::new(reversi(code), rules_of_texts!(code, Naive::start_text), check)
}

/// Checks the score of a finished game, that every move brings the end nearer, and the discs that each empty square
/// turns. A square that turns none is not a legal move.
fn check(pair: &Twins, position: &Position, text: &str) {
    let (game, slow) = (&pair.fast, &pair.slow.rules);
    let score = game.terminal_value(position).map(|score| i32::from(score.points()));
    assert_eq!(score, slow.score(text), "end of {text} in {}", game.code());
    assert_eq!(game.end_reason(position).is_some(), score.is_some(), "end of {text} in {}", game.code());
    laws::plies_left_fall(game, position);
    let board = game.rules.board;
    for square in squares_of(board.squares() & !position.occupied()) {
        let name = game.move_text(Move::Place(square));
        let bit = |(file, rank): (usize, usize)| 1 << board.bit(file as u8, rank as u8);
        let expected: Squares = slow.turned_by(text, &name).into_iter().map(bit).sum();
        assert_eq!(flips(square, position.own, position.other), expected, "{name} in {text}");
    }
}

#[test]
fn random_games_agree_on_every_board() {
    let mut passes = 0;
    for (code, seed) in all_codes().iter().zip(0..) {
        let (mut pair, mut random) = (pair(code), Random::new(seed));
        let games = (0..12).flat_map(|_| pair.play(usize::MAX, &mut random).0);
        passes += games.filter(|name| name == "pass").count();
    }
    assert!(passes > 100, "only {passes} passes in all games");
}

/// Returns a random position. A square is empty with probability 1/7 to 1/2, and 10 to 90 % of the discs are black.
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
        let (mut pair, mut random) = (pair(code), Random::new(seed));
        for _ in 0..40 {
            let text = random_set_up(&pair.slow.rules, &mut random);
            pair.play_from(pair.read(&text), usize::MAX, &mut random);
        }
    }
}

/// Returns the set of the squares that have a letter in a 4x4 drawing of the article. The letters are `B`, `W` and `x`
/// for an empty square, or the bits 0 and 1.
fn set_of(rows: [&str; 4], letter: char) -> Squares {
    let squares = rows.iter().flat_map(|row| row.chars()).zip(squares_of(Board { files: 4, ranks: 4 }.squares()));
    squares.filter(|&(found, _)| found == letter).map(|(_, square)| 1 << square).sum()
}

/// Checks all legal moves of both sides in a position that the article draws.
fn check_drawn(rows: [&str; 4]) {
    let text = rows.concat().replace('B', "X").replace('W', "O").replace('x', "-");
    for side in ['X', 'O'] {
        let mut pair = pair("rev4x4");
        pair.check(&pair.read(&format!("{text} {side}")));
    }
}

/// The article searches to the left, towards its higher bits. Here the bits to the left are the lower ones.
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

/// The masked set leaves out white discs on the outer files, because no move turns them along a rank.
#[test]
fn the_edges_of_the_article() {
    let rows = ["WBxW", "BWBx", "WWBx", "WBxx"];
    let [black, white, empty] = ['B', 'W', 'x'].map(|letter| set_of(rows, letter));
    let inner = white & set_of(["0110"; 4], '1');
    assert_eq!(inner, set_of(["0000", "0100", "0100", "0000"], '1'));
    assert_eq!(behind_down::<1>(black, inner) & empty, 0, "both runs end at a disc");
    check_drawn(rows);
}

/// Returns the moves to the left by the article's function, in the article's order of bits: the first square is the
/// highest bit, so a step to the left is a left shift.
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
    // The article's default board: a black disc to the right of a white one, in the article's bits.
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

/// Returns the perft number of a position by plain recursion, move by move.
fn plain_sequences(game: &Reversi, position: &Position, depth: u32) -> u64 {
    let moves = game.legal_moves(position);
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

#[test]
fn a_pass_puts_no_disc() {
    let game = reversi("rev4x4");
    let blocked = game.parse_position("OXXXXXXXXXXXXXX- X").unwrap();
    let after = game.play(&blocked, Move::Pass);
    assert_eq!((after.side, after.own, after.other), (Side::White, blocked.other, blocked.own));
    assert_eq!(game.ply(&after), game.ply(&blocked));
}

/// Checks canonical forms by hand. The first moves of the cross start on square boards of even size are all symmetric;
/// those of other starts are not.
#[test]
fn first_moves_by_symmetry() {
    let distinct = |code: &str| {
        let game = reversi(code);
        let moves = game.legal_moves(&game.start());
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

/// Plays random games on a board by the fast rules, and the transposed moves on the transposed board by the naive
/// rules.
#[test]
fn a_variant_and_its_transpose_are_the_same_game() {
    let mut random = Random::new(11);
    let mut plies = 0;
    for code in all_codes() {
        let game = reversi(&code);
        let Some(transpose) = game.rules.transpose() else {
            assert!(code.contains("-p"), "{code}");
            continue;
        };
        let slow = Naive::from_code(&transpose.code());
        let text_of = |mv: Move| game.move_text(mv.transposed());
        for _ in 0..3 {
            let (mut position, mut text) = (game.start(), slow.start_text());
            loop {
                let moves = game.legal_moves(&position);
                let mut expected: Vec<String> = moves.iter().map(|&mv| text_of(mv)).collect();
                let mut legal = slow.legal_moves(&text);
                expected.sort_unstable();
                legal.sort_unstable();
                assert_eq!(legal, expected, "{code}: {text}");
                let score = game.terminal_value(&position).map(|score| i32::from(score.points()));
                assert_eq!(slow.score(&text), score, "{code}: {text}");
                if moves.is_empty() {
                    break;
                }
                let mv = *random.pick(&moves);
                text = slow.play(&text, &text_of(mv));
                position = game.play(&position, mv);
                plies += 1;
            }
        }
    }
    assert!(plies > 1000, "{plies}");
}
