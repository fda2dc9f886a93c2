//! Lifting: converts the rows of a finished tier for the tiers of the ply before. A lane of a row stands for a set of
//! cleared targets. In a lifted row, each lane holds the value of a move to this row from a position with the set of
//! the lane.

use crate::tiers::Row;
use yomikiri_rules::Side;
use yomikiri_rules::games::binarsi::targets::{Verdict, verdict};

/// The masks for lifting rows, indexed by the set of targets that have a line of stones on the row's board. To lift a
/// row of values is to turn it into the values of the moves to this row.
pub struct Lifts(Vec<Lift>);

/// Masks of the lanes before a move to a row, one mask for each state of the game after the move. A mask has 255 for
/// each lane from which the move leads to the state, and 0 for all other lanes. `open` is for the state in which the
/// game goes on. The masks of `over` are for these states, in this order: Black wins, White wins, the stones are
/// counted.
struct Lift {
    open: Row,
    over: [Row; 3],
}

impl Lift {
    fn new(cleared: u8) -> Lift {
        let bytes = |wanted: Verdict| {
            let byte = |lane: usize| if verdict(lane as u8 | cleared) == wanted { 255 } else { 0 };
            Row(std::array::from_fn(byte))
        };
        let over = [Verdict::Won(Side::Black), Verdict::Won(Side::White), Verdict::Count].map(bytes);
        Lift { open: bytes(Verdict::Open), over }
    }
}

impl Lifts {
    pub fn new() -> Lifts {
        Lifts((0..64).map(Lift::new).collect())
    }

    /// Lifts a row on whose board the targets `cleared` have lines of stones, so that every move to the row clears
    /// them. `ends` has three absolute bytes: for a game that Black has won, for one that White has won, and for one
    /// whose stones are counted.
    #[inline]
    pub fn lift(&self, row: &mut Row, cleared: u8, ends: [u8; 3]) {
        for target in 0..3 {
            if cleared >> target & 1 == 1 {
                add_in_words(row, target);
            }
        }
        for target in 3..6 {
            if cleared >> target & 1 == 1 {
                let lanes = 1 << target;
                row.0.chunks_exact_mut(2 * lanes).for_each(|lane| lane.copy_within(lanes.., 0));
            }
        }
        let Lift { open, over } = &self.0[usize::from(cleared)];
        for (lane, byte) in row.0.iter_mut().enumerate() {
            let end = over[0].0[lane] & ends[0] | over[1].0[lane] & ends[1] | over[2].0[lane] & ends[2];
            *byte = *byte & open.0[lane] | end;
        }
    }
}

/// Copies the byte of each lane whose set contains `target` to the lane of the same set without `target`. `target` must
/// be 0, 1 or 2: both lanes are then in the same word of eight lanes.
#[inline(always)]
fn add_in_words(row: &mut Row, target: u32) {
    const WITH: [u64; 3] = [0xff00_ff00_ff00_ff00, 0xffff_0000_ffff_0000, 0xffff_ffff_0000_0000];
    for lanes in row.0.as_chunks_mut().0 {
        let with = u64::from_le_bytes(*lanes) & WITH[target as usize];
        *lanes = (with | with >> (8 << target)).to_le_bytes();
    }
}
