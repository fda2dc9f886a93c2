//! The interfaces of this crate for [`AnyGame`], a game that is known only at run time. Each method dispatches to the
//! game once, and the search below it is compiled for that game.

use std::ops::ControlFlow;
use std::path::Path;

#[cfg(feature = "write")]
use crate::certificate::{self, AnyCertificateFile};
use crate::evaluate::{EndgameSolver, Evaluate};
use crate::exact::{SearchEntry, SearchRun};
#[cfg(feature = "write")]
use crate::position_proof::{PositionProof, ProofOptions};
use crate::{Bounded, Decide, GoOn, Result, Search, Searchable, Solution, Strategy};
use yomikiri_rules::{AnyGame, AnyMove, AnyPosition, AnyValue, Outcome, Plies, Registered, Side, with_game};
#[cfg(feature = "write")]
use yomikiri_rules::{
    TextError,
    games::{binarsi::Binarsi, binarsi_points::BinarsiPoints, connect_four::ConnectFour, reversi::Reversi},
};
use yomikiri_table::TableError;
use yomikiri_table::source::ReadAt;

/// A search, prover, strategy or endgame solver of a game, for positions of [`AnyGame`].
struct OfAny<T: ?Sized>(Box<T>);

impl<G: Registered> Search<AnyGame> for OfAny<dyn Search<G>> {
    fn solve_until(&self, position: &AnyPosition, run: &SearchRun<'_>) -> Result<Solution<AnyGame>, Bounded<AnyValue>> {
        match self.0.solve_until(G::position_of(position), run) {
            Ok(Solution { value, best, nodes }) => {
                Ok(Solution { value: value.into(), best: best.map(G::any_move), nodes })
            }
            Err(Bounded { at_least, at_most, is_raised, is_lowered, nodes }) => {
                let (at_least, at_most) = (at_least.into(), at_most.into());
                Err(Bounded { at_least, at_most, is_raised, is_lowered, nodes })
            }
        }
    }

    fn entries(&self) -> Box<dyn Iterator<Item = SearchEntry> + '_> {
        self.0.entries()
    }

    fn make_room(&self, position: &AnyPosition, nodes: u64) {
        self.0.make_room(G::position_of(position), nodes);
    }

    fn restore(&self, position: &AnyPosition, remembered: SearchEntry) {
        self.0.restore(G::position_of(position), remembered);
    }

    fn keys(&self, position: &AnyPosition) -> u64 {
        self.0.keys(G::position_of(position))
    }

    fn reach(&self, position: &AnyPosition) -> Result<(), String> {
        self.0.reach(G::position_of(position))
    }

    fn is_quick(&self, position: &AnyPosition) -> bool {
        self.0.is_quick(G::position_of(position))
    }

    fn takes_hours(&self, position: &AnyPosition) -> bool {
        self.0.takes_hours(G::position_of(position))
    }
}

impl<G: Registered> Decide<AnyGame> for OfAny<dyn Decide<G>> {
    fn winner(&mut self, position: &AnyPosition, go_on: GoOn) -> Result<Option<Side>> {
        self.0.winner(G::position_of(position), go_on)
    }

    fn decide_moves(
        &mut self,
        position: &AnyPosition,
        moves: &[AnyMove],
        go_on: GoOn,
        decided: &mut dyn FnMut(usize, Side),
    ) -> Result<()> {
        let moves: Vec<G::Move> = moves.iter().copied().map(G::move_of).collect();
        self.0.decide_moves(G::position_of(position), &moves, go_on, decided)
    }

    fn winning_move(&mut self, position: &AnyPosition, go_on: GoOn) -> Result<Option<AnyMove>> {
        Ok(self.0.winning_move(G::position_of(position), go_on)?.map(G::any_move))
    }

    fn value(&mut self, position: &AnyPosition, winner: Side, go_on: GoOn) -> Result<Option<AnyValue>> {
        Ok(self.0.value(G::position_of(position), winner, go_on)?.map(Into::into))
    }
}

impl<G: Registered> Strategy<AnyGame> for OfAny<dyn Strategy<G>> {
    fn winner(&self, position: &AnyPosition) -> Result<Option<Side>, TableError> {
        self.0.winner(G::position_of(position))
    }

    fn winner_near_end(&self, position: &AnyPosition) -> Option<Side> {
        self.0.winner_near_end(G::position_of(position))
    }

    fn hash(&self) -> u64 {
        self.0.hash()
    }

