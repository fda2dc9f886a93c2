//! Rows by the plain rules, for the audit. Nothing here shares code with `sheet`.

use arrayvec::ArrayVec;

use crate::tiers::{MovesOfRow, RowMove};
use yomikiri_rules::Side;
use yomikiri_rules::games::binarsi::board::{Image, Position, Rect, Squares, Way};
use yomikiri_rules::games::binarsi::goal::{End, Goal};
use yomikiri_rules::games::binarsi::index::{Tier, compact_stones};
use yomikiri_rules::games::binarsi::rules::Rules;
use yomikiri_rules::games::binarsi::targets::{self, Verdict};
use yomikiri_rules::games::binarsi::{BinarsiOf, moves};

/// The row as a position without cleared targets.
fn row_position<V>(game: &BinarsiOf<V>, base: u64, row: u32) -> Option<Position> {
    game.keys.position(base + (u64::from(row) << 6))
}

/// What all moves on one way of a tier have in common.
struct AfterWay {
    /// The rectangle after the move, and those of its squares that lie on the way.
    rect: Rect,
    squares: Squares,
    /// First key of the tier that the moves lead to.
    base: u64,
    /// The mirror images that lie in that tier, with their rectangles.
    images: ArrayVec<(Image, Rect), 4>,
}

impl AfterWay {
    /// `None` where the way is too far from the stones.
    fn new<V>(game: &BinarsiOf<V>, tier: Tier, way: Way) -> Option<AfterWay> {
        let rules = &game.rules;
        let holds = tier.rect.squares() & way.squares() != 0;
        let rect = if holds { tier.rect } else { moves::grown(tier.rect, way)? };
        let after = if holds { tier.locked(way) } else { tier.on(rect) };
        let (first, _) = after.canonical(rules);
        let images = Image::ALL.map(|image| (image, after.mirrored(rules, image)));
        let images = images.into_iter().filter(|(_, tier)| *tier == first).map(|(image, tier)| (image, tier.rect));
        let base = game.keys.tier_base(first);
        Some(AfterWay { rect, squares: rect.squares() & way.squares(), base, images: images.collect() })
    }

    /// The key of the position with these stones and no cleared targets: of the images in the first tier the smallest.
    fn key(&self, rules: &Rules, stones: Squares) -> u64 {
        let row = |&(image, rect): &(Image, Rect)| compact_stones(rect, image.squares(rules, stones));
        self.base + (self.images.iter().map(row).min().expect("a position has an image in its first tier") << 6)
    }
}

/// A function that lists the moves of a row of the tier that begins at the key `base`.
pub(super) fn row_moves<V: Goal>(game: &BinarsiOf<V>, base: u64) -> MovesOfRow<'_> {
    let rules = &game.rules;
    let Some(first) = row_position(game, base, 0) else { return Box::new(|_, found| found.clear()) };
    let (tier, mover) = (Tier::of(&first), Side::at_ply(first.ply() + 1));
    let all: Vec<(Way, AfterWay)> =
        Way::all(rules).filter_map(|way| Some((way, AfterWay::new(game, tier, way)?))).collect();
    let won = |winner| V::of_end(rules, End::Targets(winner), mover).to_byte();
    let won = [won(Side::Black), won(Side::White)];
    Box::new(move |row, found| {
        found.clear();
        let Some(position) = row_position(game, base, row) else { return };
        let (mut rest, mut on_way) = (&all[..], ArrayVec::<Squares, 32>::new());
        moves::each(rules, &position, |mv, content| {
            while rest[0].0 != mv.way {
                rest = &rest[1..];
                on_way.clear();
            }
            // Moves on one way that leave the same stones are one for the audit.
            if on_way.contains(&content) {
                return;
            }
            on_way.push(content);
            let after = &rest[0].1;
            let stones = position.stones & !after.squares | content;
            let white = after.rect.squares() & !stones;
            let added = targets::on_board(rules, stones, white);
            let counted = match added {
                0 => 0,
                _ => {
                    let end = End::Counted { black: stones.count_ones(), white: white.count_ones() };
                    V::of_end(rules, end, mover).to_byte()
                }
            };
            found.push(RowMove { key: after.key(rules, stones), added, ends: [0, won[0], won[1], counted] });
        });
    })
}

/// 0 for open lanes, 1 where Black has won, 2 where White has, 3 where the stones are counted.
pub(super) fn lane_ends() -> [u8; 64] {
    std::array::from_fn(|lane| match targets::verdict(lane as u8) {
        Verdict::Open => 0,
        Verdict::Won(Side::Black) => 1,
        Verdict::Won(Side::White) => 2,
        Verdict::Count => 3,
    })
}

pub(super) fn row_end<V: Goal>(game: &BinarsiOf<V>, base: u64, row: u32) -> V {
    let position = row_position(game, base, row).expect("a row of the table");
    counted_value(game, &position)
}

/// The value if the stones are counted now.
fn counted_value<V: Goal>(game: &BinarsiOf<V>, position: &Position) -> V {
    let end = End::Counted { black: position.stones.count_ones(), white: position.white().count_ones() };
    V::of_end(&game.rules, end, position.side())
}
