//! Merges two tables in key order, in ranges of keys that threads take one at a time.

use std::ops::Range;

use super::change::Ranking;
use super::tally::{ComparisonTally, ExampleEntry, Over};
use yomikiri_rules::{AnyGame, AnyPosition, Game, SharedKeys, Value};
use yomikiri_solve::{Result, Solvable};
use yomikiri_table::entries::block_starts;
use yomikiri_table::entries::{Entries, EntryReader};
use yomikiri_table::probe::position_of;
use yomikiri_table::{Progress, Table};

/// One of the two compared variants, with its table.
pub struct ComparedVariant<'a> {
    pub game: &'a AnyGame,
    pub table: &'a Table,
    read: EntryReader<'a>,
}

impl<'a> ComparedVariant<'a> {
    pub fn new(game: &'a AnyGame, table: &'a Table, progress: &dyn Progress) -> Result<ComparedVariant<'a>> {
        progress.begin(&format!("read {}", game.code()), 0);
        let read = game.entry_reader(table)?;
        progress.end(&format!("{} positions", table.header.positions.get()));
        Ok(ComparedVariant { game, table, read })
    }

    /// Reads this variant's keys and value bytes in the range `piece`. `side` is the index of this variant in the pair,
    /// 0 or 1. An invalid value byte is an error.
    fn entries(&self, piece: &SharedKeys, side: usize) -> Result<Entries> {
        let entries = (self.read)(piece.keys(side))?;
        match entries.bytes.iter().find(|&&byte| self.game.value_of_byte(byte).is_none()) {
            Some(byte) => Err(self.table.damaged(format!("value byte {byte} is not valid")).into()),
            None => Ok(entries),
        }
    }

    /// Returns the position with the key `key`, which must be in the table.
    fn position(&self, key: u64) -> Result<AnyPosition> {
        Ok(position_of(self.game, self.table, key)?)
    }
}

/// The two compared variants.
pub struct VariantPair<'a> {
    pub variants: [ComparedVariant<'a>; 2],
    pub ranking: Ranking,
}

impl VariantPair<'_> {
    /// Adds to `tally` each position of the key range `piece` that at least one table has. Returns the number of
    /// positions of the first table in this range plus that of the second.
    pub fn join(&self, piece: &SharedKeys, tally: &mut ComparisonTally) -> Result<u64> {
        let entries = [self.variants[0].entries(piece, 0)?, self.variants[1].entries(piece, 1)?];
        let ends = [0, 1].map(|side| entries[side].keys.len());
        // `at` holds the index of the next entry of each table. `place` returns the offset of an entry's key from the
        // start of the range, or `u64::MAX` after the last entry.
        let mut at = [0; 2];
        let place = |side: usize, at: usize| entries[side].keys.get(at).map_or(u64::MAX, |key| key - piece.first[side]);
        while at != ends {
            let places = [place(0, at[0]), place(1, at[1])];
            let here = places[0].min(places[1]);
            let stored = places.map(|place| place == here);
            let mut bytes = [0; 2];
            for side in [0, 1].into_iter().filter(|&side| stored[side]) {
                bytes[side] = entries[side].bytes[at[side]];
                at[side] += 1;
            }
            let keys = piece.first.map(|first| first + here);
            let over = match stored {
                [true, true] => Over::Nowhere,
                [true, false] => self.end_in(1, keys, &mut bytes),
                [false, _] => self.end_in(0, keys, &mut bytes),
            };
            tally.add(over, keys, bytes, &self.ranking);
        }
        Ok((ends[0] + ends[1]) as u64)
    }

    /// Handles a position that the table of the variant with index `side` does not have. If the game is over there by
    /// the rules of that variant, sets `bytes[side]` to the final value and returns [`Over::InFirst`] or
    /// [`Over::InSecond`]. Otherwise returns [`Over::Nowhere`], also if that variant has no such position: in Connect
    /// Four with rows of three, the side to move never has three in a row already.
    fn end_in(&self, side: usize, keys: [u64; 2], bytes: &mut [u8; 2]) -> Over {
        let game = self.variants[side].game;
        let end = game.unrank(keys[side]).and_then(|position| game.terminal_value(&position));
        let Some(end) = end else { return Over::Nowhere };
        bytes[side] = end.to_byte();
        [Over::InFirst, Over::InSecond][side]
    }

    /// Returns the position of an example. Decodes its key in the first variant. If that fails, decodes its key in the
    /// second variant: a variant may be unable to decode the keys of positions that it does not have.
    pub fn position(&self, found: &ExampleEntry) -> Result<AnyPosition> {
        let known = self.variants[0].game.unrank(found.keys[0]);
        known.map_or_else(|| self.variants[1].position(found.keys[1]), Ok)
    }
}

/// The number of table blocks in a range of keys that one thread compares, both tables counted together. A block is
/// opened twice if a range ends inside it, which is rare with ranges of this size.
const BLOCKS: usize = 32;

/// Splits `shared` into ranges of about [`BLOCKS`] blocks. The ranges cover the same keys as `shared`, in ascending
/// order of the first variant's keys.
pub fn ranges(shared: &[SharedKeys], [first, second]: [&Table; 2]) -> Result<Vec<SharedKeys>> {
    let starts = [block_starts(first)?, block_starts(second)?];
    let cut = |shared: &SharedKeys| cut(shared, [0, 1].map(|side| within(&starts[side], shared, side)));
    Ok(shared.iter().flat_map(cut).collect())
}

/// Returns the block starts that lie in a range of keys, as offsets from the start of the range. `starts` has the first
/// keys of all blocks of a table, in ascending order. `side` is the index of the table's variant.
fn within<'a>(starts: &'a [u64], shared: &SharedKeys, side: usize) -> impl Iterator<Item = u64> + use<'a> {
    let Range { start, end } = shared.keys(side);
    let place = |key: u64| starts.partition_point(|&other| other < key);
    starts[place(start)..place(end)].iter().map(move |key| key - start)
}

/// Splits a range of keys at every [`BLOCKS`]th first key of a block. `places` has the first keys of each table's
/// blocks, as offsets from the start of the range.
fn cut(shared: &SharedKeys, places: [impl Iterator<Item = u64>; 2]) -> Vec<SharedKeys> {
    let mut places: Vec<u64> = places.into_iter().flatten().filter(|&place| place > 0).collect();
    places.sort_unstable();
    places.dedup();
    let cuts = || places.iter().copied().skip(BLOCKS - 1).step_by(BLOCKS);
    let ends = cuts().chain([shared.length]);
    let piece =
        |(start, end): (u64, u64)| SharedKeys { first: shared.first.map(|first| first + start), length: end - start };
    [0].into_iter().chain(cuts()).zip(ends).map(piece).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_have_all_keys_once() {
        let shared = SharedKeys { first: [1000, 50], length: 700 };
        let starts: [Vec<u64>; 2] = [(0..5000).step_by(10).collect(), (0..5000).step_by(7).collect()];
        let pieces = cut(&shared, [0, 1].map(|side| within(&starts[side], &shared, side)));
        let (mut next, mut most) = (0, 0);
        for piece in &pieces {
            assert_eq!(piece.first, shared.first.map(|first| first + next));
            next += piece.length;
            most = most.max(within(&starts[0], piece, 0).count() + within(&starts[1], piece, 1).count());
        }
        assert_eq!(next, shared.length);
        assert!(pieces.len() > 3 && most <= BLOCKS + 5, "{} pieces, {most} starts in one", pieces.len());
    }
}
