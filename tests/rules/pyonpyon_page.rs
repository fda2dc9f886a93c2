//! Checks docs/pyonpyon.md against the program. The naive rules replay its pictures, moves and games, small boards are
//! solved again, and the counts of the author's board are compared with the recorded runs.

use std::path::Path;

use crate::support::command::good;
use crate::support::games::{any, pyonpyon, pyonpyon_shogi};
use crate::support::repository::{self, blocks, blocks_from, inline_codes, number, record, result, side_by_side};
use crate::support::solving::analyzed;
use yomikiri_answer::Stats;
use yomikiri_naive::pyonpyon::Naive;
use yomikiri_rules::games::pyonpyon::{Position, Pyonpyon};
use yomikiri_rules::{Distance, Game, Notation, Outcome, Plies, Presentation, Side, Value};
use yomikiri_solve::Solvable;
use yomikiri_solve::perft::perft;
use yomikiri_solve::retrograde::{Complete, Cyclic};
use yomikiri_table::Table;

const PAGE: &str = include_str!("../../docs/pyonpyon.md");

/// Boards of at least this number of positions are not solved again here.
const SOLVED_HERE: u64 = 100_000;

/// Parses a position of the author's board.
fn position(text: &str) -> Position {
    pyonpyon("pyon").parse_position(text).unwrap()
}

fn text_of(position: &Position) -> String {
    pyonpyon("pyon").position_text(position)
}

/// Returns the text of the position after a legal move.
fn after(code: &str, text: &str, mv: &str) -> String {
    Naive::from_code(code).play(text, mv)
}

/// Returns true if the page contains these words. Line breaks count as blanks.
fn says(words: &str) -> bool {
    PAGE.replace('\n', " ").contains(words)
}

/// Returns the cells of the page's table rows whose first cell begins with `start`.
fn rows(start: &str) -> Vec<Vec<&'static str>> {
    repository::rows(PAGE).into_iter().filter(|cells| cells[0].starts_with(start)).collect()
}

/// Checks a picture against the position text below it. Returns that text and the rule code of the board.
fn check_picture(lines: &[&str]) -> (String, String) {
    let (text, board) = lines.split_last().unwrap();
    let code = format!("pyon{}x{}", board[0].matches("---").count(), board.len() / 2 - 1);
    let game = pyonpyon(&code);
    let position = game.parse_position(text).unwrap();
    assert_eq!(game.board_text(&position).lines().collect::<Vec<_>>(), board, "{text}");
    (text.to_string(), code)
}

#[test]
fn pictures_are_those_of_the_program() {
    let (mut single, mut pairs, mut named) = (0, 0, 0);
    for block in blocks_from(PAGE, "  +---") {
        // The move between two pictures side by side leads from the left one to the right one.
        if let Some((before, mv, behind)) = side_by_side(&block.lines) {
            let ((before, code), (behind, _)) = (check_picture(&before), check_picture(&behind));
            assert_eq!(after(&code, &before, mv), behind);
            pairs += 1;
            continue;
        }
        let (shown, _) = check_picture(&block.lines);
        single += 1;
        // The text above names the position of some pictures.
        if let Some(text) = inline_codes(block.before).into_iter().find(|code| code.contains(" moves ")) {
            assert_eq!(text_of(&position(text)), shown, "{text}");
            named += 1;
        }
    }
    assert_eq!((single, pairs, named), (17, 4, 2));
}

#[test]
fn every_position_text_is_one() {
    let mut count = 0;
    for code in inline_codes(PAGE) {
        let quoted = code.split_once("query pyon \"").map(|(_, rest)| rest.trim_end_matches('"'));
        let board = code.matches('/').count() == 4;
        if let Some(text) = quoted.or((board || code.starts_with("startpos")).then_some(code)) {
            position(text);
            count += 1;
        }
    }
    assert!(count >= 8, "{count}");
}

/// A game on the page.
struct Line {
    code: &'static str,
    start: String,
    moves: Vec<&'static str>,
}

fn lines() -> Vec<Line> {
    let mut found = Vec::new();
    for block in blocks(PAGE, "text") {
        let Some((code, rest)) = block.lines[0].split_once(", ") else { continue };
        let (plies, start) = rest.split_once(" plies: ").unwrap();
        let words = block.lines[1..].iter().flat_map(|line| line.split_whitespace());
        let (numbers, moves): (Vec<_>, Vec<_>) = words.partition(|word| word.ends_with('.'));
        let counted: Vec<_> = (1..=moves.len().div_ceil(2)).map(|number| format!("{number}.")).collect();
        assert_eq!(numbers, counted, "{}", block.lines[0]);
        assert_eq!(moves.len() as u64, number(plies), "{}", block.lines[0]);
        let game = pyonpyon(code);
        let start = game.position_text(&game.parse_position(start).unwrap());
        found.push(Line { code, start, moves });
    }
    found
}

