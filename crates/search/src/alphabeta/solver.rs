//! Exact values from null-window searches.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use xxhash_rust::xxh3::Xxh3;

use super::null_window::{Split, Worker};
use super::{AlphaBeta, Bounds, Candidates, NO_MOVE, NoMoves, Scored};
use crate::exact::{SearchEntry, SearchRun};
use crate::transposition::{Key, TranspositionTable};
use crate::{Bounded, Search, Solution};
use yomikiri_rules::Game;
use yomikiri_table::{ESTIMATED_TOTAL, Progress};

type MoveOf<G> = <<G as AlphaBeta>::Game as Game>::Move;
type PositionOf<G> = <<G as AlphaBeta>::Game as Game>::Position;
type ValueOf<G> = <<G as AlphaBeta>::Game as Game>::Value;

/// The factor by which the table grows in the middle of a search.
const GROWTH: usize = 2;

/// The search of one variant, with its transposition table.
pub struct Solver<G: AlphaBeta> {
    game: G,
    table: TranspositionTable<G::Key, Bounds>,
}

/// The result of a null-window search.
pub struct WindowResult<M> {
    /// A bound on the score: a lower bound if it is above `alpha`, else an upper bound.
    pub score: i32,
    /// The move that gives the bound in `score`; `None` for a pass that is not a move of the rules.
    pub best: Option<M>,
    /// The number of nodes searched.
    pub nodes: u64,
}

/// The known bounds on the score of a position, both inclusive.
struct Interval<M> {
    lower: i32,
    upper: i32,
    /// A move that gives at least the lower bound; `None` for a pass that is not a move of the rules.
    best: Option<M>,
}

impl<G: AlphaBeta> Solver<G> {
    /// Creates a search with a transposition table of about `memory` bytes.
    pub fn new(game: G, memory: u64) -> Solver<G> {
        Solver { game, table: TranspositionTable::new(memory) }
    }

    /// Returns the number of buckets that the table should have after `nodes` searched nodes, a power of two.
    fn buckets_after(nodes: u64) -> usize {
        (nodes as usize / G::NODES_PER_BUCKET).next_power_of_two()
    }

    /// If all scores of the variant are even, or all are odd, returns 1 for a `score` of the other parity. Otherwise
    /// returns 0. `score` plus the result is the least possible score that is at least `score`.
    fn off_parity(&self, score: i32) -> i32 {
        self.game.parity().map_or(0, |parity| (score - parity).rem_euclid(2))
    }

    fn is_over(&self, position: &PositionOf<G>) -> bool {
        self.game.rules().terminal_value(position).is_some()
    }

    /// Searches a position with the null window above `alpha`. The game must not be over.
    pub fn null_window(
        &self,
        position: &PositionOf<G>,
        alpha: i32,
        progress: &dyn Progress,
    ) -> WindowResult<MoveOf<G>> {
        let run = SearchRun { stop: &AtomicBool::new(false), nodes: &AtomicU64::new(0), progress };
        self.question(position, alpha, 0, &run, "")
    }

    /// Like [`Solver::null_window`], but for a search of level `level` ([`AlphaBeta::selective_levels`]); level 0 is
    /// exact. The result is meaningless if the run was stopped. `text` is the question of the search in words, for
    /// progress messages.
    fn question(
        &self,
        position: &PositionOf<G>,
        alpha: i32,
        level: u8,
        run: &SearchRun<'_>,
        text: &str,
    ) -> WindowResult<MoveOf<G>> {
        let mut nodes = 0;
        loop {
            run.progress.begin(text, ESTIMATED_TOTAL);
            let (mut result, is_full) = self.question_within(position, alpha, level, run, self.room());
            nodes += result.nodes;
            if !is_full {
                result.nodes = nodes;
                return result;
            }
            self.table.grow(self.table.in_use() * GROWTH);
        }
    }

    /// Returns the number of nodes of a run at which the table should grow. Returns `u64::MAX` if the table cannot
    /// grow, or grows only between questions.
    fn room(&self) -> u64 {
        let in_use = self.table.in_use();
        match G::GROWS_AT_ONCE && in_use < self.table.buckets() {
            true => (in_use * G::NODES_PER_BUCKET) as u64,
            false => u64::MAX,
        }
    }

