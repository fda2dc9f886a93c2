//! Sheets kept in memory within a budget.

use std::collections::HashMap;
use std::sync::Arc;

/// Sheets by tier number. When the budget is passed, the sheet not used for the longest time goes.
pub struct Cache<T> {
    sheets: HashMap<usize, (Arc<Vec<T>>, u64)>,
    clock: u64,
    bytes: u64,
    budget: u64,
}

impl<T> Cache<T> {
    /// A cache of at most `budget` bytes; the sheet put in last always stays.
    pub fn new(budget: u64) -> Cache<T> {
        Cache { sheets: HashMap::new(), clock: 0, bytes: 0, budget }
    }

    pub fn get(&mut self, tier: usize) -> Option<Arc<Vec<T>>> {
        self.clock += 1;
        let (sheet, used) = self.sheets.get_mut(&tier)?;
        *used = self.clock;
        Some(sheet.clone())
    }

    pub fn put(&mut self, tier: usize, sheet: Arc<Vec<T>>) {
        self.make_room(size(&sheet));
        self.clock += 1;
        self.bytes += size(&sheet);
        self.sheets.insert(tier, (sheet, self.clock));
    }

    /// Forgets a sheet nobody needs any more.
    pub fn drop_tier(&mut self, tier: usize) {
        if let Some((sheet, _)) = self.sheets.remove(&tier) {
            self.bytes -= size(&sheet);
        }
    }

    /// Drops old sheets until `bytes` more fit the budget.
    fn make_room(&mut self, bytes: u64) {
        while self.bytes + bytes > self.budget {
            let Some(oldest) = self.sheets.iter().min_by_key(|(_, (_, used))| *used).map(|(&tier, _)| tier) else {
                return;
            };
            self.drop_tier(oldest);
        }
    }
}

fn size<T>(sheet: &Arc<Vec<T>>) -> u64 {
    (sheet.len() * size_of::<T>()) as u64
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
        let mut cache = Cache::<u8>::new(20);
        for tier in 0..2 {
            cache.put(tier, Arc::new(vec![0; 10]));
        }
        assert!(cache.get(0).is_some());
        cache.put(2, Arc::new(vec![0; 10]));
        assert!(cache.get(1).is_none() && cache.get(0).is_some() && cache.get(2).is_some());
        cache.put(3, Arc::new(vec![0; 100]));
        assert!(cache.get(3).is_some() && cache.get(0).is_none());
    }
}
