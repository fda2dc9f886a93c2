//! Sets of positions by dense keys, and tools for dense indices.

mod batch;
mod bits;
mod ended;
mod ranked;
mod shared;
mod tiles;

pub use batch::Batch;
pub use bits::BitMap;
pub use ended::EndedPositions;
pub use ranked::{RANKED_PART, RankedCursor, RankedSet};
pub use shared::{CHUNK, SharedSet, each_word, numbers_of};
pub use tiles::{Tile, TilePlace, Tiling, deposit_bits, extract_bits};
