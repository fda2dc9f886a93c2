//! Lists of positions in the formats of animal shogi's own analyser: text with one position a line, or binary columns.
//!
//! The lists are in key order, although the positions are never sorted all at once. The leading digits of a key encode
//! the hands. For each pair of lion squares, the positions with the same hands have consecutive indices in the table.
//! So the positions with the same hands are collected and sorted together. If there are too many of them, they are
//! divided by the digits of the first three squares.

use std::io::Write;
use std::ops::{Range, RangeInclusive};
use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

use super::file::OutFile;
use super::positions::{Positions, depth};
use yomikiri_rules::games::animal_shogi::AnimalShogi;
use yomikiri_rules::games::animal_shogi::board::Board;
use yomikiri_rules::games::animal_shogi::digits::{Digits, SQUARE_BITS};
use yomikiri_rules::games::animal_shogi::index::{ARRANGEMENTS, RotatedBlock};
use yomikiri_solve::Result;
use yomikiri_table::{Progress, Table, parallel};

/// The minimum depth (plies to the end) of a position in lists that leave out small depths.
const MIN_DEPTH: u16 = 4;

/// The content of a list. All lists are in key order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum List {
    /// Every position: the key, then 1 if the side to move can take the opponent's lion, else 0 if the opponent's lion
    /// has reached its last rank (a try), else -1.
    Ends,
    /// Every position: the key and the depth (plies to the end), -1 for a draw.
    Depths,
    /// The cooked list: the key and the depth (plies to the end) of each position, except draws and positions with
    /// depths below 4.
    Cooked,
    /// The keys of the positions in [`List::Cooked`], as 8 bytes each, little endian.
    Keys,
    /// The depths (plies to the end) of the positions in [`List::Cooked`], as one byte each.
    Values,
}

impl List {
    /// Returns true if the list has all positions, including draws and positions near the end of the game.
    fn has_all(self) -> bool {
        matches!(self, List::Ends | List::Depths)
    }

    fn encode(self, ListEntry { key, byte, over }: ListEntry, bytes: &mut Vec<u8>) {
        let depth = depth(byte);
        // Writing to memory does not fail.
        let _ = match self {
            List::Ends => writeln!(bytes, "{key:015x} {}", if over { depth } else { -1 }),
            List::Depths | List::Cooked => writeln!(bytes, "{key:015x} {depth}"),
            List::Keys => bytes.write_all(&key.to_le_bytes()),
            List::Values => bytes.write_all(&[depth as u8]),
        };
    }
}

/// Writes `lists` in one pass over the positions. Either all of them list every position, or all leave out draws and
/// depths (plies to the end) below 4. Returns the number of positions.
pub fn export_lists(
    game: &AnimalShogi,
    table: &Table,
    lists: &[(List, PathBuf)],
    progress: &dyn Progress,
) -> Result<u64> {
    let open = |&(list, ref path): &(List, PathBuf)| Ok((list, OutFile::create(path)?));
    let mut files = lists.iter().map(open).collect::<Result<Vec<_>>>()?;
    let positions = match lists.iter().all(|(list, _)| list.has_all()) {
        true => Positions::all(game, table, progress)?,
        false => Positions::from_depth(MIN_DEPTH, game, table, progress)?,
    };
    let count = positions.count();
    progress.begin("export", count);
    in_key_order(&positions, |run| {
        for (list, file) in &mut files {
            file.write_each(run.entries, |&entry, bytes| {
                list.encode(run.open(entry), bytes);
                Ok(())
            })?;
        }
        progress.advance(run.entries.len() as u64);
        Ok(())
    })?;
    files.into_iter().try_for_each(|(_, file)| file.finish())?;
    progress.end(&format!("{count} positions"));
    Ok(count)
}

/// The maximum number of positions that are sorted at a time, at 8 bytes each. More are sorted at a time only if they
/// have the same hands and the same pieces on the first three squares.
const MAX_SORTED: u64 = 1 << 24;

/// The number of position indices that one thread visits at a time.
const STRETCH: u32 = 1 << 15;

/// The number of bits in a key's digits for the first three squares. If too many positions have the same hands, they
/// are divided by these bits.
const LEAD_BITS: u32 = 12;

/// A position in sortable form. From bit 0: table byte (8 bits), game over (1 bit), the key's digits for the squares.
type SortableEntry = u64;

/// The index of the lowest bit of the squares' digits in a [`SortableEntry`].
const SQUARES_AT: u32 = 9;

/// A position of a list.
#[derive(Clone, Copy, Debug)]
pub struct ListEntry {
    pub key: u64,
    /// The byte that encodes the value: the byte in the table, or the byte of the value by the rules if the table does
    /// not store the position.
    pub byte: u8,
    /// True if the lion can be taken or a try has succeeded.
    pub over: bool,
}

/// Sorted positions that share the same pieces in hand.
pub struct SortedHands<'a> {
    hands: u64,
    pub entries: &'a [SortableEntry],
}

impl SortedHands<'_> {
    /// Decodes an entry.
    #[inline]
    pub fn open(&self, entry: SortableEntry) -> ListEntry {
        let key = self.hands << SQUARE_BITS | entry >> SQUARES_AT;
        ListEntry { key, byte: entry as u8, over: entry >> 8 & 1 == 1 }
    }
}

