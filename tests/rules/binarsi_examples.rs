//! The examples of the two pages on which Binarsi is described (the game's README and its reference of the `do`
//! command), as positions, moves and board pictures: what stands on those pages must come out here.

use crate::support::games::binarsi;
use yomikiri_rules::game::Game;
use yomikiri_rules::games::binarsi::Position;

/// The six binary operators with their results for the inputs 00, 01, 10, 11.
const TRUTH_TABLES: [(&str, &str); 6] =
    [("a", "0001"), ("o", "0111"), ("xo", "0110"), ("na", "1110"), ("no", "1000"), ("xn", "1001")];

/// The position of a text on the standard board.
fn position(text: &str) -> Position {
    binarsi("bin7x6").parse_position(text).unwrap()
}

/// The SFEN of a position given by any text, moves included.
fn sfen(text: &str) -> String {
    binarsi("bin7x6").position_text(&position(text))
}

/// The board picture with a line break before it, without the line above and what follows.
fn picture(text: &str) -> String {
    let board = binarsi("bin7x6").board_text(&position(text));
    board.lines().skip(1).take(9).flat_map(|line| ["\n", line]).collect()
}

/// The codes of all legal moves, in order.
fn legal_moves(text: &str) -> Vec<String> {
    let (game, mut moves) = (binarsi("bin7x6"), Vec::new());
    game.moves(&position(text), &mut moves);
    moves.into_iter().map(|mv| game.move_text(mv)).collect()
}

/// The legal moves on one way.
fn legal_on(text: &str, way: char) -> Vec<String> {
    legal_moves(text).into_iter().filter(|code| code.starts_with(way)).collect()
}

/// The seven or six squares of a way as `.`, `0`, `1`, read off the board picture.
fn squares(text: &str, way: char) -> String {
    let picture = picture(text);
    let rows = picture.lines().skip(3).take(6).map(|row| row[4..].chars().step_by(2).take(7));
    match way.to_digit(10) {
        Some(file) => rows.filter_map(|mut row| row.nth(file as usize - 1)).collect(),
        None => rows.map(|row| row.collect()).nth(way as usize - 'a' as usize).unwrap(),
    }
}

/// Checks the picture of `before`, and picture and SFEN of the position after one move or edit.
fn check_example(before: (&str, &str), mv: &str, after: (&str, &str)) {
    assert_eq!(picture(before.0), before.1);
    let text = format!("{} moves {mv}", before.0);
    assert_eq!(picture(&text), after.1);
    assert_eq!(sfen(&text), after.0);
}

#[test]
fn the_start_has_one_white_stone_at_3c() {
    let board = "\
[ 0 moves | next black]
    1 2 3 4 5 6 7
  +---------------+
a | . . . . . . . |
b | . . . . . . . |
c | . . 0 . . . . |
d | . . . . . . . |
e | . . . . . . . |
f | . . . . . . . |
  +---------------+";
    assert_eq!(binarsi("bin7x6").board_text(&binarsi("bin7x6").start()), board);
    assert_eq!(sfen("startpos"), "7/7/2o4/7/7/7 b - - 0");
}

#[test]
fn the_start_has_four_legal_moves() {
    assert_eq!(legal_moves("startpos"), ["2n", "4n", "bn", "dn"]);
}

#[test]
fn the_session_goes_on_with_4n_and_cs1() {
    let first = (
        "7/7/2ox3/7/7/7 w - - 1",
        "
    1 2 3 4 5 6 7
  +---------------+
a | . . . . . . . |
b | . . . . . . . |
c | . . 0 1 . . . |
d | . . . . . . . |
e | . . . . . . . |
f | . . . . . . . |
  +---------------+",
    );
    let second = (
        "7/7/2xo3/7/7/7 b c - 2",
        "
    1 2 3 4 5 6 7
  +---------------+
a | . . . . . . . |
b | . . . . . . . |
# | . . 1 0 . . . |
d | . . . . . . . |
e | . . . . . . . |
f | . . . . . . . |
  +---------------+",
    );
    assert_eq!(sfen("startpos moves 4n"), first.0);
    assert_eq!(sfen("startpos moves 4n cs1"), second.0);
    check_example(first, "cs1", second);
}

