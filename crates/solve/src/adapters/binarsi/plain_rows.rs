//! Makes the moves of rows (arrangements of stones in a tier) by the plain rules, for the audit. Shares no code with
//! `sheet`.

use arrayvec::ArrayVec;

use crate::space::{BitMap, deposit_bits};
use crate::tiers::{Arrival, ArrivalAtRow, Bundle, RowLink};
use yomikiri_rules::Side;
use yomikiri_rules::games::binarsi::BinarsiOf;
use yomikiri_rules::games::binarsi::board::{Image, Position, Rect, Squares, Way};
use yomikiri_rules::games::binarsi::goal::{End, Goal};
use yomikiri_rules::games::binarsi::index::{Tier, compact_stones, spread_stones};
use yomikiri_rules::games::binarsi::moves::{self, Op};
use yomikiri_rules::games::binarsi::rules::Rules;
use yomikiri_rules::games::binarsi::targets::{self, Verdict};

/// Returns the position of a row (an arrangement of stones in a tier), with no targets cleared. `base` is the first key
/// of the tier. Returns `None` if no position has the key of the row.
fn row_position<V>(game: &BinarsiOf<V>, base: u64, row: u32) -> Option<Position> {
    game.keys.position(base + (u64::from(row) << 6))
}

/// Data for all moves on one way of a tier.
struct AfterWay<'a> {
    rules: &'a Rules,
    /// The squares of the way that hold stones after the move.
    squares: Squares,
    /// The first key of the tier that the moves lead to.
    base: u64,
    /// The symmetries that map the board after a move to the tier with the first key `base`, each with the rectangle of
    /// the mapped board.
    images: ArrayVec<(Image, Rect), 4>,
}

impl<'a> AfterWay<'a> {
    /// Creates the data for a way. Returns `None` if the way is neither in the rectangle of stones nor next to it.
    fn new<V: Goal>(game: &'a BinarsiOf<V>, tier: Tier, way: Way) -> Option<AfterWay<'a>> {
        let rules = &game.rules;
        let holds = tier.rect.squares() & way.squares() != 0;
        let rect = if holds { tier.rect } else { moves::grown(tier.rect, way)? };
        let after = if holds { tier.locked(way) } else { tier.on(rect) };
        let (first, _) = after.canonical(rules);
        let images = Image::ALL.map(|image| (image, after.mirrored(rules, image)));
        let images = images.into_iter().filter(|(_, tier)| *tier == first).map(|(image, tier)| (image, tier.rect));
        let (squares, base) = (rect.squares() & way.squares(), game.keys.tier_base(first));
        Some(AfterWay { rules, squares, base, images: images.collect() })
    }

    /// Returns the images of `stones` under all symmetries in [`AfterWay::images`], as rows.
    #[inline]
    fn rows(&self, stones: Squares) -> impl Iterator<Item = u32> {
        self.images.iter().map(move |&(image, rect)| compact_stones(rect, image.squares(self.rules, stones)) as u32)
    }

    /// Returns the row of the board after a move. `stones` are the stones before the move, and `content` are the stones
    /// that the way has after it. The row is the smallest of the [`AfterWay::rows`] of the board after the move.
    #[inline]
    fn row(&self, stones: Squares, content: Squares) -> u32 {
        self.rows(stones & !self.squares | content).min().expect("a position has an image in its first tier")
    }
}

/// Returns the moves of a tier's rows: a [`RowLink`] with all moves on a way, for each way. `base` is the first key of
/// the tier.
pub(super) fn row_links<V: Goal>(game: &BinarsiOf<V>, base: u64) -> Vec<RowLink<'_>> {
    let rules = &game.rules;
    let Some(first) = row_position(game, base, 0) else { return Vec::new() };
    let unlocked = Way::all(rules).filter(|way| first.locks & way.lock() == 0);
    unlocked.filter_map(|way| row_link(game, first, way)).collect()
}