/// Calls `visit` with all positions to be listed, in ascending key order. The positions of one call share the same
/// pieces in hand. If too many positions do, they are passed in several calls.
pub fn in_key_order(positions: &Positions, mut visit: impl FnMut(SortedHands) -> Result<()>) -> Result<()> {
    let index = &positions.stored.game.index;
    let digits = Digits::new();
    let mut entries = Vec::new();
    for (hands, arrangements) in index.arrangements_by_hands() {
        let group = HandsPositions { positions, digits: &digits, ranges: ranges(arrangements, index.size()) };
        for leads in group.lead_ranges() {
            entries = group.gather(leads, entries);
            visit(SortedHands { hands: hands.into(), entries: &entries })?;
        }
    }
    Ok(())
}

/// Returns the indices of all positions with these arrangements, in ranges of at most [`STRETCH`] indices. An
/// arrangement is a position's index relative to the first position with the same lion squares. `size` is the total
/// number of indices.
fn ranges(arrangements: Range<u32>, size: u32) -> Vec<Range<u32>> {
    let pairs = (0..size).step_by(ARRANGEMENTS as usize);
    let pieces = |pair: u32| {
        let end = pair + arrangements.end;
        (pair + arrangements.start..end).step_by(STRETCH as usize).map(move |first| first..(first + STRETCH).min(end))
    };
    pairs.flat_map(pieces).collect()
}

/// The positions to be listed that have the same hands. `ranges` has the indices of all positions with these hands,
/// listed or not.
struct HandsPositions<'a> {
    positions: &'a Positions<'a>,
    digits: &'a Digits,
    ranges: Vec<Range<u32>>,
}

impl HandsPositions<'_> {
    /// Splits the values of [`lead`] (the digits of the first three squares) into ranges with at most [`MAX_SORTED`]
    /// positions each. A range of a single value may have more.
    fn lead_ranges(&self) -> Vec<RangeInclusive<u64>> {
        let all = 0..=(1 << LEAD_BITS) - 1;
        let count = |numbers: Range<usize>| {
            let mut count = 0u64;
            self.ranges[numbers].iter().for_each(|range| self.positions.each(range.clone(), |_| count += 1));
            count
        };
        match parallel::sum(self.ranges.len(), 1, count) {
            0 => Vec::new(),
            1..=MAX_SORTED => vec![all],
            _ => divided(&self.counts_by_lead()),
        }
    }

    fn counts_by_lead(&self) -> Vec<u64> {
        let counts: Vec<AtomicU32> = (0..1 << LEAD_BITS).map(|_| AtomicU32::new(0)).collect();
        parallel::each(self.ranges.len(), |at| {
            self.each(&self.ranges[at], |_, _, squares| {
                counts[lead(squares) as usize].fetch_add(1, Relaxed);
            });
        });
        counts.into_iter().map(|count| count.into_inner().into()).collect()
    }

    /// Returns the positions with a [`lead`] (the digits of the first three squares) in the range `leads`, sorted.
    /// `entries` is reused as a buffer.
    fn gather(&self, leads: RangeInclusive<u64>, mut entries: Vec<SortableEntry>) -> Vec<SortableEntry> {
        entries.clear();
        let all = Mutex::new(entries);
        parallel::each(self.ranges.len(), |at| {
            let mut mine = Vec::new();
            self.each(&self.ranges[at], |number, board, squares| {
                if leads.contains(&lead(squares)) {
                    let (byte, over) = self.positions.byte(number, board);
                    mine.push(squares << SQUARES_AT | SortableEntry::from(over) << 8 | SortableEntry::from(byte));
                }
            });
            all.lock().expect("no thread has failed").append(&mut mine);
        });
        let mut entries = all.into_inner().expect("no thread has failed");
        parallel::sort(&mut entries);
        entries
    }

    /// Calls `visit` for each position to be listed in a range of indices. Passes the index, the board, and the digits
    /// of all squares of the canonical board.
    #[inline]
    fn each(&self, range: &Range<u32>, mut visit: impl FnMut(u32, &Board, u64)) {
        let (index, mut block) = (&self.positions.stored.game.index, RotatedBlock::default());
        self.positions.each(range.clone(), |number| {
            let board = index.unrank_rotated(number, &mut block).rotated();
            visit(number, &board, self.digits.canonical(&board));
        });
    }
}

/// Returns the digits of the first three squares. `squares` has the digits of all squares.
#[inline]
fn lead(squares: u64) -> u64 {
    squares >> (SQUARE_BITS - LEAD_BITS)
}

/// Joins neighbouring values of [`lead`] (the digits of the first three squares) into ranges with at most
/// [`MAX_SORTED`] positions each. `counts` has the number of positions for each value. A range of a single value may
/// have more.
fn divided(counts: &[u64]) -> Vec<RangeInclusive<u64>> {
    let (mut goes, mut first, mut sum) = (Vec::new(), 0, 0);
    for (lead, &count) in (0..).zip(counts) {
        if sum > 0 && sum + count > MAX_SORTED {
            goes.push(first..=lead - 1);
            (first, sum) = (lead, 0);
        }
        sum += count;
    }
    goes.push(first..=counts.len() as u64 - 1);
    goes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_go_has_as_many_positions_as_fit() {
        assert_eq!(divided(&[MAX_SORTED / 2, MAX_SORTED / 2, 0, 1]), [0..=2, 3..=3]);
        assert_eq!(divided(&[1, 2 * MAX_SORTED, 1, MAX_SORTED]), [0..=0, 1..=1, 2..=2, 3..=3]);
    }
}
