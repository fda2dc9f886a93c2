//! Descriptions of the formats that `text` reads.

use crate::Formats;

/// The formats of positions, games and suites.
pub const FORMATS: Formats = Formats {
    positions: "startpos, the five fields of SFEN, such as \"ox/2 w - - 1\"",
    games: "startpos moves ... with board edits among the moves; play --load reads records of play and match",
    suites: Formats::DEFAULT_SUITES,
};
