//! Tests of Binarsi's kernel for searches: its move generator and endgame solver against the plain rules and brute
//! force.

use std::collections::HashSet;
use std::ops::ControlFlow;

use crate::support::games::{binarsi, legal_moves, random_game};
use crate::support::random::Random;
use yomikiri_rules::games::binarsi::{Binarsi, Position, targets};
use yomikiri_rules::{Distance, Game, Notation, Outcome, Plies, Side, Value};
use yomikiri_search::adapters::binarsi::move_generator::{CompactPosition, EndgameSolver, Successors};
use yomikiri_search::brute;

/// Boards of many shapes, with every option of the rules.
const VARIANTS: [&str; 16] = [
    "bin7x6",
    "bin7x6-n",
    "bin7x6-m",
    "bin2x2-n",
    "bin2x2-m",
    "bin3x2-t999-m",
    "bin3x3-s2b-m",
    "bin2x2",
    "bin7x2",
    "bin2x6-t222",
    "bin3x3-s2b",
    "bin4x4-t345",
    "bin6x6-s1a-t333-kb2.5-n",
    "bin5x4",
    "bin4x5-t999",
    "bin6x5-s6e-t267",
];

fn successors(successors: &Successors, field: &CompactPosition) -> Vec<CompactPosition> {
    let mut found = Vec::new();
    let flow = successors.each(field, |successor| {
        found.push(successor.position);
        ControlFlow::Continue(())
    });
    assert!(flow.is_continue());
    found
}

#[test]
fn successors_are_what_the_plain_rules_lead_to() {
    let mut random = Random::new(1);
    for code in VARIANTS {
        let game = binarsi(code);
        let kernel = Successors::new(&game.rules);
        for _ in 0..40 {
            for position in random_game(&game, &mut random) {
                let moves = legal_moves(&game, &position);
                let plain: HashSet<CompactPosition> =
                    moves.into_iter().map(|mv| (&game.play(&position, mv)).into()).collect();
                let field = CompactPosition::from(&position);
                assert_eq!(field.ply(), position.ply());
                if game.is_terminal(&position) {
                    continue;
                }
                let found = successors(&kernel, &field);
                assert_eq!(found.len(), plain.len(), "{} of {code}", game.position_text(&position));
                assert_eq!(found.into_iter().collect::<HashSet<_>>(), plain);
            }
        }
    }
}

/// If no target of a side is reported as attainable in a position, the side has not cleared all its targets at the end
/// of the game.
#[test]
fn sides_without_hope_never_clear_all_their_targets() {
    let (mut random, mut hopeless) = (Random::new(2), 0);
    for code in VARIANTS {
        let game = binarsi(code);
        let kernel = Successors::new(&game.rules);
        for _ in 0..200 {
            let positions = random_game(&game, &mut random);
            let last = positions[positions.len() - 1].targets;
            for position in &positions {
                let hope = kernel.lines.attainable(&position.into(), targets::ALL);
                for side in [Side::Black, Side::White].map(targets::all).into_iter().filter(|side| hope & side == 0) {
                    assert_ne!(last & side, side, "{} of {code}", game.position_text(position));
                    hopeless += 1;
                }
            }
        }
    }
    assert!(hopeless > 1000, "{hopeless}");
}

/// Returns true if `side` wins within `plies` plies. `value` is the value for the side `mover`.
fn wins(value: Distance, mover: Side, side: Side, plies: u32) -> bool {
    match value {
        Distance::Win(Plies(n)) => side == mover && u32::from(n) <= plies,
        Distance::Loss(Plies(n)) => side != mover && u32::from(n) <= plies,
        Distance::Draw => false,
    }
}

