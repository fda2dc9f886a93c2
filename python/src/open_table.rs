//! A table with its game. A table that leaves out wins is read into memory after many look-ups, because look-ups in
//! memory are faster.

use std::ops::Range;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use yomikiri_solve::lookup::bytes_of_keys;
use yomikiri_solve::{Resident, Result, Solvable, Wins};
use yomikiri_table::entries::Entries;
use yomikiri_table::{Header, IndexKind, Table, TableError};

use crate::game::Game;
use crate::users::CallCount;

/// A table that leaves out wins is read into memory when this number of keys has been looked up. Further look-ups are
/// then faster.
const PAYS: usize = 500_000;

/// An open table.
pub struct OpenTable {
    pub game: Game,
    table: Arc<Table>,
    users: CallCount,
    /// True if look-ups may read the table into memory.
    may_load: bool,
    /// The number of keys looked up so far.
    asked: AtomicUsize,
    /// The table in memory, once it has been read.
    resident: Mutex<Option<Arc<Resident>>>,
    loading: Mutex<()>,
}

impl OpenTable {
    pub fn new(game: Game, table: Table, may_load: bool) -> OpenTable {
        let (asked, resident, loading) = (AtomicUsize::new(0), Mutex::default(), Mutex::default());
        OpenTable { game, table: Arc::new(table), users: CallCount::default(), may_load, asked, resident, loading }
    }

    /// Returns the header of the table.
    pub fn header(&self) -> &Header {
        &self.table.header
    }

    pub fn path(&self) -> &Path {
        self.table.path()
    }

    pub fn is_remote(&self) -> bool {
        self.table.is_remote()
    }

    /// Runs `read` with the table. Returns an error in a process that was forked while another thread used the table.
    pub fn read<T, E: From<TableError>>(&self, read: impl FnOnce(&Arc<Table>) -> Result<T, E>) -> Result<T, E> {
        let _use = self.users.enter(self.path())?;
        read(&self.table)
    }

    /// Reads the table into memory, if it is not there yet, and finds all wins that the table leaves out. Does nothing
    /// for a table of sorted keys, in which a look-up needs only one block anyway.
    pub fn load_all(&self) -> Result<()> {
        self.read(|_| self.load(Wins::All).map(drop))
    }

    /// Returns the table in memory, and reads it first if necessary. Returns `None` for a table of sorted keys, in
    /// which a look-up needs only one block anyway. `wins` says when the wins that the table leaves out are found.
    fn load(&self, wins: Wins) -> Result<Option<Arc<Resident>>> {
        let _loading = self.loading.lock().unwrap_or_else(PoisonError::into_inner);
        let loaded = self.loaded().filter(|resident| wins == Wins::WhenAsked || resident.is_whole());
        if loaded.is_some() {
            return Ok(loaded);
        }
        let resident = self.game.rules.load(&self.table, wins)?.map(Arc::new);
        self.resident.lock().unwrap_or_else(PoisonError::into_inner).clone_from(&resident);
        Ok(resident)
    }

    fn loaded(&self) -> Option<Arc<Resident>> {
        self.resident.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Returns true if the table leaves out won positions. Their values follow from the values of their children, which
    /// may be anywhere in the table.
    fn leaves_out_wins(&self) -> bool {
        self.table.header.index_kind == IndexKind::UnlistedWins
    }

    /// Returns a table byte for each key, in the order of `keys`, which need not be sorted. If the game is over in a
    /// position, its byte comes from the rules. If neither the table nor the rules give a value, the byte is 0.
    pub fn bytes(&self, keys: &[u64]) -> Result<Vec<u8>> {
        self.read(|_| self.bytes_of(keys))
    }

    fn bytes_of(&self, keys: &[u64]) -> Result<Vec<u8>> {
        let asked = self.asked.fetch_add(keys.len(), Ordering::Relaxed) + keys.len();
        let resident = match self.may_load && asked >= PAYS && self.leaves_out_wins() {
            true => self.load(Wins::WhenAsked)?,
            false => self.loaded(),
        };
        bytes_of_keys(&*self.game.rules, &self.table, resident.as_deref(), keys)
    }

    /// Returns the keys in `range` that have positions in the table, in ascending order, with their table bytes.
    pub fn entries(&self, range: Range<u64>) -> Result<Entries> {
        self.read(|table| {
            let resident = if self.leaves_out_wins() { self.load(Wins::All)? } else { None };
            self.game.rules.entries(table, resident.as_deref(), range)
        })
    }
}
