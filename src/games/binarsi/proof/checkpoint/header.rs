//! What a checkpoint says of itself.

use std::ops::ControlFlow;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::Xxh3;

use crate::game::Game;
use crate::games::binarsi::board::Position;
use crate::games::binarsi::game::Binarsi;
use crate::games::binarsi::kernel::CompactPosition;
use crate::games::binarsi::proof::{Prover, State, place};

/// What a checkpoint says of itself.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Header {
    pub rule_code: String,
    pub rules_revision: u32,
    /// Text of the position that is to be decided.
    pub position: String,
    /// Hash of the keys of this position and those up to two plies later, in hexadecimal digits: versions of the program with other
    /// keys have another one.
    pub keys: String,
    /// Seconds since the beginning of 1970 when it was written.
    pub written: u64,
    /// Seconds that the proof has taken, in all runs.
    pub seconds: f64,
    /// As [`State`] tells, of all runs.
    pub expansions: u64,
    pub work: u64,
    pub readings: u64,
    pub read: u64,
    /// Proof numbers of the position; null is endless.
    pub wins: Option<u32>,
    pub loses: Option<u32>,
}

impl Header {
    /// Of what is known now.
    pub fn now(state: &State<'_>, position: &Position, spent: Duration) -> Header {
        let game = &state.prover.game;
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        Header {
            rule_code: game.code(),
            rules_revision: Binarsi::RULES_REVISION,
            position: game.position_text(position),
            keys: keys(game, position),
            written: since.as_secs(),
            seconds: (spent.as_secs_f64() * 1000.0).round() / 1000.0,
            expansions: state.expansions(),
            work: state.work,
            readings: state.readings,
            read: state.read,
            wins: state.numbers.to_win(),
            loses: state.numbers.to_loss(),
        }
    }

    /// Why a checkpoint is not of the proof of this position, if it is not.
    pub fn mismatch(&self, prover: &Prover, position: &Position) -> Option<String> {
        let game = &prover.game;
        if self.rule_code != game.code() {
            return Some(format!("checkpoint of {}, not of {}", self.rule_code, game.code()));
        }
        if self.position != game.position_text(position) {
            return Some(format!("checkpoint of the position \"{}\"", self.position));
        }
        let same = self.rules_revision == Binarsi::RULES_REVISION && self.keys == keys(game, position);
        (!same).then(|| "checkpoint of another version of the program".into())
    }
}

/// See [`Header::keys`].
fn keys(game: &Binarsi, position: &Position) -> String {
    let mut hash = Xxh3::new();
    add_keys(game, &CompactPosition::from(position), 2, &mut hash);
    format!("{:016x}", hash.digest())
}

fn add_keys(game: &Binarsi, field: &CompactPosition, plies: u32, hash: &mut Xxh3) {
    if game.winner(&field.position()).is_some() {
        return;
    }
    hash.update(&place::key(game, field).to_le_bytes());
    if plies > 0 {
        let _ = game.successors.each(field, |successor| {
            add_keys(game, &successor.position, plies - 1, hash);
            ControlFlow::<()>::Continue(())
        });
    }
}
