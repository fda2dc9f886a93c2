//! Sets of places in a run, and maps from the places of one run to those of another. A run is a set of up to 256
//! positions with consecutive numbers, and a place is the index of a position in it.

use crate::bits::set_bits;

/// A set of places, which are indices of positions in a run of up to 256: bit `i % 64` of word `i / 64` stands for
/// place `i`.
pub type Bits = [u64; 4];

pub(super) const NONE: Bits = [0; 4];
pub(super) const ALL: Bits = [u64::MAX; 4];

/// Indexed by a bit of a place (the index of a position, 0 to 255): the set of all places that have this bit set.
pub(super) const WITH: [Bits; 8] = {
    let words = [0xaaaa_aaaa_aaaa_aaaa, 0xcccc_cccc_cccc_cccc, 0xf0f0_f0f0_f0f0_f0f0, 0xff00_ff00_ff00_ff00];
    let wide = [0xffff_0000_ffff_0000, 0xffff_ffff_0000_0000];
    [
        [words[0]; 4],
        [words[1]; 4],
        [words[2]; 4],
        [words[3]; 4],
        [wide[0]; 4],
        [wide[1]; 4],
        [0, u64::MAX, 0, u64::MAX],
        [0, 0, u64::MAX, u64::MAX],
    ]
};

/// Returns the intersection of `a` and `b`.
#[inline(always)]
pub fn and(a: &Bits, b: &Bits) -> Bits {
    std::array::from_fn(|word| a[word] & b[word])
}

/// Returns the union of `a` and `b`.
#[inline(always)]
pub fn or(a: &Bits, b: &Bits) -> Bits {
    std::array::from_fn(|word| a[word] | b[word])
}

/// Returns the places of `a` that are not in `b`.
#[inline(always)]
pub fn without(a: &Bits, b: &Bits) -> Bits {
    std::array::from_fn(|word| a[word] & !b[word])
}

/// Returns true if the set is empty.
#[inline(always)]
pub fn is_empty(bits: &Bits) -> bool {
    bits[0] | bits[1] | bits[2] | bits[3] == 0
}

#[inline(always)]
pub(super) fn each_place(bits: &Bits, mut visit: impl FnMut(usize)) {
    for (word, &bits) in bits.iter().enumerate() {
        for bit in set_bits(bits) {
            visit(64 * word + bit as usize);
        }
    }
}

/// A map from the places of one run to the places of another. A place is the index of a position, with bits for the
/// owners and hens. The map complements the owners of all pieces. It drops the bits of a piece that leaves the board,
/// and adds bits for a piece that comes onto the board. It may also swap the two pieces of a kind.
#[derive(Clone, Copy, Debug)]
pub(super) struct Map {
    /// The mask of the bits of a place to complement first.
    pub(super) first: u32,
    /// Up to two bits to remove, in this order, after the bits of `first` are complemented. The bits above move down.
    /// Each bit is given as the mask of the bits below it, or as [`EVERY`] if there is no bit to remove.
    pub(super) dropped: [u32; 2],
    /// Up to two clear bits to insert, in this order, after the bits of `dropped` are gone. Each bit is given as the
    /// mask of the bits below it, or as [`EVERY`] if there is no bit to insert.
    pub(super) added: [u32; 2],
    /// The mask of the bits to complement after the bits of `added` have been inserted.
    pub(super) last: u32,
    /// The pairs of adjacent bits to swap at the end. Each pair is given by its lower bit.
    pub(super) swapped: u32,
}

/// The mask of all bits. In [`Map::dropped`] and [`Map::added`], it drops or adds no bit.
pub(super) const EVERY: u32 = u32::MAX;

/// Returns the mask of all bits below the bit with the index `bit`.
#[inline(always)]
pub(super) fn below(bit: usize) -> u32 {
    (1 << bit) - 1
}

impl Map {
    /// Returns true if no piece leaves the board or comes onto it. Bits then keep their positions, except for swaps.
    #[inline(always)]
    pub(super) fn keeps_bits(&self) -> bool {
        self.dropped[0] & self.dropped[1] & self.added[0] & self.added[1] == EVERY
    }

    /// Returns the same place as [`Map::image`], for a map that [keeps bits](Map::keeps_bits).
    #[inline(always)]
    pub(super) fn kept_image(&self, place: usize) -> u8 {
        let place = place as u32 ^ self.first ^ self.last;
        let changed = (place ^ place >> 1) & self.swapped;
        (place ^ changed ^ changed << 1) as u8
    }

    #[inline(always)]
    pub(super) fn image(&self, place: usize) -> u8 {
        let mut place = place as u32 ^ self.first;
        for below in self.dropped {
            place = place & below | place >> 1 & !below;
        }
        for below in self.added {
            place = place & below | (place & !below) << 1;
        }
        place ^= self.last;
        let changed = (place ^ place >> 1) & self.swapped;
        (place ^ changed ^ changed << 1) as u8
    }
}
