//! What was found out about positions lately, so that coming back to one costs less.

/// Positions that are remembered, a power of two.
const PLACES: usize = 1 << 12;

/// Lists of items by key; a newer one takes the place of an older one.
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

    /// Takes out the list of a key.
    pub fn take(&mut self, key: u64) -> Option<Vec<T>> {
        let found = self.place(key).take_if(|&mut (other, _)| other == key);
        found.map(|(_, items)| items)
    }

    /// Keeps the list of a key, and forgets what had its place.
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
