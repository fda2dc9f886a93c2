//! Checks docs/animal-shogi.md against the program: its pictures, keys, moves and short endings. Numbers that need the
//! table of the whole game are only compared with each other.

use std::collections::HashSet;

use crate::support::games::{animal_shogi, legal_moves};
use crate::support::repository::{blocks, blocks_from, inline_codes, number, rows, side_by_side};
use yomikiri_answer::Viewed;
use yomikiri_rules::games::animal_shogi::rules::DIRECTIONS;
use yomikiri_rules::games::animal_shogi::text::board_lines;
use yomikiri_rules::games::animal_shogi::{AnimalShogi, Kind, Position, Rules};
use yomikiri_rules::{Game, Notation, Outcome, ParityDistance, Plies, Presentation, Side, Value};
use yomikiri_solve::perft::perft;

const PAGE: &str = include_str!("../../docs/animal-shogi.md");

/// The first line of every picture on the page.
const FILES: &str = "    3 2 1";

/// Number of lines of a picture.
const PICTURE_LINES: usize = 8;

fn is_key(word: &str) -> bool {
    word.len() == 15 && word.chars().all(|letter| letter.is_ascii_hexdigit() && !letter.is_ascii_uppercase())
}

/// Parses a position of the standard game.
fn position(text: &str) -> Position {
    animal_shogi("val1n").parse_position(text).unwrap()
}

fn key(position: &Position) -> String {
    animal_shogi("val1n").position_text(position)
}

fn end(code: &str, text: &str) -> Option<ParityDistance> {
    let game = animal_shogi(code);
    game.terminal_value(&game.parse_position(text).unwrap())
}

fn moves(game: &AnimalShogi, position: &Position) -> Vec<(String, Position)> {
    legal_moves(game, position).into_iter().map(|mv| (game.move_text(mv), game.play(position, mv))).collect()
}

/// Returns true if the side to move loses its lion after every move.
fn mated(game: &AnimalShogi, position: &Position) -> bool {
    let wins = |child: &Position| game.terminal_value(child) == Some(ParityDistance::Decided(Plies(1)));
    game.terminal_value(position).is_none() && moves(game, position).iter().all(|(_, child)| wins(child))
}

/// Returns true if the side to move can win with its next move.
fn wins_at_once(game: &AnimalShogi, position: &Position) -> bool {
    let lost = |child: &Position| game.terminal_value(child).is_some_and(|value| value.outcome() == Outcome::Loss);
    match game.terminal_value(position) {
        Some(value) => value.outcome() == Outcome::Win,
        None => moves(game, position).iter().any(|(_, child)| lost(child)),
    }
}

/// Returns the position of a picture, which has a key and a side to move. Checks the rest of the picture.
fn check_picture(lines: &[&str]) -> Position {
    assert_eq!(lines.len(), PICTURE_LINES, "{lines:#?}");
    let turn = if lines[6].ends_with("Black to move") { Side::Black } else { Side::White };
    let position = Position { board: position(lines[7]).board, side: turn };
    assert_eq!(animal_shogi("val1n").board_text(&position).lines().collect::<Vec<_>>(), lines);
    position
}

#[test]
fn pictures_are_those_of_the_program() {
    let mut count = [0, 0];
    for block in blocks_from(PAGE, FILES) {
        // The move between two pictures side by side leads from the left one to the right one.
        let Some((before, mv, after)) = side_by_side(&block.lines) else {
            check_picture(&block.lines);
            count[0] += 1;
            continue;
        };
        let (before, after) = (check_picture(&before), check_picture(&after));
        let code = block.before.split_once("with the code `").map_or("val1n", |(_, rest)| &rest[..5]);
        let found = moves(&animal_shogi(code), &before).into_iter().find(|(name, _)| name == mv);
        let (_, child) = found.unwrap_or_else(|| panic!("{mv} is not legal in {}", key(&before)));
        assert_eq!((child.board, child.side), (after.board, after.side), "{mv}");
        count[1] += 1;
    }
    assert_eq!(count, [10, 11]);
}

/// Checks pictures whose position is named in the text above them.
#[test]
fn pictures_show_the_positions_named_above_them() {
    let mut count = 0;
    for block in blocks_from(PAGE, FILES) {
        let named = block.before.split('`').skip(1).step_by(2).find(|code| code.contains(" moves "));
        let Some(text) = named else { continue };
        let last = block.lines[7].split_whitespace().last().unwrap();
        assert_eq!(key(&position(text)), last, "{text}");
        count += 1;
    }
    assert_eq!(count, 4);
}

