//! The state of a search that runs: its clock and its counts.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use crate::player::{Choice, Limits, Listener, PlayerReport, Score, SearchEffort};
use crate::stopwatch::Stopwatch;
use yomikiri_rules::AnyMove;

/// The maximum search depth in plies.
pub const MAX_DEPTH: u32 = 100;

/// The state that the threads of a search share.
#[derive(Default)]
pub struct SharedSearch {
    /// True if the helper threads should stop.
    pub halt: AtomicBool,
    /// The number of nodes that the helper threads have searched.
    pub nodes: AtomicU64,
}

/// The start of a search and the conditions that end it.
pub struct SearchClock<'a> {
    pub watch: Stopwatch,
    pub limits: Limits,
    pub listener: &'a mut dyn Listener,
}

impl SharedSearch {
    /// Returns a callback for the search of a helper thread. It counts the nodes and stops the search when
    /// [`SharedSearch::halt`] is set.
    pub fn helper_stop(&self) -> impl FnMut(u64) -> bool {
        let mut counted = 0;
        move |nodes: u64| {
            self.nodes.fetch_add(nodes - counted, Ordering::Relaxed);
            counted = nodes;
            self.halt.load(Ordering::Relaxed)
        }
    }
}

impl SearchClock<'_> {
    /// Returns true if the search should end. `nodes` is the number of nodes searched so far.
    pub fn is_over(&mut self, nodes: u64) -> bool {
        let spent = self.limits.time.is_some_and(|time| self.watch.elapsed() >= time);
        let enough = self.limits.nodes.is_some_and(|most| nodes >= most);
        spent || enough || self.listener.should_stop()
    }

    /// Returns the effort of the search. `nodes` is the number of nodes of the main thread.
    pub fn effort(&self, shared: &SharedSearch, nodes: u64, depth: u32) -> SearchEffort {
        let nodes = nodes + shared.nodes.load(Ordering::Relaxed);
        let time = self.watch.elapsed();
        SearchEffort { depth, nodes, time, search_time: time }
    }

    /// Reports the result of an iteration.
    pub fn report(&mut self, effort: SearchEffort, score: Score, line: Vec<AnyMove>) {
        let SearchEffort { depth, nodes, time, search_time } = effort;
        self.listener.report(PlayerReport::Searched { depth, nodes, time, search_time, score, line });
    }
}

/// Returns true if the result of an unfinished iteration should replace a different result of the iteration before. A
/// loss never replaces a result, because the moves that were not searched may save the game. A certain win is only
/// replaced by another certain win.
pub fn improves(partial: &Choice, before: Option<&Choice>) -> bool {
    let was_won = before.is_some_and(|choice| matches!(choice.score, Score::Won(_)));
    let is_better = match partial.score {
        Score::Won(_) => true,
        Score::Lost(_) => false,
        _ => !was_won,
    };
    is_better && before != Some(partial)
}
