//! Tables of the pyonpyon game against plain retrograde analysis by the naive rules: every position of small boards,
//! in both readings, draws included; and what the kernel and the audit rest on.

use std::collections::{BTreeMap, HashMap};
use std::ops::ControlFlow;

use crate::naive::pyonpyon as naive;
use crate::naive::pyonpyon::Naive;
use crate::support::games::pyonpyon;
use crate::support::random::Random;
use crate::support::solving::{analyzed, job};
use rayon::prelude::*;
use yomikiri_answer::Stats;
use yomikiri_rules::game::Game;
use yomikiri_rules::games::pyonpyon::Pyonpyon;
use yomikiri_rules::value::{Distance, Outcome, Plies, Value};
use yomikiri_solve::Solvable;
use yomikiri_solve::retrograde::{Complete, Cyclic, Verdict};
use yomikiri_table::IndexKind;

/// Boards of which every position is solved by the naive rules too. Narrow ones have no draws.
const SIZES: [&str; 6] = ["2x3", "2x4", "2x5", "3x3", "3x4", "4x3"];

fn codes() -> impl Iterator<Item = String> {
    SIZES.iter().flat_map(|size| ["A", "B"].map(|reading| format!("pyon{size}{reading}")))
}

/// All positions of a board as the side to move, x, sees them, by the naive rules, with their values.
struct Solution {
    positions: Vec<String>,
    values: Vec<Distance>,
}

impl Solution {
    fn of(naive: &Naive) -> Solution {
        let positions = all_positions(naive);
        let number: HashMap<&str, usize> = positions.iter().map(String::as_str).zip(0..).collect();
        let values = positions.iter().map(|text| ended(naive, text)).collect::<Vec<_>>();
        let children = |text: &String| -> Vec<usize> {
            let seen = |mv: &String| number[naive::turn_around(&naive.play(text, mv)).as_str()];
            naive.legal_moves(text).iter().map(seen).collect()
        };
        let open = |at: &usize| values[*at].is_none();
        let children: HashMap<usize, Vec<usize>> =
            (0..positions.len()).filter(open).map(|at| (at, children(&positions[at]))).collect();
        let values = by_distance(values, &children);
        Solution { positions, values }
    }

    /// How many canonical positions have each value: undecided ones, and those in which the game is over.
    /// A position and its mirror image are the same.
    fn counts(&self, naive: &Naive) -> [BTreeMap<u8, u64>; 2] {
        let mut counts = [BTreeMap::new(), BTreeMap::new()];
        for (text, value) in self.positions.iter().zip(&self.values) {
            if *text <= naive::mirror(text) {
                let over = usize::from(ended(naive, text).is_some());
                *counts[over].entry(value.to_byte()).or_insert(0) += 1;
            }
        }
        counts
    }
}

fn ended(naive: &Naive, text: &str) -> Option<Distance> {
    let winner = naive.winner(text)?;
    Some(if winner == 'x' { Distance::Win(Plies(0)) } else { Distance::Loss(Plies(0)) })
}

/// Every placement of the pieces, x to move.
fn all_positions(naive: &Naive) -> Vec<String> {
    let area = naive.files * naive.ranks;
    let mut boards = vec![String::new()];
    for _ in 0..area {
        boards = boards.iter().flat_map(|board| ['x', 'o', '.'].map(|piece| format!("{board}{piece}"))).collect();
        boards.retain(|board| {
            let count = |piece| board.chars().filter(|&c| c == piece).count();
            let left = area - board.len();
            let most = |piece| count(piece) <= naive.files && count(piece) + left >= naive.files;
            most('x') && most('o')
        });
    }
    let text = |board: String| {
        let row = |row: &[char]| crate::naive::write_rank(row);
        let squares: Vec<char> = board.chars().collect();
        let rows: Vec<String> = squares.chunks(naive.files).map(row).collect();
        format!("{} x", rows.join("/"))
    };
    boards.into_iter().map(text).collect()
}

