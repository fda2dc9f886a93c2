//! The endgame solver: depth-first search of an AND/OR tree to a given depth, with a transposition table.
//!
//! A query asks whether one side, the attacker, can force a win within so many plies. Every game has a winner, so the
//! answer for all plies left is the outcome, and the least depth with the answer yes is the distance to the end.
//!
//! Cutoffs besides the transposition table:
//!
//! 1. A side that misses a target which can no longer be cleared ([`super::Lines::attainable`]) wins by the count or
//!    not at all: an attacker then needs all plies that are left, and the targets that the side has cleared do not
//!    matter any more.
//! 2. Moves that end the game are tried before any deeper search.
//! 3. In the last two plies all moves of a way are taken together ([`super::last_plies`]).

use arrayvec::ArrayVec;

use super::choices::{Choices, Options, Survey};
use super::compact::CompactPosition;
use super::last_plies;
use super::move_order::{self, MoveOrder};
use super::transposition::TranspositionTable;
use crate::games::binarsi::rules::Rules;
use crate::games::binarsi::targets;
use crate::{Distance, Outcome, Side};

/// Nodes between two calls of [`Stop`].
const STOP_INTERVAL: u64 = 1 << 10;

/// Up to so many plies before the end a search is faster than a look-up in the table.
const UNSTORED_PLIES: u32 = 3;

/// Called now and then with the number of nodes; true stops the search.
pub type Stop<'a> = &'a mut dyn FnMut(u64) -> bool;

/// Solves positions exactly, and keeps its table from one to the next.
pub struct EndgameSolver {
    rules: Rules,
    choices: Choices,
    table: TranspositionTable,
    order: MoveOrder,
    /// Nodes so far.
    pub nodes: u64,
}

/// Whether the attacker can force a win within so many plies.
#[derive(Clone, Copy)]
struct Query {
    attacker: Side,
    /// Plies within which the attacker has to win.
    plies: u32,
    /// Plies to the end of the longest game.
    rest: u32,
    /// Whether the attacker is to move.
    attacks: bool,
    /// Targets of the sides that can still win by targets.
    attainable: u8,
}

impl Query {
    fn after_move(self) -> Query {
        Query { plies: self.plies - 1, rest: self.rest - 1, attacks: !self.attacks, ..self }
    }
}

impl EndgameSolver {
    /// A solver with a table of at most so many bytes.
    pub fn new(rules: &Rules, bytes: usize) -> EndgameSolver {
        EndgameSolver {
            rules: *rules,
            choices: Choices::new(rules),
            table: TranspositionTable::new(bytes),
            order: MoveOrder::new(),
            nodes: 0,
        }
    }

    /// Whether `attacker` can force a win within so many plies from a position that is not over; `None` if told to
    /// stop.
    pub fn wins(&mut self, position: &CompactPosition, attacker: Side, plies: u32, stop: Stop) -> Option<bool> {
        let rest = self.plies_left(position);
        let attacks = attacker == Side::at_ply(position.ply());
        self.search(position, Query { attacker, plies: plies.min(rest), rest, attacks, attainable: targets::ALL }, stop)
    }

    /// The value of a position that is not over, with its exact distance; `None` if told to stop.
    pub fn value(&mut self, position: &CompactPosition, stop: Stop) -> Option<Distance> {
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

    /// Plies to the end of the longest game from a position.
    pub fn plies_left(&self, position: &CompactPosition) -> u32 {
        self.rules.max_plies() - position.ply()
    }

    /// Answers a query about a position that is not decided by targets; `None` if told to stop.
    fn search(&mut self, position: &CompactPosition, query: Query, stop: Stop) -> Option<bool> {
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
        // With `-n` and `-m` games may end, and be counted, before their last ply.
        let in_time = plies == rest || self.rules.idle.is_illegal();
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

    /// Who wins whatever is played: the count by stones that can never change again, if the other side cannot win by
    /// targets.
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

    /// Answers from the table, else by search, and stores the answer.
    fn probe(&mut self, position: &CompactPosition, query: Query, stop: Stop) -> Option<bool> {
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

    /// Answers a query by the moves.
    fn by_moves(&mut self, position: &CompactPosition, query: Query, stop: Stop) -> Option<bool> {
        let Query { attacker, attacks, plies, attainable, .. } = query;
        let mover = Side::at_ply(position.ply());
        let mut options = ArrayVec::new();
        match self.choices.survey(position, attainable, mover, &mut options) {
            Survey::Stuck => Some(position.counted(&self.rules) == attacker),
            // Only a game that is over by `-n` or `-m` is won without a move.
            _ if plies == 0 => Some(false),
            Survey::Win => Some(attacks),
            Survey::GoOn => self.by_replies(position, &options, query, stop),
        }
    }

    /// Answers a query by moves that do not end the game, when no other is good for the side to move.
    fn by_replies(
        &mut self,
        position: &CompactPosition,
        options: &[Options],
        query: Query,
        stop: Stop,
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
