//! Checks docs/connect-four.md against the program: pictures, positions, messages, keys, counts and values.

use crate::connect_four_rules::positions_by_ply;
use crate::support::games::connect_four as game;
use crate::support::repository::{blocks, number, record, result, rows};
use yomikiri_rules::games::connect_four::ConnectFour;
use yomikiri_rules::{CodedValue, Distance, Game, Notation, Outcome, Presentation};
use yomikiri_search::Searchable;
use yomikiri_solve::levels;
use yomikiri_solve::perft::perft;
use yomikiri_table::Silent;

const PAGE: &str = include_str!("../../docs/connect-four.md");

/// Tables of at least this number of positions are not made again here.
const REPEATED: u64 = 2_000_000;

#[test]
fn pictures_are_those_of_the_program() {
    let mut count = 0;
    for block in blocks(PAGE, "text").iter().filter(|block| block.lines.len() > 1) {
        let (code, text) = block.lines[0].split_once(' ').unwrap();
        let position = game(code).parse_position(text).unwrap();
        assert_eq!(game(code).board_text(&position).lines().collect::<Vec<_>>(), block.lines[1..], "{code} {text}");
        count += 1;
    }
    assert_eq!(count, 2);
}

#[test]
fn codes_are_codes() {
    for code in ["con7x6", "con5x4", "con3x3-k3", "con8x8-k5"] {
        assert!(rows(PAGE).iter().any(|row| row[0] == code), "{code}");
        assert_eq!(game(code).code(), code);
    }
    assert!(ConnectFour::parse("con4x3").is_ok() && ConnectFour::parse("con3x3").is_err());
}

#[test]
fn texts_of_a_position_are_those_of_the_page() {
    let texts: Vec<&str> =
        rows(PAGE).into_iter().skip_while(|row| row[0] != "startpos").take(5).map(|row| row[0]).collect();
    let game = game("con7x6");
    assert_eq!(game.parse_position(texts[0]), Ok(game.start()));
    let position = game.parse_position("44435").unwrap();
    assert!(texts[1..].iter().all(|text| game.parse_position(text) == Ok(position)), "{texts:?}");
    assert_eq!(texts[3], game.position_text(&position));
}

#[test]
fn messages_are_those_of_the_program() {
    let mut count = 0;
    for row in
        rows(PAGE).into_iter().filter(|row| row.len() == 2).skip_while(|row| row[1] != "what the program says").skip(1)
    {
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

#[test]
fn all_positions_are_counted() {
    let of_boards = rows(PAGE).into_iter().filter(|row| row.len() == 5 && row[0].starts_with("con") && row[4] != "-");
    let mut boards = 0;
    for row in of_boards.filter(|row| number(row[4]) < REPEATED) {
        let game = game(row[0]);
        assert_eq!(positions_by_ply(&game, game.rules.board.area()).iter().sum::<u64>(), number(row[4]), "{}", row[0]);
        boards += 1;
    }
    assert_eq!(boards, 2);
    let by_ply =
        rows(PAGE).into_iter().filter(|row| row.len() == 3 && row[0].parse::<u32>().is_ok()).map(|row| number(row[2]));
    assert_eq!(positions_by_ply(&game("con7x6"), 8)[1..], by_ply.collect::<Vec<_>>());
}

#[test]
fn values_and_sizes_of_small_boards() {
    let mut boards = 0;
    for row in
        rows(PAGE).into_iter().filter(|row| row.len() == 5 && row[0].starts_with("con") && number(row[3]) < REPEATED)
    {
        let game = game(row[0]);
        let found = levels::enumerate(&game, &game.start(), 1 << 30, &Silent).unwrap();
        assert_eq!(found.positions(), number(row[3]), "{}", row[0]);
        let value = Distance::from_byte(levels::solve(&game, &found, &Silent)[0][0]).unwrap();
        let expected = if row[2] == "-" { row[1].to_string() } else { format!("{} in {}", row[1], row[2]) };
        assert_eq!(result(value), expected, "{}", row[0]);
        boards += 1;
    }
    assert_eq!(boards, 8);
}

/// Searches of at least this number of positions are not repeated here.
const SEARCHED: u64 = 600_000;

#[test]
fn searches_come_out_as_told() {
    let one_thread = yomikiri_table::threads::pool(1).unwrap();
    let mut boards = 0;
    for row in
        rows(PAGE).into_iter().filter(|row| row.len() == 4 && row[0].starts_with("con") && number(row[2]) < SEARCHED)
    {
        let game = game(row[0]);
        let search = game.searcher(64 << 20).unwrap();
        let found = one_thread.install(|| search.solve(&game.start(), &Silent));
        assert_eq!((result(found.value).as_str(), found.nodes), (row[1], number(row[2])), "{}", row[0]);
        boards += 1;
    }
    assert_eq!(boards, 6);
}

#[test]
fn recorded_searches_are_as_told() {
    for code in ["con6x6", "con7x6"] {
        let solution = &record(&format!("solved/{code}.json"))["solution"];
        let winner = if solution["winner"] == "black" { "Black" } else { "White" };
        let told = rows(PAGE).into_iter().find(|row| row.len() == 4 && row[0] == code).unwrap()[1];
        assert_eq!(told, format!("{winner} wins in {}", solution["plies"]), "{code}");
        let (game, line) = (game(code), solution["line"].as_str().unwrap());
        let end = game.parse_position(line).unwrap();
        let plies = u64::from(game.ply(&end));
        assert_eq!((game.is_terminal(&end), Some(plies)), (true, solution["plies"].as_u64()), "{code}");
        // In late positions of the line, the same side wins in exactly the number of plies that the line has left.
        let search = game.searcher(64 << 20).unwrap();
        for made in plies - 14..plies {
            let position = game.parse_position(&line[..made as usize]).unwrap();
            let value = search.solve(&position, &Silent).value;
            let wins = (made % 2 == 0) == (winner == "Black");
            let outcome = if wins { Outcome::Win } else { Outcome::Loss };
            assert_eq!(value, Distance::new(outcome, (plies - made) as u16), "{code}: after {made} moves");
        }
    }
}

#[test]
fn move_sequences_are_counted() {
    let game = game("con7x6");
    let counts = rows(PAGE)
        .into_iter()
        .filter(|row| row.len() == 3)
        .filter_map(|row| Some((row[0].parse().ok()?, number(row[1]))));
    let counts: Vec<(u32, u64)> = counts.collect();
    assert_eq!(counts.len(), 8);
    for (depth, count) in counts {
        assert_eq!(perft(&game, &game.start(), depth), count, "depth {depth}");
    }
}
