//! The examples of the page on which this animal shogi is described (rule codes, keys, board texts, first moves), and
//! texts that are no rule code, no key, no board and no move: each is refused in one line that says what and where.

use crate::support::games::{animal_shogi, check_message};
use yomikiri_rules::game::Game;
use yomikiri_rules::games::animal_shogi::text::board_lines;
use yomikiri_rules::games::animal_shogi::{AnimalShogi, Position};
use yomikiri_rules::value::{Outcome, Side, Value};

/// The key of the start position.
const START: &str = "000a0039c41b002";

/// The key and the board by which the page shows how to read the one and the other.
const EXAMPLE: (&str, &str) = ("51000a09001b002", "gl.\n...\n..e\nEL.\nCgc");

/// The position of a text in the standard game.
fn position(text: &str) -> Position {
    animal_shogi("val1n").parse_position(text).unwrap()
}

/// The key of a position given by any text, moves included.
fn key(text: &str) -> String {
    animal_shogi("val1n").position_text(&position(text))
}

/// The legal moves of a position of a variant, sorted.
fn legal_moves(code: &str, text: &str) -> Vec<String> {
    let (game, mut moves) = (animal_shogi(code), Vec::new());
    game.moves(&game.parse_position(text).unwrap(), &mut moves);
    let mut names: Vec<_> = moves.into_iter().map(|mv| game.move_text(mv)).collect();
    names.sort();
    names
}

/// Outcome and plies of a position in which the game is over.
fn end(code: &str, text: &str) -> Option<(Outcome, Option<u16>)> {
    let game = animal_shogi(code);
    let value = game.terminal_value(&game.parse_position(text).unwrap())?;
    Some((value.outcome(), value.plies().map(|plies| plies.0)))
}

/// The five bits of each kind of piece, read off the settings.
fn decoded(code: &str) -> String {
    let settings = animal_shogi(code).settings();
    let bits = |name: &str| {
        let (_, words) = settings.iter().find(|(setting, _)| *setting == name).unwrap();
        let is_bits = |word: &&str| word.len() == 5 && word.chars().all(|letter| "01".contains(letter));
        let found = words.split(|letter: char| !letter.is_alphanumeric()).find(is_bits);
        found.unwrap_or_else(|| panic!("no five bits for the {name} of {code} in {words:?}")).to_string()
    };
    ["lion", "elephant", "giraffe", "chick", "hen"].map(bits).join("_")
}

/// Checks that a rule code is refused with these words.
fn check_code_refused(code: &str, words: &[&str]) {
    match AnimalShogi::parse(code) {
        Ok(_) => panic!("{code:?} is taken for a rule code"),
        Err(error) => check_message(&error, &[words, &["rule code", code]].concat(), code),
    }
}

/// Checks that a position text is refused with these words.
fn check_refused(text: &str, words: &[&str]) {
    match animal_shogi("val1n").parse_position(text) {
        Ok(position) => panic!("{text:?} is taken for {position:?}"),
        Err(error) => check_message(&error, words, text),
    }
}

/// Checks that a key is refused with itself and these words.
fn check_key_refused(key: &str, words: &[&str]) {
    check_refused(key, &[words, &[key]].concat());
}

/// Checks that a move of a position is refused with itself and these words.
fn check_move_refused(text: &str, mv: &str, words: &[&str]) {
    let game = animal_shogi("val1n");
    let position = game.parse_position(text).unwrap();
    match game.parse_move(&position, mv) {
        Ok(mv) => panic!("{mv:?} is taken for a move of {text:?}"),
        Err(error) => check_message(&error, &[words, &["move", mv]].concat(), mv),
    }
}

#[test]
fn codes_decode_to_the_directions_of_the_pieces() {
    assert_eq!(decoded("val1n"), "11111_01010_10101_00001_10111");
    assert_eq!(decoded("vql1n"), "11111_11010_10101_00001_10111");
    assert_eq!(decoded("01289"), "00000_00001_00010_01000_01001");
    assert_eq!(decoded("abgvnT"), "01010_01011_10000_11111_10111");
}

