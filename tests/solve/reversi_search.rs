//! Exact scores by search, without a table: held against whole tables, against plain recursion over the naive rules and
//! against published scores, through the library and through the command.

use std::collections::{HashMap, HashSet};
use std::io::Write;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use crate::naive::reversi::Naive;
use crate::support::games::{legal_moves, random_game, reversi};
use crate::support::random::Random;
use crate::support::solving::analyzed;
use serde_json::{Value as Json, json};
use yomikiri_rules::game::Game;
use yomikiri_rules::games::reversi::{Position, Reversi, moves};
use yomikiri_rules::value::{Score, Side, Value};
use yomikiri_solve::{Search, Solution, Solvable, best_line};
use yomikiri_table::Table;
use yomikiri_table::progress::Silent;

/// Memory of a search in most tests.
const MEMORY: u64 = 1 << 20;

fn searcher(game: &Reversi, memory: u64) -> Box<dyn Search<Reversi>> {
    game.searcher(memory).unwrap()
}

fn empty_squares(game: &Reversi, position: &Position) -> u32 {
    game.rules.board.area() - position.occupied().count_ones()
}

/// The best move is legal and leads to a position whose score is `after`; there is none only where the game is over.
fn check_best(game: &Reversi, position: &Position, solution: &Solution<Reversi>, after: impl Fn(&Position) -> Score) {
    let text = game.position_text(position);
    match solution.best {
        None => assert!(legal_moves(game, position).is_empty(), "no best move: {text}"),
        Some(mv) => {
            assert!(legal_moves(game, position).contains(&mv), "{} in {text}", game.move_text(mv));
            assert_eq!(after(&game.play(position, mv)).of_move(), solution.value, "{} in {text}", game.move_text(mv));
        }
    }
}

// Tables

/// The score of a position by a table, or by the rules where the game is decided.
fn known(game: &Reversi, table: &Table, position: &Position) -> Score {
    let end = if game.is_terminal(position) { game.terminal_value(position) } else { None };
    end.or_else(|| game.probe(table, position).unwrap()).unwrap()
}

/// Holds the search against the table of a game.
fn check_by_table(game: &Reversi, table: &Table, search: &dyn Search<Reversi>, position: &Position) {
    let solution = search.solve(position, &Silent);
    let (code, text) = (game.code(), game.position_text(position));
    assert_eq!(solution.value, known(game, table, position), "{code} {text}");
    check_best(game, position, &solution, |child| known(game, table, child));
}

/// All positions of a game, one of each class of symmetry.
fn all_positions(game: &Reversi) -> Vec<Position> {
    let mut seen = HashSet::from([game.canonical(&game.start())]);
    let mut all = vec![game.start()];
    let mut at = 0;
    while let Some(position) = all.get(at).copied() {
        let children = legal_moves(game, &position).into_iter().map(|mv| game.play(&position, mv));
        all.extend(children.filter(|child| seen.insert(game.canonical(child))));
        at += 1;
    }
    all
}

#[test]
fn the_search_agrees_with_whole_tables_everywhere() {
    for code in ["rev3x3", "rev3x4", "rev4x3", "rev4x4", "rev4x4-p", "rev4x4-w", "rev3x5"] {
        let (game, folder) = (reversi(code), tempfile::tempdir().unwrap());
        let (table, search) = (analyzed(&game, folder.path()), searcher(&game, MEMORY));
        let positions = all_positions(&game);
        let stored = positions.iter().filter(|position| !game.is_terminal(position)).count();
        assert_eq!(stored as u64, table.header.positions.get(), "{code}");
        positions.iter().for_each(|position| check_by_table(&game, &table, search.as_ref(), position));
    }
}

#[test]
fn the_search_agrees_with_samples_of_larger_tables() {
    for (code, count) in [("rev4x5", 4000), ("rev3x7-w", 1000), ("rev6x3-p", 1000)] {
        let (game, folder) = (reversi(code), tempfile::tempdir().unwrap());
        let (table, search) = (analyzed(&game, folder.path()), searcher(&game, MEMORY));
        let mut random = Random::new(1);
        let mut seen = HashSet::new();
        while seen.len() < count {
            let played = random_game(&game, &mut random);
            let position = *random.pick(&played);
            if seen.insert(position) {
                check_by_table(&game, &table, search.as_ref(), &position);
            }
        }
    }
}

