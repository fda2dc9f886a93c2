//! Tiers, dense rows inside tiers, and 64-bit keys.
//!
//! A **tier** is a rectangle with a set of locks. A position in a tier has a **row** and a **lane**. The row is the set
//! of the position's black stones as a number: bit `width * rank + file`, with file and rank counted from the corner of
//! the rectangle. The lane is the set of the position's cleared targets as a number, 0..64.
//!
//! The keys of all tiers together have no gaps. Keys are ordered by rectangle (`Rect: Ord`), then by locks, row and
//! lane. The formula is `key = base(rect) + ((locks << area | row) << 6 | lane)`. The locks in a key are compact: the
//! files of the rectangle from bit 0, then its ranks. The rectangle that fills the 7x6 board has 2^61 keys, and all
//! smaller rectangles together have fewer. The key of a position is the smallest among its four images under [`Image`].

use super::board::{Image, Position, Rect, Squares, Way};
use super::rules::Rules;

/// The number of lanes of a row: one for each set of cleared targets out of six.
pub const LANES: usize = 64;

/// The numbering of the rectangles of a board, and their first keys.
#[derive(Clone, Debug)]
pub struct KeyMap {
    rects: Vec<Rect>,
    /// The first key of each rectangle, in the order of `rects`. The last entry is one more than the last key.
    bases: Vec<u64>,
    /// Indexed by [`slot`]: the index of the rectangle in `rects`; 0 for slots without a rectangle.
    numbers: Vec<u16>,
}

/// Returns a number below 4096 that identifies the rectangle.
#[inline]
fn slot(rect: Rect) -> usize {
    let Rect { width, height, file, rank } = rect;
    usize::from(width - 1) << 9 | usize::from(height - 1) << 6 | usize::from(file) << 3 | usize::from(rank)
}

impl KeyMap {
    /// Creates the key map of a board. Only the numbers of files and ranks in `rules` matter.
    pub fn new(rules: &Rules) -> KeyMap {
        let mut rects = Vec::new();
        for width in 1..=rules.files {
            for height in 1..=rules.ranks {
                for file in 0..=rules.files - width {
                    for rank in 0..=rules.ranks - height {
                        rects.push(Rect { width, height, file, rank });
                    }
                }
            }
        }
        let mut bases = vec![0];
        for rect in &rects {
            bases.push(bases[bases.len() - 1] + (1 << (rect.area() + lock_bits(*rect) + 6)));
        }
        let mut numbers = vec![0; 4096];
        for (number, &rect) in rects.iter().enumerate() {
            numbers[slot(rect)] = number as u16;
        }
        KeyMap { rects, bases, numbers }
    }

    /// Returns the upper bound of all keys, exclusive. Keys depend only on the size of the board.
    pub fn end(&self) -> u64 {
        self.bases[self.rects.len()]
    }

    /// Returns the first key of the tier.
    pub fn tier_base(&self, tier: Tier) -> u64 {
        self.bases[usize::from(self.numbers[slot(tier.rect)])] + (u64::from(tier.locks) << (tier.rect.area() + 6))
    }

    /// Returns the image of `position` with the smallest key, and that key.
    pub fn canonical(&self, rules: &Rules, position: &Position) -> (Position, u64) {
        let own = Tier::of(position);
        let tiers = Image::ALL.map(|image| own.mirrored(rules, image));
        let first = tiers.iter().min().copied().unwrap_or(own);
        // Keys are ordered by tier first, so only images in the smallest of the four tiers can have the smallest key.
        // If there are several such images, their rows decide.
        let mut best: Option<(u64, Position)> = None;
        for (tier, image) in tiers.iter().zip(Image::ALL) {
            if *tier == first {
                let other = position.mirrored(rules, image);
                let row = compact_stones(other.rect, other.stones);
                if best.is_none_or(|(least, _)| row < least) {
                    best = Some((row, other));
                }
            }
        }
        let (row, image) = best.expect("one image is in the first tier");
        (image, self.tier_base(first) + (row << 6 | u64::from(image.targets)))
    }

    /// Returns the position with this key, or `None` past the last key. Keys of positions that are not canonical are
    /// accepted. The plies at which targets were cleared are set to the ply of the position.
    pub fn position(&self, key: u64) -> Option<Position> {
        let at = self.bases.partition_point(|&base| base <= key) - 1;
        let rect = *self.rects.get(at)?;
        let offset = key - self.bases[at];
        let (lane, row) = (offset & 63, (offset >> 6) & ((1 << rect.area()) - 1));
        let locks = (offset >> (6 + rect.area())) as u16;
        let mut position = Position {
            stones: spread_stones(rect, row),
            rect,
            locks: spread_locks(rect, locks),
            targets: lane as u8,
            clear_plies: [0; 6],
        };
        let ply = position.ply() as u8;
        for bit in 0..6 {
            if lane >> bit & 1 == 1 {
                position.clear_plies[bit] = ply;
            }
        }
        Some(position)
    }
}

