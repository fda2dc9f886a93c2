//! Proofs of the winner within a time limit, for positions that no file has and whose subgame (all positions that can
//! follow) is too large to solve.

use std::cell::RefCell;

use super::answerer::{Answerer, FoundSource, best_first};
use super::json::{MoveReport, QueryReport};
use super::oracle::{Answer, JudgedMove, Source};
use yomikiri_rules::{AnyGame, AnyMove, AnyPosition, AnyValue, Game, Outcome, Plies, Side, Value};
use yomikiri_search::Decide;
use yomikiri_search::Searchable;
use yomikiri_solve::{Result, SolveError};
use yomikiri_table::Progress;

/// The details requested about a position whose winner has to be proved.
#[derive(Clone, Copy, Debug)]
pub struct ProofQuestion {
    /// Also proves the winner after each move.
    pub moves: bool,
    /// Also computes the plies to the win.
    pub plies: bool,
    /// Also proves everything that a certificate leaves open. If this is false and a certificate names the winner of
    /// the position, the answer has only what the certificate tells: that winner and one winning move.
    pub beyond_certificates: bool,
}

/// Watches the proof of a position, and can end it.
pub trait ProofObserver {
    /// Called when a question turns out to need a proof, before the proof begins.
    fn begin(&mut self) {}

    /// Called several times a second. Returning false ends the question.
    fn go_on(&mut self) -> bool;

    /// Called when the winner of the position is known.
    fn found_winner(&mut self, _winner: Side) {}

    /// Called when the winner or the plies of a move become known. `report` has everything known about the move.
    /// `decided` is the number of moves whose winner is known, out of `all` moves.
    fn found_move(&mut self, _report: &MoveReport, _decided: usize, _all: usize) {}
}

impl Answerer<'_> {
    /// Proves the winner of a position in which the game goes on. Returns the winner and, if the winner is the side to
    /// move, a winning move. Returns `None` if the game has no proofs, or if `go_on` returns false before the winner is
    /// known. `go_on` is called several times a second.
    pub fn prove_move(
        &mut self,
        position: &AnyPosition,
        go_on: &mut dyn FnMut() -> bool,
    ) -> Result<Option<(Side, Option<AnyMove>)>> {
        let mover = self.game().side(position);
        let Some(decider) = self.decider() else { return Ok(None) };
        Ok(match decider.winner(position, go_on)? {
            Some(winner) if winner == mover => decider.winning_move(position, go_on)?.map(|mv| (winner, Some(mv))),
            winner => winner.map(|winner| (winner, None)),
        })
    }
}

/// A position whose winner is being proved.
struct PositionProof<'w> {
    position: AnyPosition,
    winner: Option<Side>,
    /// The value for the side to move, if it is known.
    value: Option<AnyValue>,
    moves: Vec<JudgedMove>,
    watch: &'w mut dyn ProofObserver,
}

impl QueryReport {
    /// Makes the same report as [`QueryReport::ask`], and proves the winner if no other source names the winner and the
    /// game has proofs ([`decider`](yomikiri_search::Searchable::decider)). If `watch` ends the question, the report
    /// has no outcome for a position or move that is still open.
    pub fn prove<'a>(
        answerer: &mut Answerer<'a>,
        position: &AnyPosition,
        memory: u64,
        question: ProofQuestion,
        progress: &'a dyn Progress,
        watch: &mut dyn ProofObserver,
    ) -> Result<QueryReport> {
        let game = answerer.game();
        if let Some(value) = game.terminal_value(position) {
            return Ok(QueryReport::exact(game, position, &Answer::over(value), None));
        }
        let has_proofs = game.has_proofs();
        let memory = if has_proofs { answerer.beside_proof(memory) } else { memory };
        let known = match answerer.find(position, memory, progress) {
            Ok(FoundSource::Certified(certificates)) if has_proofs && question.beyond_certificates => {
                Some(certificates.source(position)?)
            }
            Err(SolveError::TooLarge(_)) if has_proofs => None,
            found if question.moves => return QueryReport::of(answerer, position, &found?, progress),
            found => return QueryReport::without_moves(game, position, &found?),
        };
        let mut asked = PositionProof::new(answerer, position, progress, watch)?;
        asked.decide(answerer, question)?;
        best_first(&mut asked.moves);
        let PositionProof { winner, value, moves, .. } = asked;
        let outcome = winner.map(|winner| Outcome::of_winner(Some(winner), game.side(position)));
        let (source, certificate) = known.map_or((Source::Proof, None), |(source, trust)| (source, Some(trust)));
        Ok(QueryReport {
            source: Some(source),
            certificate,
            ..QueryReport::judged(game, position, outcome, value, &moves)
        })
    }
}