/// `search_sample` finds the differences between two variants in the table of one of them.
#[test]
fn samples_of_tables_are_held_against_the_search() {
    let (counted, folder) = (reversi("rev4x4"), tempfile::tempdir().unwrap());
    let table = analyzed(&counted, folder.path());
    let search = searcher(&counted, MEMORY);
    assert_eq!(yomikiri_solve::audit::search_sample(&counted, search.as_ref(), &table, 800, &Silent).unwrap(), 800);
    let winner_takes = reversi("rev4x4-w");
    let search = searcher(&winner_takes, MEMORY);
    let error = yomikiri_solve::audit::search_sample(&winner_takes, search.as_ref(), &table, 800, &Silent)
        .unwrap_err()
        .to_string();
    assert!(error.contains("rev4x4.tbl") && error.contains("by search"), "{error}");
}

#[test]
fn verify_asks_the_search() {
    let folder = tempfile::tempdir().unwrap();
    analyzed(&reversi("rev3x5"), folder.path());
    let verify = |args: &[&str]| {
        let output = run(folder.path(), &[&["verify"], args, &["--memory", "64M"]].concat(), "");
        let text = |bytes| String::from_utf8(bytes).unwrap();
        (output.status.code().unwrap(), text(output.stdout), text(output.stderr))
    };
    let (status, out, err) = verify(&["rev3x5", "--sample", "20", "--search"]);
    assert!(status == 0 && out.contains("right (20 positions checked)"), "{out}{err}");
    let (status, _, err) = verify(&["rev3x5", "--search"]);
    assert!(status == 2 && err.contains("--sample"), "{err}");
    let (status, _, err) = verify(&["bin3x3", "--sample", "20", "--search"]);
    assert!(status == 2 && err.contains("has no search"), "{err}");
}

// Plain recursion

/// The score of the side to move by trying everything with the naive rules; `known` keeps what has been found.
fn plain(rules: &Naive, text: &str, known: &mut HashMap<String, i32>) -> i32 {
    if let Some(&score) = known.get(text) {
        return score;
    }
    let children: Vec<String> = rules.legal_moves(text).iter().map(|mv| rules.play(text, mv)).collect();
    let best = children.iter().map(|child| -plain(rules, child, known)).max();
    let score = best.unwrap_or_else(|| rules.score(text).unwrap());
    known.insert(text.to_string(), score);
    score
}

/// Kinds of positions that came up.
#[derive(Default)]
struct Kinds {
    passes: usize,
    over: usize,
    /// Best lines that end with empty squares.
    left_empty: usize,
}

/// Holds the search against plain recursion, and follows its best line to the end.
fn check_by_recursion(code: &str, position: &Position, kinds: &mut Kinds) {
    let (game, rules) = (reversi(code), Naive::from_code(code));
    let (search, mut known) = (searcher(&game, MEMORY), HashMap::new());
    let text = game.position_text(position);
    let mut score = |position: &Position| plain(&rules, &game.position_text(position), &mut known);
    let solution = search.solve(position, &Silent);
    assert_eq!(i32::from(solution.value.points()), score(position), "{code} {text}");
    let after = solution.best.map(|mv| score(&game.play(position, mv)));
    check_best(&game, position, &solution, |_| Score::new(after.unwrap()));

    let line = best_line(&game, search.as_ref(), position, &solution, &Silent).unwrap();
    let end = line.iter().fold(*position, |here, &mv| game.play(&here, mv));
    let last = game.terminal_value(&end).unwrap_or_else(|| panic!("the line of {text} stops early"));
    assert_eq!(if end.side == position.side { last } else { last.of_move() }, solution.value, "{code} {text}");
    kinds.passes += usize::from(moves::must_pass(game.rules.board, position));
    kinds.over += usize::from(line.is_empty());
    kinds.left_empty += usize::from(!line.is_empty() && empty_squares(&game, &end) > 0);
}

