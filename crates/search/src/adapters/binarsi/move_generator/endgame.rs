//! The endgame solver: depth-first search of an AND/OR tree to a given depth, with a transposition table.
//!
//! A query asks if one side, the attacker, can force a win within a number of plies. Every game has a winner, so a
//! query with the number of plies of the longest game gives the outcome. If the attacker wins, the smallest number of
//! plies for which the answer is yes is the distance to the end.
//!
//! Cutoffs besides the transposition table:
//!
//! 1. A side with a missing target that can no longer be cleared ([`super::TargetPlaces::attainable`]) can win only by
//!    the count. If this side is the attacker, it can win only with the last ply of the longest game, or earlier under
//!    the options `-n` and `-m`. The targets that this side has cleared no longer matter.
//! 2. Moves that end the game are tried before any deeper search.
//! 3. With one or two plies left, special code finds the outcome in most cases ([`super::last_plies`]).

use arrayvec::ArrayVec;

use super::choices::{MoveScan, WayMoveGenerator, WayMoves};
use super::compact::CompactPosition;
use super::last_plies;
use super::move_order::{self, MoveOrder};
use super::transposition::TranspositionTable;
use yomikiri_rules::games::binarsi::rules::Rules;
use yomikiri_rules::games::binarsi::targets;
use yomikiri_rules::{Distance, Outcome, Side};

/// The number of nodes between two calls of [`StopFn`].
const STOP_INTERVAL: u64 = 1 << 10;

/// The maximum number of plies left at which positions are searched without the transposition table. With so few plies
/// left, a search is faster than a look-up.
const UNSTORED_PLIES: u32 = 3;

/// A function that the solver calls from time to time with the number of nodes searched. It returns true to stop the
/// search.
pub type StopFn<'a> = &'a mut dyn FnMut(u64) -> bool;

/// Solves positions exactly. The transposition table is kept between positions.
pub struct EndgameSolver {
    rules: Rules,
    choices: WayMoveGenerator,
    table: TranspositionTable,
    order: MoveOrder,
    /// The number of nodes searched so far.
    pub nodes: u64,
}

/// A query: can the attacker force a win within `plies` plies?
#[derive(Clone, Copy)]
struct Query {
    attacker: Side,
    /// The number of plies within which the attacker has to win.
    plies: u32,
    /// The number of plies of the longest game that can follow from the position.
    rest: u32,
    /// True if the attacker is to move.
    attacks: bool,
    /// The targets that still matter, as a bit set: the three targets of each side that can still clear all three.
    attainable: u8,
}

impl Query {
    #[inline]
    fn after_move(self) -> Query {
        Query { plies: self.plies - 1, rest: self.rest - 1, attacks: !self.attacks, ..self }
    }
}

impl EndgameSolver {
    /// Creates a solver with a transposition table of at most `bytes` bytes.
    pub fn new(rules: &Rules, bytes: usize) -> EndgameSolver {
        EndgameSolver {
            rules: *rules,
            choices: WayMoveGenerator::new(rules),
            table: TranspositionTable::new(bytes),
            order: MoveOrder::new(),
            nodes: 0,
        }
    }

    /// Returns true if `attacker` can force a win within `plies` plies, or `None` if `stop` ended the search. The
    /// position must not be over.
    pub fn wins(&mut self, position: &CompactPosition, attacker: Side, plies: u32, stop: StopFn) -> Option<bool> {
        let rest = self.plies_left(position);
        let attacks = attacker == Side::at_ply(position.ply());
        self.search(position, Query { attacker, plies: plies.min(rest), rest, attacks, attainable: targets::ALL }, stop)
    }

    /// Returns the value of a position, with its exact distance, or `None` if `stop` ended the search. The position
    /// must not be over.
    pub fn value(&mut self, position: &CompactPosition, stop: StopFn) -> Option<Distance> {
        let (mover, rest) = (Side::at_ply(position.ply()), self.plies_left(position));
        let wins = self.wins(position, mover, rest, stop)?;
        let (winner, outcome) = if wins { (mover, Outcome::Win) } else { (mover.other(), Outcome::Loss) };
        for plies in 0..rest {
            if self.wins(position, winner, plies, stop)? {
                return Some(Distance::new(outcome, plies as u16));
            }
        }
        Some(Distance::new(outcome, rest as u16))
    }

    /// Returns the number of plies of the longest game that can follow from a position.
    #[inline]
    pub fn plies_left(&self, position: &CompactPosition) -> u32 {
        self.rules.max_plies() - position.ply()
    }