#[test]
fn games_are_legal_and_the_last_move_wins() {
    let mut seen = Vec::new();
    for line in lines() {
        let naive = Naive::from_code(line.code);
        let mut text = line.start.clone();
        for mv in &line.moves {
            assert_eq!(naive.winner(&text), None, "{text}");
            text = naive.play(&text, mv);
        }
        let mover = if text.ends_with('x') { 'o' } else { 'x' };
        assert_eq!(naive.winner(&text), Some(mover), "{text} ends a game of {}", line.code);
        seen.push((line.code, line.moves.len()));
    }
    let english = [("pyon", 14), ("pyonB", 13), ("pyon", 10), ("pyon", 38), ("pyonB", 37), ("pyon2x3", 7)];
    let japanese = [("pyon", 14)];
    assert_eq!(seen, [&english[..], &japanese].concat());
}

/// Checks the last pictures of two games, and which pieces move first in the longest game.
#[test]
fn games_go_as_the_page_says() {
    let lines = lines();
    for (at, last) in [(2, "5/1x3/3x1/x1x1o/oooox x"), (4, "oxxxx/x1o2/1o1o1/3o1/5 o")] {
        let line = &lines[at];
        let end = line.moves.iter().fold(line.start.clone(), |text, mv| after(line.code, &text, mv));
        assert_eq!(end, last);
        assert!(PAGE.contains(&format!("\n{last}\n```")));
    }
    let longest = &lines[3];
    let from = |side: usize| longest.moves.iter().skip(side).step_by(2);
    let guards = from(0).scan(["b3", "e2"], |guards, mv| {
        let at = guards.iter().position(|guard| *guard == &mv[..2])?;
        guards[at] = &mv[2..];
        Some(())
    });
    assert_eq!(guards.count(), 13, "Black moves only two pieces so long");
    assert_eq!(longest.moves.iter().position(|mv| mv.starts_with("c2")), Some(25));
    // The page names the mistakes of the first two games in its text or in a list of moves.
    assert_eq!((lines[0].moves[6], lines[1].moves[7]), ("e4d3", "c3c4"));
}

#[test]
fn lists_of_moves_are_in_order_and_lead_where_they_say() {
    let positions = ["5/o3o/x1x2/x1x1x/1ooo1 x", "2xx1/xo1x1/5/ox1o1/o3o x", "oo/2/xx x"];
    let codes = ["pyon", "pyonB", "pyon2x3"];
    let mut lists = Vec::new();
    for block in blocks(PAGE, "text") {
        if block.lines[0].trim_start().split('.').next().unwrap().parse::<u32>().is_ok() {
            lists.push(block);
        }
    }
    assert_eq!(lists.len(), 3);
    for ((block, text), code) in lists.iter().zip(positions).zip(codes) {
        let mut values = Vec::new();
        for line in &block.lines {
            let (move_and_value, behind) = line.split_at(line.rfind("   ").unwrap());
            let words: Vec<_> = move_and_value.split_whitespace().filter(|&word| word != "in").collect();
            assert_eq!(after(code, text, words[1]), behind.trim(), "{text}");
            values.push(match words[2] {
                "win" => Distance::Win(Plies(words[3].parse().unwrap())),
                "loss" => Distance::Loss(Plies(words[3].parse().unwrap())),
                other => {
                    assert_eq!(other, "draw");
                    Distance::Draw
                }
            });
        }
        assert!(values.is_sorted_by(|a, b| a >= b), "{text}");
    }
}

/// Checks the counts of moves that the page gives.
#[test]
fn numbers_of_moves_are_right() {
    let count = |text: &str| Naive::from_code("pyon").legal_moves(text).len();
    for (text, moves, said) in [
        ("1o1o1/o1o1o/5/x1x1x/1x1x1 x", 22, "All 22 first moves"),
        ("5/o3o/x1x2/x1x1x/1ooo1 x", 28, "Of its 28 moves 26 hold the draw"),
        ("1xx1x/o3o/o1oxo/x4/5 o", 26, "Nine of White's 26 moves lose"),
        ("5/xxoxx/1x2o/5/oo2o x", 27, "with 26 of its 27 moves"),
        ("2xx1/xo1x1/5/ox1o1/o3o x", 34, "all 33 other moves draw"),
    ] {
        assert_eq!(count(text), moves, "{text}");
        assert!(says(said), "{said}");
    }
    let counts = (1..=4).map(|depth| perft(&pyonpyon("pyon"), &pyonpyon("pyon").start(), depth)).collect::<Vec<_>>();
    assert_eq!(counts, [22, 496, 13396, 365900]);
    assert!(says("there are 22, 496, 13396 and 365900 different sequences"));
}

