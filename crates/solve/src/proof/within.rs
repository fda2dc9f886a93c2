//! How soon a side wins: a game in which one side has to win by a given ply.

use std::ops::ControlFlow;

use super::game::{FullPosition, Move, ProofGame, SolveEndgame, Stop};
use super::numbers::ProofNumbers;
use super::prover::Prover;
use super::state::State;
use yomikiri_rules::Side;

/// The rules of a game, but the attacker has lost where the game goes on at the deadline.
///
/// Where the attacker wins by a ply it wins by any later one, so what is known of its wins stays known when the
/// deadline is put off ([`Prover::put_off`]).
pub struct Within<P> {
    game: P,
    attacker: Side,
    /// The ply at which the game has to be over.
    deadline: u32,
}

impl<P: ProofGame> Within<P> {
    /// The attacker has to win from a position within so many plies. Draws, where the game has them, have to count for
    /// the other side: they are no wins.
    pub fn new(game: P, attacker: Side, position: &FullPosition<P>, plies: u32) -> Within<P> {
        assert_ne!(game.draws(), Some(attacker), "a draw is not won");
        let deadline = game.ply(&game.compact(position)) + plies;
        Within { game, attacker, deadline }
    }

    /// Plies from a position to the deadline.
    fn rest(&self, position: &P::Position) -> u32 {
        self.deadline.saturating_sub(self.game.ply(position))
    }
}

impl<P: ProofGame> ProofGame for Within<P> {
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
    fn normal(&self, position: &P::Position) -> P::Position {
        self.game.normal(position)
    }

    #[inline]
    fn proof_key(&self, normal: &P::Position) -> u64 {
        self.game.proof_key(normal)
    }

    fn side_of_key(&self, key: u64) -> Option<Side> {
        self.game.side_of_key(key)
    }

    #[inline]
    fn dominance_class(key: u64) -> u64 {
        P::dominance_class(key)
    }

    /// By the same moves Black wins no later and White no sooner, so the deadline changes nothing.
    #[inline]
    fn is_as_good_for_black(first: u64, second: u64) -> bool {
        P::is_as_good_for_black(first, second)
    }

    #[inline]
    fn prior(&self, normal: &P::Position, endgame_plies: u32) -> ProofNumbers {
        self.game.prior(normal, endgame_plies)
    }

    #[inline]
    fn learn(&self, normal: &P::Position, winner: Side) {
        self.game.learn(normal, winner);
    }

    fn endgame(&self) -> Self::Endgame {
        WithinEndgame(self.game.endgame())
    }
}

/// Solves positions near the deadline exactly.
pub struct WithinEndgame<E>(E);

impl<P: ProofGame> SolveEndgame<Within<P>> for WithinEndgame<P::Endgame> {
    fn wins(&mut self, game: &Within<P>, position: &P::Position, stop: Stop) -> Option<bool> {
        let Within { game: inner, attacker, .. } = game;
        let attacker_wins = self.0.wins_within(inner, position, *attacker, game.plies_left(position), stop)?;
        Some(attacker_wins == (inner.side(position) == *attacker))
    }

    fn wins_within(
        &mut self,
        game: &Within<P>,
        position: &P::Position,
        attacker: Side,
        plies: u32,
        stop: Stop,
    ) -> Option<bool> {
        let plies = if attacker == game.attacker { plies.min(game.plies_left(position)) } else { plies };
        self.0.wins_within(&game.game, position, attacker, plies, stop)
    }

    fn nodes(&self) -> u64 {
        self.0.nodes()
    }
}

impl<P: ProofGame> Prover<Within<P>> {
    /// The deadline is so many plies later, and what is known of the attacker's wins stays.
    pub fn put_off(&mut self, plies: u32) {
        self.game.deadline += plies;
        let Prover { game, table, .. } = self;
        table.retain(|key, numbers| match numbers.mover_wins() {
            None => true,
            Some(wins) => game.side_of_key(key).is_some_and(|mover| wins == (mover == game.attacker)),
        });
    }

    /// The least number of plies, from `plies` on, within which the attacker wins a position that it is known to win.
    /// `go_on` is called several times a second with the plies that are asked about; an error is the most plies
    /// within which the attacker does not win, as far as is known when it has returned false.
    pub fn length(
        &mut self,
        position: &FullPosition<P>,
        plies: u32,
        mut go_on: impl FnMut(u32, &State<'_, Within<P>>) -> bool,
    ) -> Result<u32, Option<u32>> {
        let start = self.game.compact(position);
        let most = self.game.game.plies_left(&start);
        self.game.deadline = self.game.ply(&start);
        self.put_off(plies);
        for plies in plies..most {
            match self.winner(position, |state| go_on(plies, state)) {
                Some(winner) if winner == self.game.attacker => return Ok(plies),
                Some(_) => self.put_off(1),
                None => return Err(plies.checked_sub(1)),
            }
        }
        Ok(most)
    }
}