    fn winning_move(&self, position: &AnyPosition) -> Result<Option<AnyMove>, TableError> {
        Ok(self.0.winning_move(G::position_of(position))?.map(G::any_move))
    }

    fn is_opening(&self) -> bool {
        self.0.is_opening()
    }
}

impl<G: Registered> EndgameSolver<AnyGame> for OfAny<dyn EndgameSolver<G>> {
    fn outcome(&mut self, position: &AnyPosition) -> Option<(Outcome, Plies)> {
        self.0.outcome(G::position_of(position))
    }

    fn solve(&mut self, position: &AnyPosition, stop: &mut dyn FnMut(u64) -> bool) -> Option<(AnyMove, AnyValue)> {
        let (mv, value) = self.0.solve(G::position_of(position), stop)?;
        Some((G::any_move(mv), value.into()))
    }

    fn nodes(&self) -> u64 {
        self.0.nodes()
    }
}

/// The evaluator of a game, for positions of [`AnyGame`].
struct AnyEvaluator<G: Registered> {
    game: AnyGame,
    own: Box<dyn Evaluate<G>>,
}

impl<G: Registered> AnyEvaluator<G> {
    fn of(game: &G, own: Box<dyn Evaluate<G>>) -> AnyEvaluator<G> {
        AnyEvaluator { game: game.clone().into(), own }
    }
}

impl<G: Registered> Evaluate<AnyGame> for AnyEvaluator<G> {
    fn game(&self) -> &AnyGame {
        &self.game
    }

    fn evaluate(&self, position: &AnyPosition) -> i32 {
        self.own.evaluate(G::position_of(position))
    }

    fn material(&self, position: &AnyPosition, side: Side) -> i32 {
        self.own.material(G::position_of(position), side)
    }

    fn fingerprint(&self, position: &AnyPosition) -> u64 {
        self.own.fingerprint(G::position_of(position))
    }

    fn children(
        &self,
        position: &AnyPosition,
        visit: &mut dyn FnMut(AnyMove, AnyPosition) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        self.own.children(G::position_of(position), &mut |mv, child| visit(G::any_move(mv), G::any_position(child)))
    }

    fn endgame_solver(&self, bytes: usize) -> Option<Box<dyn EndgameSolver<AnyGame>>> {
        self.own.endgame_solver(bytes).map(|solver| Box::new(OfAny(solver)) as _)
    }
}

impl Searchable for AnyGame {
    fn evaluator(&self) -> Box<dyn Evaluate<AnyGame>> {
        with_game!(self, game => Box::new(AnyEvaluator::of(game, game.evaluator())))
    }

    fn has_proofs(&self) -> bool {
        with_game!(self, game => game.has_proofs())
    }

    fn searcher(&self, memory: u64) -> Option<Box<dyn Search<AnyGame>>> {
        with_game!(self, game => game.searcher(memory).map(|search| Box::new(OfAny(search)) as _))
    }

    fn decider(&self, memory: u64, threads: usize) -> Option<Box<dyn Decide<AnyGame>>> {
        with_game!(self, game => game.decider(memory, threads).map(|decider| Box::new(OfAny(decider)) as _))
    }

    #[cfg(feature = "write")]
    fn proof(
        &self,
        position: &AnyPosition,
        options: &ProofOptions,
    ) -> Result<Option<Box<dyn PositionProof>>, TextError> {
        with_game!(self, game => game.proof(game.own(position), options))
    }

    fn strategy(&self, source: Box<dyn ReadAt>, path: &Path) -> Result<Box<dyn Strategy<AnyGame>>, TableError> {
        with_game!(self, game => game.strategy(source, path).map(|strategy| Box::new(OfAny(strategy)) as _))
    }
}

/// Opens a file as a certificate of a variant of `game`. If `game` is `None` or has no certificates, opens the file as
/// a certificate of Binarsi. The resulting error says what is wrong with the file. Errors name `path`.
#[cfg(feature = "write")]
pub fn open_certificate(
    game: Option<&AnyGame>,
    source: Box<dyn ReadAt>,
    path: &Path,
) -> Result<Box<dyn AnyCertificateFile>, TableError> {
    match game {
        Some(AnyGame::BinarsiPoints(_)) => certificate::open::<BinarsiPoints>(source, path),
        Some(AnyGame::ConnectFour(_)) => certificate::open::<ConnectFour>(source, path),
        Some(AnyGame::Reversi(_)) => certificate::open::<Reversi>(source, path),
        _ => certificate::open::<Binarsi>(source, path),
    }
}
