//! Tests of `yomikiri puzzle`: every puzzle has one right move, none is missing, and the quiz copes with any input.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use crate::support::command::{command, good, good_json, good_report, program, table};
use crate::support::games::{animal_shogi, binarsi, legal_moves, pyonpyon, reversi};
use yomikiri_answer::{PuzzleReport, QueryReport};
use yomikiri_rules::games::animal_shogi::AnimalShogi;
use yomikiri_rules::games::pyonpyon::Pyonpyon;
use yomikiri_rules::games::reversi::Reversi;
use yomikiri_rules::{Distance, Game, Measure, Notation, Outcome, Plies, Value, key_text};
use yomikiri_search::brute;
use yomikiri_solve::sparse;
use yomikiri_table::probe::open;
use yomikiri_table::{IndexKind, Silent};

fn kind<G: Notation>(game: &G, folder: &Path) -> IndexKind {
    open(game, &folder.join(format!("{}.tbl", game.code()))).unwrap().header.index_kind
}

fn puzzles(folder: &Path, args: &[&str]) -> Vec<PuzzleReport> {
    let json = good_json(folder, &[&["puzzle"], args, &["--json"]].concat());
    assert!(json.as_array().unwrap().iter().all(|puzzle| puzzle.as_object().unwrap().len() == 7), "{json}");
    serde_json::from_value(json).unwrap()
}

fn positions(puzzles: &[PuzzleReport]) -> Vec<String> {
    puzzles.iter().map(|puzzle| puzzle.position.clone()).collect()
}

/// The value bytes of positions by key, found without a table.
type Values = BTreeMap<u64, u8>;

/// Returns every move with its value for the side that makes it, in notation order.
fn move_values<G: Notation>(game: &G, values: &Values, position: &G::Position) -> Vec<(G::Move, G::Value)> {
    let worth = |mv| {
        let child = game.play(position, mv);
        let over = game.terminal_value(&child).filter(|_| game.is_terminal(&child));
        let value = over.unwrap_or_else(|| game.value_of_byte(values[&game.rank(&child)]).unwrap());
        (mv, value.of_move())
    };
    legal_moves(game, position).into_iter().map(worth).collect()
}

/// Returns all positions with a single winning move, by the number of plies to that win.
fn by_plies<G: Notation>(game: &G, values: &Values) -> BTreeMap<u16, BTreeSet<String>> {
    let mut found: BTreeMap<u16, BTreeSet<String>> = BTreeMap::new();
    for &key in values.keys() {
        let position = game.unrank(key).unwrap();
        let moves = move_values(game, values, &position);
        let wins: Vec<_> = moves.iter().filter(|(_, value)| value.outcome() == Outcome::Win).collect();
        if let [(_, value)] = wins[..]
            && moves.len() > 1
        {
            found.entry(value.plies().unwrap().0).or_default().insert(game.position_text(&position));
        }
    }
    found
}

/// Plays the line of a puzzle by the rules and returns the last position. Checks that each move is legal and that the
/// last one ends the game.
fn plays_out<G: Notation>(game: &G, puzzle: &PuzzleReport) -> G::Position {
    let mut position = game.parse_position(&puzzle.position).unwrap();
    assert_eq!(puzzle.line[0], puzzle.solution);
    for mv in &puzzle.line {
        assert!(game.terminal_value(&position).is_none(), "goes on after the end: {puzzle:?}");
        position = game.play(&position, game.parse_move(&position, mv).unwrap());
    }
    assert!(game.terminal_value(&position).is_some(), "stops before the end: {puzzle:?}");
    position
}

/// Checks the puzzles of every distance. Each position must have a single winning move, which the puzzle gives, and
/// none may be missing if there are at most a thousand. Returns the number of positions with a single winning move.
fn check_plies<G: Notation>(game: &G, values: &Values, folder: &Path) -> usize {
    let expected = by_plies(game, values);
    assert!(!expected.is_empty());
    for (&plies, expected) in &expected {
        let code = game.code();
        let found = puzzles(folder, &[&code, "--plies", &plies.to_string(), "--count", "1000"]);
        assert_eq!(found.len(), expected.len().min(1000), "{code} in {plies}");
        let different: BTreeSet<_> = positions(&found).into_iter().collect();
        assert_eq!(different.len(), found.len(), "{code} in {plies}: a position comes twice");
        assert!(different.is_subset(expected), "{code} in {plies}");
        for puzzle in &found {
            check_win(game, values, puzzle, plies);
        }
    }
    expected.values().map(BTreeSet::len).sum()
}

