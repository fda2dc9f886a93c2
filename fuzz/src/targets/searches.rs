//! Checkpoints of a search.

use std::sync::LazyLock;
use std::sync::atomic::{AtomicBool, AtomicU64};
use std::time::Duration;

use tempfile::TempDir;
use yomikiri_rules::Game;
use yomikiri_rules::games::reversi::Reversi;
use yomikiri_solve::adapters::reversi::search::searcher;
use yomikiri_solve::search::checkpoint::Checkpoints;
use yomikiri_solve::search::{Run, Search};
use yomikiri_table::Silent;

use crate::checksums::{Checkpoint, new_folder};

/// The name of the newest file.
const NEWEST: &str = "search.checkpoint";

/// Memory of a search in bytes.
const MEMORY: u64 = 1 << 20;

/// Room for a file in bytes.
const ROOM: u64 = 1 << 20;

/// Enough squares for positions to be remembered, and few enough for a search to take milliseconds.
static GAME: LazyLock<Reversi> = LazyLock::new(|| Reversi::parse("rev4x4").expect("a code"));

/// What the search keeps at its end.
static SOUND: LazyLock<Checkpoint> = LazyLock::new(|| {
    let (folder, search) = (new_folder(), searcher(*GAME, MEMORY));
    let nodes = finish(search.as_ref(), 0);
    keep(&folder, search.as_ref(), nodes);
    Checkpoint::in_folder(folder.path(), NEWEST)
});

pub fn sound() -> Vec<Vec<u8>> {
    SOUND.sound()
}

/// Reads a checkpoint; what was read is kept and read again, and the search goes on to its end.
pub fn run(bytes: &[u8]) {
    let Some(folder) = SOUND.forged(bytes, NEWEST) else { return };
    let Some((search, nodes)) = resumed(&folder) else { return };
    let again = new_folder();
    keep(&again, search.as_ref(), nodes);
    let (_, read) = resumed(&again).expect("what was kept is read");
    assert_eq!(read, nodes);
    finish(search.as_ref(), nodes);
}

/// Solves the start, of which so many positions have been looked at; returns how many then. What a checkpoint says is
/// believed, so that the score may be any, but the move is legal.
fn finish(search: &dyn Search<Reversi>, nodes: u64) -> u64 {
    let (start, nodes) = (GAME.start(), AtomicU64::new(nodes));
    let run = Run { stop: &AtomicBool::new(false), nodes: &nodes, progress: &Silent };
    let Ok(solution) = search.solve_until(&start, &run) else { unreachable!("nobody stops it") };
    assert!(solution.best.is_some_and(|best| GAME.legal_moves(&start).contains(&best)), "{:?}", solution.best);
    nodes.into_inner()
}

fn keep(folder: &TempDir, search: &dyn Search<Reversi>, nodes: u64) {
    let mut checkpoints = Checkpoints::open(folder.path(), ROOM).expect("nobody else has the folder");
    let kept = checkpoints.keep(&*GAME, search, &GAME.start(), (nodes, Duration::ZERO), &mut || true);
    assert!(kept.expect("a new folder can be written to").is_some());
}

/// A search that has what the file of a folder has, and its nodes; `None` if it is refused.
fn resumed(folder: &TempDir) -> Option<(Box<dyn Search<Reversi>>, u64)> {
    let search = searcher(*GAME, MEMORY);
    let mut checkpoints = Checkpoints::open(folder.path(), ROOM).expect("nobody else has the folder");
    let resumed = checkpoints.resume(&*GAME, search.as_ref(), &GAME.start()).ok()??;
    Some((search, resumed.header.details.nodes))
}
