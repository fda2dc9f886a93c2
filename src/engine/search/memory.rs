//! What a search has found, by key.

/// How a score bounds the value of its position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bound {
    Exact,
    AtLeast,
    AtMost,
}

/// What is known of a position.
#[derive(Clone, Copy, Debug)]
pub struct Entry {
    pub key: u64,
    pub score: i16,
    /// Plies that were looked ahead.
    pub depth: u8,
    pub bound: Bound,
    /// Lower half of the key of the position after the best move.
    pub best: u32,
}

/// A fixed number of entries; a new one takes the place of what stood there.
pub struct Memory {
    entries: Vec<Option<Entry>>,
}

impl Memory {
    /// As many entries as fit, a power of two of them.
    pub fn new(bytes: usize) -> Memory {
        let room = (bytes / size_of::<Option<Entry>>()).max(1);
        Memory { entries: vec![None; 1 << room.ilog2()] }
    }

    pub fn clear(&mut self) {
        self.entries.fill(None);
    }

    pub fn get(&self, key: u64) -> Option<Entry> {
        self.entries[self.place(key)].filter(|entry| entry.key == key)
    }

    pub fn put(&mut self, entry: Entry) {
        let place = self.place(entry.key);
        self.entries[place] = Some(entry);
    }

    /// Neighbouring keys lie apart, for keys are dense.
    fn place(&self, key: u64) -> usize {
        const SPREAD: u64 = 0x9e37_79b9_7f4a_7c15;
        (key.wrapping_mul(SPREAD) >> 32) as usize & (self.entries.len() - 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_are_found_by_their_keys_alone() {
        let mut memory = Memory::new(100);
        let entry = |key, score| Entry { key, score, depth: 1, bound: Bound::Exact, best: 0 };
        assert_eq!(memory.entries.len(), 4);
        for key in 0..50 {
            memory.put(entry(key, key as i16));
            assert_eq!(memory.get(key).map(|entry| entry.score), Some(key as i16));
        }
        let kept = (0..50).filter(|&key| memory.get(key).is_some()).count();
        assert!(kept <= 4, "{kept}");
        memory.clear();
        assert!((0..50).all(|key| memory.get(key).is_none()));
    }
}
