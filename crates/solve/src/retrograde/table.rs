//! Tables of cyclic games with dense keys. A table leaves out one outcome: draws in one kind of table, wins in the
//! other kind.
//!
//! A block lists keys with their bytes. [`Cyclic::may_arise`] tells the two sorts of unlisted keys apart. If it returns
//! false, the table does not have the position. If it returns true, the position has the outcome that the table leaves
//! out. Keys that pass this test, but cannot arise, are listed with byte 0. An unlisted win is one ply longer than the
//! shortest loss among its children.

use super::{Cyclic, DenseKey, RunSet};
use crate::Result;
#[cfg(feature = "write")]
use std::borrow::Cow;
use std::ops::ControlFlow;
use std::ops::Range;

use yomikiri_rules::bits::set_bits;
use yomikiri_rules::{CodedValue, HasDistance, Outcome, Value};
use yomikiri_table::blocks::{LISTED_ROWS_PER_BLOCK, Lanes, decode_block, encode_block, probe_block};
use yomikiri_table::probe::{self, probe};
use yomikiri_table::{IndexKind, Section, Table, TableError, Tally, parallel};
#[cfg(feature = "write")]
use yomikiri_table::{LISTED_LEVEL, NewSection, Store};

/// The number of keys in a row of a block.
pub const LANES: u64 = 64;

/// The number of keys in a block.
pub(super) const BLOCK_KEYS: u64 = LANES * LISTED_ROWS_PER_BLOCK as u64;

/// Returns the kind of table that lists the fewest positions. It leaves out draws or wins, whichever are more frequent.
pub fn best_kind<V: CodedValue>(tally: &Tally) -> IndexKind {
    let count = |outcome: Outcome| -> u64 {
        let all = tally.plies.values().flatten();
        all.filter(|(byte, _)| V::from_byte(**byte).is_some_and(|value| value.outcome() == outcome))
            .map(|(_, n)| n)
            .sum()
    };
    if count(Outcome::Win) > count(Outcome::Draw) { IndexKind::UnlistedWins } else { IndexKind::UnlistedDraws }
}

/// Returns the outcome of unlisted positions in a table of this kind; `None` if the kind lists all positions.
pub(super) fn unlisted_outcome(kind: IndexKind) -> Option<Outcome> {
    match kind {
        IndexKind::UnlistedWins => Some(Outcome::Win),
        IndexKind::UnlistedDraws => Some(Outcome::Draw),
        IndexKind::Tiers | IndexKind::SortedKeys => None,
    }
}

/// The table bytes of all keys.
#[cfg(feature = "write")]
pub struct DenseBytes<'b, F> {
    /// The number of keys.
    pub keys: u64,
    /// A function that takes a range of keys inside one block and returns their bytes; 0 if a key has no position.
    pub bytes: &'b F,
}

/// Appends all values to the store, for a table of this kind.
#[cfg(feature = "write")]
pub fn append<'a, G: Cyclic>(
    game: &G,
    store: &mut Store,
    kind: IndexKind,
    DenseBytes { keys, bytes }: DenseBytes<impl Fn(Range<u64>) -> Cow<'a, [u8]> + Sync>,
    tally: Tally,
) -> Result<(), TableError> {
    store.set_level(LISTED_LEVEL);
    let outcome = |byte: u8| G::Value::from_byte(byte).map(|value| value.outcome());
    let is_listed: [bool; 256] = std::array::from_fn(|byte| outcome(byte as u8) != unlisted_outcome(kind));
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

/// Returns true if a key may belong to an undecided position that can arise.
pub(super) fn may_arise<G: Cyclic>(game: &G, key: u64, block: &mut G::Block) -> bool {
    let key = G::Key::of(key);
    game.may_arise(key, &game.board(key, block))
}

/// Like [`may_arise`], for many keys in ascending order. Computes the results of many keys at once.
struct Arising<'a, G: Cyclic> {
    game: &'a G,
    block: G::Block,
    /// The first key of the run ([`Cyclic::run`]) to which the key of the last query belongs.
    first: u64,
    /// The number of keys of that run.
    count: u64,
    /// The keys of that run for which [`Cyclic::may_arise`] returns true.
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

    /// Returns the keys of a range that may arise, as bits from the lowest on. The range has at most [`LANES`] keys.
    fn among(&mut self, keys: Range<u64>) -> Lanes {
        let at_once = self.game.arising_among(keys.clone(), &mut self.block);
        at_once
            .unwrap_or_else(|| keys.clone().fold(0, |set, key| set | Lanes::from(self.has(key)) << (key - keys.start)))
    }
}

