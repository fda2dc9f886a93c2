//! A table with its game, and the table in memory once that pays.

use std::ops::Range;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use yomikiri_rules::with_game;
use yomikiri_solve::lookup::bytes_of_keys;
use yomikiri_solve::{Resident, Result, Solvable, Wins};
use yomikiri_table::entries::Entries;
use yomikiri_table::{Header, IndexKind, Table, TableError};

use crate::game::Game;
use crate::users::Users;

/// So many keys take as long in the blocks of a file as in memory, the reading of the whole table included.
const PAYS: usize = 500_000;

/// An open table.
pub struct Held {
    pub game: Game,
    table: Arc<Table>,
    users: Users,
    /// Whether it may be read into memory.
    may_load: bool,
    /// Keys that have been asked for.
    asked: AtomicUsize,
    /// The table in memory, once it has been read.
    resident: Mutex<Option<Arc<Resident>>>,
    loading: Mutex<()>,
}

impl Held {
    pub fn new(game: Game, table: Table, may_load: bool) -> Held {
        let (asked, resident, loading) = (AtomicUsize::new(0), Mutex::default(), Mutex::default());
        Held { game, table: Arc::new(table), users: Users::default(), may_load, asked, resident, loading }
    }

    /// What its header says, where it lies.
    pub fn header(&self) -> &Header {
        &self.table.header
    }

    pub fn path(&self) -> &Path {
        self.table.path()
    }

    pub fn is_far(&self) -> bool {
        self.table.is_far()
    }

    /// Reads from the table. An error in a process that was forked while another thread did so.
    pub fn read<T, E: From<TableError>>(&self, read: impl FnOnce(&Arc<Table>) -> Result<T, E>) -> Result<T, E> {
        let _use = self.users.enter(self.path())?;
        read(&self.table)
    }

    /// Reads the table into memory unless it is there, with all wins that it leaves out; nothing happens if it is one of
    /// sorted keys.
    pub fn load_all(&self) -> Result<()> {
        self.read(|_| self.load(Wins::All).map(drop))
    }

    /// The table in memory, read unless it is there; nothing if it is one of sorted keys.
    fn load(&self, wins: Wins) -> Result<Option<Arc<Resident>>> {
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
        self.read(|_| self.bytes_of(keys))
    }

    fn bytes_of(&self, keys: &[u64]) -> Result<Vec<u8>> {
        let asked = self.asked.fetch_add(keys.len(), Ordering::Relaxed) + keys.len();
        let resident = match self.may_load && asked >= PAYS && self.leaves_out_wins() {
            true => self.load(Wins::WhenAsked)?,
            false => self.loaded(),
        };
        with_game!(&*self.game.rules, game => bytes_of_keys(game, &self.table, resident.as_deref(), keys))
    }

    /// The positions whose keys are in a range.
    pub fn entries(&self, range: Range<u64>) -> Result<Entries> {
        self.read(|table| {
            let resident = if self.leaves_out_wins() { self.load(Wins::All)? } else { None };
            with_game!(&*self.game.rules, game => game.entries(table, resident.as_deref(), range))
        })
    }
}
