//! The words of a question, as its address has them.

use std::collections::BTreeMap;
use std::ops::RangeInclusive;

use axum::extract::Query;
use axum::http::Uri;

use super::reply::Refusal;

/// The words of a question by name.
pub struct Words(BTreeMap<String, String>);

impl Words {
    /// Of an address, each name known and standing once.
    pub fn of(uri: &Uri, known: &[&str]) -> Result<Words, Refusal> {
        let pairs = Query::<Vec<(String, String)>>::try_from_uri(uri);
        let Query(pairs) = pairs.map_err(|error| Refusal::bad(error.to_string()))?;
        let mut words = BTreeMap::new();
        for (name, word) in pairs {
            if !known.contains(&name.as_str()) {
                return Err(Refusal::bad(format!("{name:?} is not asked for here (known: {})", known.join(", "))));
            }
            if words.insert(name.clone(), word).is_some() {
                return Err(Refusal::bad(format!("{name} stands twice")));
            }
        }
        Ok(Words(words))
    }

    /// A word that has to be there.
    pub fn need(&self, name: &str) -> Result<&str, Refusal> {
        self.get(name).ok_or_else(|| Refusal::bad(format!("{name} is missing")))
    }

    /// A word that may be there.
    pub fn get(&self, name: &str) -> Option<&str> {
        self.0.get(name).map(String::as_str)
    }

    /// A number that may be there.
    pub fn number(&self, name: &str, range: RangeInclusive<u64>) -> Result<Option<u64>, Refusal> {
        let read = |word: &str| {
            let number = word.parse().ok().filter(|number| range.contains(number));
            let (least, most) = (range.start(), range.end());
            number.ok_or_else(|| Refusal::bad(format!("{name}={word:?} is no number from {least} to {most}")))
        };
        self.get(name).map(read).transpose()
    }
}
