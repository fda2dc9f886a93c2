//! Decides positions if no file has them and their subgame (all positions that can follow) is too large to solve. A
//! proof finds the winner. A search, in games that have one, finds the exact value. The caller can end both at any
//! time.

use std::cell::RefCell;

use super::answerer::{Answerer, FoundSource, Method};
use super::json::{MoveReport, QueryReport, ValueBound};
use super::judged_moves::best_first;
use super::oracle::{Answer, JudgedMove, Source};
use super::value_search::{SearchBounds, ValueSearch};
use yomikiri_rules::{AnyGame, AnyMove, AnyPosition, AnyValue, Game, Measure, Outcome, Plies, Side, Value};
use yomikiri_search::{Decide, DecideProgress, GoOn};
use yomikiri_solve::Result;
use yomikiri_table::{Progress, Silent};

/// The parts that the answer must have if a proof or a search has to decide the position.
#[derive(Clone, Copy, Debug)]
pub struct ProofQuestion {
    /// If true, also finds the outcome of each move.
    pub moves: bool,
    /// If true, also computes the plies to the win. A search for exact values finds them in any case.
    pub plies: bool,
    /// If true, also proves everything that a certificate leaves open. If false and a certificate names the winner of
    /// the position, the answer has only what is known without proofs. There is one exception: if `moves` is true and
    /// the side to move wins, but no winning move is known, proofs decide the moves.
    pub beyond_certificates: bool,
}

/// Watches the proof of a position or the search for its value, and can end it.
pub trait ProofObserver {
    /// Called once for each question that needs a proof or a search, before the proof or search begins.
    fn begin(&mut self) {}

    /// Called several times a second. If it returns false, the proof or search ends.
    fn go_on(&mut self) -> bool;

    /// Called when the position is decided. The winner is `None` for a draw. The measure is the plies to the end or the
    /// score, or `None` if only the outcome is known.
    fn found_winner(&mut self, _winner: Option<Side>, _measure: Option<Measure>) {}

    /// Called when the outcome or the plies of a move become known. `report` has everything known about the move.
    /// `decided` is the number of moves whose outcome is known, out of `all` moves.
    fn found_move(&mut self, _report: &MoveReport, _decided: usize, _all: usize) {}
}

impl Answerer<'_> {
    /// Proves the winner of a nonterminal position. Returns the winner and, if the winner is the side to move, a
    /// winning move. Returns `None` if the game has no proofs, or if `go_on` returns false before the answer is
    /// complete. `go_on` is called several times a second.
    pub fn prove_move(&mut self, position: &AnyPosition, go_on: GoOn) -> Result<Option<(Side, Option<AnyMove>)>> {
        let mover = self.game().side(position);
        let Some(decider) = self.decider() else { return Ok(None) };
        Ok(match decider.winner(position, go_on)? {
            Some(winner) if winner == mover => decider.winning_move(position, go_on)?.map(|mv| (winner, Some(mv))),
            winner => winner.map(|winner| (winner, None)),
        })
    }

    /// Proves the winner after each of `moves`, which are legal moves of a nonterminal position. Calls `decided` with
    /// the index of a move and the winner as soon as the winner is known. Begins with the moves that look best. Decides
    /// nothing if the game has no proofs. Ends when `go_on`, which is called several times a second, returns false.
    pub fn prove_moves(
        &mut self,
        position: &AnyPosition,
        moves: &[AnyMove],
        go_on: GoOn,
        decided: &mut dyn FnMut(usize, Side),
    ) -> Result<()> {
        let Some(decider) = self.decider() else { return Ok(()) };
        Ok(decider.decide_moves(position, moves, go_on, decided)?)
    }
}

/// A position that a proof or a search is deciding.
struct PositionProof<'w> {
    position: AnyPosition,
    /// The outcome for the side to move, or `None` if it is not known.
    outcome: Option<Outcome>,
    /// The value for the side to move, or `None` if it is not known.
    value: Option<AnyValue>,
    /// The bounds that a search has found. They matter only if the value is not known.
    bounds: SearchBounds,
    moves: Vec<JudgedMove>,
    watch: &'w mut dyn ProofObserver,
}

