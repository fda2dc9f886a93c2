//! A cache of inflated pieces of blocks: look-ups of neighbouring keys often follow each other. A piece is a number of
//! consecutive rows of one block.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::Result;
use crate::format::BlockEntry;

/// Maximum number of inflated pieces in the cache. For a table that leaves out an outcome, such as wins, a full cache
/// takes about a megabyte.
const KEPT_PIECES: usize = 256;

/// The most recently inflated pieces of blocks, each with its first key and the index entry of its block. A piece is a
/// number of consecutive rows.
pub struct Recent<T>(Mutex<Ring<T>>);

struct Ring<T> {
    keys: Vec<u64>,
    pieces: Vec<(BlockEntry, Arc<T>)>,
    /// Index of the oldest piece once the cache is full, with [`KEPT_PIECES`] pieces.
    oldest: usize,
}

impl<T> Recent<T> {
    pub fn new() -> Recent<T> {
        Recent(Mutex::new(Ring { keys: Vec::new(), pieces: Vec::new(), oldest: 0 }))
    }

    /// Returns the inflated piece of `block` whose first key is `key`. If the cache does not have it, calls `inflate`
    /// to make it.
    pub fn get(&self, key: u64, block: &BlockEntry, inflate: impl FnOnce() -> Result<T>) -> Result<Arc<T>> {
        if let Some(piece) = self.ring().find(key, block) {
            return Ok(piece);
        }
        let piece = Arc::new(inflate()?);
        self.ring().keep(key, (*block, piece.clone()));
        Ok(piece)
    }

    fn ring(&self) -> MutexGuard<'_, Ring<T>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<T> Ring<T> {
    /// Returns the cached piece whose first key is `key`, if its block has the same index entry as `block`. Otherwise
    /// returns `None`.
    fn find(&self, key: u64, block: &BlockEntry) -> Option<Arc<T>> {
        let at = self.keys.iter().position(|&kept| kept == key)?;
        let (of, piece) = &self.pieces[at];
        (of == block).then(|| piece.clone())
    }

    fn keep(&mut self, key: u64, piece: (BlockEntry, Arc<T>)) {
        if self.keys.len() < KEPT_PIECES {
            self.keys.push(key);
            self.pieces.push(piece);
            return;
        }
        (self.keys[self.oldest], self.pieces[self.oldest]) = (key, piece);
        self.oldest = (self.oldest + 1) % KEPT_PIECES;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::TableError;
    use crate::format::BlockPlace;
    use std::path::Path;

    fn block(key: u64) -> BlockEntry {
        BlockEntry {
            key,
            rows: 1,
            starts_section: false,
            packed: BlockPlace { offset: 136, length: 9, plain: 8, hash: 7 },
        }
    }

    #[test]
    fn what_was_inflated_last_is_not_inflated_again() {
        let recent = Recent::new();
        let mut inflated = 0;
        let mut get = |key: u64| {
            let piece = recent.get(key, &block(key), || {
                inflated += 1;
                Ok(key)
            });
            assert_eq!(*piece.unwrap(), key);
            inflated
        };
        assert_eq!([7, 7, 8, 7, 8].map(&mut get), [1, 1, 2, 2, 2]);
        assert_eq!((100..100 + KEPT_PIECES as u64 - 2).map(&mut get).last(), Some(KEPT_PIECES));
        assert_eq!(
            [7, 8, 1, 8, 7].map(&mut get),
            [KEPT_PIECES, KEPT_PIECES, KEPT_PIECES + 1, KEPT_PIECES + 1, KEPT_PIECES + 2]
        );
        let failed = recent.get(3, &block(3), || Err(TableError::damaged(Path::new("x"), "is bad")));
        assert!(failed.is_err());
        assert_eq!(get(3), KEPT_PIECES + 3);
    }

    #[test]
    fn a_block_with_another_entry_is_another_block() {
        let (recent, one) = (Recent::new(), block(7));
        let others =
            [BlockEntry { rows: 2, ..one }, BlockEntry { packed: BlockPlace { length: 8, ..one.packed }, ..one }];
        assert_eq!(*recent.get(7, &one, || Ok(0)).unwrap(), 0);
        for (other, number) in others.iter().zip(1..) {
            assert_eq!(*recent.get(7, other, || Ok(number)).unwrap(), number);
            assert_eq!(*recent.get(7, &one, || panic!("it is kept")).unwrap(), 0);
        }
    }
}