    /// Does the same as [`Solver::question`], but ends the search once the run has searched more than `room` nodes.
    /// Also returns true if this limit ended the search. The result of the search is then meaningless.
    fn question_within(
        &self,
        position: &PositionOf<G>,
        alpha: i32,
        level: u8,
        run: &SearchRun<'_>,
        room: u64,
    ) -> (WindowResult<MoveOf<G>>, bool) {
        let split = Split::root(run.stop);
        let mut worker = Worker::new(&self.game, &self.table, &split, run, ESTIMATED_TOTAL, level, room);
        let seen = self.game.position(position);
        let (score, best) = match self.game.legal(&seen) {
            Ok(legal) => {
                let best = worker.search_root(seen, legal, alpha);
                (best.score, best.mv)
            }
            Err(NoMoves::Pass(passed)) => (-worker.search(passed, !alpha), None),
            Err(NoMoves::Terminal(score)) => (score, None),
        };
        worker.count();
        let is_full = split.is_decided() && !run.stop.load(Ordering::Relaxed);
        (WindowResult { score, best: self.game.rules_move(best), nodes: worker.nodes }, is_full)
    }

    /// Returns the least and the greatest score that the rules leave possible without a search.
    fn possible_scores(&self, position: &PositionOf<G>) -> [i32; 2] {
        let seen = self.game.position(position);
        let [lower, upper] = self.game.range(&seen);
        ValueOf::<G>::narrow(lower, upper, self.game.rules().ply(position), self.game.plies_left(&seen))
    }

    /// Asks null-window questions until the lower bound and the upper bound meet, or until the run is stopped. The
    /// first question asks if the score is at least `guess`. While all answers are yes, or all are no, the next
    /// question lies further in that direction. Its distance from the score of the last answer is 2, 2, 4, 8 and so on
    /// up to 64. Once there are both a yes and a no, each question halves the interval. If all scores are even, or all
    /// are odd, a step of 2 skips no score. These questions are suggestions: the game can choose others
    /// ([`AlphaBeta::window`]). If answers of selective searches contradict each other, the lower bound can end above
    /// the upper bound.
    fn close_in(
        &self,
        position: &PositionOf<G>,
        mut guess: i32,
        level: u8,
        run: &SearchRun<'_>,
    ) -> Interval<MoveOf<G>> {
        let SearchRun { stop, nodes, progress } = *run;
        let (rules, seen) = (self.game.rules(), self.game.position(position));
        let ply = rules.ply(position);
        let moves = rules.legal_moves(position);
        let plies_left = self.game.plies_left(&seen);
        let possible = |lower, upper| ValueOf::<G>::narrow(lower, upper, ply, plies_left);
        let [lower, upper] = self.possible_scores(position);
        let mut known = Interval { lower, upper, best: moves.first().copied() };
        let mut answers = [0u32; 2];
        while known.lower < known.upper && !stop.load(Ordering::Relaxed) {
            let alpha = guess.clamp(known.lower + 1, known.upper) - 1;
            let alpha = self.game.window(known.lower, known.upper, alpha);
            let question = ValueOf::<G>::question(alpha, ply);
            let text = if level == 0 { question } else { format!("{question}, selective search (not a proof)") };
            let answer = self.question(position, alpha, level, run, &text);
            if stop.load(Ordering::Relaxed) {
                progress.end("stopped");
                break;
            }
            self.table.grow(Self::buckets_after(nodes.load(Ordering::Relaxed)));
            let more = answer.score > alpha;
            let off = self.off_parity(answer.score);
            match more {
                true => (known.lower, known.best) = (answer.score + off, answer.best),
                false => known.upper = answer.score - off,
            }
            [known.lower, known.upper] = possible(known.lower, known.upper);
            let word = if more { "yes, at least" } else { "no, at most" };
            let text = ValueOf::<G>::score_text(answer.score, ply);
            let millions = match answer.nodes {
                0..50_000 => String::new(),
                nodes => format!(" ({:.1} million positions)", nodes as f64 / 1e6),
            };
            progress.end(&format!("{word} {text}{millions}"));
            answers[usize::from(more)] += 1;
            guess = match answers {
                [0, same] | [same, 0] => {
                    let step = 1 << (same - 1).clamp(1, 6);
                    if more { answer.score + step } else { answer.score - step + 1 }
                }
                _ => known.lower + (known.upper - known.lower) / 2 + 1,
            };
        }
        known
    }
}

