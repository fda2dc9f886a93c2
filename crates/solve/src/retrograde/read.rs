//! Reads whole tables of cyclic games into memory, including wins that the file leaves out.

use std::ops::{ControlFlow, Range};
use std::sync::atomic::AtomicU8;
use std::sync::atomic::Ordering::Relaxed;

use super::steps::{self, Keys};
use super::table::{BLOCK_KEYS, all_rows, no_loss, read_block, read_listed, shortest_win};
use super::{Cyclic, DenseKey};
use crate::space::{Batch, CHUNK, RANKED_PART, RankedSet};
use crate::{Result, sorted_keys};

use yomikiri_rules::{CodedValue, HasDistance, Outcome, Value};
use yomikiri_table::memory::{Zeros, prefetch};
use yomikiri_table::{IndexKind, Table, parallel};

/// The byte of the latest possible win. It marks wins whose distance is not known yet.
pub(super) const UNKNOWN_WIN: u8 = u8::MAX;

/// Reads the table bytes of all keys. The table may be of any kind that the game uses. Byte 0 means that the key has no
/// position.
pub fn read<G: Cyclic>(game: &G, table: &Table) -> Result<Zeros<u8>> {
    if table.header.index_kind == IndexKind::SortedKeys {
        return read_sorted(game, table);
    }
    let rest = all_rows(game, table)?;
    let filler = filler::<G>(rest);
    let mut bytes = no_bytes(game)?;
    parallel::try_each_part_mut(&mut bytes, BLOCK_KEYS as usize, |block, bytes| {
        read_block(game, table, block as u64, filler, bytes)
    })?;
    if rest == Outcome::Win {
        fill_wins(game, table, DenseCells(bytes.shared()))?;
    }
    Ok(bytes)
}

/// Reads a table that leaves out an outcome in less memory than [`read`], but more slowly. Returns the keys that have a
/// position, and the byte of each position by its place in that set. The game has at most [`RankedSet::MAX_LEN`] keys.
pub fn read_ranked<G: Cyclic>(game: &G, table: &Table) -> Result<(RankedSet, Zeros<u8>)> {
    const { assert!(RANKED_PART.is_multiple_of(BLOCK_KEYS)) };
    let rest = all_rows(game, table)?;
    let (all, filler) = (game.open_keys().into(), filler::<G>(rest));
    let keys_of = |block: u64| block * BLOCK_KEYS..((block + 1) * BLOCK_KEYS).min(all);
    let set = RankedSet::new(all, |part, words| {
        for (block, words) in (part.start / BLOCK_KEYS..).zip(words.chunks_mut((BLOCK_KEYS / 64) as usize)) {
            let keys = keys_of(block);
            if keys.is_empty() {
                break;
            }
            let mut bytes = [0; BLOCK_KEYS as usize];
            let bytes = &mut bytes[..(keys.end - keys.start) as usize];
            read_block(game, table, block, filler, bytes)?;
            for (word, bytes) in words.iter_mut().zip(bytes.chunks(64)) {
                *word = bytes.iter().enumerate().fold(0, |word, (at, &byte)| word | u64::from(byte != 0) << at);
            }
        }
        Ok(())
    })?;
    let mut bytes = Zeros::<u8>::filled(set.count() as usize)?;
    let cells = RankedCells { set: &set, bytes: bytes.shared() };
    parallel::try_each(all.div_ceil(BLOCK_KEYS) as usize, |block| {
        let keys = keys_of(block as u64);
        let mut bytes = [0; BLOCK_KEYS as usize];
        let inside = &mut bytes[..(keys.end - keys.start) as usize];
        read_listed::<G::Value>(table, block as u64, filler, inside, |keys| set.word(keys.start / 64))?;
        let first = keys.start;
        set.each(keys, |key, place| cells.bytes[place as usize].store(bytes[(key - first) as usize], Relaxed));
        Ok::<_, crate::SolveError>(())
    })?;
    if rest == Outcome::Win {
        fill_wins(game, table, cells)?;
    }
    Ok((set, bytes))
}

