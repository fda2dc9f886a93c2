//! Positions, moves and transcripts of reversi as text: what is written reads back, what is no position or move is
//! refused in one line that names the place, and no input at all brings the parser down.

use crate::support::command;
use crate::support::games::{check_message, reversi};
use crate::support::random::Random;
use yomikiri_rules::game::{Game, laws};
use yomikiri_rules::games::reversi::{Move, Position, text};
use yomikiri_rules::value::Score;

/// The start of the 8x8 board.
const START: &str = "---------------------------OX------XO--------------------------- X";

/// Texts for mutation.
const SEED_TEXTS: [&str; 6] = [
    "startpos",
    "f5d6c3d3c4",
    "startpos moves f5 d6 c3",
    "---------------------------OX------XO--------------------------- X; d3:+0; c4:+0;",
    "...........................O*......*O........................... O",
    "-XXXXXX---XXXXOO--XXOXXXOOOOXXXXXXXXXXOX--XXXXXX--XXXXX---OOOO-- O moves pass",
];

/// Letters that mutations put in: those of the notation, and some that no parser expects.
const LETTERS: &str = "XOxo*-.;12345678abcdefghFD +:--  mpsu\t\n\0\u{1b}\u{301}\u{3000}éß５Ｘ石💥";

fn position(code: &str, text: &str) -> Position {
    reversi(code).parse_position(text).unwrap_or_else(|error| panic!("{code} {text}: {error}"))
}

/// The text of a position after reading it.
fn read(code: &str, text: &str) -> String {
    reversi(code).position_text(&position(code, text))
}

/// Checks that a position text is refused with these words.
fn check_refused(code: &str, input: &str, words: &[&str]) {
    check_message(&reversi(code).parse_position(input).unwrap_err(), words, input);
}

/// Checks that a move is refused in a position with these words, alone and in a list of moves.
fn check_move_refused(code: &str, text: &str, mv: &str, words: &[&str]) {
    let quoted = format!("move \"{mv}\"");
    let words = &[words, &[&quoted]].concat();
    check_message(&reversi(code).parse_move(&position(code, text), mv).unwrap_err(), words, mv);
    let list = format!("{text} moves {mv}");
    check_refused(code, &list, &[words, &["number 1 of moves"][..]].concat());
}

#[test]
fn the_start_in_all_its_forms() {
    for text in ["startpos", "startpos moves", START, "  startpos\t"] {
        assert_eq!(read("rev8x8", text), START);
    }
    let dots = START.replace('-', ".").replace('X', "*").replace('O', "o");
    assert_eq!(read("rev8x8", &dots), START);
    assert_eq!(read("rev8x8", &START.replace('X', "x")), START);
}

#[test]
fn starts_of_all_kinds() {
    for (code, start) in [
        ("rev3x3", "OX-XO---- X"),
        ("rev3x3-p", "XX-OO---- X"),
        ("rev4x4", "-----OX--XO----- X"),
        ("rev4x4-p-w", "-----XX--OO----- X"),
        ("rev5x4", "------OX---XO------- X"),
        ("rev4x5", "-----OX--XO--------- X"),
        ("rev5x5", "------OX---XO------------ X"),
        ("rev6x4", "--------OX----XO-------- X"),
        ("rev3x8", "---------OX-XO---------- X"),
    ] {
        assert_eq!(read(code, "startpos"), start, "{code}");
    }
}

#[test]
fn lines_of_test_suites_are_read_without_their_remarks() {
    let board = "--XXXXX--OOOXX-O-OOOXXOX-OXOXOXXOXXXOXXX--XOXOXX-XXXOOO--OOOOO--";
    let expected = format!("{board} X");
    for line in ["X;", "X ;", "*;", "X; a2:+38; b1:+20; % 20 empty", "X; % the best of all moves", "X ;;;"] {
        assert_eq!(read("rev8x8", &format!("{board} {line}")), expected, "{line}");
    }
    check_refused("rev8x8", &format!("{board} X; moves a2"), &["position", "after the \";\""]);
    check_refused("rev8x8", &format!("{board}; X"), &["position", "no side"]);
}

