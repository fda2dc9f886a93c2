//! The interfaces of this crate for [`AnyGame`], a game that is known only at run time. Each method dispatches to the
//! game once, and the work below it is compiled for that game.

use std::ops::{ControlFlow, Range};
use std::path::Path;

use crate::estimate::Estimate;
use crate::evaluate::EndgameSolver;
use crate::move_counts::CountMoves;
use crate::search::{SearchEntry, SearchRun};
use crate::{
    Adapter, Bounded, Costs, Decide, Evaluate, GoOn, Resident, Result, Search, Solution, Solvable, SolveOptions,
    Solved, Strategy, Wins,
};
use yomikiri_rules::{AnyGame, AnyMove, AnyPosition, AnyValue, Outcome, Plies, Registered, Side, with_game};
use yomikiri_table::entries::{Entries, EntryReader};
use yomikiri_table::source::ReadAt;
use yomikiri_table::{Progress, Table, TableError};

/// A search, prover, strategy or endgame solver of a game, for positions of [`AnyGame`].
struct OfAny<T: ?Sized>(Box<T>);

/// Visits the children of a position of `game`, with wrapped moves and positions.
fn any_children<G: Registered + Evaluate>(
    game: &G,
    position: &AnyPosition,
    visit: &mut dyn FnMut(AnyMove, AnyPosition) -> ControlFlow<()>,
) -> ControlFlow<()> {
    game.children(G::position_of(position), &mut |mv, child| visit(G::any_move(mv), G::any_position(child)))
}

impl<G: Registered> Search<AnyGame> for OfAny<dyn Search<G>> {
    fn solve_until(&self, position: &AnyPosition, run: &SearchRun<'_>) -> Result<Solution<AnyGame>, Bounded<AnyValue>> {
        match self.0.solve_until(G::position_of(position), run) {
            Ok(Solution { value, best, nodes }) => {
                Ok(Solution { value: value.into(), best: best.map(G::any_move), nodes })
            }
            Err(Bounded { at_least, at_most, nodes }) => {
                Err(Bounded { at_least: at_least.into(), at_most: at_most.into(), nodes })
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

impl Adapter for AnyGame {
    fn costs(&self) -> Costs {
        with_game!(self, game => game.costs())
    }

    fn has_proofs(&self) -> bool {
        with_game!(self, game => game.has_proofs())
    }

    fn side_at(&self, ply: u32) -> Option<Side> {
        with_game!(self, game => game.side_at(ply))
    }

    fn estimate_from(&self, root: &AnyPosition) -> Estimate {
        with_game!(self, game => game.estimate_from(game.own(root)))
    }

    fn searcher(&self, memory: u64) -> Option<Box<dyn Search<AnyGame>>> {
        with_game!(self, game => game.searcher(memory).map(|search| Box::new(OfAny(search)) as _))
    }

    fn decider(&self, memory: u64, threads: usize) -> Option<Box<dyn Decide<AnyGame>>> {
        with_game!(self, game => game.decider(memory, threads).map(|decider| Box::new(OfAny(decider)) as _))
    }

    fn strategy(&self, source: Box<dyn ReadAt>, path: &Path) -> Result<Box<dyn Strategy<AnyGame>>, TableError> {
        with_game!(self, game => game.strategy(source, path).map(|strategy| Box::new(OfAny(strategy)) as _))
    }

    fn why_no_tables(&self) -> String {
        with_game!(self, game => game.why_no_tables())
    }
}

impl Evaluate for AnyGame {
    fn evaluate(&self, position: &AnyPosition) -> i32 {
        with_game!(self, game => game.evaluate(game.own(position)))
    }

    fn material(&self, position: &AnyPosition, side: Side) -> i32 {
        with_game!(self, game => game.material(game.own(position), side))
    }

    fn fingerprint(&self, position: &AnyPosition) -> u64 {
        with_game!(self, game => game.fingerprint(game.own(position)))
    }

    fn children(
        &self,
        position: &AnyPosition,
        visit: &mut dyn FnMut(AnyMove, AnyPosition) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        with_game!(self, game => any_children(game, position, visit))
    }

    fn endgame_solver(&self, bytes: usize) -> Option<Box<dyn EndgameSolver<AnyGame>>> {
        with_game!(self, game => game.endgame_solver(bytes).map(|solver| Box::new(OfAny(solver)) as _))
    }
}

impl Solvable for AnyGame {
    fn is_cyclic(&self) -> bool {
        with_game!(self, game => game.is_cyclic())
    }

    fn memory_needed(&self) -> Option<u64> {
        with_game!(self, game => game.memory_needed())
    }

    fn estimate(&self) -> Estimate {
        with_game!(self, game => game.estimate())
    }

    #[cfg(feature = "write")]
    fn solve(&self, root: Option<&AnyPosition>, path: &Path, options: &SolveOptions) -> Result<()> {
        with_game!(self, game => game.solve(root.map(|root| game.own(root)), path, options))
    }

    #[cfg(feature = "write")]
    fn audit(&self, root: Option<&AnyPosition>, table: &Table, options: &SolveOptions) -> Result<()> {
        with_game!(self, game => game.audit(root.map(|root| game.own(root)), table, options))
    }

    #[cfg(feature = "write")]
    fn pack(&self, path: &Path, progress: &dyn Progress) -> Result<bool> {
        with_game!(self, game => game.pack(path, progress))
    }

    fn probe(&self, table: &Table, position: &AnyPosition) -> Result<Option<AnyValue>, TableError> {
        with_game!(self, game => Ok(game.probe(table, game.own(position))?.map(Into::into)))
    }

    fn probe_all(&self, table: &Table, resident: Option<&Resident>, keys: &[u64]) -> Result<Vec<u8>, TableError> {
        with_game!(self, game => game.probe_all(table, resident, keys))
    }

    fn load(&self, table: &Table, wins: Wins) -> Result<Option<Resident>> {
        with_game!(self, game => game.load(table, wins))
    }

    fn entries(&self, table: &Table, resident: Option<&Resident>, range: Range<u64>) -> Result<Entries> {
        with_game!(self, game => game.entries(table, resident, range))
    }

    fn audit_sample(&self, table: &Table, count: u64, progress: &dyn Progress) -> Result<u64> {
        with_game!(self, game => game.audit_sample(table, count, progress))
    }

    fn entry_reader<'a>(&'a self, table: &'a Table) -> Result<EntryReader<'a>> {
        with_game!(self, game => game.entry_reader(table))
    }

    fn move_counter<'a>(&'a self, table: &'a Table, memory: u64) -> Result<Box<dyn CountMoves + 'a>> {
        with_game!(self, game => game.move_counter(table, memory))
    }

    fn solve_subgame(&self, position: &AnyPosition, memory: u64, progress: &dyn Progress) -> Result<Solved> {
        with_game!(self, game => game.solve_subgame(game.own(position), memory, progress))
    }
}