/// Returns the byte of the positions that a table leaves out, which all have the outcome `rest`. All unlisted wins have
/// the same byte until `fill_wins` finds their distances.
fn filler<G: Cyclic>(rest: Outcome) -> u8 {
    if rest == Outcome::Win { UNKNOWN_WIN } else { G::Value::of(rest, 1).to_byte() }
}

/// The bytes of keys, which threads read and change.
trait Cells: Copy + Sync {
    /// Returns the byte of a key, or `None` if it has none.
    fn get(&self, key: u64) -> Option<&AtomicU8>;

    /// Prefetches the memory that [`Cells::get`] reads first.
    fn prefetch(&self, key: u64);

    /// Calls `visit` with each key of a range that has a byte, and with the byte. The range starts with a multiple of
    /// 64.
    fn each(&self, keys: Range<u64>, visit: impl FnMut(u64, u8));

    /// Returns the byte of a key, or 0 if it has none.
    #[inline(always)]
    fn byte(&self, key: u64) -> u8 {
        self.get(key).map_or(0, |cell| cell.load(Relaxed))
    }
}

/// A byte for every key, at its own number.
#[derive(Clone, Copy)]
struct DenseCells<'a>(&'a [AtomicU8]);

impl Cells for DenseCells<'_> {
    #[inline(always)]
    fn get(&self, key: u64) -> Option<&AtomicU8> {
        Some(&self.0[key as usize])
    }

    #[inline(always)]
    fn prefetch(&self, key: u64) {
        prefetch(&self.0[key as usize]);
    }

    #[inline(always)]
    fn each(&self, keys: Range<u64>, mut visit: impl FnMut(u64, u8)) {
        keys.for_each(|key| visit(key, self.0[key as usize].load(Relaxed)));
    }
}

/// A byte for each key of a set, at the key's place.
#[derive(Clone, Copy)]
struct RankedCells<'a> {
    set: &'a RankedSet,
    bytes: &'a [AtomicU8],
}

impl Cells for RankedCells<'_> {
    #[inline(always)]
    fn get(&self, key: u64) -> Option<&AtomicU8> {
        self.set.place(key).map(|place| &self.bytes[place as usize])
    }

    #[inline(always)]
    fn prefetch(&self, key: u64) {
        self.set.prefetch(key);
    }

    #[inline(always)]
    fn each(&self, keys: Range<u64>, mut visit: impl FnMut(u64, u8)) {
        self.set.each(keys, |key, place| visit(key, self.bytes[place as usize].load(Relaxed)));
    }
}

/// Finds the distances of the wins that a table leaves out, whose bytes are [`UNKNOWN_WIN`] at first. A parent of a
/// lost position can win one ply later than that position loses, or sooner. A sooner win has a smaller byte, so the
/// least byte found for a position is its value.
fn fill_wins<G: Cyclic>(game: &G, table: &Table, cells: impl Cells) -> Result<()> {
    let value = |byte: u8| G::Value::from_byte(byte);
    let outcome = |byte: u8| value(byte).map(|value| value.outcome());
    let of_move: [Option<u8>; 256] = std::array::from_fn(|byte| {
        let lost = value(byte as u8).filter(|value| value.outcome() == Outcome::Loss);
        lost.map(|value| value.of_move().to_byte())
    });
    let is_win: [bool; 256] = std::array::from_fn(|byte| outcome(byte as u8) == Some(Outcome::Win));
    let keys: u64 = game.open_keys().into();
    let chunk = |chunk: usize| chunk as u64 * CHUNK..((chunk as u64 + 1) * CHUNK).min(keys);
    // Only bytes of wins change, and only to smaller bytes of wins.
    let win = |(key, win): (G::Key, u8)| {
        if let Some(cell) = cells.get(key.into())
            && is_win[usize::from(cell.load(Relaxed))]
        {
            cell.fetch_min(win, Relaxed);
        }
    };
    let chunks = keys.div_ceil(CHUNK) as usize;
    // First find the wins by moves to decided positions. Any unlisted position may have such a move.
    parallel::each(chunks, |number| {
        steps::seeds(game, &UnknownWins { cells, keys: chunk(number) }, |found, outcome, plies| {
            let ends = G::Value::of(outcome, plies.into()).to_byte();
            if outcome == Outcome::Win {
                found.each(|key| win((G::Key::of(key), ends)));
            }
        });
    });
    parallel::each(chunks, |number| {
        let (mut waiting, mut block) = (Batch::new(), G::Block::default());
        cells.each(chunk(number), |key, byte| {
            let Some(sooner) = of_move[usize::from(byte)] else { return };
            let _ = game.parents(&game.board(G::Key::of(key), &mut block), |parent| {
                cells.prefetch(parent.into());
                waiting.push((parent, sooner), win);
                ControlFlow::Continue(())
            });
        });
        waiting.flush(win);
    });
    // Positions that still have the byte `UNKNOWN_WIN` must be wins at the greatest distance, or the table is damaged.
    let check = |key: u64| {
        let dense = G::Key::of(key);
        let board = game.board(dense, &mut G::Block::default());
        let win = shortest_win(game, &board, |key| Some(cells.byte(key))).map(Value::to_byte);
        let text = || game.position_text(&game.position(dense));
        if win == Some(UNKNOWN_WIN) { Ok(()) } else { Err(no_loss(table, text()).into()) }
    };
    parallel::try_each(chunks, |number| {
        let mut left = Ok(());
        UnknownWins { cells, keys: chunk(number) }.each(|key| {
            if left.is_ok() {
                left = check(key);
            }
        });
        left
    })
}

