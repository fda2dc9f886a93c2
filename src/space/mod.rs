//! Sets of positions and the dense numbers they go by.

mod bits;

pub use bits::BitMap;
