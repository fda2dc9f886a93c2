//! Keeps sheets, which are arrays of cells, in memory within a budget.

use std::collections::HashMap;
use std::ops::Deref;
use std::sync::Arc;
use zerocopy::FromZeros;

use crate::Result;
use yomikiri_table::memory::Zeros;
use yomikiri_table::parallel;

/// The number of cells that a thread fills at a time.
const FILLED: usize = 1 << 14;

/// A least-recently-used cache of sheets, which are arrays of cells. A sheet is found by the index of its tier or part.
pub struct Cache<S> {
    /// For each tier or part: its sheet, and the value of `clock` when the sheet was last used.
    sheets: HashMap<usize, (Arc<S>, u64)>,
    clock: u64,
    /// Bytes of all sheets in `sheets` and `spare`.
    bytes: u64,
    budget: u64,
    /// Dropped sheets. A new sheet of the same size reuses the memory of one, which is cheaper than fresh pages from
    /// the system.
    spare: Vec<S>,
}

impl<T, S: Deref<Target = [T]>> Cache<S> {
    /// Creates a cache of at most `budget` bytes. The sheet that was put in last stays even if it alone exceeds the
    /// budget.
    pub fn new(budget: u64) -> Cache<S> {
        Cache { sheets: HashMap::new(), clock: 0, bytes: 0, budget, spare: Vec::new() }
    }

    /// Keeps only the sheets of tiers or parts for whose index `is_wanted` returns true. Sets the budget to `budget`
    /// bytes.
    pub fn retain(&mut self, budget: u64, is_wanted: impl Fn(usize) -> bool) {
        let unwanted: Vec<usize> = self.sheets.keys().copied().filter(|&tier| !is_wanted(tier)).collect();
        unwanted.into_iter().for_each(|tier| self.drop_tier(tier));
        self.budget = budget;
        self.make_room(0);
    }

    /// Returns the maximum size of all sheets together, in bytes.
    pub fn budget(&self) -> u64 {
        self.budget
    }

    pub fn get(&mut self, tier: usize) -> Option<Arc<S>> {
        self.clock += 1;
        let (sheet, used) = self.sheets.get_mut(&tier)?;
        *used = self.clock;
        Some(sheet.clone())
    }

    pub fn put(&mut self, tier: usize, sheet: Arc<S>) {
        self.make_room(size::<T>(&sheet));
        self.clock += 1;
        self.bytes += size::<T>(&sheet);
        self.sheets.insert(tier, (sheet, self.clock));
    }

    /// Drops the sheet of a tier or part. A new sheet may reuse its memory, unless other references to the dropped
    /// sheet exist.
    pub fn drop_tier(&mut self, tier: usize) {
        if let Some((sheet, _)) = self.sheets.remove(&tier) {
            match Arc::try_unwrap(sheet) {
                Ok(sheet) => self.spare.push(sheet),
                Err(lent) => self.bytes -= size::<T>(&lent),
            }
        }
    }

    /// Keeps the memory of a sheet that was never put into the cache, for a new sheet. Frees the memory if the budget
    /// has no room.
    pub fn recycle(&mut self, sheet: S) {
        if self.bytes + size::<T>(&sheet) <= self.budget {
            self.bytes += size::<T>(&sheet);
            self.spare.push(sheet);
        }
    }

    /// Returns the tier or part of the least recently used sheet; `None` if there are no sheets.
    fn oldest(&self) -> Option<usize> {
        self.sheets.iter().min_by_key(|(_, (_, used))| *used).map(|(&tier, _)| tier)
    }

    /// Frees spare memory, then the least recently used sheets, until the budget has room for `bytes` more bytes.
    fn make_room(&mut self, bytes: u64) {
        while self.bytes + bytes > self.budget {
            if let Some(sheet) = self.spare.pop() {
                self.bytes -= size::<T>(&sheet);
                continue;
            }
            let Some(oldest) = self.oldest() else { return };
            if let Some((sheet, _)) = self.sheets.remove(&oldest) {
                self.bytes -= size::<T>(&sheet);
            }
        }
    }
}

impl<T: FromZeros + Copy + PartialEq + Send + Sync> Cache<Zeros<T>> {
    /// Returns a sheet of `cells` cells that all equal `cell`. It reuses the memory of a dropped sheet of this size if
    /// there is one. Otherwise the memory is new, in huge pages if the sheet is large.
    pub fn fresh(&mut self, cells: usize, cell: T) -> Result<Zeros<T>> {
        let used = self.used(cells);
        let is_filled = used.is_none() && cell == T::new_zeroed();
        let mut sheet = used.map_or_else(|| Zeros::new(cells), Ok)?;
        if !is_filled {
            parallel::each_part_mut(&mut sheet, FILLED, |_, cells| cells.fill(cell));
        }
        Ok(sheet)
    }

