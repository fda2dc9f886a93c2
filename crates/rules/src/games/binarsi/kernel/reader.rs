//! Who can force a win within so many plies.
//!
//! A question is about one side, the attacker: it wins if every line that the other side can choose ends with its win in
//! time. So a position needs one good move of the attacker, or none of the defender. A game that lasts to its end is always
//! won by somebody; so about all plies that are left the answer tells the winner, and the fewest plies for which it is
//! yes are the distance.
//!
//! What cuts the tree short, besides what is remembered:
//!
//! 1. A side that misses a target which can no longer be cleared ([`super::Lines::open`]) wins by counting or not at all: an attacker
//!    wins in no less than all plies then, and what the side has cleared does not matter any more.
//! 2. What ends the game at once is looked at before anything deeper.
//! 3. All moves of a way are looked at together in the last two plies ([`super::last`]).

use arrayvec::ArrayVec;

use super::choices::{Choices, Options, Survey};
use super::field::Field;
use super::last;
use super::memory::Memory;
use super::order::{self, Order};
use crate::games::binarsi::rules::Rules;
use crate::games::binarsi::targets;
use crate::value::{Distance, Outcome, Side};

/// Positions between two questions whether to stop.
const PATIENCE: u64 = 1 << 10;

/// With no more plies left than this, looking a position up takes longer than reading it out.
const FORGETFUL: u32 = 3;

/// Asked now and then, with the number of positions looked at; true stops the reading.
pub type Stop<'a> = &'a mut dyn FnMut(u64) -> bool;

/// Reads positions out. It remembers what it has seen.
pub struct Reader {
    rules: Rules,
    choices: Choices,
    memory: Memory,
    order: Order,
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
    /// The targets of the sides that can still win by targets.
    hope: u8,
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
            choices: Choices::new(rules),
            memory: Memory::new(bytes),
            order: Order::new(),
            nodes: 0,
        }
    }

    /// Whether `attacker` can force a win within so many plies from a position that is not over; `None` if told to stop.
    pub fn wins(&mut self, field: &Field, attacker: Side, plies: u32, stop: Stop) -> Option<bool> {
        let rest = self.plies_left(field);
        let attacks = attacker == Side::at_ply(field.ply());
        self.ask(field, Question { attacker, plies: plies.min(rest), rest, attacks, hope: targets::ALL }, stop)
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
        let Question { attacker, attacks, plies, rest, hope } = question;
        if plies == rest
            && let Some(wins) = last::wins(&self.choices, field, hope, rest)
        {
            return Some(wins == attacks);
        }
        // With `-n` games may end, and be counted, before their last ply.
        let in_time = plies == rest || self.rules.forbid_null_modify;
        if plies == 0 && !in_time {
            return Some(false);
        }
        let hope = self.choices.lines.hope(field, hope);
        if !in_time && hope & targets::all(attacker) == 0 {
            return Some(false);
        }
        if plies == rest
            && let Some(winner) = self.sure_winner(field, hope)
        {
            return Some(winner == attacker);
        }
        let field = Field { targets: field.targets & hope, ..*field };
        self.recall(&field, Question { hope, ..question }, stop)
    }

    /// Who wins whatever is played: the count by stones that can never change again, if the other side cannot win by targets.
    #[inline]
    fn sure_winner(&self, field: &Field, hope: u8) -> Option<Side> {
        if hope == targets::ALL {
            return None;
        }
        let (all, fixed) = (u32::from(self.rules.files) * u32::from(self.rules.ranks), field.fixed());
        let (black, white) = ((fixed & field.stones).count_ones(), (fixed & !field.stones).count_ones());
        let worst_for_black = self.rules.stones_winner(black, all - black);
        let worst_for_white = self.rules.stones_winner(all - white, white);
        let (winner, loser) = (worst_for_black, worst_for_black.other());
        (winner == worst_for_white && hope & targets::all(loser) == 0).then_some(winner)
    }

    /// Answers by what is remembered, or by moves.
    fn recall(&mut self, field: &Field, question: Question, stop: Stop) -> Option<bool> {
        let Question { attacker, plies, rest, .. } = question;
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

    /// Answers a question by what the moves lead to.
    fn by_moves(&mut self, field: &Field, question: Question, stop: Stop) -> Option<bool> {
        let Question { attacker, attacks, plies, hope, .. } = question;
        let mover = Side::at_ply(field.ply());
        let mut options = ArrayVec::new();
        match self.choices.survey(field, hope, mover, &mut options) {
            Survey::Stuck => Some(field.counted(&self.rules) == attacker),
            // Only a game that is over by `-n` is won without a move.
            _ if plies == 0 => Some(false),
            Survey::Win => Some(attacks),
            Survey::GoOn => self.by_replies(field, &options, question, stop),
        }
    }

    /// Answers a question by moves that do not end the game, when no other is good for the side to move.
    fn by_replies(&mut self, field: &Field, options: &[Options], question: Question, stop: Stop) -> Option<bool> {
        let Question { attacks, rest, .. } = question;
        let mut replies = ArrayVec::new();
        self.order.replies(field, Side::at_ply(field.ply()), rest, options, &mut replies);
        let mut tried = 0;
        while let Some(reply) = order::next(&mut replies, tried) {
            let of_way = &options[usize::from(reply.option)];
            let good = self.ask(&of_way.after(field, reply.number.into()), question.after_move(), stop)? == attacks;
            self.order.learn(rest, of_way, reply, good);
            if good {
                return Some(attacks);
            }
            tried += 1;
        }
        Some(!attacks)
    }
}
