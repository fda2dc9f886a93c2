//! Which positions are the same for a proof.
//!
//! Mirror images are, as for tables. And a side that misses a target which can no longer be cleared can win by the count
//! alone: its other targets do not matter any more, whichever it has cleared. Its bits are then all set, which no position
//! of a game that goes on has.

use crate::games::binarsi::index::KeyMap;
use crate::games::binarsi::kernel::{Field, Lines};
use crate::games::binarsi::rules::Rules;
use crate::games::binarsi::targets::{BLACK_ALL, WHITE_ALL};

/// Numbers positions of one variant.
pub struct Places {
    rules: Rules,
    lines: Lines,
    keys: KeyMap,
}

impl Places {
    pub fn new(rules: &Rules) -> Places {
        Places { rules: *rules, lines: Lines::new(rules), keys: KeyMap::new(rules) }
    }

    /// The number of a position that is not decided by targets; positions with the same number have the same winner.
    pub fn key(&self, field: &Field) -> u64 {
        let mut position = field.position();
        position.targets = self.targets_that_matter(field);
        self.keys.canonical(&self.rules, &position).1
    }

    fn targets_that_matter(&self, field: &Field) -> u8 {
        let reachable = field.targets | self.lines.open(field);
        [BLACK_ALL, WHITE_ALL]
            .into_iter()
            .filter(|all| reachable & all != *all)
            .fold(field.targets, |set, all| set | all)
    }
}