#[test]
fn a_chain_may_stop_after_each_jump() {
    let moves = Naive::from_code("pyon").legal_moves("o2oo/1o3/1xo2/2x1x/1x2x x");
    for stop in ["b5d3", "b5a3", "b5c1"] {
        assert!(moves.iter().any(|mv| mv == stop), "{stop}");
    }
}

#[test]
fn patterns_and_readings_end_games_as_the_page_says() {
    let end = |code: &str, text: &str| pyonpyon(code).terminal_value(&pyonpyon(code).parse_position(text).unwrap());
    let lost = Some(Distance::Loss(Plies(0)));
    for text in ["xxxxx/5/2o2/o1o2/1o1o1 o", "xxxxo/4x/oooo1/5/5 o", "5/1x3/3x1/x1x1o/oooox x"] {
        assert_eq!((end("pyon", text), end("pyonB", text)), (lost, lost), "{text}");
    }
    // Black has completed White's pattern, and White is to move.
    let entered = "x2/xo1/oxo o";
    assert_eq!(end("pyon3x3", entered), Some(Distance::Win(Plies(0))));
    assert_eq!(end("pyon3x3B", entered), None);
    let naive = Naive::from_code("pyon3x3");
    let broken = |mv: &String| naive.winner(&Naive::from_code("pyon3x3B").play(entered, mv)).is_none();
    assert!(Naive::from_code("pyon3x3B").legal_moves(entered).iter().all(broken));
    // White would have won by b2b3.
    assert_eq!(naive.winner(&naive.play("xx1/xo1/o1o o", "b2b3")), Some('o'));
}

/// Returns true if `side` has two pieces in one file on its two home ranks.
fn has_pair(game: &Pyonpyon, position: &Position, side: Side) -> bool {
    let board = game.rules.board;
    let (first, second) = if side == Side::Black { (board.ranks - 1, board.ranks - 2) } else { (0, 1) };
    (0..board.files).any(|file| {
        let pair = 1 << board.bit(file, first) | 1 << board.bit(file, second);
        position.pieces(side) & pair == pair
    })
}

/// Checks the page's row for a board against its table. On boards of three files or more it also checks the page's
/// claim about pairs in every position.
fn check_small_board(code: &str, cells: &[&str], folder: &Path) {
    let game = pyonpyon(code);
    let table = analyzed(&game, folder);
    let start = game.probe(&table, &game.start()).unwrap().unwrap();
    let stats = Stats::new(&any(code), &table.meta().unwrap(), start.into(), Side::Black).unwrap();
    let counts = [stats.positions, stats.wins, stats.losses, stats.draws, stats.spread.max_plies().unwrap().into()];
    assert_eq!(cells[1..6].iter().map(|cell| number(cell)).collect::<Vec<_>>(), counts, "{code}");
    assert_eq!(cells[6], result(start), "{code}");
    if game.rules.board.files > 2 {
        check_pairs(&game, &table);
    }
}

/// Checks that no side has lost while it has a pair on its two home ranks.
fn check_pairs(game: &Pyonpyon, table: &Table) {
    let mut pairs = 0;
    for key in 0..game.keys() {
        let position = Cyclic::position(game, key);
        let held = [Side::Black, Side::White].map(|side| has_pair(game, &position, side));
        if held == [false, false] {
            continue;
        }
        let over = game.terminal_value(&position);
        let value = over.unwrap_or_else(|| game.probe(table, &position).unwrap().unwrap());
        let loser = value.outcome().winner(position.side).map(Side::other);
        let lost = loser.is_some_and(|loser| held[usize::from(loser == Side::White)]);
        assert!(!lost, "{} in {}", game.position_text(&position), game.code());
        pairs += 1;
    }
    assert!(pairs > 100, "{}", game.code());
}

