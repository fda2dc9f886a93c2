//! A table in memory, for look-ups that would open many blocks each.

use std::sync::atomic::AtomicU8;
use std::sync::atomic::Ordering::Relaxed;

use rayon::prelude::*;

use crate::Result;
use crate::memory::Zeros;
use crate::resident_rows::ResidentRows;
use crate::space::prefetch;
use yomikiri_table::{IndexKind, Table};

/// Keys that are asked for before the first of them is looked at.
pub(crate) const FETCHED: usize = 32;

/// Keys that a thread takes at a time.
pub(crate) const TAKEN: usize = 1 << 12;

/// How soon wins come that a table leaves out follows from what their moves lead to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wins {
    /// It is found for all of them while the table is read, so that a look-up is one read.
    All,
    /// It is found for each that is asked for, and kept. The table is read in a quarter of the time.
    WhenAsked,
}

/// A table in memory: of those that leave a common outcome out a byte for each key of the game, those that the file
/// leaves out too; of tables of rows what their blocks hold.
pub struct Resident(Form);

enum Form {
    Keys {
        /// By key: its table byte; 0 where there is no position.
        bytes: Zeros<AtomicU8>,
        /// The byte of keys of which nobody has asked what they are: wins, or no position that can arise.
        unknown: Option<u8>,
    },
    Rows(ResidentRows),
}

impl Resident {
    pub(crate) fn new(bytes: Zeros<u8>, unknown: Option<u8>) -> Resident {
        Resident(Form::Keys { bytes: bytes.into_shared(), unknown })
    }

    /// A table of tiers, or of occupancies; `None` if it is of another kind.
    pub(crate) fn of_rows(table: &Table) -> Result<Option<Resident>> {
        let is_of_rows = table.header.index_kind == IndexKind::Tiers;
        is_of_rows.then(|| ResidentRows::read(table).map(|rows| Resident(Form::Rows(rows)))).transpose()
    }

    /// The table byte of a key, 0 if the table does not have it; `None` if it has not been found out ([`Wins`]).
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

    /// Whether a look-up of any key needs nothing but this memory.
    pub fn is_whole(&self) -> bool {
        self.unknown().is_none()
    }

    /// Cells that may still be unknown, and the byte that says so.
    pub(crate) fn unknown(&self) -> Option<(&[AtomicU8], u8)> {
        match &self.0 {
            Form::Keys { bytes, unknown } => unknown.map(|unknown| (&bytes[..], unknown)),
            Form::Rows(_) => None,
        }
    }

    /// The bytes of many keys as they are known.
    pub(crate) fn bytes_of(&self, keys: &[u64]) -> Vec<u8> {
        let mut found = vec![0; keys.len()];
        keys.par_chunks(TAKEN).zip(found.par_chunks_mut(TAKEN)).for_each(|(keys, found)| {
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
