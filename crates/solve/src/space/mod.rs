//! Sets of positions and the dense numbers they go by.

mod bits;
mod prefetch;
mod shared;

pub use bits::BitMap;
pub use prefetch::prefetch;
pub use shared::{CHUNK, SharedSet};