/// A rectangle and the locks of its ways in compact form: its files from bit 0, then its ranks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Tier {
    /// The rectangle that the stones fill.
    pub rect: Rect,
    /// The locks in compact form: bit 0 is the first file of the rectangle, bit `width` its first rank.
    pub locks: u16,
}

impl Tier {
    /// Returns the tier that contains a position.
    pub fn of(position: &Position) -> Tier {
        Tier { rect: position.rect, locks: compact_locks(position.rect, position.locks) }
    }

    /// Returns the ply of every position in the tier.
    pub fn ply(self) -> u32 {
        u32::from(self.rect.width + self.rect.height) - 2 + self.locks.count_ones()
    }

    /// Returns the number of rows.
    pub fn rows(self) -> usize {
        1 << self.rect.area()
    }

    /// Returns the tier that contains the images of this tier's positions under `image`.
    #[inline]
    pub fn mirrored(self, rules: &Rules, image: Image) -> Tier {
        let Rect { width, height, file, rank } = self.rect;
        let (mut rect, mut locks) = (self.rect, self.locks);
        if image.files {
            rect.file = rules.files - file - width;
            let files = (locks as u8 & ((1 << width) - 1)).reverse_bits() >> (8 - width);
            locks = (locks >> width) << width | u16::from(files);
        }
        if image.ranks {
            rect.rank = rules.ranks - rank - height;
            let ranks = ((locks >> width) as u8).reverse_bits() >> (8 - height);
            locks = (locks & ((1 << width) - 1)) | u16::from(ranks) << width;
        }
        Tier { rect, locks }
    }

    /// Returns the smallest of the four images of this tier, and a symmetry that maps this tier to it.
    pub fn canonical(self, rules: &Rules) -> (Tier, Image) {
        Image::ALL
            .iter()
            .map(|&image| (self.mirrored(rules, image), image))
            .min_by_key(|&(tier, _)| tier)
            .expect("four images")
    }

    /// Returns the symmetries that map the tier to itself, without the identity.
    pub fn stabiliser(self, rules: &Rules) -> Vec<Image> {
        Image::ALL[1..].iter().copied().filter(|&image| self.mirrored(rules, image) == self).collect()
    }

    /// Returns the unlocked ways of the rectangle.
    pub fn unlocked(self) -> impl Iterator<Item = Way> {
        self.ways().enumerate().filter(move |(bit, _)| self.locks >> bit & 1 == 0).map(|(_, way)| way)
    }

    /// Returns the ways of the rectangle, in the order of their compact lock bits.
    pub fn ways(self) -> impl Iterator<Item = Way> {
        let Rect { width, height, file, rank } = self.rect;
        (file..file + width).map(Way::File).chain((rank..rank + height).map(Way::Rank))
    }

    /// Returns this tier with `way` locked as well. The way must cross the rectangle.
    pub fn locked(self, way: Way) -> Tier {
        Tier { rect: self.rect, locks: self.locks | compact_locks(self.rect, way.lock()) }
    }

    /// Returns the tier with the rectangle `rect` and the locks of this tier. `rect` must contain the rectangle of this
    /// tier.
    pub fn on(self, rect: Rect) -> Tier {
        Tier { rect, locks: compact_locks(rect, spread_locks(self.rect, self.locks)) }
    }
}

fn lock_bits(rect: Rect) -> u32 {
    u32::from(rect.width + rect.height)
}

/// Converts a set of locks, in the form of [`Way::lock`], to the compact form of [`Tier::locks`].
fn compact_locks(rect: Rect, locks: u16) -> u16 {
    let files = (locks & 0x7f) >> rect.file & ((1 << rect.width) - 1);
    let ranks = (locks >> 7) >> rect.rank & ((1 << rect.height) - 1);
    files | ranks << rect.width
}

fn spread_locks(rect: Rect, locks: u16) -> u16 {
    let files = locks & ((1 << rect.width) - 1);
    files << rect.file | (locks >> rect.width) << (7 + rect.rank)
}

/// Packs the black stones in a rectangle into the number of their row: bit `width * rank + file`, with file and rank
/// counted from the corner of the rectangle.
#[inline]
pub fn compact_stones(rect: Rect, stones: Squares) -> u64 {
    let mut rest = stones >> (8 * rect.rank + rect.file);
    let row = (1 << rect.width) - 1;
    let mut compact = 0;
    for rank in 0..rect.height {
        compact |= (rest & row) << (rect.width * rank);
        rest >>= 8;
    }
    compact
}

/// Inverts [`compact_stones`]: returns the black stones of a row.
#[inline]
pub fn spread_stones(rect: Rect, row_number: u64) -> Squares {
    let row = (1 << rect.width) - 1;
    let mut stones = 0;
    for rank in 0..rect.height {
        stones |= (row_number >> (rect.width * rank) & row) << (8 * rank);
    }
    stones << (8 * rect.rank + rect.file)
}
