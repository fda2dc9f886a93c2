//! Who can force a win within so many plies.
//!
//! A question is about one side, the attacker: it wins if every line that the other side can choose ends with its win in
//! time. So a position needs one good move of the attacker, or none of the defender. A game that lasts to its end is always
//! won by somebody; so about all plies that are left the answer tells the winner, and the fewest plies for which it is
//! yes are the distance.
//!
//! What cuts the tree short, besides what is remembered:
//!
//! 1. A side that misses a target which can no longer be cleared ([`Lines::open`]) wins by counting or not at all. Then the
//!    other side needs but not lose the count, and an attacker wins in no less than all plies.
//! 2. When neither side can win by targets, stones that can never change again may decide the count.
//! 3. What ends the game at once is looked at before anything deeper.

use std::ops::ControlFlow;

use arrayvec::ArrayVec;

use super::field::Field;
use super::memory::Memory;
use super::successors::{MOST, SLOTS, Successor, Successors};
use crate::games::binarsi::rules::Rules;
use crate::games::binarsi::targets::{BLACK_ALL, WHITE_ALL};
use crate::value::{Distance, Outcome, Side};

/// Positions between two questions whether to stop.
const PATIENCE: u64 = 1 << 10;

/// With no more plies left than this, looking a position up takes longer than reading it out.
const FORGETFUL: u32 = 2;

/// Asked now and then, with the number of positions looked at; true stops the reading.
pub type Stop<'a> = &'a mut dyn FnMut(u64) -> bool;

/// Reads positions out. It remembers what it has seen.
pub struct Reader {
    rules: Rules,
    successors: Successors,
    memory: Memory,
    /// How often a slot was a good choice, for the attacker and for the defender.
    merits: [Vec<u32>; 2],
    /// Positions looked at so far.
    pub nodes: u64,
}

/// A question on its way down.
#[derive(Clone, Copy)]
struct Question {
    attacker: Side,
    /// Plies within which the attacker has to win.
    plies: u32,
    /// Plies to the end of the longest game.
    rest: u32,
    /// Whether the attacker is to move.
    attacks: bool,
}

impl Question {
    fn after_move(self) -> Question {
        Question { plies: self.plies - 1, rest: self.rest - 1, attacks: !self.attacks, ..self }
    }
}

impl Reader {
    /// A reader that remembers what fits into so many bytes.
    pub fn new(rules: &Rules, bytes: usize) -> Reader {
        Reader {
            rules: *rules,
            successors: Successors::new(rules),
            memory: Memory::new(bytes),
            merits: [vec![0; SLOTS], vec![0; SLOTS]],
            nodes: 0,
        }
    }

    /// Whether `attacker` can force a win within so many plies from a position that is not over; `None` if told to stop.
    pub fn wins(&mut self, field: &Field, attacker: Side, plies: u32, stop: Stop) -> Option<bool> {
        let rest = self.plies_left(field);
        let attacks = attacker == Side::at_ply(field.ply());
        self.ask(field, Question { attacker, plies: plies.min(rest), rest, attacks }, stop)
    }

    /// The value of a position that is not over, with its exact distance; `None` if told to stop.
    pub fn value(&mut self, field: &Field, stop: Stop) -> Option<Distance> {
        let (mover, rest) = (Side::at_ply(field.ply()), self.plies_left(field));
        let wins = self.wins(field, mover, rest, stop)?;
        let (winner, outcome) = if wins { (mover, Outcome::Win) } else { (mover.other(), Outcome::Loss) };
        for plies in 0..rest {
            if self.wins(field, winner, plies, stop)? {
                return Some(Distance::new(outcome, plies as u16));
            }
        }
        Some(Distance::new(outcome, rest as u16))
    }

    /// Plies to the end of the longest game from a position.
    pub fn plies_left(&self, field: &Field) -> u32 {
        self.rules.max_plies() - field.ply()
    }

