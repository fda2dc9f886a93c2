//! The keys of both variants cut into ranges that threads take one at a time.

use std::ops::Range;

use yomikiri_rules::game::Shared;
use yomikiri_table::Table;
use yomikiri_table::entries::block_starts;

/// Blocks, of either table, in a piece: enough that few are opened twice because a piece ends inside of them.
const BLOCKS: usize = 32;

/// Cuts the keys so that no piece has many blocks of either table; together the pieces have all keys, ascending in the
/// first variant.
pub fn pieces(shared: &[Shared], tables: [&Table; 2]) -> Vec<Shared> {
    let starts = tables.map(block_starts);
    shared.iter().flat_map(|shared| cut(shared, [0, 1].map(|side| within(&starts[side], shared, side)))).collect()
}

/// The numbers among `starts`, which ascend, that fall into a range of keys, counted from its beginning.
fn within<'a>(starts: &'a [u64], shared: &Shared, side: usize) -> impl Iterator<Item = u64> + use<'a> {
    let Range { start, end } = shared.keys(side);
    let place = |key: u64| starts.partition_point(|&other| other < key);
    starts[place(start)..place(end)].iter().map(move |key| key - start)
}

/// Cuts a range at every so many places.
fn cut(shared: &Shared, places: [impl Iterator<Item = u64>; 2]) -> Vec<Shared> {
    let mut places: Vec<u64> = places.into_iter().flatten().filter(|&place| place > 0).collect();
    places.sort_unstable();
    places.dedup();
    let cuts = || places.iter().copied().skip(BLOCKS - 1).step_by(BLOCKS);
    let ends = cuts().chain([shared.length]);
    let piece =
        |(start, end): (u64, u64)| Shared { first: shared.first.map(|first| first + start), length: end - start };
    [0].into_iter().chain(cuts()).zip(ends).map(piece).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_have_all_keys_once() {
        let shared = Shared { first: [1000, 50], length: 700 };
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