#[test]
fn pictures_of_pieces_follow_from_their_codes() {
    let mut seen = Vec::new();
    for block in
        blocks(PAGE, "text").iter().filter(|block| block.lines.len() == 5 && block.lines[1].starts_with("lion "))
    {
        let rules = Rules::parse(block.lines[0]).unwrap();
        assert_eq!(rules.diagrams().lines().collect::<Vec<_>>(), block.lines[1..]);
        seen.push(block.lines[0]);
    }
    assert_eq!(seen, ["val1n", "vql1n", "vbn1n", "val1n", "vql1n"]);
}

#[test]
fn every_position_text_is_one() {
    let mut count = 0;
    for code in inline_codes(PAGE) {
        if code.starts_with("startpos") || is_key(code.split(' ').next().unwrap()) {
            position(code);
            count += 1;
        }
        if let Some((_, quoted)) = code.split_once("query val1n \"") {
            position(quoted.trim_end_matches('"'));
            count += 1;
        }
    }
    assert!(count >= 20, "{count}");
}

#[test]
fn every_key_is_read_and_written() {
    let keys: HashSet<_> =
        PAGE.split(|letter: char| !letter.is_ascii_alphanumeric()).filter(|&word| is_key(word)).collect();
    assert!(keys.len() > 20, "{}", keys.len());
    for text in keys {
        assert_eq!(key(&position(text)), text);
    }
}

#[test]
fn the_worked_example_reads_as_the_page_says() {
    let example = "51000a09001b002";
    let board = position(example).board;
    for block in blocks_from(PAGE, "gl.") {
        assert_eq!(block.lines.join("\n"), board_lines(&board));
    }
    assert_eq!(blocks_from(PAGE, "5100")[0].lines, [example]);
    assert_eq!(&example[3..], ["00a0", "9001", "b002"].concat());
    let bits = format!("{:012b}", u16::from_str_radix(&example[..3], 16).unwrap());
    let cut = |size: usize| (0..12).step_by(size).map(|at| &bits[at..at + size]).collect::<Vec<_>>().join(" ");
    assert!(PAGE.contains(&format!("that is {}; taken in pairs, {}.", cut(4), cut(2))));
    let held = [6, 0].map(|shift| [Kind::Chick, Kind::Giraffe, Kind::Elephant].map(|kind| board.in_hand(kind, shift)));
    assert_eq!(held, [[1, 1, 0], [1, 0, 0]]);
    assert!(PAGE.contains("chicks, giraffes and elephants: 1, 1, 0 and 1, 0, 0."));
    let on = |squares: [usize; 4]| squares.map(|square| (board.kind_at(square), board.own() >> square & 1 == 1));
    assert_eq!(on([0, 1, 2, 3]), [(None, false), (None, false), (Some(Kind::Elephant), false), (None, false)]);
    assert_eq!(on([4, 5, 6, 7]), [(Some(Kind::Lion), false), (None, false), (None, false), (Some(Kind::Lion), true)]);
    assert_eq!(
        on([8, 9, 10, 11]),
        [(Some(Kind::Giraffe), false), (None, false), (None, false), (Some(Kind::Elephant), true)]
    );
}

#[test]
fn digits_of_the_key_are_the_kinds_in_their_order() {
    for (number, kind) in (1..).zip(Kind::ALL) {
        let (own, other, name) = (number, number + 8, kind.name());
        let row = format!("| `{own:x}` | {own:04b} | own {name} | | `{other:x}` | {other:04b} | other side's {name} |");
        assert!(PAGE.contains(&row), "{row}");
    }
    assert_eq!(board_lines(&position("000123400abc009").board), "c.L\n..E\n.eG\nlgC\n");
    assert_eq!(board_lines(&position("000123500abd009").board), "h.L\n..E\n.eG\nlgH\n");
}

#[test]
fn a_key_is_counted_from_the_side_to_move() {
    // White is to move: the columns of the key are the files 3, 2, 1, each from rank d to rank a.
    let after = key(&position("startpos moves 1d1c"));
    assert_eq!(after, "000a0039c410b02");
    let picture = animal_shogi("val1n").board_text(&position("startpos moves 1d1c"));
    let square =
        |file: usize, rank: usize| picture.lines().nth(2 + rank).unwrap().as_bytes()[4 + 2 * (3 - file)] as char;
    let seen = [3, 2, 1].iter().flat_map(|&file| (0..4).rev().map(move |rank| (file, rank)));
    let letters: String = seen.map(|(file, rank)| square(file, rank)).collect();
    let digit = |letter: char| match Kind::of_letter(letter) {
        None => '0',
        Some(kind) => char::from_digit(kind as u32 + if letter.is_lowercase() { 1 } else { 9 }, 16).unwrap(),
    };
    assert_eq!(letters.chars().map(digit).collect::<String>(), after[3..]);
    let game = animal_shogi("val1n");
    let canonical = game.canonical(&position(&after));
    assert_eq!(key(&canonical), "0000b029c41a003");
    assert_eq!(canonical.board, position(&after).board.mirrored());
}

