//! Tests of exact scores by search, without a table: against whole tables, plain recursion over the naive rules, and
//! published scores.

use std::collections::{HashMap, HashSet};
use std::sync::atomic::{AtomicBool, AtomicU64};

use crate::support::command::{command, good};
use crate::support::games::{legal_moves, random_game, reversi};
use crate::support::random::Random;
use crate::support::repository::repository_path;
use crate::support::solving::{StopAfter, analyzed, on_threads};
use yomikiri_naive::reversi::Naive;
use yomikiri_rules::games::reversi::{Position, Reversi, moves};
use yomikiri_rules::{Game, Notation, Score, Value};
use yomikiri_search::Searchable;
use yomikiri_search::exact::SearchRun;
use yomikiri_search::{Search, Solution, best_line};
use yomikiri_solve::Solvable;
use yomikiri_table::{Silent, Table};

/// The memory of a search in most tests, in bytes.
const MEMORY: u64 = 1 << 20;

fn searcher(game: &Reversi, memory: u64) -> Box<dyn Search<Reversi>> {
    game.searcher(memory).unwrap()
}

fn empty_squares(game: &Reversi, position: &Position) -> u32 {
    game.rules.board.area() - position.occupied().count_ones()
}

/// Checks that the best move is legal and that the position after it has the right score, which `after` returns. There
/// must be a best move if there is a legal move.
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

/// Returns the score of a position for the side to move by a table, or by the rules if the game is over.
fn known(game: &Reversi, table: &Table, position: &Position) -> Score {
    let end = if game.is_terminal(position) { game.terminal_value(position) } else { None };
    end.or_else(|| game.probe(table, position).unwrap()).unwrap()
}

/// Compares the search of a position with the table of its game.
fn check_by_table(game: &Reversi, table: &Table, search: &dyn Search<Reversi>, position: &Position) {
    let solution = search.solve(position, &Silent);
    let (code, text) = (game.code(), game.position_text(position));
    assert_eq!(solution.value, known(game, table, position), "{code} {text}");
    check_best(game, position, &solution, |child| known(game, table, child));
}

/// Returns all positions that can arise, one of each class of symmetric positions.
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

/// `search_sample` accepts a sound table. For another variant it finds wrong values in the same table.
#[test]
fn samples_of_tables_are_held_against_the_search() {
    let (counted, folder) = (reversi("rev4x4"), tempfile::tempdir().unwrap());
    let table = analyzed(&counted, folder.path());
    let search = searcher(&counted, MEMORY);
    assert_eq!(yomikiri_solve::audit::search_sample(&counted, search.as_ref(), &table, 800, &Silent).unwrap(), 800);
    // More than half of the positions are all of them.
    let all = table.header.positions.get();
    for count in [all / 2 + 1, all] {
        assert_eq!(
            yomikiri_solve::audit::search_sample(&counted, search.as_ref(), &table, count, &Silent).unwrap(),
            all
        );
    }
    let winner_takes = reversi("rev4x4-w");
    let search = searcher(&winner_takes, MEMORY);
    let error = yomikiri_solve::audit::search_sample(&winner_takes, search.as_ref(), &table, 800, &Silent)
        .unwrap_err()
        .to_string();
    assert!(error.contains("rev4x4.tbl") && error.contains("differs from the search's value"), "{error}");
}

// Plain recursion

/// Returns the score for the side to move, by plain recursion with the naive rules. `known` keeps the scores found so
/// far.
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

/// The number of checked positions of each special kind.
#[derive(Default)]
struct Kinds {
    passes: usize,
    over: usize,
    /// Positions whose best line ends with empty squares left.
    left_empty: usize,
}

/// Compares the search with plain recursion, and follows its best line to the end.
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

/// Returns a position with discs placed at random and at most `empty` empty squares. In such positions, passes and
/// early ends of the game are frequent.
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

/// Checks positions with nine or ten empty squares, where the search begins to store results and to order moves.
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