#[test]
fn small_boards_are_solved_as_the_page_says() {
    let folder = tempfile::tempdir().unwrap();
    let rows: Vec<_> = rows("pyon").into_iter().filter(|cells| cells.len() == 7).collect();
    assert_eq!(rows.len(), 22);
    let mut solved = 0;
    for cells in rows {
        let code = cells[0];
        assert_eq!(number(cells[1]), u64::from(pyonpyon(code).index.count()), "{code}");
        assert_eq!(number(cells[2]) + number(cells[3]) + number(cells[4]), number(cells[1]), "{code}");
        if number(cells[1]) < SOLVED_HERE {
            check_small_board(code, &cells, folder.path());
            solved += 1;
        }
    }
    assert_eq!(solved, 14);
    let list = blocks_from(PAGE, "   1. a3b2")[0].lines.join("\n");
    let answer = good(folder.path(), &["query", "pyon2x3", "startpos"]);
    assert!(answer.contains(&list), "{answer}");
    let best = blocks_from(PAGE, "pyon2x3, ")[0].lines[1..].join(" ");
    let best: Vec<_> = best.split_whitespace().filter(|word| !word.ends_with('.')).collect();
    let played = good(folder.path(), &["line", "pyon2x3"]);
    assert!(played.trim_end().ends_with(&format!("moves {}", best.join(" "))), "{played}");
    for (code, value) in [("pyon3x3", Distance::Loss(Plies(2))), ("pyon3x3B", Distance::Draw)] {
        let game = pyonpyon(code);
        let position = game.parse_position("xx1/xo1/o1o x").unwrap();
        assert_eq!(game.probe(&analyzed(&game, folder.path()), &position).unwrap(), Some(value), "{code}");
    }
}

/// Checks the page's outcomes of variants with shogi pieces against the records, and its perft numbers.
#[test]
fn rows_of_shogi_pieces_are_counted_as_recorded() {
    let lines = repository::json_lines(&repository::page("precomp/surveys/pyonpyon-shogi.jsonl"));
    let heads = repository::rows(PAGE).into_iter().filter(|cells| cells.len() == 8 && cells[0].len() == 3);
    let (mut rows, mut found) = (0, 0);
    for cells in heads {
        for (reading, said) in ["-", "B-"].iter().zip([2..5, 5..8]) {
            let start = format!("pyon{}{reading}", cells[0]);
            let own: Vec<_> = lines.iter().filter(|line| line["code"].as_str().unwrap().starts_with(&start)).collect();
            let won =
                ["black", "white", "draw"].map(|winner| own.iter().filter(|line| line["winner"] == winner).count());
            assert_eq!(said.map(|at| number(cells[at]) as usize).collect::<Vec<_>>(), won, "{start}");
            assert_eq!(number(cells[1]) as usize, own.len(), "{start}");
            found += own.len();
        }
        rows += number(cells[1]) as usize;
    }
    assert_eq!((found, lines.len()), (2 * rows, 2 * rows));
    assert!(says(&format!("All {rows} rows")) && PAGE.contains(&format!("{rows} 通り")));
    let line = |code: &str| lines.iter().find(|line| line["code"] == code).unwrap();
    for (code, plies) in [("pyon2x3-PP", 4), ("pyon2x3B-SS", 6), ("pyon3x3-PPP", 9), ("pyon3x4-GPN", 23)] {
        assert_eq!(line(code)["plies"], plies, "{code}");
    }
    let is_no_game = |line: &&serde_json::Value| line["draws"] == line["positions"];
    let no_games: Vec<_> = lines.iter().filter(is_no_game).map(|line| line["code"].as_str().unwrap()).collect();
    let told = ["pyon2x3-NN", "pyon3x3-PNP", "pyon3x3-NPN", "pyon3x3-NNN"];
    assert_eq!(no_games.len(), 2 * told.len());
    assert!(told.iter().all(|code| no_games.contains(code) && no_games.contains(&&*code.replace('-', "B-"))));
    for cells in rows_of_moves() {
        let game = pyonpyon_shogi(cells[0]);
        let counts = (1..=5).map(|depth| perft(&game, &game.start(), depth));
        assert_eq!(counts.collect::<Vec<_>>(), cells[1..].iter().map(|cell| number(cell)).collect::<Vec<_>>());
    }
    let game = pyonpyon_shogi("pyon3x4-PNS");
    assert!(says(&format!("`{}`", game.position_text(&game.start()))));
}

/// Returns the page's table rows with perft numbers of variants with shogi pieces.
fn rows_of_moves() -> Vec<Vec<&'static str>> {
    let rows: Vec<_> = rows("pyon").into_iter().filter(|cells| cells.len() == 6).collect();
    assert_eq!(rows.len(), 3);
    rows
}