#[test]
fn the_line_above_the_board_tells_the_ply_and_who_is_next() {
    let board = binarsi("bin7x6").board_text(&position("startpos moves 4n"));
    assert_eq!(board.lines().next(), Some("[ 1 moves | next white]"));
    let board = binarsi("bin7x6").board_text(&position("startpos moves 4n cs1"));
    assert_eq!(board.lines().next(), Some("[ 2 moves | next black]"));
}

#[test]
fn shift_rotates_a_file_down_and_locks_it() {
    let before = "
    1 2 3 4 5 6 7
  +---------------+
a | . . . . . . . |
b | . . . . . . . |
c | . . 0 . . . . |
d | . . 1 . . . . |
e | . . 0 . . . . |
f | . . . . . . . |
  +---------------+";
    let after = "
    1 2 # 4 5 6 7
  +---------------+
a | . . . . . . . |
b | . . . . . . . |
c | . . 0 . . . . |
d | . . 0 . . . . |
e | . . 1 . . . . |
f | . . . . . . . |
  +---------------+";
    check_example(("7/7/2o4/2x4/2o4/7 b - - 2", before), "3s1", ("7/7/2o4/2o4/2x4/7 w 3 - 3", after));
}

#[test]
fn shift_by_nothing_or_a_full_turn_is_illegal() {
    let column = "7/7/2o4/2x4/2o4/7 b - - 2";
    assert_eq!(legal_on(column, '3'), ["3s1", "3s2"]);
    for code in ["3s0", "3s3", "3s6"] {
        assert!(binarsi("bin7x6").parse_move(&position(column), code).is_err(), "{code}");
    }
}

#[test]
fn not_on_an_empty_way_copies_the_neighbour_inverted_without_a_lock() {
    let before = "
    1 2 3 4 5 6 7
  +---------------+
a | . . . . . . . |
b | . . . . . . . |
c | . . 0 . . . . |
d | . . 1 . . . . |
e | . . 0 . . . . |
f | . . . . . . . |
  +---------------+";
    let after = "
    1 2 3 4 5 6 7
  +---------------+
a | . . . . . . . |
b | . . . . . . . |
c | . . 0 1 . . . |
d | . . 1 0 . . . |
e | . . 0 1 . . . |
f | . . . . . . . |
  +---------------+";
    check_example(("7/7/2o4/2x4/2o4/7 b - - 2", before), "4n", ("7/7/2ox3/2xo3/2ox3/7 w - - 3", after));
}

const NOT_IN_PLACE: (&str, &str) = (
    "7/7/2oxx2/2xxo2/2ooo2/7 b - - 4",
    "
    1 2 3 4 5 6 7
  +---------------+
a | . . . . . . . |
b | . . . . . . . |
c | . . 0 1 1 . . |
d | . . 1 1 0 . . |
e | . . 0 0 0 . . |
f | . . . . . . . |
  +---------------+",
);

#[test]
fn not_in_place_reads_the_higher_neighbour_and_locks() {
    let after = "
    1 2 3 # 5 6 7
  +---------------+
a | . . . . . . . |
b | . . . . . . . |
c | . . 0 0 1 . . |
d | . . 1 1 0 . . |
e | . . 0 1 0 . . |
f | . . . . . . . |
  +---------------+";
    check_example(NOT_IN_PLACE, "4nH", ("7/7/2oox2/2xxo2/2oxo2/7 w 4 - 5", after));
}

#[test]
fn not_in_place_reads_the_lower_neighbour_and_locks() {
    let after = "
    1 2 3 # 5 6 7
  +---------------+
a | . . . . . . . |
b | . . . . . . . |
c | . . 0 1 1 . . |
d | . . 1 0 0 . . |
e | . . 0 1 0 . . |
f | . . . . . . . |
  +---------------+";
    check_example(NOT_IN_PLACE, "4nL", ("7/7/2oxx2/2xoo2/2oxo2/7 w 4 - 5", after));
}

#[test]
fn not_in_place_must_name_a_side_that_holds_stones() {
    let text = NOT_IN_PLACE.0;
    let all = ["4a", "4nH", "4nL", "4na", "4no", "4o", "4s1", "4s2", "4xn", "4xo"];
    assert_eq!(legal_on(text, '4'), all);
    assert_eq!(legal_on(text, '3'), ["3nH", "3s1", "3s2"]);
    assert_eq!(legal_on(text, 'e'), ["enL", "es1", "es2"]);
    assert_eq!(legal_on(text, '6'), ["6a", "6n", "6na", "6no", "6o", "6xn", "6xo"]);
}