fn check_win<G: Notation>(game: &G, values: &Values, puzzle: &PuzzleReport, plies: u16) {
    let position = game.parse_position(&puzzle.position).unwrap();
    let moves = move_values(game, values, &position);
    let &(best, _) = moves.iter().find(|(_, value)| value.outcome() == Outcome::Win).unwrap();
    assert_eq!(puzzle.solution, game.move_text(best), "{puzzle:?}");
    assert_eq!(puzzle.measure.plies(), Some(Plies(plies)), "{puzzle:?}");
    assert_eq!(puzzle.moves, moves.len(), "{puzzle:?}");
    assert_eq!(puzzle.to_move, game.side(&position), "{puzzle:?}");
    assert_eq!(puzzle.key.unwrap().to_string(), key_text(game.rank(&position)), "{puzzle:?}");
    // In animal shogi, a game is over before the lion is taken, so some plies are left.
    let left = game.terminal_value(&plays_out(game, puzzle)).and_then(Value::plies).unwrap().0;
    assert_eq!(puzzle.line.len(), usize::from(plies - left), "{puzzle:?}");
}

fn brute_values<G: Notation>(game: &G) -> Values {
    brute::solve(game, &game.start()).into_iter().map(|(key, value)| (key, value.to_byte())).collect()
}

fn sparse_values(game: &AnimalShogi) -> Values {
    let (solved, _) = sparse::solve(game, &game.start(), sparse::Limits::memory(1 << 30), &Silent).unwrap();
    solved.levels.into_iter().flat_map(|(keys, bytes)| keys.into_iter().zip(bytes)).collect()
}

#[test]
fn binarsi_has_the_puzzles_that_brute_force_finds() {
    let (game, folder) = (binarsi("bin3x3"), table("bin3x3"));
    assert!(check_plies(&game, &brute_values(&game), folder.path()) > 1000);
}

#[test]
fn animal_shogi_has_the_puzzles_of_its_rules() {
    for code in ["v0000", "m00c1", "1g056"] {
        let (game, folder) = (animal_shogi(code), table(code));
        assert!(check_plies(&game, &sparse_values(&game), folder.path()) > 0, "{code}");
    }
}

/// Returns the values of all positions of a board, by value iteration until nothing changes.
fn settled(game: &Pyonpyon) -> Values {
    let keys: Vec<u64> = (0..).take_while(|&key| game.unrank(key).is_some()).collect();
    let draw = Distance::Draw.to_byte();
    let value = |position: &_| game.terminal_value(position).map_or(draw, yomikiri_rules::Value::to_byte);
    let mut values: Values = keys.iter().map(|&key| (key, value(&game.unrank(key).unwrap()))).collect();
    loop {
        let best = |(&key, &byte): (&u64, &u8)| {
            let moves = move_values(game, &values, &game.unrank(key).unwrap());
            (key, moves.into_iter().map(|(_, value)| value).max().map_or(byte, Value::to_byte))
        };
        let next: Values = values.iter().map(best).collect();
        if next == values {
            return values;
        }
        values = next;
    }
}

#[test]
fn tables_that_leave_wins_or_draws_out_have_all_their_puzzles() {
    for (code, left_out) in [("pyon2x3", IndexKind::UnlistedWins), ("pyon3x4", IndexKind::UnlistedDraws)] {
        let (game, folder) = (pyonpyon(code), table(code));
        assert_eq!(kind(&game, folder.path()), left_out);
        assert!(check_plies(&game, &settled(&game), folder.path()) > 0, "{code}");
    }
}

#[test]
fn reversi_asks_for_moves_that_are_points_ahead() {
    let (game, folder) = (reversi("rev4x4"), table("rev4x4"));
    let values = brute_values(&game);
    let mut counts = Vec::new();
    for margin in [1, 4, 20] {
        let mut expected = BTreeSet::new();
        for &key in values.keys() {
            let position = game.unrank(key).unwrap();
            let mut moves: Vec<_> =
                move_values(&game, &values, &position).into_iter().map(|(_, value)| value).collect();
            moves.sort_by_key(|&value| std::cmp::Reverse(value));
            let [best, next, ..] = moves[..] else { continue };
            if best.outcome() > next.outcome() && best.points() - next.points() >= margin {
                expected.insert(game.position_text(&position));
            }
        }
        let found = puzzles(folder.path(), &["rev4x4", "--margin", &margin.to_string(), "--count", "1000"]);
        let different: BTreeSet<_> = positions(&found).into_iter().collect();
        assert_eq!(different.len(), found.len());
        assert_eq!(found.len(), expected.len().min(1000), "ahead by {margin}");
        assert!(different.is_subset(&expected), "ahead by {margin}");
        found.iter().for_each(|puzzle| check_score(&game, &values, puzzle));
        counts.push(expected.len());
    }
    assert!(counts.is_sorted_by(|a, b| a > b) && counts[2] > 0, "{counts:?}");
    // The default margin is one point.
    let drawn = |args: &[&str]| good(folder.path(), &[&["puzzle", "rev4x4", "--count", "20"], args].concat());
    assert_eq!(drawn(&[]), drawn(&["--margin", "1"]));
}

