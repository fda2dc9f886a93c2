//! The principal variation search of one iteration.

use std::cmp::Reverse;
use std::ops::ControlFlow;
use yomikiri_solve::Solvable;

use super::entry::{Bound, PvEntry};
use super::score::{INFINITE, WIN, as_score, counted_from_here, decided, settles, usable};
use crate::player::Score;
use crate::selection::Candidate;
use crate::session::Session;
use yomikiri_rules::{AnyGame, AnyMove, AnyPosition, Game, Outcome, Side, Value};
use yomikiri_search::evaluate::{EndgameSolver, Evaluate, LIMIT};
use yomikiri_search::transposition::TranspositionTable;

/// The number of nodes between two calls of the callback `stop`, which may end the search.
const PATIENCE: u64 = 1 << 10;

/// A callback that ends a search. The search calls it from time to time with the number of nodes searched so far.
/// Returning true stops the search.
pub type StopFn<'a> = &'a mut dyn FnMut(u64) -> bool;

/// The search tree from the position of a session.
pub struct PvSearch<'a> {
    game: &'a AnyGame,
    evaluator: &'a dyn Evaluate<AnyGame>,
    root: AnyPosition,
    /// Positions that are drawn at their next occurrence in the game, each with its side to move.
    drawing: Vec<(Side, AnyPosition)>,
    table: &'a TranspositionTable<u64, PvEntry>,
    pub endgame_solver: Option<Box<dyn EndgameSolver<AnyGame>>>,
    /// The positions from the root to the parent of the current one.
    path: Vec<AnyPosition>,
    /// The buffers of each ply of the path.
    plies: Vec<Ply>,
    /// The best score and principal variation of the root so far, or `None` before the first move has been searched.
    best: Option<(i32, Vec<AnyMove>)>,
    /// True if results of the transposition table do not shorten principal variations.
    keeps_lines: bool,
    /// The number of nodes searched, without those of the endgame solver.
    own_nodes: u64,
    /// The node count at which the callback `stop`, which may end the search, is called next.
    ask_at: u64,
}

/// The buffers of one ply.
#[derive(Default)]
struct Ply {
    /// The principal variation from this ply on.
    line: Vec<AnyMove>,
    /// A buffer for the moves of a position.
    children: Vec<Child>,
    /// Killer moves, that is, moves that have caused a beta cutoff at this ply, the latest first. Unused entries are
    /// `None`.
    killers: [Option<AnyMove>; 2],
}

/// The result of a search of a position, for the side to move.
#[derive(Clone, Copy, Debug)]
struct NodeResult {
    score: i32,
    /// The number of plies from the root to the position on whose repetition the score depends. `usize::MAX` if it
    /// depends on no repetition.
    rests_on: usize,
}

impl NodeResult {
    fn firm(score: i32) -> NodeResult {
        NodeResult { score, rests_on: usize::MAX }
    }

    /// Returns the result from the other side's point of view.
    fn reversed(self) -> NodeResult {
        NodeResult { score: -self.score, ..self }
    }
}

/// A move and the position after it.
#[derive(Clone, Copy)]
struct Child {
    mv: AnyMove,
    position: AnyPosition,
    /// The fingerprint of the position; 0 for a leaf, and 0 until it is computed.
    key: u64,
    /// The index of the move among the moves of the position before the move, in the order in which they are generated.
    number: u16,
    /// The score for move ordering.
    order_score: i32,
}

/// The best move tried so far.
struct BestChild {
    best: NodeResult,
    /// The encoded move. The lower 16 bits are the index of the child, the upper 16 bits its [`part_of_key`].
    hint: u32,
}

/// Folds a key into the 16 bits that a hint stores. These bits distinguish a child from the child with the same index
/// in another position.
fn part_of_key(key: u64) -> u32 {
    u32::from((key ^ key >> 32) as u16 ^ (key >> 16) as u16)
}

