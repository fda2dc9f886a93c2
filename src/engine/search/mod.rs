//! Play without a table: iterative deepening alpha-beta over the plain rules.
//!
//! Every line is looked at up to a depth in plies that grows by one; wins and losses in no more plies than that are found,
//! the shortest. Positions that come again draw: those of the line being looked at, and those of the game that have
//! occurred twice. What was found is kept by key (`memory`), unless it rests on a repetition above it; so now and then a
//! longer win is met with before its turn. The same question gets the same answer, as long as only the depth is limited.

mod memory;
mod tree;

use std::time::Instant;

use super::Evaluate;
use super::player::{Choice, Limits, Listener, Player, Report};
use super::session::Session;
use crate::solve::SolveError;
use memory::Memory;
use tree::Tree;

/// Plies that are looked ahead at most.
pub const DEEPEST: u32 = 100;

/// Looks ahead.
pub struct SearchPlayer {
    memory: Memory,
}

impl SearchPlayer {
    /// A player that keeps what it finds in so many bytes.
    pub fn new(bytes: usize) -> SearchPlayer {
        SearchPlayer { memory: Memory::new(bytes) }
    }
}

impl<G: Evaluate> Player<G> for SearchPlayer {
    /// Looks ahead at least one ply, whatever the limits.
    fn choose(
        &mut self,
        session: &Session<G>,
        limits: &Limits,
        listener: &mut dyn Listener<G::Move>,
    ) -> Result<Choice<G::Move>, SolveError> {
        let begun = Instant::now();
        self.memory.clear();
        let mut tree = Tree::new(session, &mut self.memory);
        let deepest = limits.depth.unwrap_or(DEEPEST).clamp(1, DEEPEST);
        let mut best = None;
        for depth in 1..=deepest {
            let mut stop = |nodes: u64| {
                let spent = limits.time.is_some_and(|time| begun.elapsed() >= time);
                let enough = limits.nodes.is_some_and(|most| nodes >= most);
                depth > 1 && (spent || enough || listener.wants_answer())
            };
            let whole = !stop(tree.nodes) && tree.look(depth, &mut stop);
            let Some((score, line)) = tree.found() else { break };
            best = line.first().map(|&mv| Choice { mv, score });
            if whole {
                listener.hear(Report::Searched { depth, nodes: tree.nodes, time: begun.elapsed(), score, line });
            }
            if !whole || score.plies().is_some_and(|plies| u32::from(plies.0) <= depth) {
                break;
            }
        }
        let text = || session.game().position_text(session.position());
        best.ok_or_else(|| SolveError::Wrong(format!("{} has no move", text())))
    }
}
