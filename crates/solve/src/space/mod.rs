//! Sets of positions and the dense numbers they go by.

mod batch;
mod bits;
mod ended;
mod prefetch;
mod shared;
mod tiles;

pub use batch::Batch;
pub use bits::BitMap;
pub use ended::Ended;
pub use prefetch::prefetch;
pub use shared::{CHUNK, SharedSet, each_bit, each_word};
pub use tiles::{Place, Tile, Tiling, spread, squeezed};