#[test]
fn the_search_agrees_with_plain_recursion_on_every_board() {
    let mut kinds = Kinds::default();
    let sizes = (3..=8).flat_map(|files| (3..=8).map(move |ranks| (files, ranks)));
    for (((files, ranks), options), seed) in sizes.zip(["", "-w", "-p", "-p-w", ""].into_iter().cycle()).zip(0..) {
        let code = format!("rev{files}x{ranks}{options}");
        let (game, mut random) = (reversi(&code), Random::new(seed));
        for most in [8, 7, 6, 6, 5, 4, 3, 2, 1, 0] {
            let played = random_game(&game, &mut random);
            let late = played.iter().find(|position| empty_squares(&game, position) <= most);
            check_by_recursion(&code, late.unwrap_or(&played[played.len() - 1]), &mut kinds);
        }
    }
    let Kinds { passes, over, left_empty } = kinds;
    assert!(passes > 5 && over > 20 && left_empty > 20, "{passes} passes, {over} over, {left_empty} left empty");
}

/// Discs anywhere, so that passes and games that end early are frequent.
fn random_set_up(game: &Reversi, empty: usize, random: &mut Random) -> Position {
    let area = game.rules.board.area() as usize;
    let black = 1 + random.below(9);
    let mut squares: Vec<char> = (0..area).map(|_| if random.below(10) < black { 'X' } else { 'O' }).collect();
    for _ in 0..empty {
        squares[random.below(area)] = '-';
    }
    let text = format!("{} {}", squares.iter().collect::<String>(), random.pick(&['X', 'O']));
    game.parse_position(&text).unwrap()
}

#[test]
fn the_search_agrees_with_plain_recursion_on_any_set_up() {
    let mut kinds = Kinds::default();
    let mut random = Random::new(2);
    for code in ["rev3x8", "rev8x3-w", "rev5x7-p", "rev7x5-w", "rev6x6", "rev8x8", "rev8x8-w", "rev3x3-w"] {
        let game = reversi(code);
        for empty in (1..=8).cycle().take(40) {
            check_by_recursion(code, &random_set_up(&game, empty, &mut random), &mut kinds);
        }
    }
    let Kinds { passes, over, left_empty } = kinds;
    assert!(passes > 20 && over > 20 && left_empty > 30, "{passes} passes, {over} over, {left_empty} left empty");
}

/// A few positions with more empty squares, where results begin to be kept and moves are ordered.
#[test]
fn the_search_agrees_with_plain_recursion_ten_squares_from_the_end() {
    let mut kinds = Kinds::default();
    let codes = ["rev8x8", "rev8x8-w", "rev8x8-p", "rev6x6-p", "rev5x7", "rev7x5-w", "rev3x8-w", "rev8x3"];
    for (code, empty) in codes.into_iter().zip([9, 9, 9, 9, 10, 10, 10, 10]) {
        let (game, mut random) = (reversi(code), Random::new(6));
        let played = random_game(&game, &mut random);
        let late = played.iter().find(|position| empty_squares(&game, position) <= empty).unwrap();
        check_by_recursion(code, late, &mut kinds);
    }
}

// Late positions of large boards

/// A position with so many empty squares: each move leaves the other side as few moves as possible, or is any move.
fn greedy_position(game: &Reversi, empty: u32, random: &mut Random) -> Position {
    loop {
        let mut here = game.start();
        while empty_squares(game, &here) > empty {
            let children: Vec<_> = legal_moves(game, &here).into_iter().map(|mv| game.play(&here, mv)).collect();
            if children.is_empty() {
                break;
            }
            let best = children.iter().min_by_key(|child| legal_moves(game, child).len()).unwrap();
            here = if random.below(3) == 0 { *random.pick(&children) } else { *best };
        }
        if legal_moves(game, &here).len() > 1 {
            return here;
        }
    }
}

/// The value of a position is that of its best move, and no other move is better.
#[test]
fn moves_of_late_positions_are_worth_what_the_position_says() {
    let mut random = Random::new(3);
    let late = [("rev8x8", 14), ("rev8x8", 16), ("rev8x8", 18), ("rev8x8-w", 15), ("rev7x8-p", 16), ("rev6x6", 17)];
    for (code, empty) in late.into_iter().cycle().take(18) {
        let game = reversi(code);
        let search = searcher(&game, 16 << 20);
        let position = greedy_position(&game, empty, &mut random);
        let solution = search.solve(&position, &Silent);
        check_best(&game, &position, &solution, |child| search.solve(child, &Silent).value);
        for mv in legal_moves(&game, &position) {
            let value = search.solve(&game.play(&position, mv), &Silent).value.of_move();
            assert!(value <= solution.value, "{} in {}", game.move_text(mv), game.position_text(&position));
        }
    }
}

