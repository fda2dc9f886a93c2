//! What a checkpoint says of itself.

use std::ops::ControlFlow;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::Xxh3;

use crate::proof::game::{FullPosition, ProofGame};
use crate::proof::{Prover, State};
use yomikiri_rules::Game;

/// What a checkpoint says of itself.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Header {
    pub rule_code: String,
    pub rules_revision: u32,
    /// Text of the position that is to be solved.
    pub position: String,
    /// Hash of the proof keys of this position and those up to two plies later, in hexadecimal digits: it differs
    /// between versions of the program whose keys do.
    pub keys: String,
    /// Seconds since the beginning of 1970 when it was written.
    pub written: u64,
    /// Seconds that the proof has taken, in all runs.
    pub seconds: f64,
    /// As [`State`] tells, of all runs.
    pub expansions: u64,
    pub work: u64,
    #[serde(rename = "readings")]
    pub endgames: u64,
    #[serde(rename = "read")]
    pub endgame_nodes: u64,
    /// Proof numbers of the position; null is infinite.
    #[serde(rename = "wins")]
    pub pn: Option<u32>,
    #[serde(rename = "loses")]
    pub dn: Option<u32>,
}

impl Header {
    /// Of the present state.
    pub fn now<P: ProofGame>(state: &State<'_, P>, position: &FullPosition<P>, spent: Duration) -> Header {
        let rules = state.prover.game.rules();
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        Header {
            rule_code: rules.code(),
            rules_revision: P::Rules::RULES_REVISION,
            position: rules.position_text(position),
            keys: keys(&state.prover.game, position),
            written: since.as_secs(),
            seconds: (spent.as_secs_f64() * 1000.0).round() / 1000.0,
            expansions: state.expansions(),
            work: state.work,
            endgames: state.endgames,
            endgame_nodes: state.endgame_nodes,
            pn: state.numbers.to_win(),
            dn: state.numbers.to_loss(),
        }
    }

    /// A number that no proof comes to, and no sum of which may be made, if there is one.
    pub fn absurd_number(&self) -> Option<&'static str> {
        /// More than any machine does in a lifetime, and little enough for sums.
        const MOST: u64 = 1 << 60;
        const MOST_SECONDS: f64 = 1e11;
        let Header { expansions, work, endgames, endgame_nodes, seconds, .. } = *self;
        let counts = [("expansions", expansions), ("work", work), ("readings", endgames), ("read", endgame_nodes)];
        let large = counts.into_iter().find(|&(_, count)| count > MOST).map(|(name, _)| name);
        large.or((!(0.0..=MOST_SECONDS).contains(&seconds)).then_some("seconds"))
    }

    /// Why a checkpoint is not of the proof of this position, if it is not.
    pub fn mismatch<P: ProofGame>(&self, prover: &Prover<P>, position: &FullPosition<P>) -> Option<String> {
        let rules = prover.game.rules();
        if self.rule_code != rules.code() {
            return Some(format!("checkpoint of {}, not of {}", self.rule_code, rules.code()));
        }
        if self.position != rules.position_text(position) {
            return Some(format!("checkpoint of the position \"{}\"", self.position));
        }
        let same = self.rules_revision == P::Rules::RULES_REVISION && self.keys == keys(&prover.game, position);
        (!same).then(|| "checkpoint of another version of the program".into())
    }
}

/// See [`Header::keys`].
fn keys<P: ProofGame>(game: &P, position: &FullPosition<P>) -> String {
    let mut hash = Xxh3::new();
    add_keys(game, &game.compact(position), 2, &mut hash);
    format!("{:016x}", hash.digest())
}

fn add_keys<P: ProofGame>(game: &P, position: &P::Position, plies: u32, hash: &mut Xxh3) {
    if game.winner(position).is_some() {
        return;
    }
    hash.update(&game.proof_key(&game.normal(position)).to_le_bytes());
    if plies > 0 {
        let _ = game.successors(position, |_, child| {
            add_keys(game, &child, plies - 1, hash);
            ControlFlow::Continue(())
        });
    }
}