#[test]
fn and_on_an_empty_way_reads_the_two_nearest_ways() {
    let before = "
    1 2 3 4 5 6 7
  +---------------+
a | . . . . . . . |
b | . . . . . . . |
c | . . 0 1 . . . |
d | . . 1 1 . . . |
e | . . 0 0 . . . |
f | . . . . . . . |
  +---------------+";
    let after = "
    1 2 3 4 5 6 7
  +---------------+
a | . . . . . . . |
b | . . . . . . . |
c | . . 0 1 0 . . |
d | . . 1 1 1 . . |
e | . . 0 0 0 . . |
f | . . . . . . . |
  +---------------+";
    // Three 1 in rank d: the move clears b3, at ply 4.
    let after = ("7/7/2oxo2/2xxx2/2ooo2/7 b - 4///// 4", after);
    check_example(("7/7/2ox3/2xx3/2oo3/7 w - - 3", before), "5a", after);
}

#[test]
fn and_in_place_reads_both_neighbours_and_locks() {
    let before = "
    1 2 3 4 5 6 7
  +---------------+
a | . . . . . . . |
b | . . . . . . . |
c | . . 0 1 0 . . |
d | . . 1 1 1 . . |
e | . . 0 0 0 . . |
f | . . . . . . . |
  +---------------+";
    let after = "
    1 2 3 # 5 6 7
  +---------------+
a | . . . . . . . |
b | . . . . . . . |
c | . . 0 0 0 . . |
d | . . 1 1 1 . . |
e | . . 0 0 0 . . |
f | . . . . . . . |
  +---------------+";
    let before = ("7/7/2oxo2/2xxx2/2ooo2/7 b - 4///// 4", before);
    check_example(before, "4a", ("7/7/2ooo2/2xxx2/2ooo2/7 w 4 4///// 5", after));
}

#[test]
fn a_modify_that_changes_nothing_is_legal_and_locks() {
    let text = "7/7/2ooo2/2xxx2/2ooo2/7 b - 4///// 4 moves 4a";
    assert_eq!(sfen(text), "7/7/2ooo2/2xxx2/2ooo2/7 w 4 4///// 5");
}

#[test]
fn cleared_targets_stand_below_the_board() {
    let board = binarsi("bin7x6").board_text(&position("7/7/2ox3/2xx3/2oo3/7 w - - 3 moves 5a 4a"));
    assert_eq!(board.lines().skip(10).collect::<Vec<_>>(), ["cleared: b3 (ply 4)"]);
}

#[test]
fn a_small_board_has_a_small_picture() {
    let small = binarsi("bin3x2");
    let board = "\
[ 2 moves | next black]
    1 # 3
  +-------+
a | 1 0 . |
b | . . . |
  +-------+
cleared: w5 (ply 2)";
    let position = small.parse_position("xo1/3 b 2 /////2 2").unwrap();
    assert_eq!(small.board_text(&position), board);
}

#[test]
fn binary_operators_make_new_ways_by_their_truth_tables() {
    // Two files, or two ranks, with the pairs 00 01 10 11; a new way on either side of them.
    let files = "7/2oo3/2ox3/2xo3/2xx3/7 b - - 4";
    let ranks = "7/7/1ooxx2/1oxox2/7/7 b - - 4";
    for (op, table) in TRUTH_TABLES {
        for way in ['2', '5'] {
            assert_eq!(squares(&format!("{files} moves {way}{op}"), way), format!(".{table}."), "{way}{op}");
        }
        for way in ['b', 'e'] {
            assert_eq!(squares(&format!("{ranks} moves {way}{op}"), way), format!(".{table}.."), "{way}{op}");
        }
    }
}

#[test]
fn binary_operators_change_ways_by_their_truth_tables() {
    // As above, but with a way between the two that must not matter.
    let files = "7/2oxo2/2oxx2/2xoo2/2xox2/7 w - - 5";
    let ranks = "7/7/1ooxx2/1xxoo2/1oxox2/7 w - - 5";
    for (op, table) in TRUTH_TABLES {
        assert_eq!(squares(&format!("{files} moves 4{op}"), '4'), format!(".{table}."), "4{op}");
        assert_eq!(squares(&format!("{ranks} moves d{op}"), 'd'), format!(".{table}.."), "d{op}");
    }
}