/// The drawn game on 7x6 that both versions of the atlas show: every move is legal, both sides end with the same number
/// of discs, and every position with at most 20 empty squares is a draw.
#[test]
fn the_line_of_the_drawn_board_is_a_draw_all_along() {
    let pages =
        ["docs/atlas.md", "docs/atlas.ja.md"].map(|page| std::fs::read_to_string(repository_path(page)).unwrap());
    let lines = pages.map(|page| {
        let mut quoted = page.split('`').filter(|text| text.starts_with("b3d2"));
        quoted.next().expect("the line").to_string()
    });
    assert_eq!(lines[0], lines[1]);
    let game = reversi("rev7x6");
    let search = searcher(&game, 64 << 20);
    let (mut here, mut solved) = (game.start(), 0);
    for text in lines[0].as_bytes().chunks(2).map(|text| str::from_utf8(text).unwrap()) {
        here = game.play(&here, game.parse_move(&here, text).unwrap());
        if (1..=20).contains(&empty_squares(&game, &here)) {
            assert_eq!(search.solve(&here, &Silent).value, Score::new(0), "{}", game.position_text(&here));
            solved += 1;
        }
    }
    assert_eq!((game.terminal_value(&here), solved), (Some(Score::new(0)), 21), "20 moves and a pass");
}

/// Returns a position with at least two legal moves, at the latest with `empty` empty squares. Two thirds of the moves
/// before it leave the other side as few moves as possible, and the others are random.
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

