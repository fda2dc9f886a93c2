//! Exact scores by a row of questions with null windows.

use super::field::Field;
use super::memory::Memory;
use super::split::Split;
use super::worker::{WHOLE, Worker};
use crate::game::Game;
use crate::games::reversi::board::Position;
use crate::games::reversi::game::Reversi;
use crate::games::reversi::moves::{self, Move};
use crate::solve::{Progress, Search, Solution};
use crate::value::Score;

/// Searches positions of one variant.
pub struct Solver {
    game: Reversi,
    field: Field,
    memory: Memory,
}

/// What is known of the score of a position.
struct Bounds {
    lower: i32,
    upper: i32,
    /// A move that gives at least the lower bound.
    best: Move,
}

impl Solver {
    /// A search that remembers positions in about so many bytes.
    pub fn new(game: Reversi, memory: u64) -> Solver {
        Solver { game, field: Field::new(&game.rules), memory: Memory::new(memory) }
    }

    /// Searches with the null window above `alpha`: a bound of the score, and the move that gives it.
    fn ask(&self, position: &Position, alpha: i32, nodes: &mut u64, progress: &dyn Progress) -> (i32, Move) {
        let split = Split::root();
        let mut worker = Worker::new(&self.field, &self.memory, &split, progress, WHOLE);
        let (score, mv) = match moves::legal(self.field.board, position) {
            0 => (-worker.search(position.other, position.own, !alpha), Move::Pass),
            _ => {
                let (score, square) = worker.search_root(position.own, position.other, alpha);
                (score, Move::Place(square))
            }
        };
        *nodes += worker.nodes;
        (score, mv)
    }

    /// A first guess of the score.
    fn guess(&self, position: &Position) -> i32 {
        let _ = position;
        0
    }

    fn any_move(&self, position: &Position) -> Move {
        let legal = moves::each(moves::legal(self.field.board, position));
        legal.map(Move::Place).next().unwrap_or(Move::Pass)
    }

    /// Asks until both bounds meet.
    fn close_in(&self, position: &Position, nodes: &mut u64, progress: &dyn Progress) -> Bounds {
        let mut bounds = Bounds { lower: -self.field.area, upper: self.field.area, best: self.any_move(position) };
        let mut guess = self.guess(position);
        while bounds.lower < bounds.upper {
            let alpha = guess.clamp(bounds.lower + 1, bounds.upper) - 1;
            progress.begin(&format!("score > {alpha}?"), WHOLE);
            let (score, best) = self.ask(position, alpha, nodes, progress);
            if score > alpha {
                (bounds.lower, bounds.best) = (score, best);
            } else {
                bounds.upper = score;
            }
            progress.end(&format!("{} to {}, {nodes} nodes", bounds.lower, bounds.upper));
            guess = score;
        }
        bounds
    }
}

impl Search<Reversi> for Solver {
    fn solve(&self, position: &Position, progress: &dyn Progress) -> Solution<Reversi> {
        if let Some(value) = self.game.end(position) {
            return Solution { value, best: None, nodes: 0 };
        }
        let mut nodes = 0;
        let bounds = self.close_in(position, &mut nodes, progress);
        Solution { value: Score::new(bounds.lower), best: Some(bounds.best), nodes }
    }
}