/// Values ply by ply: whoever has a move to a loss wins, whoever has only moves to wins loses, the rest is drawn.
fn by_distance(mut values: Vec<Option<Distance>>, children: &HashMap<usize, Vec<usize>>) -> Vec<Distance> {
    for plies in 1.. {
        let last = plies - 1;
        let known = |at: usize| values[at];
        let found: Vec<(usize, Distance)> = children
            .iter()
            .filter(|(at, _)| known(**at).is_none())
            .filter_map(|(&at, children)| {
                let won = children.iter().any(|&child| known(child) == Some(Distance::Loss(Plies(last))));
                let lost = children.iter().all(|&child| matches!(known(child), Some(Distance::Win(_))));
                let win = won.then_some(Distance::Win(Plies(plies)));
                win.or(lost.then_some(Distance::Loss(Plies(plies)))).map(|value| (at, value))
            })
            .collect();
        if found.is_empty() && values.iter().flatten().all(|value| value.plies().is_none_or(|n| n.0 < last)) {
            break;
        }
        found.into_iter().for_each(|(at, value)| values[at] = Some(value));
    }
    values.into_iter().map(|value| value.unwrap_or(Distance::Draw)).collect()
}

#[test]
fn every_position_of_small_boards_has_the_value_of_plain_retrograde_analysis() {
    let folder = tempfile::tempdir().unwrap();
    let mut draws = 0;
    for code in codes() {
        let (game, naive) = (pyonpyon(&code), Naive::from_code(&code));
        let solution = Solution::of(&naive);
        let table = analyzed(&game, folder.path());
        for (text, &value) in solution.positions.iter().zip(&solution.values) {
            let position = game.parse_position(text).unwrap();
            let stored = game.probe(&table, &position).unwrap();
            let expected = (!game.is_terminal(&position)).then_some(value);
            assert_eq!(stored, expected, "{text} in {code}");
            draws += u32::from(value == Distance::Draw);
        }
        let [open, ended] = solution.counts(&naive);
        let meta = table.meta().unwrap();
        assert_eq!(meta.tally.plies.get(&0).cloned().unwrap_or_default(), open, "{code}");
        assert_eq!(meta.ended, ended, "{code}");
        let start = game.probe(&table, &game.start()).unwrap().unwrap();
        let stats = Stats::new(&game, &meta, start, game.side(&game.start()));
        assert_eq!(stats.positions, u64::from(game.index.count()), "{code}");
        assert_eq!(stats.wins + stats.losses + stats.draws, stats.positions);
    }
    assert!(draws > 80_000, "boards without draws prove little");
}

/// Children, parents and ends of random positions, through what the kernel sees and by the plain rules.
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
    let mut moves = Vec::new();
    game.moves(&position, &mut moves);
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

/// Where a piece can go depends on nothing but the occupied squares: so here is every case there is on the author's
/// board, by walking from square to square.
#[test]
fn every_destination_on_the_whole_board_is_right() {
    let game = pyonpyon("pyon");
    let rays: Vec<[Vec<usize>; 8]> = (0..25).map(rays).collect();
    let masks: Vec<u32> = (0..1u32 << 25).filter(|mask| mask.count_ones() == 10).collect();
    assert_eq!(masks.len(), 3_268_760);
    masks.par_iter().for_each(|&mask| {
        let occupied: [bool; 25] = std::array::from_fn(|square| mask >> square & 1 == 1);
        for from in (0..25).filter(|&square| occupied[square]) {
            let reached = walk(&rays, occupied, from);
            let walked: u32 = (0..25).map(|square| u32::from(reached[square]) << square).sum();
            assert_eq!(game.lines.destinations(mask, from as u32), walked, "from {from} with {mask:025b}");
        }
    });
}