    /// Like [`Cache::fresh`], for callers that write every cell: the content of the sheet is unspecified.
    pub fn unfilled(&mut self, cells: usize) -> Result<Zeros<T>> {
        Ok(self.used(cells).map_or_else(|| Zeros::new(cells), Ok)?)
    }

    /// Takes the memory of a dropped sheet of `cells` cells, or else of a sheet of this size that the next `put` would
    /// drop. Returns `None` if there is neither.
    fn used(&mut self, cells: usize) -> Option<Zeros<T>> {
        let sheet = match self.spare.iter().position(|sheet| sheet.len() == cells) {
            Some(at) => self.spare.swap_remove(at),
            None => self.oldest_of(cells)?,
        };
        self.bytes -= size::<T>(&sheet);
        Some(sheet)
    }

    /// Removes and returns the least recently used sheet if it has `cells` cells, no other reference to it exists, and
    /// the budget has no room for one more sheet of this size. Otherwise returns `None`.
    fn oldest_of(&mut self, cells: usize) -> Option<Zeros<T>> {
        let tier = self.oldest().filter(|tier| {
            let sheet = &self.sheets[tier].0;
            sheet.len() == cells && self.bytes + size::<T>(sheet) > self.budget && Arc::strong_count(sheet) == 1
        })?;
        self.sheets.remove(&tier).and_then(|(sheet, _)| Arc::into_inner(sheet))
    }
}

fn size<T>(sheet: &[T]) -> u64 {
    size_of_val(sheet) as u64
}

/// For each tier: the number of times that its sheet, which has the contents of its rows, will still be read. When the
/// number is 0, the sheet can be dropped.
pub struct Uses(Vec<u32>);

impl Uses {
    /// Counts the uses of the sheets of `tiers` tiers. `needed` has the index of a tier once for each use of its sheet.
    pub fn new(tiers: usize, needed: impl Iterator<Item = usize>) -> Uses {
        let mut uses = vec![0; tiers];
        needed.for_each(|tier| uses[tier] += 1);
        Uses(uses)
    }

    /// Counts down the uses of a tier; returns true if this was the last use.
    pub fn done(&mut self, tier: usize) -> bool {
        self.0[tier] -= 1;
        self.0[tier] == 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_oldest_sheet_goes_first() {
        let mut cache = Cache::<Vec<u8>>::new(20);
        for tier in 0..2 {
            cache.put(tier, Arc::new(vec![0; 10]));
        }
        assert!(cache.get(0).is_some());
        cache.put(2, Arc::new(vec![0; 10]));
        assert!(cache.get(1).is_none() && cache.get(0).is_some() && cache.get(2).is_some());
        cache.put(3, Arc::new(vec![0; 100]));
        assert!(cache.get(3).is_some() && cache.get(0).is_none());
    }

    #[test]
    fn memory_of_forgotten_sheets_is_used_again_within_the_budget() {
        let mut cache = Cache::<Zeros<u64>>::new(160);
        let sheet = cache.fresh(10, 1).unwrap();
        let place = sheet.as_ptr();
        assert!(sheet.iter().all(|&cell| cell == 1));
        cache.put(0, Arc::new(sheet));
        cache.drop_tier(0);
        let sheet = cache.fresh(10, 0).unwrap();
        assert!(sheet.as_ptr() == place && sheet.iter().all(|&cell| cell == 0) && cache.bytes == 0);
        cache.recycle(sheet);
        let sheet = cache.fresh(15, 0).unwrap();
        cache.put(1, Arc::new(sheet));
        assert!(cache.spare.is_empty() && cache.bytes == 15 * 8);
        let place = cache.get(1).unwrap().as_ptr();
        let instead = cache.unfilled(15).unwrap();
        assert!(instead.as_ptr() == place && cache.get(1).is_none() && cache.bytes == 0);
        cache.put(1, Arc::new(instead));
        let lent = cache.get(1);
        assert!(cache.unfilled(15).unwrap().as_ptr() != place && cache.get(1).is_some());
        cache.drop_tier(1);
        assert!(lent.is_some() && cache.spare.is_empty() && cache.bytes == 0);
        assert!(cache.fresh(1 << 58, 0).is_err() && cache.unfilled(1 << 58).is_err());
        let too_large = cache.fresh(30, 0).unwrap();
        cache.recycle(too_large);
        assert!(cache.spare.is_empty());
    }
}
