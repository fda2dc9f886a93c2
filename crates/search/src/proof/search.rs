//! Df-pn on one thread.

use std::ops::ControlFlow;
use std::sync::atomic::Ordering;

use super::game::{ProofGame, SolveEndgame};
use super::numbers::{INFINITE, ProofNumbers};
use super::prover::{ENDGAME_WORK, Prover};
use super::recent::Recent;

/// The inverse of epsilon in the 1 + epsilon trick: a child is searched until its disproof number exceeds that of the
/// second best child by one twentieth.
const INVERSE_EPSILON: u32 = 20;

/// A position after a move. The numbers are from the view of the side to move in `position`.
#[derive(Clone, Copy)]
struct Child<C> {
    position: C,
    key: u64,
    numbers: ProofNumbers,
}

/// The search of one thread.
pub struct Worker<'a, P: ProofGame> {
    prover: &'a Prover<P>,
    /// The index of the thread.
    number: usize,
    endgame: P::Endgame,
    /// A cache of the children of recently searched positions.
    recent: Recent<Child<P::Position>>,
    /// The work so far, in expansions. An endgame counts as [`ENDGAME_WORK`].
    work: u64,
    endgames: u64,
    /// The work, the number of endgames and the number of endgame nodes at the last report. The counts of the prover
    /// already include them.
    reported: [u64; 3],
    /// The work at which the search stops, in expansions.
    limit: u64,
    /// The number of free entries of the table that the search may still use. When it is 0, the search stops so that
    /// the table can grow.
    room: u64,
}

/// The error of a search that stopped without a result: it was told to stop, or has reached its limit of work or of
/// table entries.
pub struct Stopped;

/// The numbers of a position, from the view of the side to move.
type ProofResult = Result<ProofNumbers, Stopped>;

