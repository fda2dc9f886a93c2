//! The kernel as a reader of positions for players.

use std::ops::ControlFlow;

use arrayvec::ArrayVec;

use crate::evaluate::Reader;
use yomikiri_rules::games::binarsi::Binarsi;
use yomikiri_rules::games::binarsi::board::Position;
use yomikiri_rules::games::binarsi::kernel::{self, CompactPosition, MOST, Successor};
use yomikiri_rules::games::binarsi::moves::Move;
use yomikiri_rules::{Distance, Game, Outcome, Plies, Value};

/// Plies from the end at which a position is read out instead of being guessed.
const NEAR: u32 = 6;

/// Plies from the end beyond which reading is hopeless.
const FAR: u32 = 15;

/// Reads positions of one variant.
pub struct Reading {
    game: Binarsi,
    kernel: kernel::EndgameSolver,
}

impl Reading {
    /// A reader that remembers what fits into so many bytes.
    pub fn new(game: &Binarsi, bytes: usize) -> Reading {
        Reading { game: game.clone(), kernel: kernel::EndgameSolver::new(&game.rules, bytes) }
    }

    /// Whether a move to `child` keeps a value of the position before it; `None` if told to stop.
    fn keeps(&mut self, child: &Position, value: Distance, stop: kernel::Stop) -> Option<bool> {
        if let Some(end) = self.game.terminal_value(child) {
            return Some(end.of_move() == value);
        }
        let (field, other) = (CompactPosition::from(child), child.side());
        match value {
            Distance::Win(Plies(plies)) => self.kernel.wins(&field, other.other(), u32::from(plies) - 1, stop),
            Distance::Loss(Plies(plies)) if plies < 2 => Some(false),
            Distance::Loss(Plies(plies)) => Some(!self.kernel.wins(&field, other, u32::from(plies) - 2, stop)?),
            Distance::Draw => Some(false),
        }
    }
}

impl Reader<Binarsi> for Reading {
    fn outcome(&mut self, position: &Position) -> Option<(Outcome, Plies)> {
        let field = CompactPosition::from(position);
        let left = self.kernel.plies_left(&field);
        if left > NEAR {
            return None;
        }
        let wins = self.kernel.wins(&field, position.side(), left, &mut |_| false)?;
        Some((if wins { Outcome::Win } else { Outcome::Loss }, Plies(left as u16)))
    }

    fn solve(&mut self, position: &Position, stop: &mut dyn FnMut(u64) -> bool) -> Option<(Move, Distance)> {
        let field = CompactPosition::from(position);
        if self.kernel.plies_left(&field) > FAR {
            return None;
        }
        let value = self.kernel.value(&field, stop)?;
        let mut children: ArrayVec<Successor, MOST> = ArrayVec::new();
        let _ = self.game.successors.each(&field, |successor| {
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
        self.kernel.nodes
    }
}
