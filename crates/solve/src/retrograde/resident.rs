//! Tables of cyclic games in memory, for look-ups: a byte for each key, including wins that the file leaves out.

use std::ops::{ControlFlow, Range};
use std::sync::atomic::AtomicU8;
use std::sync::atomic::Ordering::Relaxed;

use super::read::{UNKNOWN_WIN, no_bytes, read};
use super::table::{BLOCK_KEYS, all_rows, no_loss, read_listed, unlisted_outcome};
use super::{Cyclic, DenseKey};
use crate::resident::{FETCHED, TAKEN};
use crate::{Resident, Result, Wins};

use yomikiri_rules::{CodedValue, HasDistance, Outcome, Value};
use yomikiri_table::blocks::Lanes;
use yomikiri_table::memory::prefetch;
use yomikiri_table::{Table, TableError, parallel};

/// Reads a table that leaves out an outcome into memory. Returns `None` if the table lists all its positions. With
/// [`Wins::WhenAsked`], [`resident_values`] finds the distances of unlisted wins later.
pub fn load<G: Cyclic>(game: &G, table: &Table, wins: Wins) -> Result<Option<Resident>> {
    Ok(match (unlisted_outcome(table.header.index_kind), wins) {
        (None, _) => None,
        (Some(Outcome::Win), Wins::WhenAsked) => {
            all_rows(game, table)?;
            let mut bytes = no_bytes(game)?;
            parallel::try_each_part_mut(&mut bytes, BLOCK_KEYS as usize, |block, bytes| {
                read_listed::<G::Value>(table, block as u64, UNKNOWN_WIN, bytes, |_| Lanes::MAX)
            })?;
            Some(Resident::new(bytes, Some(UNKNOWN_WIN)))
        }
        _ => Some(Resident::new(read(game, table)?, None)),
    })
}

/// Returns the table byte of each key, in order, from a table in memory; 0 for keys that the table does not have. The
/// keys may have any order, but ascending order is faster. If the byte of a win is not known yet, it is computed from
/// the win's moves, and kept.
pub fn resident_values<G: Cyclic>(
    game: &G,
    table: &Table,
    resident: &Resident,
    keys: &[u64],
) -> Result<Vec<u8>, TableError> {
    let mut found = resident.bytes_of(keys);
    let Some((cells, unknown)) = resident.unknown() else { return Ok(found) };
    parallel::try_each_part_mut(&mut found, TAKEN, |number, found| {
        let keys = &keys[number * TAKEN..][..found.len()];
        let mut block = G::Block::default();
        let left_out: Vec<usize> = (0..keys.len()).filter(|&at| found[at] == unknown).collect();
        left_out.chunks(FETCHED).try_for_each(|places| {
            let keys: Vec<u64> = places.iter().map(|&at| keys[at]).collect();
            let bytes = find_wins(game, table, cells, &keys, &mut block)?;
            places.iter().zip(bytes).for_each(|(&at, byte)| found[at] = byte);
            Ok(())
        })
    })?;
    Ok(found)
}

/// Returns the bytes of a few keys that a table leaves out: 0 if the position of a key cannot arise, else the byte of a
/// win. All children are prefetched before the first is read.
fn find_wins<G: Cyclic>(
    game: &G,
    table: &Table,
    cells: &[AtomicU8],
    keys: &[u64],
    block: &mut G::Block,
) -> Result<Vec<u8>, TableError> {
    /// The range of a position's undecided children in `children`, and the best value of its moves to decided
    /// positions.
    type Moves<V> = (Range<usize>, Option<V>);
    let mut children: Vec<G::Key> = Vec::with_capacity(16 * FETCHED);
    let mut moves: Vec<Option<Moves<G::Value>>> = Vec::with_capacity(FETCHED);
    for &key in keys {
        let board = game.board(G::Key::of(key), block);
        if !game.may_arise(G::Key::of(key), &board) {
            moves.push(None);
            continue;
        }
        let (first, mut best) = (children.len(), None);
        let _ = game.children(&board, |child, over| {
            match over {
                Some((outcome, plies)) => best = best.max(Some(G::Value::of(outcome, plies.into()).of_move())),
                None => {
                    let child = game.key_of(child);
                    prefetch(&cells[child.into() as usize]);
                    children.push(child);
                }
            }
            ControlFlow::Continue(())
        });
        moves.push(Some((first..children.len(), best)));
    }
    let byte = |(&key, moves): (&u64, Option<Moves<G::Value>>)| {
        let Some((mine, ends)) = moves else { return Ok(0) };
        let value = |&child: &G::Key| G::Value::from_byte(cells[child.into() as usize].load(Relaxed));
        // A move to a won child does not win, whether or not the child's distance is known.
        let lost = children[mine].iter().filter_map(value).filter(|value| value.outcome() == Outcome::Loss);
        let best = ends.max(lost.map(Value::of_move).max()).filter(|value| value.outcome() == Outcome::Win);
        let text = || game.position_text(&game.position(G::Key::of(key)));
        best.map(Value::to_byte).ok_or_else(|| no_loss(table, text()))
    };
    let bytes: Vec<u8> = keys.iter().zip(moves).map(byte).collect::<Result<_, _>>()?;
    keys.iter().zip(&bytes).for_each(|(&key, &byte)| cells[key as usize].store(byte, Relaxed));
    Ok(bytes)
}
