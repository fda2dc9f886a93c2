//! The endgame solver for play.

use std::ops::ControlFlow;

use arrayvec::ArrayVec;

use crate::adapters::binarsi::move_generator::{self, CompactPosition, MAX_SUCCESSORS, Successor, Successors};
use crate::evaluate::EndgameSolver;
use yomikiri_rules::games::binarsi::Binarsi;
use yomikiri_rules::games::binarsi::board::Position;
use yomikiri_rules::games::binarsi::moves::Move;
use yomikiri_rules::{Distance, Game, Outcome, Plies, Value};

/// The maximum number of plies left at which the outcome of a position is searched instead of estimated.
const NEAR: u32 = 6;

/// The maximum number of plies left at which a search finds the exact value of a position.
const FAR: u32 = 15;

/// The endgame solver of one variant.
pub struct PlayEndgameSolver {
    game: Binarsi,
    successors: Successors,
    solver: move_generator::EndgameSolver,
}

impl PlayEndgameSolver {
    /// Creates a solver with a transposition table of at most `bytes` bytes.
    pub fn new(game: &Binarsi, bytes: usize) -> PlayEndgameSolver {
        let successors = Successors::new(&game.rules);
        let solver = move_generator::EndgameSolver::new(&game.rules, bytes);
        PlayEndgameSolver { game: game.clone(), successors, solver }
    }

    /// Returns true if a move to `child` reaches `value`, which is the value of the position before the move. Returns
    /// `None` if the search is stopped.
    fn keeps(&mut self, child: &Position, value: Distance, stop: move_generator::StopFn) -> Option<bool> {
        if let Some(end) = self.game.terminal_value(child) {
            return Some(end.of_move() == value);
        }
        let (field, other) = (CompactPosition::from(child), child.side());
        match value {
            Distance::Win(Plies(plies)) => self.solver.wins(&field, other.other(), u32::from(plies) - 1, stop),
            Distance::Loss(Plies(plies)) if plies < 2 => Some(false),
            Distance::Loss(Plies(plies)) => Some(!self.solver.wins(&field, other, u32::from(plies) - 2, stop)?),
            Distance::Draw => Some(false),
        }
    }
}

impl EndgameSolver<Binarsi> for PlayEndgameSolver {
    fn outcome(&mut self, position: &Position) -> Option<(Outcome, Plies)> {
        let field = CompactPosition::from(position);
        let left = self.solver.plies_left(&field);
        if left > NEAR {
            return None;
        }
        let wins = self.solver.wins(&field, position.side(), left, &mut |_| false)?;
        Some((if wins { Outcome::Win } else { Outcome::Loss }, Plies(left as u16)))
    }

    fn solve(&mut self, position: &Position, stop: &mut dyn FnMut(u64) -> bool) -> Option<(Move, Distance)> {
        let field = CompactPosition::from(position);
        if self.solver.plies_left(&field) > FAR {
            return None;
        }
        let value = self.solver.value(&field, stop)?;
        let mut children: ArrayVec<Successor, MAX_SUCCESSORS> = ArrayVec::new();
        let _ = self.successors.each(&field, |successor| {
            children.push(successor);
            ControlFlow::Continue(())
        });
        for Successor { mv, position: field } in children {
            if self.keeps(&field.after(position), value, stop)? {
                return Some((mv, value));
            }
        }
        None
    }

    fn nodes(&self) -> u64 {
        self.solver.nodes
    }
}
