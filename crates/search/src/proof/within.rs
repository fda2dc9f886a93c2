//! Finds the distance to a win, by proofs with a deadline: one side has to win by a given ply.

use std::ops::ControlFlow;

use super::game::{FullPosition, Move, ProofGame, SolveEndgame, StopFn};
use super::numbers::ProofNumbers;
use super::prover::Prover;
use super::state::ProofState;
use yomikiri_rules::Side;

/// A game with a deadline: if the game is not over by the deadline, the attacker loses.
///
/// An attacker that wins by one deadline also wins by every later one. So the attacker's proved wins stay valid when
/// the deadline is extended ([`Prover::extend_deadline`]).
pub struct WithDeadline<P> {
    game: P,
    attacker: Side,
    /// The ply by which the game has to be over.
    deadline: u32,
}

impl<P: ProofGame> WithDeadline<P> {
    /// Creates a game in which the attacker has to win within `plies` plies from a position. Panics if draws count as
    /// wins of the attacker, because a draw is not a win.
    pub fn new(game: P, attacker: Side, position: &FullPosition<P>, plies: u32) -> WithDeadline<P> {
        assert_ne!(game.draws(), Some(attacker), "draws must not count as wins of the attacker");
        let deadline = game.ply(&game.compact(position)) + plies;
        WithDeadline { game, attacker, deadline }
    }

    /// Returns the number of plies from a position to the deadline.
    fn rest(&self, position: &P::Position) -> u32 {
        self.deadline.saturating_sub(self.game.ply(position))
    }
}

impl<P: ProofGame> ProofGame for WithDeadline<P> {
    type Rules = P::Rules;
    type Position = P::Position;
    type Endgame = WithinEndgame<P::Endgame>;

    const ENDGAME_PLIES: u32 = P::ENDGAME_PLIES;

    fn rules(&self) -> &P::Rules {
        self.game.rules()
    }

    fn draws(&self) -> Option<Side> {
        self.game.draws()
    }

    fn compact(&self, position: &FullPosition<P>) -> P::Position {
        self.game.compact(position)
    }

    fn compact_of_mover(&self, position: &FullPosition<P>, mover: Side) -> P::Position {
        self.game.compact_of_mover(position, mover)
    }

    fn full(&self, position: &P::Position) -> FullPosition<P> {
        self.game.full(position)
    }

    #[inline]
    fn side(&self, position: &P::Position) -> Side {
        self.game.side(position)
    }

    #[inline]
    fn ply(&self, position: &P::Position) -> u32 {
        self.game.ply(position)
    }

    #[inline]
    fn plies_left(&self, position: &P::Position) -> u32 {
        self.game.plies_left(position).min(self.rest(position))
    }

    fn terminal_value(&self, position: &P::Position) -> Option<Side> {
        let (game, attacker, rest) = (&self.game, self.attacker, self.rest(position));
        if let Some(winner) = game.terminal_value(position) {
            return Some(winner);
        }
        if game.is_out_of_time(position, attacker, rest) {
            return Some(attacker.other());
        }
        (rest == 0).then(|| match game.successors(position, |_, _| ControlFlow::Break(())) {
            ControlFlow::Break(()) => attacker.other(),
            ControlFlow::Continue(()) => game.stuck_value(position),
        })
    }

    fn stuck_value(&self, position: &P::Position) -> Side {
        self.game.stuck_value(position)
    }

    #[inline]
    fn successors(
        &self,
        position: &P::Position,
        visit: impl FnMut(Move<Self>, P::Position) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        self.game.successors(position, visit)
    }

    fn canonical(&self, position: &P::Position) -> P::Position {
        self.game.canonical(position)
    }

    #[inline]
    fn reduced(&self, position: &P::Position) -> P::Position {
        self.game.reduced(position)
    }

    #[inline]
    fn proof_key(&self, reduced: &P::Position) -> u64 {
        self.game.proof_key(reduced)
    }

    fn side_of_key(&self, key: u64) -> Option<Side> {
        self.game.side_of_key(key)
    }

    #[inline]
    fn dominance_class(key: u64) -> u64 {
        P::dominance_class(key)
    }

    /// Dominance also holds with a deadline: from the better position, the same moves make Black win no later, and
    /// White no sooner.
    #[inline]
    fn is_as_good_for_black(first: u64, second: u64) -> bool {
        P::is_as_good_for_black(first, second)
    }

    #[inline]
    fn prior(&self, reduced: &P::Position, endgame_plies: u32) -> ProofNumbers {
        self.game.prior(reduced, endgame_plies)
    }

    #[inline]
    fn learn(&self, reduced: &P::Position, winner: Side) {
        self.game.learn(reduced, winner);
    }

    fn endgame(&self) -> Self::Endgame {
        WithinEndgame(self.game.endgame())
    }
}

/// The endgame solver of [`WithDeadline`]. It solves positions near the end of the game or near the deadline without
/// proof numbers.
pub struct WithinEndgame<E>(E);

impl<P: ProofGame> SolveEndgame<WithDeadline<P>> for WithinEndgame<P::Endgame> {
    fn wins(&mut self, game: &WithDeadline<P>, position: &P::Position, stop: StopFn) -> Option<bool> {
        let WithDeadline { game: inner, attacker, .. } = game;
        let attacker_wins = self.0.wins_within(inner, position, *attacker, game.plies_left(position), stop)?;
        Some(attacker_wins == (inner.side(position) == *attacker))
    }

    fn wins_within(
        &mut self,
        game: &WithDeadline<P>,
        position: &P::Position,
        attacker: Side,
        plies: u32,
        stop: StopFn,
    ) -> Option<bool> {
        let plies = if attacker == game.attacker { plies.min(game.plies_left(position)) } else { plies };
        self.0.wins_within(&game.game, position, attacker, plies, stop)
    }

    fn nodes(&self) -> u64 {
        self.0.nodes()
    }
}

impl<P: ProofGame> Prover<WithDeadline<P>> {
    /// Extends the deadline by `plies` plies. The table keeps the attacker's wins and unsolved entries. All other
    /// entries are removed.
    pub fn extend_deadline(&mut self, plies: u32) {
        self.game.deadline += plies;
        let Prover { game, table, .. } = self;
        table.retain(|key, numbers| match numbers.mover_wins() {
            None => true,
            Some(wins) => game.side_of_key(key).is_some_and(|mover| wins == (mover == game.attacker)),
        });
    }

    /// Returns the least number of plies, at least `plies`, within which the attacker wins a position. The attacker
    /// must be known to win. `go_on` is called several times a second with the number of plies in question. If it
    /// returns false, the error is the largest number of plies within which the attacker is known not to win, if there
    /// is one.
    pub fn plies_to_win(
        &mut self,
        position: &FullPosition<P>,
        plies: u32,
        mut go_on: impl FnMut(u32, &ProofState<'_, WithDeadline<P>>) -> bool,
    ) -> Result<u32, Option<u32>> {
        let start = self.game.compact(position);
        let most = self.game.game.plies_left(&start);
        self.game.deadline = self.game.ply(&start);
        self.extend_deadline(plies);
        for plies in plies..most {
            match self.winner(position, |state| go_on(plies, state)) {
                Some(winner) if winner == self.game.attacker => return Ok(plies),
                Some(_) => self.extend_deadline(1),
                None => return Err(plies.checked_sub(1)),
            }
        }
        Ok(most)
    }
}
