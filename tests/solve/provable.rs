//! Boards whose positions are proved, with all values below their start, and files of certificates.

use std::collections::HashMap;

use crate::support::certificate::Plain;
use crate::support::games::legal_moves;
use crate::support::random::Random;
use yomikiri_rules::games::binarsi::Binarsi;
use yomikiri_rules::games::connect_four::ConnectFour;
use yomikiri_rules::games::reversi::Reversi;
use yomikiri_rules::{Game, Outcome, Side, Value};
use yomikiri_solve::adapters::binarsi::BinarsiProof;
use yomikiri_solve::brute;
use yomikiri_solve::certificate::{Certificate, CertificateGame, Refutation, Report, check, extract};
use yomikiri_solve::proof::{PlainProof, ProofGame, Prover};
use yomikiri_table::Silent;

pub const SIDES: [Side; 2] = [Side::Black, Side::White];

/// A game with what proves its positions.
pub trait Provable: CertificateGame {
    type Proof: ProofGame<Rules = Self>;

    fn proof(&self, draws: Side) -> Self::Proof;

    /// A prover that solves positions so many plies before the end exactly, with so many bytes and threads. Draws count
    /// for a side, where the game has any.
    fn prover(&self, draws: Side, (near, bytes, threads): Setting) -> Prover<Self::Proof> {
        let mut prover = Prover::new(self.proof(draws), bytes, threads);
        prover.set_endgame_plies(near);
        prover
    }

    /// The certificate of a position.
    fn certificate(&self, position: &Self::Position, draws: Side, setting: Setting, horizon: u32) -> Certificate<Self> {
        let mut prover = self.prover(draws, setting);
        let winner = prover.winner(position, |_| true).unwrap();
        extract(&mut prover, position, winner, horizon, |_| true).unwrap()
    }
}

/// Plies before the end at which positions are solved exactly, bytes and threads of a prover.
pub type Setting = (u32, u64, usize);

impl Provable for Binarsi {
    type Proof = BinarsiProof;

    fn proof(&self, _: Side) -> BinarsiProof {
        BinarsiProof::new(self)
    }
}

impl Provable for ConnectFour {
    type Proof = PlainProof<ConnectFour>;

    fn proof(&self, draws: Side) -> Self::Proof {
        PlainProof::new(self, draws).unwrap()
    }
}

impl Provable for Reversi {
    type Proof = PlainProof<Reversi>;

    fn proof(&self, draws: Side) -> Self::Proof {
        PlainProof::new(self, draws).unwrap()
    }
}

/// A board with all values below its start, which have nothing to do with provers.
pub struct Board<G: Game> {
    pub game: G,
    values: HashMap<u64, G::Value>,
}

impl<G: Provable> Board<G> {
    pub fn new(game: G) -> Board<G> {
        Board { values: brute::solve(&game, &game.start()), game }
    }

    pub fn value(&self, position: &G::Position) -> G::Value {
        let known = || self.values[&self.game.rank(position)];
        self.game.terminal_value(position).unwrap_or_else(known)
    }

    pub fn outcome(&self, position: &G::Position) -> Outcome {
        self.value(position).outcome()
    }

    /// Who wins when draws count for a side.
    pub fn winner(&self, position: &G::Position, draws: Side) -> Side {
        self.outcome(position).winner(self.game.side(position)).unwrap_or(draws)
    }

    /// A position after so many random moves, or at the end of the game.
    pub fn random_position(&self, random: &mut Random, plies: usize) -> G::Position {
        let mut position = self.game.start();
        for _ in 0..plies {
            let moves = legal_moves(&self.game, &position);
            if !moves.is_empty() {
                position = self.game.play(&position, *random.pick(&moves));
            }
        }
        position
    }

    /// Random positions with this outcome that are not over.
    pub fn positions(&self, outcome: Outcome, plies: usize, count: usize) -> Vec<G::Position> {
        let mut random = Random::new(3);
        let positions = (0..10_000).map(|_| self.random_position(&mut random, plies));
        let found = positions
            .filter(|position| self.game.terminal_value(position).is_none() && self.outcome(position) == outcome);
        found.take(count).collect()
    }
}

/// The file of a certificate.
pub fn file<G: CertificateGame>(certificate: &Certificate<G>) -> Vec<u8> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("some.proof");
    certificate.write(&path).unwrap();
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1, "nothing else is left");
    std::fs::read(path).unwrap()
}

/// What reading gives; an error is its line without the path.
pub fn read<G: CertificateGame>(file: &[u8]) -> Result<Certificate<G>, String> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("some.proof");
    std::fs::write(&path, file).unwrap();
    let start = format!("{}: ", path.display());
    Certificate::read(&path).map_err(|error| error.to_string().strip_prefix(&start).unwrap().to_string())
}

/// What the check of a file says.
pub fn checked<G: CertificateGame>(plain: &Plain) -> Result<Report, Refutation> {
    check::<G>(&read(&plain.file()).unwrap(), &Silent)
}