#[test]
fn rule_codes_are_explained_as_the_program_does() {
    for (at, direction) in DIRECTIONS.iter().enumerate() {
        let squares = if direction.contains("diagonally") || *direction == "sideways" { 2 } else { 1 };
        let row = format!(" | {} | {direction} | {squares} |", 16 >> at);
        assert!(PAGE.contains(&row), "{row}");
    }
    for (name, words) in &animal_shogi("val1n").settings()[1..6] {
        let (digit, words) = words.split_once(" = ").unwrap();
        let (bits, words) = words.split_once(": ").unwrap();
        let number = u32::from_str_radix(bits, 2).unwrap();
        let row = format!("| {name} | `{digit}` | {number} | {bits} | {words} |");
        assert!(PAGE.contains(&row), "{row}");
    }
    for code in ["val1n", "val1nT", "vql1n", "valvn", "vbn1n", "00000"] {
        assert!(PAGE.contains(&format!("| `{code}` | ")), "{code}");
        assert_eq!(animal_shogi(code).code(), code);
    }
    assert_eq!(animal_shogi("vql1n").rules.digits[1], 0b11010);
    assert_eq!(animal_shogi("vbn1n").rules.digits[1..3], [0b01011, 0b10111]);
    assert_eq!(animal_shogi("valvn").rules.digits[3], animal_shogi("valvn").rules.digits[0]);
    assert!(!animal_shogi("val1nT").rules.try_rule);
}

#[test]
fn lists_of_moves_are_whole_and_in_order() {
    let game = animal_shogi("val1n");
    for block in blocks_from(PAGE, "   1. ") {
        let (_, text) = block.before.split_once("`yomikiri query val1n ").expect("the command stands above the list");
        let text = text.split('`').next().unwrap().trim_matches('"');
        let mut legal = moves(&game, &position(text));
        let mut values = Vec::new();
        for line in &block.lines {
            let words: Vec<_> = line.split_whitespace().filter(|&word| word != "in").collect();
            let (name, outcome) = (words[1], words[2]);
            let after = words[if outcome == "draw" { 3 } else { 4 }..].join(" ");
            let at = legal.iter().position(|(mv, _)| mv == name).unwrap_or_else(|| panic!("{text}: {name}"));
            let (_, child) = legal.swap_remove(at);
            assert_eq!(game.text_with_side(&child), after, "{text}: {name}");
            let value = match outcome {
                "draw" => ParityDistance::Draw,
                _ => ParityDistance::Decided(Plies(words[3].parse().unwrap())),
            };
            assert_eq!(value.outcome().to_string(), outcome, "{text}: {name}");
            assert_eq!(value == ParityDistance::Decided(Plies(2)), wins_at_once(&game, &child), "{text}: {name}");
            values.push(value);
        }
        assert!(legal.is_empty(), "{text}: {legal:?}");
        assert!(values.is_sorted_by(|a, b| a >= b), "{text}: {values:?}");
    }
    assert_eq!(blocks_from(PAGE, "   1. ").len(), 4);
}

#[test]
fn the_best_game_ends_with_a_lion_to_be_taken() {
    let all = blocks(PAGE, "text");
    let at = all.iter().position(|block| block.lines[0].starts_with("startpos moves")).unwrap();
    let text = all[at].lines.join(" ");
    let last = position(&text);
    assert_eq!(text.split_whitespace().count() - 2, 77);
    assert_eq!(last.side, Side::White);
    assert_eq!(animal_shogi("val1n").terminal_value(&last), Some(ParityDistance::Decided(Plies(1))));
    let shown = check_picture(&all[at + 1].lines);
    assert_eq!((shown.board, shown.side), (last.board, last.side));
}

#[test]
fn endings_are_decided_as_the_page_says() {
    assert_eq!(end("val1n", "startpos moves 1d1c 2a1b"), Some(ParityDistance::Decided(Plies(1))));
    assert_eq!(end("val1n", "startpos moves 2d1c 2a3b 1c1b 2b2c 1b1a"), Some(ParityDistance::Decided(Plies(0))));
    assert_eq!(end("val1n", "startpos moves 2d1c 2a3b 1c1b 3a2a 1b1a"), Some(ParityDistance::Decided(Plies(1))));
    assert_eq!(end("00000", "startpos"), Some(ParityDistance::Draw));
    let game = animal_shogi("val1n");
    let mate = position("startpos moves 2c2b 2a1b 2d3c 3a2a C*1c");
    assert!(mated(&game, &mate) && mate.side == Side::White);
    assert_eq!(moves(&game, &mate).len(), 6);
    // The lion is attacked: if Black were to move, it could be taken.
    assert!(mate.board.rotated().takes_lion(&game.rules));
    // The chick that White drops also attacks the lion.
    let dropped = position("startpos moves 2c2b 1a2b 1d1c C*2c");
    assert!(dropped.board.rotated().takes_lion(&game.rules));
    assert!(position("0009a13b00ac00c").board.rotated().takes_lion(&game.rules));
}

