//! Step 2: what every position is worth, wave by wave.

use std::ops::ControlFlow;

use rayon::prelude::*;

use super::batch::Batch;
use super::reach::Reached;
use super::{Child, Cyclic};
use crate::progress::Progress;
use crate::space::{CHUNK, SharedSet};
use crate::value::{Outcome, Value};

/// Bytes by key while waves run: no such position, not decided yet, else the table byte.
const ABSENT: u8 = 0;

/// Everything the waves know.
pub struct Waves {
    /// Table byte of every key, 0 where there is no position.
    pub bytes: Vec<u8>,
    /// Positions without a value so far.
    undecided: SharedSet,
    /// Positions that the side to move wins.
    won: SharedSet,
    /// Positions decided in the last wave, and in the next.
    last: SharedSet,
    next: SharedSet,
    /// Positions to look at again.
    again: SharedSet,
    /// Plies to the end of the last wave's positions.
    plies: u16,
}

/// Values everything reached.
pub fn solve<G: Cyclic>(game: &G, reached: Reached, progress: &dyn Progress) -> Vec<u8> {
    let keys = u64::from(game.open_keys());
    let set = || SharedSet::new(keys);
    let draw = G::Value::of(Outcome::Draw, 0).to_byte();
    let mut bytes = vec![ABSENT; keys as usize];
    bytes.par_chunks_mut(CHUNK as usize).enumerate().for_each(|(chunk, bytes)| {
        reached.open.visit_chunk(chunk as u64, |key| bytes[(key % CHUNK) as usize] = draw);
    });
    let mut waves =
        Waves { bytes, undecided: reached.open, won: set(), last: set(), next: set(), again: set(), plies: 0 };
    let time = std::time::Instant::now();
    let mut ended = waves.ended(game);
    eprintln!("ended {:?}", time.elapsed());
    progress.begin("Step 2: solve", reached.positions);
    loop {
        let here = waves.plies + 1;
        let t = std::time::Instant::now();
        for (outcome, plies, set) in &ended {
            if *plies == here {
                waves.join(*outcome, set);
            }
        }
        ended.retain(|(_, plies, _)| *plies > here);
        let count = waves.settle::<G>();
        progress.advance(count);
        if count == 0 && ended.is_empty() {
            break;
        }
        waves.lose_parents(game);
        let t2 = t.elapsed();
        waves.win_parents(game);
        if t.elapsed().as_millis() > 20 {
            eprintln!("{here}: {count} {:?} {:?}", t2, t.elapsed());
        }
    }
    progress.end("done");
    waves.bytes
}

/// Positions that ends of the game decide by themselves, with their distance.
type Ended = Vec<(Outcome, u16, SharedSet)>;

impl Waves {
    /// Finds the positions whose value follows from moves that end the game at once.
    fn ended<G: Cyclic>(&self, game: &G) -> Ended {
        let keys = self.bytes.len() as u64;
        let kinds = [Outcome::Win, Outcome::Loss].into_iter().flat_map(|outcome| [1, 2].map(|plies| (outcome, plies)));
        let found: Ended = kinds.map(|(outcome, plies)| (outcome, plies, SharedSet::new(keys))).collect();
        (0..self.undecided.chunks()).into_par_iter().for_each(|chunk| {
            self.undecided.visit_chunk(chunk, |key| {
                if let Some((outcome, plies)) = game.ended_value(&game.board(key as u32)) {
                    let set =
                        found.iter().find(|(kind, distance, _)| *kind == outcome && *distance == u16::from(plies));
                    set.expect("games end within two plies").2.insert(key);
                }
            });
        });
        found
    }

    /// Adds positions found from the ends to the next wave, unless an earlier one had them.
    fn join(&self, outcome: Outcome, set: &SharedSet) {
        (0..set.chunks()).into_par_iter().for_each(|chunk| {
            set.visit_chunk(chunk, |key| {
                if self.undecided.remove(key) {
                    self.next.insert(key);
                    if outcome == Outcome::Win {
                        self.won.insert(key);
                    }
                }
            });
        });
    }

    /// Makes the next wave the last one and writes its values; returns how many positions it has.
    fn settle<G: Cyclic>(&mut self) -> u64 {
        self.plies += 1;
        self.last.clear();
        std::mem::swap(&mut self.last, &mut self.next);
        let (last, won, plies) = (&self.last, &self.won, self.plies);
        let chunks = self.bytes.par_chunks_mut(CHUNK as usize).enumerate();
        let write = |(chunk, bytes): (usize, &mut [u8])| {
            let mut count = 0;
            last.visit_chunk(chunk as u64, |key| {
                let outcome = if won.contains(key) { Outcome::Win } else { Outcome::Loss };
                bytes[(key % CHUNK) as usize] = G::Value::of(outcome, plies).to_byte();
                count += 1;
            });
            count
        };
        chunks.map(write).sum()
    }

    /// Positions with a move to a win of the last wave that have no other moves left are lost.
    fn lose_parents<G: Cyclic>(&self, game: &G) {
        self.each_of_last(game, true, |key| {
            if self.undecided.contains(key) {
                self.again.insert(key);
            }
        });
        (0..self.again.chunks()).into_par_iter().for_each(|chunk| {
            self.again.visit_chunk(chunk, |key| {
                if self.is_lost(game, key as u32) && self.undecided.remove(key) {
                    self.next.insert(key);
                }
            });
        });
        self.again.clear();
    }

    /// Whether all moves lead to positions known to be won by the other side.
    fn is_lost<G: Cyclic>(&self, game: &G, key: u32) -> bool {
        let all = game.children(&game.board(key), |child| {
            let lost = match child {
                Child::Open(key) => self.won.contains(key.into()),
                Child::Over(outcome, _) => outcome == Outcome::Win,
            };
            if lost { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        });
        all.is_continue()
    }

    /// Positions with a move to a loss of the last wave are won.
    fn win_parents<G: Cyclic>(&self, game: &G) {
        self.each_of_last(game, false, |key| {
            if self.undecided.remove(key) {
                self.next.insert(key);
                self.won.insert(key);
            }
        });
    }

    /// Calls `visit` with the parents of the won, or of the lost, positions of the last wave.
    fn each_of_last<G: Cyclic>(&self, game: &G, won: bool, visit: impl Fn(u64) + Sync) {
        (0..self.last.chunks()).into_par_iter().for_each(|chunk| {
            let mut batch = Batch::of(&self.undecided);
            self.last.visit_chunk(chunk, |key| {
                if self.won.contains(key) == won {
                    let _ = game.parents(&game.board(key as u32), |parent| {
                        batch.push(parent, |key| visit(key.into()));
                        ControlFlow::Continue(())
                    });
                }
            });
            batch.flush(|key| visit(key.into()));
        });
    }
}
