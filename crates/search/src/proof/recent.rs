//! A direct-mapped cache from keys to lists.

/// The number of slots, each for one list; a power of two.
const PLACES: usize = 1 << 12;

/// A cache of lists, indexed by key. A new list replaces the one in its slot.
pub struct Recent<T> {
    places: Vec<Option<(u64, Vec<T>)>>,
}

impl<T> Recent<T> {
    pub fn new() -> Recent<T> {
        Recent { places: std::iter::repeat_with(|| None).take(PLACES).collect() }
    }

    fn place(&mut self, key: u64) -> &mut Option<(u64, Vec<T>)> {
        &mut self.places[(key.wrapping_mul(0x9fb2_1c65_1e98_df25) >> 40) as usize & (PLACES - 1)]
    }

    /// Removes and returns the list of a key, or returns `None` if the cache does not have it.
    pub fn take(&mut self, key: u64) -> Option<Vec<T>> {
        let found = self.place(key).take_if(|&mut (other, _)| other == key);
        found.map(|(_, items)| items)
    }

    /// Stores the list of a key. Drops the list that was in its slot.
    pub fn keep(&mut self, key: u64, items: Vec<T>) {
        *self.place(key) = Some((key, items));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_are_found_by_their_keys_until_others_take_their_places() {
        let mut recent = Recent::new();
        for key in 0..2 * PLACES as u64 {
            assert_eq!(recent.take(key), None);
            recent.keep(key, vec![key, key + 1]);
        }
        let found: Vec<u64> =
            (0..2 * PLACES as u64).filter(|&key| recent.take(key) == Some(vec![key, key + 1])).collect();
        assert!((PLACES / 2..=PLACES).contains(&found.len()), "{}", found.len());
        assert_eq!(found.last(), Some(&(2 * PLACES as u64 - 1)), "the last one stays");
        assert!(found.iter().all(|&key| recent.take(key).is_none()), "what was taken is gone");
    }
}