#[test]
fn codes_are_written_as_they_are_read() {
    for code in ["val1n", "vql1n", "val1nT", "00000", "00000T", "vvvvv", "vvvvvT"] {
        assert_eq!(animal_shogi(code).code(), code);
    }
}

#[test]
fn the_suffix_is_seen_in_the_settings() {
    assert_eq!(decoded("val1n"), decoded("val1nT"));
    assert_ne!(animal_shogi("val1n").settings(), animal_shogi("val1nT").settings());
}

#[test]
fn the_example_key_and_board_are_the_same_position() {
    let (text, board) = EXAMPLE;
    assert_eq!(position(text), position(board));
    assert_eq!(key(board), text);
    assert_eq!(key(&format!("{board}\n")), text);
    assert_eq!(key(text), text);
    assert_eq!(board_lines(&position(text).board), board);
}

#[test]
fn the_start_has_its_key_and_board() {
    assert_eq!(key("startpos"), START);
    assert_eq!(position(START), animal_shogi("val1n").start());
    assert_eq!(animal_shogi("val1n").side(&position("startpos")), Side::Black);
    assert_eq!(board_lines(&position("startpos").board), "gle\n.c.\n.C.\nELG\n");
    for board in ["gle\n.c.\n.C.\nELG\n", "gle\n.c.\n.C.\nELG", "gle\n.c.\n.C.\nELG\n\n"] {
        assert_eq!(key(board), START, "{board:?}");
    }
}

#[test]
fn the_picture_of_the_start_shows_its_rows() {
    let picture = animal_shogi("val1n").board_text(&animal_shogi("val1n").start());
    let rows: Vec<String> = picture.lines().map(|line| line.replace(' ', "")).collect();
    for row in ["gle", ".c.", ".C.", "ELG"] {
        assert!(rows.iter().any(|line| line.contains(row)), "no row {row} in\n{picture}");
    }
    assert!(!picture.ends_with('\n'), "{picture:?}");
}

#[test]
fn the_start_has_four_moves_to_the_positions_of_the_page() {
    assert_eq!(legal_moves("val1n", "startpos"), ["1d1c", "2c2b", "2d1c", "2d3c"]);
    let game = animal_shogi("val1n");
    let after = |mv: &str| game.position_text(&game.canonical(&position(&format!("startpos moves {mv}"))));
    assert_eq!(after("1d1c"), "0000b029c41a003");
    assert_eq!(after("2d1c"), "000a0030c41b902");
    assert_eq!(after("2d3c"), "000a9030c41b002");
    assert_eq!(after("2c2b"), "400a00390c1b002");
}

#[test]
fn moves_of_white_are_named_on_the_same_squares() {
    assert_eq!(legal_moves("val1n", "startpos moves 1d1c"), ["2a1b", "2a3b", "2b2c", "3a3b"]);
    assert_eq!(key("startpos moves 1d1c 2b2c"), "400a03090c1b002");
    assert_eq!(key("startpos moves 2c2b 1a2b 1d1c C*2c"), "01000309ac1b002");
}

#[test]
fn keys_of_the_page_are_canonical() {
    let game = animal_shogi("val1n");
    let keys = ["000a0039c41b002", "000a0039041bc02", "000a0439001bc02", "000a0309c41b002", "000a0030c41b902"];
    for text in keys {
        assert_eq!(game.position_text(&game.canonical(&position(text))), text);
        assert_eq!(end("val1n", text), None, "{text}");
    }
}

#[test]
fn of_two_mirror_images_the_smaller_key_is_canonical() {
    let game = animal_shogi("val1n");
    let (smaller, larger) = (position("000a0030c41b902"), position("000b9020c41a003"));
    assert_ne!(smaller, larger);
    assert_eq!(game.canonical(&larger), smaller);
    assert_eq!(game.rank(&larger), game.rank(&smaller));
    // The elephant of the start stands on the left, its mirror image has it on the right.
    assert_eq!(game.rank(&position("000b0029c41a003")), game.rank(&game.start()));
}

