//! Perfect play by a finished table, with the repetitions of the game so far, which no table knows.
//!
//! A won position keeps the shortest win, a lost one takes the longest resistance. In a drawn one, and among moves that
//! resist equally long, the move is best after which the largest share of the opponent's replies is a mistake.

use std::cmp::Reverse;

use super::avoid_repetition;
use super::player::{Choice, Chosen, Limits, Listener, Player, Report, Score, no_move};
use super::session::Session;
use yomikiri_answer::{Oracle, RankedMove, Source};
use yomikiri_rules::{Game, Measure, Outcome, Value, ValueCodec};
use yomikiri_solve::{Evaluate, Result, Solvable};
use yomikiri_table::TableError;

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
    /// A player by exact values of all positions that the game can come to.
    pub fn new(oracle: Oracle<'a, G>) -> Self {
        TablePlayer { oracle }
    }

    /// The best move by the table and the session's repetitions, and what to say about it.
    fn best(&self, session: &Session<G>) -> Result<(Choice<G::Move>, String)> {
        let moves = self.oracle.answer(session.position())?.moves;
        if G::Value::CODEC == ValueCodec::Score {
            let equal = moves.partition_point(|mv| mv.value == moves[0].value);
            return self.most_tempting(session, &moves[..equal], "lose points");
        }
        let outcome = |mv: &RankedMove<G>| outcome_in(session, mv);
        let best = moves.iter().map(outcome).max().ok_or_else(|| no_move(session))?;
        let moves: Vec<RankedMove<G>> = moves.into_iter().filter(|mv| outcome(mv) == best).collect();
        match best {
            Outcome::Win => {
                let place = avoid_repetition::find(&self.oracle, session, &moves, self.nearest_drawing(session)?)?;
                Ok((choice(&moves[place], best), String::new()))
            }
            Outcome::Draw => self.most_tempting(session, &moves, "lose"),
            Outcome::Loss => {
                let longest = moves.partition_point(|mv| mv.value == moves[0].value);
                self.most_tempting(session, &moves[..longest], "spoil the win")
            }
        }
    }

    /// Plies to the end of the nearest decided position that draws if it comes again; `u16::MAX` if there is none.
    /// Such as the table does not have cannot come again.
    fn nearest_drawing(&self, session: &Session<G>) -> Result<u16, TableError> {
        let mut nearest = u16::MAX;
        for position in session.drawing() {
            let plies = self.oracle.known(position)?.and_then(Value::plies);
            nearest = nearest.min(plies.map_or(u16::MAX, |plies| plies.0));
        }
        Ok(nearest)
    }

    /// The move after which the largest share of the replies are mistakes; among equals one to a position seen less
    /// often, then one that looks better, then the first. With what to say about it.
    fn most_tempting(
        &self,
        session: &Session<G>,
        moves: &[RankedMove<G>],
        what: &str,
    ) -> Result<(Choice<G::Move>, String)> {
        let mut best = None;
        for mv in moves {
            let mistakes = self.mistakes(session, mv)?;
            let seen = session.occurrences(&mv.position);
            let looks = self.oracle.game.evaluate(&mv.position);
            let merit = (mistakes.share(), Reverse(seen), Reverse(looks));
            if best.is_none_or(|(known, _, _)| merit > known) {
                best = Some((merit, mv, mistakes));
            }
        }
        let (_, mv, Mistakes { count, replies }) = best.ok_or_else(|| no_move(session))?;
        Ok((choice(mv, outcome_in(session, mv)), format!("{count} of {replies} replies {what}")))
    }

    /// The replies to a move that are worse than the best one: by outcome, or by points where values are scores.
    fn mistakes(&self, session: &Session<G>, mv: &RankedMove<G>) -> Result<Mistakes> {
        if session.draws_by_repetition(&mv.position) {
            return Ok(Mistakes { count: 0, replies: 0 });
        }
        let replies = self.oracle.answer(&mv.position)?.moves;
        let worth = |reply: &RankedMove<G>| match reply.value.measure() {
            Measure::Score { score } => i32::from(score),
            Measure::Distance { .. } => outcome_in(session, reply) as i32,
        };
        let best = replies.iter().map(worth).max();
        let count = replies.iter().filter(|reply| Some(worth(reply)) < best).count();
        Ok(Mistakes { count: count as u64, replies: replies.len() as u64 })
    }
}

/// A move with what it comes to; an outcome that is not that of its value is a draw by repetition.
fn choice<G: Game>(mv: &RankedMove<G>, outcome: Outcome) -> Choice<G::Move> {
    let score = if mv.value.outcome() == outcome { Score::known(mv.value) } else { Score::Drawn };
    Choice { mv: mv.mv, score }
}

/// What a move comes to for the side that makes it, if the position after it does not end the game as a draw.
fn outcome_in<G: Solvable>(session: &Session<G>, mv: &RankedMove<G>) -> Outcome {
    if session.draws_by_repetition(&mv.position) { Outcome::Draw } else { mv.value.outcome() }
}

impl<G: Solvable + Evaluate> Player<G> for TablePlayer<'_, G> {
    fn choose(&mut self, session: &Session<G>, _: &Limits, listener: &mut dyn Listener<G::Move>) -> Chosen<G> {
        let (choice, remark) = self.best(session)?;
        listener.hear(Report::Known { score: choice.score, mv: choice.mv, source: Source::Table, remark });
        Ok(choice)
    }
}
