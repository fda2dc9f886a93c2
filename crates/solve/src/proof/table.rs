//! The transposition table: proof numbers by position, for several threads without locks.
//!
//! An entry is two words, a bucket four entries, a cache line. Positions that may dominate each other share a bucket,
//! so a look-up of one finds the solutions of the others.
//!
//! ```text
//! word 0   key xor word 1 (Hyatt and Mann, "A lock-less transposition table", 2002): a torn entry has the key of no
//! position word 1   bits 0..26  pn    bits 26..52  dn    bits 52..58  logarithm of the work to base 2    bit 63  in
//! use
//! ```

use std::marker::PhantomData;
use std::sync::atomic::{AtomicU64, Ordering};

use super::game::ProofGame;
use super::numbers::{INFINITE, ProofNumbers};
use crate::memory::Zeros;
use crate::space::prefetch;
use yomikiri_rules::Side;

const ENTRIES: usize = 4;
const IN_USE: u64 = 1 << 63;

type Bucket = [[AtomicU64; 2]; ENTRIES];

/// Proof numbers by the keys of a game ([`ProofGame::proof_key`]).
pub struct TranspositionTable<P> {
    /// A power of two of them, each a cache line.
    buckets: Zeros<Bucket>,
    game: PhantomData<fn() -> P>,
}

fn numbers(word: u64) -> ProofNumbers {
    ProofNumbers { pn: word as u32 & INFINITE, dn: (word >> 26) as u32 & INFINITE }
}

fn work(word: u64) -> u64 {
    word >> 52 & 63
}

/// The key of an entry, and its second word; `None` if it is free.
fn key_and_word(entry: &[AtomicU64; 2]) -> Option<(u64, u64)> {
    let [first, second] = [0, 1].map(|word| entry[word].load(Ordering::Relaxed));
    (second != 0).then_some((first ^ second, second))
}

impl<P: ProofGame> TranspositionTable<P> {
    /// A table of at most so many bytes, and of no more than the machine has.
    pub fn new(bytes: u64) -> TranspositionTable<P> {
        let buckets = 1 << (usize::try_from(bytes).unwrap_or(usize::MAX) / size_of::<Bucket>()).max(1).ilog2();
        TranspositionTable { buckets: Zeros::at_most(buckets, 1), game: PhantomData }
    }

    fn bucket(&self, key: u64) -> &Bucket {
        let class = P::dominance_class(key);
        let mixed = (class ^ class >> 31).wrapping_mul(0x9fb2_1c65_1e98_df25);
        let mixed = (mixed ^ mixed >> 29).wrapping_mul(0xc4ce_b9fe_1a85_ec53);
        &self.buckets[(mixed >> 24) as usize & (self.buckets.len() - 1)]
    }

    /// Prefetches the bucket of a key.
    pub fn prefetch(&self, key: u64) {
        prefetch(self.bucket(key));
    }

    /// The numbers of a position in which `mover` is to move: its own, or those of a solved position that dominates
    /// it or that it dominates, where that solves it.
    pub fn get(&self, key: u64, mover: Side) -> Option<ProofNumbers> {
        let mut found = None;
        for (other, word) in self.bucket(key).iter().filter_map(key_and_word) {
            let numbers = numbers(word);
            if other == key {
                found = Some(numbers);
            } else if P::dominance_class(other) == P::dominance_class(key)
                && let Some(wins) = numbers.mover_wins()
            {
                let (better, worse) = if wins == (mover == Side::Black) { (key, other) } else { (other, key) };
                if P::is_as_good_for_black(better, worse) {
                    return Some(numbers);
                }
            }
        }
        found
    }

    /// Stores numbers that took so much work; replaces the entry of its bucket with the least work. A solved entry is
    /// not overwritten: another thread may write older numbers.
    pub fn put(&self, key: u64, numbers: ProofNumbers, work: u64) {
        let entries = self.bucket(key);
        let with_key = |entry| key_and_word(entry).filter(|&(other, _)| other == key).map(|(_, word)| (entry, word));
        let known = entries.iter().find_map(with_key);
        if known.is_some_and(|(_, word)| self::numbers(word).mover_wins().is_some()) {
            return;
        }
        let cost = |word: u64| (word != 0).then(|| self::work(word));
        let least = || entries.iter().min_by_key(|entry| cost(entry[1].load(Ordering::Relaxed)));
        let Some((entry, before)) = known.or_else(|| Some((least()?, 0))) else { return };
        let log = u64::from(work.max(1).ilog2()).max(self::work(before));
        let second = u64::from(numbers.pn) | u64::from(numbers.dn) << 26 | log << 52 | IN_USE;
        entry[0].store(key ^ second, Ordering::Relaxed);
        entry[1].store(second, Ordering::Relaxed);
    }

    /// Forgets the entries that `keep` says no to, by their keys and numbers. No other thread may write meanwhile.
    pub fn retain(&self, keep: impl Fn(u64, ProofNumbers) -> bool) {
        for entry in self.buckets.iter().flatten() {
            if key_and_word(entry).is_some_and(|(key, word)| !keep(key, numbers(word))) {
                entry.iter().for_each(|word| word.store(0, Ordering::Relaxed));
            }
        }
    }

    /// Bytes of all entries.
    pub fn bytes(&self) -> u64 {
        size_of_val(&*self.buckets) as u64
    }

    /// The share of the entries that are in use, from 0 to 1, by a sample of them.
    pub fn fill(&self) -> f64 {
        /// Buckets looked at.
        const SAMPLE: usize = 1 << 10;
        let sample = || self.buckets.iter().step_by((self.buckets.len() / SAMPLE).max(1)).flatten();
        sample().filter(|entry| entry[1].load(Ordering::Relaxed) != 0).count() as f64 / sample().count() as f64
    }

