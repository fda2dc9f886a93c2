//! Checkpoints of searches for exact values.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::{Search, SearchEntry};
use crate::checkpoint::{self, Header, Kind, ProgressCounts, SavedCheckpoint};
use yomikiri_rules::Notation;
use yomikiri_table::TableError;

/// A folder for the checkpoints of the search of one position.
pub type Checkpoints = checkpoint::Checkpoints<SearchKind>;

/// The result of resuming a search from a checkpoint.
pub type Resumed = checkpoint::Resumed<SearchKind>;

/// The progress of a search.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SearchCounts {
    /// The number of nodes searched in all runs.
    pub nodes: u64,
}

/// The effort of a search in all runs.
#[derive(Clone, Copy, Debug)]
pub struct SearchTotals {
    /// The number of nodes searched.
    pub nodes: u64,
    /// The time spent.
    pub spent: Duration,
}

impl ProgressCounts for SearchCounts {
    fn counts(&self) -> Vec<(&'static str, u64)> {
        vec![("nodes", self.nodes)]
    }

    fn work(&self) -> (u64, &'static str) {
        (self.nodes, "positions")
    }
}

/// The checkpoint format of searches. An entry consists of the two words of its key, both bounds, two moves, and the
/// base-2 logarithm of its cost.
pub struct SearchKind;

impl Kind for SearchKind {
    const NAME: &'static str = "search";
    const MAGIC: [u8; 8] = *b"YOMISRCH";
    const VERSION: u16 = 1;

    type Counts = SearchCounts;
    type Entry = SearchEntry;
    type Numbers = [u64; 7];
    const WIDTHS: &'static [u32] = &[8, 8, 2, 2, 1, 1, 1];

    fn numbers(entry: &SearchEntry) -> [u64; 7] {
        let SearchEntry { key: [first, second], lower, upper, moves: [best, other], cost } = *entry;
        let bound = |score: i16| u64::from(score.cast_unsigned());
        [first, second, bound(lower), bound(upper), best.into(), other.into(), cost.into()]
    }

    fn entry([first, second, lower, upper, best, other, cost]: [u64; 7]) -> Result<SearchEntry, String> {
        if cost > 127 {
            return Err(format!("an entry has a cost of 2^{cost} nodes; the most is 2^127"));
        }
        let [lower, upper] = [lower, upper].map(|bits| (bits as u16).cast_signed());
        Ok(SearchEntry { key: [first, second], lower, upper, moves: [best as u8, other as u8], cost: cost as u8 })
    }

    fn priority(entry: &SearchEntry) -> usize {
        entry.cost.into()
    }
}

impl Checkpoints {
    /// Restores the entries of the newest readable file into the search. Returns `None` if there are no checkpoint
    /// files.
    ///
    /// # Errors
    ///
    /// [`TableError::Foreign`] if a file belongs to another search. Another error if there are files, but none can be
    /// read.
    pub fn resume<G: Notation>(
        &mut self,
        game: &G,
        search: &dyn Search<G>,
        position: &G::Position,
    ) -> Result<Option<Resumed>, TableError> {
        let mismatch = |header: &Header<SearchCounts>| header.mismatch(game, position, search.keys(position), false);
        let prepare = |counts: &SearchCounts| search.make_room(position, counts.nodes);
        self.read(&mismatch, &prepare, &mut |entry| search.restore(position, entry))
    }

    /// Writes the entries of a search while it runs. `go_on` is called many times a second; when it returns false, the
    /// write stops and the result is `None`. Existing files stay as they are unless the write succeeds.
    pub fn keep<G: Notation>(
        &mut self,
        game: &G,
        search: &dyn Search<G>,
        position: &G::Position,
        totals: SearchTotals,
        go_on: &mut dyn FnMut() -> bool,
    ) -> Result<Option<SavedCheckpoint>, TableError> {
        let SearchTotals { nodes, spent } = totals;
        let header = Header::now(game, position, search.keys(position), spent, SearchCounts { nodes });
        self.write(&header, &|| search.entries(), go_on)
    }
}
