//! Perfect play by a finished table. A table does not know which positions have occurred in a game, so the player takes
//! account of repetitions itself.
//!
//! In a game about points, the player chooses a move with the most points. In other games, it chooses the shortest win
//! in a won position, unless repetitions could spoil this win. In a lost position, it chooses a move that delays the
//! loss longest. Among moves with equal points or equally late losses, and in a drawn position, it chooses the move
//! after which the largest share of the opponent's replies are mistakes.

use std::cmp::Reverse;

use super::avoid_repetition;
use super::player::{Choice, Chosen, Limits, Listener, Player, PlayerReport, Score, no_move};
use super::session::Session;
use yomikiri_answer::{Oracle, RankedMove, Source};
use yomikiri_rules::{Game, Measure, Outcome, Value, ValueCodec};
use yomikiri_search::Searchable;
use yomikiri_solve::Result;
use yomikiri_table::TableError;

/// Plays by the table of the game.
pub struct TablePlayer<'a> {
    oracle: Oracle<'a>,
}

/// The number of replies to a move that are mistakes, and the total number of replies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct MistakeCount {
    count: u64,
    replies: u64,
}

impl MistakeCount {
    /// Returns the share of mistakes among the replies, in units of 2^-32.
    fn share(self) -> u64 {
        (self.count << 32) / self.replies.max(1)
    }
}

impl<'a> TablePlayer<'a> {
    /// Creates a player. `oracle` must have exact values of all positions that can arise in the game.
    pub fn new(oracle: Oracle<'a>) -> Self {
        TablePlayer { oracle }
    }

    /// Returns the best move according to the table and the repetitions in the session, and a remark about the move.
    fn best(&self, session: &Session) -> Result<(Choice, String)> {
        let moves = self.oracle.answer(session.position())?.moves;
        if session.game().codec() == ValueCodec::Score {
            let equal = moves.partition_point(|mv| mv.value == moves[0].value);
            return self.hardest_for_opponent(session, &moves[..equal], "lose points");
        }
        let outcome = |mv: &RankedMove| outcome_in(session, mv);
        let best = moves.iter().map(outcome).max().ok_or_else(|| no_move(session))?;
        let moves: Vec<RankedMove> = moves.into_iter().filter(|mv| outcome(mv) == best).collect();
        match best {
            Outcome::Win => {
                let place = avoid_repetition::find(&self.oracle, session, &moves, self.nearest_drawing(session)?)?;
                Ok((choice(&moves[place], best), String::new()))
            }
            Outcome::Draw => self.hardest_for_opponent(session, &moves, "lose"),
            Outcome::Loss => {
                let longest = moves.partition_point(|mv| mv.value == moves[0].value);
                self.hardest_for_opponent(session, &moves[..longest], "spoil the win")
            }
        }
    }

    /// Returns the smallest distance to the end, in plies, of a won or lost position that is drawn at its next
    /// occurrence, or `u16::MAX` if there is no such position. Positions that are not in the table cannot occur again.
    fn nearest_drawing(&self, session: &Session) -> Result<u16, TableError> {
        let mut nearest = u16::MAX;
        for position in session.drawing() {
            let plies = self.oracle.known(position)?.and_then(Value::plies);
            nearest = nearest.min(plies.map_or(u16::MAX, |plies| plies.0));
        }
        Ok(nearest)
    }

    /// Returns the move after which the largest share of the replies are mistakes, and a remark that counts the
    /// mistakes. `what` is the end of the remark, such as "lose" in "2 of 5 replies lose". Among equal moves, takes the
    /// one that leads to the position that has occurred least often. Further ties go to the best evaluation, then to
    /// the first move.
    fn hardest_for_opponent(&self, session: &Session, moves: &[RankedMove], what: &str) -> Result<(Choice, String)> {
        let evaluator = self.oracle.game.evaluator();
        let mut best = None;
        for mv in moves {
            let mistakes = self.mistakes(session, mv)?;
            let seen = session.occurrences(&mv.position);
            let looks = evaluator.evaluate(&mv.position);
            let merit = (mistakes.share(), Reverse(seen), Reverse(looks));
            if best.is_none_or(|(known, _, _)| merit > known) {
                best = Some((merit, mv, mistakes));
            }
        }
        let (_, mv, MistakeCount { count, replies }) = best.ok_or_else(|| no_move(session))?;
        Ok((choice(mv, outcome_in(session, mv)), format!("{count} of {replies} replies {what}")))
    }

    /// Counts the replies to a move that are worse than the best reply. Compares replies by points if values are
    /// scores, else by outcome. A move that draws by repetition has no replies.
    fn mistakes(&self, session: &Session, mv: &RankedMove) -> Result<MistakeCount> {
        if session.draws_by_repetition(&mv.position) {
            return Ok(MistakeCount { count: 0, replies: 0 });
        }
        let replies = self.oracle.answer(&mv.position)?.moves;
        let worth = |reply: &RankedMove| match reply.value.measure() {
            Measure::Score { score } => i32::from(score),
            Measure::Distance { .. } => outcome_in(session, reply) as i32,
        };
        let best = replies.iter().map(worth).max();
        let count = replies.iter().filter(|reply| Some(worth(reply)) < best).count();
        Ok(MistakeCount { count: count as u64, replies: replies.len() as u64 })
    }
}

/// Returns a move and its score as a choice. If `outcome` differs from the outcome of the move's value, the move draws
/// by repetition.
fn choice(mv: &RankedMove, outcome: Outcome) -> Choice {
    let score = if mv.value.outcome() == outcome { Score::exact(mv.value) } else { Score::Drawn };
    Choice { mv: mv.mv, score }
}

/// Returns the outcome of a move for the side that makes it: a draw if the position after the move is drawn by
/// repetition, else the outcome of the move's value.
fn outcome_in(session: &Session, mv: &RankedMove) -> Outcome {
    if session.draws_by_repetition(&mv.position) { Outcome::Draw } else { mv.value.outcome() }
}

impl Player for TablePlayer<'_> {
    fn choose(&mut self, session: &Session, _: &Limits, listener: &mut dyn Listener) -> Chosen {
        let (choice, remark) = self.best(session)?;
        listener.report(PlayerReport::Known { score: choice.score, mv: choice.mv, source: Source::Table, remark });
        Ok(choice)
    }
}