#[test]
fn not_operators_invert_every_stone() {
    let file = "7/7/2o4/2x4/7/7 w - - 1";
    assert_eq!(squares(&format!("{file} moves 4n"), '4'), "..10..");
    assert_eq!(squares(&format!("{file} moves 2n"), '2'), "..10..");
    assert_eq!(squares(&format!("{file} moves bn"), 'b'), "..1....");
    assert_eq!(squares(&format!("{file} moves en"), 'e'), "..0....");
    assert_eq!(squares(&format!("{file} moves cnH"), 'c'), "..0....");
    assert_eq!(squares(&format!("{file} moves dnL"), 'd'), "..1....");
}

#[test]
fn shifts_rotate_a_full_rank_to_the_right() {
    let text = "7/7/ooooxoo/7/7/7 b - - 6";
    assert_eq!(squares(text, 'c'), "0000100");
    let results = ["0000010", "0000001", "1000000", "0100000", "0010000", "0001000"];
    for (k, result) in (1..).zip(results) {
        assert_eq!(squares(&format!("{text} moves cs{k}"), 'c'), result, "cs{k}");
    }
    assert_eq!(legal_on(text, 'c'), ["cs1", "cs2", "cs3", "cs4", "cs5", "cs6"]);
}

#[test]
fn shifts_rotate_a_full_file_down() {
    let text = "2o4/2o4/2o4/2o4/2x4/2o4 w - ///3// 5";
    assert_eq!(squares(text, '3'), "000010");
    for (k, result) in (1..).zip(["000001", "100000", "010000", "001000", "000100"]) {
        assert_eq!(squares(&format!("{text} moves 3s{k}"), '3'), result, "3s{k}");
    }
    assert_eq!(legal_on(text, '3'), ["3s1", "3s2", "3s3", "3s4", "3s5"]);
}

/// Checks that the stones demand just this entry in the targets field, here at the position's own ply.
fn check_target(board: &str, ply: u32, bit: usize) {
    let turn = if ply.is_multiple_of(2) { 'b' } else { 'w' };
    let name = ["b3", "b4", "b5", "w3", "w4", "w5"][bit];
    let unmarked = binarsi("bin7x6").parse_position(&format!("{board} {turn} - - {ply}")).unwrap_err();
    assert!(unmarked.to_string().contains(name), "{unmarked}");
    let mut fields = vec![String::new(); 6];
    fields[bit] = ply.to_string();
    let marked = format!("{board} {turn} - {} {ply}", fields.join("/"));
    assert_eq!(sfen(&marked), marked);
}

#[test]
fn three_black_stones_across_are_b3() {
    check_target("7/7/2xxx2/7/7/7", 2, 0);
}

#[test]
fn four_black_stones_on_either_diagonal_are_b4() {
    check_target("7/2xoxx1/2oxox1/2xoxo1/2oxox1/7", 6, 1);
    check_target("7/2xxox1/2xoxo1/2oxox1/2xoxo1/7", 6, 1);
}

#[test]
fn five_black_stones_down_are_b5() {
    check_target("2x4/2x4/2x4/2x4/2x4/7", 4, 2);
}

#[test]
fn three_white_stones_down_are_w3() {
    check_target("7/3o3/3o3/3o3/7/7", 2, 3);
}

#[test]
fn four_white_stones_on_either_diagonal_are_w4() {
    check_target("7/2oxoo1/2xoxo1/2oxox1/2xoxo1/7", 6, 4);
    check_target("7/2ooxo1/2oxox1/2xoxo1/2oxox1/7", 6, 4);
}

#[test]
fn five_white_stones_across_are_w5() {
    check_target("7/7/1ooooo1/7/7/7", 4, 5);
}

#[test]
fn a_cleared_target_stays_cleared_when_its_stones_go() {
    let text = "7/7/2xxx2/7/7/7 b - 2///// 2 moves 4nL";
    assert_eq!(sfen(text), "7/7/2xox2/7/7/7 w 4 2///// 3");
}

#[test]
fn edit_replaces_a_way_by_the_stones_given() {
    let before = "
    1 2 3 4 5 6 7
  +---------------+
a | . . . . . . . |
b | . . . . . . . |
c | . . 0 . . . . |
d | . . 1 . . . . |
e | . . . . . . . |
f | . . . . . . . |
  +---------------+";
    let after = "
    1 2 3 4 5 6 7
  +---------------+
a | . . . . . . . |
b | . . . . . . . |
c | . . 0 1 . . . |
d | . . 1 0 . . . |
e | . . . . . . . |
f | . . . . . . . |
  +---------------+";
    check_example(("7/7/2o4/2x4/7/7 w - - 1", before), "&4e#$..10..", ("7/7/2ox3/2xo3/7/7 b - - 2", after));
}

