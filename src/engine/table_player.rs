//! Perfect play by a finished table, with the repetitions of the game so far, which no table knows.
//!
//! A won position keeps the shortest win, a lost one takes the longest resistance. In a drawn one, and among moves that
//! resist equally long, the move is best after which the largest share of the opponent's replies is a mistake.

use std::cmp::Reverse;
use std::path::Path;

use super::Evaluate;
use super::clear_win;
use super::player::{Choice, Limits, Listener, Player, Report, Score};
use super::session::Session;
use crate::query::{Oracle, RankedMove, Source, open};
use crate::solve::{Solvable, SolveError};
use crate::table::{Table, TableError, name};
use crate::value::{Outcome, Value};

/// Plays one game by its table.
pub struct TablePlayer<'a, G: Solvable> {
    oracle: Oracle<'a, G>,
}

/// How many of the opponent's replies are mistakes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Mistakes {
    count: u64,
    replies: u64,
}

impl Mistakes {
    /// The share in parts of 2^32.
    fn share(self) -> u64 {
        (self.count << 32) / self.replies.max(1)
    }
}

impl<'a, G: Solvable + Evaluate> TablePlayer<'a, G> {
    /// A player by the table of the whole game in `folder`; `None` if there is none.
    pub fn open(game: &'a G, folder: &Path) -> Result<Option<Self>, TableError> {
        let path = name::whole(folder, &game.code());
        path.exists().then(|| Ok(TablePlayer::new(game, open(game, &path)?))).transpose()
    }

    pub fn new(game: &'a G, table: Table) -> Self {
        TablePlayer { oracle: Oracle { game, source: Source::Table(table) } }
    }

    /// Whether the table has a position: whether it can arise in the game the table was made for.
    pub fn knows(&self, position: &G::Position) -> Result<bool, TableError> {
        Ok(self.oracle.known(position)?.is_some())
    }

    /// The best move by the table and the session's repetitions, and what to say about it.
    fn best(&self, session: &Session<G>) -> Result<(Choice<G::Move>, String), SolveError> {
        let moves = self.oracle.answer(session.position())?.moves;
        let outcome = |mv: &RankedMove<G>| outcome_in(session, mv);
        let best = moves.iter().map(outcome).max().ok_or_else(|| no_move(session))?;
        let moves: Vec<RankedMove<G>> = moves.into_iter().filter(|mv| outcome(mv) == best).collect();
        let (place, remark) = match best {
            Outcome::Win => {
                (clear_win::find(&self.oracle, session, &moves, self.nearest_drawing(session)?)?, String::new())
            }
            Outcome::Draw => self.most_mistakes(session, &moves, |outcome| outcome == Outcome::Win, "lose")?,
            Outcome::Loss => {
                let longest = moves.partition_point(|mv| mv.value == moves[0].value);
                self.most_mistakes(session, &moves[..longest], |outcome| outcome != Outcome::Loss, "spoil the win")?
            }
        };
        let RankedMove { mv, value, .. } = moves[place];
        let score = Score::known(best, value.plies().map_or(0, |plies| plies.0));
        Ok((Choice { mv, score }, remark))
    }

    /// Plies to the end of the nearest decided position that draws if it comes again; `u16::MAX` if there is none. Such as
    /// the table does not have cannot come again.
    fn nearest_drawing(&self, session: &Session<G>) -> Result<u16, TableError> {
        let mut nearest = u16::MAX;
        for position in session.drawing() {
            let plies = self.oracle.known(position)?.and_then(Value::plies);
            nearest = nearest.min(plies.map_or(u16::MAX, |plies| plies.0));
        }
        Ok(nearest)
    }

    /// The place of the move after which the largest share of the replies is `good` for the side to move; among equals
    /// one to a position seen less often, then one that looks better, then the first. With what to say about it.
    fn most_mistakes(
        &self,
        session: &Session<G>,
        moves: &[RankedMove<G>],
        good: fn(Outcome) -> bool,
        what: &str,
    ) -> Result<(usize, String), SolveError> {
        let mut best = None;
        for (place, mv) in moves.iter().enumerate() {
            let mistakes = self.mistakes(session, mv, good)?;
            let seen = session.occurrences(&mv.position);
            let looks = self.oracle.game.evaluate(&mv.position);
            let merit = (mistakes.share(), Reverse(seen), Reverse(looks));
            if best.is_none_or(|(known, _, _)| merit > known) {
                best = Some((merit, place, mistakes));
            }
        }
        let (_, place, Mistakes { count, replies }) = best.ok_or_else(|| no_move(session))?;
        Ok((place, format!("{count} of {replies} replies {what}")))
    }

    /// The replies to a move that are `good` for the one who made it.
    fn mistakes(
        &self,
        session: &Session<G>,
        mv: &RankedMove<G>,
        good: fn(Outcome) -> bool,
    ) -> Result<Mistakes, SolveError> {
        if session.draws_by_repetition(&mv.position) {
            return Ok(Mistakes { count: 0, replies: 0 });
        }
        let replies = self.oracle.answer(&mv.position)?.moves;
        let count = replies.iter().filter(|reply| good(outcome_in(session, reply).opposite())).count();
        Ok(Mistakes { count: count as u64, replies: replies.len() as u64 })
    }
}

/// What a move comes to for the side that makes it, if the position after it does not end the game as a draw.
fn outcome_in<G: Solvable>(session: &Session<G>, mv: &RankedMove<G>) -> Outcome {
    if session.draws_by_repetition(&mv.position) { Outcome::Draw } else { mv.value.outcome() }
}

fn no_move<G: Solvable>(session: &Session<G>) -> SolveError {
    SolveError::Wrong(format!("{} has no move", session.game().position_text(session.position())))
}

impl<G: Solvable + Evaluate> Player<G> for TablePlayer<'_, G> {
    fn choose(
        &mut self,
        session: &Session<G>,
        _: &Limits,
        listener: &mut dyn Listener<G::Move>,
    ) -> Result<Choice<G::Move>, SolveError> {
        let (choice, remark) = self.best(session)?;
        listener.hear(Report::Known { score: choice.score, mv: choice.mv, remark });
        Ok(choice)
    }
}