impl<G: AlphaBeta> Search<G::Game> for Solver<G> {
    fn solve_until(
        &self,
        position: &PositionOf<G>,
        run: &SearchRun<'_>,
    ) -> Result<Solution<G::Game>, Bounded<ValueOf<G>>> {
        let rules = self.game.rules();
        if let Some(value) = rules.terminal_value(position) {
            return Ok(Solution { value, best: None, nodes: 0 });
        }
        let (ply, seen) = (rules.ply(position), self.game.position(position));
        if let Some((score, mv)) = self.game.solved_at_once(&seen) {
            let best = self.game.rules_move(Some(mv));
            return Ok(Solution { value: ValueOf::<G>::from_score(score, ply), best, nodes: 1 });
        }
        let plies_left = self.game.plies_left(&seen);
        self.table.begin(self.game.buckets(plies_left));
        let mut guess = self.game.evaluate(&seen);
        for level in (1..=self.game.selective_levels(&seen)).rev() {
            let known = self.close_in(position, guess, level, run);
            guess = (known.lower + known.upper) / 2;
            guess += self.off_parity(guess);
        }
        let known = self.close_in(position, guess, 0, run);
        let [at_least, at_most] = [known.lower, known.upper].map(|score| ValueOf::<G>::from_score(score, ply));
        let nodes = run.nodes.load(Ordering::Relaxed);
        match known.lower < known.upper {
            true => {
                let [lower, upper] = self.possible_scores(position);
                let (is_raised, is_lowered) = (known.lower > lower, known.upper < upper);
                Err(Bounded { at_least, at_most, is_raised, is_lowered, nodes })
            }
            false => Ok(Solution { value: at_least, best: known.best, nodes }),
        }
    }

    fn entries(&self) -> Box<dyn Iterator<Item = SearchEntry> + '_> {
        Box::new(self.table.entries().map(|(key, bounds)| {
            let Bounds { lower, upper, moves, cost } = bounds;
            let key = [key.word(0), if G::Key::WORDS > 1 { key.word(1) } else { 0 }];
            SearchEntry { key, lower, upper, moves, cost }
        }))
    }

    fn make_room(&self, position: &PositionOf<G>, nodes: u64) {
        let plies_left = self.game.plies_left(&self.game.position(position));
        self.table.grow(self.game.buckets(plies_left).max(Self::buckets_after(nodes)));
    }

    fn restore(&self, position: &PositionOf<G>, remembered: SearchEntry) {
        let SearchEntry { key, lower, upper, moves, cost } = remembered;
        let most = self.game.range(&self.game.position(position)).map(i32::abs).into_iter().max();
        let fits = |bound: i16| most.is_some_and(|most| i32::from(bound).abs() <= most);
        if (lower == i16::MIN || fits(lower)) && (upper == i16::MAX || fits(upper)) && lower <= upper {
            let key = G::Key::from_words(|at| key[at]);
            self.table.restore(key, Bounds { lower, upper, moves, cost });
        }
    }

    fn keys(&self, position: &PositionOf<G>) -> u64 {
        let seen = self.game.position(position);
        let mut words = Vec::new();
        let mut add = |position: &G::Position, code: u8| {
            let key = self.game.key(position);
            words.extend((0..G::Key::WORDS).map(|at| key.word(at)).chain([code.into()]));
        };
        add(&seen, NO_MOVE);
        match self.game.legal(&seen) {
            Ok(legal) => {
                let candidates: Candidates<G> = self.game.candidates(&seen, legal, [NO_MOVE; 2], &mut 0);
                candidates.iter().for_each(|candidate| add(&candidate.position, candidate.code));
            }
            Err(NoMoves::Pass(passed)) => add(&passed, NO_MOVE),
            Err(NoMoves::Terminal(_)) => {}
        }
        words.sort_unstable();
        let mut hash = Xxh3::new();
        words.iter().for_each(|word| hash.update(&word.to_le_bytes()));
        hash.digest()
    }

    fn reach(&self, position: &PositionOf<G>) -> Result<(), String> {
        if self.is_over(position) { Ok(()) } else { self.game.reach(&self.game.position(position)) }
    }

    fn is_quick(&self, position: &PositionOf<G>) -> bool {
        self.is_over(position) || self.game.is_quick(&self.game.position(position))
    }

    fn takes_hours(&self, position: &PositionOf<G>) -> bool {
        !self.is_over(position) && self.game.takes_hours(&self.game.position(position))
    }
}