fn check_score(game: &Reversi, values: &Values, puzzle: &PuzzleReport) {
    let position = game.parse_position(&puzzle.position).unwrap();
    let moves = move_values(game, values, &position);
    let &(best, value) = moves.iter().max_by_key(|(_, value)| *value).unwrap();
    assert_eq!(puzzle.solution, game.move_text(best), "{puzzle:?}");
    assert_eq!((puzzle.measure, puzzle.moves), (value.measure(), moves.len()), "{puzzle:?}");
    let last = plays_out(game, puzzle);
    let mine = if game.side(&last) == game.side(&position) { 1 } else { -1 };
    assert_eq!(game.terminal_value(&last).unwrap().points() * mine, value.points(), "{puzzle:?}");
}

#[test]
fn a_seed_always_draws_the_same_and_seeds_draw_evenly() {
    let folder = table("bin3x3");
    let drawn = |seed: &str, count: &str, threads: &str| {
        let args = ["puzzle", "bin3x3", "--plies", "3", "--count", count, "--seed", seed, "--json"];
        let run = command(folder.path(), &args).env("RAYON_NUM_THREADS", threads).output().unwrap();
        assert!(run.status.success());
        positions(&serde_json::from_slice::<Vec<PuzzleReport>>(&run.stdout).unwrap())
    };
    let first = drawn("7", "30", "1");
    for threads in ["1", "2", "5"] {
        assert_eq!(drawn("7", "30", threads), first);
    }
    assert_eq!(drawn("7", "10", "2"), first[..10], "more puzzles begin with the same ones");
    let other = drawn("8", "30", "2");
    assert_ne!(other, first);
    assert_ne!(drawn("0", "30", "2"), first);
    // All positions are drawn with the same probability: about half of the puzzles have a key in the lower half of the
    // keys.
    let game = binarsi("bin3x3");
    let all: Vec<u64> = {
        let texts = &by_plies(&game, &brute_values(&game))[&3];
        let mut keys: Vec<u64> = texts.iter().map(|text| game.rank(&game.parse_position(text).unwrap())).collect();
        keys.sort_unstable();
        keys
    };
    let middle = all[all.len() / 2];
    let sample = drawn("3", "400", "2");
    let low = sample.iter().filter(|text| game.rank(&game.parse_position(text).unwrap()) < middle).count();
    assert!((150..250).contains(&low), "{low} of 400 in the lower half of {}", all.len());
}

// The quiz

/// Returns the output of a quiz that gets these answers.
fn quiz(folder: &Path, args: &[&str], answers: impl AsRef<[u8]>) -> String {
    let mut command = assert_cmd::Command::new(program());
    command.arg("puzzle").args(args).arg("--quiz").env("YOMIKIRI_TABLES", folder).env("YOMIKIRI_DATA", "");
    let ran = command.write_stdin(answers.as_ref()).output().unwrap();
    assert!(ran.status.success() && ran.stderr.is_empty(), "{}", String::from_utf8_lossy(&ran.stderr));
    String::from_utf8(ran.stdout).unwrap()
}

/// Arguments of `puzzle` for three puzzles of bin3x3 with wins in three plies.
const ASKED: [&str; 5] = ["bin3x3", "--plies", "3", "--count", "3"];

/// Returns the first line of the quiz after each prompt.
fn replies(said: &str) -> Vec<&str> {
    said.split("Your move: ").skip(1).map(|reply| reply.lines().next().unwrap_or_default()).collect()
}

#[test]
fn right_answers_are_counted() {
    let folder = table("bin3x3");
    let puzzles = puzzles(folder.path(), &ASKED);
    let solutions: Vec<_> = puzzles.iter().map(|puzzle| puzzle.solution.as_str()).collect();
    let said = quiz(folder.path(), &ASKED, solutions.join("\r\n"));
    assert!(said.starts_with("Type a move in the game's notation. hint "), "{said}");
    assert!(said.ends_with("\n\nSolved 3 of 3, 3 at once.\n"), "{said}");
    for (at, (puzzle, reply)) in puzzles.iter().zip(replies(&said)).enumerate() {
        assert!(said.contains(&format!("puzzle {} of 3\n", at + 1)) && said.contains(&puzzle.position));
        assert!(reply.starts_with(&format!("Right. Best play: {} ", solutions[at])), "{said}");
    }
    assert_eq!(said.matches(" to move wins in 3 plies. Which move?\n").count(), 3, "{said}");
}

