//! Checkpoints of a proof.

use std::sync::LazyLock;
use std::time::{Duration, Instant};

use tempfile::TempDir;
use yomikiri_rules::Game;
use yomikiri_rules::games::binarsi::Binarsi;
use yomikiri_search::adapters::binarsi::BinarsiProof;
use yomikiri_search::proof::checkpoint::{Checkpoints, Header, MIN_FILE_SIZE};
use yomikiri_search::proof::{ProofGame, Prover};

use crate::checksums::{Checkpoint, new_folder};

/// The name of the newest checkpoint file.
const NEWEST: &str = "proof.checkpoint";

/// The memory of a prover in bytes.
const MEMORY: u64 = 1 << 20;

/// A time limit that is far above the time of the proof.
const PATIENCE: Duration = Duration::from_secs(20);

/// The checkpoint of the finished proof.
static SOUND: LazyLock<Checkpoint> = LazyLock::new(|| {
    let (folder, mut prover) = (new_folder(), prover());
    finish(&mut prover);
    keep(&folder, &prover);
    Checkpoint::in_folder(folder.path(), NEWEST)
});

pub fn sound() -> Vec<Vec<u8>> {
    SOUND.sound()
}

/// Resumes a proof from a checkpoint. If the checkpoint is accepted, it must read back the same after it is written
/// again, and the proof must come to an end.
pub fn run(bytes: &[u8]) {
    let Some(folder) = SOUND.forged(bytes, NEWEST) else { return };
    let Some((mut prover, header)) = resumed(&folder) else { return };
    let again = new_folder();
    keep(&again, &prover);
    let (_, read) = resumed(&again).expect("what was kept is read");
    let counts = |header: &Header| [header.details.work, header.details.endgames, header.details.endgame_nodes];
    assert_eq!(counts(&read), counts(&header));
    finish(&mut prover);
}

fn prover() -> Prover<BinarsiProof> {
    let mut prover = Prover::new(BinarsiProof::new(&Binarsi::parse("bin3x3").expect("a code")), MEMORY, 1);
    prover.set_endgame_plies(3);
    prover
}

/// Proves the winner. Either side may win, because the prover trusts the checkpoint.
fn finish(prover: &mut Prover<BinarsiProof>) {
    let (start, begun) = (prover.game().rules().start(), Instant::now());
    assert!(prover.winner(&start, |_| begun.elapsed() < PATIENCE).is_some(), "the proof comes to no end");
}

fn keep(folder: &TempDir, prover: &Prover<BinarsiProof>) {
    let start = prover.game().rules().start();
    let mut checkpoints = Checkpoints::open(folder.path(), MIN_FILE_SIZE).expect("nobody else has the folder");
    let kept = checkpoints.save(&prover.state(&start), Duration::ZERO, &mut || true);
    assert!(kept.expect("a new folder can be written to").is_some());
}

/// Returns a prover that was resumed from the folder's checkpoint, and the header of the checkpoint. Returns `None` if
/// the checkpoint is refused.
fn resumed(folder: &TempDir) -> Option<(Prover<BinarsiProof>, Header)> {
    let mut prover = prover();
    let start = prover.game().rules().start();
    let mut checkpoints = Checkpoints::open(folder.path(), MIN_FILE_SIZE).expect("nobody else has the folder");
    let resumed = checkpoints.resume(&mut prover, &start).ok()??;
    Some((prover, resumed.header))
}