/// The arguments of a search of one position. A result of at most `alpha` is an upper bound, a result of at least
/// `beta` is a lower bound.
#[derive(Clone, Copy)]
struct SearchArgs {
    key: u64,
    depth: u32,
    alpha: i32,
    beta: i32,
}

impl<'a> PvSearch<'a> {
    /// Creates the search tree of one thread. Its endgame solver takes at most `solver_bytes` bytes.
    pub fn new(
        session: &Session<'a>,
        evaluator: &'a dyn Evaluate<AnyGame>,
        table: &'a TranspositionTable<u64, PvEntry>,
        solver_bytes: usize,
    ) -> PvSearch<'a> {
        let endgame_solver = evaluator.endgame_solver(solver_bytes);
        PvSearch {
            game: session.game(),
            evaluator,
            root: *session.position(),
            drawing: session.drawing().map(|position| (session.game().side(position), *position)).collect(),
            table,
            endgame_solver,
            path: Vec::new(),
            plies: Vec::new(),
            best: None,
            keeps_lines: false,
            own_nodes: 0,
            ask_at: PATIENCE,
        }
    }

    /// Returns the number of nodes searched, including those of the endgame solver.
    pub fn nodes(&self) -> u64 {
        self.own_nodes + self.endgame_solver.as_ref().map_or(0, |endgame_solver| endgame_solver.nodes())
    }

    /// Returns the number of nodes searched, without those of the endgame solver.
    pub fn own_nodes(&self) -> u64 {
        self.own_nodes
    }

    /// Searches `depth` plies deep. `depth` must be at least 1. Returns false if the search was stopped.
    pub fn search(&mut self, depth: u32, stop: StopFn) -> bool {
        self.path.clear();
        self.plies.resize_with(depth as usize + 1, Ply::default);
        let root = self.root;
        let key = self.evaluator.fingerprint(&root);
        self.expand(&root, SearchArgs { key, depth, alpha: -INFINITE, beta: INFINITE }, stop).is_some()
    }

    /// Searches only these moves of the root, in this order, `depth` plies deep. `depth` must be at least 1. Forgets
    /// the best move of an earlier search. Principal variations are searched again where the transposition table has
    /// results without a line. Returns false if the search was stopped.
    pub fn search_moves(&mut self, depth: u32, moves: &[Candidate], stop: StopFn) -> bool {
        self.path.clear();
        self.plies.resize_with(depth as usize + 1, Ply::default);
        self.best = None;
        self.keeps_lines = true;
        let child = |(number, &Candidate { mv, position }): (usize, &Candidate)| Child {
            mv,
            position,
            key: 0,
            number: number as u16,
            order_score: 0,
        };
        let children: Vec<Child> = moves.iter().enumerate().map(child).collect();
        let key = self.evaluator.fingerprint(&self.root);
        let mut choice = BestChild { best: NodeResult::firm(-INFINITE), hint: 0 };
        self.path.push(self.root);
        self.try_each(&children, SearchArgs { key, depth, alpha: -INFINITE, beta: INFINITE }, &mut choice, stop)
            .is_some()
    }

    /// Returns the best score and principal variation of the root so far, or `None` if no move has been searched.
    pub fn best(&self) -> Option<(Score, Vec<AnyMove>)> {
        self.best.as_ref().map(|(score, line)| (as_score(*score), line.clone()))
    }

    /// Searches a position below the root. Returns `None` if the search is stopped.
    fn search_node(&mut self, position: &AnyPosition, question: SearchArgs, stop: StopFn) -> Option<NodeResult> {
        self.own_nodes += 1;
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
        let SearchArgs { key, depth, alpha, beta } = question;
        // An exact result of the transposition table has no line.
        let may_cut = depth > 0 && (beta == alpha + 1 || !self.keeps_lines);
        if may_cut && let Some(score) = self.table.get(key).and_then(|entry| usable(entry, ply, depth, alpha, beta)) {
            return Some(NodeResult::firm(score));
        }
        if let Some((bound, score)) = self.read_out(position)
            && (depth == 0 || settles(bound, score, alpha, beta))
        {
            return Some(NodeResult::firm(score));
        }
        if depth == 0 {
            return Some(NodeResult::firm(self.evaluator.evaluate(position).clamp(-LIMIT, LIMIT)));
        }
        self.expand(position, question, stop)
    }

    /// Returns the score of a terminal position or of a draw by repetition. Returns `None` for other positions.
    fn over(&self, position: &AnyPosition) -> Option<NodeResult> {
        let ply = self.path.len();
        if let Some(value) = self.game.terminal_value(position) {
            let plies = ply + value.plies().map_or(0, |plies| plies.0.into());
            return Some(NodeResult::firm(decided(value.outcome(), plies)));
        }
        if !self.game.is_cyclic() {
            return None;
        }
        if self.drawing.contains(&(self.game.side(position), *position)) {
            return Some(NodeResult::firm(0));
        }
        let same_side = (0..ply).rev().skip(1).step_by(2);
        let before = same_side.into_iter().find(|&at| self.path[at] == *position)?;
        Some(NodeResult { score: 0, rests_on: before })
    }

    /// Asks the endgame solver about a nonterminal position. Returns a score, and the kind of bound that this score is.
    /// Returns `None` if the solver does not solve the position.
    fn read_out(&mut self, position: &AnyPosition) -> Option<(Bound, i32)> {
        let (outcome, plies) = self.endgame_solver.as_mut()?.outcome(position)?;
        let bound = match outcome {
            Outcome::Win => Bound::Lower,
            Outcome::Draw => Bound::Exact,
            Outcome::Loss => Bound::Upper,
        };
        Some((bound, decided(outcome, self.path.len() + usize::from(plies.0))))
    }

    /// Searches the moves of a nonterminal position. Returns `None` if the search is stopped.
    fn expand(&mut self, position: &AnyPosition, question: SearchArgs, stop: StopFn) -> Option<NodeResult> {
        let ply = self.path.len();
        let mut choice = BestChild { best: NodeResult::firm(-INFINITE), hint: 0 };
        self.path.push(*position);
        let done = match question.depth {
            1 => self.try_leaves(position, question, &mut choice, stop),
            _ => self.try_all(position, question, &mut choice, stop),
        };
        self.path.pop();
        done?;
        let BestChild { best, hint } = choice;
        if best.rests_on < ply {
            return Some(best);
        }
        let SearchArgs { key, depth, alpha, beta } = question;
        let bound = if best.score >= beta {
            Bound::Lower
        } else if best.score > alpha {
            Bound::Exact
        } else {
            Bound::Upper
        };
        let score = counted_from_here(best.score, ply) as i16;
        self.table.put(key, PvEntry { score, depth: depth as u8, bound, hint });
        Some(NodeResult::firm(best.score))
    }

    /// Tries the moves of a position whose children are leaves, until one causes a beta cutoff. Tries them in the order
    /// in which they are generated. Returns `None` if the search is stopped.
    fn try_leaves(
        &mut self,
        position: &AnyPosition,
        question: SearchArgs,
        choice: &mut BestChild,
        stop: StopFn,
    ) -> Option<()> {
        let (evaluator, mut number, mut stopped) = (self.evaluator, 0, false);
        let _ = evaluator.children(position, &mut |mv, position| {
            let child = Child { mv, position, key: 0, number, order_score: 0 };
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

    /// Tries the move from the transposition table, then the killer moves, then all other moves by their `order_score`,
    /// until one causes a beta cutoff. Returns `None` if the search is stopped.
    fn try_all(
        &mut self,
        position: &AnyPosition,
        question: SearchArgs,
        choice: &mut BestChild,
        stop: StopFn,
    ) -> Option<()> {
        let ply = self.path.len() - 1;
        let mut children = std::mem::take(&mut self.plies[ply].children);
        children.clear();
        let _ = self.evaluator.children(position, &mut |mv, position| {
            children.push(Child { mv, position, key: 0, number: children.len() as u16, order_score: 0 });
            ControlFlow::Continue(())
        });
        let first = self.put_first(&mut children, question);
        let mut done = self.try_each(&children[..first], question, choice, stop);
        if done == Some(false) {
            let rest = &mut children[first..];
            for child in &mut *rest {
                child.order_score = self.order_score(&child.position);
            }
            rest.sort_by_key(|child| (Reverse(child.order_score), child.number));
            done = self.try_each(rest, question, choice, stop);
        }
        self.plies[ply].children = children;
        done.map(|_| ())
    }

    /// Moves the transposition table's move and then the killer moves to the front of `children`. Returns the number of
    /// moves brought to the front.
    fn put_first(&self, children: &mut [Child], question: SearchArgs) -> usize {
        let mut front = 0;
        if let Some(hint) = self.table.get(question.key).map(|entry| entry.hint)
            && let Some(child) = children.get(usize::from(hint as u16))
            && part_of_key(self.evaluator.fingerprint(&child.position)) == hint >> 16
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

    /// Tries moves in order, until one causes a beta cutoff. Returns true if one does, and `None` if the search is
    /// stopped.
    fn try_each(
        &mut self,
        children: &[Child],
        question: SearchArgs,
        choice: &mut BestChild,
        stop: StopFn,
    ) -> Option<bool> {
        for child in children {
            let key = self.evaluator.fingerprint(&child.position);
            if self.try_move(Child { key, ..*child }, question, choice, stop)? {
                return Some(true);
            }
        }
        Some(false)
    }

    /// Tries a move. Returns true if its score reaches `beta`, and `None` if the search is stopped.
    fn try_move(&mut self, child: Child, question: SearchArgs, choice: &mut BestChild, stop: StopFn) -> Option<bool> {
        let ply = self.path.len() - 1;
        let judged = self.search_child(&child, question, choice.best.score, stop)?;
        if judged.score > choice.best.score {
            // Leaves have the key 0, so later searches ignore hints of leaves. Computing the keys of leaves did not
            // make the search faster.
            *choice = BestChild { best: judged, hint: u32::from(child.number) | part_of_key(child.key) << 16 };
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

    /// Searches a child. `best` is the best score of its siblings so far. The first child and leaves are searched with
    /// the whole window, other children with a null window. If the score of such a child lies inside the whole window,
    /// the child is searched again with the whole window.
    fn search_child(&mut self, child: &Child, question: SearchArgs, best: i32, stop: StopFn) -> Option<NodeResult> {
        let floor = question.alpha.max(best);
        let whole = SearchArgs { key: child.key, depth: question.depth - 1, alpha: -question.beta, beta: -floor };
        if best > -INFINITE && question.depth > 1 && question.beta > floor + 1 {
            let judged = self.search_node(&child.position, SearchArgs { alpha: -floor - 1, ..whole }, stop)?.reversed();
            if judged.score <= floor || judged.score >= question.beta {
                return Some(judged);
            }
        }
        Some(self.search_node(&child.position, whole, stop)?.reversed())
    }

    /// Returns the score for ordering a move that leads to `position`. Moves with greater scores are tried first.
    pub fn order_score(&self, position: &AnyPosition) -> i32 {
        match self.game.terminal_value(position).map(Value::outcome) {
            Some(Outcome::Loss) => WIN,
            Some(Outcome::Draw) => 0,
            Some(Outcome::Win) => -WIN,
            None => -self.evaluator.evaluate(position),
        }
    }

    fn keep_killer(&mut self, ply: usize, mv: AnyMove) {
        let killers = &mut self.plies[ply].killers;
        if killers[0] != Some(mv) {
            *killers = [Some(mv), killers[0]];
        }
    }

    /// Sets the principal variation of a ply to the move, followed by the principal variation of the next ply.
    fn keep_line(&mut self, ply: usize, mv: AnyMove, score: i32) {
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