#[test]
fn wrong_answers_say_what_they_lead_to() {
    let folder = table("bin3x3");
    let puzzle = &puzzles(folder.path(), &ASKED)[0];
    let query: QueryReport = good_report(folder.path(), &["query", "bin3x3", &puzzle.position, "--json"]);
    let wrong = &query.moves[1..];
    assert!(!wrong.is_empty());
    let answers: Vec<_> = wrong.iter().map(|mv| mv.mv.as_str()).collect();
    let said = quiz(folder.path(), &ASKED, format!("{}\n{}\n", answers.join("\n"), puzzle.solution));
    let replies = replies(&said);
    for (mv, reply) in wrong.iter().zip(&replies) {
        let plies = mv.measure.plies().unwrap().0;
        let unit = if plies == 1 { "ply" } else { "plies" };
        assert_eq!(*reply, format!("Wrong: {} loses in {plies} {unit}.", mv.mv));
    }
    assert!(replies[wrong.len()].starts_with("Right. "), "{said}");
    assert!(said.ends_with("\n\nSolved 1 of 2, 0 at once.\n"), "{said}");
}

#[test]
fn scores_are_told_of_wrong_answers() {
    let folder = table("rev4x4");
    let args = ["rev4x4", "--margin", "2", "--seed", "5"];
    let puzzle = &puzzles(folder.path(), &args)[0];
    let query: QueryReport = good_report(folder.path(), &["query", "rev4x4", &puzzle.position, "--json"]);
    let second = &query.moves[1];
    let worth = match second.measure {
        Measure::Score { score: 0 } => "draws".to_string(),
        Measure::Score { score } => format!("loses by {}", -score),
        Measure::Distance { .. } => panic!("{second:?}"),
    };
    let said = quiz(folder.path(), &args, &second.mv);
    assert_eq!(replies(&said)[0], format!("Wrong: {} {worth}.", second.mv), "{said}");
}

#[test]
fn garbage_gets_one_line_and_the_question_stands() {
    let folder = table("bin3x3");
    let solution = puzzles(folder.path(), &ASKED)[0].solution.clone();
    let garbage = [&b""[..], b"xyzzy", b"99", b"\x1b[31m", b"hint me", b"\xff\xfe", "\u{7aef}".as_bytes()];
    let said = quiz(folder.path(), &ASKED, [&garbage.join(&b'\n'), solution.as_bytes()].join(&b'\n'));
    let replies: Vec<_> = said.split("Your move: ").skip(1).collect();
    for reply in &replies[..garbage.len()] {
        assert_eq!(reply.lines().count(), 1, "{reply:?}");
        assert!(reply.len() > 5 && !reply.contains('\x1b'), "{reply:?}");
    }
    assert!(replies[garbage.len()].starts_with("Right. "), "{said}");
    assert!(said.ends_with("Solved 1 of 2, 1 at once.\n"), "mistyped is not wrong: {said}");
}

#[test]
fn hints_tell_a_letter_and_skip_tells_all() {
    let folder = table("bin3x3");
    let puzzles = puzzles(folder.path(), &ASKED);
    let solution = |at: usize| puzzles[at].solution.as_str();
    let said = quiz(folder.path(), &ASKED, format!("hint\n{}\n  skip  \n{}\n", solution(0), solution(2)));
    let replies = replies(&said);
    assert_eq!(replies[0], format!("The move begins with {}.", &solution(0)[..1]));
    assert!(replies[1].starts_with("Right. "), "{said}");
    assert!(replies[2].starts_with(&format!("It was {0}. Best play: {0} ", solution(1))), "{said}");
    assert!(said.ends_with("\n\nSolved 2 of 3, 1 at once.\n"), "{said}");
}

#[test]
fn a_quiz_ends_when_nobody_answers() {
    let folder = table("bin3x3");
    for answers in ["", "quit\n", "quit"] {
        let said = quiz(folder.path(), &ASKED, answers);
        assert!(said.ends_with("\nSolved 0 of 1, 0 at once.\n"), "{answers:?}: {said}");
        assert_eq!(said.matches("Your move: ").count(), 1, "{answers:?}: {said}");
    }
}
