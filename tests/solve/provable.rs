//! Helpers for tests of proofs: games with provers, boards with the values of all positions, and files of certificates.

use std::collections::HashMap;

use crate::support::certificate::CertificateText;
use crate::support::games::random_game_within;
use crate::support::random::Random;
use yomikiri_rules::games::binarsi::Binarsi;
use yomikiri_rules::games::connect_four::ConnectFour;
use yomikiri_rules::games::reversi::Reversi;
use yomikiri_rules::{Game, Outcome, Side, Value};
use yomikiri_search::adapters::binarsi::BinarsiProof;
use yomikiri_search::brute;
use yomikiri_search::certificate::{Certificate, CertificateGame, CheckedCounts, Refutation, check, extract};
use yomikiri_search::proof::{PlainProof, ProofGame, Prover};
use yomikiri_table::Silent;

pub const SIDES: [Side; 2] = [Side::Black, Side::White];

/// A game that has a prover.
pub trait Provable: CertificateGame {
    type Proof: ProofGame<Rules = Self>;

    fn proof(&self, draws: Side) -> Self::Proof;

    /// Creates a prover. The endgame solver takes positions with at most `near` plies left. Draws count as wins of
    /// `draws`.
    fn prover(&self, draws: Side, (near, bytes, threads): ProverSettings) -> Prover<Self::Proof> {
        let mut prover = Prover::new(self.proof(draws), bytes, threads);
        prover.set_endgame_plies(near);
        prover
    }

    /// Proves a position and returns the certificate of its winner. Draws count as wins of `draws`.
    fn certificate(
        &self,
        position: &Self::Position,
        draws: Side,
        setting: ProverSettings,
        horizon: u32,
    ) -> Certificate<Self> {
        let mut prover = self.prover(draws, setting);
        let winner = prover.winner(position, |_| true).unwrap();
        extract(&mut prover, position, winner, horizon, |_| true).unwrap()
    }
}

/// The settings of a prover: the maximum number of plies left at which the endgame solver is used, the memory in bytes,
/// and the number of threads.
pub type ProverSettings = (u32, u64, usize);

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

/// A board with the values of all positions that can arise on it, found by brute force and not by a prover.
pub struct SolvedBoard<G: Game> {
    pub game: G,
    values: HashMap<u64, G::Value>,
}

impl<G: Provable> SolvedBoard<G> {
    pub fn new(game: G) -> SolvedBoard<G> {
        SolvedBoard { values: brute::solve(&game, &game.start()), game }
    }

    pub fn value(&self, position: &G::Position) -> G::Value {
        let known = || self.values[&self.game.rank(position)];
        self.game.terminal_value(position).unwrap_or_else(known)
    }

    pub fn outcome(&self, position: &G::Position) -> Outcome {
        self.value(position).outcome()
    }

    /// Returns the winner of a position if draws count as wins of `draws`.
    pub fn winner(&self, position: &G::Position, draws: Side) -> Side {
        self.outcome(position).winner(self.game.side(position)).unwrap_or(draws)
    }

    /// Returns the position after `plies` random moves from the start, or the last position of the game if the game is
    /// over before.
    pub fn random_position(&self, random: &mut Random, plies: usize) -> G::Position {
        *random_game_within(&self.game, plies, random).last().unwrap()
    }

    /// Returns at most `count` undecided positions with this outcome for the side to move, each after `plies` random
    /// moves.
    pub fn positions(&self, outcome: Outcome, plies: usize, count: usize) -> Vec<G::Position> {
        let mut random = Random::new(3);
        let positions = (0..10_000).map(|_| self.random_position(&mut random, plies));
        let found = positions
            .filter(|position| self.game.terminal_value(position).is_none() && self.outcome(position) == outcome);
        found.take(count).collect()
    }
}

/// Returns the bytes of a certificate's file.
pub fn file<G: CertificateGame>(certificate: &Certificate<G>) -> Vec<u8> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("some.proof");
    certificate.write(&path).unwrap();
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1, "nothing else is left");
    std::fs::read(path).unwrap()
}

/// Reads a certificate from the bytes of its file. An error is the message without the path at its beginning.
pub fn read<G: CertificateGame>(file: &[u8]) -> Result<Certificate<G>, String> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("some.proof");
    std::fs::write(&path, file).unwrap();
    let start = format!("{}: ", path.display());
    Certificate::read(&path).map_err(|error| error.to_string().strip_prefix(&start).unwrap().to_string())
}

/// Reads a certificate from its file and checks it. Panics if it cannot be read.
pub fn checked<G: CertificateGame>(plain: &CertificateText) -> Result<CheckedCounts, Refutation> {
    check::<G>(&read(&plain.file()).unwrap(), &Silent)
}
