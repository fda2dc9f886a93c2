//! Step 1 of a run: finds the positions that can arise from the start.

use std::cell::RefCell;
use std::collections::BTreeMap;

use super::steps::{FoundKeys, Keys, expand};
use super::{Cyclic, RunKeys, RunSet};
use crate::Result;
use crate::space::{Batch, EndedPositions, SharedSet, each_word};

use yomikiri_table::{Progress, parallel};

/// The positions that can arise from the start.
pub struct Reached {
    /// The undecided positions: those in which the rules do not decide the game at once ([`super::End`]).
    pub open: SharedSet,
    /// The number of undecided positions.
    pub positions: u64,
    /// The number of decided positions by table byte.
    pub ended: BTreeMap<u8, u64>,
}

/// The sets that the search fills.
struct Enumeration {
    open: SharedSet,
    /// The positions of `open` whose moves have been made.
    made: SharedSet,
    ended: EndedPositions,
}

/// A chunk, which is a range of keys, is expanded only if enough positions wait in it: at least `1 / WORTH` of the
/// largest number in any chunk.
const WORTH: u64 = 3;

/// Finds all positions that can arise from the start. Goes through the keys repeatedly, and each time expands positions
/// that were found before. The order does not matter, so a position can wait until its neighbours are found.
pub fn enumerate<G: Cyclic>(game: &G, progress: &dyn Progress) -> Result<Reached> {
    progress.begin("Step 1: enumerate", 0);
    let set = || SharedSet::new(game.open_keys().into());
    let search = Enumeration { open: set()?, made: set()?, ended: EndedPositions::new(game.keys().into())? };
    let start = game.start();
    if !game.is_terminal(&start) {
        search.open.insert(game.rank(&start));
    }
    let mut positions = 0;
    loop {
        // Chunks with few waiting positions are left for later, because neighbours share work if they are expanded
        // together.
        let count = |chunk: usize| search.open.count_unseen(&search.made, chunk as u64);
        let waiting = parallel::map(search.open.chunks() as usize, count);
        let most = waiting.iter().max().copied().unwrap_or(0);
        if most == 0 {
            break;
        }
        let enough = (most / WORTH).max(1);
        let chunks: Vec<u64> =
            (0..).zip(waiting).filter(|&(_, count)| count >= enough).map(|(chunk, _)| chunk).collect();
        positions += parallel::reduce(chunks.len(), |at| search.expand(game, chunks[at], progress), |a, b| a + b);
    }
    let ended = search.ended.counts();
    progress.end(&format!("{positions} positions, {} more in which the game is over", ended.values().sum::<u64>()));
    Ok(Reached { open: search.open, positions, ended })
}

/// The positions of a chunk of keys that wait to be expanded: those in the first set, but not in the second set. The
/// number is the index of the chunk. [`Keys::each`] adds the positions that it visits to the second set.
struct Waiting<'a>(&'a SharedSet, &'a SharedSet, u64);

impl Keys for Waiting<'_> {
    #[inline]
    fn each(&self, visit: impl FnMut(u64)) {
        self.0.visit_unseen(self.1, self.2, visit);
    }
}

impl Enumeration {
    /// Makes the moves of the positions that wait in a chunk, and adds the children to `open` or `ended`. Returns the
    /// number of positions expanded.
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
                FoundKeys::One(key) => {
                    self.open.prefetch(key.into());
                    open.push(key, &mut add);
                }
                FoundKeys::Run(RunKeys { first, set }) => {
                    self.open.prefetch(first);
                    opens.push((first, *set), &mut add_all);
                }
            },
            |found, byte| match found {
                FoundKeys::One(key) => {
                    self.ended.prefetch(key.into());
                    ended.push((key, byte), &mut note);
                }
                FoundKeys::Run(RunKeys { first, set }) => {
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
