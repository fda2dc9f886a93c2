//! One look at everything below a position, up to a depth.

use std::cmp::Reverse;
use std::ops::ControlFlow;

use super::entry::{Bound, Entry};
use super::score::{INFINITE, WIN, as_score, counted_from_here, decided, settles, usable};
use crate::player::Score;
use crate::session::Session;
use yomikiri_rules::{Outcome, Value};
use yomikiri_solve::evaluate::{Evaluate, LIMIT, Reader};
use yomikiri_solve::transposition::TranspositionTable;

/// Positions between two questions whether to stop.
const PATIENCE: u64 = 1 << 10;

/// Asked now and then, with the number of positions looked at; true stops the search.
pub type Stop<'a> = &'a mut dyn FnMut(u64) -> bool;

/// The tree below the position of a session.
pub struct Tree<'a, G: Evaluate> {
    game: &'a G,
    root: G::Position,
    /// Positions of the game that draw if they come again.
    drawing: Vec<G::Position>,
    table: &'a TranspositionTable<u64, Entry>,
    pub reader: Option<Box<dyn Reader<G>>>,
    /// From the root to the parent of the position being looked at.
    path: Vec<G::Position>,
    /// What belongs to each ply of the path.
    plies: Vec<Ply<G>>,
    /// Score and best line of the root.
    best: Option<(i32, Vec<G::Move>)>,
    /// Positions looked at, those of the reader not counted.
    looks: u64,
    /// Number of positions after which to ask whether to stop.
    ask_at: u64,
}

/// What is kept of a ply while others are looked at.
struct Ply<G: Evaluate> {
    /// The best line from here on.
    line: Vec<G::Move>,
    /// Room for the moves of a position.
    children: Vec<Child<G>>,
    /// Moves that have been too good for the other side, the latest first.
    killers: [Option<G::Move>; 2],
}

impl<G: Evaluate> Default for Ply<G> {
    fn default() -> Self {
        Ply { line: Vec::new(), children: Vec::new(), killers: [None; 2] }
    }
}

/// What a position has turned out to be worth for the side to move.
#[derive(Clone, Copy, Debug)]
struct Judgement {
    score: i32,
    /// The first place on the path that the score rests on, a repetition of the position there having been taken for a
    /// draw; `usize::MAX` if it rests on none.
    rests_on: usize,
}

impl Judgement {
    fn firm(score: i32) -> Judgement {
        Judgement { score, rests_on: usize::MAX }
    }

    /// The same for the other side.
    fn reversed(self) -> Judgement {
        Judgement { score: -self.score, ..self }
    }
}

/// The position after a move.
#[derive(Clone, Copy)]
struct Child<G: Evaluate> {
    mv: G::Move,
    position: G::Position,
    /// Its fingerprint; 0 where nobody asks for it.
    key: u64,
    /// Its place among all children.
    number: u16,
    /// How good the move looks.
    promise: i32,
}

/// The best of the moves tried so far.
struct Choice {
    best: Judgement,
    /// Where to find it again: the child's number and, in the upper half, a part of its key.
    hint: u32,
}

/// The part of a key by which a child is told from another of the same number.
fn part_of_key(key: u64) -> u32 {
    u32::from((key ^ key >> 32) as u16 ^ (key >> 16) as u16)
}

/// A position on its way down: scores from `alpha` down and from `beta` up are bounds.
#[derive(Clone, Copy)]
struct Question {
    key: u64,
    depth: u32,
    alpha: i32,
    beta: i32,
}