/// Checks the earliest ply at which a lion can be taken, at which a try has won, and at which a side is mated.
#[test]
fn no_game_ends_sooner() {
    let game = animal_shogi("val1n");
    let mut seen = HashSet::from([game.rank(&game.start())]);
    let mut layer = vec![game.start()];
    let mut first = [None; 3];
    for ply in 1..=5 {
        let mut next = Vec::new();
        for (_, child) in layer.iter().flat_map(|position| moves(&game, position)) {
            if !seen.insert(game.rank(&child)) {
                continue;
            }
            match game.terminal_value(&child) {
                Some(value) if value.outcome() == Outcome::Win => drop(first[0].get_or_insert(ply)),
                Some(_) => drop(first[1].get_or_insert(ply)),
                None if mated(&game, &child) => drop(first[2].get_or_insert(ply)),
                None => next.push(child),
            }
        }
        layer = next;
    }
    assert_eq!(first, [Some(2), Some(5), Some(5)]);
}

#[test]
fn chicks_promote_as_the_page_says() {
    // A chick dropped on the last rank cannot move, and a chick moved there becomes a hen. Both become chicks when they
    // are taken.
    let names = |text: &str| {
        moves(&animal_shogi("val1n"), &position(text)).into_iter().map(|(name, _)| name).collect::<Vec<_>>()
    };
    assert!(names("startpos moves 2c2b 2a1b C*2a 3a3b").iter().all(|name| !name.starts_with("2a")));
    assert!(names("startpos moves 2c2b 2a1b").contains(&"2b2a+".to_string()));
    for way in ["C*2a", "2b2a+", "2b2a"] {
        assert_eq!(position(&format!("startpos moves 2c2b 2a1b {way} 3a2a")).board.in_hand(Kind::Chick, 6), 1);
    }
}

#[test]
fn the_draw_goes_round_in_four_plies() {
    let once = "0009a13b00ac00c moves 1d2d 2a2b 1c1d 3a3b";
    let circle = "1d1c 1a2a 1c1d 2a1a";
    assert!(PAGE.contains(&format!("`{once}`")) && PAGE.contains(&format!("`{circle}`")));
    assert_eq!(position(once).board, position(&format!("{once} {circle}")).board);
}

#[test]
fn move_sequences_are_counted() {
    let counts = [4, 17, 96, 577, 3199, 18754];
    for (depth, count) in (1..).zip(counts) {
        assert_eq!(perft(&animal_shogi("val1n"), &animal_shogi("val1n").start(), depth), count);
    }
    assert!(PAGE.contains("there are 4, 17, 96, 577, 3199 and 18754 different sequences"));
}

/// Checks that numbers which only a table can confirm agree with each other, on the pages in both languages.
#[test]
fn counts_of_the_solved_game_agree() {
    let in_both = |text: &str| {
        assert!(PAGE.matches(text).count() >= 2, "{text} is not in both languages");
        number(text)
    };
    let all = in_both("246,803,167");
    assert_eq!(in_both("140,298,614") + in_both("7,018,985") + in_both("99,485,568"), all);
    assert_eq!(in_both("196,773,087") + in_both("47,347,380") + in_both("2,682,700"), all);
    let reports = blocks_from(PAGE, "Step 2: result");
    assert_eq!(reports.len(), 2);
    for report in reports {
        let value = |at: usize| report.lines[at].rsplit(' ').next().unwrap().parse::<u64>().unwrap();
        assert_eq!([value(1), value(2), value(3)], [47347380, 196773087, 2682700]);
        assert_eq!([value(4), value(5) + 1], [173, 78]);
        assert_eq!(report.lines[7], "White wins in 78 plies: val1n from the start.");
    }
    for code in ["val1n", "val1nT", "vql1n"] {
        let cells = rows(PAGE).into_iter().find(|cells| cells[0] == code && cells.len() == 7).unwrap();
        assert_eq!(number(cells[2]) + number(cells[3]) + number(cells[4]), number(cells[1]), "{code}");
    }
}
