//! Tables of cyclic games: what is not listed is either no position that can arise, or of the commonest outcome.
//!
//! A block lists keys with their bytes. A key that is not listed belongs to no position if the position alone shows
//! that it cannot arise ([`Cyclic::may_arise`]); keys that look as if they could, but cannot, are listed with byte 0.
//! All others are draws, or, in a table of the other kind, wins: one ply more than the shortest loss among their
//! children.

#[cfg(feature = "write")]
use std::borrow::Cow;
use std::ops::ControlFlow;
#[cfg(feature = "write")]
use std::ops::Range;

use rayon::prelude::*;

use super::{Cyclic, DenseKey, RunSet};
use crate::Result;
use yomikiri_rules::{HasDistance, Outcome, Value};
use yomikiri_table::blocks::{LISTED_ROWS_PER_BLOCK, Lanes, decode_block, encode_block, for_each_lane, probe_block};
use yomikiri_table::probe::{self, probe};
use yomikiri_table::{IndexKind, Section, Table, TableError, Tally};
#[cfg(feature = "write")]
use yomikiri_table::{LISTED_LEVEL, NewSection, Store};

/// Keys in a row of a block.
pub const LANES: u64 = 64;

/// Keys in a block.
pub(super) const BLOCK_KEYS: u64 = LANES * LISTED_ROWS_PER_BLOCK as u64;

/// The kind of table that lists least: what is left out is the commoner of draws and wins.
pub fn best_kind<V: Value>(tally: &Tally) -> IndexKind {
    let count = |outcome: Outcome| -> u64 {
        let all = tally.plies.values().flatten();
        all.filter(|(byte, _)| V::from_byte(**byte).is_some_and(|value| value.outcome() == outcome))
            .map(|(_, n)| n)
            .sum()
    };
    if count(Outcome::Win) > count(Outcome::Draw) { IndexKind::RestWins } else { IndexKind::RestDraws }
}

/// The outcome of positions that a table of this kind does not list; `None` for other kinds.
pub(super) fn rest(kind: IndexKind) -> Option<Outcome> {
    match kind {
        IndexKind::RestWins => Some(Outcome::Win),
        IndexKind::RestDraws => Some(Outcome::Draw),
        IndexKind::Tiers | IndexKind::SortedKeys => None,
    }
}

/// Appends all values to the store of a table of this kind. `bytes` gives those of keys of a block, 0 where there is no
/// position.
#[cfg(feature = "write")]
pub fn append<'a, G: Cyclic>(
    game: &G,
    store: &mut Store,
    kind: IndexKind,
    (keys, bytes): (u64, &(impl Fn(Range<u64>) -> Cow<'a, [u8]> + Sync)),
    tally: Tally,
) -> Result<(), TableError> {
    store.set_level(LISTED_LEVEL);
    let outcome = |byte: u8| G::Value::from_byte(byte).map(|value| value.outcome());
    let is_listed: [bool; 256] = std::array::from_fn(|byte| outcome(byte as u8) != rest(kind));
    let plain = |block: usize| {
        let first = block as u64 * BLOCK_KEYS;
        let last = (first + BLOCK_KEYS).min(keys);
        let bytes = bytes(first..last);
        let mut lanes: Vec<Lanes> = vec![0; (last - first).div_ceil(LANES) as usize];
        let mut arising = Arising::new(game);
        for key in first..last {
            let listed = match bytes[(key - first) as usize] {
                0 => arising.has(key),
                byte => is_listed[usize::from(byte)],
            };
            lanes[((key - first) / LANES) as usize] |= Lanes::from(listed) << ((key - first) % LANES);
        }
        encode_block(&lanes, |row, lane| bytes[row * LANES as usize + lane])
    };
    let blocks = keys.div_ceil(BLOCK_KEYS) as usize;
    store.append(NewSection { key: 0, rows: keys.div_ceil(LANES), tally, blocks, plain: &plain })
}

/// Whether a key may be that of an undecided position that can arise.
pub(super) fn may_arise<G: Cyclic>(game: &G, key: u64, block: &mut G::Block) -> bool {
    let key = G::Key::of(key);
    game.may_arise(key, &game.board(key, block))
}

/// The same for many keys that ascend: found run by run.
struct Arising<'a, G: Cyclic> {
    game: &'a G,
    block: G::Block,
    /// The run of the last key, and what may arise in it.
    first: u64,
    count: u64,
    set: RunSet,
}