    /// Answers a query about a position that is not decided by targets. Returns `None` if `stop` ended the search.
    fn search(&mut self, position: &CompactPosition, query: Query, stop: StopFn) -> Option<bool> {
        self.nodes += 1;
        if self.nodes.is_multiple_of(STOP_INTERVAL) && stop(self.nodes) {
            return None;
        }
        let Query { attacker, attacks, plies, rest, attainable } = query;
        if plies == rest
            && let Some(wins) = last_plies::wins(&self.choices, position, attainable, rest)
        {
            return Some(wins == attacks);
        }
        // True if the stones can be counted within `plies` plies. With `-n` and `-m`, they can be counted before the
        // last ply of the longest game.
        let in_time = plies == rest || self.rules.illegal_modifies.has_any();
        if plies == 0 && !in_time {
            return Some(false);
        }
        let attainable = self.choices.lines.attainable(position, attainable);
        if !in_time && attainable & targets::all(attacker) == 0 {
            return Some(false);
        }
        if plies == rest
            && let Some(winner) = self.sure_winner(position, attainable)
        {
            return Some(winner == attacker);
        }
        let position = CompactPosition { targets: position.targets & attainable, ..*position };
        self.probe(&position, Query { attainable, ..query }, stop)
    }

    /// Returns the side that is certain to win, or `None` if the outcome is open. A side is certain to win if the count
    /// is decided in its favour by stones that can never change again, and the other side cannot win by targets.
    #[inline]
    fn sure_winner(&self, position: &CompactPosition, attainable: u8) -> Option<Side> {
        if attainable == targets::ALL {
            return None;
        }
        let (all, fixed) = (u32::from(self.rules.files) * u32::from(self.rules.ranks), position.fixed());
        let (black, white) = ((fixed & position.stones).count_ones(), (fixed & !position.stones).count_ones());
        let worst_for_black = self.rules.stones_winner(black, all - black);
        let worst_for_white = self.rules.stones_winner(all - white, white);
        let (winner, loser) = (worst_for_black, worst_for_black.other());
        (winner == worst_for_white && attainable & targets::all(loser) == 0).then_some(winner)
    }

    /// Answers a query from the transposition table. If the table has no answer, answers the query by search and stores
    /// the answer.
    #[inline]
    fn probe(&mut self, position: &CompactPosition, query: Query, stop: StopFn) -> Option<bool> {
        let Query { attacker, plies, rest, .. } = query;
        if rest <= UNSTORED_PLIES {
            return self.by_moves(position, query, stop);
        }
        if let Some(answer) = self.table.get(position, attacker).answer(plies) {
            return Some(answer);
        }
        let before = self.nodes;
        let answer = self.by_moves(position, query, stop)?;
        self.table.put(position, attacker, plies, answer, self.nodes - before);
        Some(answer)
    }

    /// Answers a query by looking at all moves.
    fn by_moves(&mut self, position: &CompactPosition, query: Query, stop: StopFn) -> Option<bool> {
        let Query { attacker, attacks, plies, attainable, .. } = query;
        let mover = Side::at_ply(position.ply());
        let mut options = ArrayVec::new();
        match self.choices.scan_moves(position, attainable, mover, &mut options) {
            MoveScan::Stuck => Some(position.counted(&self.rules) == attacker),
            // A win in 0 plies means that the game is over, which `MoveScan::Stuck` covers.
            _ if plies == 0 => Some(false),
            MoveScan::Win => Some(attacks),
            MoveScan::GoOn => self.by_replies(position, &options, query, stop),
        }
    }

    /// Answers a query by searching the moves in `options`, which lead to nonterminal positions. All other moves must
    /// be known to lose at once.
    fn by_replies(
        &mut self,
        position: &CompactPosition,
        options: &[WayMoves],
        query: Query,
        stop: StopFn,
    ) -> Option<bool> {
        let Query { attacks, rest, .. } = query;
        let mut replies = ArrayVec::new();
        self.order.replies(position, Side::at_ply(position.ply()), rest, options, &mut replies);
        let mut tried = 0;
        while let Some(reply) = move_order::next(&mut replies, tried) {
            let of_way = &options[usize::from(reply.option)];
            let good = self.search(&of_way.after(position, reply.number.into()), query.after_move(), stop)? == attacks;
            self.order.learn(rest, of_way, reply, good);
            if good {
                return Some(attacks);
            }
            tried += 1;
        }
        Some(!attacks)
    }
}
