//! Marks: the positions that moves have reached.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};

use zerocopy::{FromBytes, IntoBytes};

use crate::Result;
use crate::tiers::{NodeOf, Part, Tiered};
use crate::two_steps::{WordSection, add_words, with_words};
use yomikiri_table::memory::Zeros;
use yomikiri_table::{Identity, NewSection, SectionBlocks, SectionFile, TableError};

/// The lanes from which moves lead to each row of a part of a tier. They are lanes before the move. A move can lead to
/// another lane, because it can add targets (`TargetEffect`).
pub struct Marks(pub Zeros<AtomicU64>);

/// The number of words in a block of packed marks. A word has the marks of one row.
const BLOCK: usize = 1 << 14;

impl Marks {
    /// Creates empty marks. Returns an error if the system refuses the memory.
    pub fn new(part: &Part) -> Result<Marks> {
        Marks::of_rows(part.rows())
    }

    fn of_rows(rows: usize) -> Result<Marks> {
        Ok(Marks(Zeros::new(rows)?))
    }

    /// Adds the marks in a section that [`with_words`] made. `block` is the number of words in a block of that section.
    pub fn add(&mut self, section: &dyn SectionBlocks, block: usize) -> Result<(), TableError> {
        let words = <[u64]>::mut_from_bytes(self.0.as_mut_bytes()).expect("marks are words");
        add_words(section, words, block)
    }

    /// Returns the size in memory, in bytes.
    pub fn bytes(&self) -> u64 {
        size_of_val(&self.0[..]) as u64
    }
}

/// A store of marks (positions that moves have reached), by part of a tier.
pub trait KeepMarks {
    /// Removes and returns the marks of part `part` of tier `number`; `None` if there are none.
    fn take(&mut self, number: usize, part: usize) -> Result<Option<Marks>>;

    /// Stores the marks of part `part` of tier `number`.
    fn put(&mut self, number: usize, part: usize, marks: Marks) -> Result<()>;
}

/// The marks (positions that moves have reached) of whole tiers, in memory. The most recently used marks are unpacked,
/// all others packed into sections.
pub struct TierMarks<'a, G: Tiered> {
    game: &'a G,
    graph: &'a [NodeOf<G>],
    /// The memory for all marks, in bytes. The marks take more only if all are packed and still do not fit.
    room: u64,
    bytes: u64,
    clock: u64,
    /// Unpacked marks by tier, with the value of `clock` at their last use.
    open: HashMap<usize, (Marks, u64)>,
    packed: HashMap<usize, SectionFile>,
}

impl<'a, G: Tiered> TierMarks<'a, G> {
    pub fn new(game: &'a G, graph: &'a [NodeOf<G>], room: u64) -> Self {
        TierMarks { game, graph, room, bytes: 0, clock: 0, open: HashMap::new(), packed: HashMap::new() }
    }

    /// Returns the index of the tier with this first key and this number of rows; `None` if there is none.
    pub fn tier_of(&self, key: u64, rows: u64) -> Option<usize> {
        self.graph.iter().position(|node| (node.base, node.rows as u64) == (key, rows))
    }

    /// Returns the tiers that have marks, ascending.
    pub fn tiers(&self) -> Vec<usize> {
        let mut tiers: Vec<usize> = self.open.keys().chain(self.packed.keys()).copied().collect();
        tiers.sort_unstable();
        tiers
    }

    /// Calls `act` with a section that holds the marks of a tier.
    pub fn with_section<T>(&self, tier: usize, act: impl FnOnce(NewSection) -> T) -> T {
        let node = &self.graph[tier];
        match (self.open.get(&tier), self.packed.get(&tier)) {
            (None, Some(packed)) => {
                let plain =
                    |block: usize| packed.block(block).expect("a block packed in memory unpacks without an error");
                let (key, rows, blocks) = (node.base, node.rows as u64, packed.count());
                act(NewSection { key, rows, tally: Default::default(), blocks, plain: &plain })
            }
            (open, _) => {
                let word = |row: usize| open.map_or(0, |(marks, _)| marks.0[row].load(Ordering::Relaxed));
                let section = WordSection { key: node.base, ply: node.ply, words: node.rows, block: BLOCK };
                with_words(section, word, act)
            }
        }
    }

    /// Reads the marks of a tier from a section that [`Self::with_section`] made.
    pub fn read(&self, tier: usize, section: &dyn SectionBlocks) -> Result<Marks> {
        let mut marks = Marks::of_rows(self.graph[tier].rows)?;
        marks.add(section, BLOCK)?;
        Ok(marks)
    }

    /// Packs the least recently used marks until all marks fit `room` or are packed.
    fn make_room(&mut self) -> Result<()> {
        let identity = Identity::of(self.game, "marks");
        while self.bytes > self.room
            && let Some(oldest) = self.open.iter().min_by_key(|(_, (_, used))| *used).map(|(&tier, _)| tier)
        {
            let bytes = self.with_section(oldest, |section| SectionFile::encode(&section, &identity));
            let packed = SectionFile::decode(bytes, "marks".as_ref(), &identity)?;
            self.bytes += packed.length();
            self.bytes -= self.open.remove(&oldest).map_or(0, |(marks, _)| marks.bytes());
            self.packed.insert(oldest, packed);
        }
        Ok(())
    }
}

impl<G: Tiered> KeepMarks for TierMarks<'_, G> {
    fn take(&mut self, number: usize, _: usize) -> Result<Option<Marks>> {
        if let Some((marks, _)) = self.open.remove(&number) {
            self.bytes -= marks.bytes();
            return Ok(Some(marks));
        }
        let Some(packed) = self.packed.remove(&number) else { return Ok(None) };
        self.bytes -= packed.length();
        self.read(number, &packed).map(Some)
    }

    fn put(&mut self, number: usize, _: usize, marks: Marks) -> Result<()> {
        self.clock += 1;
        self.bytes += marks.bytes();
        self.open.insert(number, (marks, self.clock));
        self.make_room()
    }
}
