//! Tests of tables of the pyonpyon game against plain retrograde analysis by the naive rules: every position of small
//! boards, in both readings, draws included. Further tests cover the moves that the kernel and the audit use.

use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::ops::ControlFlow;

use crate::support::games::{any, pyonpyon};
use crate::support::random::Random;
use crate::support::solving::analyzed;
use yomikiri_answer::Stats;
use yomikiri_naive::pyonpyon as naive;
use yomikiri_naive::pyonpyon::Naive;
use yomikiri_naive::pyonpyon_values::{NaiveValue, NaiveValues, plies};
use yomikiri_rules::games::pyonpyon::Pyonpyon;
use yomikiri_rules::{Distance, Game, Notation, Outcome, Plies, Value};
use yomikiri_solve::Solvable;
use yomikiri_solve::retrograde::{Complete, Cyclic, Verdict};
use yomikiri_table::parallel;

/// Boards whose positions the naive rules solve as well. Narrow boards have no draws.
const SIZES: [&str; 6] = ["2x3", "2x4", "2x5", "3x3", "3x4", "4x3"];

fn codes() -> impl Iterator<Item = String> {
    SIZES.iter().flat_map(|size| ["A", "B"].map(|reading| format!("pyon{size}{reading}")))
}

fn distance(value: NaiveValue) -> Distance {
    match (value.cmp(&0), plies(value)) {
        (Ordering::Greater, Some(plies)) => Distance::Win(Plies(plies)),
        (Ordering::Less, Some(plies)) => Distance::Loss(Plies(plies)),
        _ => Distance::Draw,
    }
}

#[test]
fn every_position_of_small_boards_has_the_value_of_plain_retrograde_analysis() {
    let folder = tempfile::tempdir().unwrap();
    let mut draws = 0;
    for code in codes() {
        let (game, naive) = (pyonpyon(&code), Naive::from_code(&code));
        let placements = naive.all_positions('x');
        let values = NaiveValues::from(naive, placements.clone());
        let table = analyzed(&game, folder.path());
        // The numbers of canonical positions by value: first of undecided ones, then of those in which the game is
        // over. A position and its mirror image count once.
        let [mut open, mut ended] = [BTreeMap::new(), BTreeMap::new()];
        for text in &placements {
            let (position, value) = (game.parse_position(text).unwrap(), distance(values.value(text)));
            let is_over = game.is_terminal(&position);
            assert_eq!(game.probe(&table, &position).unwrap(), (!is_over).then_some(value), "{text} in {code}");
            assert_eq!(is_over, values.rules.winner(text).is_some(), "{text} in {code}");
            draws += u32::from(value == Distance::Draw);
            if *text <= naive::mirror(text) {
                *if is_over { &mut ended } else { &mut open }.entry(value.to_byte()).or_insert(0) += 1;
            }
        }
        let meta = table.meta().unwrap();
        assert_eq!(meta.tally.plies.get(&0).cloned().unwrap_or_default(), open, "{code}");
        assert_eq!(meta.ended, ended, "{code}");
        let start = game.probe(&table, &game.start()).unwrap().unwrap();
        let stats = Stats::new(&any(&code), &meta, start.into(), game.side(&game.start())).unwrap();
        assert_eq!(stats.positions, u64::from(game.index.count()), "{code}");
        assert_eq!(stats.wins + stats.losses + stats.draws, stats.positions);
    }
    assert!(draws > 80_000, "boards without draws prove little");
}

/// Compares the children, the parents and the ends that the kernel finds with the plain rules, for random positions.
#[test]
fn the_kernel_sees_the_same_moves_as_the_rules() {
    let mut random = Random::new(11);
    for code in ["pyon", "pyonB", "pyon5x4", "pyon4x5B", "pyon3x3", "pyon2x5"] {
        let game = pyonpyon(code);
        for _ in 0..300 {
            let key = random.below(game.keys() as usize) as u32;
            if !game.is_terminal(&Cyclic::position(&game, key)) {
                check_moves(&game, key);
            }
        }
    }
}

fn check_moves(game: &Pyonpyon, key: u32) {
    let position = Cyclic::position(game, key);
    let text = game.position_text(&position);
    let board = |key| game.board(key, &mut Default::default());
    let moves = game.legal_moves(&position);
    let child = |&mv| {
        let child = game.play(&position, mv);
        (game.rank(&child) as u32, game.terminal_value(&child).map(|value| (value.outcome(), 0)))
    };
    let mut expected: Vec<_> = moves.iter().map(child).collect();
    let mut found = Vec::new();
    let _ = game.children(&board(key), |child, over| {
        found.push((game.key_of(child), over));
        ControlFlow::Continue(())
    });
    expected.sort();
    found.sort();
    assert_eq!(found, expected, "children of {text} in {}", game.code());
    for (child, _) in expected {
        let mut parents = Vec::new();
        let _ = game.parents(&board(child), |parent| {
            parents.push(parent);
            ControlFlow::Continue(())
        });
        assert!(parents.contains(&key), "{text} is a parent of {child}");
    }
}

