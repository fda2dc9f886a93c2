//! Checkpoints of a search, for reversi and Connect Four.

use std::sync::LazyLock;
use std::sync::atomic::{AtomicBool, AtomicU64};
use std::time::Duration;

use tempfile::TempDir;
use yomikiri_rules::games::connect_four::ConnectFour;
use yomikiri_rules::games::reversi::Reversi;
use yomikiri_search::Searchable;
use yomikiri_search::exact::checkpoint::{Checkpoints, SearchTotals};
use yomikiri_search::exact::{Search, SearchRun};
use yomikiri_table::Silent;

use crate::checksums::{Checkpoint, new_folder};

/// The name of the newest checkpoint file.
const NEWEST: &str = "search.checkpoint";

/// The memory of a search in bytes.
const MEMORY: u64 = 1 << 20;

/// The maximum length of a checkpoint in bytes.
const ROOM: u64 = 1 << 20;

/// The bit of the first byte of an input that selects Connect Four instead of reversi.
const CONNECT_FOUR: u8 = 0x80;

/// A game whose start is searched, and the checkpoint of the finished search.
struct Searched<G> {
    game: G,
    sound: Checkpoint,
}

// The boards have enough squares for the search to store positions, and few enough for it to take milliseconds.
static REVERSI: LazyLock<Searched<Reversi>> = LazyLock::new(|| Searched::new("rev4x4"));
static CONNECTED: LazyLock<Searched<ConnectFour>> = LazyLock::new(|| Searched::new("con4x4"));

pub fn sound() -> Vec<Vec<u8>> {
    let mut connected = CONNECTED.sound.sound();
    connected.iter_mut().for_each(|input| input[0] |= CONNECT_FOUR);
    [REVERSI.sound.sound(), connected].concat()
}

/// Resumes a search from a checkpoint. If the checkpoint is accepted, it must read back the same after it is written
/// again, and the search must come to an end.
pub fn run(bytes: &[u8]) {
    let mut input = bytes.to_vec();
    match input.first_mut() {
        Some(first) if *first & CONNECT_FOUR != 0 => {
            *first &= !CONNECT_FOUR;
            CONNECTED.run(&input);
        }
        _ => REVERSI.run(&input),
    }
}

impl<G: Searchable> Searched<G> {
    fn new(code: &str) -> Searched<G> {
        let game = G::parse(code).expect("a code");
        let (folder, search) = (new_folder(), searcher(&game));
        let nodes = finish(&game, search.as_ref(), 0);
        keep(&game, &folder, search.as_ref(), nodes);
        Searched { game, sound: Checkpoint::in_folder(folder.path(), NEWEST) }
    }

    fn run(&self, input: &[u8]) {
        let Some(folder) = self.sound.forged(input, NEWEST) else { return };
        let Some((search, nodes)) = resumed(&self.game, &folder) else { return };
        let again = new_folder();
        keep(&self.game, &again, search.as_ref(), nodes);
        let (_, read) = resumed(&self.game, &again).expect("what was kept is read");
        assert_eq!(read, nodes);
        finish(&self.game, search.as_ref(), nodes);
    }
}

fn searcher<G: Searchable>(game: &G) -> Box<dyn Search<G>> {
    game.searcher(MEMORY).expect("a game with a search")
}

/// Solves the start. `nodes` is the number of positions searched before; returns the number at the end. The value may
/// be any, because the search trusts the checkpoint, but the move must be legal.
fn finish<G: Searchable>(game: &G, search: &dyn Search<G>, nodes: u64) -> u64 {
    let (start, nodes) = (game.start(), AtomicU64::new(nodes));
    let run = SearchRun { stop: &AtomicBool::new(false), nodes: &nodes, progress: &Silent };
    let Ok(solution) = search.solve_until(&start, &run) else { unreachable!("nobody stops it") };
    assert!(solution.best.is_some_and(|best| game.legal_moves(&start).contains(&best)), "no legal move");
    nodes.into_inner()
}

fn keep<G: Searchable>(game: &G, folder: &TempDir, search: &dyn Search<G>, nodes: u64) {
    let mut checkpoints = Checkpoints::open(folder.path(), ROOM).expect("nobody else has the folder");
    let kept =
        checkpoints.keep(game, search, &game.start(), SearchTotals { nodes, spent: Duration::ZERO }, &mut || true);
    assert!(kept.expect("a new folder can be written to").is_some());
}

/// Returns a search that was resumed from the folder's checkpoint, and its number of nodes. Returns `None` if the
/// checkpoint is refused.
fn resumed<G: Searchable>(game: &G, folder: &TempDir) -> Option<(Box<dyn Search<G>>, u64)> {
    let search = searcher(game);
    let mut checkpoints = Checkpoints::open(folder.path(), ROOM).expect("nobody else has the folder");
    let resumed = checkpoints.resume(game, search.as_ref(), &game.start()).ok()??;
    Some((search, resumed.header.details.nodes))
}
