//! The games, one folder each, and the registry that leads from a rule code to its game.

pub mod animal_shogi;
pub mod binarsi;
pub mod connect_four;
pub mod pair;
pub mod pyonpyon;
pub mod registry;
pub mod reversi;
