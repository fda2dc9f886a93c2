//! Checks docs/reversi.md against the program: pictures, positions, messages, counts and scores.

use crate::support::games::reversi;
use crate::support::repository::{self, inline_codes, number, record, rows};
use serde_json::Value as Json;
use yomikiri_rules::{CodedValue, Game, Notation, Presentation, Score, Side};
use yomikiri_search::Searchable;
use yomikiri_solve::levels;
use yomikiri_solve::perft::perft;
use yomikiri_table::Silent;

const PAGE: &str = include_str!("../../docs/reversi.md");

/// Returns the lines of each fenced block of the page that is marked with `language`.
fn blocks(language: &str) -> Vec<Vec<&'static str>> {
    repository::blocks(PAGE, language).into_iter().map(|block| block.lines).collect()
}

#[test]
fn pictures_are_those_of_the_program() {
    let mut count = 0;
    for block in blocks("text").iter().filter(|block| block.len() > 1 && block[0].starts_with("rev")) {
        let (code, text) = block[0].split_once(' ').unwrap();
        let position = reversi(code).parse_position(text).unwrap();
        assert_eq!(reversi(code).board_text(&position).lines().collect::<Vec<_>>(), block[1..], "{code} {text}");
        count += 1;
    }
    assert_eq!(count, 9);
}

#[test]
fn finished_games_have_the_scores_of_the_page() {
    let score = |code: &str, text: &str| {
        reversi(code).terminal_value(&reversi(code).parse_position(text).unwrap()).map(Score::points)
    };
    let mut ends = Vec::new();
    for block in blocks("text").iter().filter(|block| block.last().unwrap().ends_with("the game is over")) {
        let (code, text) = block[0].split_once(' ').unwrap();
        ends.push([score(code, text), score(&format!("{code}-w"), text)]);
    }
    // Black is to move in the first position, White in the second.
    assert_eq!(ends, [[Some(-8), Some(-10)], [Some(-13), Some(-64)]]);
}

#[test]
fn codes_are_codes() {
    for code in ["rev8x8", "rev6x4", "rev4x4-p", "rev4x4-w", "rev5x5-p-w"] {
        assert!(rows(PAGE).iter().any(|row| row[0] == code), "{code}");
        assert_eq!(reversi(code).code(), code);
    }
}

#[test]
fn every_position_text_is_one() {
    let (mut boards, mut others) = (0, 0);
    for text in inline_codes(PAGE) {
        if text.starts_with("-----") {
            reversi("rev8x8").parse_position(text).unwrap();
            boards += 1;
        } else if text.starts_with("startpos") || text == "f5d6c3" {
            let position = reversi("rev8x8").parse_position(text).unwrap();
            assert!(text == "startpos" || position == reversi("rev8x8").parse_position("f5d6c3").unwrap(), "{text}");
            others += 1;
        }
    }
    assert!(boards >= 4 && others >= 5, "{boards} and {others}");
}

#[test]
fn messages_are_those_of_the_program() {
    let mut count = 0;
    for row in rows(PAGE).into_iter().filter(|row| row.len() == 2 && row[1].starts_with("move \"")) {
        assert_eq!(reversi("rev8x8").parse_position(row[0]).unwrap_err().to_string(), row[1]);
        count += 1;
    }
    assert_eq!(count, 4);
}

#[test]
fn move_sequences_are_counted() {
    let counts: Vec<(u32, u64)> = rows(PAGE)
        .into_iter()
        .skip_while(|row| row[0] != "plies")
        .filter_map(|row| Some((row[0].parse().ok()?, number(row.get(1).filter(|cell| !cell.contains('-'))?))))
        .take(11)
        .collect();
    assert_eq!(counts.iter().map(|&(depth, _)| depth).collect::<Vec<_>>(), (1..=11).collect::<Vec<_>>());
    let game = reversi("rev8x8");
    for (depth, count) in counts {
        assert_eq!(perft(&game, &game.start(), depth), count, "depth {depth}");
    }
}

/// Solves a whole board. Returns its number of positions and the score of its start.
fn solved(code: &str) -> (u64, i8) {
    let game = reversi(code);
    let found = levels::enumerate(&game, &game.start(), 1 << 30, &Silent).unwrap();
    let values = levels::solve(&game, &found, &Silent);
    (found.positions(), Score::from_byte(values[0][0]).unwrap().points())
}

#[test]
fn scores_and_sizes_of_small_boards() {
    let mut boards = Vec::new();
    for row in rows(PAGE).into_iter().filter(|row| row.len() == 5 && row[0].as_bytes().get(1) == Some(&b'x')) {
        for (option, cells) in ["", "-p"].iter().zip(row[1..].chunks(2)) {
            let code = format!("rev{}{option}", row[0]);
            assert_eq!(solved(&code), (number(cells[1]), cells[0].parse().unwrap()), "{code}");
        }
        boards.push(row[0]);
    }
    assert_eq!(boards, ["3x3", "3x4", "3x5", "3x6", "3x7", "3x8", "4x4", "4x5"]);
    assert_eq!(solved("rev5x4"), solved("rev4x5"));
}