impl QueryReport {
    /// Makes the same report as [`QueryReport::ask`], and decides the position if no other source does. Proves the
    /// winner if the game has proofs ([`decider`](yomikiri_search::Searchable::decider)). Otherwise uses the game's
    /// search for exact values if that is not likely to take hours. If `watch` ends the question, the report has no
    /// outcome for a position or move that is not decided by then.
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
        let method = answerer.method(position);
        // Messages about a small subgame, which is solved quickly, would only hide the progress of the proof or search.
        let progress = if method.is_some() { &Silent } else { progress };
        let found = match method {
            Some(_) => answerer.find_beside_proof(position, memory)?,
            None => Some(answerer.find(position, memory, progress)?),
        };
        let is_certified = match found {
            None => false,
            Some(FoundSource::Certified(certificates))
                if method.is_some()
                    && (question.beyond_certificates || question.moves && certificates.lack_move(position)?) =>
            {
                true
            }
            Some(found) => return QueryReport::of(answerer, position, &found, question.moves, progress),
        };
        let certificates = answerer.certificates()?;
        let mut asked = PositionProof::new(answerer, position, progress, watch)?;
        asked.decide(answerer, question)?;
        best_first(&mut asked.moves);
        let PositionProof { outcome, value, bounds, moves, .. } = asked;
        let bound = |bound: Option<AnyValue>| bound.filter(|_| value.is_none()).map(ValueBound::of);
        let decided_by = if method == Some(Method::Search) { Source::Search } else { Source::Proof };
        // If a search did not find the value, the certificate that names the winner remains the source.
        let (source, certificate) = if is_certified || value.is_none() && certificates.winner(position)?.is_some() {
            let (source, trust) = certificates.source(position)?;
            (source, Some(trust))
        } else {
            (decided_by, None)
        };
        Ok(QueryReport {
            source: Some(source),
            certificate,
            at_least: bound(bounds.at_least),
            at_most: bound(bounds.at_most),
            ..QueryReport::judged(game, position, outcome, value, &moves)
        })
    }
}

