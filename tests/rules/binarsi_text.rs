//! Positions and moves as text: what is written reads back, what is no position or move is refused in one line that
//! names the field and the offending part, and no input at all brings the parser down.

use crate::naive::binarsi::Naive;
use crate::support::games::{binarsi, check_message};
use crate::support::random::Random;
use yomikiri_rules::game::{Game, laws};
use yomikiri_rules::games::binarsi::{Binarsi, Position};

/// Texts for mutation: SFENs, move lists, edits.
const SEED_TEXTS: [&str; 8] = [
    "startpos",
    "7/7/2o4/7/7/7 b - - 0",
    "7/ooxxx2/xooxo2/xoxox2/7/7 w 12345cd 4///13//12 13",
    "position sfen 7/7/2ox3/2xx3/2oo3/7 w - - 3 moves 5a 4a cs1",
    "position startpos moves 4n cs1 5xo dn 6na 4nL",
    "sfen 7/7/2o4/2x4/7/7 w - - 1 moves &4e#$..10.. &4c# &3on",
    "7/7/2oxo2/2xxx2/2ooo2/7 b - 4///// 4 moves 4s1",
    "2o4/2o4/2o4/2o4/2x4/2o4 w - ///3// 5 moves 3s5",
];

/// Letters that mutations put in: those of the notation, and some that no parser expects.
const LETTERS: &str = "xoxo0123456789//--  bwabcdefsnHLaoexz&#$.+\t\n\0\u{1b}\u{301}\u{3000}\u{2028}éß３ｘ石💥";

fn sfen(text: &str) -> String {
    let game = binarsi("bin7x6");
    game.position_text(&game.parse_position(text).unwrap())
}

/// Checks that a position text on the standard board is refused with these words.
fn check_refused(input: &str, words: &[&str]) {
    check_message(&binarsi("bin7x6").parse_position(input).unwrap_err(), words, input);
}

/// Checks that a move is refused in a position with these words, alone and in a list of moves.
fn check_move_refused(code: &str, position_text: &str, mv: &str, words: &[&str]) {
    let game = binarsi(code);
    let position = game.parse_position(position_text).unwrap();
    let quoted = format!("\"{mv}\"");
    check_message(&game.parse_move(&position, mv).unwrap_err(), &[words, &["move", &quoted]].concat(), mv);
    let list = format!("{position_text} moves {mv}");
    check_message(&game.parse_position(&list).unwrap_err(), &[words, &["number 1", &quoted]].concat(), &list);
}

/// A random game: its positions with the moves that led to them.
fn random_game(game: &Binarsi, random: &mut Random) -> Vec<(Position, Vec<String>)> {
    let mut position = game.start();
    let (mut played, mut line, mut moves) = (Vec::new(), Vec::new(), Vec::new());
    loop {
        line.push((position, played.clone()));
        game.moves(&position, &mut moves);
        if moves.is_empty() {
            return line;
        }
        let mv = *random.pick(&moves);
        played.push(game.move_text(mv));
        position = game.play(&position, mv);
    }
}

#[test]
fn startpos_is_the_start_with_or_without_its_commands() {
    for text in ["startpos", "position startpos", "7/7/2o4/7/7/7 b - - 0", "sfen 7/7/2o4/7/7/7 b - - 0"] {
        assert_eq!(binarsi("bin7x6").parse_position(text), Ok(binarsi("bin7x6").start()), "{text}");
        assert_eq!(sfen(&format!("{text} moves 4n cs1")), "7/7/2xo3/7/7/7 b c - 2");
    }
}

#[test]
fn the_example_of_the_rules_page_reads_back() {
    let text = "7/ooxxx2/xooxo2/xoxox2/7/7 w 12345cd 4///13//12 13";
    assert_eq!(sfen(text), text);
    assert_eq!(sfen(&format!("  position   sfen {text} ")), text);
}

#[test]
fn locks_are_put_in_order_and_no_targets_are_a_dash() {
    assert_eq!(sfen("7/7/2xo3/7/7/7 w c4 ///// 3"), "7/7/2xo3/7/7/7 w 4c - 3");
}

#[test]
fn every_position_of_random_games_reads_back() {
    for code in ["bin2x2", "bin2x6", "bin7x2-s7b", "bin4x5-t222", "bin7x6", "bin7x6-t999-n"] {
        let game = binarsi(code);
        let mut random = Random::new(1);
        for (position, _) in (0..20).flat_map(|_| random_game(&game, &mut random)) {
            let text = game.position_text(&position);
            let read = game.parse_position(&text).unwrap();
            assert_eq!(read, position, "{text} of {code}");
            assert_eq!(game.position_text(&read), text, "{code}");
        }
    }
}

