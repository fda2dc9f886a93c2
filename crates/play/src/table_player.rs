//! Perfect play by a finished table. A table does not know which positions have occurred in a game, so the player takes
//! account of repetitions itself.
//!
//! In a game about points, the player chooses a move with the most points. In other games, it chooses the shortest win
//! in a won position, unless repetitions could spoil this win. In a lost position, it chooses a move that delays the
//! loss longest. Among moves with equal points or equally late losses, and in a drawn position, it chooses the move
//! after which the largest share of the opponent's replies are mistakes.

use std::cmp::Reverse;

use super::avoid_repetition;
use super::player::{
    Choice, Chosen, Limits, LineOrigin, Listener, Player, PlayerReport, RankedLine, Score, ScoreSource, no_move,
};
use super::selection::Selection;
use super::session::Session;
use super::stopwatch::Stopwatch;
use yomikiri_answer::{Oracle, RankedMove, Source};
use yomikiri_rules::{AnyMove, Game, Measure, Outcome, Value, ValueCodec};
use yomikiri_search::Searchable;
use yomikiri_solve::Result;
use yomikiri_table::TableError;

/// The maximum number of plies of a line that is reported.
const LINE_PLIES: usize = 12;

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

    /// Chooses among the moves of `selection`. Reports as many best moves as it asks for, each with a line of best
    /// play. The lines end early if the time is up.
    pub fn choose_among(
        &mut self,
        session: &Session,
        selection: &Selection,
        limits: &Limits,
        listener: &mut dyn Listener,
    ) -> Chosen {
        let watch = Stopwatch::start();
        let mut moves = self.oracle.answer(session.position())?.moves;
        if !selection.is_default() {
            let candidates = selection.candidates(session);
            moves.retain(|mv| candidates.iter().any(|candidate| candidate.mv == mv.mv));
        }
        let ranked = self.ranked(session, moves, selection.lines)?;
        let (best, remark) = ranked.first().cloned().ok_or_else(|| no_move(session))?;
        if selection.lines == 1 {
            let Choice { score, mv } = best;
            listener.report(PlayerReport::Known { score, mv, source: by_table(remark) });
            return Ok(best);
        }
        for (rank, (Choice { mv, score }, remark)) in (1..).zip(ranked) {
            let mut is_over = || limits.time.is_some_and(|time| watch.elapsed() >= time / 2) || listener.should_stop();
            let line = self.line(session, mv, &mut is_over)?;
            let origin = LineOrigin::Known(by_table(remark));
            listener.report(PlayerReport::Line(RankedLine { rank, score, line, origin }));
        }
        Ok(best)
    }

    /// Returns the best of `moves` according to the table and the repetitions in the session, at most `most`, the best
    /// first. Each has a remark. `moves` are moves of the position, sorted by value. Only the first move avoids draws
    /// by repetition in later plies.
    fn ranked(&self, session: &Session, mut moves: Vec<RankedMove>, most: usize) -> Result<Vec<(Choice, String)>> {
        let by_points = session.game().codec() == ValueCodec::Score;
        if !by_points {
            moves.sort_by_key(|mv| Reverse(outcome_in(session, mv)));
        }
        let mut ranked = Vec::new();
        while ranked.len() < most
            && let Some(first) = moves.first()
        {
            let (outcome, value) = (outcome_in(session, first), first.value);
            let is_equal = |mv: &RankedMove| match outcome {
                _ if by_points => mv.value == value,
                Outcome::Loss => mv.value == value && outcome_in(session, mv) == outcome,
                outcome => outcome_in(session, mv) == outcome,
            };
            let rest = moves.split_off(moves.partition_point(is_equal));
            let equal = std::mem::replace(&mut moves, rest);
            ranked.extend(match outcome {
                _ if by_points => self.hardest_first(session, &equal, "lose points")?,
                Outcome::Win => self.wins(session, &equal, ranked.is_empty())?,
                Outcome::Draw => self.hardest_first(session, &equal, "lose")?,
                Outcome::Loss => self.hardest_first(session, &equal, "spoil the win")?,
            });
        }
        ranked.truncate(most);
        Ok(ranked)
    }

    /// Returns the winning moves `wins`, the shortest win first. If `avoids_repetition` is true, the first move is one
    /// after which the opponent cannot draw by repetition, if there is one.
    fn wins(&self, session: &Session, wins: &[RankedMove], avoids_repetition: bool) -> Result<Vec<(Choice, String)>> {
        let first = match avoids_repetition {
            true => avoid_repetition::find(&self.oracle, session, wins, self.nearest_drawing(session)?)?,
            false => 0,
        };
        let order = std::iter::once(first).chain((0..wins.len()).filter(|&place| place != first));
        Ok(order.map(|place| (choice(&wins[place], Outcome::Win), String::new())).collect())
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

    /// Sorts moves by the share of the replies that are mistakes, the largest share first, and adds a remark to each
    /// that counts the mistakes. `what` is the end of the remark, such as "lose" in "2 of 5 replies lose". Among equal
    /// moves, the one that leads to the position that has occurred least often comes first. Further ties go to the best
    /// evaluation, then to the first move.
    fn hardest_first(&self, session: &Session, moves: &[RankedMove], what: &str) -> Result<Vec<(Choice, String)>> {
        let evaluator = self.oracle.game.evaluator();
        let merit = |mv| {
            let mistakes = self.mistakes(session, mv)?;
            let (seen, looks) = (session.occurrences(&mv.position), evaluator.evaluate(&mv.position));
            Ok(((mistakes.share(), Reverse(seen), Reverse(looks)), mv, mistakes))
        };
        let mut moves = moves.iter().map(merit).collect::<Result<Vec<_>>>()?;
        moves.sort_by_key(|&(merit, ..)| Reverse(merit));
        let described = |(_, mv, MistakeCount { count, replies }): (_, &RankedMove, _)| {
            (choice(mv, outcome_in(session, mv)), format!("{count} of {replies} replies {what}"))
        };
        Ok(moves.into_iter().map(described).collect())
    }

    /// Returns best play that begins with a move, at most [`LINE_PLIES`] plies. The line also ends when the game is
    /// over or a position repeats, and once `is_over` returns true.
    fn line(&self, session: &Session, mv: AnyMove, is_over: &mut dyn FnMut() -> bool) -> Result<Vec<AnyMove>> {
        let game = session.game();
        let (mut line, mut seen) = (vec![mv], vec![*session.position()]);
        let mut here = game.play(session.position(), mv);
        while line.len() < LINE_PLIES
            && game.terminal_value(&here).is_none()
            && !session.draws_by_repetition(&here)
            && !seen.contains(&here)
            && !is_over()
            && let Some(best) = self.oracle.answer(&here)?.moves.into_iter().next()
        {
            seen.push(here);
            line.push(best.mv);
            here = best.position;
        }
        Ok(line)
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
    fn choose(&mut self, session: &Session, limits: &Limits, listener: &mut dyn Listener) -> Chosen {
        self.choose_among(session, &Selection::default(), limits, listener)
    }
}

/// Returns the table as the source of a score, with a remark about the move.
fn by_table(remark: String) -> ScoreSource {
    ScoreSource { remark, ..ScoreSource::new(Source::Table, None) }
}