/// Returns the value that a table has for a position, or `None` if the table does not have the position. The table may
/// be of any kind that the game uses.
pub fn value<G: Cyclic>(game: &G, table: &Table, position: &G::Position) -> Result<Option<G::Value>, TableError> {
    let Some(rest) = unlisted_outcome(table.header.index_kind) else { return probe(table, game.rank(position)) };
    let key = game.rank(position);
    if key >= game.open_keys().into() {
        return Ok(None);
    }
    if let Some(byte) = listed(table, key)? {
        check_listed::<G::Value>(table, byte)?;
        return read_byte(game, table, byte);
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

/// The number of positions whose children are looked up at a time.
const ASKED: usize = 1 << 17;

/// The least number of keys that a thread takes at a time.
const SHARE: usize = 256;

/// Returns the table byte of each key, in order; 0 for keys that the table does not have. The keys must be in ascending
/// order. The table may be of any kind that the game uses.
pub fn values<G: Cyclic>(game: &G, table: &Table, keys: &[u64]) -> Result<Vec<u8>, TableError> {
    let bytes = probe::listed(table, keys)?;
    if unlisted_outcome(table.header.index_kind).is_none() {
        return Ok(bytes.into_iter().map(Option::unwrap_or_default).collect());
    }
    let rest = all_rows(game, table)?;
    bytes.iter().flatten().try_for_each(|&byte| check_listed::<G::Value>(table, byte))?;
    let (open, draw) = (game.open_keys().into(), G::Value::of(Outcome::Draw, 0).to_byte());
    // Finds unlisted positions that may arise. The flag is true for wins, whose byte is 0 until their distance is
    // known.
    let unlisted = |known: &mut G::Block, key: u64, byte: Option<u8>| match byte {
        Some(byte) => (byte, false),
        None if key >= open || !may_arise(game, key, known) => (0, false),
        None if rest == Outcome::Draw => (draw, false),
        None => (0, true),
    };
    let found = parallel::flat_map(keys.len(), SHARE, |share| {
        let mut known = G::Block::default();
        share.map(|at| unlisted(&mut known, keys[at], bytes[at])).collect()
    });
    let (mut found, is_won): (Vec<u8>, Vec<bool>) = found.into_iter().unzip();
    let won: Vec<usize> = (0..keys.len()).filter(|&at| is_won[at]).collect();
    for won in won.chunks(ASKED) {
        let wins = wins(game, table, &won.iter().map(|&at| keys[at]).collect::<Vec<_>>())?;
        won.iter().zip(wins).for_each(|(&at, win)| found[at] = win);
    }
    Ok(found)
}

/// Returns the table byte of each key, in order. The table leaves out these keys because they are won.
fn wins<G: Cyclic>(game: &G, table: &Table, keys: &[u64]) -> Result<Vec<u8>, TableError> {
    let board = |known: &mut G::Block, key: u64| game.board(G::Key::of(key), known);
    let mut asked: Vec<u64> = parallel::flat_map(keys.len(), SHARE, |share| {
        let (mut known, mut children) = (G::Block::default(), Vec::new());
        for &key in &keys[share] {
            let _ = game.children(&board(&mut known, key), |child, over| {
                if over.is_none() {
                    children.push(game.key_of(child).into());
                }
                ControlFlow::Continue(())
            });
        }
        children
    });
    parallel::sort(&mut asked);
    asked.dedup();
    let bytes = probe::listed(table, &asked)?;
    let byte = |key: u64| asked.binary_search(&key).ok().and_then(|at| bytes[at]);
    let win = |known: &mut G::Block, key: u64| {
        let win = shortest_win(game, &board(known, key), byte);
        win.map(Value::to_byte).ok_or_else(|| no_loss(table, game.position_text(&game.position(G::Key::of(key)))))
    };
    parallel::try_flat_map(keys.len(), SHARE, |share| {
        let mut known = G::Block::default();
        keys[share].iter().map(|&key| win(&mut known, key)).collect()
    })
}

pub(super) fn no_loss(table: &Table, text: String) -> TableError {
    table.damaged(format!("{text} should be won, but none of its moves leads to a loss"))
}

fn read_byte<G: Cyclic>(game: &G, table: &Table, byte: u8) -> Result<Option<G::Value>, TableError> {
    if byte == 0 { Ok(None) } else { probe::value_of_byte(game, table, byte).map(Some) }
}

/// Returns the byte listed for a key; `None` if the key is not listed.
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

/// Returns the win that is one ply longer than the shortest loss among the children, or `None` if no child is lost.
/// `byte` returns the table byte of a key; it may return `None` for a position that is not lost.
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

/// Checks that a table leaves out an outcome, and has rows for all keys of the game. Returns the outcome that it leaves
/// out.
pub(super) fn all_rows<G: Cyclic>(game: &G, table: &Table) -> Result<Outcome, TableError> {
    let keys: u64 = game.open_keys().into();
    let all = Section { key: 0, first_block: 0, rows: keys.div_ceil(LANES) };
    let rest = unlisted_outcome(table.header.index_kind).filter(|_| table.header.sections == 1);
    match rest {
        Some(rest) if table.sections()? == [all] => Ok(rest),
        _ => Err(not_all_rows(table)),
    }
}

fn not_all_rows(table: &Table) -> TableError {
    table.damaged("its section does not hold the keys of the game")
}

/// Reads the bytes of a block's keys into `bytes`, which must be all 0. Unlisted positions that may arise get the byte
/// `filler`.
#[inline(always)]
pub(super) fn read_block<G: Cyclic>(
    game: &G,
    table: &Table,
    block: u64,
    filler: u8,
    bytes: &mut [u8],
) -> Result<(), TableError> {
    let mut arising = Arising::new(game);
    read_listed::<G::Value>(table, block, filler, bytes, |keys| arising.among(keys))
}

/// Reads the bytes of a block's keys into `bytes`, which must be all 0. `left_out` takes a range of at most [`LANES`]
/// keys and returns bits from the lowest on: an unlisted key whose bit is set gets the byte `filler`.
#[inline(always)]
pub(super) fn read_listed<V: CodedValue>(
    table: &Table,
    block: u64,
    filler: u8,
    bytes: &mut [u8],
    mut left_out: impl FnMut(Range<u64>) -> Lanes,
) -> Result<(), TableError> {
    let first = block * BLOCK_KEYS;
    let plain = table.block(block)?;
    let mut bad = None;
    let whole = decode_block(&plain, bytes.len().div_ceil(LANES as usize), |row, set, mine| {
        let row = row * LANES as usize;
        let count = (bytes.len() - row).min(LANES as usize);
        let (bytes, key) = (&mut bytes[row..row + count], first + row as u64);
        let inside = Lanes::MAX >> (LANES as usize - count);
        if set & !inside != 0 {
            bad = Some(table.damaged("lists a key that the game does not have"));
        }
        match left_out(key..key + count as u64) & !set & inside {
            Lanes::MAX => bytes.fill(filler),
            fill => set_bits(fill).for_each(|lane| bytes[lane as usize] = filler),
        }
        let mut mine = mine.iter();
        for lane in set_bits(set) {
            if let (Some(byte), Some(&listed)) = (bytes.get_mut(lane as usize), mine.next()) {
                bad = bad.take().or(check_listed::<V>(table, listed).err());
                *byte = listed;
            }
        }
    });
    whole.ok_or_else(|| table.damaged("a block has the wrong size"))?;
    bad.map_or(Ok(()), Err)
}

/// Checks that a table of this kind may list a byte: 0, or a value whose outcome the table does not leave out.
fn check_listed<V: CodedValue>(table: &Table, byte: u8) -> Result<(), TableError> {
    let outcome = V::from_byte(byte).map(|value| value.outcome());
    if byte == 0 || outcome.is_some() && outcome != unlisted_outcome(table.header.index_kind) {
        return Ok(());
    }
    Err(table.damaged(format!("lists byte {byte}, which is not valid in this kind of table")))
}
