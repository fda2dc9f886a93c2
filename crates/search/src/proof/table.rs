//! The transposition table of proof numbers, which threads share without locks.
//!
//! An entry is two words. A bucket is four entries in one cache line. Positions that can be compared by dominance
//! ([`ProofGame::dominance_class`]) share a bucket, so that a look-up of one position finds the solutions of the
//! others.
//!
//! ```text
//! word 0   key xor word 1, so that a torn entry has the key of no position
//! word 1   bits 0..26   pn
//!          bits 26..52  dn
//!          bits 52..58  logarithm of the work to base 2
//!          bit 63       in use
//! ```
//!
//! Source of word 0: Hyatt and Mann, "A lock-less transposition table", 2002.
//!
//! A table begins small and grows within its reserved memory. The system zeroes memory when it is first touched. For
//! the whole of a large table, this takes longer than most proofs of late positions.

use std::marker::PhantomData;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

use super::game::ProofGame;
use super::numbers::{INFINITE, ProofNumbers};
use yomikiri_rules::Side;
use yomikiri_table::memory::Zeros;
use yomikiri_table::memory::prefetch;

const ENTRIES: usize = 4;
const IN_USE: u64 = 1 << 63;

/// The number of buckets that are in use at first, if the table has that many: 4 MiB.
const FIRST: usize = 1 << 16;

/// The share of the entries in use at which a table grows during a search. Full buckets then lose a few hundredths of
/// the entries.
const SEARCH_SHARE: f64 = 0.5;

/// The share of free entries below which threads do not share them out again, but let the table grow.
const LITTLE_SHARE: f64 = 1.0 / 16.0;

/// The share of the entries in use at which a table grows while entries are added that should not be lost: about two in
/// a million meet a full bucket.
const FILL_SHARE: f64 = 1.0 / 32.0;

/// The factor by which a table grows.
const GROWTH: usize = 4;

type Bucket = [[AtomicU64; 2]; ENTRIES];

/// A transposition table that maps proof keys ([`ProofGame::proof_key`]) to proof numbers.
pub struct TranspositionTable<P> {
    /// The buckets, one cache line each. Their number is a power of two. Buckets from index `active` on are unused.
    buckets: Zeros<Bucket>,
    /// The number of buckets that keys map to, a power of two.
    active: AtomicUsize,
    game: PhantomData<fn() -> P>,
}

fn numbers(word: u64) -> ProofNumbers {
    ProofNumbers { pn: word as u32 & INFINITE, dn: (word >> 26) as u32 & INFINITE }
}

fn work(word: u64) -> u64 {
    word >> 52 & 63
}

/// Returns the key and the second word of an entry, or `None` if the entry is free.
fn key_and_word(entry: &[AtomicU64; 2]) -> Option<(u64, u64)> {
    let [first, second] = [0, 1].map(|word| entry[word].load(Ordering::Relaxed));
    (second != 0).then_some((first ^ second, second))
}

impl<P: ProofGame> TranspositionTable<P> {
    /// Creates a table that grows to at most `bytes` bytes, and has at least one bucket. It is smaller if the system
    /// refuses the memory.
    pub fn new(bytes: u64) -> TranspositionTable<P> {
        let buckets = 1 << (usize::try_from(bytes).unwrap_or(usize::MAX) / size_of::<Bucket>()).max(1).ilog2();
        let buckets: Zeros<Bucket> = Zeros::at_most(buckets, 1);
        let active = AtomicUsize::new(buckets.len().min(FIRST));
        TranspositionTable { buckets, active, game: PhantomData }
    }

    /// The buckets that keys map to.
    fn active(&self) -> &[Bucket] {
        &self.buckets[..self.active.load(Ordering::Relaxed)]
    }

    #[inline]
    fn bucket(&self, key: u64) -> &Bucket {
        let class = P::dominance_class(key);
        let mixed = (class ^ class >> 31).wrapping_mul(0x9fb2_1c65_1e98_df25);
        let mixed = (mixed ^ mixed >> 29).wrapping_mul(0xc4ce_b9fe_1a85_ec53);
        &self.buckets[(mixed >> 24) as usize & (self.active.load(Ordering::Relaxed) - 1)]
    }

