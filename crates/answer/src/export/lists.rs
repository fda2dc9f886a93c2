//! Lists of positions in the forms of animal shogi's own analyser: text with a line per position, or its columns.
//!
//! They ascend by key, without sorting all of them at once. The leading digits of a key are the hands, and positions
//! with the same hands have numbers in one range per pair of lion squares. So the hands are taken one after the
//! other, each is gathered and sorted; where they have too many positions, the digits of the first squares divide
//! them.

use std::io::Write;
use std::ops::{Range, RangeInclusive};
use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

use super::file::OutFile;
use super::positions::{Positions, depth};
use rayon::prelude::*;
use yomikiri_rules::games::animal_shogi::AnimalShogi;
use yomikiri_rules::games::animal_shogi::board::Board;
use yomikiri_rules::games::animal_shogi::digits::{Digits, SQUARE_BITS};
use yomikiri_rules::games::animal_shogi::index::{ARRANGEMENTS, TurnedBlock};
use yomikiri_solve::Result;
use yomikiri_table::{Progress, Table};

/// Positions with fewer plies to the end are left out of the shorter lists.
const LEAST_DEPTH: u16 = 4;

/// What is written about each position. All lists ascend by key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum List {
    /// Every position: key, then 0 lost by a try, 1 the lion can be taken, -1 else.
    Ends,
    /// Every position: key and depth.
    Depths,
    /// Key and depth, without draws and depths below 4.
    Cooked,
    /// Keys of the cooked list, 8 bytes each, little endian.
    Keys,
    /// Depths of the cooked list, a byte each.
    Values,
}

impl List {
    /// Whether decided positions, draws and small depths are in the list.
    fn has_all(self) -> bool {
        matches!(self, List::Ends | List::Depths)
    }

    fn encode(self, Listed { key, byte, over }: Listed, bytes: &mut Vec<u8>) {
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

/// Writes lists of the same positions, all cooked or none; returns how many positions they have.
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
        false => Positions::from_depth(LEAST_DEPTH, game, table, progress)?,
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

/// Positions sorted at a time, eight bytes each; a few more if many share their first squares.
const MOST: u64 = 1 << 24;

/// Numbers that one thread goes through at a time.
const STRETCH: u32 = 1 << 15;

/// Bits of the squares' digits by which large hands are divided: three squares.
const LEAD_BITS: u32 = 12;

/// A position as it is sorted, from bit 0: table byte (8 bits), whether the game is over, the digits of its squares.
type Entry = u64;

/// Where the squares begin.
const SQUARES_AT: u32 = 9;

/// A position of a list.
#[derive(Clone, Copy, Debug)]
pub struct Listed {
    pub key: u64,
    /// The table byte that it has, or would have if it were stored.
    pub byte: u8,
    /// Whether the lion can be taken or the try has succeeded.
    pub over: bool,
}

/// Sorted positions with the same hands.
pub struct Run<'a> {
    hands: u64,
    pub entries: &'a [Entry],
}

impl Run<'_> {
    /// The position of an entry.
    #[inline]
    pub fn open(&self, entry: Entry) -> Listed {
        let key = self.hands << SQUARE_BITS | entry >> SQUARES_AT;
        Listed { key, byte: entry as u8, over: entry >> 8 & 1 == 1 }
    }
}

/// Calls `visit` with all wanted positions, ascending by key.
pub fn in_key_order(positions: &Positions, mut visit: impl FnMut(Run) -> Result<()>) -> Result<()> {
    let index = &positions.stored.game.index;
    let digits = Digits::new();
    let mut entries = Vec::new();
    for (hands, arrangements) in index.arrangements_by_hands() {
        let group = Group { positions, digits: &digits, ranges: ranges(arrangements, index.size()) };
        for leads in group.goes() {
            entries = group.gather(leads, entries);
            visit(Run { hands: hands.into(), entries: &entries })?;
        }
    }
    Ok(())
}

/// The numbers of arrangements in all pairs of lion squares, in pieces.
fn ranges(arrangements: Range<u32>, size: u32) -> Vec<Range<u32>> {
    let pairs = (0..size).step_by(ARRANGEMENTS as usize);
    let pieces = |pair: u32| {
        let end = pair + arrangements.end;
        (pair + arrangements.start..end).step_by(STRETCH as usize).map(move |first| first..(first + STRETCH).min(end))
    };
    pairs.flat_map(pieces).collect()
}

/// All positions with the same hands.
struct Group<'a> {
    positions: &'a Positions<'a>,
    digits: &'a Digits,
    ranges: Vec<Range<u32>>,
}

impl Group<'_> {
    /// The leading squares' digits to take at a time, so that each time there are not too many positions.
    fn goes(&self) -> Vec<RangeInclusive<u64>> {
        let all = 0..=(1 << LEAD_BITS) - 1;
        let count = |range: &Range<u32>| {
            let mut count = 0u64;
            self.positions.each(range.clone(), |_| count += 1);
            count
        };
        match self.ranges.par_iter().map(count).sum() {
            0 => Vec::new(),
            1..=MOST => vec![all],
            _ => divided(&self.counts_by_lead()),
        }
    }

    fn counts_by_lead(&self) -> Vec<u64> {
        let counts: Vec<AtomicU32> = (0..1 << LEAD_BITS).map(|_| AtomicU32::new(0)).collect();
        self.ranges.par_iter().for_each(|range| {
            self.each(range, |_, _, squares| {
                counts[lead(squares) as usize].fetch_add(1, Relaxed);
            });
        });
        counts.into_iter().map(|count| count.into_inner().into()).collect()
    }

    /// The positions whose leading digits are among `leads`, sorted; `entries` lends its memory.
    fn gather(&self, leads: RangeInclusive<u64>, mut entries: Vec<Entry>) -> Vec<Entry> {
        entries.clear();
        let all = Mutex::new(entries);
        self.ranges.par_iter().for_each(|range| {
            let mut mine = Vec::new();
            self.each(range, |number, board, squares| {
                if leads.contains(&lead(squares)) {
                    let (byte, over) = self.positions.byte(number, board);
                    mine.push(squares << SQUARES_AT | Entry::from(over) << 8 | Entry::from(byte));
                }
            });
            all.lock().expect("no thread has failed").append(&mut mine);
        });
        let mut entries = all.into_inner().expect("no thread has failed");
        entries.par_sort_unstable();
        entries
    }

    /// Calls `visit` with number, board and canonical squares of the positions of a range.
    #[inline]
    fn each(&self, range: &Range<u32>, mut visit: impl FnMut(u32, &Board, u64)) {
        let (index, mut block) = (&self.positions.stored.game.index, TurnedBlock::default());
        self.positions.each(range.clone(), |number| {
            let board = index.unrank_turned(number, &mut block).rotated();
            visit(number, &board, self.digits.canonical(&board));
        });
    }
}

/// Leading digits of the squares.
#[inline]
fn lead(squares: u64) -> u64 {
    squares >> (SQUARE_BITS - LEAD_BITS)
}

/// Neighbouring leads put together as long as they have at most [`MOST`] positions.
fn divided(counts: &[u64]) -> Vec<RangeInclusive<u64>> {
    let (mut goes, mut first, mut sum) = (Vec::new(), 0, 0);
    for (lead, &count) in (0..).zip(counts) {
        if sum > 0 && sum + count > MOST {
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
        assert_eq!(divided(&[MOST / 2, MOST / 2, 0, 1]), [0..=2, 3..=3]);
        assert_eq!(divided(&[1, 2 * MOST, 1, MOST]), [0..=0, 1..=1, 2..=2, 3..=3]);
    }
}
