//! Positions and moves of the pyonpyon game as text: what is written reads back, what is no position or move is refused
//! in one line that names the field and the offending part, and no input at all brings the parser down.

use crate::support::games::{check_message, pyonpyon};
use crate::support::random::Random;
use yomikiri_rules::game::{Game, laws};

/// The start of the 5x5 board.
const START: &str = "1o1o1/o1o1o/5/x1x1x/1x1x1 x";

/// Texts for mutation.
const SEED_TEXTS: [&str; 5] = [
    "startpos",
    "position startpos moves d5c5 b1d3 c5c1",
    "position pfen xxx2/2oo1/5/1xx2/o1oo1 x",
    "xfen xxxxo/4x/oooo1/5/5 x moves e2e3",
    "1o1o1/o1o1o/5/x1x1x/1x1x1 o moves b1b2",
];

/// Letters that mutations put in: those of the notation, and some that no parser expects.
const LETTERS: &str = "xoxo0123456//--  abcdefmpn\t\n\0\u{1b}\u{301}\u{3000}éß３ｘ石💥";

/// The text of a position after reading it.
fn read(code: &str, text: &str) -> String {
    let game = pyonpyon(code);
    game.position_text(&game.parse_position(text).unwrap())
}

/// Checks that a position text on the 5x5 board is refused with these words.
fn check_refused(input: &str, words: &[&str]) {
    check_message(&pyonpyon("pyon").parse_position(input).unwrap_err(), words, input);
}

/// Checks that a move is refused in a position with these words, alone and in a list of moves.
fn check_move_refused(code: &str, position_text: &str, mv: &str, words: &[&str]) {
    let game = pyonpyon(code);
    let position = game.parse_position(position_text).unwrap();
    let quoted = format!("\"{mv}\"");
    check_message(&game.parse_move(&position, mv).unwrap_err(), &[words, &["move", &quoted]].concat(), mv);
    let list = format!("{position_text} moves {mv}");
    check_message(&game.parse_position(&list).unwrap_err(), &[words, &["number 1", &quoted]].concat(), &list);
}

#[test]
fn startpos_is_the_start_in_all_its_forms() {
    for text in ["startpos", "position startpos", START] {
        assert_eq!(read("pyon", text), START);
        assert_eq!(read("pyon", &format!("{text} moves")), START);
    }
    for command in ["pfen", "xfen", "position pfen", "position xfen", " position \t xfen "] {
        assert_eq!(read("pyon", &format!("{command} {START}")), START);
    }
}

#[test]
fn starts_of_smaller_boards() {
    for (code, start) in [
        ("pyon2x3", "oo/2/xx x"),
        ("pyon2x4", "1o/o1/1x/x1 x"),
        ("pyon3x3", "ooo/3/xxx x"),
        ("pyon3x4B", "1o1/o1o/x1x/1x1 x"),
        ("pyon4x4", "1o1o/o1o1/1x1x/x1x1 x"),
        ("pyon5x3", "ooooo/5/xxxxx x"),
        ("pyonB", START),
    ] {
        assert_eq!(read(code, "startpos"), start, "{code}");
    }
}

#[test]
fn the_texts_of_the_author_are_read() {
    let text = "xxx2/2oo1/5/1xx2/o1oo1 x";
    assert_eq!(read("pyon", &format!("position pfen {text}")), text);
    assert_eq!(read("pyon", "position startpos moves d5c5 b1d3 c5c1"), "2xo1/o1o1o/3o1/x1x1x/1x3 o");
    assert_eq!(read("pyon", &format!("{START} moves d5c5 b1d3")), "3o1/o1o1o/3o1/x1x1x/1xx2 x");
}

#[test]
fn the_picture_is_the_author_s() {
    let expected = "  +---+---+---+---+---+
1 |   | o |   | o |   |
  +---+---+---+---+---+
2 | o |   | o |   | o |
  +---+---+---+---+---+
3 |   |   |   |   |   |
  +---+---+---+---+---+
4 | x |   | x |   | x |
  +---+---+---+---+---+
5 |   | x |   | x |   |
  +---+---+---+---+---+
    a   b   c   d   e";
    assert_eq!(pyonpyon("pyon").board_text(&pyonpyon("pyon").start()), expected);
    let small = pyonpyon("pyon2x3");
    let expected = "  +---+---+
1 | o | o |
  +---+---+
2 |   | x |
  +---+---+
3 | x |   |
  +---+---+
    a   b";
    assert_eq!(small.board_text(&small.parse_position("startpos moves b3b2").unwrap()), expected);
}

#[test]
fn codes_and_settings() {
    for (code, shortest) in
        [("pyonA", "pyon"), ("pyon5x5B", "pyonB"), ("pyon3x4A", "pyon3x4"), ("pyon4x3B", "pyon4x3B")]
    {
        assert_eq!(pyonpyon(code).code(), shortest);
    }
    let settings = pyonpyon("pyon3x4B").settings();
    let text: Vec<_> = settings.iter().map(|(name, value)| format!("{name}: {value}")).collect();
    assert_eq!(
        text,
        [
            "game: pyonpyon",
            "board: 3 files x 4 ranks",
            "pieces: 3 of each side",
            "goals: rank 1 for x (Black), rank 4 for o (White)",
            "win: B: only the side that has just moved can win",
            "repetition: a position that neither side can force is a draw",
        ]
    );
}

#[test]
fn missing_and_surplus_fields_are_refused() {
    check_refused("", &["position", "empty", "startpos"]);
    check_refused("position", &["position", "empty"]);
    check_refused("pfen", &["position", "0", "two fields"]);
    check_refused("1o1o1/o1o1o/5/x1x1x/1x1x1", &["position", "1", "turn"]);
    check_refused(&format!("{START} 0"), &["\"0\"", "moves"]);
    check_refused("startpos d5c5", &["\"d5c5\"", "moves"]);
}

