//! The effect of moves on lanes. A lane of a row stands for a set of targets, to which a move can add some.

use crate::tiers::Row;
use yomikiri_table::blocks::Lanes;

/// The effect of a move that adds certain targets, for each lane before the move.
pub struct TargetEffect {
    targets: u8,
    /// The lanes in which the game goes on (open lanes).
    open: Lanes,
    /// For each lane before the move: 255 if the lane after the move is open, else 0.
    open_bytes: Row,
    /// A mask for each end, 1 to 3, of [`crate::tiers::Tiered::lane_ends`]. The mask of end `e` is at index `e - 1`. It
    /// has, for each lane before the move: 255 if the lane after the move has this end, else 0.
    ends: [Row; 3],
}

impl TargetEffect {
    pub fn new(targets: u8, lane_ends: &[u8; 64]) -> TargetEffect {
        let end_of = |lane: usize| lane_ends[lane | usize::from(targets)];
        let bytes = |end: u8| Row(std::array::from_fn(|lane| if end_of(lane) == end { 255 } else { 0 }));
        let open = (0..64).filter(|&lane| lane_ends[lane] == 0).fold(0, |set, lane| set | 1 << lane);
        TargetEffect { targets, open, open_bytes: bytes(0), ends: [1, 2, 3].map(bytes) }
    }

    /// Returns the open lanes that moves from these lanes lead to.
    #[inline]
    pub fn reached(&self, mut lanes: Lanes) -> Lanes {
        for (bit, without) in WITHOUT.iter().enumerate() {
            if self.targets >> bit & 1 == 1 {
                lanes = lanes & !without | (lanes & without) << (1 << bit);
            }
        }
        lanes & self.open
    }

    /// Lifts a row of grades: the grade of a lane becomes the grade of a move into the row from a position in this
    /// lane. If the lane after the move has the end `e` of [`crate::tiers::Tiered::lane_ends`], the grade is
    /// `ends[e - 1]`.
    #[inline]
    pub fn lift(&self, row: &mut Row, ends: [u8; 3]) {
        spread_low::<1>(row, self.targets);
        spread_low::<2>(row, self.targets);
        spread_low::<4>(row, self.targets);
        spread_high::<8>(row, self.targets);
        spread_high::<16>(row, self.targets);
        spread_high::<32>(row, self.targets);
        let [black, white, counted] = &self.ends;
        for (lane, grade) in row.0.iter_mut().enumerate() {
            let over = black.0[lane] & ends[0] | white.0[lane] & ends[1] | counted.0[lane] & ends[2];
            *grade = *grade & self.open_bytes.0[lane] | over;
        }
    }
}

/// For each target, the lanes that lack it.
const WITHOUT: [Lanes; 6] = [
    0x5555_5555_5555_5555,
    0x3333_3333_3333_3333,
    0x0f0f_0f0f_0f0f_0f0f,
    0x00ff_00ff_00ff_00ff,
    0x0000_ffff_0000_ffff,
    0x0000_0000_ffff_ffff,
];

/// For a target `BIT` in `targets`: copies the byte of each lane whose set contains the target to the lane of the same
/// set without the target.
#[inline(always)]
fn spread_high<const BIT: usize>(row: &mut Row, targets: u8) {
    if usize::from(targets) & BIT != 0 {
        for lanes in row.0.chunks_exact_mut(2 * BIT) {
            let (without, with) = lanes.split_at_mut(BIT);
            without.copy_from_slice(with);
        }
    }
}

/// Like [`spread_high`], for the three lowest targets. Lanes that differ only in these targets are in the same word of
/// eight lanes.
#[inline(always)]
fn spread_low<const BIT: usize>(row: &mut Row, targets: u8) {
    /// For each `BIT`: 255 in the lanes that lack the target, else 0.
    const BYTES: [u64; 5] = [0, 0x00ff_00ff_00ff_00ff, 0x0000_ffff_0000_ffff, 0, 0x0000_0000_ffff_ffff];
    if usize::from(targets) & BIT != 0 {
        for lanes in row.0.as_chunks_mut::<8>().0 {
            let word = u64::from_le_bytes(*lanes);
            let with = word & !BYTES[BIT];
            *lanes = (with | with >> (8 * BIT)).to_le_bytes();
        }
    }
}
