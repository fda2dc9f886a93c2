//! Prints the speed of move generation, of each stage of solving, and of probes for Binarsi, and asserts each result
//! that it times. Run it with `cargo bench` or `make bench`.

mod support;

use std::hint::black_box;
use std::path::Path;

use crate::support::line;
use yomikiri_rules::games::binarsi::Binarsi;
use yomikiri_rules::{Distance, Game};
use yomikiri_search::brute;
use yomikiri_solve::perft::perft;
use yomikiri_solve::{SolveOptions, levels, pipeline};
use yomikiri_table::probe::{open, open_source, probe};
use yomikiri_table::{Silent, Table};

fn game(code: &str) -> Binarsi {
    Binarsi::parse(code).unwrap()
}

/// Plays every legal move of every position in the first `depth` plies after `position`, on one core. `buffers` must
/// have `depth` elements. Returns the number of positions generated.
fn generate(
    game: &Binarsi,
    position: &<Binarsi as Game>::Position,
    depth: u32,
    buffers: &mut [Vec<<Binarsi as Game>::Move>],
) -> u64 {
    let Some((moves, rest)) = buffers.split_first_mut() else { return 0 };
    game.moves(position, moves);
    let mut generated = 0;
    for &mv in moves.iter() {
        let child = black_box(game.play(position, mv));
        generated += 1;
        if depth > 1 {
            generated += generate(game, &child, depth - 1, rest);
        }
    }
    generated
}

fn move_generation() {
    let full = game("bin7x6");
    // The sum of perft 1 to 6 is the number of positions that `generate` plays.
    let expected: u64 = (1..=6).map(|depth| perft(&full, &full.start(), depth)).sum();
    let mut buffers = vec![Vec::new(); 6];
    line("bin7x6: positions generated, one core", "positions", expected, || {
        generate(&full, &full.start(), 6, &mut buffers)
    });
    line("bin7x6: perft 6, all cores", "leaves", 82_853_428, || perft(&full, &full.start(), 6));
}

fn pipeline_parts(folder: &Path) {
    let job = SolveOptions { memory: 4 << 30, force: true, checkpoint: std::time::Duration::MAX, progress: &Silent };
    let small = game("bin4x3");
    let oracle = brute::solve(&small, &small.start());
    let count = oracle.len() as u64;
    line("bin4x3: brute force", "positions", count, || brute::solve(&small, &small.start()).len() as u64);
    let mut found = None;
    line("bin4x3: enumerate by sorted keys", "positions", count, || {
        found.insert(levels::enumerate(&small, &small.start(), 4 << 30, &Silent).unwrap()).positions()
    });
    let found = found.unwrap();
    line("bin4x3: solve by sorted keys", "positions", count, || {
        levels::solve(&small, &found, &Silent).iter().map(|bytes| bytes.len() as u64).sum()
    });
    let board = game("bin4x4");
    line("bin4x4: enumerate and solve by tiers", "positions", 37_555_203, || {
        use yomikiri_solve::Solvable;
        let path = folder.join("bin4x4.unaudited");
        board.solve(None, &path, &job).unwrap();
        open(&board, &path).unwrap().header.positions.get()
    });
    line("bin4x4: audit", "positions", 37_555_203, || {
        let go_on = SolveOptions { force: false, ..job };
        pipeline::analyze(&board, None, folder, &go_on).unwrap().table.header.positions.get()
    });
}

fn probes(folder: &Path) {
    let board = game("bin4x4");
    let table = open(&board, &folder.join("bin4x4.tbl")).unwrap();
    // Positions from random games, probed repeatedly so that the file is warm.
    let mut keys = Vec::new();
    let (mut random, mut moves) = (fastrand::Rng::with_seed(1), Vec::new());
    while keys.len() < 10_000 {
        let mut position = board.start();
        while board.terminal_value(&position).is_none() {
            keys.push(board.rank(&position));
            board.moves(&position, &mut moves);
            position = board.play(&position, moves[random.usize(..moves.len())]);
        }
    }
    let count = keys.len() as u64;
    let ask = |table: &Table| keys.iter().filter(|&&key| probe::<Distance>(table, key).unwrap().is_some()).count();
    ask(&table);
    line("bin4x4: warm probes, one core", "probes", count, || ask(&table) as u64);
    // Shows what a memory map of the file would gain, because it saves a read for each block.
    let of_bytes = open_source(&board, std::fs::read(table.path()).unwrap(), table.path()).unwrap();
    ask(&of_bytes);
    line("bin4x4: the same, file in memory", "probes", count, || ask(&of_bytes) as u64);
    in_memory(&board, &table);
}

/// Times look-ups in the resident table, for every hundredth position in random order.
fn in_memory(board: &Binarsi, table: &Table) {
    use yomikiri_solve::{Solvable, Wins};
    let mut resident = None;
    line("bin4x4: table to memory, all cores", "positions", 37_555_203, || {
        resident = board.load(table, Wins::All).unwrap();
        37_555_203
    });
    let resident = resident.expect("a table of tiers");
    let all = yomikiri_table::entries::listed_within(table, 0..u64::MAX).unwrap();
    let mut asked: Vec<(u64, u8)> = all.keys.into_iter().zip(all.bytes).step_by(100).collect();
    fastrand::Rng::with_seed(1).shuffle(&mut asked);
    let (keys, bytes): (Vec<u64>, Vec<u8>) = asked.into_iter().unzip();
    let one_by_one = || keys.iter().zip(&bytes).filter(|&(&key, &byte)| resident.byte(key) == Some(byte)).count();
    line("bin4x4: resident look-ups one by one, one core", "keys", 375_553, || one_by_one() as u64);
    let alone = yomikiri_table::threads::pool(1).unwrap();
    let together = || alone.install(|| board.probe_all(table, Some(&resident), &keys).unwrap());
    line("bin4x4: resident look-ups together, one core", "keys", 375_553, || {
        assert_eq!(together(), bytes);
        keys.len() as u64
    });
}

fn main() {
    let folder = tempfile::tempdir().unwrap();
    move_generation();
    pipeline_parts(folder.path());
    probes(folder.path());
}