#[test]
fn answers_depend_on_neither_threads_nor_memory() {
    let mut random = Random::new(4);
    for (code, empty) in [("rev8x8", 16), ("rev6x6-w", 17), ("rev5x5", 21), ("rev3x7", 15)] {
        let game = reversi(code);
        let position = if empty == 21 { game.start() } else { greedy_position(&game, empty, &mut random) };
        let mut values = HashSet::new();
        for (threads, memory) in [(1, 4 << 20), (2, 4 << 20), (4, 4 << 20), (1, 4 << 10), (4, 4 << 10), (2, 1)] {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            let search = searcher(&game, memory);
            values.insert(pool.install(|| search.solve(&position, &Silent).value));
        }
        assert_eq!(values.len(), 1, "{code} {}", game.position_text(&position));
    }
}

/// Where threads share moves, what one of them leaves off when another has found enough must not count.
#[test]
fn many_threads_agree_with_one() {
    let pools = [1, 8].map(|threads| rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap());
    let mut random = Random::new(7);
    for (code, empty) in
        [("rev8x8", 18), ("rev8x8-w", 17), ("rev6x6", 20), ("rev7x6-p", 18)].into_iter().cycle().take(12)
    {
        let game = reversi(code);
        let position = greedy_position(&game, empty, &mut random);
        let values = pools.each_ref().map(|pool| {
            let search = searcher(&game, 4 << 20);
            pool.install(|| search.solve(&position, &Silent).value)
        });
        assert_eq!(values[0], values[1], "{code} {}", game.position_text(&position));
    }
}

#[test]
fn a_search_remembers_and_stays_right() {
    let game = reversi("rev8x8");
    let position = greedy_position(&game, 14, &mut Random::new(5));
    let search = searcher(&game, 16 << 20);
    let [first, second] = [(); 2].map(|()| search.solve(&position, &Silent));
    assert_eq!(first.value, second.value);
    assert!(second.nodes < first.nodes / 2, "{} nodes, then {}", first.nodes, second.nodes);
}

#[test]
fn published_scores() {
    for (code, score) in [("rev5x5", 19 - 6), ("rev4x4", 3 - 11), ("rev4x4-p", 6 - 9)] {
        let game = reversi(code);
        assert_eq!(searcher(&game, MEMORY).solve(&game.start(), &Silent).value, Score::new(score), "{code}");
    }
}

// The command

/// The start of 4x4.
const START: &str = "-----OX--XO----- X";

/// A game of best play on that board, to its end.
const OVER: &str = "b1a1a2c1d4a3d1b4a4c4";

/// An 8x8 board with twelve empty squares.
const LATE: &str = "--XO-OOO--XO-OOO-XXXXOOO--XOXOOO-XXOOXOOXXOOXOOO-OOOOOOO-OOOOOOO O";

/// Runs the command with little memory in a folder, with `input` on standard input.
fn run(folder: &Path, args: &[&str], input: &str) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_yomikiri"));
    command.env("YOMIKIRI_TABLES", folder).current_dir(folder).args(args);
    if !args.contains(&"--memory") {
        command.args(["--memory", "1M"]);
    }
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    // Runs that do not read it may have ended before it is written.
    let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
    child.wait_with_output().unwrap()
}

/// What a run in an empty folder gives: exit status, output, errors and notes.
fn ran(args: &[&str], input: &str) -> (i32, String, String) {
    let folder = tempfile::tempdir().unwrap();
    let output = run(folder.path(), args, input);
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (output.status.code().unwrap(), text(output.stdout), text(output.stderr))
}

/// Standard output of a run that has to succeed.
fn good(args: &[&str]) -> String {
    let (status, out, err) = ran(args, "");
    assert_eq!(status, 0, "{args:?}: {err}");
    out
}

/// The one line of a run that fails before it has done anything.
fn fails(args: &[&str], input: &str, status: i32) -> String {
    let (found, out, err) = ran(args, input);
    assert_eq!((found, out.as_str(), err.lines().count()), (status, "", 1), "{args:?}: {out}{err}");
    assert!(err.starts_with("error: "), "{args:?}: {err}");
    err
}