#[test]
fn a_board_of_another_size_is_refused() {
    check_refused("1o1o1/o1o1o/x1x1x/1x1x1 x", &["board", "4 ranks", "5"]);
    check_refused("1o1o1/o1o1o/5/x1x1x/1x1x1/5 x", &["board", "6 ranks", "5"]);
    check_refused("1o1o1/o1o1o/4/x1x1x/1x1x1 x", &["board", "rank 3", "4 squares", "5 files"]);
    check_refused("1o1o1/o1o1o1/5/x1x1x/1x1x1 x", &["board", "rank 2", "more than 5"]);
    check_refused("1o1o1/o1o1o//x1x1x/1x1x1 x", &["board", "rank 3", "0 squares"]);
    check_refused("1o1o1/o1o1o/32/x1x1x/1x1x1 x", &["board", "rank 3", "two numbers"]);
}

#[test]
fn unknown_letters_and_numbers_of_pieces_are_refused() {
    check_refused("1o1o1/o1q1o/5/x1x1x/1x1x1 x", &["board", "rank 2", "\"q\""]);
    check_refused("1o1o1/o1o1o/6/x1x1x/1x1x1 x", &["board", "rank 3", "\"6\""]);
    check_refused("1o1o1/o1o1o/5/x1石1x/1x1x1 x", &["board", "rank 4", "\"石\""]);
    check_refused("1o1o1/o1o1o/5/xxx1x/1x1x1 x", &["board", "6 x", "5 pieces"]);
    check_refused("1o1o1/ooo1o/5/x1x1x/1x1x1 x", &["board", "6 o", "5 pieces"]);
    check_refused("1o1o1/o1o1o/5/2x1x/1x1x1 x", &["board", "4 x", "5 pieces"]);
    check_refused("5/5/5/5/5 x", &["board", "0 x", "5 pieces"]);
}

#[test]
fn an_unknown_turn_is_refused() {
    check_refused("1o1o1/o1o1o/5/x1x1x/1x1x1 b", &["turn", "\"b\"", "neither x nor o"]);
    check_refused("1o1o1/o1o1o/5/x1x1x/1x1x1 moves", &["turn", "\"moves\""]);
}

#[test]
fn texts_that_are_no_two_squares_are_no_moves() {
    for text in ["d5", "d5c", "d5c55", "d5-c5", "é5c5", "石c5"] {
        check_move_refused("pyon", "startpos", text, &["two squares"]);
    }
    check_move_refused("pyon", "startpos", "resign", &["no move on the board"]);
    check_move_refused("pyon", "startpos", "draw", &["no move on the board"]);
    check_move_refused("pyon", "startpos", "d5f5", &["\"f5\"", "5x5"]);
    check_move_refused("pyon", "startpos", "d6d5", &["\"d6\"", "5x5"]);
    check_move_refused("pyon", "startpos", "d0d5", &["\"d0\""]);
    check_move_refused("pyon3x4", "startpos", "a3d3", &["\"d3\"", "3x4"]);
}

#[test]
fn illegal_moves_are_refused_with_the_reason() {
    check_move_refused("pyon", "startpos", "b1b2", &["b1 is o", "x is to move"]);
    check_move_refused("pyon", "startpos", "c3c4", &["no piece on c3"]);
    check_move_refused("pyon", "startpos", "d5c4", &["c4 is not empty"]);
    check_move_refused("pyon", "startpos", "d5d5", &["passed"]);
    check_move_refused("pyon", "startpos", "d5d3", &["from d5", "b3 c5 d4 e5"]);
    check_move_refused("pyon4x3", "xoxo/xo2/o1x1 x", "a1d2", &["a1", "cannot go anywhere"]);
    check_move_refused("pyon", "xxxxo/4x/oooo1/5/5 o", "a3a2", &["the game is over"]);
}

#[test]
fn an_illegal_move_is_named_by_its_number() {
    check_refused("startpos moves d5c5 b1d3 c5c5 d3d4", &["\"c5c5\"", "number 3 of moves"]);
    check_refused("startpos moves d5c5 moves", &["\"moves\"", "number 2 of moves"]);
}

#[test]
fn readings_differ_in_what_may_follow() {
    assert_eq!(read("pyonB", "xxxxo/4x/oooo1/5/5 x moves a1a2"), "1xxxo/x3x/oooo1/5/5 o");
    check_refused("xxxxo/4x/oooo1/5/5 x moves a1a2", &["the game is over"]);
}

/// A seed text with a few letters put in, left out or replaced.
fn mutated(random: &mut Random) -> String {
    let letters: Vec<char> = LETTERS.chars().collect();
    let mut text: Vec<char> = random.pick(&SEED_TEXTS).chars().collect();
    for _ in 0..=random.below(4) {
        let at = random.below(text.len() + 1);
        match random.below(3) {
            0 => text.insert(at, *random.pick(&letters)),
            _ if at == text.len() => {}
            1 => text[at] = *random.pick(&letters),
            _ => {
                text.remove(at);
            }
        }
    }
    text.into_iter().collect()
}

#[test]
fn any_text_is_read_or_refused_in_one_line() {
    let game = pyonpyon("pyon");
    let mut random = Random::new(3);
    let mut accepted = 0;
    for _ in 0..50_000 {
        let text = mutated(&mut random);
        match game.parse_position(&text) {
            Ok(position) => {
                laws::check(&game, &position);
                accepted += 1;
            }
            Err(error) => assert!(!error.to_string().contains('\n'), "{text:?}: {error:?}"),
        }
    }
    assert!(accepted > 500, "only {accepted} texts were positions");
}