#[test]
fn large_tables_are_as_recorded() {
    let rows: Vec<_> = rows(PAGE).into_iter().filter(|row| row.len() == 6 && row[0].starts_with("rev6x4")).collect();
    for row in &rows {
        let stats = &record(&format!("expected/{}.json", row[0]))["stats"];
        let score: i64 = row[1].parse().unwrap();
        assert_eq!(stats["start"]["score"], score);
        let counts = ["positions", "wins", "losses", "draws"].map(|name| stats[name].as_u64().unwrap());
        assert_eq!(row[2..].iter().map(|cell| number(cell)).collect::<Vec<_>>(), counts, "{}", row[0]);
    }
    assert_eq!(rows.len(), 2);
}

#[test]
fn searches_are_as_recorded() {
    let rows: Vec<_> = rows(PAGE).into_iter().filter(|row| row.len() == 6 && row[0].starts_with("rev6x6")).collect();
    for row in &rows {
        let solution = &record(&format!("solved/{}.json", row[0]))["solution"];
        let (score, seconds): (i64, u64) = (row[1].parse().unwrap(), row[3].parse().unwrap());
        assert_eq!([&solution["score"], &solution["line"]], [&Json::from(score), &Json::from(row[5])]);
        assert_eq!(
            (solution["seconds"].as_f64().unwrap().round() as u64, solution["nodes"].as_u64()),
            (seconds, Some(number(row[4])))
        );
        let discs: Vec<i64> = row[2].split('-').map(|discs| discs.parse().unwrap()).collect();
        assert_eq!((discs[0] - discs[1], discs[0] + discs[1]), (score, 36));
    }
    assert_eq!(rows.len(), 2);
}

#[test]
fn the_query_of_the_page_is_right() {
    let blocks = blocks("text");
    let block = blocks.iter().find(|block| block[0] == "White wins by 8.").unwrap();
    let game = reversi("rev4x4");
    let moves = game.legal_moves(&game.start());
    let line = |(at, mv): (usize, _)| {
        let (name, child) = (game.move_text(mv), game.position_text(&game.play(&game.start(), mv)));
        format!("{:>4}. {name:4} loss  -8   {child}", at + 1)
    };
    let lines: Vec<String> = moves.into_iter().enumerate().map(line).collect();
    assert_eq!(block[1..], lines);
}

/// Returns the output that the page shows for the command that contains `words`.
fn session(words: &str) -> Vec<&'static str> {
    let block = blocks("text").into_iter().find(|block| block[0].starts_with("$ yomikiri") && block[0].contains(words));
    block.unwrap_or_else(|| panic!("no session with {words}"))[1..].to_vec()
}

/// Returns the score of the side to move, by search.
fn searched(code: &str, text: &str) -> i8 {
    let game = reversi(code);
    let position = game.parse_position(text).unwrap();
    game.searcher(1 << 20).unwrap().solve(&position, &Silent).value.points()
}

/// Returns White's score at the end of a game.
fn score_of_white(code: &str, text: &str) -> i8 {
    let game = reversi(code);
    let end = game.parse_position(text).unwrap();
    let score = game.terminal_value(&end).unwrap_or_else(|| panic!("{text} does not end")).points();
    if game.side(&end) == Side::White { score } else { -score }
}

#[test]
fn the_solved_position_of_the_page_is_right() {
    let session = session("--line");
    let (game, position) = (reversi("rev8x8"), session[11]);
    let picture = game.board_text(&game.parse_position(position).unwrap());
    assert_eq!(picture.lines().collect::<Vec<_>>(), session[..11]);
    assert_eq!((session[12], searched("rev8x8", position)), ("White wins by 50.", 50));
    let [best, line] = [13, 14].map(|at: usize| session[at].split_whitespace().last().unwrap());
    assert!(line.starts_with(best), "{best} and {line}");
    assert_eq!(score_of_white("rev8x8", &format!("{position} moves {line}")), 50);
    let json = blocks("json").into_iter().find(|block| block[0].contains("nodes")).unwrap();
    let json: serde_json::Value = serde_json::from_str(json[0]).unwrap();
    let expected = [("position", position), ("to_move", "white"), ("outcome", "win"), ("best", best)];
    assert!(expected.iter().all(|&(field, text)| json[field] == text) && json["score"] == 50, "{json}");
}

#[test]
fn the_searched_moves_of_the_page_are_right() {
    let mut moves = 0;
    for line in session("yomikiri query rev8x8").iter().filter(|line| line.contains(" win ")) {
        let words: Vec<&str> = line.split_whitespace().collect();
        let child = words[4..].join(" ");
        assert_eq!(words[3].parse(), Ok(-searched("rev8x8", &child)), "{line}");
        moves += 1;
    }
    assert_eq!(moves, 3);
}

#[test]
fn the_test_suite_of_the_page_is_right() {
    let suite = blocks("text").into_iter().find(|block| block[0].starts_with('%')).unwrap();
    let (game, rows) = (reversi("rev4x4"), session("--file"));
    for (line, row) in suite[1..].iter().zip(&rows) {
        let (position, expected) = game.parse_suite_line(line).unwrap();
        let score = searched("rev4x4", line);
        assert!(row.starts_with(&format!("{}  {score:>+3}  ", game.position_text(&position))), "{row}");
        let differs = expected.is_some_and(|expected| expected.points() != score);
        assert_eq!(row.contains("differs: "), differs, "{row}");
    }
    assert_eq!((suite.len(), rows[3..].len()), (4, 3));
}

#[test]
fn the_score_of_the_larger_board_is_right() {
    assert!(PAGE.contains("Black's win by 13 on `rev5x5` agrees with the published 19-6"));
    assert_eq!(searched("rev5x5", "startpos"), 19 - 6);
}
