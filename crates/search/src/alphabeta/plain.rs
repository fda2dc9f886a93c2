//! Alpha-beta search that needs nothing but the rules.

use super::{AlphaBeta, Candidate, Candidates, Depths, NO_MOVE, NoMoves, Scored};
use yomikiri_rules::Acyclic;

/// The maximum number of plies left at which a search of every move takes at most seconds on the boards of Binarsi.
const REACH_PLIES: u32 = 10;

/// The maximum number of plies left at which a search takes at most a few tenths of a second.
const QUICK_PLIES: u32 = 8;

/// The minimum number of plies left at which a search is likely to take hours. Binarsi on 5x4 with points has 16 plies
/// and takes ten seconds; positions of 7x6 with 14 plies left take a minute or more.
const HOURS_PLIES: u32 = 17;

/// A game for alpha-beta search by its rules alone. Its positions must have keys. Moves that leave the other side the
/// fewest replies are searched first.
pub struct Plain<G> {
    rules: G,
}

impl<G: Acyclic> Plain<G> {
    /// Creates the search of a game.
    pub fn new(rules: G) -> Plain<G> {
        Plain { rules }
    }

    fn moves(&self, position: &G::Position) -> Vec<G::Move> {
        self.rules.legal_moves(position)
    }
}

impl<G: Acyclic<Value: Scored>> AlphaBeta for Plain<G> {
    type Game = G;
    type Position = G::Position;
    type Move = G::Move;
    type Legal = Vec<G::Move>;
    type List = Vec<Candidate<Self>>;
    type Key = u64;

    const DEPTHS: Depths = Depths { ordering: 0, table: 1, lookahead: 4, interrupt: 4, split: 8, selective: u32::MAX };
    const NODES_PER_BUCKET: usize = 16;
    const GROWS_AT_ONCE: bool = true;

    fn rules(&self) -> &G {
        &self.rules
    }

    fn position(&self, position: &G::Position) -> G::Position {
        *position
    }

    fn rules_move(&self, mv: Option<G::Move>) -> Option<G::Move> {
        mv
    }

    fn plies_left(&self, position: &G::Position) -> u32 {
        self.rules.plies_left(position)
    }

    fn key(&self, position: &G::Position) -> u64 {
        self.rules.rank(position)
    }

    /// A pass is a move like any other here, so the result is never [`NoMoves::Pass`].
    fn legal(&self, position: &G::Position) -> Result<Vec<G::Move>, NoMoves<G::Position>> {
        match self.rules.terminal_value(position) {
            Some(value) => Err(NoMoves::Terminal(value.to_score(self.rules.ply(position)))),
            None => Ok(self.moves(position)),
        }
    }

    /// The code of a move is its index in notation order.
    fn candidates(&self, position: &G::Position, legal: Vec<G::Move>, first: [u8; 2], _: &mut u64) -> Candidates<Self> {
        let mut candidates = Candidates::new(self.plies_left(position));
        for (mv, code) in legal.into_iter().zip((0..NO_MOVE).chain(std::iter::repeat(NO_MOVE))) {
            let position = self.rules.play(position, mv);
            let answers = || self.moves(&position).len() as i32;
            let priority = match self.rules.terminal_value(&position) {
                Some(value) => -value.to_score(0),
                None if code != NO_MOVE && first.contains(&code) => 0,
                None => -answers(),
            };
            candidates.push(Candidate { mv, code, position, priority });
        }
        candidates
    }

    /// The table begins small, because most searches are short.
    fn buckets(&self, _: u32) -> usize {
        1 << 12
    }

    fn reach(&self, position: &G::Position) -> Result<(), String> {
        let (left, most) = (self.plies_left(position), REACH_PLIES);
        let why = || {
            format!(
                "a search of every move is feasible up to {most} plies before the end; this game can last {left} more"
            )
        };
        if left <= most { Ok(()) } else { Err(why()) }
    }

    fn is_quick(&self, position: &G::Position) -> bool {
        self.plies_left(position) <= QUICK_PLIES
    }

    fn takes_hours(&self, position: &G::Position) -> bool {
        self.plies_left(position) >= HOURS_PLIES
    }
}
