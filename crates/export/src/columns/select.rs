//! Chooses the positions that become rows.

use std::ops::{Range, RangeInclusive};

use fastrand::Rng;

use yomikiri_rules::{AnyGame, Game, Outcome, Value};
use yomikiri_solve::Solvable;
use yomikiri_table::entries::Entries;
use yomikiri_table::probe::position_of;
use yomikiri_table::{Result, Table, parallel};

/// The minimum number of positions that one thread takes at a time.
const SHARE: usize = 256;

/// Filters for positions. The default keeps all positions.
#[derive(Clone, Debug, Default)]
pub struct Selection {
    /// Keeps only positions of these plies; `None` keeps all plies.
    pub plies: Option<RangeInclusive<u32>>,
    /// Keeps only positions with this outcome for the side to move; `None` keeps all outcomes.
    pub outcome: Option<Outcome>,
    /// Keeps at most this number of positions, drawn at random from those that pass the other two filters; `None` keeps
    /// all. The same selection always draws the same positions from a table.
    pub sample: Option<u64>,
}

impl Selection {
    /// Returns true if the selection keeps all positions.
    pub fn is_everything(&self) -> bool {
        self.plies.is_none() && self.outcome.is_none() && self.sample.is_none()
    }

    /// Returns the reason why the selection cannot be applied to a game, or `None` if it can.
    pub fn refusal(&self, game: &AnyGame) -> Option<&'static str> {
        (self.plies.is_some() && game.is_cyclic()).then_some("positions can repeat, so they have no ply")
    }
}

/// Filters the positions of a table. [`Selected::retain`] must be called with all positions of the table, in key order.
pub struct Selected {
    plies: Option<RangeInclusive<u32>>,
    /// Indexed by table byte: true if the value that the byte encodes has the selected outcome. `None` selects every
    /// outcome.
    outcomes: Option<[bool; 256]>,
    sample: Option<Draw>,
}

/// A sample of a known number of positions, drawn in one pass. `left` is the number of positions still to come,
/// `wanted` the number still to be drawn. Each position is drawn with probability `wanted / left`.
struct Draw {
    wanted: u64,
    left: u64,
    random: Rng,
}

impl Selected {
    pub fn new(game: &AnyGame, table: &Table, selection: &Selection) -> Result<Selected> {
        let wanted = |outcome| {
            std::array::from_fn(|byte| game.value_of_byte(byte as u8).is_some_and(|value| value.outcome() == outcome))
        };
        let mut selected =
            Selected { plies: selection.plies.clone(), outcomes: selection.outcome.map(wanted), sample: None };
        if let Some(sample) = selection.sample {
            let tally = table.meta()?.tally;
            let groups = tally.plies.iter().filter(|&(&ply, _)| selected.has_ply(ply)).flat_map(|(_, bytes)| bytes);
            let left = groups.filter(|&(&byte, _)| selected.has_byte(byte)).map(|(_, &count)| count).sum();
            selected.sample = Some(Draw { wanted: sample.min(left), left, random: Rng::with_seed(sample) });
        }
        Ok(selected)
    }

    fn has_ply(&self, ply: u32) -> bool {
        self.plies.as_ref().is_none_or(|plies| plies.contains(&ply))
    }

    fn has_byte(&self, byte: u8) -> bool {
        self.outcomes.is_none_or(|outcomes| outcomes[usize::from(byte)])
    }

    /// Keeps only the selected positions in `entries`. Each call must pass the entries of the table that come right
    /// after the entries of the previous call.
    pub fn retain(&mut self, game: &AnyGame, table: &Table, entries: &mut Entries) -> Result<()> {
        if self.plies.is_none() && self.outcomes.is_none() && self.sample.is_none() {
            return Ok(());
        }
        let kept = |(&key, &byte): (&u64, &u8)| {
            let of_ply = self.plies.is_none() || self.has_ply(game.ply(&position_of(game, table, key)?));
            Ok(of_ply && self.has_byte(byte))
        };
        let kept_of = |range: Range<usize>| {
            entries.keys[range.clone()].iter().zip(&entries.bytes[range]).map(kept).collect::<Result<Vec<bool>>>()
        };
        let kept = parallel::try_flat_map(entries.keys.len(), SHARE, kept_of)?;
        let (mut keys, mut bytes) = (Vec::new(), Vec::new());
        for ((&key, &byte), _) in entries.keys.iter().zip(&entries.bytes).zip(&kept).filter(|(_, kept)| **kept) {
            if self.sample.as_mut().is_none_or(Draw::takes) {
                keys.push(key);
                bytes.push(byte);
            }
        }
        *entries = Entries { keys, bytes };
        Ok(())
    }
}

impl Draw {
    /// Decides at random if the next position is drawn, and returns true if so.
    fn takes(&mut self) -> bool {
        let drawn = self.left > 0 && self.random.u64(..self.left) < self.wanted;
        self.left = self.left.saturating_sub(1);
        self.wanted -= u64::from(drawn);
        drawn
    }
}