#[test]
fn replayed_moves_lead_where_the_naive_rules_lead() {
    for code in ["bin3x3-n", "bin5x4-t234", "bin7x6"] {
        let game = binarsi(code);
        let slow = Naive::from_code(code);
        let mut random = Random::new(2);
        for (_, moves) in (0..5).flat_map(|_| random_game(&game, &mut random)) {
            let replayed = game.parse_position(&format!("startpos moves {}", moves.join(" "))).unwrap();
            let expected = moves.iter().fold(slow.start_sfen(), |sfen, mv| slow.play(&sfen, mv));
            assert_eq!(game.position_text(&replayed), expected, "{code}");
        }
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
    for code in ["bin3x3", "bin7x6", "bin7x6-n"] {
        let game = binarsi(code);
        let slow = Naive::from_code(code);
        for (position, _) in random_game(&game, &mut Random::new(3)) {
            let legal = slow.legal_moves(&game.position_text(&position));
            let accepted = codes.iter().filter(|mv| game.parse_move(&position, mv).is_ok());
            let mut accepted: Vec<String> = accepted.cloned().collect();
            accepted.sort();
            assert_eq!(accepted, legal, "{}", game.position_text(&position));
        }
    }
}

#[test]
fn a_wrong_number_of_fields_is_refused() {
    check_refused("", &["position", "empty", "startpos"]);
    check_refused("position", &["position", "empty"]);
    check_refused("sfen", &["SFEN", "0", "five fields"]);
    check_refused("7/7/2o4/7/7/7", &["SFEN", "1", "five fields"]);
    check_refused("7/7/2o4/7/7/7 b - -", &["SFEN", "4", "five fields", "ply"]);
    check_refused("7/7/2o4/7/7/7 b - - 0 0", &["\"0\"", "moves"]);
    check_refused("startpos 4n", &["\"4n\"", "moves"]);
}

#[test]
fn a_board_of_another_size_is_refused() {
    check_refused("7/7/2o4/7/7 b - - 0", &["board", "7/7/2o4/7/7", "5", "ranks", "6"]);
    check_refused("7/7/2o4/7/7/7/7 b - - 0", &["board", "7 ranks", "6"]);
    check_refused("7/7/2o3/7/7/7 b - - 0", &["board", "rank c", "6 squares", "7"]);
    check_refused("7/7/2o4/7x/7/7 b - - 0", &["board", "rank d", "more than 7"]);
    check_refused("7/7/2o4//7/7 b - - 0", &["board", "rank d", "0 squares"]);
}

#[test]
fn letters_that_are_no_stones_are_refused() {
    check_refused("7/7/2q4/7/7/7 b - - 0", &["board", "rank c", "\"q\""]);
    check_refused("7/8/2o4/7/7/7 b - - 0", &["board", "rank b", "\"8\""]);
    check_refused("7/7/2o4/7/7/07 b - - 0", &["board", "rank f", "\"0\""]);
    check_refused("7/7/2石4/7/7/7 b - - 0", &["board", "rank c", "\"石\""]);
}

#[test]
fn stones_that_fill_no_rectangle_are_refused() {
    check_refused("7/7/7/7/7/7 b - - 0", &["board", "no stones"]);
    check_refused("7/7/2o4/3x3/7/7 b - - 2", &["board", "rectangle", "4c"]);
    check_refused("7/7/2oxo2/2x1x2/2ooo2/7 b - - 4", &["board", "rectangle", "4d"]);
}

#[test]
fn bad_locks_are_refused() {
    check_refused("7/7/2xo3/7/7/7 w d - 2", &["locks", "\"d\"", "way d", "no stones"]);
    check_refused("7/7/2xo3/7/7/7 w c7 - 3", &["locks", "\"c7\"", "way 7", "no stones"]);
    check_refused("7/7/2xo3/7/7/7 w cc - 3", &["locks", "way c", "twice"]);
    check_refused("7/7/2xo3/7/7/7 w g - 2", &["locks", "\"g\"", "7x6"]);
    check_refused("7/7/2xo3/7/7/7 w é - 2", &["locks", "\"é\""]);
}

#[test]
fn a_turn_that_contradicts_the_ply_is_refused() {
    check_refused("7/7/2o4/7/7/7 w - - 0", &["turn", "\"w\"", "0 plies", "Black"]);
    check_refused("7/7/2ox3/7/7/7 b - - 1", &["turn", "\"b\"", "1 pl", "White"]);
    check_refused("7/7/2o4/7/7/7 x - - 0", &["turn", "\"x\"", "neither b nor w"]);
}

#[test]
fn a_ply_that_contradicts_the_board_is_refused() {
    check_refused("7/7/2o4/7/7/7 b - - 2", &["ply", "\"2\"", "must be 0", "1x1"]);
    check_refused("7/7/2xo3/7/7/7 b c - 1", &["ply", "\"1\"", "must be 2", "2x1"]);
    for ply in ["x", "-1", "0.0", "99999999999999999999"] {
        check_refused(&format!("7/7/2o4/7/7/7 b - - {ply}"), &["ply", ply, "must be 0"]);
    }
}

#[test]
fn targets_on_the_board_must_be_marked_as_cleared() {
    check_refused("7/7/2xxx2/7/7/7 b - - 2", &["targets", "\"-\"", "b3", "not marked"]);
    check_refused("7/7/2xxx2/7/7/7 b - ///2// 2", &["targets", "\"///2//\"", "b3", "not marked"]);
    check_refused("7/3o3/3o3/3o3/7/7 b - 2///// 2", &["targets", "w3", "not marked"]);
}

#[test]
fn bad_targets_are_refused() {
    check_refused("7/7/2xxx2/7/7/7 b - 2 2", &["targets", "\"2\"", "1", "six"]);
    check_refused("7/7/2xxx2/7/7/7 b - 2////// 2", &["targets", "7", "six"]);
    check_refused("7/7/2xxx2/7/7/7 b - 3///// 2", &["targets", "b3", "\"3\"", "from 1 to 2"]);
    check_refused("7/7/2xxx2/7/7/7 b - 0///// 2", &["targets", "b3", "\"0\""]);
    check_refused("7/7/2xxx2/7/7/7 b - 2////q/ 2", &["targets", "w4", "\"q\""]);
    check_refused("7/7/2xxx2/7/7/7 b - 2/////999 2", &["targets", "w5", "\"999\""]);
}

#[test]
fn moves_of_locked_ways_are_refused() {
    check_move_refused("bin7x6", "7/7/2xo3/7/7/7 b c - 2", "cs1", &["way c", "locked"]);
}

#[test]
fn moves_of_unknown_or_distant_ways_are_refused() {
    check_move_refused("bin7x6", "startpos", "8n", &["way \"8\"", "7x6"]);
    check_move_refused("bin2x2", "startpos", "3n", &["way \"3\"", "2x2"]);
    check_move_refused("bin7x6", "startpos", "石n", &["way \"石\""]);
    check_move_refused("bin7x6", "startpos", "7n", &["way 7", "not next to"]);
}

#[test]
fn unknown_operators_are_refused() {
    check_move_refused("bin7x6", "startpos", "4q", &["\"q\"", "operator"]);
    check_move_refused("bin7x6", "startpos", "4", &["\"\"", "operator"]);
    check_move_refused("bin7x6", "startpos", "4s7", &["\"s7\"", "operator"]);
    check_move_refused("bin7x6", "startpos", "4é", &["\"é\"", "operator"]);
    check_move_refused("bin7x6", "startpos", "3c", &["\"c\"", "operator", "&"]);
    check_move_refused("bin7x6", "startpos", "3ze", &["\"ze\"", "operator", "&"]);
}

#[test]
fn operators_that_do_not_fit_the_way_are_refused_with_those_that_do() {
    let text = "7/7/2ox3/7/7/7 w - - 1";
    check_move_refused("bin7x6", text, "4n", &["way 4", "holds stones", "4nL"]);
    check_move_refused("bin7x6", text, "5nL", &["way 5", "new", "5n", "5xo"]);
    check_move_refused("bin7x6", text, "cs2", &["way c", "cs1"]);
    check_move_refused("bin7x6", "startpos", "3s1", &["way 3", "no legal move"]);
}

#[test]
fn moves_that_change_nothing_are_refused_where_the_rules_say_so() {
    check_move_refused("bin7x6-n", "7/7/2oo3/7/7/7 w - - 1", "cs1", &["unchanged", "way c"]);
}

#[test]
fn moves_after_the_end_are_refused() {
    check_move_refused("bin2x2", "xx/xx b - 2/2/2/// 2", "1s1", &["over"]);
}

#[test]
fn a_bad_move_in_a_list_is_named_by_its_number() {
    check_refused("startpos moves 4n cs1 cs1", &["move \"cs1\"", "number 3", "locked"]);
    check_refused("startpos moves 4n 9n 5n", &["move \"9n\"", "number 2"]);
    check_refused("startpos moves 4n &4q", &["edit \"&4q\"", "number 2"]);
}

#[test]
fn an_empty_move_is_refused() {
    let error = binarsi("bin7x6").parse_move(&binarsi("bin7x6").start(), "").unwrap_err();
    check_message(&error, &["move", "empty"], "");
}

#[test]
fn edits_that_are_not_understood_are_refused() {
    check_refused("startpos moves &", &["edit \"&\"", "way", "missing"]);
    check_refused("startpos moves &8n", &["edit \"&8n\"", "way \"8\""]);
    check_refused("startpos moves &4", &["edit \"&4\"", "operator"]);
    check_refused("startpos moves &4zz", &["edit \"&4zz\"", "\"zz\"", "operator"]);
    check_refused("startpos moves &4n##", &["edit \"&4n##\"", "operator"]);
    check_refused("startpos moves &é", &["edit \"&é\"", "way \"é\""]);
}

#[test]
fn edits_with_wrong_stones_are_refused() {
    check_refused("startpos moves &4e#", &["edit \"&4e#\"", "$"]);
    check_refused("startpos moves &4n$..1...", &["edit", "$", "operator e"]);
    check_refused("startpos moves &4e#$..1..", &["edit", "6 squares"]);
    check_refused("startpos moves &ce#$..10..", &["edit", "7 squares"]);
    check_refused("startpos moves &4e#$..2...", &["edit", "\"2\""]);
    check_refused("startpos moves &4e#$..石...", &["edit", "\"石\""]);
}

#[test]
fn edits_that_leave_no_rectangle_are_refused() {
    check_refused("startpos moves &4e#$.1....", &["edit", "rectangle"]);
    check_refused("startpos moves &5e#$..1...", &["edit", "rectangle"]);
    check_refused("7/7/2oxo2/7/7/7 b - - 2 moves &4c", &["edit \"&4c\"", "rectangle"]);
    check_refused("startpos moves &3c", &["edit \"&3c\"", "no stones"]);
    check_refused("startpos moves &7c#", &["edit \"&7c#\"", "no stones"]);
    check_refused("startpos moves &7on", &["edit \"&7on\"", "not next to"]);
    check_refused("startpos moves &3n", &["edit \"&3n\"", "operator"]);
}

/// One of the texts with one to four random changes of single letters or whole words.
fn mutated<T: AsRef<str>>(texts: &[T], random: &mut Random) -> String {
    let letters: Vec<char> = LETTERS.chars().collect();
    let mut text: Vec<char> = random.pick(texts).as_ref().chars().collect();
    for _ in 0..1 + random.below(4) {
        let at = random.below(text.len() + 1);
        match random.below(6) {
            0 => text.insert(at, *random.pick(&letters)),
            1 if at < text.len() => text[at] = *random.pick(&letters),
            2 if at < text.len() => drop(text.remove(at)),
            3 => text.truncate(at),
            4 if at < text.len() => text.swap(at, 0),
            _ => text = swapped_words(text, random),
        }
    }
    text.into_iter().collect()
}

/// Two words of the text, possibly the same one twice, in each other's place.
fn swapped_words(text: Vec<char>, random: &mut Random) -> Vec<char> {
    let mut words: Vec<&[char]> = text.split(|&letter| letter == ' ').collect();
    let (one, other) = (random.below(words.len()), random.below(words.len()));
    words.swap(one, other);
    words.join(&' ')
}

#[test]
fn mutated_positions_are_refused_in_one_line_or_are_lawful() {
    for code in ["bin7x6", "bin7x6-t222-n", "bin3x3"] {
        let game = binarsi(code);
        let mut random = Random::new(4);
        let line = random_game(&game, &mut random);
        let mut texts: Vec<String> = line.iter().map(|(position, _)| game.position_text(position)).collect();
        texts.extend(SEED_TEXTS.map(String::from));
        for _ in 0..20_000 {
            let text = mutated(&texts, &mut random);
            match game.parse_position(&text) {
                Ok(position) => laws::check(&game, &position),
                Err(error) => check_message(&error, &[], &text),
            }
        }
    }
}

#[test]
fn mutated_moves_do_no_harm() {
    let game = binarsi("bin7x6");
    let mut random = Random::new(5);
    let line = random_game(&game, &mut random);
    for _ in 0..20_000 {
        let mv = mutated(&["4n", "cs1", "5xo", "4nL", "&4e#$..10..", "&7c#"], &mut random);
        let (position, played) = random.pick(&line);
        let played = played.join(" ");
        if let Ok(accepted) = game.parse_move(position, &mv) {
            assert_eq!(game.move_text(accepted), mv);
        }
        if let Ok(after) = game.parse_position(&format!("startpos moves {played} {mv}")) {
            laws::check(&game, &after);
        }
    }
}
