//! Tables in memory, for look-ups that would each open many blocks of the file.

use std::sync::atomic::AtomicU8;
use std::sync::atomic::Ordering::Relaxed;

use crate::Result;
use crate::resident_rows::ResidentRows;

use yomikiri_table::memory::Zeros;
use yomikiri_table::memory::prefetch;
use yomikiri_table::{IndexKind, Table, parallel};

/// The number of keys whose memory is prefetched before the first of them is looked up.
pub(crate) const FETCHED: usize = 32;

/// The number of keys that a thread looks up at a time.
pub(crate) const TAKEN: usize = 1 << 12;

/// The time at which the distance of an unlisted win is computed. An unlisted win is a won position that the table
/// leaves out. Its distance follows from the values of its children.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wins {
    /// While the table is read, for all wins. Each look-up is then a single read.
    All,
    /// When a key is first asked for; the result is kept. Reading the table then takes a quarter of the time.
    WhenAsked,
}

/// A table in memory. For a table that leaves out an outcome, it has a byte for each key of the game, including keys of
/// unlisted positions. For a table of tiers or occupancies, it has the contents of the blocks.
pub struct Resident(Form);

enum Form {
    Keys {
        /// Table bytes by key; 0 where there is no position.
        bytes: Zeros<AtomicU8>,
        /// The byte that marks unlisted keys that have not been looked up yet. The position of such a key is a win, or
        /// cannot arise. `None` if every byte is known.
        unknown: Option<u8>,
    },
    Rows(ResidentRows),
}

impl Resident {
    pub(crate) fn new(bytes: Zeros<u8>, unknown: Option<u8>) -> Resident {
        Resident(Form::Keys { bytes: bytes.into_shared(), unknown })
    }

    /// Reads a table of tiers or occupancies into memory. Returns `None` if the table is of another kind.
    pub(crate) fn of_rows(table: &Table) -> Result<Option<Resident>> {
        let is_of_rows = table.header.index_kind == IndexKind::Tiers;
        is_of_rows.then(|| ResidentRows::read(table).map(|rows| Resident(Form::Rows(rows)))).transpose()
    }

    /// Returns the table byte of a key, or 0 if the table does not have the key. Returns `None` if the byte is not
    /// known yet ([`Wins::WhenAsked`]).
    #[inline]
    pub fn byte(&self, key: u64) -> Option<u8> {
        match &self.0 {
            Form::Keys { bytes, unknown } => {
                let byte = bytes.get(key as usize).map_or(0, |cell| cell.load(Relaxed));
                if *unknown == Some(byte) { None } else { Some(byte) }
            }
            Form::Rows(rows) => Some(rows.byte(key)),
        }
    }

    /// Returns true if every look-up can be answered from this memory alone.
    pub fn is_whole(&self) -> bool {
        self.unknown().is_none()
    }

    /// Returns the table bytes of all keys, indexed by key, and the byte that marks keys whose value is not known yet.
    /// Returns `None` if every value is known.
    pub(crate) fn unknown(&self) -> Option<(&[AtomicU8], u8)> {
        match &self.0 {
            Form::Keys { bytes, unknown } => unknown.map(|unknown| (&bytes[..], unknown)),
            Form::Rows(_) => None,
        }
    }

    /// Returns the table byte of each key, in order. If the value of a key is not known yet, its byte is the one that
    /// [`Resident::unknown`] returns.
    pub(crate) fn bytes_of(&self, keys: &[u64]) -> Vec<u8> {
        let mut found = vec![0; keys.len()];
        parallel::each_part_mut(&mut found, TAKEN, |number, found| {
            let keys = &keys[number * TAKEN..][..found.len()];
            let bytes = match &self.0 {
                Form::Keys { bytes, .. } => bytes,
                Form::Rows(rows) => return rows.bytes_of(keys, found),
            };
            for (keys, found) in keys.chunks(FETCHED).zip(found.chunks_mut(FETCHED)) {
                keys.iter().filter_map(|&key| bytes.get(key as usize)).for_each(prefetch);
                let byte = |key: u64| bytes.get(key as usize).map_or(0, |cell| cell.load(Relaxed));
                keys.iter().zip(found).for_each(|(&key, found)| *found = byte(key));
            }
        });
        found
    }
}