/// The destinations of a piece depend only on the occupied squares. So all cases on the 5x5 board can be compared with
/// a search that goes from square to square.
#[test]
fn every_destination_on_the_whole_board_is_right() {
    let game = pyonpyon("pyon");
    let rays: [[Ray; 8]; 25] = std::array::from_fn(rays);
    let masks: Vec<u32> = (0..1u32 << 25).filter(|mask| mask.count_ones() == 10).collect();
    assert_eq!(masks.len(), 3_268_760);
    let check = |&mask: &u32| {
        let occupied: [bool; 25] = std::array::from_fn(|square| mask >> square & 1 == 1);
        for from in (0..25).filter(|&square| occupied[square]) {
            let walked = walk(&rays, occupied, from);
            assert_eq!(game.lines.destinations(mask, from as u32), walked, "from {from} with {mask:025b}");
        }
    };
    parallel::each_range(masks.len(), 1 << 10, |share| masks[share].iter().for_each(check));
}

/// The squares from one square to the edge in one direction, nearest first. Squares are numbered `5 * file + rank`.
#[derive(Clone, Copy, Default)]
struct Ray {
    squares: [u8; 4],
    length: usize,
}

/// Returns the rays from a square in all eight directions.
fn rays(square: usize) -> [Ray; 8] {
    let (file, rank) = (square as i32 / 5, square as i32 % 5);
    [(-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1)].map(|(x, y)| {
        let mut ray = Ray::default();
        let (mut file, mut rank) = (file + x, rank + y);
        while (0..5).contains(&file) && (0..5).contains(&rank) {
            ray.squares[ray.length] = (5 * file + rank) as u8;
            ray.length += 1;
            (file, rank) = (file + x, rank + y);
        }
        ray
    })
}

/// Returns the destinations of a piece as a mask: those of one step and of any number of jumps. The piece leaves its
/// own square empty and does not return to it. The loops are plain, because there are 32 million cases.
fn walk(rays: &[[Ray; 8]; 25], mut occupied: [bool; 25], from: usize) -> u32 {
    let (mut reached, mut waiting, mut count) = (1u32 << from, [from; 25], 1);
    occupied[from] = false;
    while count > 0 {
        count -= 1;
        for ray in &rays[waiting[count]] {
            let mut run = 0;
            while run < ray.length && occupied[ray.squares[run] as usize] {
                run += 1;
            }
            if run == 0 || run == ray.length {
                continue;
            }
            let landing = ray.squares[run] as usize;
            if reached >> landing & 1 == 0 {
                reached |= 1 << landing;
                waiting[count] = landing;
                count += 1;
            }
        }
    }
    for ray in &rays[from] {
        if ray.length > 0 && !occupied[ray.squares[0] as usize] {
            reached |= 1 << ray.squares[0];
        }
    }
    reached & !(1 << from)
}

#[test]
fn ends_are_all_positions_in_which_the_game_is_over() {
    for code in ["pyon2x3", "pyon3x3B", "pyon3x4", "pyon4x4", "pyon4x4B"] {
        let game = pyonpyon(code);
        let end = |key| game.terminal_value(&Cyclic::position(&game, key)).map(|value| (key, value.outcome()));
        let expected: Vec<(u32, Outcome)> = (0..game.keys()).filter_map(end).collect();
        assert_eq!(game.ends(), expected, "{code}");
    }
    // The counts on the 5x5 board come from a pass over all 411,883,560 keys.
    let count = |code: &str, outcome| {
        let ends = pyonpyon(code).ends();
        ends.iter().filter(|(_, end)| *end == outcome).count()
    };
    assert_eq!((count("pyon", Outcome::Loss), count("pyon", Outcome::Win)), (22_385, 22_384));
    assert_eq!((count("pyonB", Outcome::Loss), count("pyonB", Outcome::Win)), (22_385, 0));
}

/// The audit visits every key once, and finds the same best value as the plain rules do.
#[test]
fn the_audit_meets_every_position_once() {
    for code in ["pyon2x4", "pyon3x3B", "pyon4x3", "pyon4x4B"] {
        let game = pyonpyon(code);
        let mut random = Random::new(7);
        let bytes: Vec<u8> = (0..game.keys()).map(|_| random.below(256) as u8).collect();
        let worth: [u8; 256] = std::array::from_fn(|byte| (byte as u8).wrapping_mul(77));
        let mut met = vec![false; bytes.len()];
        let data = game.audit_data();
        for part in 0..game.parts() {
            game.check_part(&data, part, &bytes, &worth, |key, verdict| {
                assert!(!std::mem::replace(&mut met[key as usize], true), "{key} twice in {code}");
                assert_eq!(verdict, plain_verdict(&game, key, &bytes, &worth), "{key} in {code}");
            });
        }
        assert!(met.iter().all(|&met| met), "{code}");
    }
}

fn plain_verdict(game: &Pyonpyon, key: u32, bytes: &[u8], worth: &[u8; 256]) -> Verdict {
    let position = Cyclic::position(game, key);
    if let Some(end) = game.terminal_value(&position) {
        return Verdict::Over(end.outcome());
    }
    let moves = game.legal_moves(&position);
    let child = |&mv| worth[usize::from(bytes[game.rank(&game.play(&position, mv)) as usize])];
    Verdict::Best(moves.iter().map(child).max().unwrap())
}
