//! Step 2: what every position is worth, wave by wave.

use std::ops::ControlFlow;

use rayon::prelude::*;

use super::batch::Batch;
use super::{Complete, Cyclic};
use crate::SolveError;
use crate::space::{CHUNK, SharedSet};
use yomikiri_rules::value::{Outcome, Timed, Value};
use yomikiri_table::progress::Progress;

/// Everything the waves know.
pub struct Waves {
    /// Table byte of every key: 0 where there is no position, the draw's where there is no other value yet.
    pub bytes: Vec<u8>,
    /// Plies to the end of the last wave's positions.
    pub plies: u16,
    /// Positions without a value so far.
    undecided: SharedSet,
    /// Positions that the side to move wins.
    won: SharedSet,
    /// Positions decided in the last wave, and in the next.
    last: SharedSet,
    next: SharedSet,
    /// Positions to look at again.
    again: SharedSet,
    /// What ends of the game decide in later waves.
    ended: EndedSets,
}

/// Values everything `open`; the table byte of every key, 0 where there is no position. `keep` is called between waves
/// and may save what is known; [`Waves::resume`] goes on from there.
pub fn solve<G: Cyclic>(
    game: &G,
    mut waves: Waves,
    progress: &dyn Progress,
    mut keep: impl FnMut(&Waves) -> Result<(), SolveError>,
) -> Result<Vec<u8>, SolveError> {
    progress.begin("Step 2: solve", waves.undecided.count());
    loop {
        let here = waves.plies + 1;
        waves.join_ended(here);
        if here > G::Value::MOST_PLIES && waves.next.count() > 0 {
            return Err(SolveError::TooLarge(format!(
                "some games of {} take {here} plies, more than a table holds",
                game.code()
            )));
        }
        let count = waves.settle::<G>();
        progress.advance(count);
        if count == 0 && waves.ended.is_empty() {
            break;
        }
        waves.expand(game);
        if waves.ended.is_empty() {
            keep(&waves)?;
        }
    }
    progress.end(&format!("{} plies at most, {} draws", waves.plies - 1, waves.undecided.count()));
    Ok(waves.bytes)
}

/// Positions that ends of the game decide by themselves, with their distance.
type EndedSets = Vec<(Outcome, u16, SharedSet)>;

impl Waves {
    /// Bytes of memory that the waves over so many keys take.
    pub fn memory(keys: u64) -> u64 {
        // Two more sets hold what ends of the game decide.
        keys + 7 * SharedSet::memory(keys)
    }

    /// The same if there are no such sets, because ends are the first wave.
    pub fn memory_for_all(keys: u64) -> u64 {
        keys + 5 * SharedSet::memory(keys)
    }

    /// Nothing known but what there is, and what moves that end the game say.
    pub fn new<G: Cyclic>(game: &G, open: SharedSet) -> Waves {
        let mut waves = Waves::open(game, open);
        waves.ended = waves.find_ended(game);
        waves
    }

    /// All positions, decided ones too: the first wave is next.
    pub fn from_ends<G: Complete>(game: &G) -> Waves {
        let ends = game.ends();
        let open = SharedSet::full(game.open_keys().into());
        ends.iter().for_each(|&(key, _)| {
            open.remove(key.into());
        });
        let waves = Waves::open(game, open);
        for &(key, outcome) in &ends {
            waves.last.insert(key.into());
            if outcome == Outcome::Win {
                waves.won.insert(key.into());
            }
        }
        waves.expand(game);
        waves
    }

    fn open<G: Cyclic>(game: &G, open: SharedSet) -> Waves {
        let keys = game.open_keys().into();
        let draw = G::Value::of(Outcome::Draw, 0).to_byte();
        let mut bytes = vec![0; keys as usize];
        bytes.par_chunks_mut(CHUNK as usize).enumerate().for_each(|(chunk, bytes)| {
            open.visit_chunk(chunk as u64, |key| bytes[(key % CHUNK) as usize] = draw);
        });
        let set = || SharedSet::new(keys);
        let ended = Vec::new();
        Waves { bytes, plies: 0, undecided: open, won: set(), last: set(), next: set(), again: set(), ended }
    }

