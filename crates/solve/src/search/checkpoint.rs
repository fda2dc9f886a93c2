//! Checkpoints of searches.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::{Remembered, Search};
use crate::checkpoint::{self, Details, Header, Kept, Kind};
use yomikiri_rules::Game;
use yomikiri_table::TableError;

/// A folder for the checkpoints of the search of one position.
pub type Checkpoints = checkpoint::Checkpoints<OfSearch>;

/// A search that goes on.
pub type Resumed = checkpoint::Resumed<OfSearch>;

/// How far a search was.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Counts {
    /// Positions looked at, in all runs.
    pub nodes: u64,
}

impl Details for Counts {
    fn counts(&self) -> Vec<(&'static str, u64)> {
        vec![("nodes", self.nodes)]
    }

    fn work(&self) -> (u64, &'static str) {
        (self.nodes, "positions")
    }
}

/// Searches as checkpoints see them: entries are two words of the key, both bounds, two moves, and the logarithm of
/// their cost.
pub struct OfSearch;

impl Kind for OfSearch {
    const NAME: &'static str = "search";
    const MAGIC: [u8; 8] = *b"YOMISRCH";
    const VERSION: u16 = 1;

    type Details = Counts;
    type Entry = Remembered;
    type Numbers = [u64; 7];
    const WIDTHS: &'static [u32] = &[8, 8, 2, 2, 1, 1, 1];

    fn numbers(entry: &Remembered) -> [u64; 7] {
        let Remembered { key: [first, second], lower, upper, moves: [best, other], cost } = *entry;
        let bound = |score: i16| u64::from(score.cast_unsigned());
        [first, second, bound(lower), bound(upper), best.into(), other.into(), cost.into()]
    }

    fn entry([first, second, lower, upper, best, other, cost]: [u64; 7]) -> Result<Remembered, String> {
        if cost > 127 {
            return Err(format!("an entry of 2^{cost} nodes"));
        }
        let [lower, upper] = [lower, upper].map(|bits| (bits as u16).cast_signed());
        Ok(Remembered { key: [first, second], lower, upper, moves: [best as u8, other as u8], cost: cost as u8 })
    }

    fn rank(entry: &Remembered) -> usize {
        entry.cost.into()
    }
}

impl Checkpoints {
    /// Has a search remember what the newest file that can be read has of it, if there is any. An error if a file is
    /// of another search ([`TableError::Foreign`]), or if there are files, but none that can be read.
    pub fn resume<G: Game>(
        &mut self,
        game: &G,
        search: &dyn Search<G>,
        position: &G::Position,
    ) -> Result<Option<Resumed>, TableError> {
        let prepare = |counts: &Counts| search.make_room(position, counts.nodes);
        let take = |entry| search.remember(position, entry);
        self.read(game, position, search.keys(position), prepare, take)
    }

    /// Writes what a search remembers, while it goes on; `nodes` and `spent` are those of all runs. `None` if `go_on`,
    /// called many times a second, has returned false. The files are as they were unless all went well.
    pub fn keep<G: Game>(
        &mut self,
        game: &G,
        search: &dyn Search<G>,
        position: &G::Position,
        (nodes, spent): (u64, Duration),
        go_on: &mut dyn FnMut() -> bool,
    ) -> Result<Option<Kept>, TableError> {
        let header = Header::now(game, position, search.keys(position), spent, Counts { nodes });
        self.write(&header, || search.remembered(), go_on)
    }
}