    /// All entries, while other threads may write. Leaves out torn ones: they have the key of another bucket or, once
    /// in as many times as there are buckets, one that no position has.
    pub fn entries(&self) -> impl Iterator<Item = Entry> {
        self.buckets.iter().flat_map(|bucket| bucket.iter().filter_map(|entry| self.entry(bucket, entry)))
    }

    fn entry(&self, bucket: &Bucket, entry: &[AtomicU64; 2]) -> Option<Entry> {
        let read = || [0, 1].map(|word| entry[word].load(Ordering::Acquire));
        let [first, second] = read();
        let key = first ^ second;
        let is_whole = second != 0 && std::ptr::eq(self.bucket(key), bucket) && read() == [first, second];
        is_whole.then(|| Entry { key, numbers: numbers(second), work: work(second) as u8 })
    }

    /// Stores an entry of another table, unless all entries of its bucket have more work.
    pub fn restore(&self, entry: Entry) {
        let works = self.bucket(entry.key).iter().map(|entry| work(entry[1].load(Ordering::Relaxed)));
        if works.min().is_some_and(|least| least <= entry.work.into()) {
            self.put(entry.key, entry.numbers, 1 << entry.work);
        }
    }
}

/// An entry of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    pub key: u64,
    pub numbers: ProofNumbers,
    /// Logarithm of the work to base 2.
    pub work: u8,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::adapters::binarsi::BinarsiProof;

    type Table = TranspositionTable<BinarsiProof>;

    /// Keys of different boards.
    fn key(board: u64) -> u64 {
        board << 6
    }

    #[test]
    fn places_are_found_by_their_keys_and_much_work_stays() {
        let table = Table::new(64);
        let some = |pn| ProofNumbers { pn, dn: INFINITE };
        let found = |board| table.get(key(board), Side::Black);
        assert_eq!(found(0), None);
        table.put(key(0), some(3), 1 << 30);
        for board in 1..100 {
            table.put(key(board), some(board as u32), 1);
            assert_eq!(found(board), Some(some(board as u32)));
        }
        table.put(key(0), some(0), 1);
        assert_eq!(found(0), Some(some(0)));
        table.put(key(0), some(5), 1 << 40);
        assert_eq!(found(0), Some(some(0)), "what is decided stays");
        for board in 100..200 {
            table.put(key(board), some(7), 2);
        }
        assert_eq!(found(0), Some(some(0)), "what took most work stays");
        assert_eq!((1..200).filter(|&board| found(board).is_some()).count(), ENTRIES - 1);
    }

    #[test]
    fn what_is_decided_with_worse_targets_is_decided_with_better_ones() {
        let targets = |black: u64, white: u64| key(9) | white << 3 | black;
        for (wins, mover) in [(true, Side::Black), (false, Side::White)] {
            let table = Table::new(1 << 12);
            table.put(targets(0b001, 0b011), ProofNumbers::solved(wins), 1);
            table.put(targets(0b010, 0b001), ProofNumbers { pn: 3, dn: 4 }, 1);
            for better in [targets(0b001, 0b011), targets(0b011, 0b011), targets(0b001, 0b010), targets(0b101, 0b111)] {
                assert_eq!(table.get(better, mover), Some(ProofNumbers::solved(wins)), "{better:b}");
                assert_eq!(table.get(better + 64, mover), None);
            }
            for other in [targets(0b000, 0b011), targets(0b111, 0b000), targets(0b001, 0b101)] {
                assert_eq!(table.get(other, mover), None, "{other:b}");
            }
            assert_eq!(table.get(targets(0b010, 0b001), mover), Some(ProofNumbers { pn: 3, dn: 4 }));
        }
    }

    #[test]
    fn entries_of_one_table_are_those_of_another() {
        let (table, copy) = (Table::new(1 << 16), Table::new(1 << 14));
        assert_eq!((table.fill(), table.entries().count()), (0.0, 0));
        for key in 0..1000u64 {
            table.put(key.wrapping_mul(0x9e37_79b9_7f4a_7c15), ProofNumbers { pn: key as u32, dn: 9 }, 1 << (key % 40));
        }
        assert!((0.2..0.3).contains(&table.fill()) && table.bytes() == 1 << 16, "{}", table.fill());
        let entries: Vec<Entry> = table.entries().collect();
        let known = (0..1000u64)
            .filter(|key| table.get(key.wrapping_mul(0x9e37_79b9_7f4a_7c15), Side::Black).is_some())
            .count();
        assert!(entries.len() == known && known > 950, "{} of {known}", entries.len());
        for entry in &entries {
            assert_eq!(entry.work, (entry.numbers.pn % 40) as u8);
            copy.restore(*entry);
        }
        assert!(copy.entries().count() > 600 && copy.fill() > 0.6);
        assert!(copy.entries().all(|entry| entries.contains(&entry)));
        let kept = |least| {
            entries.iter().filter(|entry| entry.work >= least && copy.get(entry.key, Side::Black).is_some()).count()
        };
        assert!(kept(30) * 4 > kept(0), "what took most work comes first: {} of {}", kept(30), kept(0));
    }

    #[test]
    fn halves_of_two_writers_are_no_entry() {
        let table = Table::new(1 << 16);
        let bucket = table.bucket(77);
        let [first, second] = [ProofNumbers { pn: 4, dn: 5 }, ProofNumbers::solved(true)].map(|numbers| {
            table.put(77, numbers, 1);
            [0, 1].map(|word| bucket[0][word].load(Ordering::Relaxed))
        });
        assert_eq!(table.entries().count(), 1);
        bucket[0][0].store(first[0], Ordering::Relaxed);
        bucket[0][1].store(second[1], Ordering::Relaxed);
        assert_eq!(table.entries().count(), 0);
    }
}
