//! Compares the moves of runs, sets of positions whose moves are made together, with the moves of each position.

use std::collections::{BTreeMap, BTreeSet};

use super::*;
use crate::games::animal_shogi::board::Board;

/// Returns the block of positions that contains `number`, and some of these positions as a set of indices in the block.
/// They are those whose numbers are keys and in which the side to move cannot take the lion.
fn run_at(rules: &Rules, index: &Index, number: u32) -> (RotatedBlock, Bits) {
    let (mut block, mut from) = (RotatedBlock::default(), NONE);
    index.find_block(number, &mut block);
    let (first, count) = block.numbers();
    for number in first..first + count {
        let board = index.unrank_rotated(number, &mut block);
        let arises = board.opponent_attackers(rules, board.own_lion()) == 0;
        if arises && index.is_canonical_rotated(number, &board) {
            from[(number - first) as usize / 64] |= 1 << ((number - first) % 64);
        }
    }
    (block, from)
}

/// Calls `check` with blocks of positions from the whole range of numbers below [`Index::open`], each with the set that
/// `run_at` returns. In some blocks, both lions are in the middle column.
fn runs(code: &str, check: impl Fn(&Rules, &Index, &RotatedBlock, &Bits)) {
    let rules = Rules::parse(code).unwrap();
    let index = Index::new(&rules);
    for number in (0..index.open()).step_by(99_991) {
        let (block, from) = run_at(&rules, &index, number);
        check(&rules, &index, &block, &from);
    }
}

fn board(index: &Index, block: &RotatedBlock, place: usize) -> Board {
    index.unrank_rotated(block.numbers().0 + place as u32, &mut block.clone())
}

const CODES: [&str; 4] = ["val1n", "val1nT", "8bs1g", "3o5p7"];

#[test]
fn undecided_places_are_those_of_each_position() {
    let twofold = std::cell::Cell::new(0);
    for code in CODES {
        runs(code, |rules, index, block, _| {
            let run = Run::new(rules, index, block);
            let (first, count) = block.numbers();
            let undecided = run.possible_children();
            for place in 0..count as usize {
                let board = board(index, block, place);
                let attackers = board.own_attackers(rules, board.opponent_lion()).count_ones();
                let expected = attackers < 2 && board.opponent_attackers(rules, board.own_lion()) == 0;
                assert_eq!(undecided[place / 64] >> (place % 64) & 1 == 1, expected, "{code} {first} {place}");
                assert!(run.is_twofold() || index.is_canonical_rotated(first + place as u32, &board));
            }
            twofold.set(twofold.get() + u32::from(run.is_twofold()));
        });
    }
    assert!(twofold.get() > 100, "{}", twofold.get());
}

#[test]
fn moves_of_runs_are_those_of_each_position() {
    let found = std::cell::Cell::new(0);
    for code in CODES {
        runs(code, |rules, index, block, from| {
            // Maps a tuple to the number of moves that have it. The tuple is the position's index in the run, the
            // number of the child, true if the mover's lion can be taken, and true if a try wins.
            let (mut expected, mut made) = (BTreeMap::new(), BTreeMap::new());
            each_place(from, |place| {
                let _ = board(index, block, place).after_moves(rules, |_, next, attacked| {
                    let key = (place, index.rank(next), attacked, !attacked && next.tried(rules));
                    *expected.entry(key).or_insert(0) += 1;
                    ControlFlow::Continue(())
                });
            });
            let _ = Run::new(rules, index, block).moves(from, |leap| {
                let landing = leap.landing();
                for (set, attacked) in [(leap.goes_on, false), (leap.attacked, true)] {
                    let mut all = NONE;
                    each_place(&set, |place| {
                        let mut one = NONE;
                        one[place / 64] = 1 << (place % 64);
                        let image = landing.images(&one);
                        assert_eq!(landing.origins(&one, &image), one);
                        assert!(is_empty(&landing.origins(&one, &without(&ALL, &image))));
                        all = or(&all, &image);
                        each_place(&image, |image| {
                            let key = (place, landing.first + image as u32, attacked, !attacked && leap.tried);
                            *made.entry(key).or_insert(0) += 1;
                        });
                    });
                    assert_eq!(landing.images(&set), all);
                }
                ControlFlow::Continue(())
            });
            assert_eq!(made, expected, "{code} {}", block.numbers().0);
            found.set(found.get() + made.len());
        });
    }
    assert!(found.get() > 100_000, "{}", found.get());
}

#[test]
fn unmoves_of_runs_are_those_of_each_position() {
    let found = std::cell::Cell::new(0);
    for code in CODES {
        runs(code, |rules, index, block, from| {
            let (mut expected, mut made) = (BTreeSet::new(), BTreeSet::new());
            each_place(from, |place| {
                let _ = board(index, block, place).before_moves(rules, index.open_lions(), |before| {
                    expected.insert((place, index.rank(before)));
                    ControlFlow::Continue(())
                });
            });
            Run::new(rules, index, block).unmoves(from, |landing, set| {
                each_place(set, |place| {
                    let mut one = NONE;
                    one[place / 64] = 1 << (place % 64);
                    each_place(&landing.images(&one), |image| {
                        made.insert((place, landing.first + image as u32));
                    });
                });
            });
            assert_eq!(made, expected, "{code} {}", block.numbers().0);
            found.set(found.get() + made.len());
        });
    }
    assert!(found.get() > 50_000, "{}", found.get());
}
