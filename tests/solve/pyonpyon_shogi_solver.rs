//! Tests of tables of the pyonpyon game with shogi pieces. On small boards, every position that can arise is compared
//! with value iteration by the naive rules. The kernels are compared with each other, and their moves with the rules.

use std::collections::{BTreeSet, HashMap};
use std::ops::ControlFlow;

use crate::support::games::{legal_moves, pyonpyon_shogi};
use crate::support::solving::{analyzed, job};
use yomikiri_naive::pyonpyon_shogi::Naive;
use yomikiri_rules::{Distance, Game, Notation, Outcome, Plies, Side, Value};
use yomikiri_solve::retrograde::{self, Cyclic};
use yomikiri_solve::{Solvable, sparse};
use yomikiri_table::probe::open;
use yomikiri_table::{IndexKind, Silent};

/// Returns the values of all positions that can arise from the start, by text. They are found by value iteration: each
/// value is computed from the values after the position's moves, until no value changes.
fn naive_values(rules: &Naive) -> HashMap<String, Distance> {
    let (mut texts, mut numbers) = (vec![rules.start_text()], HashMap::from([(rules.start_text(), 0)]));
    let mut children: Vec<Vec<usize>> = Vec::new();
    while children.len() < texts.len() {
        let text = texts[children.len()].clone();
        let mut numbered = |mv: String| {
            let child = rules.play(&text, &mv);
            *numbers.entry(child.clone()).or_insert_with(|| {
                texts.push(child);
                texts.len() - 1
            })
        };
        children.push(rules.legal_moves(&text).into_iter().map(&mut numbered).collect());
    }
    let over = |text: &String| match rules.winner(text) {
        Some(winner) if text.ends_with(winner) => Distance::Win(Plies(0)),
        Some(_) => Distance::Loss(Plies(0)),
        None => Distance::Draw,
    };
    let over: Vec<Distance> = texts.iter().map(over).collect();
    let mut values = over.clone();
    loop {
        let best = |at: usize| children[at].iter().map(|&child| values[child].of_move()).max().unwrap_or(over[at]);
        let next: Vec<Distance> = (0..texts.len()).map(best).collect();
        if next == values {
            return texts.into_iter().zip(values).collect();
        }
        values = next;
    }
}

#[test]
fn every_position_that_can_arise_has_the_value_of_the_naive_rules() {
    let folder = tempfile::tempdir().unwrap();
    let (mut draws, mut stuck) = (0, 0);
    for code in [
        "pyon2x3-PP",
        "pyon2x3-PG",
        "pyon2x3B-GN",
        "pyon2x3-RB",
        "pyon2x4-PS",
        "pyon2x4B-NN",
        "pyon2x5-LP",
        "pyon3x3-PPP",
        "pyon3x3-PGP",
        "pyon3x3B-SNS",
        "pyon3x3-PNS",
        "pyon3x3-LPB",
    ] {
        let (game, rules) = (pyonpyon_shogi(code), Naive::from_code(code));
        let table = analyzed(&game, folder.path());
        let (mut open, mut ended) = (BTreeSet::new(), BTreeSet::new());
        for (text, value) in naive_values(&rules) {
            let position = game.parse_position(&text).unwrap();
            let is_over = game.is_terminal(&position);
            assert_eq!(game.probe(&table, &position).unwrap(), (!is_over).then_some(value), "{text} in {code}");
            draws += u32::from(value == Distance::Draw);
            stuck += u32::from(rules.is_stuck(&text));
            if is_over { &mut ended } else { &mut open }.insert(rules.canonical(&text));
        }
        assert_eq!(table.header.positions.get(), open.len() as u64, "{code}");
        assert_eq!(table.meta().unwrap().ended.values().sum::<u64>(), ended.len() as u64, "{code}");
    }
    assert!(draws > 20_000 && stuck > 20, "{draws} draws, {stuck} positions without a move");
}

