//! Prints the speed of enumeration, solving, audit and look-ups for animal shogi, and asserts each result that it
//! times. Run it with `cargo bench --bench animal_shogi`. It solves val1n from scratch, which takes about two minutes
//! and half a gigabyte of memory.

mod support;

use std::ops::ControlFlow;

use crate::support::{line, line_and_result};
use fastrand::Rng;
use yomikiri_rules::Game;
use yomikiri_rules::games::animal_shogi::{AnimalShogi, Position};
use yomikiri_solve::retrograde::{self, Analysis, Cyclic};
use yomikiri_solve::{Solvable, SolveOptions, Wins};
use yomikiri_table::probe::open;
use yomikiri_table::recode::Packing;
use yomikiri_table::{Silent, Table};

/// The number of undecided positions of val1n.
const OPEN: u64 = 99_485_568;

fn edges(game: &AnimalShogi, reached: &retrograde::Reached) {
    let (mut all, mut open, mut block) = (0u64, 0u64, Default::default());
    for chunk in (0..reached.open.chunks()).step_by(10) {
        reached.open.visit_chunk(chunk, |key| {
            let _ = game.children(&game.board(key as u32, &mut block), |_, over| {
                all += 1;
                open += u64::from(over.is_none());
                ControlFlow::Continue(())
            });
        });
    }
    line("val1n: children of every tenth chunk, one core", "children", all, || {
        let mut count = 0;
        for chunk in (0..reached.open.chunks()).step_by(10) {
            reached.open.visit_chunk(chunk, |key| {
                let _ = game.children(&game.board(key as u32, &mut block), |child, over| {
                    count += u64::from(over.is_some() || game.key_of(child) < game.open_keys());
                    ControlFlow::Continue(())
                });
            });
        }
        count
    });
    println!("{:44} {open:>12} of them undecided, whose keys are made", "");
}

/// Returns at least 10,000 undecided positions from random games.
fn positions(game: &AnimalShogi) -> Vec<Position> {
    let (mut found, mut random, mut moves) = (Vec::new(), Rng::with_seed(1), Vec::new());
    while found.len() < 10_000 {
        let mut position = game.start();
        while game.terminal_value(&position).is_none() {
            found.push(position);
            game.moves(&position, &mut moves);
            position = game.play(&position, moves[random.usize(..moves.len())]);
        }
    }
    found
}

/// Times look-ups in the resident table. Each look-up reads memory at a random place. In a batch, several of these
/// reads overlap.
fn look_ups(game: &AnimalShogi, table: &Table) {
    let resident = line_and_result("val1n: table to memory, all cores", "positions", OPEN, || {
        (table.header.positions.get(), game.load(table, Wins::All).unwrap().expect("it leaves wins out"))
    });
    let mut random = Rng::with_seed(1);
    let keys: Vec<u64> = (0..10_000_000).map(|_| random.u64(..u64::from(game.open_keys()))).collect();
    let alone = yomikiri_table::threads::pool(1).unwrap();
    let together = || alone.install(|| game.probe_all(table, Some(&resident), &keys).unwrap());
    let expected = together();
    let arises = |(key, byte): (&u64, &u8)| (*byte != 0).then_some((*key, *byte));
    let mut some: Vec<(u64, u8)> = keys.iter().zip(&expected).filter_map(arises).take(20_000).collect();
    some.sort_unstable();
    let (some, bytes): (Vec<u64>, Vec<u8>) = some.into_iter().unzip();
    assert_eq!(game.probe_all(table, None, &some).unwrap(), bytes, "as the file says");
    let one_by_one =
        || keys.iter().zip(&expected).filter(|(key, byte)| resident.byte(**key) == Some(**byte)).count() as u64;
    line("val1n: resident look-ups, one core", "keys", keys.len() as u64, one_by_one);
    line("val1n: the same, many together", "keys", keys.len() as u64, || {
        together().iter().zip(&expected).filter(|(found, byte)| found == byte).count() as u64
    });
}

fn main() {
    let game = AnimalShogi::parse("val1n").unwrap();
    let reached = line_and_result("val1n: enumerate, all cores", "positions", OPEN, || {
        let reached = retrograde::enumerate(&game, &Silent).unwrap();
        (reached.positions, reached)
    });
    edges(&game, &reached);
    let analysis = Analysis::new(&game, reached.open).unwrap();
    line("val1n: values, all cores", "positions", OPEN, || {
        let bytes = retrograde::solve(&game, analysis, &Silent, |_| Ok(())).unwrap();
        bytes.iter().filter(|&&byte| byte != 0).count() as u64
    });
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("val1n.unaudited");
    let job = SolveOptions { memory: 1 << 30, force: true, checkpoint: std::time::Duration::MAX, progress: &Silent };
    let table = line_and_result("val1n: from nothing to a table", "positions", OPEN, || {
        game.solve(None, &path, &job).unwrap();
        let table = open(&game, &path).unwrap();
        (table.header.positions.get(), table)
    });
    line("val1n: audit", "positions", OPEN, || {
        game.audit(None, &table, &job).unwrap();
        table.header.positions.get()
    });
    let asked = positions(&game);
    let all = || asked.iter().filter(|position| game.probe(&table, position).unwrap().is_some()).count() as u64;
    all();
    line("val1n: warm probes, one core", "probes", asked.len() as u64, all);
    look_ups(&game, &table);
    let small = line_and_result("val1n: to the small form, all cores", "positions", OPEN, || {
        assert_eq!(game.pack(&path, &Silent).unwrap(), Packing::Packed);
        let small = open(&game, &path).unwrap();
        (small.header.positions.get(), small)
    });
    println!("{:44} {:>12} bytes, {} before", "", small.length(), table.length());
    assert!(small.length() < 27_000_000);
    let same = |position: &&Position| game.probe(&small, position).unwrap() == game.probe(&table, position).unwrap();
    assert_eq!(asked.iter().filter(same).count(), asked.len());
    let all = || asked.iter().filter(|position| game.probe(&small, position).unwrap().is_some()).count() as u64;
    line("val1n: warm probes of the small form, one core", "probes", asked.len() as u64, all);
}
