//! Tables of cyclic games in memory: a byte for each key, those of wins too that the file leaves out.

use std::ops::{ControlFlow, Range};
use std::sync::atomic::AtomicU8;
use std::sync::atomic::Ordering::Relaxed;

use rayon::prelude::*;

use super::steps::{self, Keys};
use super::table::{BLOCK_KEYS, all_rows, no_loss, read_block, read_listed, rest, shortest_win};
use super::{Cyclic, DenseKey};
use crate::memory::Zeros;
use crate::resident::{FETCHED, TAKEN};
use crate::space::{Batch, CHUNK, prefetch};
use crate::{Resident, Result, Wins, sorted_keys};
use yomikiri_rules::{HasDistance, Outcome, Value};
use yomikiri_table::{IndexKind, Table, TableError};

/// The bytes of all keys of a table of any kind that the game has, 0 where there is no position.
pub fn read<G: Cyclic>(game: &G, table: &Table) -> Result<Zeros<u8>> {
    if table.header.index_kind == IndexKind::SortedKeys {
        return read_sorted(game, table);
    }
    let rest = all_rows(game, table)?;
    // All unlisted wins look alike until it is known which losses they lead to.
    let filler = if rest == Outcome::Win { UNKNOWN_WIN } else { G::Value::of(rest, 1).to_byte() };
    let mut bytes = no_bytes(game)?;
    bytes
        .par_chunks_mut(BLOCK_KEYS as usize)
        .enumerate()
        .try_for_each(|(block, bytes)| read_block(game, table, block as u64, filler, bytes))?;
    if rest == Outcome::Win {
        fill_wins(game, table, &mut bytes)?;
    }
    Ok(bytes)
}

/// The byte of the latest win that there is, of which it must still be found out how soon it comes.
const UNKNOWN_WIN: u8 = u8::MAX;

/// Finds how soon wins come that a table leaves out: their bytes are [`UNKNOWN_WIN`]. Whoever can move to a loss wins a
/// ply later at the latest; the sooner a win, the smaller its byte.
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
    // Only the bytes of wins are changed, each to smaller ones of wins.
    let win = |(key, win): (G::Key, u8)| {
        let cell = &cells[key.into() as usize];
        if is_win[usize::from(cell.load(Relaxed))] {
            cell.fetch_min(win, Relaxed);
        }
    };
    let chunks = || {
        let keys_of = |chunk: u64| chunk * CHUNK..(chunk * CHUNK + CHUNK).min(keys);
        (0..keys.div_ceil(CHUNK)).into_par_iter().map(keys_of)
    };
    // First those by a move that ends the game: of all wins, while none is known.
    chunks().for_each(|keys| {
        let unknown = Those(keys, |key| byte(key) == UNKNOWN_WIN);
        steps::seeds(game, &unknown, |found, outcome, plies| {
            let ends = G::Value::of(outcome, plies.into()).to_byte();
            if outcome == Outcome::Win {
                found.each(|key| win((G::Key::of(key), ends)));
            }
        });
    });
    chunks().for_each(|keys| {
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
    // Those that are still unknown are as late as that, or no wins.
    let unknown = (0..keys).into_par_iter().filter(|&key| byte(key) == UNKNOWN_WIN);
    unknown.into_par_iter().try_for_each(|key| {
        let dense = G::Key::of(key);
        let board = game.board(dense, &mut G::Block::default());
        let win = shortest_win(game, &board, |key| Some(byte(key))).map(Value::to_byte);
        let text = || game.position_text(&game.position(dense));
        if win == Some(UNKNOWN_WIN) { Ok(()) } else { Err(no_loss(table, text()).into()) }
    })
}

/// Keys of a range that something holds for.
struct Those<F>(Range<u64>, F);

impl<F: Fn(u64) -> bool> Keys for Those<F> {
    fn each(&self, visit: impl FnMut(u64)) {
        self.0.clone().filter(|&key| (self.1)(key)).for_each(visit);
    }
}

/// The bytes of all keys of a table of sorted keys.
fn read_sorted<G: Cyclic>(game: &G, table: &Table) -> Result<Zeros<u8>> {
    let mut bytes = no_bytes(game)?;
    let (keys, values) = sorted_keys::read(table)?;
    for (key, value) in keys.into_iter().zip(values) {
        let place = bytes.get_mut(key as usize);
        *place.ok_or_else(|| table.damaged(format!("has a key, {key}, that no position has")))? = value;
    }
    Ok(bytes)
}

/// A byte for each key of a game, all 0.
fn no_bytes<G: Cyclic>(game: &G) -> Result<Zeros<u8>> {
    let keys = game.open_keys().into();
    Zeros::filled(keys as usize)
}

/// A table that leaves an outcome out, in memory; `None` of one that lists all its positions.
pub fn load<G: Cyclic>(game: &G, table: &Table, wins: Wins) -> Result<Option<Resident>> {
    Ok(match (rest(table.header.index_kind), wins) {
        (None, _) => None,
        (Some(Outcome::Win), Wins::WhenAsked) => {
            all_rows(game, table)?;
            let mut bytes = no_bytes(game)?;
            let blocks = bytes.par_chunks_mut(BLOCK_KEYS as usize).enumerate();
            blocks.try_for_each(|(block, bytes)| {
                read_listed::<G::Value>(table, block as u64, UNKNOWN_WIN, bytes, |_| true)
            })?;
            Some(Resident::new(bytes, Some(UNKNOWN_WIN)))
        }
        _ => Some(Resident::new(read(game, table)?, None)),
    })
}

/// The bytes of values of keys in a table in memory, 0 for those that it does not have. Keys may come in any order; those
/// that ascend are found sooner. Wins that have not been asked for before are found by their moves, and kept.
pub fn resident_values<G: Cyclic>(
    game: &G,
    table: &Table,
    resident: &Resident,
    keys: &[u64],
) -> Result<Vec<u8>, TableError> {
    let mut found = resident.bytes_of(keys);
    let Some((cells, unknown)) = resident.unknown() else { return Ok(found) };
    keys.par_chunks(TAKEN).zip(found.par_chunks_mut(TAKEN)).try_for_each(|(keys, found)| {
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

/// The bytes of a few keys that a table leaves out: 0 where no position can arise, else those of wins. All of their
/// children are asked for before any is looked at.
fn find_wins<G: Cyclic>(
    game: &G,
    table: &Table,
    cells: &[AtomicU8],
    keys: &[u64],
    block: &mut G::Block,
) -> Result<Vec<u8>, TableError> {
    /// The children of a position, and the best of those in which the game is over.
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
        // A child that is won, when or not known when, is no win.
        let lost = children[mine].iter().filter_map(value).filter(|value| value.outcome() == Outcome::Loss);
        let best = ends.max(lost.map(Value::of_move).max()).filter(|value| value.outcome() == Outcome::Win);
        let text = || game.position_text(&game.position(G::Key::of(key)));
        best.map(Value::to_byte).ok_or_else(|| no_loss(table, text()))
    };
    let bytes: Vec<u8> = keys.iter().zip(moves).map(byte).collect::<Result<_, _>>()?;
    keys.iter().zip(&bytes).for_each(|(&key, &byte)| cells[key as usize].store(byte, Relaxed));
    Ok(bytes)
}