#[test]
fn lines_of_test_suites_have_scores() {
    let game = reversi("rev8x8");
    let board = "O--OOOOX-OOOOOOXOOXXOOOXOOXOOOXXOOOOOOXX---OOOOX----O--X-------- X";
    let start = position("rev8x8", board);
    let score =
        |remarks: &str| game.value_in_text(&start, &format!("{board}{remarks}")).map(|found| found.map(Score::points));
    for (remarks, expected) in [
        ("", None),
        (";", None),
        ("; 20 empty; depth: 20; % a2:+38", None),
        ("; a2:+38", Some(38)),
        ("; b1:+20; A2 : 38 ;c1:-64;% d8:+64", Some(38)),
        ("; b1:-2; c1:0;", Some(0)),
    ] {
        assert_eq!(score(remarks), Ok(expected), "{remarks}");
    }
    for (remarks, words) in [
        ("; a1:+2", "move \"a1\": a1 is not empty"),
        ("; i9:+2", "move \"i9\": is neither a square"),
        ("; a2:+38; pass:+2", "move \"pass\": Black (X) has moves"),
        ("; a2:38 or so", "move \"a2\": score \"38 or so\" is no number"),
        ("; a2:", "move \"a2\": score \"\" is no number"),
        ("; a2:-65", "move \"a2\": score \"-65\" is no number from -64 to +64"),
        ("; a2:99999999999", "is no number"),
    ] {
        check_message(&score(remarks).unwrap_err(), &[words], remarks);
    }
    assert_eq!(game.value_in_text(&game.start(), "startpos"), Ok(None));
}

#[test]
fn moves_and_transcripts_are_the_same() {
    let board = "------------------XO------XXX------OXX-----O-------------------- O";
    let spelled = format!("{START} moves f5 d6 c3d3 c4");
    for text in ["f5d6c3d3c4", "F5D6C3D3C4", "f5 d6 c3 d3 c4", "f5d6 c3d3c4", "startpos moves f5d6c3d3c4", &spelled] {
        assert_eq!(read("rev8x8", text), board, "{text}");
    }
}

#[test]
fn passes_are_written_and_may_be_left_out() {
    let game = reversi("rev4x4");
    let mut random = Random::new(5);
    let mut passes = 0;
    for _ in 0..200 {
        let (mut position, mut played, mut moves) = (game.start(), Vec::new(), Vec::new());
        loop {
            game.moves(&position, &mut moves);
            if moves.is_empty() {
                break;
            }
            played.push(*random.pick(&moves));
            position = game.play(&position, played[played.len() - 1]);
        }
        let text = game.moves_text(&played);
        assert_eq!(text::read_transcript(&game, &game.start(), &[&text]).as_ref(), Ok(&played), "{text}");
        // Without passes, with words for them, and a move a word.
        let bare = text.replace("--", "");
        assert_ne!(played.last(), Some(&Move::Pass), "after {text} the other side has a move");
        assert_eq!(text::read_transcript(&game, &game.start(), &[&bare]).as_ref(), Ok(&played), "{bare}");
        assert_eq!(game.parse_position(&text.replace("--", "pass")), Ok(position));
        let names: Vec<_> = played.iter().map(|&mv| game.move_text(mv)).collect();
        assert_eq!(game.parse_position(&format!("startpos moves {}", names.join(" "))), Ok(position));
        passes += usize::from(text.contains("--"));
        // Nothing can follow the end.
        let number = format!("number {} of moves", played.len() + 1);
        check_refused("rev4x4", &format!("{text}a1"), &["\"a1\"", &number, "the game is over"]);
        check_refused("rev4x4", &format!("{text}--"), &["\"--\"", &number, "the game is over"]);
    }
    assert!(passes > 20, "only {passes} games with passes");
}

#[test]
fn the_picture_marks_legal_moves() {
    let expected = "    a b c d e f g h
  +-----------------+
1 | . . . . . . . . |   Black X 2
2 | . . . . . . . . |   White O 2
3 | . . . + . . . . |
4 | . . + O X . . . |
5 | . . . X O + . . |
6 | . . . . + . . . |
7 | . . . . . . . . |
8 | . . . . . . . . |
  +-----------------+   Black to move";
    assert_eq!(reversi("rev8x8").board_text(&position("rev8x8", "startpos")), expected);
    let expected = "    a b c d
  +---------+
1 | O X X X |   Black X 7
2 | X X X X |   White O 1
3 | . . . . |
  +---------+   Black must pass";
    assert_eq!(reversi("rev4x3").board_text(&position("rev4x3", "OXXXXXXX---- X")), expected);
    let over = reversi("rev4x4").board_text(&position("rev4x4", "XXXXXXXXOOOOOOOO X"));
    assert!(over.ends_with("the game is over"), "{over}");
}

#[test]
fn codes_and_settings() {
    let settings = reversi("rev6x5-p-w").settings();
    let text: Vec<_> = settings.iter().map(|(name, value)| format!("{name}: {value}")).collect();
    assert_eq!(
        text,
        [
            "game: reversi",
            "board: 6 files x 5 ranks",
            "start: parallel: colours side by side, Black above",
            "score: the difference of discs, empty squares counted for the winner",
        ]
    );
}

