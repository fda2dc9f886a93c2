//! One look at everything below a position, up to a depth.

use std::cmp::Reverse;

use super::memory::{Bound, Entry, Memory};
use crate::engine::evaluate::{Evaluate, LIMIT};
use crate::engine::player::Score;
use crate::engine::session::Session;
use crate::value::{Outcome, Plies, Value};

/// The score of a game won on the board; a win in `n` plies is worth `n` less.
const WIN: i32 = 32_000;

/// Scores from here on are certain wins.
const WON: i32 = WIN - 1_000;

/// Scores down from here are certain losses; between the two are guesses.
const LOST: i32 = -WON;

/// More than any score.
const INFINITE: i32 = WIN + 1;

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
    memory: &'a mut Memory,
    /// From the root to the parent of the position being looked at.
    path: Vec<G::Position>,
    /// The best line from each ply of the path on.
    lines: Vec<Vec<G::Move>>,
    /// Score and best line of the root.
    best: Option<(i32, Vec<G::Move>)>,
    /// Positions looked at.
    pub nodes: u64,
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
    /// How good the move looks.
    promise: i32,
}

impl<'a, G: Evaluate> Tree<'a, G> {
    pub fn new(session: &Session<'a, G>, memory: &'a mut Memory) -> Tree<'a, G> {
        Tree {
            game: session.game(),
            root: *session.position(),
            drawing: session.drawing().copied().collect(),
            memory,
            path: Vec::new(),
            lines: Vec::new(),
            best: None,
            nodes: 0,
        }
    }

    /// Looks `depth` plies ahead, at least one; false if it was stopped.
    pub fn look(&mut self, depth: u32, stop: Stop) -> bool {
        self.path.clear();
        self.lines.resize(depth as usize + 1, Vec::new());
        let root = self.root;
        self.expand(&root, depth, -INFINITE, INFINITE, stop).is_some()
    }

    /// The root's score and best line by all that has been looked at.
    pub fn found(&self) -> Option<(Score, Vec<G::Move>)> {
        self.best.as_ref().map(|(score, line)| (as_score(*score), line.clone()))
    }

    /// Judges a position below the root; `None` if the search is stopped. Scores from `alpha` down and from `beta` up
    /// are bounds.
    fn judge(&mut self, position: &G::Position, depth: u32, alpha: i32, beta: i32, stop: Stop) -> Option<Judgement> {
        self.nodes += 1;
        if self.nodes.is_multiple_of(PATIENCE) && stop(self.nodes) {
            return None;
        }
        let ply = self.path.len();
        self.lines[ply].clear();
        if let Some(over) = self.over(position) {
            return Some(over);
        }
        if depth == 0 {
            return Some(Judgement::firm(self.game.evaluate(position).clamp(-LIMIT, LIMIT)));
        }
        let known =
            self.memory.get(self.game.fingerprint(position)).and_then(|entry| usable(entry, ply, depth, alpha, beta));
        match known {
            Some(score) => Some(Judgement::firm(score)),
            None => self.expand(position, depth, alpha, beta, stop),
        }
    }

    /// The score of a position in which the game is over, or is taken to be because the position has been there.
    fn over(&self, position: &G::Position) -> Option<Judgement> {
        let ply = self.path.len();
        if let Some(value) = self.game.end(position) {
            let plies = ply as i32 + value.plies().map_or(0, |plies| i32::from(plies.0));
            return Some(Judgement::firm(match value.outcome() {
                Outcome::Win => WIN - plies,
                Outcome::Draw => 0,
                Outcome::Loss => plies - WIN,
            }));
        }
        if self.drawing.contains(position) {
            return Some(Judgement::firm(0));
        }
        let same_side = (0..ply).rev().skip(1).step_by(2);
        let before = same_side.into_iter().find(|&at| self.path[at] == *position)?;
        Some(Judgement { score: 0, rests_on: before })
    }

    /// Judges a position that is not over by its moves.
    fn expand(&mut self, position: &G::Position, depth: u32, alpha: i32, beta: i32, stop: Stop) -> Option<Judgement> {
        let ply = self.path.len();
        let key = self.game.fingerprint(position);
        let children = self.children(position, key, depth);
        let mut best = Judgement::firm(-INFINITE);
        let mut best_child = None;
        self.path.push(*position);
        for child in &children {
            let floor = alpha.max(best.score);
            let judged = self.judge(&child.position, depth - 1, -beta, -floor, stop)?.reversed();
            if judged.score > best.score {
                best = judged;
                best_child = Some(child.position);
                if judged.score > alpha {
                    self.keep_line(ply, child.mv, judged.score);
                }
            }
            if best.score >= beta {
                break;
            }
        }
        self.path.pop();
        if best.rests_on < ply {
            return Some(best);
        }
        let bound = if best.score >= beta {
            Bound::AtLeast
        } else if best.score > alpha {
            Bound::Exact
        } else {
            Bound::AtMost
        };
        let best_child = best_child.map_or(0, |child| self.game.fingerprint(&child) as u32);
        let score = counted_from_here(best.score, ply) as i16;
        self.memory.put(Entry { key, score, depth: depth as u8, bound, best: best_child });
        Some(Judgement::firm(best.score))
    }

    /// The positions after all moves. Where replies will be looked at too, what was best before comes first, then what
    /// looks best; the rest stays in the order of the notation.
    fn children(&self, position: &G::Position, key: u64, depth: u32) -> Vec<Child<G>> {
        let mut moves = Vec::new();
        self.game.moves(position, &mut moves);
        let child = |mv| Child { mv, position: self.game.play(position, mv), promise: 0 };
        let mut children: Vec<Child<G>> = moves.into_iter().map(child).collect();
        if depth > 1 {
            let best = self.memory.get(key).map(|entry| entry.best);
            for child in &mut children {
                child.promise = self.promise(&child.position, best);
            }
            children.sort_by_key(|child| Reverse(child.promise));
        }
        children
    }

    /// How good a move to `position` looks; `best` is the key's half that was best before.
    fn promise(&self, position: &G::Position, best: Option<u32>) -> i32 {
        if best.is_some_and(|best| best == self.game.fingerprint(position) as u32) {
            return INFINITE;
        }
        match self.game.end(position).map(Value::outcome) {
            Some(Outcome::Loss) => WIN,
            Some(Outcome::Draw) => 0,
            Some(Outcome::Win) => -WIN,
            None => -self.game.evaluate(position),
        }
    }

    /// Puts a move before the best line of the next ply.
    fn keep_line(&mut self, ply: usize, mv: G::Move, score: i32) {
        let (here, below) = self.lines.split_at_mut(ply + 1);
        here[ply].clear();
        here[ply].push(mv);
        here[ply].extend_from_slice(below.first().map_or(&[], |line| line));
        if ply == 0 {
            self.best = Some((score, self.lines[0].clone()));
        }
    }
}

