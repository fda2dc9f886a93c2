//! The header of a checkpoint.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use yomikiri_rules::Notation;

/// The progress of a search in a checkpoint's header. Each kind of search has its own counts.
pub trait ProgressCounts: Clone + Serialize + DeserializeOwned {
    /// The counts, with their names in the file.
    fn counts(&self) -> Vec<(&'static str, u64)>;

    /// The amount of work done and the name of its unit, for messages.
    fn work(&self) -> (u64, &'static str);
}

/// The header of a checkpoint.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Header<D> {
    /// The rule code of the variant.
    pub rule_code: String,
    /// The revision of the variant's rules.
    pub rules_revision: u32,
    /// The position that is searched, as text.
    pub position: String,
    /// The hash of the keys of `position` and of some positions after it, as 16 hexadecimal digits. Versions of the
    /// program that compute keys differently have different hashes.
    pub keys: String,
    /// The time of writing, in seconds since the beginning of 1970.
    pub written: u64,
    /// The total time of the search over all its runs, in seconds.
    pub seconds: f64,
    /// The progress of the search.
    #[serde(flatten)]
    pub details: D,
}

impl<D: ProgressCounts> Header<D> {
    /// Makes the header for the current state of the search of a position. `spent` is the total time of all runs of the
    /// search.
    pub fn now<G: Notation>(rules: &G, position: &G::Position, keys: u64, spent: Duration, details: D) -> Header<D> {
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        Header {
            rule_code: rules.code(),
            rules_revision: rules.rules_revision(),
            position: rules.position_text(position),
            keys: digits(keys),
            written: since.as_secs(),
            seconds: (spent.as_secs_f64() * 1000.0).round() / 1000.0,
            details,
        }
    }

    /// Returns the name of a number in the header that is larger than any search can reach, if there is one. Such a
    /// number could overflow sums.
    pub fn impossible_number(&self) -> Option<&'static str> {
        /// The greatest possible count. No machine counts beyond it in a lifetime, and sums of such counts do not
        /// overflow.
        const MAX: u64 = 1 << 60;
        const MAX_SECONDS: f64 = 1e11;
        let large = self.details.counts().into_iter().find(|&(_, count)| count > MAX).map(|(name, _)| name);
        large.or((!(0.0..=MAX_SECONDS).contains(&self.seconds)).then_some("seconds"))
    }

    /// Returns `None` if the checkpoint belongs to the search of this position, else the reason why it does not.
    /// `claims` is true if a search of the same position can be about one of two claims, and they have different keys.
    pub fn mismatch<G: Notation>(&self, rules: &G, position: &G::Position, keys: u64, claims: bool) -> Option<String> {
        if self.rule_code != rules.code() {
            return Some(format!("is a checkpoint of {}, not of {}", self.rule_code, rules.code()));
        }
        if self.position != rules.position_text(position) {
            return Some(format!("is a checkpoint of another position, \"{}\"", self.position));
        }
        let same = self.rules_revision == rules.rules_revision() && self.keys == digits(keys);
        let other = if claims { "the other --draws, or of another version" } else { "another version" };
        (!same).then(|| format!("is a checkpoint of {other} of the program"))
    }
}

fn digits(keys: u64) -> String {
    format!("{keys:016x}")
}
