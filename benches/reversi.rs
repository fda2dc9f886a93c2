//! Prints the speed of move generation, solving and search for reversi, and asserts each result that it times. Run it
//! with `cargo bench --bench reversi`.

use std::hint::black_box;
use std::time::Instant;

use yomikiri_rules::bits::squares_of;
use yomikiri_rules::games::reversi::lines::flips;
use yomikiri_rules::games::reversi::moves::{is_over, legal, play};
use yomikiri_rules::games::reversi::{Move, Position, Reversi};
use yomikiri_rules::{Game, Notation};
use yomikiri_search::Searchable;
use yomikiri_solve::perft::perft;
use yomikiri_solve::{Solvable, SolveOptions, pipeline};
use yomikiri_table::Silent;

/// Times `work`, which returns its number of units, and prints the rate and the time for one unit. Panics unless the
/// number of units is `expected`.
fn line(name: &str, unit: &str, expected: u64, work: impl FnOnce() -> u64) {
    let start = Instant::now();
    let units = work();
    let seconds = start.elapsed().as_secs_f64();
    assert_eq!(units, expected, "{name}");
    let (rate, each) = (units as f64 / seconds, 1e9 * seconds / units as f64);
    println!("{name:44} {units:>12} {unit:10} {seconds:>8.2} s {rate:>14.0} a second {each:>8.1} ns each");
}

fn game(code: &str) -> Reversi {
    Reversi::parse(code).unwrap()
}

/// Returns at least 4096 positions from random games. Leaves out positions in which the side to move must pass.
fn positions(game: &Reversi) -> Vec<Position> {
    let (mut found, mut number, mut moves) = (Vec::new(), 1u64, Vec::new());
    while found.len() < 4096 {
        let mut position = game.start();
        while game.terminal_value(&position).is_none() {
            game.moves(&position, &mut moves);
            if moves[0] != Move::Pass {
                found.push(position);
            }
            number = number.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            position = game.play(&position, moves[(number >> 33) as usize % moves.len()]);
        }
    }
    found
}

fn kernels(game: &Reversi) {
    /// The number of passes over all positions.
    const ROUNDS: u64 = 2000;
    let (board, positions) = (game.rules.board, positions(game));
    let moves = |&position: &Position| squares_of(legal(board, &position)).map(move |square| (square, position));
    let jobs: Vec<(u8, Position)> = positions.iter().flat_map(moves).collect();
    line("rev8x8: legal moves, one core", "boards", ROUNDS * positions.len() as u64, || {
        let round = || positions.iter().filter(|position| legal(board, black_box(position)) != 0).count() as u64;
        (0..ROUNDS).map(|_| round()).sum()
    });
    let rounds = ROUNDS / 8;
    line("rev8x8: discs turned by a move, one core", "moves", rounds * jobs.len() as u64, || {
        let turns = |(square, position): &(u8, Position)| flips(*square, position.own, position.other) != 0;
        let round = || jobs.iter().filter(|job| turns(black_box(job))).count() as u64;
        (0..rounds).map(|_| round()).sum()
    });
}

/// Counts the sequences of `depth` moves, like `Game::perft`, but also plays the last move of each sequence.
fn play_all(game: &Reversi, position: &Position, depth: u32) -> u64 {
    let (board, legal) = (game.rules.board, legal(game.rules.board, position));
    if depth == 0 {
        return 1;
    }
    if legal == 0 {
        return if is_over(board, position) { 1 } else { play_all(game, &position.passed(), depth - 1) };
    }
    squares_of(legal).map(|square| play_all(game, black_box(&play(position, Move::Place(square))), depth - 1)).sum()
}

fn counts(game: &Reversi) {
    let start = game.start();
    line("rev8x8: perft 11, one core", "leaves", 212_258_800, || game.perft(&start, 11));
    line("rev8x8: perft 10, last moves played, one core", "leaves", 24_571_284, || play_all(game, &start, 10));
    line("rev8x8: perft 11, all cores", "leaves", 212_258_800, || perft(game, &start, 11));
}

fn tables() {
    let (game, folder) = (game("rev4x5"), tempfile::tempdir().unwrap());
    let job = SolveOptions { memory: 4 << 30, force: true, checkpoint: std::time::Duration::MAX, progress: &Silent };
    line("rev4x5: from nothing to an audited table", "positions", 2_392_805, || {
        let table = pipeline::analyze(&game, None, folder.path(), &job).unwrap().table;
        assert_eq!(game.probe(&table, &game.start()).unwrap().map(|score| score.points()), Some(16));
        table.header.positions.get()
    });
}

/// Times searches of positions with known scores. One of them is the first position of the endgame test of the French
/// federation (FFO).
fn searches() {
    let one_core = yomikiri_table::threads::pool(1).unwrap();
    for (name, code, text, score) in [
        ("rev5x5: solved by search, one core", "rev5x5", "startpos", 13),
        ("rev5x6: solved by search, one core", "rev5x6", "startpos", 10),
        (
            "FFO 40, 20 empty squares, one core",
            "rev8x8",
            "O--OOOOX-OOOOOOXOOXXOOOXOOXOOOXXOOOOOOXX---OOOOX----O--X-------- X",
            38,
        ),
    ] {
        let game = game(code);
        let position = game.parse_position(text).unwrap();
        let start = Instant::now();
        let solution = one_core.install(|| game.searcher(1 << 30).unwrap().solve(&position, &Silent));
        let seconds = start.elapsed().as_secs_f64();
        assert_eq!(solution.value.points(), score, "{name}");
        let (nodes, rate) = (solution.nodes, solution.nodes as f64 / seconds);
        println!("{name:44} {nodes:>12} {:10} {seconds:>8.2} s {rate:>14.0} a second", "nodes");
    }
}

fn main() {
    let game = game("rev8x8");
    kernels(&game);
    counts(&game);
    tables();
    searches();
}