fn json_lines(out: &str) -> Vec<Json> {
    out.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn solve_in_words() {
    let out = good(&["solve", "rev4x4", "--line"]);
    let (text, nodes) = out.split_once("\nnodes      ").unwrap();
    let game = reversi("rev4x4");
    let line = text.lines().last().unwrap().strip_prefix("line       ").unwrap();
    let board = game.board_text(&game.start());
    assert_eq!(text, format!("{board}\n{START}\nWhite wins by 8.\nbest move  {}\nline       {line}", &line[..2]));
    let end = game.parse_position(line).unwrap();
    assert_eq!(game.terminal_value(&end).map(|score| score.points().abs()), Some(8), "{line}");
    let words: Vec<&str> = nodes.split_whitespace().collect();
    assert!(matches!(words[..], [_, "in", _, "s", rate, "a", "second)"] if rate.starts_with('(')), "{nodes}");
    // Without a terminal the steps stand on standard error, and nothing else.
    let (_, _, err) = ran(&["solve", "rev4x4"], "");
    assert!(err.lines().count() > 1 && err.lines().all(|line| line.starts_with("score above ")), "{err}");
    assert!(!good(&["solve", "rev4x4"]).contains("\nline "));
}

#[test]
fn solve_in_json() {
    let fields = ["rules", "position", "to_move", "outcome", "score", "winner", "best", "nodes", "seconds"];
    let answer = &json_lines(&good(&["solve", "rev4x4-p", "--json"]))[0];
    assert_eq!(answer.as_object().unwrap().len(), fields.len());
    assert!(fields.iter().all(|field| answer.get(field).is_some()), "{answer}");
    let expected = json!(["rev4x4-p", "-----XX--OO----- X", "black", "loss", -3, "white"]);
    assert_eq!(json!(fields[..6].iter().map(|field| &answer[field]).collect::<Vec<_>>()), expected);
    assert!(answer["nodes"].as_u64().unwrap() > 0 && answer["seconds"].is_f64(), "{answer}");

    let answer = &json_lines(&good(&["solve", "rev8x8", LATE, "--json", "--line", "--threads", "1"]))[0];
    let (game, line) = (reversi("rev8x8"), answer["line"].as_str().unwrap());
    assert!(line.starts_with(answer["best"].as_str().unwrap()), "{answer}");
    let end = game.parse_position(&format!("{LATE} moves {line}")).unwrap();
    let score = game.terminal_value(&end).unwrap().points();
    let white = if game.side(&end) == Side::White { score } else { -score };
    assert_eq!(answer["score"], white);
}

#[test]
fn every_form_of_a_position_is_solved() {
    for text in ["startpos", START, "startpos moves b1a1", "b1a1a2", "OX---OX--XO----- X; a2:-8; % remark"] {
        let answer = &json_lines(&good(&["solve", "rev4x4", text, "--json"]))[0];
        assert_eq!(answer["winner"], "white", "{text}");
        assert_eq!(answer["score"].as_i64().unwrap().abs(), 8, "{text}");
    }
}

#[test]
fn a_finished_game_is_no_error() {
    let text = good(&["solve", "rev4x4", OVER, "--line"]);
    assert!(text.ends_with("\nWhite has won by 8: neither side has a move.\n"), "{text}");
    let answer = &json_lines(&good(&["solve", "rev4x4", OVER, "--json"]))[0];
    assert_eq!((&answer["score"], &answer["best"], &answer["nodes"]), (&json!(-8), &Json::Null, &json!(0)));
}

/// A file with a remark, empty lines, scores that are right, and other forms of positions.
const SUITE: &str = "% a remark\r\n\r\n-----OX--XO----- X; b1:-8; c4:-10; % moves: b1\r\n  # another\n-----OX--XO----- X\n\
                     startpos moves b1\nb1a1a2c1d4a3d1b4a4c4\nOXXX-XXX-XXX---- X; pass:+11; no score: 3; depth:";

#[test]
fn files_are_solved_line_by_line() {
    let (status, out, err) = ran(&["solve", "rev4x4", "--file", "-"], SUITE);
    let rows: Vec<Vec<&str>> = out.lines().map(|line| line.split_whitespace().collect()).collect();
    assert_eq!((rows.len(), rows[5][..2].to_vec()), (7, vec!["5", "positions,"]), "{out}");
    let expected = [[START, "-8"], [START, "-8"], ["-X---XX--XO----- O", "+8"], ["OOOXOOO-OOO-XOOX X", "-8"]];
    for (row, [position, score]) in rows.iter().zip(expected) {
        assert_eq!([row[..2].join(" ").as_str(), row[2]], [position, score], "{out}");
        assert_eq!([row[5], row[7]], ["nodes", "s"], "{out}");
    }
    assert_eq!((rows[3][3], rows[4][3]), ("over", "pass"), "{out}");
    // The score of the last line is not its own.
    assert!(out.contains("differs: +11 expected\n") && out.ends_with("\nchecked 2, 1 differ\n"), "{out}");
    assert_eq!((status, err.as_str()), (1, "error: standard input: checked 2, 1 differ\n"));
}

#[test]
fn files_are_solved_to_json_lines() {
    let (status, out, err) = ran(&["solve", "rev4x4", "--file", "-", "--json", "--line"], SUITE);
    let lines = json_lines(&out);
    assert_eq!((lines.len(), status), (5, 1), "{err}");
    assert_eq!((&lines[0]["expected"], &lines[0]["agrees"]), (&json!({ "score": -8 }), &json!(true)));
    assert_eq!((lines[1].get("expected"), lines[1].get("agrees")), (None, None));
    assert_eq!((&lines[2]["score"], &lines[2]["best"]), (&json!(8), &json!(&lines[2]["line"].as_str().unwrap()[..2])));
    assert_eq!((&lines[3]["best"], &lines[3]["line"]), (&Json::Null, &json!("")));
    assert_eq!((&lines[4]["best"], &lines[4]["agrees"]), (&json!("pass"), &json!(false)));
}

#[test]
fn a_file_with_right_scores_is_no_error() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("ends.obf"), "-----OX--XO----- X; a2:-8; b1:-8;\nb1\n").unwrap();
    let output = run(folder.path(), &["solve", "rev4x4", "--file", "ends.obf"], "");
    let out = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success() && output.stderr.is_empty());
    assert!(out.ends_with("\nchecked 1, 0 differ\n") && out.lines().count() == 4, "{out}");
}