/// The squares from one to the edge in eight directions, the nearest first; square `5 * file + rank`.
fn rays(square: usize) -> [Vec<usize>; 8] {
    let (file, rank) = (square as i32 / 5, square as i32 % 5);
    [(-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1)].map(|(x, y)| {
        let squares = (1..5).map(|n| (file + n * x, rank + n * y));
        let inside = |&(file, rank): &(i32, i32)| (0..5).contains(&file) && (0..5).contains(&rank);
        squares.take_while(inside).map(|(file, rank)| (5 * file + rank) as usize).collect()
    })
}

/// Where a piece can go: one step, or jumps without end. It leaves its own square empty and does not come back to it.
fn walk(rays: &[[Vec<usize>; 8]], mut occupied: [bool; 25], from: usize) -> [bool; 25] {
    let (mut reached, mut waiting, mut count) = ([false; 25], [from; 25], 1);
    occupied[from] = false;
    reached[from] = true;
    while count > 0 {
        count -= 1;
        for ray in &rays[waiting[count]] {
            let run = ray.iter().take_while(|&&square| occupied[square]).count();
            if let Some(&landing) = ray.get(run).filter(|&&landing| run > 0 && !reached[landing]) {
                reached[landing] = true;
                waiting[count] = landing;
                count += 1;
            }
        }
    }
    rays[from]
        .iter()
        .filter_map(|ray| ray.first())
        .filter(|&&next| !occupied[next])
        .for_each(|&next| reached[next] = true);
    reached[from] = false;
    reached
}

#[test]
fn ends_are_all_positions_in_which_the_game_is_over() {
    for code in ["pyon2x3", "pyon3x3B", "pyon3x4", "pyon4x4", "pyon4x4B"] {
        let game = pyonpyon(code);
        let end = |key| game.terminal_value(&Cyclic::position(&game, key)).map(|value| (key, value.outcome()));
        let expected: Vec<(u32, Outcome)> = (0..game.keys()).filter_map(end).collect();
        assert_eq!(game.ends(), expected, "{code}");
    }
    // The author's board: as many as a pass over all 411,883,560 keys has counted.
    let count = |code: &str, outcome| {
        let ends = pyonpyon(code).ends();
        ends.iter().filter(|(_, end)| *end == outcome).count()
    };
    assert_eq!((count("pyon", Outcome::Loss), count("pyon", Outcome::Win)), (22_385, 22_384));
    assert_eq!((count("pyonB", Outcome::Loss), count("pyonB", Outcome::Win)), (22_385, 0));
}

/// The audit's order goes through every key once and finds the best move's worth that the plain rules find.
#[test]
fn the_audit_meets_every_position_once() {
    for code in ["pyon2x4", "pyon3x3B", "pyon4x3", "pyon4x4B"] {
        let game = pyonpyon(code);
        let mut random = Random::new(7);
        let bytes: Vec<u8> = (0..game.keys()).map(|_| random.below(256) as u8).collect();
        let worth: [u8; 256] = std::array::from_fn(|byte| (byte as u8).wrapping_mul(77));
        let mut met = vec![false; bytes.len()];
        for part in 0..game.parts() {
            game.check_part(part, &bytes, &worth, |key, verdict| {
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
    let mut moves = Vec::new();
    game.moves(&position, &mut moves);
    let child = |&mv| worth[usize::from(bytes[game.rank(&game.play(&position, mv)) as usize])];
    Verdict::Best(moves.iter().map(child).max().unwrap())
}

#[test]
fn a_table_of_the_other_reading_does_not_pass_the_audit() {
    let folder = tempfile::tempdir().unwrap();
    let (a, b) = (pyonpyon("pyon4x3"), pyonpyon("pyon4x3B"));
    let table = analyzed(&b, folder.path());
    assert_eq!(table.header.index_kind, IndexKind::RestDraws);
    b.audit(None, &table, &job()).unwrap();
    assert!(a.audit(None, &table, &job()).is_err());
}
