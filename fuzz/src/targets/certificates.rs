//! Certificates of Binarsi. An input is what a file unpacks to: lines of text, keys and moves.

use std::io::Cursor;
use std::path::Path;

use yomikiri_rules::games::binarsi::Binarsi;
use yomikiri_rules::{Game, Outcome, Value};
use yomikiri_solve::adapters::binarsi::BinarsiProof;
use yomikiri_solve::brute;
use yomikiri_solve::certificate::{Certificate, check, extract};
use yomikiri_solve::proof::Prover;
use yomikiri_table::Silent;

use crate::checksums;

/// Variants that brute force solves in no time.
const CODES: [&str; 3] = ["bin2x2", "bin2x2-n", "bin3x2"];

/// What a proof of the smallest board writes.
pub fn sound() -> Vec<Vec<u8>> {
    let game = Binarsi::parse(CODES[0]).expect("a code");
    let start = game.start();
    let mut prover = Prover::new(BinarsiProof::new(&game), 1 << 20, 1);
    let winner = prover.winner(&start, |_| true).expect("nobody stops it");
    let input = |horizon| {
        let certificate = extract(&mut prover, &start, winner, horizon, |_| true).expect("it is won");
        checksums::plain_certificate(&written(&certificate))
    };
    [0, 2].map(input).into()
}

fn read(file: &[u8]) -> Option<Certificate<Binarsi>> {
    Certificate::read_from(Cursor::new(file), Path::new("a.proof.gz")).ok()
}

/// The bytes of the file of a certificate.
fn written(certificate: &Certificate<Binarsi>) -> Vec<u8> {
    let folder = tempfile::tempdir().expect("temporary files can be made");
    let path = folder.path().join("a.proof.gz");
    certificate.write(&path).expect("a new folder can be written to");
    std::fs::read(&path).expect("a file was written")
}

/// Reads a certificate and checks it. One that holds says the truth.
pub fn run(bytes: &[u8]) {
    let Some(certificate) = read(&checksums::certificate(bytes)) else { return };
    let game = &certificate.game;
    if !CODES.contains(&game.code().as_str()) {
        return;
    }
    let position = &certificate.position;
    let own = certificate.winning_move(position);
    if check(&certificate, &Silent).is_err() {
        return;
    }
    let again = read(&written(&certificate)).expect("what was written is read");
    assert_eq!(format!("{again:?}"), format!("{certificate:?}"), "read back as another");
    let values = brute::solve(game, position);
    let value = values.get(&game.rank(position)).copied().or_else(|| game.terminal_value(position));
    let text = game.position_text(position);
    let winner = value.expect("brute force knows the first position").outcome().winner(game.side(position));
    assert_eq!(winner, Some(certificate.winner), "{text} in {}", game.code());
    let Some(mv) = own else { return };
    let after = game.play(position, mv);
    let after = values.get(&game.rank(&after)).copied().filter(|_| !game.is_terminal(&after));
    assert!(after.is_none_or(|value| value.outcome() == Outcome::Loss), "{text}: a move that loses");
}