/// The keys of a range whose byte is [`UNKNOWN_WIN`].
struct UnknownWins<C> {
    cells: C,
    keys: Range<u64>,
}

impl<C: Cells> Keys for UnknownWins<C> {
    fn each(&self, mut visit: impl FnMut(u64)) {
        self.cells.each(self.keys.clone(), |key, byte| {
            if byte == UNKNOWN_WIN {
                visit(key);
            }
        });
    }
}

/// Reads the bytes of all keys from a table of sorted keys.
fn read_sorted<G: Cyclic>(game: &G, table: &Table) -> Result<Zeros<u8>> {
    let mut bytes = no_bytes(game)?;
    let (keys, values) = sorted_keys::read(table)?;
    for (key, value) in keys.into_iter().zip(values) {
        let place = bytes.get_mut(key as usize);
        *place.ok_or_else(|| table.damaged(format!("has key {key}, which belongs to no position")))? = value;
    }
    Ok(bytes)
}

/// Allocates a byte for each key of a game, all 0.
pub(super) fn no_bytes<G: Cyclic>(game: &G) -> Result<Zeros<u8>> {
    let keys = game.open_keys().into();
    Ok(Zeros::filled(keys as usize)?)
}

#[cfg(all(test, feature = "write"))]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::SolveOptions;
    use crate::retrograde::analyze_dense;
    use yomikiri_rules::games::pyonpyon::Pyonpyon;
    use yomikiri_table::{Silent, probe};

    /// Reads a table by both functions, and compares every key. Checks that the table is of this kind.
    fn both_functions_agree<G: Cyclic>(code: &str, kind: IndexKind) {
        let (game, folder) = (G::parse(code).unwrap(), tempfile::tempdir().unwrap());
        let path = folder.path().join(code).with_extension("tbl");
        let options = SolveOptions { memory: 1 << 30, force: false, checkpoint: Duration::MAX, progress: &Silent };
        analyze_dense(&game, &path, &options).unwrap();
        let table = probe::open(&game, &path).unwrap();
        assert_eq!(table.header.index_kind, kind, "{code}");
        let bytes = read(&game, &table).unwrap();
        let (set, ranked) = read_ranked(&game, &table).unwrap();
        assert_eq!(set.count(), table.header.positions.get(), "{code}");
        for (key, &byte) in (0..).zip(&bytes[..]) {
            assert_eq!(set.place(key).map_or(0, |place| ranked[place as usize]), byte, "{code}: key {key}");
        }
    }

    #[test]
    fn both_functions_read_the_same_values() {
        both_functions_agree::<Pyonpyon>("pyon3x4", IndexKind::UnlistedDraws);
        both_functions_agree::<Pyonpyon>("pyon2x3", IndexKind::UnlistedWins);
    }
}