/// The score of an entry where it settles a position at `ply` of the path.
fn usable(entry: Entry, ply: usize, depth: u32, alpha: i32, beta: i32) -> Option<i32> {
    let stored = i32::from(entry.score);
    let bound = match (u32::from(entry.depth) >= depth, stored) {
        (true, _) => entry.bound,
        // What is won stays won whatever else a deeper look finds, and what is lost lost.
        (false, WON..) if entry.bound != Bound::AtMost => Bound::AtLeast,
        (false, ..=LOST) if entry.bound != Bound::AtLeast => Bound::AtMost,
        _ => return None,
    };
    let score = counted_from_root(stored, ply);
    let settles = match bound {
        Bound::Exact => true,
        Bound::AtLeast => score >= beta,
        Bound::AtMost => score <= alpha,
    };
    settles.then_some(score)
}

/// A score with the plies to the end counted from the position, not from the root.
fn counted_from_here(score: i32, ply: usize) -> i32 {
    match score {
        WON.. => score + ply as i32,
        ..=LOST => score - ply as i32,
        _ => score,
    }
}

/// Inverse of [`counted_from_here`].
fn counted_from_root(score: i32, ply: usize) -> i32 {
    match score {
        WON.. => score - ply as i32,
        ..=LOST => score + ply as i32,
        _ => score,
    }
}

fn as_score(score: i32) -> Score {
    match score {
        WON.. => Score::Won(Plies((WIN - score) as u16)),
        ..=LOST => Score::Lost(Plies((WIN + score) as u16)),
        guess => Score::Guess(guess),
    }
}
