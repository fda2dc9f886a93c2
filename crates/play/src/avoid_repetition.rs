//! Winning past positions that have been on the board too often.
//!
//! A table knows no history. If positions below a won one have occurred so often that they draw when they come again,
//! the loser may steer there. Distances fall along shortest wins, so that danger is over as soon as the position is
//! nearer to its end than all of those; down to there the replies are searched, the shortest wins first.

use std::collections::HashMap;
use std::rc::Rc;

use super::session::Session;
use yomikiri_answer::{Oracle, RankedMove};
use yomikiri_rules::{Outcome, Value};
use yomikiri_solve::{Result, Solvable};

/// Own moves to read ahead at most.
const MOST_MOVES: u32 = 20;

/// Positions whose moves are looked at before giving up: some tenths of a second.
const MOST_POSITIONS: usize = 3_000;

/// The place, in `wins`, of the win that soonest leaves the opponent no draw by repetition. `wins` are the winning
/// moves, the shortest first; if none is found to be clear, the first of them has to do after which no reply draws,
/// or simply the first. `nearest` are the plies to the end of the nearest position that draws if it comes again,
/// `u16::MAX` if there is none.
pub fn find<G: Solvable>(
    oracle: &Oracle<G>,
    session: &Session<G>,
    wins: &[RankedMove<G>],
    nearest: u16,
) -> Result<usize> {
    let mut road = Road { oracle, session, nearest, answers: HashMap::new(), too_few: HashMap::new() };
    for moves in 1..=MOST_MOVES {
        if let Some(place) = road.first_clear(wins, moves)? {
            return Ok(place);
        }
    }
    for (place, win) in wins.iter().enumerate() {
        if !road.leaves_draw(win)? {
            return Ok(place);
        }
    }
    Ok(0)
}

struct Road<'a, G: Solvable> {
    oracle: &'a Oracle<'a, G>,
    session: &'a Session<'a, G>,
    nearest: u16,
    /// The moves of the positions looked at so far.
    answers: HashMap<G::Position, Rc<[RankedMove<G>]>>,
    /// Numbers of own moves that do not lead from a position past all that draws.
    too_few: HashMap<G::Position, u32>,
}

impl<G: Solvable> Road<'_, G> {
    /// The place of the first win that is clear within so many own moves.
    fn first_clear(&mut self, wins: &[RankedMove<G>], moves: u32) -> Result<Option<usize>> {
        for (place, win) in wins.iter().enumerate() {
            if self.is_clear_after(win, moves)? {
                return Ok(Some(place));
            }
        }
        Ok(None)
    }

    /// Whether every reply to a winning move leaves a win that is clear.
    fn is_clear_after(&mut self, win: &RankedMove<G>, moves: u32) -> Result<bool> {
        if self.is_past(win) {
            return Ok(true);
        }
        let Some(replies) = self.moves(&win.position)? else { return Ok(false) };
        if replies.iter().any(|reply| self.session.draws_by_repetition(&reply.position)) {
            return Ok(false);
        }
        for reply in replies.iter() {
            if !self.is_clear(reply, moves - 1)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Whether the position after a reply is a clear win.
    fn is_clear(&mut self, reply: &RankedMove<G>, moves: u32) -> Result<bool> {
        if self.is_past(reply) {
            return Ok(true);
        }
        if self.too_few.get(&reply.position).is_some_and(|&few| moves <= few) {
            return Ok(false);
        }
        let clear = moves > 0 && self.has_clear_win(reply, moves)?;
        if !clear {
            self.too_few.insert(reply.position, moves);
        }
        Ok(clear)
    }

    fn has_clear_win(&mut self, reply: &RankedMove<G>, moves: u32) -> Result<bool> {
        let Some(own) = self.moves(&reply.position)? else { return Ok(false) };
        for mv in own.iter().take_while(|mv| mv.value.outcome() == Outcome::Win) {
            if !self.session.draws_by_repetition(&mv.position) && self.is_clear_after(mv, moves)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Whether the opponent can draw at once.
    fn leaves_draw(&self, win: &RankedMove<G>) -> Result<bool> {
        let replies = self.oracle.answer(&win.position)?.moves;
        Ok(replies.iter().any(|reply| self.session.draws_by_repetition(&reply.position)))
    }

    /// The moves of a position, the best first; `None` if too many positions have been looked at.
    fn moves(&mut self, position: &G::Position) -> Result<Option<Rc<[RankedMove<G>]>>> {
        if !self.answers.contains_key(position) && self.answers.len() < MOST_POSITIONS {
            self.answers.insert(*position, self.oracle.answer(position)?.moves.into());
        }
        Ok(self.answers.get(position).cloned())
    }

    /// Whether shortest wins from the position after a move on pass no position that draws.
    fn is_past(&self, mv: &RankedMove<G>) -> bool {
        mv.value.plies().is_some_and(|plies| plies.0 <= self.nearest)
    }
}
