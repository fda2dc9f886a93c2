//! Play without a table: principal variation search with iterative deepening over the plain rules.
//!
//! Every line is looked at up to a depth in plies that grows by one; wins and losses in no more plies than that are
//! found, the shortest. Where a game can solve positions near its end (`Evaluate::reader`), positions at the end
//! of a line are solved instead of evaluated, so wins and losses beyond the depth are found as well: they are
//! certain, but the number of plies is then a bound within which the winner can end the game. The same reader is
//! given the position itself between two depths, for as many positions as the depth took; once it has the exact value
//! the search is over.
//!
//! Positions that come again draw: those of the line being looked at, and those of the game that have occurred twice.
//! What was found is kept by fingerprint (`entry`), unless it rests on a repetition above it; so now and then a
//! longer win is met with before its turn. On one thread the same question gets the same answer, as long as only
//! depth or nodes are limited. Further threads look at the same tree and share the table, half of them a ply deeper.

mod entry;
mod score;
mod tree;

use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use super::player::{Choice, Chosen, Limits, Listener, Player, Report, Score, no_move};
use super::session::Session;
use super::stopwatch::Stopwatch;
use entry::Entry;
use tree::Tree;
use yomikiri_solve::Result;
use yomikiri_solve::evaluate::{Evaluate, Reader};
use yomikiri_solve::transposition::TranspositionTable;
use yomikiri_table::threads;

/// Plies that are looked ahead at most.
pub const DEEPEST: u32 = 100;

/// Memory of a thread's reader, as a part of the whole, and at most.
const READER_PART: usize = 4;
const READER_MOST: usize = 64 << 20;

/// Positions that the reader may look at before the search begins.
const FIRST_READING: u64 = 20_000;

/// Looks ahead.
pub struct SearchPlayer {
    table: TranspositionTable<u64, Entry>,
    bytes: usize,
    threads: NonZeroUsize,
}

/// What the threads of a search share.
#[derive(Default)]
struct Shared {
    /// Whether to stop.
    halt: AtomicBool,
    /// Positions that the further threads have looked at.
    nodes: AtomicU64,
}

/// When a search began and what ends it.
struct Clock<'a, M> {
    watch: Stopwatch,
    limits: Limits,
    listener: &'a mut dyn Listener<M>,
}

impl<M> Clock<'_, M> {
    /// Whether to answer now, so many positions having been looked at.
    fn is_over(&mut self, nodes: u64) -> bool {
        let spent = self.limits.time.is_some_and(|time| self.watch.elapsed() >= time);
        let enough = self.limits.nodes.is_some_and(|most| nodes >= most);
        spent || enough || self.listener.wants_answer()
    }

    fn report(&mut self, shared: &Shared, nodes: u64, depth: u32, score: Score, line: Vec<M>) {
        let nodes = nodes + shared.nodes.load(Ordering::Relaxed);
        self.listener.hear(Report::Searched { depth, nodes, time: self.watch.elapsed(), score, line });
    }
}

impl SearchPlayer {
    /// A player that keeps what it finds in so many bytes, and while it thinks in a quarter of that more for each
    /// thread if the game has a reader.
    pub fn new(bytes: usize) -> SearchPlayer {
        SearchPlayer { table: TranspositionTable::new(bytes as u64), bytes, threads: NonZeroUsize::MIN }
    }

    /// As [`SearchPlayer::new`], which takes less where the machine has less; this is an error then.
    pub fn try_new(bytes: usize) -> Result<SearchPlayer> {
        let table = TranspositionTable::try_new(bytes as u64)?;
        Ok(SearchPlayer { table, bytes, threads: NonZeroUsize::MIN })
    }

    /// Thinks on up to `threads` threads from now on, fewer if the system refuses some.
    pub fn set_threads(&mut self, threads: NonZeroUsize) {
        self.threads = threads;
    }

    pub fn threads(&self) -> NonZeroUsize {
        self.threads
    }

    fn reader<G: Evaluate>(&self, game: &G) -> Option<Box<dyn Reader<G>>> {
        game.reader((self.bytes / READER_PART).min(READER_MOST))
    }
}

