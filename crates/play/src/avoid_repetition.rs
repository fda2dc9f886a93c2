//! Finds a win that the loser cannot turn into a draw by repetition.
//!
//! A table does not know the history of a game. A position may have occurred so often that it is drawn at its next
//! occurrence, and the loser may steer towards such a position. Along a shortest win, the distance to the end falls
//! with every ply. So the danger is over once the distance of the current position is at most the distance of every
//! such position. Until then, the search tries every reply of the loser. It tries the winner's moves in ascending order
//! of their distance to the end.

use std::collections::HashMap;
use std::rc::Rc;

use super::session::Session;
use yomikiri_answer::{Oracle, RankedMove};
use yomikiri_rules::{AnyPosition, Outcome, Value};
use yomikiri_solve::Result;

/// The maximum search depth, counted in moves of the winner.
const MAX_MOVES: u32 = 20;

/// The maximum number of positions that the search expands before it gives up. Expanding them takes a few tenths of a
/// second.
const MAX_POSITIONS: usize = 3_000;

/// Returns the index in `wins` of the move to play. `wins` has the winning moves, shortest win first. The move to play
/// escapes all draws by repetition in the fewest moves of the winner. If the search finds no such move, the move to
/// play is the first one after which no reply draws, or else the first move of `wins`. `nearest` is the smallest
/// distance to the end, in plies, of a position that is drawn at its next occurrence, or `u16::MAX` if there is no such
/// position.
pub fn find(oracle: &Oracle, session: &Session, wins: &[RankedMove], nearest: u16) -> Result<usize> {
    let mut road = EscapeSearch { oracle, session, nearest, answers: HashMap::new(), too_shallow: HashMap::new() };
    for moves in 1..=MAX_MOVES {
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

struct EscapeSearch<'a> {
    oracle: &'a Oracle<'a>,
    session: &'a Session<'a>,
    nearest: u16,
    /// The moves of each position expanded so far, the best first.
    answers: HashMap<AnyPosition, Rc<[RankedMove]>>,
    /// The positions in which a search found no way around the draws. The value is the greatest depth of such a search,
    /// counted in moves of the winner.
    too_shallow: HashMap<AnyPosition, u32>,
}

impl EscapeSearch<'_> {
    /// Returns the index in `wins` of the first move after which the winner can escape all draws by repetition. `moves`
    /// is the maximum number of the winner's moves, including this one. Returns `None` if there is no such move.
    fn first_clear(&mut self, wins: &[RankedMove], moves: u32) -> Result<Option<usize>> {
        for (place, win) in wins.iter().enumerate() {
            if self.is_clear_after(win, moves)? {
                return Ok(Some(place));
            }
        }
        Ok(None)
    }

    /// Returns true if no reply to the winning move `win` draws, and the winner can escape all draws after every reply.
    /// `moves` is the maximum number of the winner's moves, including `win`.
    fn is_clear_after(&mut self, win: &RankedMove, moves: u32) -> Result<bool> {
        if self.is_beyond_danger(win) {
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

    /// Returns true if, after the loser's move `reply`, the winner can escape all draws in at most `moves` further
    /// moves.
    fn is_clear(&mut self, reply: &RankedMove, moves: u32) -> Result<bool> {
        if self.is_beyond_danger(reply) {
            return Ok(true);
        }
        if self.too_shallow.get(&reply.position).is_some_and(|&few| moves <= few) {
            return Ok(false);
        }
        let clear = moves > 0 && self.has_clear_win(reply, moves)?;
        if !clear {
            self.too_shallow.insert(reply.position, moves);
        }
        Ok(clear)
    }

    fn has_clear_win(&mut self, reply: &RankedMove, moves: u32) -> Result<bool> {
        let Some(own) = self.moves(&reply.position)? else { return Ok(false) };
        for mv in own.iter().take_while(|mv| mv.value.outcome() == Outcome::Win) {
            if !self.session.draws_by_repetition(&mv.position) && self.is_clear_after(mv, moves)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Returns true if the opponent has a reply to `win` that draws the game by repetition.
    fn leaves_draw(&self, win: &RankedMove) -> Result<bool> {
        let replies = self.oracle.answer(&win.position)?.moves;
        Ok(replies.iter().any(|reply| self.session.draws_by_repetition(&reply.position)))
    }

    /// Returns the moves of a position, the best first. Once the search has expanded [`MAX_POSITIONS`] positions,
    /// returns `None` for all other positions.
    fn moves(&mut self, position: &AnyPosition) -> Result<Option<Rc<[RankedMove]>>> {
        if !self.answers.contains_key(position) && self.answers.len() < MAX_POSITIONS {
            self.answers.insert(*position, self.oracle.answer(position)?.moves.into());
        }
        Ok(self.answers.get(position).cloned())
    }

    /// Returns true if the position after the move is at most `nearest` plies from the end of the game. From there, a
    /// shortest win reaches no position that is drawn at its next occurrence.
    fn is_beyond_danger(&self, mv: &RankedMove) -> bool {
        mv.value.plies().is_some_and(|plies| plies.0 <= self.nearest)
    }
}