    /// Answers a question about a position that is not decided by targets.
    fn ask(&mut self, field: &Field, question: Question, stop: Stop) -> Option<bool> {
        self.nodes += 1;
        if self.nodes.is_multiple_of(PATIENCE) && stop(self.nodes) {
            return None;
        }
        let Question { attacker, plies, rest, .. } = question;
        if let Some(answer) = self.at_once(field, question) {
            return Some(answer);
        }
        if rest <= FORGETFUL {
            return self.by_moves(field, question, stop);
        }
        if let Some(answer) = self.memory.get(field, attacker).answer(plies) {
            return Some(answer);
        }
        let before = self.nodes;
        let answer = self.by_moves(field, question, stop)?;
        self.memory.put(field, attacker, plies, answer, self.nodes - before);
        Some(answer)
    }

    /// The answer where no move has to be made for it.
    #[inline]
    fn at_once(&self, field: &Field, question: Question) -> Option<bool> {
        let Question { attacker, plies, rest, .. } = question;
        if rest == 0 {
            return Some(field.counted(&self.rules) == attacker);
        }
        // With `-n` games may end, and be counted, before their last ply.
        let in_time = plies == rest || self.rules.forbid_null_modify;
        if plies == 0 && !in_time {
            return Some(false);
        }
        let reachable = field.targets | self.successors.lines.open(field);
        let (black, white) = (reachable & BLACK_ALL == BLACK_ALL, reachable & WHITE_ALL == WHITE_ALL);
        let (attack, defence) = if attacker == Side::Black { (black, white) } else { (white, black) };
        if !attack && !in_time {
            return Some(false);
        }
        if attack && defence || plies < rest {
            return None;
        }
        // A side without hope for targets needs the count, and the other one loses but by the count.
        match self.sure_count(field)? == attacker {
            true if !defence => Some(true),
            false if !attack => Some(false),
            _ => None,
        }
    }

    /// Who wins the count whenever it comes, if the stones that can never change again tell.
    fn sure_count(&self, field: &Field) -> Option<Side> {
        let (all, fixed) = (u32::from(self.rules.files) * u32::from(self.rules.ranks), field.fixed());
        let (black, white) = ((fixed & field.stones).count_ones(), (fixed & !field.stones).count_ones());
        let worst_for_black = self.rules.stones_winner(black, all - black);
        let worst_for_white = self.rules.stones_winner(all - white, white);
        (worst_for_black == worst_for_white).then_some(worst_for_black)
    }

    /// Answers a question by what the moves lead to.
    fn by_moves(&mut self, field: &Field, question: Question, stop: Stop) -> Option<bool> {
        let Question { attacker, rest, attacks, plies } = question;
        if plies == 0 {
            // Only a game that is over by `-n` is won without a move.
            let stuck = self.successors.each(field, |_| ControlFlow::Break(())).is_continue();
            return Some(stuck && field.counted(&self.rules) == attacker);
        }
        let mut open: ArrayVec<Successor, MOST> = ArrayVec::new();
        let (mut stuck, rules) = (true, self.rules);
        let good = |winner: Side| (winner == attacker) == attacks;
        let settled = self.successors.each(field, |successor| {
            stuck = false;
            let winner = match successor.field.by_targets(&rules) {
                Some(winner) => winner,
                None if rest == 1 => successor.field.counted(&rules),
                None => {
                    open.push(successor);
                    return ControlFlow::Continue(());
                }
            };
            if good(winner) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        if settled.is_break() {
            return Some(attacks);
        }
        if stuck {
            return Some(field.counted(&self.rules) == attacker);
        }
        self.by_successors(&mut open, question, stop)
    }

    /// Answers a question by successors that are not decided by targets, when no other is good for the side to move.
    fn by_successors(&mut self, open: &mut ArrayVec<Successor, MOST>, question: Question, stop: Stop) -> Option<bool> {
        let (attacks, below) = (question.attacks, question.after_move());
        let role = usize::from(attacks);
        while let Some(best) = self.most_promising(open, role) {
            let Successor { field, slot, .. } = open.swap_remove(best);
            if self.ask(&field, below, stop)? == attacks {
                let merit = &mut self.merits[role][usize::from(slot)];
                *merit = merit.saturating_add(question.plies * question.plies);
                return Some(attacks);
            }
        }
        Some(!attacks)
    }

    /// The place of the successor to look at next.
    fn most_promising(&self, open: &[Successor], role: usize) -> Option<usize> {
        let merit = |&at: &usize| self.merits[role][usize::from(open[at].slot)];
        (0..open.len()).max_by_key(merit)
    }
}
