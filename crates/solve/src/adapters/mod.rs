//! What the kernels ask of each game: a folder per game.

pub mod animal_shogi;
pub mod binarsi;
pub mod connect_four;
pub mod pyonpyon;
pub mod pyonpyon_shogi;
pub mod reversi;
