//! docs/connect-four.md is held to the program: pictures, positions, messages, keys, counts and values are read off the
//! page and must come out here.

use yomikiri_rules::game::Game;
use yomikiri_rules::games::connect_four::ConnectFour;
use yomikiri_rules::value::{Distance, Value};
use yomikiri_solve::perft::perft;
use yomikiri_solve::{Adapter, levels};
use yomikiri_table::progress::Silent;

const PAGE: &str = include_str!("../../docs/connect-four.md");

/// Tables with more positions are not made here.
const REPEATED: u64 = 2_000_000;

fn game(code: &str) -> ConnectFour {
    ConnectFour::parse(code).unwrap()
}

/// Rows of the tables of the page, cell by cell, without `` ` `` around a cell.
fn rows() -> impl Iterator<Item = Vec<&'static str>> {
    let cells = |line: &'static str| line.trim_matches('|').split(" | ").map(|cell| cell.trim().trim_matches('`'));
    PAGE.lines().filter(|line| line.starts_with("| ")).map(move |line| cells(line).collect())
}

/// A number with commas.
fn number(text: &str) -> u64 {
    text.replace(',', "").parse().unwrap_or_else(|_| panic!("{text} is no number"))
}

#[test]
fn pictures_are_those_of_the_program() {
    let mut count = 0;
    for block in PAGE.split("\n```text\n").skip(1).map(|rest| rest.split("\n```\n").next().unwrap()) {
        let Some((head, picture)) = block.split_once('\n') else { continue };
        let (code, text) = head.split_once(' ').unwrap();
        let position = game(code).parse_position(text).unwrap();
        assert_eq!(game(code).board_text(&position), picture, "{head}");
        count += 1;
    }
    assert_eq!(count, 2);
}

#[test]
fn codes_are_codes() {
    for code in ["con7x6", "con5x4", "con3x3-k3", "con8x8-k5"] {
        assert!(rows().any(|row| row[0] == code), "{code}");
        assert_eq!(game(code).code(), code);
    }
    assert!(ConnectFour::parse("con4x3").is_ok() && ConnectFour::parse("con3x3").is_err());
}

#[test]
fn texts_of_a_position_are_those_of_the_page() {
    let texts: Vec<&str> = rows().skip_while(|row| row[0] != "startpos").take(5).map(|row| row[0]).collect();
    let game = game("con7x6");
    assert_eq!(game.parse_position(texts[0]), Ok(game.start()));
    let position = game.parse_position("44435").unwrap();
    assert!(texts[1..].iter().all(|text| game.parse_position(text) == Ok(position)), "{texts:?}");
    assert_eq!(texts[3], game.position_text(&position));
}

#[test]
fn messages_are_those_of_the_program() {
    let mut count = 0;
    for row in rows().filter(|row| row.len() == 2).skip_while(|row| row[1] != "what the program says").skip(1) {
        assert_eq!(game("con7x6").parse_position(row[0]).unwrap_err().to_string(), row[1]);
        count += 1;
    }
    assert_eq!(count, 8);
}

#[test]
fn the_key_example_is_right() {
    let game = game("con7x6");
    for text in ["14", "74"] {
        assert_eq!(game.rank(&game.parse_position(text).unwrap()), 2 + (1 << 21));
    }
    assert!(PAGE.contains("the key is 2097154: `2 + 1 * 2^21`"));
}

/// Numbers of positions ply by ply, ended ones and mirror images included.
fn positions_by_ply(game: &ConnectFour, last: u32) -> Vec<u64> {
    let (mut level, mut counts, mut moves) = (vec![game.start()], vec![1], Vec::new());
    for _ in 0..last {
        let mut next = Vec::new();
        for position in &level {
            game.moves(position, &mut moves);
            next.extend(moves.iter().map(|&mv| game.play(position, mv)));
        }
        next.sort_unstable();
        next.dedup();
        counts.push(next.len() as u64);
        level = next;
    }
    counts
}

#[test]
fn all_positions_are_counted() {
    let of_boards = rows().filter(|row| row.len() == 5 && row[0].starts_with("con") && row[4] != "-");
    let mut boards = 0;
    for row in of_boards.filter(|row| number(row[4]) < REPEATED) {
        let game = game(row[0]);
        assert_eq!(positions_by_ply(&game, game.rules.board.area()).iter().sum::<u64>(), number(row[4]), "{}", row[0]);
        boards += 1;
    }
    assert_eq!(boards, 2);
    let by_ply = rows().filter(|row| row.len() == 3 && row[0].parse::<u32>().is_ok()).map(|row| number(row[2]));
    assert_eq!(positions_by_ply(&game("con7x6"), 8)[1..], by_ply.collect::<Vec<_>>());
}

#[test]
fn values_and_sizes_of_small_boards() {
    let mut boards = 0;
    for row in rows().filter(|row| row.len() == 5 && row[0].starts_with("con") && number(row[3]) < REPEATED) {
        let game = game(row[0]);
        let found = levels::enumerate(&game, &game.start(), 1 << 30, &Silent).unwrap();
        assert_eq!(found.positions(), number(row[3]), "{}", row[0]);
        let value = Distance::from_byte(levels::solve(&game, &found, &Silent)[0][0]).unwrap();
        let result = match value {
            Distance::Win(_) => "Black wins",
            Distance::Loss(_) => "White wins",
            Distance::Draw => "draw",
        };
        let plies = value.plies().map_or("-".into(), |plies| plies.0.to_string());
        assert_eq!([result, &plies], row[1..3], "{}", row[0]);
        boards += 1;
    }
    assert_eq!(boards, 8);
}

/// Searches of boards with more positions to look at are not repeated here.
const SEARCHED: u64 = 400_000;

#[test]
fn searches_come_out_as_told() {
    let one_thread = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    let mut boards = 0;
    for row in rows().filter(|row| row.len() == 4 && row[0].starts_with("con") && number(row[2]) < SEARCHED) {
        let game = game(row[0]);
        let search = game.searcher(64 << 20).unwrap();
        let found = one_thread.install(|| search.solve(&game.start(), &Silent));
        let result = match found.value {
            Distance::Win(plies) => format!("Black wins in {}", plies.0),
            Distance::Loss(plies) => format!("White wins in {}", plies.0),
            Distance::Draw => "draw".into(),
        };
        assert_eq!((result.as_str(), found.nodes), (row[1], number(row[2])), "{}", row[0]);
        boards += 1;
    }
    assert_eq!(boards, 6);
}

#[test]
fn move_sequences_are_counted() {
    let game = game("con7x6");
    let counts = rows().filter(|row| row.len() == 3).filter_map(|row| Some((row[0].parse().ok()?, number(row[1]))));
    let counts: Vec<(u32, u64)> = counts.collect();
    assert_eq!(counts.len(), 8);
    for (depth, count) in counts {
        assert_eq!(perft(&game, &game.start(), depth), count, "depth {depth}");
    }
}
