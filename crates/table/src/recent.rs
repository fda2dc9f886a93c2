//! What was inflated last: whoever asks for one position asks for its neighbours next.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::Result;
use crate::format::Block;

/// How many pieces are kept: some megabyte of a table that leaves an outcome out.
const KEPT: usize = 256;

/// The pieces that were inflated last, with the key that each begins with and the block that it comes from.
pub struct Recent<T>(Mutex<Ring<T>>);

struct Ring<T> {
    keys: Vec<u64>,
    pieces: Vec<(Block, Arc<T>)>,
    /// The oldest, once all places are taken.
    oldest: usize,
}

impl<T> Recent<T> {
    pub fn new() -> Recent<T> {
        Recent(Mutex::new(Ring { keys: Vec::new(), pieces: Vec::new(), oldest: 0 }))
    }

    /// The piece of `block` that begins with a key. Calls `inflate` to make it if it is not kept.
    pub fn get(&self, key: u64, block: &Block, inflate: impl FnOnce() -> Result<T>) -> Result<Arc<T>> {
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
    /// The keys alone are searched; the whole entry of the block has to be the same, too.
    fn find(&self, key: u64, block: &Block) -> Option<Arc<T>> {
        let at = self.keys.iter().position(|&kept| kept == key)?;
        let (of, piece) = &self.pieces[at];
        (of == block).then(|| piece.clone())
    }

    fn keep(&mut self, key: u64, piece: (Block, Arc<T>)) {
        if self.keys.len() < KEPT {
            self.keys.push(key);
            self.pieces.push(piece);
            return;
        }
        (self.keys[self.oldest], self.pieces[self.oldest]) = (key, piece);
        self.oldest = (self.oldest + 1) % KEPT;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::TableError;
    use crate::format::Packed;
    use std::path::Path;

    fn block(key: u64) -> Block {
        Block { key, rows: 1, begins: false, packed: Packed { offset: 136, length: 9, plain: 8, hash: 7 } }
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
        assert_eq!((100..100 + KEPT as u64 - 2).map(&mut get).last(), Some(KEPT));
        assert_eq!([7, 8, 1, 8, 7].map(&mut get), [KEPT, KEPT, KEPT + 1, KEPT + 1, KEPT + 2]);
        let failed = recent.get(3, &block(3), || Err(TableError::damaged(Path::new("x"), "is bad")));
        assert!(failed.is_err());
        assert_eq!(get(3), KEPT + 3);
    }

    #[test]
    fn a_block_with_another_entry_is_another_block() {
        let (recent, one) = (Recent::new(), block(7));
        let others = [Block { rows: 2, ..one }, Block { packed: Packed { length: 8, ..one.packed }, ..one }];
        assert_eq!(*recent.get(7, &one, || Ok(0)).unwrap(), 0);
        for (other, number) in others.iter().zip(1..) {
            assert_eq!(*recent.get(7, other, || Ok(number)).unwrap(), number);
            assert_eq!(*recent.get(7, &one, || panic!("it is kept")).unwrap(), 0);
        }
    }
}
