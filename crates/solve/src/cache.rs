//! Sheets kept in memory within a budget.

use std::collections::HashMap;
use std::ops::Deref;
use std::sync::Arc;

use rayon::prelude::*;
use zerocopy::FromZeros;

use crate::Result;
use crate::memory::Zeros;

/// Cells that a thread fills at a time.
const FILLED: usize = 1 << 14;

/// Sheets by tier number. When the budget is passed, the sheet not used for the longest time goes.
pub struct Cache<S> {
    sheets: HashMap<usize, (Arc<S>, u64)>,
    clock: u64,
    /// Of sheets, and of what has been forgotten.
    bytes: u64,
    budget: u64,
    /// The memory of forgotten sheets: new ones of the same size need no fresh pages of the system.
    spare: Vec<S>,
}

impl<T, S: Deref<Target = [T]>> Cache<S> {
    /// A cache of at most `budget` bytes; the sheet put in last always stays.
    pub fn new(budget: u64) -> Cache<S> {
        Cache { sheets: HashMap::new(), clock: 0, bytes: 0, budget, spare: Vec::new() }
    }

    /// Forgets all sheets but some, and has at most `budget` bytes from now on.
    pub fn begin_anew(&mut self, budget: u64, is_wanted: impl Fn(usize) -> bool) {
        let unwanted: Vec<usize> = self.sheets.keys().copied().filter(|&tier| !is_wanted(tier)).collect();
        unwanted.into_iter().for_each(|tier| self.drop_tier(tier));
        self.budget = budget;
        self.make_room(0);
    }

    /// Bytes of all sheets that it keeps, at most.
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

    /// Forgets a sheet nobody needs any more, whose memory may be used again.
    pub fn drop_tier(&mut self, tier: usize) {
        if let Some((sheet, _)) = self.sheets.remove(&tier) {
            match Arc::try_unwrap(sheet) {
                Ok(sheet) => self.spare.push(sheet),
                Err(lent) => self.bytes -= size::<T>(&lent),
            }
        }
    }

    /// Takes back the memory of a sheet that was not put in.
    pub fn give_back(&mut self, sheet: S) {
        if self.bytes + size::<T>(&sheet) <= self.budget {
            self.bytes += size::<T>(&sheet);
            self.spare.push(sheet);
        }
    }

    /// The sheet that has not been used for the longest time.
    fn oldest(&self) -> Option<usize> {
        self.sheets.iter().min_by_key(|(_, (_, used))| *used).map(|(&tier, _)| tier)
    }

    /// Drops what is spare and old sheets until `bytes` more fit the budget.
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
    /// A sheet of so many equal cells, in the memory of a forgotten one if there is one of this size, else in large
    /// pages where it is large.
    pub fn fresh(&mut self, cells: usize, cell: T) -> Result<Zeros<T>> {
        let used = self.used(cells);
        let is_filled = used.is_none() && cell == T::new_zeroed();
        let mut sheet = used.map_or_else(|| Zeros::new(cells), Ok)?;
        if !is_filled {
            sheet.par_chunks_mut(FILLED).for_each(|cells| cells.fill(cell));
        }
        Ok(sheet)
    }

    /// The same for who writes every cell: nobody knows what is in them.
    pub fn unfilled(&mut self, cells: usize) -> Result<Zeros<T>> {
        self.used(cells).map_or_else(|| Zeros::new(cells), Ok)
    }

    /// The memory of a sheet of so many cells that is forgotten, or would be when one more is put in.
    fn used(&mut self, cells: usize) -> Option<Zeros<T>> {
        let sheet = match self.spare.iter().position(|sheet| sheet.len() == cells) {
            Some(at) => self.spare.swap_remove(at),
            None => self.oldest_of(cells)?,
        };
        self.bytes -= size::<T>(&sheet);
        Some(sheet)
    }

    /// The oldest sheet, if it has so many cells, nobody else has it, and there is no room for one more.
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

/// How many sheets still to be made need each tier; tells when one can be forgotten.
pub struct Uses(Vec<u32>);

impl Uses {
    pub fn new(tiers: usize, needed: impl Iterator<Item = usize>) -> Uses {
        let mut uses = vec![0; tiers];
        needed.for_each(|tier| uses[tier] += 1);
        Uses(uses)
    }

    /// One need less; true if it was the last.
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
        cache.give_back(sheet);
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
        cache.give_back(too_large);
        assert!(cache.spare.is_empty());
    }
}