#[test]
fn a_bad_line_stops_before_anything_is_solved() {
    let folder = tempfile::tempdir().unwrap();
    for (line, words) in [
        ("-----OX--XO---- X", "board: has 15 squares"),
        ("-----OX--Xq----- X", "board square c3 (character 11): \"q\" is unknown"),
        ("-----OX--XO-----", "position: has no side"),
        ("-----OX--XO----- X; a1:+2;", "move \"a1\": X would turn no disc there"),
        ("-----OX--XO----- X; b1:+2x;", "move \"b1\": score \"+2x\" is no number"),
        ("-----OX--XO----- X; b1:+65;", "move \"b1\": score \"+65\" is no number from -64 to +64"),
        ("-----OX--XO----- X; moves b1", "after the \";\""),
        ("b1a1b1", "move \"b1\" (number 3 of moves): b1 is not empty"),
    ] {
        std::fs::write(folder.path().join("ends.obf"), format!("startpos\n\n{line}\nstartpos\n")).unwrap();
        let output = run(folder.path(), &["solve", "rev4x4", "--file", "ends.obf"], "");
        let err = String::from_utf8(output.stderr).unwrap();
        assert_eq!((output.status.code(), output.stdout.len(), err.lines().count()), (Some(2), 0, 1), "{err}");
        assert!(err.starts_with("error: ends.obf:3: ") && err.contains(words), "{line}: {err}");
    }
    std::fs::write(folder.path().join("ends.obf"), b"startpos\n\xff\xfe X\n").unwrap();
    let output = run(folder.path(), &["solve", "rev4x4", "--file", "ends.obf"], "");
    assert_eq!(String::from_utf8(output.stderr).unwrap(), "error: ends.obf:2: is no UTF-8 text\n");
}

