//! Modifies that are illegal because of their results (rule options `-n` and `-m`). A modify is a move on a way inside
//! the rectangle of stones. Contents of ways are row bits, the stones of a rectangle as a number.

use crate::space::BitMap;
use yomikiri_rules::games::binarsi::board::{Image, Rect, Way};
use yomikiri_rules::games::binarsi::rules::{IllegalModifies, Rules};

/// The illegal modifies of one way, as pairs of contents: a modify must not replace one content of a pair with the
/// other.
pub struct Illegal {
    /// True if a modify must change the content.
    unchanged: bool,
    /// For the mirroring of the board that reverses the way: the map from rows to mirrored rows, and the row bits of
    /// the way. `None` if the rules let a modify turn the board into a mirror image, or if this mirroring moves the
    /// rectangle. The other mirroring of the board needs no check: a modify can produce that image only if it does not
    /// change the way, and then `unchanged` makes it illegal.
    reversed: Option<(BitMap, u32)>,
}

impl Illegal {
    /// Finds the illegal modifies of a way of a rectangle. `mask` has the row bits of the way. `map` returns the map
    /// from rows of the rectangle to rows on a mirror image of the board.
    pub fn new(rules: &Rules, rect: Rect, way: Way, mask: u32, map: impl Fn(Image) -> BitMap) -> Illegal {
        let files = matches!(way, Way::Rank(_));
        let (first, size, all) =
            if files { (rect.file, rect.width, rules.files) } else { (rect.rank, rect.height, rules.ranks) };
        let is_central = 2 * first + size == all;
        let reversed = (rules.illegal_modifies == IllegalModifies::Mirrored && is_central)
            .then(|| (map(Image { files, ranks: !files }), mask));
        Illegal { unchanged: rules.illegal_modifies.has_any(), reversed }
    }

    /// Returns true if all modifies are legal.
    pub fn is_empty(&self) -> bool {
        !self.unchanged
    }

    /// Returns the contents that a modify must not leave on a way that holds `content`. `context` has the stones off
    /// the way. The relation is symmetric: on a way that holds one of these contents, a modify must not leave
    /// `content`. The two contents may be equal.
    #[inline(always)]
    pub fn partners(&self, context: u32, content: u32) -> [Option<u32>; 2] {
        let reversed = self
            .reversed
            .as_ref()
            .and_then(|(map, mask)| (map.apply(context) & !mask == context).then(|| map.apply(content)));
        [self.unchanged.then_some(content), reversed]
    }
}
