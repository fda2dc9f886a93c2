//! The proof of one position, behind one interface for all games. A program that proves, reports and writes
//! certificates needs no type parameter for the game, and the search is compiled in this crate only.

use std::path::Path;
use std::time::Duration;

use crate::Result;
use crate::certificate::{AnyCertificate, CertificateGame, ExtractError, KnownError, add_certificate, extract};
use crate::proof::checkpoint::{Checkpoints, Resumed, SavedCheckpoint};
use crate::proof::{
    Candidate, FullPosition, PlainProof, Played, ProofGame, ProofNumbers, ProofState, Prover, WithDeadline,
};
use yomikiri_rules::{AnyMove, Game, Registered, Side, TextError};
use yomikiri_table::{Progress, TableError};

/// The options of a proof: the side for which draws count, and the limits of memory and threads.
#[derive(Clone, Copy, Debug)]
pub struct ProofOptions {
    /// The side for which a draw counts as a win, in games with draws.
    pub draws: Side,
    /// The maximum size of the transposition table, in bytes.
    pub memory: u64,
    /// The number of threads; at least 1.
    pub threads: usize,
}

/// The progress of a proof of any game: the interface of [`ProofState`] without its type parameter.
pub trait ProofProgress {
    /// The proof number and the disproof number of the position.
    fn numbers(&self) -> ProofNumbers;

    /// The moves of the position, in notation order. If several moves lead to positions with the same key in the table,
    /// only the first is listed.
    fn moves(&self) -> Vec<Candidate<AnyMove>>;

    /// The first move that is known to win, or `None` if no move is known to win.
    fn winning_move(&self) -> Option<AnyMove>;

    /// The number of positions expanded.
    fn expansions(&self) -> u64;

    /// The number of endgames solved without proof numbers, and the number of nodes in them.
    fn endgames(&self) -> [u64; 2];

    /// The share of the table that is in use, from 0 to 1.
    fn fill(&self) -> f64;

    /// The maximum size of the table in bytes.
    fn memory(&self) -> u64;

    /// Writes a checkpoint while other threads search ([`Checkpoints::save`]).
    fn save(
        &self,
        checkpoints: &mut Checkpoints,
        spent: Duration,
        go_on: &mut dyn FnMut() -> bool,
    ) -> Result<Option<SavedCheckpoint>, TableError>;
}

impl<P: ProofGame<Rules: Registered>> ProofProgress for ProofState<'_, P> {
    fn numbers(&self) -> ProofNumbers {
        self.numbers
    }

    fn moves(&self) -> Vec<Candidate<AnyMove>> {
        self.moves.iter().map(|&Candidate { mv, numbers }| Candidate { mv: P::Rules::any_move(mv), numbers }).collect()
    }

    fn winning_move(&self) -> Option<AnyMove> {
        ProofState::winning_move(self).map(P::Rules::any_move)
    }

    fn expansions(&self) -> u64 {
        ProofState::expansions(self)
    }

    fn endgames(&self) -> [u64; 2] {
        [self.endgames, self.endgame_nodes]
    }

    fn fill(&self) -> f64 {
        ProofState::fill(self)
    }

    fn memory(&self) -> u64 {
        ProofState::memory(self)
    }

    fn save(
        &self,
        checkpoints: &mut Checkpoints,
        spent: Duration,
        go_on: &mut dyn FnMut() -> bool,
    ) -> Result<Option<SavedCheckpoint>, TableError> {
        checkpoints.save(self, spent, go_on)
    }
}

/// A callback that is called several times a second with the progress of a proof; it returns false to stop the work.
pub type OnProgress<'a> = &'a mut dyn FnMut(&dyn ProofProgress) -> bool;

/// A question about the number of plies to a win.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PliesQuestion {
    /// Asks if the winner wins within this number of plies.
    Within(u32),
    /// Asks in how many plies the winner wins.
    Length,
}

/// The bounds on the number of plies to a win, both inclusive, and the work of finding them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PliesToWin {
    /// The lower bound.
    pub at_least: u32,
    /// The upper bound.
    pub at_most: u32,
    /// True if the bounds answer the question ([`PliesQuestion`]).
    pub is_decided: bool,
    /// The number of positions expanded.
    pub expansions: u64,
    /// The number of endgames solved without proof numbers, and the number of nodes in them.
    pub endgames: [u64; 2],
}

/// The proof of one position of any game.
///
/// # Errors
///
/// Every method that searches fails if the system refuses to start a thread. It is not an error if the callback stops
/// the work: the method then returns the result that it has so far.
pub trait PositionProof {
    /// The side for which a draw counts as a win, or `None` if the game has no draws.
    fn draws(&self) -> Option<Side>;

    /// The number of threads.
    fn threads(&self) -> usize;

    /// Resumes from the newest readable checkpoint. Returns `None` if there are no checkpoint files
    /// ([`Checkpoints::resume`]).
    fn resume(&mut self, checkpoints: &mut Checkpoints) -> Result<Option<Resumed>, TableError>;

    /// Checks the certificate in `file`, which must be about the same rules. Fills the table with the positions that
    /// the certificate proves, and returns their number ([`add_certificate`]).
    fn add_certificate(&mut self, file: &Path, progress: &dyn Progress) -> Result<u64, KnownError>;

    /// Returns the winner of the position; `None` if it is not known yet.
    fn winner(&mut self, go_on: OnProgress) -> Result<Option<Side>>;

    /// Returns the winner after each legal move, in notation order ([`Prover::winners_of_moves`]).
    fn winners_of_moves(&mut self, go_on: OnProgress) -> Result<Vec<Played<AnyMove>>>;

