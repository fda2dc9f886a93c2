//! Tests of alpha-beta search against brute force, by the rules alone and with the hooks of Connect Four.

use std::collections::HashMap;

use crate::support::games::{binarsi, connect_four, legal_moves, reversi};
use crate::support::random::Random;
use crate::support::solving::on_threads;
use yomikiri_rules::games::binarsi_points::BinarsiPoints;
use yomikiri_rules::games::connect_four::ConnectFour;
use yomikiri_rules::{Acyclic, Distance, Game, Notation, Plies, Value};
use yomikiri_search::Searchable;
use yomikiri_search::alphabeta::{Plain, Scored, Solver};
use yomikiri_search::brute;
use yomikiri_search::{Search, best_line};
use yomikiri_table::Silent;

/// Returns the positions of random games from `root` on, except those in which the game is over.
fn positions<G: Notation>(game: &G, root: G::Position, games: usize, random: &mut Random) -> Vec<G::Position> {
    let mut all = Vec::new();
    for _ in 0..games {
        let mut position = root;
        while game.terminal_value(&position).is_none() {
            all.push(position);
            position = game.play(&position, *random.pick(&legal_moves(game, &position)));
        }
    }
    all
}

/// Compares a search with brute force: values, best moves and best lines in positions of random games from `root` on.
fn check<G: Notation>(game: &G, search: &dyn Search<G>, root: G::Position, games: usize) {
    let truth: HashMap<u64, G::Value> = brute::solve(game, &root);
    let value = |position: &G::Position| match game.terminal_value(position) {
        Some(end) => end,
        None => truth[&game.rank(position)],
    };
    for (number, position) in positions(game, root, games, &mut Random::new(1)).iter().enumerate() {
        let (code, text) = (game.code(), game.position_text(position));
        let solution = search.solve(position, &Silent);
        assert_eq!(solution.value, value(position), "{code}: {text}");
        let best = solution.best.unwrap_or_else(|| panic!("{code}: {text}: no best move"));
        assert_eq!(value(&game.play(position, best)).of_move(), solution.value, "{code}: {text}");
        if number % 7 == 0 {
            let line = best_line(game, search, position, &solution, &Silent).unwrap();
            let end = line.iter().fold(*position, |position, &mv| game.play(&position, mv));
            assert!(game.terminal_value(&end).is_some(), "{code}: the line of {text} stops early");
            assert!(solution.value.plies().is_none_or(|plies| usize::from(plies.0) == line.len()), "{code}: {text}");
        }
    }
}

fn check_plain<G: Acyclic<Value: Scored> + Notation>(game: &G, root: G::Position, games: usize) {
    for threads in [1, 2] {
        let solver = Solver::new(Plain::new(game.clone()), 1 << 20);
        on_threads(threads, || check(game, &solver, root, games));
    }
}

#[test]
fn distances_by_the_rules_of_binarsi() {
    for code in ["bin2x2", "bin3x3", "bin3x3-n", "bin3x3-m", "bin2x4", "bin3x3-t222", "bin4x2-kw3.5"] {
        let game = binarsi(code);
        check_plain(&game, game.start(), 20);
    }
}

/// Points count instead of plies, and draws are possible.
#[test]
fn scores_by_the_rules_of_binarsi() {
    for code in ["bin2x2-p", "bin3x3-p", "bin3x3-n-p", "bin3x3-m-p", "bin2x4-p", "bin4x2-p"] {
        let game = BinarsiPoints::parse(code).unwrap();
        check_plain(&game, game.start(), 20);
    }
}

#[test]
fn scores_by_the_rules_of_reversi() {
    for code in ["rev3x3", "rev3x4", "rev4x3-w", "rev4x4-p"] {
        let game = reversi(code);
        check_plain(&game, game.start(), 20);
    }
}

/// The values are right even with a transposition table of one bucket.
#[test]
fn values_do_not_depend_on_memory() {
    let game = binarsi("bin3x3");
    let solver = Solver::new(Plain::new(game.clone()), 0);
    on_threads(2, || check(&game, &solver, game.start(), 4));
}