/// Compares the endgame solver with brute force in every `step`-th of the positions that can arise from `root`. Returns
/// the number of them that the side to move wins, and the number that it loses.
fn check_below(game: &Binarsi, root: &Position, step: usize) -> [usize; 2] {
    let mut reader = EndgameSolver::new(&game.rules, 1 << 16);
    let mut never = |_: u64| false;
    let values = brute::solve(game, root);
    let mut keys: Vec<u64> = values.keys().copied().collect();
    keys.sort_unstable();
    let mut checked = [0; 2];
    for &key in keys.iter().step_by(step) {
        let position = game.unrank(key).unwrap();
        if game.terminal_value(&position).is_some() {
            continue;
        }
        let (field, value, text) = (CompactPosition::from(&position), values[&key], game.position_text(&position));
        assert_eq!(reader.value(&field, &mut never), Some(value), "{text} of {}", game.code());
        let plies = key as u32 % 8;
        for side in [Side::Black, Side::White] {
            let found = reader.wins(&field, side, plies, &mut never);
            assert_eq!(found, Some(wins(value, position.side(), side, plies)), "{text}: {side} in {plies}");
        }
        checked[usize::from(value.outcome() == Outcome::Loss)] += 1;
    }
    checked
}

#[test]
fn small_boards_are_read_as_brute_force_reads_them() {
    let codes = [
        "bin2x2",
        "bin2x2-n",
        "bin3x3",
        "bin3x3-n",
        "bin3x3-t222-kb3.5",
        "bin2x4",
        "bin3x2-t345-n",
        "bin4x2-t223",
        "bin2x2-m",
        "bin3x3-m",
        "bin3x2-t345-m",
    ];
    for code in codes {
        let game = binarsi(code);
        let step = if code.contains("3x3") { 5 } else { 1 };
        let found = check_below(&game, &game.start(), step);
        assert!(found.iter().all(|&count| count > 2), "{code}: {found:?}");
    }
}

/// Checks late positions of random games, on boards that are too large for brute force from the start.
#[test]
fn late_positions_are_read_as_brute_force_reads_them() {
    let mut random = Random::new(3);
    for (code, most, games) in
        [("bin7x6", 4, 25), ("bin7x6-n", 4, 10), ("bin7x6-m", 4, 10), ("bin4x4", 7, 4), ("bin5x4-t333-kb2.5", 5, 10)]
    {
        let game = binarsi(code);
        let (mut checked, mut found) = (0, [0; 2]);
        while checked < games {
            let positions = random_game(&game, &mut random);
            let late = positions.iter().find(|position| game.rules.max_plies() - position.ply() <= most);
            let Some(late) = late.filter(|late| game.terminal_value(late).is_none()) else { continue };
            let [wins, losses] = check_below(&game, late, 7);
            found = [found[0] + wins, found[1] + losses];
            checked += 1;
        }
        assert!(found.iter().all(|&count| count > 100), "{code}: {found:?}");
    }
}

#[test]
fn a_reader_stops_when_told() {
    let game = binarsi("bin7x6");
    let mut reader = EndgameSolver::new(&game.rules, 1 << 16);
    let field = CompactPosition::from(&game.start());
    assert_eq!(reader.wins(&field, Side::Black, 24, &mut |nodes| nodes > 5000), None);
    assert!(reader.nodes < 8000);
    assert_eq!(reader.wins(&field, Side::Black, 2, &mut |_| false), Some(false));
    assert_eq!(reader.value(&field, &mut |_| true), None);
}

/// The shortest games take seven plies. In the first game, Black wins with the seventh. In the second, White has no win
/// within one ply.
#[test]
fn wins_at_once_are_seen() {
    let game = binarsi("bin7x6");
    let mut reader = EndgameSolver::new(&game.rules, 1 << 16);
    for (text, winner) in
        [("startpos moves dn bna aa 4n 2o eo", Side::Black), ("startpos moves 4n 2xn 5n bn axn 6a", Side::White)]
    {
        let field = CompactPosition::from(&game.parse_position(text).unwrap());
        let found = reader.wins(&field, winner, 1, &mut |_| false);
        assert_eq!(found, Some(winner == Side::Black), "{text}");
    }
}