#[test]
fn bad_boards_are_refused_with_the_place() {
    check_refused("rev4x4", "", &["position", "empty", "startpos"]);
    check_refused("rev4x4", "-----OX--XO-----", &["position", "no side"]);
    check_refused("rev4x4", "-----OX--XO---- X", &["board", "15 squares", "16"]);
    check_refused("rev4x4", "-----OX--XO------ X", &["board", "17 squares", "4 files and 4 ranks", "16"]);
    check_refused("rev8x8", "-----OX--XO----- X", &["board", "16 squares", "64"]);
    check_refused("rev4x4", "-----OX--Xq----- X", &["board", "square c3", "character 11", "\"q\""]);
    check_refused("rev4x4", "-----OX--X石----- X", &["board", "square c3", "\"石\""]);
    check_refused("rev4x4", "-----OX--XO----- W", &["side \"W\"", "X (Black)"]);
    check_refused("rev4x4", "-----OX--XO----- XO", &["side \"XO\""]);
    check_refused("rev4x4", "-----OX--XO----- X b1", &["\"b1\"", "moves"]);
    check_refused("rev4x4", "startpos b1", &["\"b1\"", "moves"]);
    check_refused("rev4x4", "hello", &["board", "\"h\""]);
}

#[test]
fn illegal_moves_are_refused_with_the_reason() {
    check_move_refused("rev8x8", "startpos", "a1", &["X would turn no disc", "d3 c4 f5 e6"]);
    check_move_refused("rev8x8", "startpos", "d4", &["d4 is not empty"]);
    check_move_refused("rev8x8", "startpos", "i9", &["neither a square of this board, a1 to h8"]);
    check_move_refused("rev4x4", "startpos", "e1", &["a1 to d4"]);
    check_move_refused("rev4x4", "startpos", "a0", &["a1 to d4"]);
    check_move_refused("rev8x8", "startpos", "pass", &["Black (X) has moves and cannot pass", "d3 c4 f5 e6"]);
    check_move_refused("rev8x8", "startpos", "--", &["cannot pass"]);
    check_move_refused("rev4x4", "XXXXXXXXOOOOOOOO X", "a1", &["the game is over: the board is full"]);
    check_move_refused("rev4x4", "XXXX------------ O", "pass", &["the game is over: one side has no discs"]);
    let blocked = position("rev4x4", "OXXXXXXXXXXXXXX- X");
    let error = reversi("rev4x4").parse_move(&blocked, "d4").unwrap_err();
    check_message(&error, &["move \"d4\"", "Black (X) has no move and must pass"], "d4");
}

#[test]
fn a_bad_move_of_a_transcript_is_named_by_its_number() {
    check_refused("rev8x8", "f5d6c3d3c8", &["\"c8\"", "number 5 of moves"]);
    check_refused("rev8x8", "f5d6c3d3c", &["\"c\"", "number 5 of moves"]);
    check_refused("rev8x8", "f5d6--", &["\"--\"", "number 3 of moves", "cannot pass"]);
    check_refused("rev8x8", "f5 d6 x9", &["\"x9\"", "number 3 of moves"]);
    check_refused("rev8x8", "f5d6 c石", &["\"c石\"", "number 3 of moves"]);
    check_refused("rev8x8", "startpos moves f5 moves", &["\"mo\"", "number 2 of moves"]);
}

/// The same through every verb that reads a position: one line, status 2, and nothing is written.
#[test]
fn the_command_refuses_with_the_place() {
    let folder = tempfile::tempdir().unwrap();
    for (text, words) in [
        ("", "position: is empty"),
        ("-----OX--Xq----- X", "board square c3 (character 11)"),
        ("-----OX--XO---- X", "board: has 15 squares"),
        ("-----OX--XO-----", "position: has no side"),
        ("a1", "move \"a1\" (number 1 of moves): X would turn no disc there; legal moves: b1 a2 d3 c4"),
        ("b1--", "move \"--\" (number 2 of moves): White (O) has moves and cannot pass: a1 c1 a3"),
        ("b1a1a2c1d4a3d1b4a4c4d4", "move \"d4\" (number 11 of moves): the game is over: neither side has a move"),
        ("startpos moves b1a1 b1", "move \"b1\" (number 3 of moves): b1 is not empty"),
    ] {
        let asked = ["query", "line", "moves", "solve"].map(|verb| vec![verb, "rev4x4", text]);
        let from = [&["perft", "rev4x4", "3"][..], &["analyze", "rev4x4"], &["verify", "rev4x4"]];
        for args in asked.into_iter().chain(from.map(|args| [args, &["--from", text]].concat())) {
            let line = command::fails(folder.path(), &args, 2);
            assert!(line.contains(words), "{args:?}: {line}");
        }
    }
    assert_eq!(command::files(folder.path()), [""; 0]);
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
    let game = reversi("rev8x8");
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
    assert!(accepted > 1000, "only {accepted} texts were positions");
}
