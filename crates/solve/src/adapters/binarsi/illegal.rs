//! Modifies that are illegal for what they leave, in terms of row bits (rule options `-n` and `-m`).

use crate::space::BitMap;
use yomikiri_rules::games::binarsi::board::{Image, Rect, Way};
use yomikiri_rules::games::binarsi::rules::{Idle, Rules};

/// Pairs of contents that no modify of a way leads from and to.
pub struct Illegal {
    /// Whether a content may not stay as it is.
    unchanged: bool,
    /// The map to the mirror image that reverses the way, and the way's row bits, where no modify may leave that
    /// image. It takes all other ways of this direction onto themselves. The other mirror image takes the way to
    /// another place, or leaves its content: then the way must hold what it held.
    reversed: Option<(BitMap, u32)>,
}

impl Illegal {
    /// Of a way of a rectangle, whose row bits `mask` has; `map` is the map of its rows to those of a mirror image of
    /// the board.
    pub fn new(rules: &Rules, rect: Rect, way: Way, mask: u32, map: impl Fn(Image) -> BitMap) -> Illegal {
        let files = matches!(way, Way::Rank(_));
        let (first, size, all) =
            if files { (rect.file, rect.width, rules.files) } else { (rect.rank, rect.height, rules.ranks) };
        let is_central = 2 * first + size == all;
        let reversed =
            (rules.idle == Idle::Mirrored && is_central).then(|| (map(Image { files, ranks: !files }), mask));
        Illegal { unchanged: rules.idle.is_illegal(), reversed }
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        !self.unchanged
    }

    /// The contents that a modify may not lead to from a content, and may not come from to it, in a context; they may
    /// be equal.
    #[inline(always)]
    pub fn partners(&self, context: u32, content: u32) -> [Option<u32>; 2] {
        let reversed = self
            .reversed
            .as_ref()
            .and_then(|(map, mask)| (map.apply(context) & !mask == context).then(|| map.apply(content)));
        [self.unchanged.then_some(content), reversed]
    }
}
