//! Prints the speed of move generation, solving, audit and probes for the pyonpyon game, and asserts each result that
//! it times. Run it with `cargo bench --bench pyonpyon`. It solves both readings of the author's board from scratch,
//! which takes about six minutes and 0.6 GiB of memory.

mod support;

use std::ops::ControlFlow;

use crate::support::line;
use yomikiri_rules::Game;
use yomikiri_rules::games::pyonpyon::{Position, Pyonpyon};
use yomikiri_solve::retrograde::{self, Complete, Cyclic};
use yomikiri_solve::{Solvable, SolveOptions};
use yomikiri_table::Silent;
use yomikiri_table::probe::open;

/// The number of canonical positions.
const POSITIONS: u64 = 411_883_560;

/// The distance between the keys of two sampled positions.
const STEP: usize = 4099;

fn keys(game: &Pyonpyon) -> impl Iterator<Item = u32> {
    (0..game.keys()).step_by(STEP)
}

/// Times the moves of every [`STEP`]th position with the plain generator, with children and their keys, and with
/// parents and their keys.
fn edges(game: &Pyonpyon) {
    let positions: Vec<Position> = keys(game).map(|key| Cyclic::position(game, key)).collect();
    let mut moves = Vec::new();
    let mut count = |position: &Position| {
        yomikiri_rules::games::pyonpyon::moves::generate(&game.lines, position, &mut moves);
        std::mem::take(&mut moves).len() as u64
    };
    let all: u64 = positions.iter().map(&mut count).sum();
    println!("{:44} {:>12.2} moves a position", "", all as f64 / positions.len() as f64);
    line("moves, one core", "moves", all, || positions.iter().map(&mut count).sum());
    let mut block = Default::default();
    line("children with keys, one core", "children", all, || {
        let mut count = 0;
        for key in keys(game) {
            let _ = game.children(&game.board(key, &mut block), |child, _| {
                count += u64::from(game.key_of(child) < game.keys());
                ControlFlow::Continue(())
            });
        }
        count
    });
    let mut block = Default::default();
    let mut visit = || {
        let mut count = 0;
        for key in keys(game) {
            let _ = game.parents(&game.board(key, &mut block), |parent| {
                count += u64::from(parent < game.keys());
                ControlFlow::Continue(())
            });
        }
        count
    };
    let parents = visit();
    line("parents with keys, one core", "parents", parents, visit);
}

fn whole(code: &str) {
    let game = Pyonpyon::parse(code).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("bench.unaudited");
    let job = SolveOptions { memory: 1 << 30, force: true, checkpoint: std::time::Duration::MAX, progress: &Silent };
    let over = game.ends().len() as u64;
    line(&format!("{code}: values"), "positions", POSITIONS, || {
        let ends = retrograde::Analysis::from_ends(&game).unwrap();
        let bytes = retrograde::solve_all(&game, ends, &Silent, |_| Ok(())).unwrap();
        bytes.iter().filter(|&&byte| byte != 0).count() as u64 + over
    });
    line(&format!("{code}: to a queryable table"), "positions", POSITIONS, || {
        game.solve(None, &path, &job).unwrap();
        open(&game, &path).unwrap().header.positions.get() + over
    });
    let table = open(&game, &path).unwrap();
    println!("{:44} {:>12} bytes", format!("{code}: table"), path.metadata().unwrap().len());
    line(&format!("{code}: audit"), "positions", POSITIONS, || {
        game.audit(None, &table, &job).unwrap();
        table.header.positions.get() + over
    });
    let positions: Vec<Position> = keys(&game).step_by(10).map(|key| Cyclic::position(&game, key)).collect();
    let known = |position: &&Position| game.probe(&table, position).unwrap().is_some();
    let expected = positions.iter().filter(known).count() as u64;
    line(&format!("{code}: probes all over the table, warm"), "probes", expected, || {
        positions.iter().filter(known).count() as u64
    });
}

fn main() {
    edges(&Pyonpyon::parse("pyon").unwrap());
    ["pyon", "pyonB"].into_iter().for_each(whole);
}
