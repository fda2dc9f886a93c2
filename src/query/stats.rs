//! Counts of a table.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::solve::Solvable;
use crate::table::Meta;
use crate::value::{Outcome, Side, Value};

/// The start of a table under best play.
#[derive(Clone, Debug, Serialize)]
pub struct Start {
    pub outcome: Outcome,
    pub plies: Option<u16>,
    pub winner: Option<Side>,
}

impl Start {
    /// From the value of the first position, with `mover` to move.
    pub fn new<V: Value>(value: V, mover: Side) -> Start {
        let plies = value.plies().map(|plies| plies.0);
        Start { outcome: value.outcome(), plies, winner: value.outcome().winner(mover) }
    }
}

/// What `stats` prints; field names are the JSON's.
#[derive(Clone, Debug, Serialize)]
pub struct Stats {
    pub rules: String,
    /// Canonical positions that can arise; in games that can repeat, those in which the game is over are among them.
    pub positions: u64,
    /// Of these, positions in which the game is over, where they are counted.
    pub ended: u64,
    /// The others by ply, from the ply of the table's first position on; empty in games that can repeat.
    pub by_ply: Vec<u64>,
    /// Positions the side to move wins, loses, draws.
    pub wins: u64,
    pub losses: u64,
    pub draws: u64,
    /// Positions that side wins, whoever is to move; nothing in games that can repeat, where positions are the same for
    /// both sides.
    pub black_wins: Option<u64>,
    pub white_wins: Option<u64>,
    /// Longest distance to the end.
    pub max_plies: u16,
    pub start: Start,
    /// Decided positions by distance to the end in plies.
    pub by_plies: BTreeMap<u16, u64>,
}

impl Stats {
    /// Sums up a table's meta data; `start` is the value of its first position, with `mover` to move.
    pub fn new<G: Solvable>(game: &G, meta: &Meta, start: G::Value, mover: Side) -> Stats {
        let mut stats = Stats {
            rules: game.code(),
            positions: meta.tally.positions() + meta.ended.values().sum::<u64>(),
            ended: meta.ended.values().sum(),
            by_ply: match G::CYCLIC {
                true => Vec::new(),
                false => meta.tally.plies.values().map(|bytes| bytes.values().sum()).collect(),
            },
            wins: 0,
            losses: 0,
            draws: 0,
            black_wins: (!G::CYCLIC).then_some(0),
            white_wins: (!G::CYCLIC).then_some(0),
            max_plies: 0,
            start: Start::new(start, mover),
            by_plies: BTreeMap::new(),
        };
        for (&ply, bytes) in &meta.tally.plies {
            for (&byte, &count) in bytes {
                if let Some(value) = G::Value::from_byte(byte) {
                    stats.add(value, game.side_at(ply), count);
                }
            }
        }
        for (&byte, &count) in &meta.ended {
            if let Some(value) = G::Value::from_byte(byte) {
                stats.add(value, game.side_at(0), count);
            }
        }
        stats
    }

    fn add<V: Value>(&mut self, value: V, mover: Side, count: u64) {
        match value.outcome() {
            Outcome::Win => self.wins += count,
            Outcome::Loss => self.losses += count,
            Outcome::Draw => self.draws += count,
        }
        match value.outcome().winner(mover) {
            Some(Side::Black) => self.black_wins = self.black_wins.map(|wins| wins + count),
            Some(Side::White) => self.white_wins = self.white_wins.map(|wins| wins + count),
            None => {}
        }
        if let Some(plies) = value.plies() {
            self.max_plies = self.max_plies.max(plies.0);
            *self.by_plies.entry(plies.0).or_default() += count;
        }
    }
}
