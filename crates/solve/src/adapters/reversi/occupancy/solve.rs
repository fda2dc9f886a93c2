//! Step 2: values all positions, ply by ply from the end.

use super::enumerate::{FIRST, stored_ply};
use super::occupancies::Occupancies;
use super::reduce::{PlySheet, Valuer};
use super::rows::{FILLS_ROWS, Rows};
use super::sets::words_per_occupancy;
use crate::Result;
use yomikiri_rules::games::reversi::board::{Board, Squares};
use yomikiri_rules::games::reversi::index;
use yomikiri_rules::games::reversi::rules::Rules;
use yomikiri_table::blocks::ROWS_PER_BLOCK;
use yomikiri_table::{Progress, Store, TableError, parallel};

/// The number of words of the bit set of positions that are valued before their values are written.
const BATCH: usize = 1 << 22;

/// A set of occupied squares, with its positions as words of bits.
type Occupied<'a> = (Squares, &'a [u64]);

/// Values all positions into `store`: the last ply first, and within a ply the occupancies in ascending order. Each
/// occupancy has a section of its own, but the occupancies of a ply with fewer than [`FILLS_ROWS`] discs share one.
/// `reach` is the finished enumeration. Sections that are already in `store` are kept.
pub fn solve(
    rules: Rules,
    occupancies: &Occupancies,
    reach: &Store,
    store: &mut Store,
    progress: &dyn Progress,
) -> Result<()> {
    let board = rules.board;
    let positions = |discs: u32| reach.entries[(discs - FIRST) as usize].tally.positions();
    progress.begin("Step 2: solve", (FIRST..board.area()).map(positions).sum());
    // Plies after `begun + 1` are complete and no longer needed. Plies whose occupancies share a section cannot be read
    // back. They are valued again, starting from the first ply that can be read back.
    let begun = store.entries.last().and_then(|entry| index::disc_count(board, entry.key)).unwrap_or(board.area());
    let first = (board.area() - 1).min((begun + 1).max(FILLS_ROWS));
    progress.advance((first + 1..board.area()).map(positions).sum());
    let mut below = PlySheet::new(Vec::new(), Vec::new());
    for discs in (FIRST..=first).rev() {
        let words = stored_ply(occupancies, reach, discs)?;
        let valuer = Valuer::new(rules, occupancies, discs, &below);
        let bytes = solve_ply(board, &valuer, occupancies.of(discs), &words, store, progress)?;
        below = PlySheet::new(words, bytes);
    }
    let positions: u64 = store.entries.iter().map(|entry| entry.tally.positions()).sum();
    progress.end(&format!("{positions} values"));
    Ok(())
}

/// Returns the table bytes of a ply, and completes its sections in `store`.
fn solve_ply(
    board: Board,
    valuer: &Valuer,
    sets: &[Squares],
    words: &[u64],
    store: &mut Store,
    progress: &dyn Progress,
) -> Result<Vec<u8>> {
    let discs = sets[0].count_ones();
    let kept = sections_of(board, discs, store);
    let occupied = sets.iter().copied().zip(words.chunks(words_per_occupancy(discs)));
    let occupied: Vec<Occupied> = occupied.filter(|(_, words)| words.iter().any(|&word| word != 0)).collect();
    if discs < FILLS_ROWS {
        let bytes = batch_bytes(valuer, &occupied, progress).concat();
        if kept.is_empty() && !bytes.is_empty() {
            append(&[Rows::of_ply(board, sets, words, &bytes)], store)?;
        }
        return Ok(bytes);
    }
    let stored = |at: usize| stored_bytes(store, kept.start + at, occupied[at].1);
    let mut bytes = parallel::try_map(kept.len().min(occupied.len()), stored)?.concat();
    progress.advance(bytes.len() as u64);
    for batch in occupied[kept.len()..].chunks((BATCH / words_per_occupancy(discs)).max(1)) {
        let found = batch_bytes(valuer, batch, progress);
        let rows = |at: usize| {
            let (occupied, words) = batch[at];
            Rows::of_occupancy(board, occupied, words, &found[at])
        };
        append(&parallel::map(batch.len(), rows), store)?;
        found.iter().for_each(|found| bytes.extend_from_slice(found));
    }
    Ok(bytes)
}

/// Returns the table bytes of the positions of several occupancies, in the order of `batch`.
fn batch_bytes(valuer: &Valuer, batch: &[Occupied], progress: &dyn Progress) -> Vec<Vec<u8>> {
    let bytes = |at: usize| {
        let (occupied, words) = batch[at];
        let bytes = valuer.bytes(occupied, words);
        progress.advance(bytes.len() as u64);
        bytes
    };
    parallel::map(batch.len(), bytes)
}

/// Returns the indices of a ply's sections in `store`.
fn sections_of(board: Board, discs: u32, store: &Store) -> std::ops::Range<usize> {
    let ply = |key: u64| index::disc_count(board, key);
    // Later plies come first.
    let first = store.entries.partition_point(|entry| ply(entry.key) > Some(discs));
    first..store.entries.partition_point(|entry| ply(entry.key) >= Some(discs))
}

fn append(rows: &[Rows], store: &mut Store) -> Result<(), TableError> {
    let plain: Vec<_> = rows.iter().map(|rows| |block: usize| rows.block(block)).collect();
    let sections: Vec<_> = rows.iter().zip(&plain).map(|(rows, plain)| rows.section(plain)).collect();
    store.append_all(&sections)
}

/// Reads the table bytes of the positions of one occupancy, whose section is complete.
fn stored_bytes(store: &Store, section: usize, words: &[u64]) -> Result<Vec<u8>, TableError> {
    let bad = || store.damaged("a block of values has the wrong size");
    let mut bytes = Vec::new();
    for (block, words) in words.chunks(ROWS_PER_BLOCK).enumerate() {
        bytes.extend_from_slice(store.read(section, block)?.get(8 * words.len()..).ok_or_else(bad)?);
    }
    let positions: usize = words.iter().map(|word| word.count_ones() as usize).sum();
    if bytes.len() == positions { Ok(bytes) } else { Err(bad()) }
}