/// If one thread finds a cutoff, the unfinished searches of other threads at the same position must not count.
#[test]
fn answers_depend_on_neither_threads_nor_memory() {
    let few = [(1, 4 << 20), (2, 4 << 20), (4, 4 << 20), (1, 4 << 10), (4, 4 << 10), (2, 1)];
    let many = [(1, 4 << 20), (8, 4 << 20)];
    let mut random = Random::new(4);
    let check = |code: &str, position: &Position, settings: &[(usize, u64)]| {
        let game = reversi(code);
        let solved = |&(threads, memory): &(usize, u64)| {
            on_threads(threads, || searcher(&game, memory).solve(position, &Silent).value)
        };
        let values: HashSet<Score> = settings.iter().map(solved).collect();
        assert_eq!(values.len(), 1, "{code} {}", game.position_text(position));
    };
    check("rev5x5", &reversi("rev5x5").start(), &few);
    for (code, empty) in [("rev8x8", 16), ("rev6x6-w", 17), ("rev3x7", 15)] {
        check(code, &greedy_position(&reversi(code), empty, &mut random), &few);
    }
    for (code, empty) in [("rev8x8", 18), ("rev8x8-w", 17), ("rev6x6", 20), ("rev7x6-p", 18)].repeat(3) {
        check(code, &greedy_position(&reversi(code), empty, &mut random), &many);
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
fn a_search_that_is_stopped_tells_bounds_and_goes_on() {
    let game = reversi("rev5x5");
    let (start, value) = (game.start(), Score::new(19 - 6));
    for threads in [1, 2] {
        let (mut stopped, mut closer) = (0, 0);
        on_threads(threads, || {
            // The same search is stopped and started repeatedly, and keeps its transposition table.
            let search = searcher(&game, MEMORY);
            for shares in (0..200).map(|number| number * number) {
                let watch = StopAfter::new(shares);
                let run = SearchRun { stop: &watch.stop, nodes: &AtomicU64::new(0), progress: &watch };
                match search.solve_until(&start, &run) {
                    Ok(solution) => {
                        assert_eq!(solution.value, value, "after {shares} shares");
                        check_best(&game, &start, &solution, |child| {
                            searcher(&game, MEMORY).solve(child, &Silent).value
                        });
                        break;
                    }
                    Err(known) => {
                        let [least, most] = [known.at_least, known.at_most].map(Score::points);
                        let points = value.points();
                        assert!(least <= points && points <= most && least < most, "{least} to {most}");
                        (stopped, closer) = (stopped + 1, closer + u32::from(most - least < 50));
                    }
                }
            }
        });
        assert!(stopped > 5 && closer > 0, "{stopped} times, {closer} of them with bounds; {threads} threads");
    }
    let run = SearchRun { stop: &AtomicBool::new(true), nodes: &AtomicU64::new(0), progress: &Silent };
    let known = searcher(&game, MEMORY).solve_until(&start, &run).err().unwrap();
    assert_eq!([known.at_least, known.at_most].map(Score::points), [-25, 25], "nothing is known yet");
}

#[test]
fn a_search_says_what_it_knows_when_its_time_is_over() {
    let folder = tempfile::tempdir().unwrap();
    let ask =
        |words: &[&str]| command(folder.path(), &[&["solve", "rev8x8", "--time", "300ms"], words].concat()).output();
    let said = ask(&["--json"]).unwrap();
    assert_eq!(said.status.code(), Some(1));
    let known: serde_json::Value = serde_json::from_slice(&said.stdout).unwrap();
    assert_eq!((&known["stopped"], &known["to_move"]), (&"time".into(), &"black".into()), "{known}");
    assert_eq!((&known["at_least"]["score"], &known["at_most"]["score"]), (&(-64).into(), &64.into()), "{known}");
    let said = ask(&[]).unwrap();
    let text = String::from_utf8(said.stdout).unwrap();
    assert!(text.contains("The value for Black, who is to move, is at least -64 and at most +64."), "{text}");
    let errors = String::from_utf8(said.stderr).unwrap();
    assert!(errors.ends_with("error: rev8x8: not decided in 0.3 s\n"), "{errors}");
    let quick = good(folder.path(), &["solve", "rev4x4", "--time", "1h"]);
    assert!(quick.contains("White wins by 8"), "{quick}");
    let both = command(folder.path(), &["solve", "rev4x4", "--time", "1h", "--file", "x"]).output().unwrap();
    assert_eq!(both.status.code(), Some(2));
}

/// Positions 20 to 24, 29 and 39 of the endgame test suite of the French federation (FFO), with their published scores.
/// They have 6 to 26 empty squares.
#[test]
fn test_positions_have_their_published_scores() {
    let game = reversi("rev8x8-w");
    let search = searcher(&game, MEMORY);
    let suite = [
        ("XXXOXXXXOXXXXXXXOOXXXXXXOOOXXXXXOOOXXOO-OOOOO---OOOOOOO-OOOOOOO- X", 6),
        ("OOOOOOOOXOOXXX--XXOOXOO-XOXOOO--XOOOOX--XOOXOO--XOOOOO--XXXX---- O", 0),
        ("--OOOO--X-OOOOO-XXOOXOXXXOXOXXXXXXXOXXXX-XXOXOXX--OXXX-X----X--- O", 2),
        ("--O-------OOX---OOOXXXO-OOOOXOXXXXXOOXOXXXXXXOOXX-XXXXOX--XXXX-- X", 4),
        ("--O--O-----OOOX--X-XOXOO--XXXOOOXXXXOOOOXXXOXXOOXXXXXX--XOXX-O-- O", 0),
        ("-OXXXX----OXXO--XXOOXOOOXXXOOXOOXXOOXOOOXXXXOO-XX-XXO----------- X", 10),
        ("O-OOOO--XOXXOX--XOOOXXX-XOOOXX--XOOXOX--XOXXX---X-XX------------ O", 64),
    ];
    for (text, score) in suite {
        let position = game.parse_position(text).unwrap();
        assert_eq!(search.solve(&position, &Silent).value, Score::new(score), "{text}");
    }
}

/// An 8x8 board with twelve empty squares.
const LATE: &str = "--XO-OOO--XO-OOO-XXXXOOO--XOXOOO-XXOOXOOXXOOXOOO-OOOOOOO-OOOOOOO O";

#[test]
fn positions_far_from_the_end_are_named_before_they_are_searched() {
    let solver = searcher(&reversi("rev8x8"), 0);
    let [early, late] = ["f5d6c3", LATE].map(|text| reversi("rev8x8").parse_position(text).unwrap());
    assert!(solver.takes_hours(&early) && !solver.takes_hours(&late));
    assert!(!searcher(&reversi("rev5x5"), 0).takes_hours(&reversi("rev5x5").start()));
}
