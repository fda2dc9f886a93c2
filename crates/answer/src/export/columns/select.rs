//! Which positions become rows.

use std::ops::RangeInclusive;

use fastrand::Rng;
use rayon::prelude::*;

use yomikiri_rules::{Outcome, Value};
use yomikiri_solve::Solvable;
use yomikiri_table::entries::Entries;
use yomikiri_table::probe::position_of;
use yomikiri_table::{Result, Table};

/// What to leave out; nothing by default.
#[derive(Clone, Debug, Default)]
pub struct Selection {
    /// Only positions of these plies.
    pub plies: Option<RangeInclusive<u32>>,
    /// Only positions with this outcome for the side to move.
    pub outcome: Option<Outcome>,
    /// Only so many of the rest, drawn at random, the same ones each time; all if there are not more.
    pub sample: Option<u64>,
}

impl Selection {
    /// Why it does not suit a game, if it does not.
    pub fn refusal<G: Solvable>(&self) -> Option<&'static str> {
        (self.plies.is_some() && G::CYCLIC).then_some("positions can come again later, so they have no ply")
    }
}

/// Goes through the positions of a table and keeps those that are wanted.
pub struct Selected {
    plies: Option<RangeInclusive<u32>>,
    /// By value byte.
    outcomes: Option<[bool; 256]>,
    sample: Option<Draw>,
}

/// A sample of a known number of positions in one pass: each is drawn with the chance that so many are still wanted of
/// so many that are left.
struct Draw {
    wanted: u64,
    left: u64,
    random: Rng,
}

impl Selected {
    pub fn new<G: Solvable>(table: &Table, selection: &Selection) -> Result<Selected> {
        let wanted = |outcome| {
            std::array::from_fn(|byte| G::Value::from_byte(byte as u8).is_some_and(|value| value.outcome() == outcome))
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

    /// Keeps the wanted ones of the next positions of the table.
    pub fn retain<G: Solvable>(&mut self, game: &G, table: &Table, entries: &mut Entries) -> Result<()> {
        if self.plies.is_none() && self.outcomes.is_none() && self.sample.is_none() {
            return Ok(());
        }
        let kept = |(&key, &byte): (&u64, &u8)| {
            let of_ply = self.plies.is_none() || self.has_ply(game.ply(&position_of(game, table, key)?));
            Ok(of_ply && self.has_byte(byte))
        };
        let kept = entries.keys.par_iter().zip(&entries.bytes).map(kept).collect::<Result<Vec<bool>>>()?;
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
    /// Whether the next position is drawn.
    fn takes(&mut self) -> bool {
        let drawn = self.left > 0 && self.random.u64(..self.left) < self.wanted;
        self.left = self.left.saturating_sub(1);
        self.wanted -= u64::from(drawn);
        drawn
    }
}