impl<'w> PositionProof<'w> {
    /// Starts a proof with everything that files and rules tell about the position.
    fn new<'a>(
        answerer: &mut Answerer<'a>,
        position: &AnyPosition,
        progress: &'a dyn Progress,
        watch: &'w mut dyn ProofObserver,
    ) -> Result<Self> {
        watch.begin();
        let moves = answerer.judge(position, progress)?;
        let winner = answerer.certificates()?.winner(position)?;
        let mut asked = PositionProof { position: *position, winner: None, value: None, moves, watch };
        asked.set_winner(winner);
        asked.conclude(answerer.game());
        Ok(asked)
    }

    /// Proves the winner and the details that `question` asks for, until [`ProofObserver::go_on`] returns false.
    fn decide(&mut self, answerer: &mut Answerer, question: ProofQuestion) -> Result<()> {
        let game = answerer.game();
        let Some(decider) = answerer.decider() else { return Ok(()) };
        if self.winner.is_none() {
            let winner = decider.winner(&self.position, &mut || self.watch.go_on())?;
            self.set_winner(winner);
        }
        if question.moves {
            self.decide_moves(game, decider)?;
        }
        if question.plies { self.ask_plies(game, decider) } else { Ok(()) }
    }

    fn decide_moves(&mut self, game: &AnyGame, decider: &mut dyn Decide<AnyGame>) -> Result<()> {
        let (all, mover) = (self.moves.len(), game.side(&self.position));
        let open: Vec<usize> = (0..all).filter(|&at| self.moves[at].outcome.is_none()).collect();
        let moves: Vec<AnyMove> = open.iter().map(|&at| self.moves[at].mv).collect();
        let known = self.moves.iter().filter(|mv| mv.outcome.is_some());
        known.zip(1..).for_each(|(mv, decided)| self.watch.found_move(&MoveReport::judged(game, mv), decided, all));
        let (mut decided, watch) = (all - open.len(), RefCell::new(&mut *self.watch));
        let mut go_on = || watch.borrow_mut().go_on();
        let mut found = |at: usize, winner: Side| {
            let mv = &mut self.moves[open[at]];
            mv.outcome = Some(Outcome::of_winner(Some(winner), mover));
            decided += 1;
            watch.borrow_mut().found_move(&MoveReport::judged(game, mv), decided, all);
        };
        decider.decide_moves(&self.position, &moves, &mut go_on, &mut found)?;
        self.conclude(game);
        Ok(())
    }

    /// Computes the plies to the win for the position, then for each move whose winner is known.
    fn ask_plies(&mut self, game: &AnyGame, decider: &mut dyn Decide<AnyGame>) -> Result<()> {
        let (all, mover) = (self.moves.len(), game.side(&self.position));
        if let Some(winner) = self.winner.filter(|_| self.value.is_none()) {
            self.value = decider.value(&self.position, winner, &mut || self.watch.go_on())?;
        }
        let decided = self.moves.iter().filter(|mv| mv.outcome.is_some()).count();
        for mv in self.moves.iter_mut().filter(|mv| mv.value.is_none()) {
            let Some(winner) = mv.outcome.and_then(|outcome| outcome.winner(mover)) else { continue };
            if !self.watch.go_on() {
                break;
            }
            if let Some(value) = decider.value(&mv.position, winner, &mut || self.watch.go_on())? {
                mv.value = Some(value.of_move());
                self.watch.found_move(&MoveReport::judged(game, mv), decided, all);
            }
        }
        Ok(())
    }

    fn set_winner(&mut self, winner: Option<Side>) {
        if let Some(winner) = winner.filter(|_| self.winner.is_none()) {
            self.winner = Some(winner);
            self.watch.found_winner(winner);
        }
    }

    /// Concludes the winner and the value of the position from its moves, if the moves determine them. The side to move
    /// wins if one move wins, and loses if all moves lose.
    fn conclude(&mut self, game: &AnyGame) {
        let mover = game.side(&self.position);
        let wins = self.moves.iter().any(|mv| mv.outcome == Some(Outcome::Win));
        let loses = self.moves.iter().all(|mv| mv.outcome == Some(Outcome::Loss));
        self.set_winner(if wins { Some(mover) } else { loses.then(|| mover.other()) });
        // No win takes fewer than 1 ply. If all moves have values, the best of these values is the value of the
        // position.
        let best = self.moves.iter().filter_map(|mv| mv.value).max();
        let is_soonest = best.is_some_and(|best| best.outcome() == Outcome::Win && best.plies() == Some(Plies(1)));
        if is_soonest || self.moves.iter().all(|mv| mv.value.is_some()) {
            self.value = best;
        }
    }
}
