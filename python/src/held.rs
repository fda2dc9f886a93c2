//! A table with its game, and the table in memory once that pays.

use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use rayon::prelude::*;
use yomikiri_rules::{Value, with_game};
use yomikiri_solve::{Resident, Result, Solvable, Wins};
use yomikiri_table::entries::Entries;
use yomikiri_table::{IndexKind, Table, TableError};

use crate::game::Game;

/// So many keys take as long in the blocks of a file as in memory, the reading of the whole table included.
const PAYS: usize = 500_000;

/// Keys looked up at a time, which bounds what is kept beside them.
const TOGETHER: usize = 1 << 24;

/// An open table.
pub struct Held {
    pub game: Game,
    pub table: Arc<Table>,
    /// Whether it may be read into memory.
    pub may_load: bool,
    /// Keys that have been asked for.
    asked: AtomicUsize,
    /// The table in memory, once it has been read.
    resident: Mutex<Option<Arc<Resident>>>,
    loading: Mutex<()>,
}

impl Held {
    pub fn new(game: Game, table: Table, may_load: bool) -> Held {
        let (asked, resident, loading) = (AtomicUsize::new(0), Mutex::default(), Mutex::default());
        Held { game, table: Arc::new(table), may_load, asked, resident, loading }
    }

    /// The table in memory, read unless it is there; nothing if it is one of sorted keys.
    pub fn load(&self, wins: Wins) -> Result<Option<Arc<Resident>>> {
        let _loading = self.loading.lock().unwrap_or_else(PoisonError::into_inner);
        let loaded = self.loaded().filter(|resident| wins == Wins::WhenAsked || resident.is_whole());
        if loaded.is_some() {
            return Ok(loaded);
        }
        let resident = with_game!(&*self.game.rules, game => game.load(&self.table, wins))?.map(Arc::new);
        self.resident.lock().unwrap_or_else(PoisonError::into_inner).clone_from(&resident);
        Ok(resident)
    }

    fn loaded(&self) -> Option<Arc<Resident>> {
        self.resident.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Whether values that the table leaves out follow from others anywhere in it.
    fn leaves_out_wins(&self) -> bool {
        self.table.header.index_kind == IndexKind::RestWins
    }

    /// The table bytes of keys in any order: of positions that are over by the rules, 0 where there is neither.
    pub fn bytes(&self, keys: &[u64]) -> Result<Vec<u8>> {
        let asked = self.asked.fetch_add(keys.len(), Ordering::Relaxed) + keys.len();
        let resident = match self.may_load && asked >= PAYS && self.leaves_out_wins() {
            true => self.load(Wins::WhenAsked)?,
            false => self.loaded(),
        };
        with_game!(&*self.game.rules, game => bytes_of(game, &self.table, resident.as_deref(), keys))
    }

    /// The positions whose keys are in a range.
    pub fn entries(&self, range: Range<u64>) -> Result<Entries> {
        let resident = if self.leaves_out_wins() { self.load(Wins::All)? } else { None };
        with_game!(&*self.game.rules, game => game.entries(&self.table, resident.as_deref(), range))
    }
}

fn bytes_of<G: Solvable>(game: &G, table: &Table, resident: Option<&Resident>, keys: &[u64]) -> Result<Vec<u8>> {
    let mut bytes = vec![0; keys.len()];
    for (keys, bytes) in keys.chunks(TOGETHER).zip(bytes.chunks_mut(TOGETHER)) {
        look_up(game, table, resident, keys, bytes)?;
    }
    let by_rules = |(byte, &key): (&mut u8, &u64)| {
        let position = game.unrank(key).filter(|position| game.is_terminal(position));
        *byte = position.and_then(|position| game.terminal_value(&position)).map_or(0, Value::to_byte);
    };
    bytes.par_iter_mut().zip(keys).filter(|(byte, _)| **byte == 0).for_each(by_rules);
    Ok(bytes)
}

/// Sorts the keys, looks them up, and puts what is found where they were.
fn look_up<G: Solvable>(
    game: &G,
    table: &Table,
    resident: Option<&Resident>,
    keys: &[u64],
    bytes: &mut [u8],
) -> Result<(), TableError> {
    let mut places: Vec<(u64, u32)> = keys.iter().copied().zip(0..).collect();
    places.par_sort_unstable();
    let sorted: Vec<u64> = places.par_iter().map(|&(key, _)| key).collect();
    let found = game.probe_all(table, resident, &sorted)?;
    places.iter().zip(found).for_each(|(&(_, place), byte)| bytes[place as usize] = byte);
    Ok(())
}