#[test]
fn senseless_requests_are_refused_in_one_line() {
    for (args, words) in [
        (&["solve", "rev4x4", "-----OX--XO----"][..], "board: has 15 squares"),
        (&["solve", "rev4x4", "-----OX--XO-----"], "position: has no side"),
        (&["solve", "rev4x4", "-----OX--XO----- W"], "side \"W\""),
        (&["solve", "rev8x8", "f5d6a1"], "move \"a1\" (number 3 of moves): X would turn no disc there"),
        (&["solve", "rev8x8", "f5d6--"], "move \"--\" (number 3 of moves): Black (X) has moves and cannot pass"),
        (&["solve", "rev4x4", "b1a1a2c1d4a3d1b4a4c4d4"], "move \"d4\" (number 11 of moves): the game is over"),
        (&["solve", "rev4x4", "startpos", "--file", "ends.obf"], "--file"),
        (&["solve", "rev4x4", "--threads", "0"], "--threads"),
        (&["solve", "rev9x9"], "rule code \"rev9x9\""),
        (&["solve", "foo"], "no game has such codes"),
        (&["solve", "bin3x3"], "yomikiri analyze bin3x3"),
        (&["solve", "val1n", "--file", "-"], "no search for single positions"),
        (&["solve", "rev4x4", "--file", "-"], "standard input: has no positions"),
    ] {
        let line = fails(args, "", 2);
        assert!(line.contains(words), "{args:?}: {line}");
    }
    let line = fails(&["solve", "rev4x4", "--file", "nowhere.obf"], "", 1);
    assert!(line.contains("nowhere.obf: "), "{line}");
}

#[test]
fn positions_far_from_the_end_are_named_before_they_are_searched() {
    let solver = searcher(&reversi("rev8x8"), 0);
    let [early, late] = ["f5d6c3", LATE].map(|text| reversi("rev8x8").parse_position(text).unwrap());
    assert!(solver.takes_hours(&early) && !solver.takes_hours(&late));
    assert!(!searcher(&reversi("rev5x5"), 0).takes_hours(&reversi("rev5x5").start()));
}

// Questions that no table answers

#[test]
fn queries_and_lines_of_large_boards_are_searched() {
    let answer = &json_lines(&good(&["query", "rev8x8", LATE, "--json"]))[0];
    let game = reversi("rev8x8");
    let position = game.parse_position(LATE).unwrap();
    let search = searcher(&game, MEMORY);
    assert_eq!(answer["score"], search.solve(&position, &Silent).value.points());
    let moves = answer["moves"].as_array().unwrap();
    assert_eq!((moves.len(), &moves[0]["score"]), (legal_moves(&game, &position).len(), &answer["score"]));
    assert!(moves.is_sorted_by_key(|mv| std::cmp::Reverse(mv["score"].as_i64())), "{answer}");
    for mv in moves {
        let child = game.parse_position(mv["position"].as_str().unwrap()).unwrap();
        assert_eq!(mv["score"], search.solve(&child, &Silent).value.of_move().points(), "{mv}");
    }
    let line = good(&["line", "rev8x8", LATE]);
    let end = game.parse_position(line.lines().last().unwrap()).unwrap();
    let score = game.terminal_value(&end).unwrap().points();
    assert_eq!(answer["score"], if game.side(&end) == Side::White { score } else { -score });
}

/// Tables, all positions below the one asked for, and a search: all say the same. With a byte of memory only the search
/// is left.
#[test]
fn searched_answers_are_those_of_tables() {
    let folder = tempfile::tempdir().unwrap();
    let said = |memory: &str| {
        let asked =
            [&["query", "rev4x4", "startpos"][..], &["query", "rev4x4", "b1a1a2", "--json"], &["line", "rev4x4"]];
        asked.map(|args| {
            let output = run(folder.path(), &[args, &["--memory", memory]].concat(), "");
            assert!(output.status.success(), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
            String::from_utf8(output.stdout).unwrap()
        })
    };
    let [searched, solved] = ["1", "16M"].map(said);
    analyzed(&reversi("rev4x4"), folder.path());
    assert_eq!(said("16M"), searched);
    assert_eq!(solved, searched);
}

#[test]
fn queries_out_of_reach_are_refused_at_once() {
    for (code, text, words) in [
        ("rev8x8", "f5d6", "at most 20 empty squares on this board, here are 58"),
        ("rev6x6", "startpos", "at most 24 empty squares on this board, here are 32"),
    ] {
        for args in [["query", code, text], ["line", code, text]] {
            let line = fails(&args, "", 1);
            assert!(line.contains(words), "{args:?}: {line}");
        }
    }
}