impl<'a, G: Evaluate> Tree<'a, G> {
    pub fn new(
        session: &Session<'a, G>,
        table: &'a TranspositionTable<u64, Entry>,
        reader: Option<Box<dyn Reader<G>>>,
    ) -> Tree<'a, G> {
        Tree {
            game: session.game(),
            root: *session.position(),
            drawing: session.drawing().copied().collect(),
            table,
            reader,
            path: Vec::new(),
            plies: Vec::new(),
            best: None,
            looks: 0,
            ask_at: PATIENCE,
        }
    }

    /// Positions looked at.
    pub fn nodes(&self) -> u64 {
        self.looks + self.reader.as_ref().map_or(0, |reader| reader.nodes())
    }

    /// Positions looked at, those of the reader not counted.
    pub fn looks(&self) -> u64 {
        self.looks
    }

    /// Looks `depth` plies ahead, at least one; false if it was stopped.
    pub fn look(&mut self, depth: u32, stop: Stop) -> bool {
        self.path.clear();
        self.plies.resize_with(depth as usize + 1, Ply::default);
        let root = self.root;
        let key = self.game.fingerprint(&root);
        self.expand(&root, Question { key, depth, alpha: -INFINITE, beta: INFINITE }, stop).is_some()
    }

    /// The root's score and best line by all that has been looked at.
    pub fn found(&self) -> Option<(Score, Vec<G::Move>)> {
        self.best.as_ref().map(|(score, line)| (as_score(*score), line.clone()))
    }

    /// Judges a position below the root; `None` if the search is stopped.
    fn judge(&mut self, position: &G::Position, question: Question, stop: Stop) -> Option<Judgement> {
        self.looks += 1;
        if self.nodes() >= self.ask_at {
            self.ask_at = self.nodes() + PATIENCE;
            if stop(self.nodes()) {
                return None;
            }
        }
        let ply = self.path.len();
        self.plies[ply].line.clear();
        if let Some(over) = self.over(position) {
            return Some(over);
        }
        let Question { key, depth, alpha, beta } = question;
        if depth > 0
            && let Some(score) = self.table.get(key).and_then(|entry| usable(entry, ply, depth, alpha, beta))
        {
            return Some(Judgement::firm(score));
        }
        if let Some((bound, score)) = self.read_out(position)
            && (depth == 0 || settles(bound, score, alpha, beta))
        {
            return Some(Judgement::firm(score));
        }
        if depth == 0 {
            return Some(Judgement::firm(self.game.evaluate(position).clamp(-LIMIT, LIMIT)));
        }
        self.expand(position, question, stop)
    }

    /// The score of a position in which the game is over, or is taken to be because the position has been there.
    fn over(&self, position: &G::Position) -> Option<Judgement> {
        let ply = self.path.len();
        if let Some(value) = self.game.terminal_value(position) {
            let plies = ply + value.plies().map_or(0, |plies| plies.0.into());
            return Some(Judgement::firm(decided(value.outcome(), plies)));
        }
        if !G::REPEATS {
            return None;
        }
        if self.drawing.contains(position) {
            return Some(Judgement::firm(0));
        }
        let same_side = (0..ply).rev().skip(1).step_by(2);
        let before = same_side.into_iter().find(|&at| self.path[at] == *position)?;
        Some(Judgement { score: 0, rests_on: before })
    }

    /// What the reader says of a position that is not over.
    fn read_out(&mut self, position: &G::Position) -> Option<(Bound, i32)> {
        let (outcome, plies) = self.reader.as_mut()?.outcome(position)?;
        let bound = match outcome {
            Outcome::Win => Bound::Lower,
            Outcome::Draw => Bound::Exact,
            Outcome::Loss => Bound::Upper,
        };
        Some((bound, decided(outcome, self.path.len() + usize::from(plies.0))))
    }

    /// Judges a position that is not over by its moves.
    fn expand(&mut self, position: &G::Position, question: Question, stop: Stop) -> Option<Judgement> {
        let ply = self.path.len();
        let mut choice = Choice { best: Judgement::firm(-INFINITE), hint: 0 };
        self.path.push(*position);
        let done = match question.depth {
            1 => self.try_leaves(position, question, &mut choice, stop),
            _ => self.try_all(position, question, &mut choice, stop),
        };
        self.path.pop();
        done?;
        let Choice { best, hint } = choice;
        if best.rests_on < ply {
            return Some(best);
        }
        let Question { key, depth, alpha, beta } = question;
        let bound = if best.score >= beta {
            Bound::Lower
        } else if best.score > alpha {
            Bound::Exact
        } else {
            Bound::Upper
        };
        let score = counted_from_here(best.score, ply) as i16;
        self.table.put(key, Entry { score, depth: depth as u8, bound, hint });
        Some(Judgement::firm(best.score))
    }

    /// Tries moves as they come, no reply being looked at, until one is too good; `None` if the search is stopped.
    fn try_leaves(
        &mut self,
        position: &G::Position,
        question: Question,
        choice: &mut Choice,
        stop: Stop,
    ) -> Option<()> {
        let (game, mut number, mut stopped) = (self.game, 0, false);
        let _ = game.children(position, &mut |mv, position| {
            let child = Child { mv, position, key: 0, number, promise: 0 };
            number += 1;
            match self.try_move(child, question, choice, stop) {
                None => stopped = true,
                Some(false) => return ControlFlow::Continue(()),
                Some(true) => (),
            }
            ControlFlow::Break(())
        });
        (!stopped).then_some(())
    }

    /// Tries the move that was best before, then killers, then all others, those first that look best, until one is
    /// too good; `None` if the search is stopped.
    fn try_all(&mut self, position: &G::Position, question: Question, choice: &mut Choice, stop: Stop) -> Option<()> {
        let ply = self.path.len() - 1;
        let mut children = std::mem::take(&mut self.plies[ply].children);
        children.clear();
        let _ = self.game.children(position, &mut |mv, position| {
            children.push(Child { mv, position, key: 0, number: children.len() as u16, promise: 0 });
            ControlFlow::Continue(())
        });
        let first = self.put_first(&mut children, question);
        let mut done = self.try_each(&children[..first], question, choice, stop);
        if done == Some(false) {
            let rest = &mut children[first..];
            for child in &mut *rest {
                child.promise = self.promise(&child.position);
            }
            rest.sort_by_key(|child| (Reverse(child.promise), child.number));
            done = self.try_each(rest, question, choice, stop);
        }
        self.plies[ply].children = children;
        done.map(|_| ())
    }

    /// Brings the move that was best before and the killers to the front; returns how many they are.
    fn put_first(&self, children: &mut [Child<G>], question: Question) -> usize {
        let mut front = 0;
        if let Some(hint) = self.table.get(question.key).map(|entry| entry.hint)
            && let Some(child) = children.get(usize::from(hint as u16))
            && part_of_key(self.game.fingerprint(&child.position)) == hint >> 16
        {
            children.swap(0, usize::from(hint as u16));
            front = 1;
        }
        for killer in self.plies[self.path.len() - 1].killers.into_iter().flatten() {
            if let Some(at) = children[front..].iter().position(|child| child.mv == killer) {
                children.swap(front, front + at);
                front += 1;
            }
        }
        front
    }

    /// Tries moves in their order; true if one is too good, `None` if the search is stopped.
    fn try_each(&mut self, children: &[Child<G>], question: Question, choice: &mut Choice, stop: Stop) -> Option<bool> {
        for child in children {
            let key = self.game.fingerprint(&child.position);
            if self.try_move(Child { key, ..*child }, question, choice, stop)? {
                return Some(true);
            }
        }
        Some(false)
    }

    /// Judges a move; true if it is too good for the other side to allow, `None` if the search is stopped.
    fn try_move(&mut self, child: Child<G>, question: Question, choice: &mut Choice, stop: Stop) -> Option<bool> {
        let ply = self.path.len() - 1;
        let judged = self.judge_child(&child, question, choice.best.score, stop)?;
        if judged.score > choice.best.score {
            *choice = Choice { best: judged, hint: u32::from(child.number) | part_of_key(child.key) << 16 };
            if judged.score > question.alpha {
                self.keep_line(ply, child.mv, judged.score);
            }
        }
        let enough = choice.best.score >= question.beta;
        if enough && question.depth > 1 {
            self.keep_killer(ply, child.mv);
        }
        Some(enough)
    }

    /// Judges a child against the best so far: all but the first by a null window, and again if they are better.
    fn judge_child(&mut self, child: &Child<G>, question: Question, best: i32, stop: Stop) -> Option<Judgement> {
        let floor = question.alpha.max(best);
        let whole = Question { key: child.key, depth: question.depth - 1, alpha: -question.beta, beta: -floor };
        if best > -INFINITE && question.depth > 1 && question.beta > floor + 1 {
            let judged = self.judge(&child.position, Question { alpha: -floor - 1, ..whole }, stop)?.reversed();
            if judged.score <= floor || judged.score >= question.beta {
                return Some(judged);
            }
        }
        Some(self.judge(&child.position, whole, stop)?.reversed())
    }

    /// How good a move to a position looks.
    fn promise(&self, position: &G::Position) -> i32 {
        match self.game.terminal_value(position).map(Value::outcome) {
            Some(Outcome::Loss) => WIN,
            Some(Outcome::Draw) => 0,
            Some(Outcome::Win) => -WIN,
            None => -self.game.evaluate(position),
        }
    }

    fn keep_killer(&mut self, ply: usize, mv: G::Move) {
        let killers = &mut self.plies[ply].killers;
        if killers[0] != Some(mv) {
            *killers = [Some(mv), killers[0]];
        }
    }

    /// Puts a move before the best line of the next ply.
    fn keep_line(&mut self, ply: usize, mv: G::Move, score: i32) {
        let (here, below) = self.plies.split_at_mut(ply + 1);
        let line = &mut here[ply].line;
        line.clear();
        line.push(mv);
        line.extend_from_slice(below.first().map_or(&[], |below| &below.line));
        if ply == 0 {
            self.best = Some((score, self.plies[0].line.clone()));
        }
    }
}
