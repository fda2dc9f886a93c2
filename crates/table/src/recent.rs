//! Rows that were inflated last: whoever asks for one position asks for its neighbours next.

use std::sync::{Arc, Mutex, PoisonError};

use crate::Result;
use crate::reader::Rows;

/// How many pieces are kept: some megabyte at most of tables that leave an outcome out.
const KEPT: usize = 256;

/// The pieces that were inflated last, with the key that each begins with.
#[derive(Default)]
pub struct Recent(Mutex<Ring>);

#[derive(Default)]
struct Ring {
    keys: Vec<u64>,
    rows: Vec<Arc<Rows>>,
    /// The oldest, once all places are taken.
    oldest: usize,
}

impl Recent {
    /// The rows that begin with a key; `inflate` makes them if they are not there.
    pub fn get(&self, key: u64, inflate: impl FnOnce() -> Result<Rows>) -> Result<Arc<Rows>> {
        if let Some(rows) = self.with_ring(|ring| ring.find(key)) {
            return Ok(rows);
        }
        let rows = Arc::new(inflate()?);
        self.with_ring(|ring| ring.keep(key, &rows));
        Ok(rows)
    }

    fn with_ring<T>(&self, act: impl FnOnce(&mut Ring) -> T) -> T {
        act(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Ring {
    fn find(&self, key: u64) -> Option<Arc<Rows>> {
        let at = self.keys.iter().position(|&kept| kept == key)?;
        Some(self.rows[at].clone())
    }

    fn keep(&mut self, key: u64, rows: &Arc<Rows>) {
        if self.keys.len() < KEPT {
            self.keys.push(key);
            self.rows.push(rows.clone());
            return;
        }
        (self.keys[self.oldest], self.rows[self.oldest]) = (key, rows.clone());
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
        let recent = Recent::default();
        let mut inflated = 0;
        let mut get = |key: u64| {
            let rows = recent.get(key, || {
                inflated += 1;
                Ok(Rows { first: 0, count: 1, plain: key.to_le_bytes().to_vec() })
            });
            assert_eq!(rows.unwrap().plain, key.to_le_bytes());
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