impl<'a, P: ProofGame> Worker<'a, P> {
    /// Creates the search of the thread with this index. It may use its share of the free entries of the table.
    pub fn new(prover: &'a Prover<P>, number: usize) -> Worker<'a, P> {
        let (endgame, recent, room) = (prover.game.endgame(), Recent::new(), prover.room_of_each_thread());
        Worker { prover, number, endgame, recent, work: 0, endgames: 0, reported: [0; 3], limit: u64::MAX, room }
    }

    /// Makes the search stop after this amount of further work, in expansions.
    pub fn set_slice(&mut self, work: u64) {
        self.limit = self.work.saturating_add(work);
    }

    /// Makes the search stop once it has used this number of free entries of the table.
    pub fn set_room(&mut self, room: u64) {
        self.room = room;
    }

    /// Returns true if the search stopped because the table has to grow.
    pub fn needs_room(&self) -> bool {
        self.room == 0
    }

    /// The work so far, in expansions. An endgame counts as [`ENDGAME_WORK`].
    pub fn work(&self) -> u64 {
        self.work
    }

    /// Searches a position until one of its numbers reaches its threshold. Thresholds and result are from the view of
    /// the side to move. The position must have no [`ProofGame::terminal_value`].
    pub fn search(&mut self, position: &P::Position, thresholds: ProofNumbers) -> ProofResult {
        let game = &self.prover.game;
        let key = game.proof_key(&game.reduced(position));
        self.visit(position, key, thresholds, 0)
    }

    /// Searches a position and stores its numbers in the table.
    fn visit(&mut self, position: &P::Position, key: u64, thresholds: ProofNumbers, depth: usize) -> ProofResult {
        self.report()?;
        let place = self.prover.path(self.number, depth);
        place.store(key, Ordering::Relaxed);
        let before = self.work;
        let found = self.evaluate(position, key, thresholds, depth);
        place.store(u64::MAX, Ordering::Relaxed);
        let numbers = found?;
        if let Some(wins) = numbers.mover_wins() {
            self.learn(position, wins);
        }
        self.store(key, numbers, before);
        Ok(numbers)
    }

    /// Stores the numbers of a position. `before` is the work when the search of the position began.
    fn store(&mut self, key: u64, numbers: ProofNumbers, before: u64) {
        let was_free = self.prover.table.put(key, numbers, self.work - before);
        self.room = self.room.saturating_sub(was_free.into());
    }

    fn evaluate(&mut self, position: &P::Position, key: u64, thresholds: ProofNumbers, depth: usize) -> ProofResult {
        if self.prover.is_endgame(position) {
            return self.solve_endgame(position);
        }
        let before = self.work;
        let children = self.recent.take(key).map(|children| self.seen_again(position, children));
        let mut children = match children.map_or_else(|| self.expand(position), Ok) {
            Err(numbers) => return Ok(numbers),
            Ok(children) => children,
        };
        let numbers = self.deepen(&mut children, key, thresholds, depth, before)?;
        if numbers.mover_wins().is_none() {
            self.recent.keep(key, children);
        }
        Ok(numbers)
    }

    /// Updates the numbers of a position's children from the table, when the position is searched again.
    fn seen_again(&self, position: &P::Position, mut children: Vec<Child<P::Position>>) -> Vec<Child<P::Position>> {
        let Prover { game, table, .. } = self.prover;
        let mover = game.side(position).other();
        children.iter().for_each(|child| table.prefetch(child.key));
        for child in &mut children {
            child.numbers = table.get(child.key, mover).unwrap_or(child.numbers);
        }
        children
    }

    /// Multiple iterative deepening: searches the best child again and again until the numbers of the position reach a
    /// threshold.
    fn deepen(
        &mut self,
        children: &mut Vec<Child<P::Position>>,
        key: u64,
        thresholds: ProofNumbers,
        depth: usize,
        before: u64,
    ) -> ProofResult {
        loop {
            children.retain(|child| child.numbers.pn > 0);
            let numbers = ProofNumbers::of_children(children.iter().map(|child| child.numbers));
            if numbers.pn >= thresholds.pn || numbers.dn >= thresholds.dn {
                return Ok(numbers);
            }
            let (best, second) = self.select(children, depth + 1);
            let Child { position, key: child_key, numbers: of_best } = children[best];
            if let Some(numbers) = self.shared_numbers(&children[best]) {
                children[best].numbers = numbers;
                continue;
            }
            let others = numbers.dn.saturating_sub(of_best.pn);
            let of_child = ProofNumbers {
                pn: thresholds.dn.saturating_sub(others).max(of_best.pn + 1),
                dn: thresholds.pn.min(second.saturating_add(1 + second / INVERSE_EPSILON)).max(of_best.dn + 1),
            };
            let result = self.visit(&position, child_key, of_child, depth + 1);
            if result.is_err() {
                self.store(key, numbers, before);
            }
            children[best].numbers = result?;
        }
    }

    /// Returns the numbers that the table has for a child if another thread has changed them, so that they differ from
    /// the numbers in `child`. Otherwise returns `None`.
    fn shared_numbers(&self, child: &Child<P::Position>) -> Option<ProofNumbers> {
        let mover = self.prover.game.side(&child.position);
        let found = || self.prover.table.get(child.key, mover).filter(|&numbers| numbers != child.numbers);
        (self.prover.threads() > 1).then(found).flatten()
    }

    /// Returns the index of the child with the least disproof number, and the least disproof number of the others. A
    /// child on the path of another thread counts with its virtual disproof number, about one and a half times its own.
    /// This keeps threads apart.
    fn select(&self, children: &[Child<P::Position>], depth: usize) -> (usize, u32) {
        let (mut best, mut second, mut at) = (u32::MAX, INFINITE, 0);
        for (number, child) in children.iter().enumerate() {
            let is_taken = self.prover.is_on_other_path(self.number, depth, child.key);
            let dn = child.numbers.dn + if is_taken { 1 + child.numbers.dn / 2 } else { 0 };
            if dn < best {
                (second, best, at) = (best.min(INFINITE), dn, number);
            } else {
                second = second.min(dn);
            }
        }
        (at, second)
    }

    /// Tells the game the winner of a solved position, so that it can improve its priors of other positions
    /// ([`ProofGame::learn`]). The winner is the side to move if `wins` is true, else the other side.
    fn learn(&self, position: &P::Position, wins: bool) {
        let game = &self.prover.game;
        let mover = game.side(position);
        game.learn(&game.reduced(position), if wins { mover } else { mover.other() });
    }

    /// Solves a position near the end without proof numbers.
    fn solve_endgame(&mut self, position: &P::Position) -> ProofResult {
        let Prover { game, halt, .. } = self.prover;
        let wins = self.endgame.wins(game, position, &mut |_| halt.load(Ordering::Relaxed)).ok_or(Stopped)?;
        self.work += ENDGAME_WORK;
        self.endgames += 1;
        Ok(ProofNumbers::solved(wins))
    }

    /// Makes the children of a position, one for each distinct key. If the position turns out to be solved, returns its
    /// numbers as the error.
    fn expand(&mut self, position: &P::Position) -> Result<Vec<Child<P::Position>>, ProofNumbers> {
        self.work += 1;
        let Prover { game, table, .. } = self.prover;
        let mover = game.side(position);
        let (mut open, mut stuck) = (Vec::new(), true);
        let won = game.successors(position, |_, position| {
            stuck = false;
            match game.terminal_value(&position) {
                Some(winner) if winner == mover => return ControlFlow::Break(()),
                Some(_) => {}
                None => {
                    let reduced = game.reduced(&position);
                    let key = game.proof_key(&reduced);
                    table.prefetch(key);
                    open.push((key, position, reduced));
                }
            }
            ControlFlow::Continue(())
        });
        if won.is_break() {
            return Err(ProofNumbers::WIN);
        }
        if stuck {
            return Err(ProofNumbers::solved(game.stuck_value(position) == mover));
        }
        open.sort_unstable_by_key(|&(key, ..)| key);
        open.dedup_by_key(|&mut (key, ..)| key);
        let mut children = Vec::with_capacity(open.len());
        for (key, position, reduced) in open {
            let numbers = self.prover.numbers(&reduced, key);
            if numbers.dn == 0 {
                return Err(ProofNumbers::WIN);
            }
            children.push(Child { position, key, numbers });
        }
        Ok(children)
    }

    /// Adds the work since the last report to the counts of the prover. Returns an error if the search has to stop.
    fn report(&mut self) -> Result<(), Stopped> {
        let now = [self.work, self.endgames, self.endgame.nodes()];
        self.prover.count(self.number, std::array::from_fn(|at| now[at] - self.reported[at]));
        self.reported = now;
        let Prover { halt, waiting, .. } = self.prover;
        let is_told = || halt.load(Ordering::Relaxed) || waiting.load(Ordering::Relaxed) > 0;
        if self.work >= self.limit || self.needs_room() || is_told() { Err(Stopped) } else { Ok(()) }
    }
}