#[test]
fn a_lion_on_the_other_home_rank_has_won_under_the_try_rule() {
    for text in ["000aa01b400cb09", "000aa01bb40c009", "00500210430c009"] {
        assert_eq!(end("val1n", text), Some((Outcome::Loss, Some(0))), "{text}");
        assert!(legal_moves("val1n", text).is_empty(), "{text}");
        assert_eq!(end("val1nT", text), None, "{text}");
        assert!(!legal_moves("val1nT", text).is_empty(), "{text}");
    }
}

#[test]
fn taking_the_lion_comes_before_the_try() {
    let try_beside_the_lion = "...\n...\n...\nlL.\nEGCegc";
    let try_far_from_the_lion = "...\n...\n...\nl.L\nEGCegc";
    assert_eq!(end("val1n", try_beside_the_lion), Some((Outcome::Win, Some(1))));
    assert_eq!(end("val1n", try_far_from_the_lion), Some((Outcome::Loss, Some(0))));
    assert_eq!(end("val1nT", try_beside_the_lion), Some((Outcome::Win, Some(1))));
    assert_eq!(end("val1nT", try_far_from_the_lion), None);
}

#[test]
fn a_lion_that_can_be_taken_ends_the_game() {
    let lions_side_by_side = "...\n.l.\n.L.\n...\nEGCegc";
    assert_eq!(end("val1n", lions_side_by_side), Some((Outcome::Win, Some(1))));
    assert!(legal_moves("val1n", lions_side_by_side).is_empty());
    // Pieces that cannot move take nothing.
    assert_eq!(end("0al1n", lions_side_by_side), None);
}

#[test]
fn moves_into_the_reach_of_the_other_lion_are_legal() {
    let lions_two_apart = ".l.\n...\n.L.\n...\nEGCegc";
    assert!(legal_moves("val1n", lions_two_apart).contains(&"2c2b".to_string()));
    assert_eq!(end("val1n", "startpos"), None);
    assert_eq!(key(".l.\n...\n.L.\n...\nEGCegc"), "555000090100000");
    assert_eq!(end("val1n", "555000090100000 moves 2c2b"), Some((Outcome::Win, Some(1))));
}

#[test]
fn who_cannot_move_draws() {
    let game = animal_shogi("00000");
    assert_eq!(end("00000", "startpos"), Some((Outcome::Draw, None)));
    assert!(legal_moves("00000", "startpos").is_empty());
    assert!(!game.is_terminal(&game.start()));
}

#[test]
fn a_chick_becomes_a_hen_on_the_last_rank() {
    let before = position("..l\nC..\n...\n..L\nEGegc");
    let text = key("..l\nC..\n...\n..L\nEGegc");
    let game = animal_shogi("val1n");
    let mv = game.parse_move(&before, "3b3a+").unwrap();
    assert_eq!(game.move_text(mv), "3b3a+");
    assert_eq!(game.parse_move(&before, "3b3a"), Ok(mv));
    assert_eq!(board_lines(&game.play(&before, mv).board), "l..\n...\n...\nL.h\nEGCeg");
    assert_eq!(key(&format!("{text} moves 3b3a")), key(&format!("{text} moves 3b3a+")));
}

#[test]
fn a_chick_of_white_becomes_a_hen_on_blacks_home_rank() {
    let text = key("..l\n...\nc..\n..L\nEGCeg");
    assert_eq!(board_lines(&position(&format!("{text} moves E*2b 3c3d")).board), "..l\n.E.\n...\nh.L\nGCeg");
}

#[test]
fn a_chick_dropped_on_the_last_rank_stays_a_chick() {
    let text = key("..l\n...\n...\n..L\nEGCegc");
    assert_eq!(board_lines(&position(&format!("{text} moves C*3a")).board), "l..\n...\n...\nL.c\nEGCeg");
}

