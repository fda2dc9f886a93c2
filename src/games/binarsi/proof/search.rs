//! The search of one thread.

use std::ops::ControlFlow;
use std::sync::atomic::Ordering;

use super::place;
use super::prover::{Numbers, Prover, READER_BYTES};
use super::table::ENDLESS;
use crate::games::binarsi::kernel::{CompactPosition, EndgameSolver};
use crate::value::Side;

/// How far past the second best place the search goes on before it turns to that: a tenth.
const SLACK: u32 = 10;

/// What a position read out counts for, in expansions.
pub const READING: u64 = 4;

/// A place that a move leads to.
#[derive(Clone, Copy)]
struct Child {
    field: CompactPosition,
    key: u64,
    numbers: Numbers,
}

/// One thread's part of a proof.
pub struct Worker<'a> {
    prover: &'a Prover,
    /// The worker's number among the threads.
    number: usize,
    reader: EndgameSolver,
    /// Expansions and readings so far.
    work: u64,
    told: [u64; 3],
    readings: u64,
}

/// That the search was told to stop.
pub struct Stopped;

impl<'a> Worker<'a> {
    pub fn new(prover: &'a Prover, number: usize) -> Worker<'a> {
        let reader = EndgameSolver::new(&prover.game.rules, READER_BYTES);
        Worker { prover, number, reader, work: 0, readings: 0, told: [0; 3] }
    }

    /// Searches until the numbers of a place reach one of the bounds; `bounds` and what is returned are of the side to move.
    pub fn search(&mut self, field: &CompactPosition, bounds: Numbers) -> Result<Numbers, Stopped> {
        let key = place::key(&self.prover.game, field);
        self.go(field, key, bounds, 0)
    }

    fn go(&mut self, field: &CompactPosition, key: u64, bounds: Numbers, depth: usize) -> Result<Numbers, Stopped> {
        self.tell()?;
        let path = &self.prover.paths[self.number][depth];
        path.store(key, Ordering::Relaxed);
        let before = self.work;
        let found = self.look(field, key, bounds, depth);
        path.store(u64::MAX, Ordering::Relaxed);
        let numbers = found?;
        if let Some(wins) = numbers.decided() {
            self.teach(field, wins);
        }
        self.prover.table.put(key, numbers, self.work - before);
        Ok(numbers)
    }

    fn look(&mut self, field: &CompactPosition, key: u64, bounds: Numbers, depth: usize) -> Result<Numbers, Stopped> {
        if self.prover.is_near(field) {
            return self.read_out(field);
        }
        let before = self.work;
        match self.children(field) {
            Err(numbers) => Ok(numbers),
            Ok(mut children) => self.improve(&mut children, key, bounds, depth, before),
        }
    }

    /// Works on the places that moves lead to until the numbers reach a bound.
    fn improve(
        &mut self,
        children: &mut Vec<Child>,
        key: u64,
        bounds: Numbers,
        depth: usize,
        before: u64,
    ) -> Result<Numbers, Stopped> {
        loop {
            children.retain(|child| child.numbers.wins > 0);
            let numbers = of_moves(children.iter().map(|child| child.numbers));
            if numbers.wins >= bounds.wins || numbers.loses >= bounds.loses {
                return Ok(numbers);
            }
            let (at, second) = self.nearest(children, depth + 1);
            let Child { field, key: place, numbers: of_best } = children[at];
            if let Some(numbers) = self.news(&children[at]) {
                children[at].numbers = numbers;
                continue;
            }
            let others = numbers.loses.saturating_sub(of_best.wins);
            let below = Numbers {
                wins: bounds.loses.saturating_sub(others).max(of_best.wins + 1),
                loses: bounds.wins.min(second.saturating_add(1 + second / SLACK)).max(of_best.loses + 1),
            };
            let result = self.go(&field, place, below, depth + 1);
            if result.is_err() {
                self.prover.table.put(key, numbers, self.work - before);
            }
            children[at].numbers = result?;
        }
    }

    /// What other threads have found out about a place meanwhile.
    fn news(&self, child: &Child) -> Option<Numbers> {
        let mover = Side::at_ply(child.field.ply());
        let found = || self.prover.table.get(child.key, mover).filter(|&numbers| numbers != child.numbers);
        (self.prover.paths.len() > 1).then(found).flatten()
    }

    /// The place where the opponent is nearest to its loss, and how near the next one is. Places where another thread works
    /// are put back a little.
    fn nearest(&self, children: &[Child], depth: usize) -> (usize, u32) {
        let (mut best, mut second, mut at) = (u32::MAX, ENDLESS, 0);
        for (place, child) in children.iter().enumerate() {
            let busy = self.prover.is_busy(self.number, depth, child.key);
            let loses = child.numbers.loses + if busy { 1 + child.numbers.loses / 2 } else { 0 };
            if loses < best {
                (second, best, at) = (best.min(ENDLESS), loses, place);
            } else {
                second = second.min(loses);
            }
        }
        (at, second)
    }

    /// Has the guess learn who wins, the side to move or not.
    fn teach(&self, field: &CompactPosition, wins: bool) {
        let (game, mover) = (&self.prover.game, Side::at_ply(field.ply()));
        let winner = if wins { mover } else { mover.other() };
        self.prover.guess.learn(&game.successors.lines, &place::normal(game, field), winner);
    }

    /// Reads a position near the end out.
    fn read_out(&mut self, field: &CompactPosition) -> Result<Numbers, Stopped> {
        let (mover, rest) = (Side::at_ply(field.ply()), self.reader.plies_left(field));
        let halt = &self.prover.halt;
        let wins = self.reader.wins(field, mover, rest, &mut |_| halt.load(Ordering::Relaxed)).ok_or(Stopped)?;
        self.work += READING;
        self.readings += 1;
        Ok(Numbers::of_winner(wins))
    }

    /// The places after all moves, each once; an error is the numbers of a position that is decided at once.
    fn children(&mut self, field: &CompactPosition) -> Result<Vec<Child>, Numbers> {
        self.work += 1;
        let prover = self.prover;
        let mover = Side::at_ply(field.ply());
        let (mut open, mut stuck) = (Vec::new(), true);
        let won = prover.game.successors.each(field, |successor| {
            stuck = false;
            let field = successor.position;
            match field.by_targets(&prover.game.rules) {
                Some(winner) if winner == mover => return ControlFlow::Break(()),
                Some(_) => {}
                None => {
                    let normal = place::normal(&prover.game, &field);
                    let key = place::key_of_normal(&prover.game, &normal);
                    prover.table.prefetch(key);
                    open.push((key, field, normal));
                }
            }
            ControlFlow::Continue(())
        });
        if won.is_break() {
            return Err(Numbers::of_winner(true));
        }
        if stuck {
            return Err(Numbers::of_winner(field.counted(&prover.game.rules) == mover));
        }
        open.sort_unstable_by_key(|&(key, ..)| key);
        open.dedup_by_key(|&mut (key, ..)| key);
        let mut children = Vec::with_capacity(open.len());
        for (key, field, normal) in open {
            let numbers = prover.numbers(&normal, key);
            if numbers.loses == 0 {
                return Err(Numbers::of_winner(true));
            }
            children.push(Child { field, key, numbers });
        }
        Ok(children)
    }

    /// Tells how much was done since the last time; an error if the search is to stop.
    fn tell(&mut self) -> Result<(), Stopped> {
        let now = [self.work, self.readings, self.reader.nodes];
        for (at, total) in self.prover.done.iter().enumerate() {
            total.fetch_add(now[at] - self.told[at], Ordering::Relaxed);
        }
        self.told = now;
        if self.prover.halt.load(Ordering::Relaxed) { Err(Stopped) } else { Ok(()) }
    }
}

/// The numbers of a position by those of the places after its moves, none of which is won for the opponent. To win, the nearest one
/// has to be shown to lose; to lose, all of them to win.
pub fn of_moves(places: impl Iterator<Item = Numbers> + Clone) -> Numbers {
    let Some(wins) = places.clone().map(|numbers| numbers.loses).min() else { return Numbers::of_winner(false) };
    if wins == 0 {
        return Numbers::of_winner(true);
    }
    let loses: u64 = places.map(|numbers| u64::from(numbers.wins)).sum();
    Numbers { wins: wins.min(ENDLESS - 1), loses: loses.min(u64::from(ENDLESS - 1)) as u32 }
}