impl<G: Cyclic> Arising<'_, G> {
    fn new(game: &G) -> Arising<'_, G> {
        Arising { game, block: G::Block::default(), first: 0, count: 0, set: RunSet::default() }
    }

    #[inline]
    fn has(&mut self, key: u64) -> bool {
        if key.wrapping_sub(self.first) >= self.count {
            let (first, count) = self.game.run(G::Key::of(key), &mut self.block);
            (self.first, self.count) = (first, count.into());
            self.set = self.game.arising_of_run(first, &mut self.block);
        }
        let place = key - self.first;
        self.set[(place / 64) as usize % 4] >> (place % 64) & 1 == 1
    }
}

/// The value of a position in any table of the game; `None` if it is not there.
pub fn value<G: Cyclic>(game: &G, table: &Table, position: &G::Position) -> Result<Option<G::Value>, TableError> {
    let Some(rest) = rest(table.header.index_kind) else { return probe(table, game.rank(position)) };
    let key = game.rank(position);
    if key >= game.open_keys().into() {
        return Ok(None);
    }
    if let Some(byte) = listed(table, key)? {
        return read_byte(table, byte);
    }
    let dense = G::Key::of(key);
    let board = game.board(dense, &mut G::Block::default());
    if !game.may_arise(dense, &board) {
        return Ok(None);
    }
    if rest == Outcome::Draw {
        return Ok(Some(G::Value::of(Outcome::Draw, 0)));
    }
    let mut failed = None;
    let win = shortest_win(game, &board, |key| {
        listed(table, key).unwrap_or_else(|error| {
            failed = Some(error);
            None
        })
    });
    match failed {
        Some(error) => Err(error),
        None => win.map(Some).ok_or_else(|| no_loss(table, game.position_text(position))),
    }
}

/// Positions whose children are looked up at a time.
const ASKED: usize = 1 << 17;

/// The bytes of values of keys, which ascend, in any table of the game; 0 for those that it does not have.
pub fn values<G: Cyclic>(game: &G, table: &Table, keys: &[u64]) -> Result<Vec<u8>, TableError> {
    let bytes = probe::listed(table, keys)?;
    if rest(table.header.index_kind).is_none() {
        return Ok(bytes.into_iter().map(Option::unwrap_or_default).collect());
    }
    let rest = all_rows(game, table)?;
    let (open, draw) = (game.open_keys().into(), G::Value::of(Outcome::Draw, 0).to_byte());
    // Those that are not listed, but that could arise: wins, until more is known, have byte 0.
    let unlisted = |known: &mut G::Block, (&key, byte): (&u64, &Option<u8>)| match byte {
        Some(byte) => (*byte, false),
        None if key >= open || !may_arise(game, key, known) => (0, false),
        None if rest == Outcome::Draw => (draw, false),
        None => (0, true),
    };
    let found = keys.par_iter().zip(&bytes).map_init(G::Block::default, unlisted);
    let (mut found, is_won): (Vec<u8>, Vec<bool>) = found.unzip();
    let won: Vec<usize> = (0..keys.len()).filter(|&at| is_won[at]).collect();
    for won in won.chunks(ASKED) {
        let wins = wins(game, table, &won.iter().map(|&at| keys[at]).collect::<Vec<_>>())?;
        won.iter().zip(wins).for_each(|(&at, win)| found[at] = win);
    }
    Ok(found)
}

/// The bytes of values of keys that a table leaves out because they are won.
fn wins<G: Cyclic>(game: &G, table: &Table, keys: &[u64]) -> Result<Vec<u8>, TableError> {
    let board = |known: &mut G::Block, key: u64| game.board(G::Key::of(key), known);
    let children = keys.par_iter().map_init(G::Block::default, |known, &key| {
        let mut children = Vec::new();
        let _ = game.children(&board(known, key), |child, over| {
            if over.is_none() {
                children.push(game.key_of(child).into());
            }
            ControlFlow::Continue(())
        });
        children
    });
    let mut asked: Vec<u64> = children.collect::<Vec<_>>().concat();
    asked.par_sort_unstable();
    asked.dedup();
    let bytes = probe::listed(table, &asked)?;
    let byte = |key: u64| asked.binary_search(&key).ok().and_then(|at| bytes[at]);
    let win = |known: &mut G::Block, &key: &u64| {
        let win = shortest_win(game, &board(known, key), byte);
        win.map(Value::to_byte).ok_or_else(|| no_loss(table, game.position_text(&game.position(G::Key::of(key)))))
    };
    keys.par_iter().map_init(G::Block::default, win).collect()
}