impl<G: Evaluate> Player<G> for SearchPlayer {
    /// Looks ahead at least one ply, whatever the limits.
    fn choose(&mut self, session: &Session<G>, limits: &Limits, listener: &mut dyn Listener<G::Move>) -> Chosen<G> {
        let mut clock = Clock { watch: Stopwatch::start(), limits: *limits, listener };
        self.table.forget();
        let shared = Shared::default();
        let best = std::thread::scope(|scope| {
            for number in 1..self.threads.get() {
                let tree = Tree::new(session, &self.table, self.reader(session.game()));
                let shared = &shared;
                // Helpers are no more than a help: the search goes on with those that could be started.
                if threads::start_scoped(scope, "search", move || help(tree, shared, number)).is_err() {
                    break;
                }
            }
            let tree = Tree::new(session, &self.table, self.reader(session.game()));
            let best = lead(tree, &shared, session, &mut clock);
            shared.halt.store(true, Ordering::Relaxed);
            best
        });
        best.ok_or_else(|| no_move(session))
    }
}

/// Searches depth by depth and reports, until the clock ends it or there is nothing left to find.
fn lead<G: Evaluate>(
    mut tree: Tree<G>,
    shared: &Shared,
    session: &Session<G>,
    clock: &mut Clock<G::Move>,
) -> Option<Choice<G::Move>> {
    let deepest = clock.limits.depth.unwrap_or(DEEPEST).clamp(1, DEEPEST);
    let mut best = None;
    for depth in 1..=deepest {
        let before = tree.nodes();
        let mut stop = |nodes: u64| depth > 1 && clock.is_over(nodes + shared.nodes.load(Ordering::Relaxed));
        let whole = !stop(before) && tree.look(depth, &mut stop);
        let Some((score, line)) = tree.found() else { break };
        if whole || improves(score, best.as_ref()) {
            best = line.first().map(|&mv| Choice { mv, score });
        }
        if !whole {
            break;
        }
        clock.report(shared, tree.nodes(), depth, score, line);
        if score.plies().is_some_and(|plies| u32::from(plies.0) <= depth) {
            break;
        }
        let patience = (tree.nodes() - before).max(FIRST_READING);
        let solved = clock.limits.depth.is_none().then(|| read_out(&mut tree, shared, session, clock, patience));
        if let Some((score, line)) = solved.flatten() {
            let depth = score.plies().map_or(depth, |plies| plies.0.into());
            best = line.first().map(|&mv| Choice { mv, score });
            clock.report(shared, tree.nodes(), depth, score, line);
            break;
        }
    }
    best
}

/// Whether what a part of the moves has shown is to be taken instead of what all of them have shown before, to a
/// lower depth. If those are lost, another one may still save the game; and a win that is certain stays one.
fn improves<M>(score: Score, before: Option<&Choice<M>>) -> bool {
    let was_won = before.is_some_and(|choice| matches!(choice.score, Score::Won(_)));
    match score {
        Score::Won(_) => true,
        Score::Lost(_) => false,
        _ => !was_won,
    }
}

/// The exact value of the session's position, with a best line, if the reader finds it by looking at so many
/// positions more.
fn read_out<G: Evaluate>(
    tree: &mut Tree<G>,
    shared: &Shared,
    session: &Session<G>,
    clock: &mut Clock<G::Move>,
    patience: u64,
) -> Option<(Score, Vec<G::Move>)> {
    let (game, others) = (session.game(), tree.looks());
    let reader = tree.reader.as_mut()?;
    let most = reader.nodes() + patience;
    let mut stop = |nodes: u64| nodes > most || clock.is_over(others + nodes + shared.nodes.load(Ordering::Relaxed));
    let mut position = *session.position();
    let (mv, value) = reader.solve(&position, &mut stop)?;
    let mut line = vec![mv];
    position = game.play(&position, mv);
    while game.terminal_value(&position).is_none() {
        let Some((mv, _)) = reader.solve(&position, &mut stop) else { break };
        line.push(mv);
        position = game.play(&position, mv);
    }
    Some((Score::known(value), line))
}

/// Searches beside the leading thread until told to stop.
fn help<G: Evaluate>(mut tree: Tree<G>, shared: &Shared, number: usize) {
    let mut counted = 0;
    let mut stop = |nodes: u64| {
        shared.nodes.fetch_add(nodes - counted, Ordering::Relaxed);
        counted = nodes;
        shared.halt.load(Ordering::Relaxed)
    };
    for depth in 1 + number as u32 % 2..=DEEPEST {
        if !tree.look(depth, &mut stop) {
            break;
        }
    }
}
