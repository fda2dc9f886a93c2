//! A table in memory, for look-ups that would open many blocks each.

use std::path::PathBuf;

use crate::memory::Zeros;

/// A table that leaves a common outcome out, in memory: what it lists, a byte for each key of the game. What it leaves
/// out is found for each question, from these bytes alone.
pub struct Resident {
    /// The file, for errors.
    pub(crate) path: PathBuf,
    /// By key: the byte listed, or `left_out` where none is.
    pub(crate) bytes: Zeros<u8>,
    /// A byte of the outcome that is left out, which no key is listed with.
    pub(crate) left_out: u8,
}