/// Compares the solver for dense keys, which finds the parents of positions, with the one for sorted keys, which counts
/// children.
#[test]
fn both_kernels_agree() {
    for code in ["pyon2x4-PG", "pyon3x3-GSG", "pyon3x3B-PNS", "pyon3x3-RPL", "pyon3x4-PGP"] {
        let (game, folder) = (pyonpyon_shogi(code), tempfile::tempdir().unwrap());
        let path = folder.path().join(format!("{code}.tbl"));
        retrograde::analyze_dense(&game, &path, &job()).unwrap();
        let table = open(&game, &path).unwrap();
        assert_ne!(table.header.index_kind, IndexKind::SortedKeys, "{code}");
        game.audit(None, &table, &job()).unwrap();
        let (solved, ended) = sparse::solve(&game, &game.start(), sparse::Limits::memory(1 << 30), &Silent).unwrap();
        assert_eq!(table.meta().unwrap().ended, ended, "{code}");
        let bytes = retrograde::read(&game, &table).unwrap();
        let (keys, expected) = &solved.levels[0];
        assert_eq!(bytes.iter().filter(|&&byte| byte != 0).count(), keys.len(), "{code}");
        for (&key, &byte) in keys.iter().zip(expected) {
            assert_eq!(bytes[key as usize], byte, "key {key} of {code}");
        }
        assert_eq!(game.audit_sample(&table, 200, &Silent).unwrap(), 200);
    }
}

/// Compares the children, the parents and the ends that the kernel finds with the plain rules, for all positions of
/// small boards.
#[test]
fn the_kernel_sees_the_same_moves_as_the_rules() {
    for code in ["pyon2x3-PN", "pyon2x4B-GS", "pyon2x4-LB", "pyon3x3-PNS", "pyon3x3B-LRG"] {
        let game = pyonpyon_shogi(code);
        let mut parents: HashMap<u64, BTreeSet<u64>> = HashMap::new();
        let all = (0..game.keys()).filter_map(|key| game.unrank(key).map(|position| (key, position)));
        for (key, position) in all.clone() {
            let board = game.board(key, &mut ());
            assert_eq!(game.may_arise(key, &board), !game.is_terminal(&position), "{key} of {code}");
            if game.is_terminal(&position) {
                continue;
            }
            let mut seen = BTreeSet::new();
            let _ = game.children(&board, |child, end| {
                seen.insert((game.key_of(child), end));
                ControlFlow::Continue(())
            });
            let child = |mv| {
                let child = game.play(&position, mv);
                let over = game.is_terminal(&child).then(|| game.terminal_value(&child)).flatten();
                (game.rank(&child), over.map(|value| (value.outcome(), 0)))
            };
            let expected: BTreeSet<(u64, Option<(Outcome, u8)>)> =
                legal_moves(&game, &position).into_iter().map(child).collect();
            assert_eq!(seen, expected, "{key} of {code}");
            seen.iter().for_each(|&(child, _)| _ = parents.entry(child).or_default().insert(key));
        }
        for (key, position) in all {
            let mut seen = BTreeSet::new();
            let _ = game.parents(&game.board(key, &mut ()), |parent| {
                seen.insert(parent);
                ControlFlow::Continue(())
            });
            seen.retain(|&parent| game.may_arise(parent, &game.board(parent, &mut ())));
            let expected = parents.get(&key).cloned().unwrap_or_default();
            assert_eq!(seen, expected, "parents of {} in {code}", game.position_text(&position));
        }
        let unused = (0..game.keys()).filter(|&key| game.unrank(key).is_none());
        unused.for_each(|key| assert!(!game.may_arise(key, &game.board(key, &mut ())), "{key} of {code}"));
    }
}

/// A position has the same value after a half turn of the board with the colours swapped and the other side to move.
#[test]
fn both_sides_are_seen_alike() {
    let folder = tempfile::tempdir().unwrap();
    let game = pyonpyon_shogi("pyon3x3-PNS");
    let table = analyzed(&game, folder.path());
    let position = game.play(&game.start(), legal_moves(&game, &game.start())[0]);
    let seen = position.seen_by_mover(game.rules.base.board);
    assert_eq!((position.side, seen.side), (Side::White, Side::Black));
    assert_eq!(game.probe(&table, &position).unwrap(), game.probe(&table, &seen).unwrap());
    assert!(game.probe(&table, &seen).unwrap().is_some());
}

/// The memory that a large board needs is known before the run begins: over 512 GiB.
#[test]
fn large_boards_are_refused() {
    let game = pyonpyon_shogi("pyon-PNSGP");
    assert!(game.memory_needed().is_some_and(|bytes| bytes > 1 << 39));
}