#[test]
fn a_chick_that_leaves_the_last_rank_becomes_a_hen() {
    let board = "C.l\n...\n...\n..L\nEGegc";
    let from_3a = |code: &str| {
        let moves = legal_moves(code, board).into_iter();
        moves.filter(|name| name.starts_with("3a")).collect::<Vec<_>>()
    };
    assert_eq!(from_3a("valvn"), ["3a2a+", "3a2b+", "3a3b+"]);
    assert_eq!(from_3a("val4n"), ["3a2a+"]);
    assert_eq!(from_3a("val1n"), [""; 0]);
}

#[test]
fn pieces_drop_on_every_empty_square() {
    let board = ".l.\n...\n.C.\n.L.\nEGCeg";
    let drops: Vec<_> = legal_moves("val1n", board).into_iter().filter(|name| name.starts_with("C*")).collect();
    assert_eq!(drops, ["C*1a", "C*1b", "C*1c", "C*1d", "C*2b", "C*3a", "C*3b", "C*3c", "C*3d"]);
}

#[test]
fn a_captured_hen_is_a_chick_in_hand() {
    let text = key("l..\n...\n.h.\n.L.\nEGegc");
    assert_eq!(key(&format!("{text} moves 2d2c")), "555000109000000");
}

#[test]
fn what_is_no_rule_code_is_refused() {
    check_code_refused("", &["0 digits", "5"]);
    check_code_refused("val1", &["4 digits", "5"]);
    check_code_refused("val1nt", &["6 digits", "5"]);
    check_code_refused("T", &["0 digits", "5"]);
    check_code_refused("val1T", &["4 digits", "5"]);
    check_code_refused("val1w", &["\"w\""]);
    check_code_refused("VAL1N", &["\"V\""]);
    check_code_refused("val1nTT", &["\"T\""]);
    check_code_refused("Tval1n", &["\"T\""]);
    check_code_refused(" val1n", &["\" \""]);
    check_code_refused("val-1n", &["\"-\""]);
    check_code_refused("標準ルール", &["\"標\""]);
    check_code_refused("val1ん", &["\"ん\""]);
    check_code_refused("ｖal1n", &["\"ｖ\""]);
    check_message(&AnimalShogi::parse("val1n\n").unwrap_err(), &["rule code"], "val1n\n");
}

#[test]
fn what_is_no_key_is_refused() {
    check_refused("", &["position"]);
    check_key_refused("000a0039c41b00", &["14 digits", "15"]);
    check_key_refused("0000a0039c41b002", &["16 digits", "15"]);
    check_key_refused("000a0039c41b00g", &["\"g\""]);
    check_refused("000a0039c41b0 2", &["13 digits"]);
    check_key_refused("+00a0039c41b002", &["\"+\""]);
    check_key_refused("どうぶつしょうぎの局面文字列だ", &["\"ど\""]);
}

#[test]
fn keys_with_digits_of_no_piece_are_refused() {
    for digit in ["6", "7", "8", "e", "f"] {
        check_key_refused(&START.replace("a003", &format!("a{digit}03")), &[&format!("digit {digit}"), "1b"]);
        check_key_refused(&START.replace("b002", &format!("b0{digit}2")), &[&format!("digit {digit}"), "3c"]);
    }
}

#[test]
fn keys_with_too_many_or_too_few_pieces_are_refused() {
    check_key_refused("000a0139c41b002", &["side to move", "2 lions"]);
    check_key_refused("000a0939c41b002", &["opponent", "2 lions"]);
    check_key_refused("000a0039c40b002", &["side to move", "no lion"]);
    check_key_refused("000a0030c41b002", &["opponent", "no lion"]);
    check_key_refused("000000000000000", &["no lion"]);
    check_key_refused("000a2039c41b002", &["3 elephants"]);
    check_key_refused("001a0039c41b002", &["3 elephants"]);
    check_key_refused("040a0039c41b002", &["3 elephants"]);
    check_key_refused("100a0039c41b002", &["3 giraffes"]);
    check_key_refused("004a0039c41b002", &["3 giraffes"]);
    check_key_refused("c00a0039c41b002", &["5 chicks"]);
    check_key_refused("000a5039c41b002", &["3 chicks"]);
    check_key_refused("00000039c41b002", &["elephant"]);
    check_key_refused("000a0039c410002", &["giraffe"]);
    check_key_refused("000a0039041b002", &["chick"]);
    check_key_refused("000a0039001b002", &["0 chicks"]);
}

