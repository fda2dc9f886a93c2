//! Keys as text.

use std::fmt;

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use yomikiri_rules::{Game, KEY_MARK, key_text};

/// A key as text, such as `@41600`. Every command accepts it as a position. It is text because many JSON readers keep
/// only 53 bits of a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(type = "string"))]
pub struct KeyText(u64);

impl KeyText {
    /// Returns the key of a position, or `None` on boards without keys.
    pub fn of<G: Game>(game: &G, position: &G::Position) -> Option<KeyText> {
        game.has_keys().then(|| KeyText(game.rank(position)))
    }
}

impl fmt::Display for KeyText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&key_text(self.0))
    }
}

impl Serialize for KeyText {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for KeyText {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<KeyText, D::Error> {
        let text = String::deserialize(deserializer)?;
        let key = text.strip_prefix(KEY_MARK).and_then(|number| number.parse().ok());
        key.map(KeyText).ok_or_else(|| D::Error::custom(format!("\"{text}\" is not a key")))
    }
}
