//! The parts of kernels and audits that are specific to one game, with a folder for each game.

pub mod animal_shogi;
pub mod binarsi;
pub mod pyonpyon;
pub mod pyonpyon_shogi;
pub mod reversi;