#[test]
fn what_is_no_board_is_refused() {
    check_refused("gle\n.c.\n.C.", &["board", "3 lines"]);
    check_refused("gle\n.c.\n.C.\nELG\n\nE", &["board", "6 lines"]);
    check_refused("gle\n.c\n.C.\nELG\n", &["row 2", "\".c\"", "2 squares"]);
    check_refused("gle\n.c.\n.C..\nELG\n", &["row 3", "\".C..\"", "4 squares"]);
    check_refused("gle\n\n.C.\nELG\n", &["row 2", "0 squares"]);
    check_refused("gle\n.c.\n.X.\nELG\n", &["row 3", "\"X\""]);
    check_refused("gle\n.ひ.\n.C.\nELG\n", &["row 2", "\"ひ\""]);
    check_refused("gle\n.c.\n...\nELG\nX", &["hands", "\"X\""]);
    check_refused("gle\n.c.\n...\nELG\nH", &["hands", "\"H\""]);
    check_refused("gle\n.c.\n...\nEL.\nCGL", &["hands", "\"L\""]);
    check_refused("gle\n.c.\n...\nELG\nC.", &["hands", "\".\""]);
}

#[test]
fn boards_with_too_many_or_too_few_pieces_are_refused() {
    check_refused("gle\n.c.\n.C.\nE.G\n", &["side to move", "no lion"]);
    check_refused("g.e\n.c.\n.C.\nELG\n", &["opponent", "no lion"]);
    check_refused("gle\n.c.\nLC.\nELG\n", &["side to move", "2 lions"]);
    check_refused("gle\n.c.\n.C.\nELG\nE", &["3 elephants"]);
    check_refused("gle\n.c.\n.C.\nELG\ng", &["3 giraffes"]);
    check_refused("gle\n.h.\n.C.\nELG\nc", &["3 chicks"]);
    check_refused("gle\n...\n...\nELG\nCCC", &["chick"]);
    check_refused("gle\n...\n...\nELG\nCCCCCCCCCCCCCCCCC", &["chick"]);
    check_refused("gle\n.c.\n...\nELG\n", &["chick"]);
    check_refused("gl.\n.c.\n.C.\nELG\n", &["elephant"]);
}

#[test]
fn what_is_no_move_is_refused() {
    for mv in ["2c", "c*2b", "L*2b", "H*2b", "2c2b=", "4c4b", "2e2d", "2C2B", "２ｃ２ｂ", "move", "+"] {
        check_move_refused("startpos", mv, &["no move"]);
    }
    check_message(&animal_shogi("val1n").parse_move(&position("startpos"), "").unwrap_err(), &["move"], "");
}

#[test]
fn moves_that_are_not_legal_are_refused() {
    for mv in ["2c2a", "2c1b", "C*3b", "1d2d", "2b2c", "3c3b", "2c2b+"] {
        check_move_refused("startpos", mv, &["not legal", "2c2b"]);
    }
    check_move_refused("555000090100000 moves 2c2b", "2a2b", &["end of the game"]);
}

#[test]
fn wrong_words_after_a_position_are_refused() {
    check_refused("startpos 2c2b", &["\"2c2b\""]);
    check_refused("startpos moves 2c2b 2c2b", &["move", "2c2b"]);
    check_refused("startpos moves 2c2b 9z9z 1a2b", &["move", "9z9z"]);
    check_refused("000a0039c41b002 moves 1d1c 1d1c", &["move", "1d1c"]);
    check_refused("start", &["start"]);
    assert_eq!(key("startpos moves"), START);
}