#[test]
fn one_thread_always_looks_at_the_same_positions() {
    let game = binarsi("bin3x3-n");
    let nodes = || {
        let solver = Solver::new(Plain::new(game.clone()), 1 << 18);
        on_threads(1, || solver.solve(&game.start(), &Silent).nodes)
    };
    assert_eq!(nodes(), nodes());
}

// Connect Four

fn check_connect_four(game: &ConnectFour, root: <ConnectFour as Game>::Position, games: usize) {
    for threads in [1, 2] {
        let search = game.searcher(1 << 20).unwrap();
        on_threads(threads, || check(game, search.as_ref(), root, games));
    }
}

#[test]
fn distances_of_connect_four() {
    for code in ["con3x3-k3", "con4x3-k3", "con3x4-k3", "con4x3", "con3x4", "con5x3-k5", "con3x5-k5", "con4x4-k3"] {
        let game = connect_four(code);
        check_plain(&game, game.start(), 10);
        check_connect_four(&game, game.start(), 60);
    }
}

/// Compares searches with brute force on boards of every size and with winning rows of every length. They begin in
/// positions of random games with `LEFT` empty squares.
#[test]
fn distances_of_late_positions_of_connect_four() {
    const LEFT: u32 = 13;
    let sizes = (3..=8).flat_map(|files| (3..=8).map(move |ranks| (files, ranks)));
    let codes = sizes.flat_map(|(files, ranks)| [3, 4, 5].map(|row| format!("con{files}x{ranks}-k{row}")));
    let mut checked = 0;
    for (code, seed) in codes.filter(|code| ConnectFour::parse(code).is_ok()).zip(0..) {
        let game = connect_four(&code);
        if !game.has_keys() {
            continue;
        }
        let left = |position: &_| game.rules.board.area() - game.ply(position);
        let late = positions(&game, game.start(), 30, &mut Random::new(seed));
        for root in late.iter().filter(|position| left(position) == LEFT.min(game.rules.board.area())).take(2) {
            check_connect_four(&game, *root, 4);
            checked += 1;
        }
    }
    assert!(checked > 150, "{checked}");
}

/// Returns the value of a position by plain recursion, which needs no keys.
fn recurse(game: &ConnectFour, position: &<ConnectFour as Game>::Position) -> Distance {
    let moves = legal_moves(game, position);
    let best = moves.into_iter().map(|mv| recurse(game, &game.play(position, mv)).of_move()).max();
    best.or_else(|| game.terminal_value(position)).unwrap()
}

/// The 8x8 board has no keys, so its searches are compared with plain recursion.
#[test]
fn distances_of_positions_without_keys() {
    let mut checked = 0;
    for (code, seed) in [("con8x8", 1), ("con8x8-k5", 2)] {
        let game = connect_four(code);
        let search = game.searcher(1 << 20).unwrap();
        for position in positions(&game, game.start(), 2000, &mut Random::new(seed)) {
            if game.ply(&position) >= 54 {
                let text = game.position_text(&position);
                assert_eq!(search.solve(&position, &Silent).value, recurse(&game, &position), "{code}: {text}");
                checked += 1;
            }
        }
    }
    assert!(checked > 100, "{checked}");
}

/// The outcomes are published. The only start that is lost, that of con6x4, is lost with the 24th ply, which fills the
/// board.
#[test]
fn starts_of_connect_four() {
    for (code, value) in [
        ("con4x4", Distance::Draw),
        ("con5x4", Distance::Draw),
        ("con4x5", Distance::Draw),
        ("con5x5", Distance::Draw),
        ("con6x4", Distance::Loss(Plies(24))),
        ("con6x5", Distance::Draw),
    ] {
        let game = connect_four(code);
        let search = game.searcher(16 << 20).unwrap();
        assert_eq!(search.solve(&game.start(), &Silent).value, value, "{code}");
    }
}
