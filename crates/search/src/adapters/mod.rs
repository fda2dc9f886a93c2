//! The searches, provers and evaluators of the games, a folder for each game.

mod animal_shogi;
pub mod binarsi;
mod connect_four;
mod pyonpyon;
mod pyonpyon_shogi;
pub mod reversi;