#[test]
fn edit_can_shorten_and_lengthen_the_rectangle() {
    assert_eq!(sfen("7/7/2ox3/2xo3/7/7 b - - 2 moves &4e#$......"), "7/7/2o4/2x4/7/7 w - - 1");
    assert_eq!(sfen("7/7/2o4/7/7/7 b - - 0 moves &3e#$.101.."), "7/2x4/2o4/2x4/7/7 b - - 2");
    assert_eq!(sfen("7/7/2o4/7/7/7 b - - 0 moves &ce#$.010..."), "7/7/1oxo3/7/7/7 b - - 2");
}

#[test]
fn cut_takes_an_edge_way_off() {
    assert_eq!(sfen("7/7/2oxoxo/7/7/7 b - - 4 moves &7c#"), "7/7/2oxox1/7/7/7 w - - 3");
    assert_eq!(sfen("7/7/2oxoxo/7/7/7 b - - 4 moves &3c"), "7/7/3xoxo/7/7/7 w - - 3");
    assert_eq!(sfen("7/7/2ox3/2xo3/7/7 b - - 2 moves &dc"), "7/7/2ox3/7/7/7 w - - 1");
}

#[test]
fn cut_takes_the_lock_of_the_way_with_it() {
    assert_eq!(sfen("7/7/2xo3/7/7/7 w 4c - 3 moves &4c"), "7/7/2x4/7/7/7 w c - 1");
    assert_eq!(sfen("7/7/2xo3/7/7/7 w 4c - 3 moves &4c#"), "7/7/2x4/7/7/7 w c - 1");
}

#[test]
fn fill_operators_put_one_kind_of_stone_on_a_way() {
    assert_eq!(sfen("7/7/2ox3/7/7/7 w - - 1 moves &4ze"), "7/7/2oo3/7/7/7 b 4 - 2");
    assert_eq!(sfen("7/7/2ox3/7/7/7 w - - 1 moves &con#"), "7/7/2xx3/7/7/7 w - - 1");
    assert_eq!(sfen("7/7/2ox3/7/7/7 w - - 1 moves &don"), "7/7/2ox3/2xx3/7/7 b - - 2");
}

#[test]
fn operators_of_the_game_work_as_edits() {
    assert_eq!(sfen("startpos moves &4n"), sfen("startpos moves 4n"));
    assert_eq!(sfen("startpos moves 4n &cs1"), sfen("startpos moves 4n cs1"));
    assert_eq!(sfen("startpos moves 4n &5xo"), sfen("startpos moves 4n 5xo"));
}

#[test]
fn hash_in_an_edit_leaves_the_way_unlocked() {
    assert_eq!(sfen("startpos moves 4n &cs1#"), "7/7/2xo3/7/7/7 w - - 1");
    assert_eq!(sfen("7/7/2xo3/7/7/7 b c - 2 moves &cs1#"), "7/7/2ox3/7/7/7 w - - 1");
}

#[test]
fn locked_ways_can_be_edited_but_not_played() {
    let locked = "7/7/2xo3/7/7/7 b c - 2";
    assert!(binarsi("bin7x6").parse_position(&format!("{locked} moves cs1")).is_err());
    assert_eq!(sfen(&format!("{locked} moves &cs1")), "7/7/2ox3/7/7/7 b c - 2");
}

#[test]
fn targets_on_the_board_after_an_edit_count_as_cleared() {
    assert_eq!(sfen("startpos moves &ce#$111...."), "7/7/xxx4/7/7/7 b - 2///// 2");
}

#[test]
fn targets_stay_cleared_when_an_edit_takes_plies_back() {
    assert_eq!(sfen("7/7/2xxx2/7/7/7 b - 2///// 2 moves &5c#"), "7/7/2xx3/7/7/7 w - 1///// 1");
}

#[test]
fn moves_can_follow_an_edit() {
    assert_eq!(sfen("startpos moves &4e#$..1... 5a"), "7/7/2oxo2/7/7/7 b - - 2");
}

#[test]
fn editing_operators_are_never_legal_moves() {
    for code in ["4c", "3ze", "3on", "4e"] {
        assert!(binarsi("bin7x6").parse_move(&binarsi("bin7x6").start(), code).is_err(), "{code}");
    }
}
