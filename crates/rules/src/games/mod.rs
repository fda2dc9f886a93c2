//! The games, one folder each. `registry` lists them.

pub mod animal_shogi;
pub mod binarsi;
pub mod binarsi_points;
pub mod connect_four;
pub mod pyonpyon;
pub mod pyonpyon_shogi;
pub mod reversi;
