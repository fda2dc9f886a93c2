//! Step 1: which positions can arise.

use std::cell::RefCell;
use std::collections::BTreeMap;

use rayon::prelude::*;

use super::steps::{Found, Keys, expand};
use super::{Cyclic, RunSet};
use crate::Result;
use crate::space::{Batch, Ended, SharedSet, each_word};
use yomikiri_table::Progress;

/// What can arise from the start.
pub struct Reached {
    /// Undecided positions.
    pub open: SharedSet,
    pub positions: u64,
    /// Number of decided positions by table byte.
    pub ended: BTreeMap<u8, u64>,
}

/// The sets that the search fills.
struct Search {
    open: SharedSet,
    /// Those of `open` whose moves have been made.
    made: SharedSet,
    ended: Ended,
}

/// A chunk is gone through if so many times what waits in it is as much as in any other.
const WORTH: u64 = 3;

/// Finds everything that can arise from the start: all keys are gone through again and again, and what has been found
/// and not been looked at is. In which order does not matter, and neighbours wait for each other.
pub fn enumerate<G: Cyclic>(game: &G, progress: &dyn Progress) -> Result<Reached> {
    progress.begin("Step 1: enumerate", 0);
    let set = || SharedSet::new(game.open_keys().into());
    let search = Search { open: set()?, made: set()?, ended: Ended::new(game.keys().into())? };
    let start = game.start();
    if !game.is_terminal(&start) {
        search.open.insert(game.rank(&start));
    }
    let mut positions = 0;
    loop {
        // Where little waits it may as well wait for more: neighbours have moves in common.
        let count = |chunk| search.open.count_unseen(&search.made, chunk);
        let waiting: Vec<u64> = (0..search.open.chunks()).into_par_iter().map(count).collect();
        let most = waiting.iter().max().copied().unwrap_or(0);
        if most == 0 {
            break;
        }
        let enough = (most / WORTH).max(1);
        let chunks = waiting.into_par_iter().enumerate().filter(|&(_, count)| count >= enough);
        positions += chunks.map(|(chunk, _)| search.expand(game, chunk as u64, progress)).sum::<u64>();
    }
    let ended = search.ended.counts();
    progress.end(&format!("{positions} positions, {} more in which the game is over", ended.values().sum::<u64>()));
    Ok(Reached { open: search.open, positions, ended })
}

/// What waits in a chunk of a set, which is then in the other.
struct Waiting<'a>(&'a SharedSet, &'a SharedSet, u64);

impl Keys for Waiting<'_> {
    #[inline]
    fn each(&self, visit: impl FnMut(u64)) {
        self.0.visit_unseen(self.1, self.2, visit);
    }
}

impl Search {
    /// Makes the moves of what waits in a chunk and adds the children to `open`; returns how many positions that were.
    fn expand<G: Cyclic>(&self, game: &G, chunk: u64, progress: &dyn Progress) -> u64 {
        let mut add = |key: G::Key| _ = self.open.insert(key.into());
        let mut add_all = |(first, set): (u64, RunSet)| {
            each_word(first, &set, |word, bits| _ = self.open.insert_word(word, bits));
        };
        let over = RefCell::new([0; 256]);
        let mut note = |(key, byte): (G::Key, u8)| self.ended.note(key.into(), byte, &mut over.borrow_mut());
        let mut note_all = |(first, set, byte): (u64, RunSet, u8)| {
            self.ended.note_all(first, &set, byte, &mut over.borrow_mut());
        };
        let (mut open, mut opens, mut ended, mut ends) = (Batch::new(), Batch::new(), Batch::new(), Batch::new());
        let expanded = expand(
            game,
            &Waiting(&self.open, &self.made, chunk),
            |found| match found {
                Found::One(key) => {
                    self.open.prefetch(key.into());
                    open.push(key, &mut add);
                }
                Found::Run(first, set) => {
                    self.open.prefetch(first);
                    opens.push((first, *set), &mut add_all);
                }
            },
            |found, byte| match found {
                Found::One(key) => {
                    self.ended.prefetch(key.into());
                    ended.push((key, byte), &mut note);
                }
                Found::Run(first, set) => {
                    self.ended.prefetch(first);
                    ends.push((first, *set, byte), &mut note_all);
                }
            },
        );
        open.flush(&mut add);
        opens.flush(&mut add_all);
        ended.flush(&mut note);
        ends.flush(&mut note_all);
        self.ended.add(&over.borrow());
        progress.advance(expanded);
        expanded
    }
}
