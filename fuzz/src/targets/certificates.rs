//! Certificates of Binarsi. The first byte of an input selects a certificate, and the rest changes it
//! ([`checksums::forged`]).

use std::path::Path;
use std::sync::LazyLock;

use yomikiri_rules::games::binarsi::Binarsi;
use yomikiri_rules::{Game, Notation, Outcome, Value};
use yomikiri_search::adapters::binarsi::BinarsiProof;
use yomikiri_search::brute;
use yomikiri_search::certificate::{Certificate, CertificateFile, Claim, check, extract};
use yomikiri_search::proof::Prover;
use yomikiri_table::Silent;

use crate::checksums;

/// Variants that brute force solves in an instant.
const CODES: [&str; 3] = ["bin2x2", "bin2x2-n", "bin3x2"];

/// The certificates that the prover writes for each variant, with two horizons.
static SOUND: LazyLock<Vec<Vec<u8>>> = LazyLock::new(|| {
    let horizons = CODES.iter().flat_map(|code| [0, 2].map(|horizon| (code, horizon)));
    let written = |(code, horizon): (&&str, u32)| {
        let game = Binarsi::parse(code).expect("a code");
        let start = game.start();
        let mut prover = Prover::new(BinarsiProof::new(&game), 1 << 20, 1);
        let winner = prover.winner(&start, |_| true).expect("nobody stops it");
        written(&extract(&mut prover, &start, winner, horizon, |_| true).expect("it is won"))
    };
    // A certificate without listed positions has no block to change.
    horizons.map(written).filter(|file| file[40..48] != [0; 8]).collect()
});

/// Returns inputs that leave the certificates unchanged.
pub fn sound() -> Vec<Vec<u8>> {
    let inputs =
        |(number, file): (u8, &Vec<u8>)| checksums::unchanged(file).map(|input| [&[number][..], &input].concat());
    (0..).zip(SOUND.iter()).flat_map(inputs).collect()
}

fn read(file: Vec<u8>) -> Option<Certificate<Binarsi>> {
    CertificateFile::from_source(Box::new(file), Path::new("a.proof")).ok()?.load().ok()
}

/// Writes a certificate to a file and returns its bytes.
fn written(certificate: &Certificate<Binarsi>) -> Vec<u8> {
    let folder = tempfile::tempdir().expect("temporary files can be made");
    let path = folder.path().join("a.proof");
    certificate.write(&path).expect("a new folder can be written to");
    std::fs::read(&path).expect("a file was written")
}

/// Reads a certificate and checks it. If it passes, its claim must be true.
pub fn run(bytes: &[u8]) {
    let Some((which, bytes)) = bytes.split_first() else { return };
    let Some(file) = checksums::forged(&SOUND[usize::from(*which) % SOUND.len()], bytes) else { return };
    let Some(certificate) = read(file) else { return };
    let Claim { game, position, winner: claimed, .. } = &certificate.claim;
    if !CODES.contains(&game.code().as_str()) {
        return;
    }
    let own = certificate.winning_move(position);
    if check(&certificate, &Silent).is_err() {
        return;
    }
    let again = read(written(&certificate)).expect("what was written is read");
    assert_eq!(format!("{again:?}"), format!("{certificate:?}"), "read back as another");
    let values = brute::solve(game, position);
    let value = values.get(&game.rank(position)).copied().or_else(|| game.terminal_value(position));
    let text = game.position_text(position);
    let winner = value.expect("brute force knows the first position").outcome().winner(game.side(position));
    assert_eq!(winner, Some(*claimed), "{text} in {}", game.code());
    let Some(mv) = own else { return };
    let after = game.play(position, mv);
    let after = values.get(&game.rank(&after)).copied().filter(|_| !game.is_terminal(&after));
    assert!(after.is_none_or(|value| value.outcome() == Outcome::Loss), "{text}: a move that loses");
}