/// Returns the recorded count with a name, in both readings of the rules.
fn counts(name: &str) -> [u64; 2] {
    ["pyon", "pyonB"].map(|code| record(&format!("expected/{code}.json"))["stats"][name].as_u64().unwrap())
}

#[test]
fn counts_are_those_of_the_recorded_runs_in_both_languages() {
    let names = ["wins", "losses", "draws", "positions", "ended", "max_plies"];
    for starts in [
        ["the side to move wins", "the side to move loses", "draws", "**positions", "of these, over", "longest"],
        ["手番側の勝ち", "手番側の負け", "引き分け", "**局面", "うち終局", "最長の手数"],
    ] {
        for (name, start) in names.into_iter().zip(starts) {
            let cells = &rows(start)[0];
            let said = [1, 2].map(|at| number(cells[at].trim_matches('*')));
            assert_eq!(said, counts(name), "{start}");
        }
    }
    for code in ["pyon", "pyonB"] {
        assert_eq!(record(&format!("expected/{code}.json"))["stats"]["start"]["outcome"].as_str(), Some("draw"));
    }
    let report = &blocks_from(PAGE, "Step 2: result")[0].lines;
    let value = |at: usize| report[at].rsplit(' ').next().map(number).unwrap();
    let first = |name: &str| counts(name)[0];
    assert_eq!([1, 2, 3, 4].map(value), ["losses", "wins", "draws", "max_plies"].map(first));
    let megabytes = ["pyon", "pyonB"]
        .map(|code| record(&format!("expected/{code}.json"))["table"]["bytes"].as_u64().unwrap().div_ceil(1_000_000));
    assert!(PAGE.contains(&format!("a table of {} MB", megabytes[0])));
    assert!(PAGE.contains(&format!("a table of {} MB", megabytes[1])));
}

#[test]
fn the_table_of_distances_is_that_of_the_recorded_runs() {
    let block = &blocks_from(PAGE, "plies            A            B")[0];
    let columns = ["pyon", "pyonB"]
        .map(|code| record(&format!("expected/{code}.json"))["stats"]["by_plies"].as_object().unwrap().clone());
    assert_eq!(block.lines.len(), 1 + columns.iter().map(serde_json::Map::len).max().unwrap());
    for (plies, line) in block.lines[1..].iter().enumerate() {
        let words: Vec<_> = line.split_whitespace().collect();
        assert_eq!(words[0], plies.to_string());
        for (word, column) in words[1..].iter().zip(&columns) {
            let said = (*word != "-").then(|| number(word));
            assert_eq!(said, column.get(&plies.to_string()).map(|count| count.as_u64().unwrap()), "{line}");
        }
    }
    let longest = columns.each_ref().map(|column| column[&(column.len() - 1).to_string()].as_u64().unwrap());
    assert_eq!(longest, [1, 19], "the page says how many positions are the longest");
    let ends = pyonpyon("pyon").ends();
    let own = ends.iter().filter(|(_, outcome)| *outcome == Outcome::Win).count();
    assert_eq!((own, ends.len()), (22_384, 44_769));
    assert!(says("22,384 of the 44,769"));
}

#[test]
fn both_languages_give_the_same_numbers() {
    let (english, japanese) = PAGE.split_once("\n## 日本語の説明\n").unwrap();
    let shared = |text: &str| japanese.contains(text) && english.replace('\n', " ").contains(text);
    for text in ["411,883,560", "2,738,178", "13,030,746", "`c4b4`", "`c2b2`", "e4d3", "e4e3", "b1b3"] {
        assert!(shared(text), "{text}");
    }
}

/// Checks that the page's table of outcomes in both readings adds up to the recorded counts.
#[test]
fn the_readings_are_compared_to_the_last_position() {
    let mut sums = [[0; 3]; 2];
    let outcomes = ["win", "loss", "draw"];
    let place = |word: &str| outcomes.iter().position(|outcome| *outcome == word);
    for cells in outcomes.iter().flat_map(|outcome| rows(outcome)).filter(|cells| outcomes.contains(&cells[0])) {
        let count = number(cells[2]);
        sums[0][place(cells[0]).unwrap()] += count;
        sums[1][place(cells[1]).unwrap()] += count;
    }
    for (at, name) in ["wins", "losses", "draws"].into_iter().enumerate() {
        assert_eq!([sums[0][at], sums[1][at]], counts(name), "{name}");
    }
}
