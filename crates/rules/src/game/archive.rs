//! Binary files of recorded games. Some implementations of [`Game`] read such files in addition to text.

use std::ops::RangeInclusive;

use super::{Game, TextError};

/// A binary format: a header, then one record of fixed length for each recorded game.
pub struct Archive<G: Game> {
    /// The file name extension in lower case, such as `.wtb`.
    pub ending: &'static str,
    /// The values of a file's first byte that identify this format. No text that the game reads begins with one of
    /// these bytes.
    pub first: RangeInclusive<u8>,
    /// The length of the header in bytes.
    pub header: usize,
    /// The length of a record in bytes.
    pub record: usize,
    /// Reads the header of a file. An error names the faulty field.
    pub open: fn(&G, &[u8]) -> Result<ArchiveHeader, TextError>,
    /// Reads a record of a file, given the header that `open` returned.
    pub read: ReadRecord<G>,
}

/// Reads one record of a file with the given header. An error names the faulty field or move.
pub type ReadRecord<G> = fn(&G, &ArchiveHeader, &[u8]) -> Result<ArchivedOf<G>, TextError>;

impl<G: Game> Archive<G> {
    /// Returns true if a file has this format: if its name ends in [`Archive::ending`] (in upper or lower case), or if
    /// its first byte is in [`Archive::first`]. `first` is `None` if the file is empty.
    pub fn matches(&self, name: &str, first: Option<u8>) -> bool {
        name.to_ascii_lowercase().ends_with(self.ending) || first.is_some_and(|byte| self.first.contains(&byte))
    }
}

/// The parts of a file's header that its reader needs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ArchiveHeader {
    /// The number of records.
    pub games: u32,
    /// The number of empty squares in each game's scored position (see [`Archived`]); 0 if the header does not give
    /// this number.
    pub empties: u8,
    /// The reason why scores of the file cannot be compared with values of this variant; `None` if they can.
    pub why_not_comparable: Option<String>,
}

/// The result of reading a recorded game. Each record has a score for one position of its game, the scored position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Archived<P, V> {
    /// The scored position and its value. The value is `None` if scores of the file cannot be compared with values of
    /// the variant.
    Scored(P, Option<V>),
    /// The moves of the record end before the scored position. The last position has this number of empty squares.
    EndedEarly(u8),
}

/// [`Archived`] for the positions and values of a game.
pub type ArchivedOf<G> = Archived<<G as Game>::Position, <G as Game>::Value>;