    /// What `keep` was called with: the bytes and the plies of the last wave. The next wave is in the bytes too.
    pub fn resume<G: Cyclic>(bytes: Vec<u8>, plies: u16) -> Waves {
        let keys = bytes.len() as u64;
        let set = || SharedSet::new(keys);
        let (undecided, won, last, next, again) = (set(), set(), set(), set(), set());
        let waves = Waves { bytes, plies, undecided, won, last, next, again, ended: Vec::new() };
        waves.bytes.par_chunks(CHUNK as usize).enumerate().for_each(|(chunk, bytes)| {
            for (key, &byte) in (chunk as u64 * CHUNK..).zip(bytes) {
                let Some(value) = G::Value::from_byte(byte) else { continue };
                match value.outcome() {
                    Outcome::Draw => waves.undecided.insert(key),
                    Outcome::Win => waves.won.insert(key),
                    Outcome::Loss => false,
                };
                if value.plies().is_some_and(|distance| distance.0 > plies) {
                    waves.next.insert(key);
                }
            }
        });
        waves
    }

    /// The bytes with those of the next wave, to [`Waves::resume`] from.
    pub fn bytes_with_next<G: Cyclic>(&self) -> impl Fn(u64) -> u8 + Sync + '_ {
        move |key| {
            if !self.next.contains(key) {
                return self.bytes[key as usize];
            }
            let outcome = if self.won.contains(key) { Outcome::Win } else { Outcome::Loss };
            G::Value::of(outcome, self.plies + 1).to_byte()
        }
    }

    /// Finds the positions whose value follows from moves that end the game at once.
    fn find_ended<G: Cyclic>(&self, game: &G) -> EndedSets {
        let keys = self.bytes.len() as u64;
        let kinds = [Outcome::Win, Outcome::Loss].into_iter().flat_map(|outcome| [1, 2].map(|plies| (outcome, plies)));
        let found: EndedSets = kinds.map(|(outcome, plies)| (outcome, plies, SharedSet::new(keys))).collect();
        (0..self.undecided.chunks()).into_par_iter().for_each(|chunk| {
            let mut block = G::Block::default();
            self.undecided.visit_chunk(chunk, |key| {
                if let Some((outcome, plies)) = game.ended_value(&game.board(key as u32, &mut block)) {
                    let set =
                        found.iter().find(|(kind, distance, _)| *kind == outcome && *distance == u16::from(plies));
                    set.expect("games end within two plies").2.insert(key);
                }
            });
        });
        found
    }

    /// Adds what ends of the game decide in `plies` to the next wave.
    fn join_ended(&mut self, plies: u16) {
        self.ended.iter().filter(|(_, here, _)| *here == plies).for_each(|(outcome, _, set)| self.join(*outcome, set));
        self.ended.retain(|(_, here, _)| *here > plies);
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

    /// Finds the next wave from the last one.
    fn expand<G: Cyclic>(&self, game: &G) {
        self.lose_parents(game);
        self.win_parents(game);
    }

    /// Positions with a move to a win of the last wave that have no other moves left are lost.
    fn lose_parents<G: Cyclic>(&self, game: &G) {
        self.each_of_last(game, true, |key| {
            if self.undecided.contains(key) {
                self.again.insert(key);
            }
        });
        (0..self.again.chunks()).into_par_iter().for_each(|chunk| {
            let mut block = G::Block::default();
            self.again.visit_chunk(chunk, |key| {
                if self.is_lost(game, &game.board(key as u32, &mut block)) && self.undecided.remove(key) {
                    self.next.insert(key);
                }
            });
        });
        self.again.clear();
    }

    /// Whether all moves lead to positions known to be won by the other side.
    fn is_lost<G: Cyclic>(&self, game: &G, board: &G::Board) -> bool {
        let all = game.children(board, |child, over| {
            let lost = match over {
                None => self.won.contains(game.key_of(child).into()),
                Some((outcome, _)) => outcome == Outcome::Win,
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
            let (mut batch, mut block) = (Batch::new(), G::Block::default());
            self.last.visit_chunk(chunk, |key| {
                if self.won.contains(key) == won {
                    let _ = game.parents(&game.board(key as u32, &mut block), |parent| {
                        self.undecided.prefetch(parent.into());
                        batch.push(parent, |key: u32| visit(key.into()));
                        ControlFlow::Continue(())
                    });
                }
            });
            batch.flush(|key| visit(key.into()));
        });
    }
}
