//! Proof-number search by the rules alone, for every game that never repeats a position.

use std::ops::ControlFlow;

use super::game::{DepthFirst, Move, ProofGame};
use yomikiri_rules::{Acyclic, Notation, Side, TextError, Value};

/// The rules of a game, with draws counted as wins of one side.
#[derive(Clone, Debug)]
pub struct PlainProof<G: Acyclic> {
    rules: G,
    draws: Side,
}

/// A position and its side to move. In some games, the canonical form of a position does not show the side to move.
#[derive(Clone, Copy, Debug)]
pub struct SidedPosition<P> {
    position: P,
    side: Side,
}

impl<G: Acyclic> PlainProof<G> {
    /// Creates the game. Returns an error if its positions have no keys, or if keys can exceed 2^63 - 2. A position
    /// with the key 2^63 - 1 could have the proof key `u64::MAX`, which is never a proof key.
    pub fn new(rules: &G, draws: Side) -> Result<PlainProof<G>, TextError> {
        let end = rules.key_space().ranges.last().map_or(0, |last| last.keys.end);
        if !rules.has_keys() || end >= 1 << 63 {
            return Err(TextError::new(rules.code(), "its positions have no keys, or keys of more than 63 bits"));
        }
        Ok(PlainProof { rules: rules.clone(), draws })
    }

    /// Returns the winner of a game that ended with the value `end` for `mover`.
    fn winner_at_end(&self, end: G::Value, mover: Side) -> Side {
        end.outcome().winner(mover).unwrap_or(self.draws)
    }
}

impl<G: Acyclic + Notation> ProofGame for PlainProof<G> {
    type Rules = G;
    type Position = SidedPosition<G::Position>;
    type Endgame = DepthFirst;

    const ENDGAME_PLIES: u32 = 4;

    fn rules(&self) -> &G {
        &self.rules
    }

    fn draws(&self) -> Option<Side> {
        Some(self.draws)
    }

    fn compact(&self, position: &G::Position) -> Self::Position {
        SidedPosition { position: *position, side: self.rules.side(position) }
    }

    fn compact_of_mover(&self, position: &G::Position, mover: Side) -> Self::Position {
        SidedPosition { position: *position, side: mover }
    }

    fn full(&self, position: &Self::Position) -> G::Position {
        position.position
    }

    fn side(&self, position: &Self::Position) -> Side {
        position.side
    }

    fn ply(&self, position: &Self::Position) -> u32 {
        self.rules.ply(&position.position)
    }

    fn plies_left(&self, position: &Self::Position) -> u32 {
        self.rules.plies_left(&position.position)
    }

    fn terminal_value(&self, &SidedPosition { position, side }: &Self::Position) -> Option<Side> {
        let end = self.rules.is_terminal(&position).then(|| self.rules.terminal_value(&position))?;
        end.map(|end| self.winner_at_end(end, side))
    }

    fn stuck_value(&self, &SidedPosition { position, side }: &Self::Position) -> Side {
        let end = self.rules.terminal_value(&position).expect("a position without moves is over");
        self.winner_at_end(end, side)
    }

    fn successors(
        &self,
        &SidedPosition { position, side }: &Self::Position,
        mut visit: impl FnMut(Move<Self>, Self::Position) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let moves = self.rules.legal_moves(&position);
        let after = |mv| SidedPosition { position: self.rules.play(&position, mv), side: side.other() };
        moves.into_iter().try_for_each(|mv| visit(mv, after(mv)))
    }

    fn canonical(&self, position: &Self::Position) -> Self::Position {
        SidedPosition { position: self.rules.canonical(&position.position), ..*position }
    }

    /// Returns the key of the position by the rules in bits 1 to 63. Bit 0 is 1 if draws count as wins of the side to
    /// move.
    fn proof_key(&self, reduced: &Self::Position) -> u64 {
        self.rules.rank(&reduced.position) << 1 | u64::from(reduced.side == self.draws)
    }

    fn side_of_key(&self, key: u64) -> Option<Side> {
        Some(if key & 1 == 1 { self.draws } else { self.draws.other() })
    }

    fn endgame(&self) -> DepthFirst {
        DepthFirst::default()
    }
}
