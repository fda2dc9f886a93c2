//! A game of two heaps for tests. It is acyclic, and implements the traits of the kernel for cyclic games, too.

use std::ops::ControlFlow;

use crate::retrograde::{Cyclic, End};
use yomikiri_rules::{
    Acyclic, CodedValue, Distance, Family, Formats, Game, KeySpace, Notation, Outcome, Presentation, Side, TextError,
    ValueCodec,
};

/// Two heaps of seven stones each. A move takes a stone off one heap; the player who empties a heap wins. A position is
/// its key: the sizes of the two heaps are in bits 3 to 5 and 0 to 2. Bits 32 and 33 are set, so that keys do not fit
/// 32 bits.
#[derive(Clone)]
pub struct Heaps;

/// The key of the position without stones.
pub const EMPTY: u64 = 3 << 32;

/// The value of one stone in a key, for each heap.
const STONES: [u64; 2] = [1 << 3, 1];

fn stones(heaps: u64) -> u32 {
    ((heaps >> 3 & 7) + (heaps & 7)) as u32
}

impl Game for Heaps {
    type Position = u64;
    type Move = u64;
    type Value = Distance;

    fn codec(&self) -> ValueCodec {
        ValueCodec::Distance
    }

    fn value_of_byte(&self, byte: u8) -> Option<Distance> {
        Distance::from_byte(byte)
    }

    fn parse(_: &str) -> Result<Heaps, TextError> {
        Ok(Heaps)
    }

    fn code(&self) -> String {
        "heaps".into()
    }

    fn start(&self) -> u64 {
        EMPTY + 63
    }

    fn side(&self, heaps: &u64) -> Side {
        Side::at_ply(self.ply(heaps))
    }

    fn ply(&self, heaps: &u64) -> u32 {
        14 - stones(*heaps)
    }

    fn moves(&self, heaps: &u64, moves: &mut Vec<u64>) {
        moves.clear();
        if !self.is_terminal(heaps) {
            moves.extend(STONES);
        }
    }

    fn play(&self, heaps: &u64, stone: u64) -> u64 {
        heaps - stone
    }

    fn terminal_value(&self, heaps: &u64) -> Option<Distance> {
        self.is_terminal(heaps).then(|| Distance::new(Outcome::Loss, 0))
    }

    fn is_terminal(&self, heaps: &u64) -> bool {
        heaps & 7 == 0 || heaps >> 3 & 7 == 0
    }

    fn canonical(&self, heaps: &u64) -> u64 {
        *heaps
    }

    fn rank(&self, heaps: &u64) -> u64 {
        *heaps
    }

    fn unrank(&self, key: u64) -> Option<u64> {
        Some(key)
    }

    fn key_space(&self) -> KeySpace {
        KeySpace::fixed("heaps".into(), EMPTY + 64)
    }
}

impl Notation for Heaps {
    fn parse_notation(&self, _: &str) -> Result<u64, TextError> {
        Ok(EMPTY)
    }

    fn position_text(&self, heaps: &u64) -> String {
        heaps.to_string()
    }

    fn parse_move(&self, _: &u64, _: &str) -> Result<u64, TextError> {
        Ok(1)
    }

    fn move_text(&self, stone: u64) -> String {
        stone.to_string()
    }
}

impl Presentation for Heaps {
    fn family(&self) -> Family {
        Family {
            name: "heaps",
            codes: "",
            prefix: "",
            pattern: "",
            example: "",
            explanation: &[],
            formats: Formats { positions: "", games: "", suites: "" },
        }
    }

    fn settings(&self) -> Vec<(&'static str, String)> {
        Vec::new()
    }

    fn marks(&self) -> [&'static str; 2] {
        ["", ""]
    }

    fn board_text(&self, heaps: &u64) -> String {
        heaps.to_string()
    }
}

impl Acyclic for Heaps {
    fn plies_left(&self, heaps: &u64) -> u32 {
        stones(*heaps)
    }
}

impl Cyclic for Heaps {
    type Key = u64;
    type Board = u64;
    type Child = u64;
    type Block = ();

    fn keys(&self) -> u64 {
        EMPTY + 64
    }
    fn open_keys(&self) -> u64 {
        EMPTY + 64
    }
    fn board(&self, key: u64, (): &mut ()) -> u64 {
        key
    }
    fn position(&self, key: u64) -> u64 {
        key
    }
    fn children(&self, heaps: &u64, mut visit: impl FnMut(&u64, End) -> ControlFlow<()>) -> ControlFlow<()> {
        let mut children = STONES.iter().map(|stone| heaps - stone);
        children.try_for_each(|child| visit(&child, self.is_terminal(&child).then_some((Outcome::Loss, 0))))
    }
    fn key_of(&self, child: &u64) -> u64 {
        *child
    }
    fn parents(&self, heaps: &u64, visit: impl FnMut(u64) -> ControlFlow<()>) -> ControlFlow<()> {
        let parents = STONES.iter().filter(|&stone| (heaps / stone) & 7 < 7).map(|stone| heaps + stone);
        parents.filter(|parent| !self.is_terminal(parent)).try_for_each(visit)
    }
    fn may_arise(&self, _: u64, _: &u64) -> bool {
        true
    }
}
