//! Checking a table of all positions: every key once, in the order in which the children of neighbours lie together.
//!
//! Each position's moves are made anew. A stored value must be exactly what the best move gives, a position in which the
//! game is over must not be stored, and every key must be met once: so nothing is missing and nothing twice.
//!
//! A draw then has a move to a draw and none to a loss, on both sides for ever; a win or loss leads one ply nearer to
//! the end with each move: so all values are right.

use std::collections::BTreeMap;

use rayon::prelude::*;

use super::table::read;
use super::{Complete, Verdict};
use crate::SolveError;
use crate::space::SharedSet;
use yomikiri_rules::value::{Timed, Value};
use yomikiri_table::progress::Progress;
use yomikiri_table::{Table, Tally};

/// What an audit works with.
struct Audit<'a, G> {
    game: &'a G,
    table: &'a Table,
    /// Table bytes by key, those of ended positions too.
    bytes: Vec<u8>,
    worth: Worth,
    visited: SharedSet,
}

/// How many positions of each table byte a part has: undecided ones, and ended ones.
type Counts = [[u64; 256]; 2];

/// Checks every position of a table of the whole game, and that it counts them right.
pub fn audit_all<G: Complete>(game: &G, table: &Table, progress: &dyn Progress) -> Result<(), SolveError> {
    let mut bytes = read(game, table)?;
    for (key, outcome) in game.ends() {
        if bytes[key as usize] != 0 {
            return Err(table.damaged(format!("has a value for {}, which is over", text(game, key))).into());
        }
        bytes[key as usize] = G::Value::of(outcome, 0).to_byte();
    }
    let visited = SharedSet::new(bytes.len() as u64);
    let audit = Audit { game, table, bytes, worth: Worth::new::<G::Value>(), visited };
    progress.begin("Step 3: audit", audit.bytes.len() as u64);
    let counts = (0..game.parts())
        .into_par_iter()
        .map(|part| audit.check_part(part, progress))
        .try_reduce_with(|a, b| Ok::<Counts, SolveError>(sum(a, b)));
    audit.counts_agree(&counts.unwrap_or(Ok([[0; 256]; 2]))?)?;
    progress.end(&format!("{} positions, every value agrees with its moves", audit.visited.count()));
    Ok(())
}

fn sum(mut a: Counts, b: Counts) -> Counts {
    a.iter_mut().flatten().zip(b.iter().flatten()).for_each(|(a, b)| *a += b);
    a
}

fn text<G: Complete>(game: &G, key: u32) -> String {
    game.position_text(&game.position(key))
}

/// Values as numbers, the greater the better for the side to move, from 1 on; 0 is no value.
struct Worth {
    /// By the table byte of a position: what a move to it is worth.
    of_move: [u8; 256],
    /// By the table byte of a position: what its best move must be worth.
    of_position: [u8; 256],
}

impl Worth {
    fn new<V: Value>() -> Worth {
        let of_move = |byte: u8| V::from_byte(byte).map(V::of_move);
        let mut order: Vec<V> = (0..=255).filter_map(of_move).collect();
        order.sort();
        order.dedup();
        let rank =
            |value: Option<V>| value.and_then(|value| order.binary_search(&value).ok()).map_or(0, |at| at as u8 + 1);
        Worth {
            of_move: std::array::from_fn(|byte| rank(of_move(byte as u8))),
            of_position: std::array::from_fn(|byte| rank(V::from_byte(byte as u8))),
        }
    }
}

impl<G: Complete> Audit<'_, G> {
    fn check_part(&self, part: u32, progress: &dyn Progress) -> Result<Counts, SolveError> {
        let mut counts = [[0; 256]; 2];
        let (mut checked, mut bad) = (0, None);
        self.game.check_part(part, &self.bytes, &self.worth.of_move, |key, verdict| {
            checked += 1;
            let byte = self.bytes[key as usize];
            let (right, over) = match verdict {
                Verdict::Over(outcome) => (byte == G::Value::of(outcome, 0).to_byte(), true),
                Verdict::Best(worth) => (worth != 0 && worth == self.worth.of_position[usize::from(byte)], false),
            };
            if !right || !self.visited.insert(key.into()) {
                bad = bad.or(Some(key));
            }
            counts[usize::from(over)][usize::from(byte)] += 1;
        });
        progress.advance(checked);
        match bad {
            None => Ok(counts),
            Some(key) => Err(self.wrong(key)),
        }
    }

    fn wrong(&self, key: u32) -> SolveError {
        let text = text(self.game, key);
        SolveError::Wrong(format!("{}: {text} does not have the value of its best move", self.table.path().display()))
    }

    fn counts_agree(&self, counts: &Counts) -> Result<(), SolveError> {
        let meta = self.table.meta()?;
        let mut tally = Tally::default();
        present(&counts[0]).for_each(|(byte, count)| tally.add(0, byte, count));
        let ended: BTreeMap<u8, u64> = present(&counts[1]).collect();
        let all = self.visited.count() == self.bytes.len() as u64;
        if !all || tally != meta.tally || ended != meta.ended || tally.positions() != self.table.header.positions.get()
        {
            return Err(self.table.damaged("the counts in its meta data are not those of its positions").into());
        }
        Ok(())
    }
}

fn present(counts: &[u64; 256]) -> impl Iterator<Item = (u8, u64)> {
    (0..=255).zip(counts.iter().copied()).filter(|(_, count)| *count > 0)
}