    /// The number of entries that a search may still add before the table should grow, or `None` if it cannot grow.
    pub fn room(&self) -> Option<u64> {
        self.room_up_to(SEARCH_SHARE)
    }

    /// The number of entries that may be added until `share` of all entries are in use, or `None` if the table cannot
    /// grow.
    fn room_up_to(&self, share: f64) -> Option<u64> {
        let active = self.active();
        let entries = (active.len() * ENTRIES) as f64;
        (active.len() < self.buckets.len()).then(|| (entries * (share - self.share_in_use(active))).max(0.0) as u64)
    }

    /// Makes the table [`GROWTH`] times as large, but not larger than its reserved memory. No other thread may use the
    /// table meanwhile.
    pub fn grow(&self) {
        let before = self.active().len();
        let after = (before * GROWTH).min(self.buckets.len());
        self.active.store(after, Ordering::Relaxed);
        // A key stays, or moves to a bucket that had no keys and that gets keys from this bucket alone.
        for bucket in &self.buckets[..before] {
            for entry in bucket {
                let Some((key, word)) = key_and_word(entry) else { continue };
                let place = self.bucket(key);
                if !std::ptr::eq(place, bucket) {
                    let free = place.iter().find(|entry| entry[1].load(Ordering::Relaxed) == 0);
                    let free = free.expect("the new bucket is as large as the old one");
                    free[0].store(key ^ word, Ordering::Relaxed);
                    free[1].store(word, Ordering::Relaxed);
                    entry.iter().for_each(|word| word.store(0, Ordering::Relaxed));
                }
            }
        }
    }

    /// Grows the table until it uses at least `bytes` bytes, or all of its reserved memory. No other thread may use the
    /// table meanwhile.
    pub fn grow_to(&self, bytes: u64) {
        while self.bytes_in_use() < bytes && self.active().len() < self.buckets.len() {
            self.grow();
        }
    }

    /// Grows the table if a search could add few entries. No other thread may use the table meanwhile.
    pub fn grow_if_needed(&self) {
        if self.room_up_to(SEARCH_SHARE - LITTLE_SHARE) == Some(0) {
            self.grow();
        }
    }

    /// Makes an empty table begin with one bucket.
    #[cfg(test)]
    pub fn shrink_to_one_bucket(&self) {
        self.active.store(1, Ordering::Relaxed);
    }

    /// Prefetches the bucket of a key.
    pub fn prefetch(&self, key: u64) {
        prefetch(self.bucket(key));
    }