/// Returns all moves of a tier's rows on one way. Returns `None` if the way is neither in the rectangle of stones nor
/// next to it. The results of shifts, which rotate the content of the way, depend only on the stones on the way. The
/// results of other operators depend only on the stones off the way, so rows that differ only on the way share most
/// moves. In variants with illegal modifies, the legal results depend on all stones, so each row is a bundle of its
/// own.
fn row_link<'a, V: Goal>(game: &'a BinarsiOf<V>, first: Position, way: Way) -> Option<RowLink<'a>> {
    let rules = &game.rules;
    let after = AfterWay::new(game, Tier::of(&first), way)?;
    let free = compact_stones(first.rect, way.squares() & first.rect.squares()) as u32;
    let link = match free == 0 || rules.illegal_modifies.has_any() {
        true => row_by_row(rules, first, way, after),
        false => with_free_way(rules, first, way, free, after),
    };
    Some(link)
}

/// Makes a link (the moves on one way) in which each row is a bundle of its own.
fn row_by_row<'a>(rules: &'a Rules, first: Position, way: Way, after: AfterWay<'a>) -> RowLink<'a> {
    let base = after.base;
    let children = Box::new(move |row: u32, bundle: &mut Bundle| {
        let stones = spread_stones(first.rect, u64::from(row));
        let mut contents = ArrayVec::<Squares, 32>::new();
        moves::on_way(rules, &Position { stones, ..first }, way, |_, content| {
            if !contents.contains(&content) {
                contents.push(content);
            }
        });
        bundle.children.clear();
        bundle.children.extend(contents.iter().map(|&content| after.row(stones, content)));
    });
    let shared = Box::new(|_, bundle: &mut Bundle| {
        bundle.shared.clear();
        bundle.shared.extend(0..bundle.children.len() as u8);
    });
    RowLink { base, free: 0, own: vec![Vec::new()], children, shared }
}

/// Makes a link (the moves on one way) for bundles of rows that differ only on the way. The children of a bundle are
/// indexed by the content that the move leaves on the way.
fn with_free_way<'a>(rules: &'a Rules, first: Position, way: Way, free: u32, after: AfterWay<'a>) -> RowLink<'a> {
    let base = after.base;
    let position = move |row: u32| Position { stones: spread_stones(first.rect, u64::from(row)), ..first };
    let contents: Vec<Squares> =
        (0..1 << free.count_ones()).map(|number| position(deposit_bits(number, free as usize) as u32).stones).collect();
    let numbers =
        BitMap::new(first.rect.area(), |bit| (free >> bit & 1 == 1).then(|| (free & ((1 << bit) - 1)).count_ones()));
    let number_of = move |content| numbers.apply(compact_stones(first.rect, content) as u32) as u8;
    let own = contents.iter().map(|&stones| {
        let mut own = Vec::new();
        moves::shifted(&Position { stones, ..first }, way, |content| own.push(number_of(content)));
        own.sort_unstable();
        own.dedup();
        own
    });
    let own = own.collect();
    // For each symmetry, the rows of boards with black stones only on the way, one for each content.
    let mut rows = vec![Vec::with_capacity(contents.len()); after.images.len()];
    contents.iter().for_each(|&content| {
        after.rows(content).zip(&mut rows).for_each(|(row, rows)| rows.push(row));
    });
    let children = Box::new(move |row: u32, bundle: &mut Bundle| {
        bundle.children.clear();
        for (beside, rows) in after.rows(position(row).stones).zip(&rows) {
            if bundle.children.is_empty() {
                bundle.children.extend(rows.iter().map(|row| row | beside));
            } else {
                let smaller = |(least, row): (&mut u32, &u32)| *least = (row | beside).min(*least);
                bundle.children.iter_mut().zip(rows).for_each(smaller);
            }
        }
    });
    let shared = Box::new(move |row: u32, bundle: &mut Bundle| {
        bundle.shared.clear();
        let mut known = 0u128;
        moves::on_way(rules, &position(row), way, |op, content| {
            let number = number_of(content);
            if !matches!(op, Op::Shift(_)) && known >> number & 1 == 0 {
                known |= 1 << number;
                bundle.shared.push(number);
            }
        });
    });
    RowLink { base, free, own, children, shared }
}