pub(super) fn no_loss(table: &Table, text: String) -> TableError {
    table.damaged(format!("{text} should be won, but no move of it leads to a loss"))
}

fn read_byte<V: Value>(table: &Table, byte: u8) -> Result<Option<V>, TableError> {
    if byte == 0 { Ok(None) } else { probe::value_of_byte(table, byte).map(Some) }
}

/// The byte listed for a key.
fn listed(table: &Table, key: u64) -> Result<Option<u8>, TableError> {
    let number = key / BLOCK_KEYS;
    let block = table.entry(number)?;
    if block.key != number * BLOCK_KEYS {
        return Err(not_all_rows(table));
    }
    let row = ((key - block.key) / LANES) as usize;
    let rows = table.recent_rows(&block, row)?;
    let byte = probe_block(&rows.plain, rows.count, row - rows.first, (key % LANES) as usize);
    byte.ok_or_else(|| table.damaged("a block has the wrong size"))
}

/// A win one ply longer than the shortest loss among the children; `byte` knows the bytes of lost ones.
pub(super) fn shortest_win<G: Cyclic>(
    game: &G,
    board: &G::Board,
    mut byte: impl FnMut(u64) -> Option<u8>,
) -> Option<G::Value> {
    let mut best: Option<G::Value> = None;
    let _ = game.children(board, |child, over| {
        let value = match over {
            Some((outcome, plies)) => Some(G::Value::of(outcome, plies.into())),
            None => byte(game.key_of(child).into()).and_then(G::Value::from_byte),
        };
        if let Some(value) = value.filter(|value| value.outcome() == Outcome::Loss) {
            best = best.max(Some(value.of_move()));
        }
        ControlFlow::Continue(())
    });
    best
}

/// Checks that a table has rows for all keys of the game; what positions are that it does not list.
pub(super) fn all_rows<G: Cyclic>(game: &G, table: &Table) -> Result<Outcome, TableError> {
    let keys: u64 = game.open_keys().into();
    let all = Section { key: 0, first_block: 0, rows: keys.div_ceil(LANES) };
    let rest = rest(table.header.index_kind).filter(|_| table.header.sections == 1);
    match rest {
        Some(rest) if table.sections()? == [all] => Ok(rest),
        _ => Err(not_all_rows(table)),
    }
}

fn not_all_rows(table: &Table) -> TableError {
    table.damaged("its section does not hold the keys of the game")
}

/// The bytes of one block's keys, `filler` for positions that are not listed; `bytes` is all 0.
pub(super) fn read_block<G: Cyclic>(
    game: &G,
    table: &Table,
    block: u64,
    filler: u8,
    bytes: &mut [u8],
) -> Result<(), TableError> {
    let mut arising = Arising::new(game);
    read_listed::<G::Value>(table, block, filler, bytes, |key| arising.has(key))
}

/// The bytes of one block's keys, `filler` for those that are not listed and for which `is_left_out`; `bytes` is all 0.
pub(super) fn read_listed<V: Value>(
    table: &Table,
    block: u64,
    filler: u8,
    bytes: &mut [u8],
    mut is_left_out: impl FnMut(u64) -> bool,
) -> Result<(), TableError> {
    let first = block * BLOCK_KEYS;
    let plain = table.block(block)?;
    let mut bad = None;
    let whole = decode_block(&plain, bytes.len().div_ceil(LANES as usize), |row, set, mine| {
        let row = row * LANES as usize;
        for lane in 0..LANES as usize {
            let (listed, inside) = (set >> lane & 1 == 1, row + lane < bytes.len());
            let key = first + (row + lane) as u64;
            if !listed && inside && is_left_out(key) {
                bytes[row + lane] = filler;
            } else if listed && !inside {
                bad = Some("lists a key that the game does not have".to_string());
            }
        }
        let mut mine = mine.iter();
        for_each_lane(set, |lane| {
            if let (Some(byte), Some(&listed)) = (bytes.get_mut(row + lane), mine.next()) {
                if listed == filler || (listed != 0 && V::from_byte(listed).is_none()) {
                    bad = Some(format!("lists byte {listed}, which it should not"));
                }
                *byte = listed;
            }
        });
    });
    whole.ok_or_else(|| table.damaged("a block has the wrong size"))?;
    bad.map_or(Ok(()), |what| Err(table.damaged(what)))
}