    /// Returns the numbers of the position of `key`, in which `mover` is to move. They come from the position's own
    /// entry, or from the entry of another solved position that decides it by dominance
    /// ([`ProofGame::is_as_good_for_black`]). Returns `None` if the table has neither entry.
    pub fn get(&self, key: u64, mover: Side) -> Option<ProofNumbers> {
        let mut found = None;
        for (other, word) in self.bucket(key).iter().filter_map(key_and_word) {
            let numbers = numbers(word);
            if other == key {
                // Two threads that store a new key at the same time can use an entry each. Only one of the two gets
                // later numbers.
                if numbers.mover_wins().is_some() {
                    return Some(numbers);
                }
                found = found.or(Some(numbers));
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

    /// Stores the numbers of a key, which took `work` expansions. Returns true if this used a free entry. If the bucket
    /// has no free entry, a new key replaces the entry with the least work. The numbers of a solved key are never
    /// overwritten with other numbers of the same key. Such numbers can be older ones that another thread still holds.
    pub fn put(&self, key: u64, numbers: ProofNumbers, work: u64) -> bool {
        let entries = self.bucket(key);
        let with_key = |entry| key_and_word(entry).filter(|&(other, _)| other == key).map(|(_, word)| (entry, word));
        let is_solved = |(_, word)| self::numbers(word).mover_wins().is_some();
        let word_of = |entry: &[AtomicU64; 2]| entry[1].load(Ordering::Relaxed);
        let cost = |word: u64| (word != 0).then(|| self::work(word));
        loop {
            let mut with_key = entries.iter().filter_map(with_key);
            let known = with_key.next();
            if known.is_some_and(is_solved) || with_key.any(is_solved) {
                return false;
            }
            let free = || entries.iter().map(|entry| (entry, word_of(entry))).min_by_key(|&(_, word)| cost(word));
            let Some((entry, before)) = known.or_else(free) else { return false };
            let work_before = if known.is_some() { self::work(before) } else { 0 };
            let log = u64::from(work.max(1).ilog2()).max(work_before);
            let second = u64::from(numbers.pn) | u64::from(numbers.dn) << 26 | log << 52 | IN_USE;
            // If another thread has changed the entry meanwhile, it may have stored the winner of this key.
            if entry[1].compare_exchange(before, second, Ordering::Relaxed, Ordering::Relaxed).is_ok() {
                entry[0].store(key ^ second, Ordering::Relaxed);
                return before == 0;
            }
        }
    }

    /// Removes the entries for which `keep` returns false. No other thread may write meanwhile.
    pub fn retain(&self, keep: impl Fn(u64, ProofNumbers) -> bool) {
        for entry in self.active().iter().flatten() {
            if key_and_word(entry).is_some_and(|(key, word)| !keep(key, numbers(word))) {
                entry.iter().for_each(|word| word.store(0, Ordering::Relaxed));
            }
        }
    }

    /// The size in bytes that the table may grow to.
    pub fn bytes(&self) -> u64 {
        size_of_val(&*self.buckets) as u64
    }

    /// The size in bytes of the part of the table that is in use.
    pub fn bytes_in_use(&self) -> u64 {
        size_of_val(self.active()) as u64
    }

    /// The share of all entries that are in use, from 0 to 1, estimated from a sample.
    pub fn fill(&self) -> f64 {
        let active = self.active();
        self.share_in_use(active) * active.len() as f64 / self.buckets.len() as f64
    }

    /// Returns the share of the entries in `buckets` that are in use, from 0 to 1, estimated from a sample.
    fn share_in_use(&self, buckets: &[Bucket]) -> f64 {
        /// The number of buckets in the sample.
        const SAMPLE: usize = 1 << 10;
        let sample = || buckets.iter().step_by((buckets.len() / SAMPLE).max(1)).flatten();
        sample().filter(|entry| entry[1].load(Ordering::Relaxed) != 0).count() as f64 / sample().count() as f64
    }

    /// Iterates over all entries while other threads may write. Skips torn entries, which mix the words of two writes:
    /// their keys belong to other buckets. With probability 1 / buckets, a torn entry is not recognised, but then no
    /// position has its key.
    pub fn entries(&self) -> impl Iterator<Item = ProofEntry> {
        let mut places = 0..self.active().len() * ENTRIES;
        // A flat map of the buckets would be ten times as much code, for each game.
        std::iter::from_fn(move || {
            places.find_map(|place| {
                let bucket = &self.buckets[place / ENTRIES];
                self.entry(bucket, &bucket[place % ENTRIES])
            })
        })
    }

    fn entry(&self, bucket: &Bucket, entry: &[AtomicU64; 2]) -> Option<ProofEntry> {
        let read = || [0, 1].map(|word| entry[word].load(Ordering::Acquire));
        let [first, second] = read();
        let key = first ^ second;
        let is_whole = second != 0 && std::ptr::eq(self.bucket(key), bucket) && read() == [first, second];
        is_whole.then(|| ProofEntry { key, numbers: numbers(second), work: work(second) as u8 })
    }

    /// Stores an entry of another table, unless all entries of its bucket took more work. Returns true if this used a
    /// free entry.
    pub fn restore(&self, entry: ProofEntry) -> bool {
        let works = self.bucket(entry.key).iter().map(|entry| work(entry[1].load(Ordering::Relaxed)));
        works.min().is_some_and(|least| least <= entry.work.into())
            && self.put(entry.key, entry.numbers, 1 << entry.work)
    }
}

/// Takes care that a table grows in time while one thread adds entries that are to be kept.
pub struct Room<'t, P> {
    table: &'t TranspositionTable<P>,
    /// The number of entries that may be added before the table grows.
    free: u64,
}

impl<'t, P: ProofGame> Room<'t, P> {
    /// Makes room in a table. No other thread may use the table while entries are added.
    pub fn of(table: &'t TranspositionTable<P>) -> Room<'t, P> {
        let mut room = Room { table, free: 0 };
        room.make();
        room
    }

    /// Grows the table if an entry that was added has used its room up.
    pub fn used(&mut self, was_free: bool) {
        self.free = self.free.saturating_sub(was_free.into());
        self.make();
    }

    /// Grows the table while it has no room.
    fn make(&mut self) {
        while self.free == 0 {
            match self.table.room_up_to(FILL_SHARE) {
                Some(0) => self.table.grow(),
                room => self.free = room.unwrap_or(u64::MAX),
            }
        }
    }
}

/// An entry of the transposition table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ProofEntry {
    /// The proof key.
    pub key: u64,
    /// The proof numbers of the position.
    pub numbers: ProofNumbers,
    /// The base-2 logarithm of the work in expansions.
    pub work: u8,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::adapters::binarsi::BinarsiProof;

    type Table = TranspositionTable<BinarsiProof>;

    /// Returns the key of a made-up board. Different boards have different dominance classes.
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
        let entries: Vec<ProofEntry> = table.entries().collect();
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
    fn a_table_that_is_filled_grows_as_far_as_it_has_to() {
        let table = Table::new(1 << 26);
        let (mut room, keys) = (Room::of(&table), || (0..30_000u64).map(|key| key.wrapping_mul(0x9e37_79b9_7f4a_7c15)));
        keys().for_each(|key| room.used(table.put(key, ProofNumbers { pn: 1, dn: 2 }, 1)));
        assert_eq!((table.active().len(), table.buckets.len()), (FIRST * GROWTH, FIRST * 16));
        let lost = keys().filter(|&key| table.get(key, Side::Black).is_none()).count();
        assert!(lost < 5, "{lost}");
    }

    #[test]
    fn a_table_grows_within_its_memory_and_keeps_its_entries() {
        let table = Table::new((FIRST * 8 * size_of::<Bucket>()) as u64);
        let numbers = |board| ProofNumbers { pn: board as u32, dn: 9 };
        assert_eq!(table.room(), Some((FIRST * ENTRIES / 2) as u64));
        let count = table.room().unwrap();
        let added = (0..count).filter(|&board| table.put(key(board), numbers(board), board)).count() as u64;
        assert!(added < count && added * 10 > count * 9 && table.room() < Some(count / 10), "{added}");
        let entries = || {
            let mut entries: Vec<ProofEntry> = table.entries().collect();
            entries.sort_unstable_by_key(|entry| entry.key);
            entries
        };
        let before = entries();
        assert_eq!(before.len() as u64, added);
        while table.room().is_some() {
            table.grow();
            assert!((0.05..0.0625).contains(&table.fill()), "{}", table.fill());
            assert_eq!(before, entries());
            assert!(before.iter().all(|entry| table.get(entry.key, Side::Black) == Some(entry.numbers)));
        }
        assert_eq!(table.active().len(), FIRST * 8);
    }

    /// Two threads store numbers of the same keys at the same time: one the winners, the other older numbers.
    #[test]
    fn a_winner_stays_while_another_thread_stores_older_numbers() {
        const KEYS: u64 = 5000;
        let (table, places) = (Table::new(1 << 24), [const { AtomicUsize::new(0) }; 2]);
        let put_all = |thread: usize, numbers: ProofNumbers| {
            for board in 0..KEYS {
                places[thread].store(board as usize, Ordering::Relaxed);
                for spins in 1.. {
                    if places[1 - thread].load(Ordering::Relaxed) >= board as usize {
                        break;
                    }
                    if spins % 1000 == 0 {
                        std::thread::yield_now();
                    }
                }
                table.put(key(board), numbers, 1 + board * thread as u64);
            }
        };
        std::thread::scope(|scope| {
            scope.spawn(|| put_all(0, ProofNumbers { pn: 3, dn: 4 }));
            put_all(1, ProofNumbers::WIN);
        });
        let lost = (0..KEYS).filter(|&board| table.get(key(board), Side::Black) != Some(ProofNumbers::WIN)).count();
        assert_eq!(lost, 0);
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
