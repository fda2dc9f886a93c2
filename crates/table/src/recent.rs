//! What was inflated last: whoever asks for one position asks for its neighbours next.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::Result;

/// How many pieces are kept: some megabyte of a table that leaves an outcome out.
const KEPT: usize = 256;

/// The pieces that were inflated last, with the key that each begins with.
pub struct Recent<T>(Mutex<Ring<T>>);

struct Ring<T> {
    keys: Vec<u64>,
    pieces: Vec<Arc<T>>,
    /// The oldest, once all places are taken.
    oldest: usize,
}

impl<T> Recent<T> {
    pub fn new() -> Recent<T> {
        Recent(Mutex::new(Ring { keys: Vec::new(), pieces: Vec::new(), oldest: 0 }))
    }

    /// The piece that begins with a key; `inflate` makes it if it is not there.
    pub fn get(&self, key: u64, inflate: impl FnOnce() -> Result<T>) -> Result<Arc<T>> {
        if let Some(piece) = self.ring().find(key) {
            return Ok(piece);
        }
        let piece = Arc::new(inflate()?);
        self.ring().keep(key, &piece);
        Ok(piece)
    }

    fn ring(&self) -> MutexGuard<'_, Ring<T>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<T> Ring<T> {
    fn find(&self, key: u64) -> Option<Arc<T>> {
        let at = self.keys.iter().position(|&kept| kept == key)?;
        Some(self.pieces[at].clone())
    }

    fn keep(&mut self, key: u64, piece: &Arc<T>) {
        if self.keys.len() < KEPT {
            self.keys.push(key);
            self.pieces.push(piece.clone());
            return;
        }
        (self.keys[self.oldest], self.pieces[self.oldest]) = (key, piece.clone());
        self.oldest = (self.oldest + 1) % KEPT;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::TableError;
    use std::path::Path;

    #[test]
    fn what_was_inflated_last_is_not_inflated_again() {
        let recent = Recent::new();
        let mut inflated = 0;
        let mut get = |key: u64| {
            let piece = recent.get(key, || {
                inflated += 1;
                Ok(key)
            });
            assert_eq!(*piece.unwrap(), key);
            inflated
        };
        assert_eq!([7, 7, 8, 7, 8].map(&mut get), [1, 1, 2, 2, 2]);
        assert_eq!((100..100 + KEPT as u64 - 2).map(&mut get).last(), Some(KEPT));
        assert_eq!([7, 8, 1, 8, 7].map(&mut get), [KEPT, KEPT, KEPT + 1, KEPT + 1, KEPT + 2]);
        let failed = recent.get(3, || Err(TableError::damaged(Path::new("x"), "is bad")));
        assert!(failed.is_err());
        assert_eq!(get(3), KEPT + 3);
    }
}