/// Returns a function that takes a row of a tier and returns the effect ([`Arrival`]) of moves to this row. `base` is
/// the first key of the tier.
pub(super) fn arrivals<V: Goal>(game: &BinarsiOf<V>, base: u64) -> ArrivalAtRow<'_> {
    let rules = &game.rules;
    let first = row_position(game, base, 0).expect("`base` is the first key of a tier");
    let (rect, area) = (first.rect, first.rect.area());
    let byte = |end| V::of_end(rules, end, first.side()).to_byte();
    let [black, white] = [Side::Black, Side::White].map(|winner| byte(End::Targets(winner)));
    let count = |black| byte(End::Counted { black, white: area - black });
    let counted: Vec<u8> = (0..=area).map(count).collect();
    Box::new(move |row| {
        let stones = spread_stones(rect, u64::from(row));
        let added = targets::on_board(rules, stones, rect.squares() & !stones);
        Arrival { added, ends: [black, white, counted[row.count_ones() as usize]] }
    })
}

/// Returns the state of the game in each lane: 0 if it is open, 1 if Black has won, 2 if White has won, 3 if the stones
/// are counted.
pub(super) fn lane_ends() -> [u8; 64] {
    std::array::from_fn(|lane| match targets::verdict(lane as u8) {
        Verdict::Open => 0,
        Verdict::Won(Side::Black) => 1,
        Verdict::Won(Side::White) => 2,
        Verdict::Count => 3,
    })
}

pub(super) fn row_end<V: Goal>(game: &BinarsiOf<V>, base: u64, row: u32) -> V {
    let position = row_position(game, base, row).expect("the tier has this row");
    counted_value(game, &position)
}

/// Returns the value of a position whose stones are counted.
fn counted_value<V: Goal>(game: &BinarsiOf<V>, position: &Position) -> V {
    let end = End::Counted { black: position.stones.count_ones(), white: position.white().count_ones() };
    V::of_end(&game.rules, end, position.side())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::space::extract_bits;
    use crate::tiers::Tiered;
    use yomikiri_rules::Game;
    use yomikiri_rules::games::binarsi::Binarsi;

    /// Compares the links and arrivals of every row of every tier with the results of [`Game::moves`] and
    /// [`Game::play`].
    #[test]
    fn links_are_the_moves_of_the_rules() {
        for code in ["bin3x3", "bin4x2", "bin2x4-s2c", "bin3x3-n", "bin3x3-m"] {
            let game = Binarsi::parse(code).unwrap();
            let (mut moves, mut bundle) = (Vec::new(), Bundle::default());
            for node in game.tier_graph() {
                let links = game.row_links(&node);
                for row in 0..node.rows as u32 {
                    let position = row_position(&game, node.base, row).unwrap();
                    game.moves(&position, &mut moves);
                    let mut expected: Vec<u64> = moves.iter().map(|&mv| game.rank(&game.play(&position, mv))).collect();
                    expected.sort_unstable();
                    expected.dedup();
                    let mut found = Vec::new();
                    for link in &links {
                        link.bundle(row & !link.free, &mut bundle);
                        let own = &link.own[extract_bits(row as usize, link.free as usize)];
                        let led_to = bundle.shared.iter().chain(own).map(|&at| bundle.children[usize::from(at)]);
                        found.extend(led_to.map(|child| link.base + (u64::from(child) << 6)));
                    }
                    let arriving = |key: u64| {
                        let base = game.keys.tier_base(Tier::of(&game.keys.position(key).unwrap()));
                        key | u64::from(arrivals(&game, base)(((key - base) >> 6) as u32).added)
                    };
                    let mut found: Vec<u64> = found.into_iter().map(arriving).collect();
                    found.sort_unstable();
                    found.dedup();
                    assert_eq!(found, expected, "{code}: row {row} of the tier at {}", node.base);
                }
            }
        }
    }
}