impl<'w> PositionProof<'w> {
    /// Creates a proof that begins with everything that the files and the rules give about the position.
    fn new<'a>(
        answerer: &mut Answerer<'a>,
        position: &AnyPosition,
        progress: &'a dyn Progress,
        watch: &'w mut dyn ProofObserver,
    ) -> Result<Self> {
        watch.begin();
        let (game, moves) = (answerer.game(), answerer.judge(position, progress)?);
        let (winner, bounds) = (answerer.certificates()?.winner(position)?, SearchBounds::default());
        let mut asked = PositionProof { position: *position, outcome: None, value: None, bounds, moves, watch };
        asked.set_winner(game, winner);
        asked.conclude(game);
        Ok(asked)
    }

    /// Finds everything that `question` asks for, until [`ProofObserver::go_on`] returns false.
    fn decide(&mut self, answerer: &mut Answerer, question: ProofQuestion) -> Result<()> {
        let game = answerer.game();
        match answerer.method(&self.position) {
            Some(Method::Proof) => answerer.decider().map_or(Ok(()), |decider| self.prove(game, decider, question)),
            Some(Method::Search) => {
                if let Some(search) = answerer.value_search()? {
                    self.search(game, search, question.moves);
                }
                Ok(())
            }
            None => Ok(()),
        }
    }

    fn prove(&mut self, game: &AnyGame, decider: &mut dyn Decide<AnyGame>, question: ProofQuestion) -> Result<()> {
        if self.outcome.is_none() {
            let winner = decider.winner(&self.position, &mut |_| self.watch.go_on())?;
            self.set_winner(game, winner);
            self.conclude(game);
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
        let mut go_on = |_: &DecideProgress| watch.borrow_mut().go_on();
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
        let winner = self.outcome.and_then(|outcome| outcome.winner(mover));
        if let Some(winner) = winner.filter(|_| self.value.is_none()) {
            self.value = decider.value(&self.position, winner, &mut |_| self.watch.go_on())?;
        }
        let decided = self.moves.iter().filter(|mv| mv.outcome.is_some()).count();
        for mv in self.moves.iter_mut().filter(|mv| mv.value.is_none()) {
            let Some(winner) = mv.outcome.and_then(|outcome| outcome.winner(mover)) else { continue };
            if !self.watch.go_on() {
                break;
            }
            if let Some(value) = decider.value(&mv.position, winner, &mut |_| self.watch.go_on())? {
                mv.value = Some(value.of_move());
                self.watch.found_move(&MoveReport::judged(game, mv), decided, all);
            }
        }
        Ok(())
    }

    /// Searches for the value of the position and, if `moves` is true, for the values of all moves.
    fn search(&mut self, game: &AnyGame, search: &mut ValueSearch, moves: bool) {
        let mut best = None;
        if self.value.is_none() {
            match search.solve(game, &self.position, &mut || self.watch.go_on()) {
                Ok((value, keeping)) => {
                    best = keeping;
                    self.value = Some(value);
                    self.set_outcome(game, Some(value.outcome()));
                }
                Err(bounds) => {
                    self.bounds = bounds;
                    self.set_outcome(game, bounds.outcome());
                }
            }
        }
        if moves {
            self.search_moves(game, search, best);
            self.conclude(game);
        }
        self.narrow_by_moves(game);
    }

    /// Raises the lower bound to the best value of a move. If it meets the upper bound, the value is known.
    fn narrow_by_moves(&mut self, game: &AnyGame) {
        let best = self.moves.iter().filter_map(|mv| mv.value).max();
        self.bounds.at_least = self.bounds.at_least.max(best);
        if self.value.is_none() && self.bounds.at_least.is_some() && self.bounds.at_least == self.bounds.at_most {
            self.value = self.bounds.at_least;
        }
        self.set_outcome(game, self.value.map(Value::outcome).or(self.bounds.outcome()));
    }

    /// Searches for the values of all moves. `best` is a move that keeps the value of the position, if one is known.
    /// Values that an earlier question has found are not searched again, and need no calls of
    /// [`ProofObserver::go_on`]. So a caller that ends each question after a fixed number of these calls gets more
    /// values each time it asks.
    fn search_moves(&mut self, game: &AnyGame, search: &mut ValueSearch, best: Option<AnyMove>) {
        let all = self.moves.len();
        let mut decided = self.moves.iter().filter(|mv| mv.outcome.is_some()).count();
        self.moves.sort_by_key(|mv| best != Some(mv.mv));
        for mv in &mut self.moves {
            let is_best = best == Some(mv.mv);
            mv.value = match mv.value {
                None if is_best => self.value,
                None => {
                    let solved = search.solve(game, &mv.position, &mut || self.watch.go_on());
                    solved.ok().map(|(value, _)| value.of_move())
                }
                known => known,
            };
            let Some(value) = mv.value else { break };
            decided += usize::from(mv.outcome.is_none());
            mv.outcome = Some(value.outcome());
            self.watch.found_move(&MoveReport::judged(game, mv), decided, all);
        }
    }

    fn set_winner(&mut self, game: &AnyGame, winner: Option<Side>) {
        let mover = game.side(&self.position);
        self.set_outcome(game, winner.map(|winner| Outcome::of_winner(Some(winner), mover)));
    }

    fn set_outcome(&mut self, game: &AnyGame, outcome: Option<Outcome>) {
        if let Some(outcome) = outcome.filter(|_| self.outcome.is_none()) {
            self.outcome = Some(outcome);
            self.watch.found_winner(outcome.winner(game.side(&self.position)), self.value.map(Value::measure));
        }
    }

    /// Concludes the outcome and the value of the position from its moves, if the moves determine them. One move that
    /// wins determines the outcome, and a win in one ply determines the value. In all other cases, the outcome follows
    /// only from the outcomes of all moves, and the value only from the values of all moves. If the position is lost,
    /// the outcome of every move is a loss.
    fn conclude(&mut self, game: &AnyGame) {
        let wins = self.moves.iter().any(|mv| mv.outcome == Some(Outcome::Win));
        let outcomes: Option<Vec<Outcome>> = self.moves.iter().map(|mv| mv.outcome).collect();
        // No win takes fewer than 1 ply. If all moves have values, the best of these values is the value of the
        // position.
        let best = self.moves.iter().filter_map(|mv| mv.value).max();
        let is_soonest = best.is_some_and(|best| best.outcome() == Outcome::Win && best.plies() == Some(Plies(1)));
        if is_soonest || self.moves.iter().all(|mv| mv.value.is_some()) {
            self.value = best;
        }
        let best = outcomes.and_then(|outcomes| outcomes.into_iter().max());
        self.set_outcome(game, if wins { Some(Outcome::Win) } else { best });
        // Every move of a lost position loses.
        if self.outcome == Some(Outcome::Loss) {
            self.moves.iter_mut().for_each(|mv| mv.outcome = Some(Outcome::Loss));
        }
    }
}