    /// Returns the progress so far.
    fn state(&self) -> Box<dyn ProofProgress + '_>;

    /// Extracts the certificate of the position, which `winner` wins ([`extract`]). `go_on` is called several times a
    /// second with the number of positions listed so far.
    fn certificate(
        &mut self,
        winner: Side,
        horizon: u32,
        go_on: &mut dyn FnMut(u64) -> bool,
    ) -> Result<Result<Box<dyn AnyCertificate>, ExtractError>>;

    /// Answers a question about the number of plies in which `winner` wins the position. `winner` must be known to win.
    /// Frees the table of the proof, and uses a new one of the same size. `go_on` is called several times a second with
    /// the number of plies in question and the progress. Panics if draws count as wins of `winner`, because a draw has
    /// no number of plies to a win.
    fn plies_to_win(
        self: Box<Self>,
        winner: Side,
        question: PliesQuestion,
        go_on: &mut dyn FnMut(u32, &dyn ProofProgress) -> bool,
    ) -> Result<PliesToWin>;
}

/// Implements [`PositionProof`] with the search of one game.
pub struct ProofOfPosition<P: ProofGame> {
    prover: Prover<P>,
    position: FullPosition<P>,
    options: ProofOptions,
}

impl<P: ProofGame> ProofOfPosition<P> {
    /// Creates the proof of a position. Ignores [`ProofOptions::draws`]: `game` already has the side for which draws
    /// count as wins.
    pub fn new(game: P, position: &FullPosition<P>, options: &ProofOptions) -> ProofOfPosition<P> {
        let prover = Prover::new(game, options.memory, options.threads);
        ProofOfPosition { prover, position: *position, options: *options }
    }
}

/// Returns the proof of a position by the plain rules of a game ([`PlainProof`]).
pub fn plain_proof<G: CertificateGame + Registered>(
    game: &G,
    position: &G::Position,
    options: &ProofOptions,
) -> Result<Option<Box<dyn PositionProof>>, TextError> {
    let game = PlainProof::new(game, options.draws)?;
    Ok(Some(Box::new(ProofOfPosition::new(game, position, options))))
}

impl<P: ProofGame<Rules: CertificateGame + Registered>> PositionProof for ProofOfPosition<P> {
    fn draws(&self) -> Option<Side> {
        self.prover.game().draws()
    }

    fn threads(&self) -> usize {
        self.prover.threads()
    }

    fn resume(&mut self, checkpoints: &mut Checkpoints) -> Result<Option<Resumed>, TableError> {
        checkpoints.resume(&mut self.prover, &self.position)
    }

    fn add_certificate(&mut self, file: &Path, progress: &dyn Progress) -> Result<u64, KnownError> {
        add_certificate(&mut self.prover, file, progress)
    }

    fn winner(&mut self, go_on: OnProgress) -> Result<Option<Side>> {
        let winner = self.prover.winner(&self.position, |state| go_on(state));
        let is_won = winner == Some(self.prover.game().rules().side(&self.position));
        if is_won && self.prover.state(&self.position).winning_move().is_none() {
            // Endgames are solved without storing their moves, and a small table can lose a move. Deciding the moves
            // stores a winning one in the table.
            self.prover.winners_of_moves(&self.position, |state| go_on(state) && state.winning_move().is_none());
        }
        self.prover.take_refused()?;
        Ok(winner)
    }

    fn winners_of_moves(&mut self, go_on: OnProgress) -> Result<Vec<Played<AnyMove>>> {
        let played = self.prover.winners_of_moves(&self.position, |state| go_on(state));
        self.prover.take_refused()?;
        Ok(played.into_iter().map(|Played { mv, winner }| Played { mv: P::Rules::any_move(mv), winner }).collect())
    }

    fn state(&self) -> Box<dyn ProofProgress + '_> {
        Box::new(self.prover.state(&self.position))
    }

    fn certificate(
        &mut self,
        winner: Side,
        horizon: u32,
        go_on: &mut dyn FnMut(u64) -> bool,
    ) -> Result<Result<Box<dyn AnyCertificate>, ExtractError>> {
        let made = extract(&mut self.prover, &self.position, winner, horizon, go_on);
        self.prover.take_refused()?;
        Ok(made.map(|certificate| Box::new(certificate) as _))
    }

    fn plies_to_win(
        self: Box<Self>,
        winner: Side,
        question: PliesQuestion,
        go_on: &mut dyn FnMut(u32, &dyn ProofProgress) -> bool,
    ) -> Result<PliesToWin> {
        let ProofOfPosition { prover, position, options } = *self;
        let game = prover.into_game();
        let most = game.plies_left(&game.compact(&position));
        let mut prover = Prover::new(WithDeadline::new(game, winner, &position, 0), options.memory, options.threads);
        let (at_least, at_most, is_decided) = match question {
            PliesQuestion::Within(plies) if plies >= most => (0, most, true),
            PliesQuestion::Within(plies) => {
                prover.extend_deadline(plies);
                let found = prover.winner(&position, |state| go_on(plies, state));
                match found.map(|found| found == winner) {
                    Some(true) => (0, plies, true),
                    Some(false) => (plies + 1, most, true),
                    None => (0, most, false),
                }
            }
            PliesQuestion::Length => match prover.plies_to_win(&position, 0, |plies, state| go_on(plies, state)) {
                Ok(plies) => (plies, plies, true),
                Err(not_within) => (not_within.map_or(0, |plies| plies + 1), most, false),
            },
        };
        prover.take_refused()?;
        let state = prover.state(&position);
        let endgames = [state.endgames, state.endgame_nodes];
        Ok(PliesToWin { at_least, at_most, is_decided, expansions: state.expansions(), endgames })
    }
}
