//! What a checkpoint says of itself.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use yomikiri_rules::Game;

/// What a kind of search says of how far it was.
pub trait Details: Clone + Serialize + DeserializeOwned {
    /// Its counts, with their names in the file.
    fn counts(&self) -> Vec<(&'static str, u64)>;

    /// How much was done, and of what, for people.
    fn work(&self) -> (u64, &'static str);
}

/// What a checkpoint says of itself.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Header<D> {
    pub rule_code: String,
    pub rules_revision: u32,
    /// Text of the position that is searched.
    pub position: String,
    /// Hash of the keys of this position and of some after it, in hexadecimal digits: it differs between versions of the
    /// program whose keys do.
    pub keys: String,
    /// Seconds since the beginning of 1970 when it was written.
    pub written: u64,
    /// Seconds that the search has taken, in all runs.
    pub seconds: f64,
    #[serde(flatten)]
    pub details: D,
}

impl<D: Details> Header<D> {
    /// Of the present state of the search of a position, after so much time in all runs.
    pub fn now<G: Game>(rules: &G, position: &G::Position, keys: u64, spent: Duration, details: D) -> Header<D> {
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        Header {
            rule_code: rules.code(),
            rules_revision: G::RULES_REVISION,
            position: rules.position_text(position),
            keys: digits(keys),
            written: since.as_secs(),
            seconds: (spent.as_secs_f64() * 1000.0).round() / 1000.0,
            details,
        }
    }

    /// A number that no search comes to, and no sum of which may be made, if there is one.
    pub fn absurd_number(&self) -> Option<&'static str> {
        /// More than any machine does in a lifetime, and little enough for sums.
        const MOST: u64 = 1 << 60;
        const MOST_SECONDS: f64 = 1e11;
        let large = self.details.counts().into_iter().find(|&(_, count)| count > MOST).map(|(name, _)| name);
        large.or((!(0.0..=MOST_SECONDS).contains(&self.seconds)).then_some("seconds"))
    }

    /// Why a checkpoint is not of the search of this position, if it is not.
    pub fn mismatch<G: Game>(&self, rules: &G, position: &G::Position, keys: u64) -> Option<String> {
        if self.rule_code != rules.code() {
            return Some(format!("checkpoint of {}, not of {}", self.rule_code, rules.code()));
        }
        if self.position != rules.position_text(position) {
            return Some(format!("checkpoint of the position \"{}\"", self.position));
        }
        let same = self.rules_revision == G::RULES_REVISION && self.keys == digits(keys);
        (!same).then(|| "checkpoint of another version of the program".into())
    }
}

fn digits(keys: u64) -> String {
    format!("{keys:016x}")
}
