//! Tables of cyclic games in memory: a byte for each key, including wins that the file leaves out.

use std::ops::{ControlFlow, Range};
use std::sync::atomic::AtomicU8;
use std::sync::atomic::Ordering::Relaxed;

use super::steps::{self, Keys};
use super::table::{BLOCK_KEYS, all_rows, no_loss, read_block, read_listed, shortest_win, unlisted_outcome};
use super::{Cyclic, DenseKey};
use crate::resident::{FETCHED, TAKEN};
use crate::space::{Batch, CHUNK};
use crate::{Resident, Result, Wins, sorted_keys};

use yomikiri_rules::{CodedValue, HasDistance, Outcome, Value};
use yomikiri_table::blocks::Lanes;
use yomikiri_table::memory::Zeros;
use yomikiri_table::memory::prefetch;
use yomikiri_table::{IndexKind, Table, TableError, parallel};

/// Reads the table bytes of all keys. The table may be of any kind that the game uses. Byte 0 means that the key has no
/// position.
pub fn read<G: Cyclic>(game: &G, table: &Table) -> Result<Zeros<u8>> {
    if table.header.index_kind == IndexKind::SortedKeys {
        return read_sorted(game, table);
    }
    let rest = all_rows(game, table)?;
    // All unlisted wins have the same byte until `fill_wins` finds their distances.
    let filler = if rest == Outcome::Win { UNKNOWN_WIN } else { G::Value::of(rest, 1).to_byte() };
    let mut bytes = no_bytes(game)?;
    parallel::try_each_part_mut(&mut bytes, BLOCK_KEYS as usize, |block, bytes| {
        read_block(game, table, block as u64, filler, bytes)
    })?;
    if rest == Outcome::Win {
        fill_wins(game, table, &mut bytes)?;
    }
    Ok(bytes)
}

/// The byte of the latest possible win. It marks wins whose distance is not known yet.
const UNKNOWN_WIN: u8 = u8::MAX;

/// Finds the distances of the wins that a table leaves out, whose bytes are [`UNKNOWN_WIN`] at first. A parent of a
/// lost position can win one ply later than that position loses, or sooner. A sooner win has a smaller byte, so the
/// least byte found for a position is its value.
fn fill_wins<G: Cyclic>(game: &G, table: &Table, bytes: &mut Zeros<u8>) -> Result<()> {
    let value = |byte: u8| G::Value::from_byte(byte);
    let outcome = |byte: u8| value(byte).map(|value| value.outcome());
    let of_move: [Option<u8>; 256] = std::array::from_fn(|byte| {
        let lost = value(byte as u8).filter(|value| value.outcome() == Outcome::Loss);
        lost.map(|value| value.of_move().to_byte())
    });
    let is_win: [bool; 256] = std::array::from_fn(|byte| outcome(byte as u8) == Some(Outcome::Win));
    let keys = bytes.len() as u64;
    let cells = bytes.shared();
    let byte = |key: u64| cells[key as usize].load(Relaxed);
    // Only bytes of wins change, and only to smaller bytes of wins.
    let win = |(key, win): (G::Key, u8)| {
        let cell = &cells[key.into() as usize];
        if is_win[usize::from(cell.load(Relaxed))] {
            cell.fetch_min(win, Relaxed);
        }
    };
    let each_chunk = |work: &(dyn Fn(Range<u64>) + Sync)| {
        parallel::each(keys.div_ceil(CHUNK) as usize, |chunk| {
            let first = chunk as u64 * CHUNK;
            work(first..(first + CHUNK).min(keys));
        });
    };
    // First find the wins by moves to decided positions. Any unlisted position may have such a move.
    each_chunk(&|keys| {
        let unknown = Those(keys, |key| byte(key) == UNKNOWN_WIN);
        steps::seeds(game, &unknown, |found, outcome, plies| {
            let ends = G::Value::of(outcome, plies.into()).to_byte();
            if outcome == Outcome::Win {
                found.each(|key| win((G::Key::of(key), ends)));
            }
        });
    });
    each_chunk(&|keys| {
        let (mut waiting, mut block) = (Batch::new(), G::Block::default());
        for key in keys {
            let Some(sooner) = of_move[usize::from(byte(key))] else { continue };
            let _ = game.parents(&game.board(G::Key::of(key), &mut block), |parent| {
                prefetch(&cells[parent.into() as usize]);
                waiting.push((parent, sooner), win);
                ControlFlow::Continue(())
            });
        }
        waiting.flush(win);
    });
    // Positions that still have the byte `UNKNOWN_WIN` must be wins at the greatest distance, or the table is damaged.
    let check = |key: u64| {
        let dense = G::Key::of(key);
        let board = game.board(dense, &mut G::Block::default());
        let win = shortest_win(game, &board, |key| Some(byte(key))).map(Value::to_byte);
        let text = || game.position_text(&game.position(dense));
        if win == Some(UNKNOWN_WIN) { Ok(()) } else { Err(no_loss(table, text()).into()) }
    };
    parallel::try_each(keys.div_ceil(CHUNK) as usize, |chunk| {
        let first = chunk as u64 * CHUNK;
        (first..(first + CHUNK).min(keys)).filter(|&key| byte(key) == UNKNOWN_WIN).try_for_each(check)
    })
}

/// The keys of a range for which a condition holds.
struct Those<F>(Range<u64>, F);

impl<F: Fn(u64) -> bool> Keys for Those<F> {
    fn each(&self, visit: impl FnMut(u64)) {
        self.0.clone().filter(|&key| (self.1)(key)).for_each(visit);
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
fn no_bytes<G: Cyclic>(game: &G) -> Result<Zeros<u8>> {
    let keys = game.open_keys().into();
    Ok(Zeros::filled(keys as usize)?)
}

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
