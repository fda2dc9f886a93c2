//! The rules of the games once more, as plainly as can be; slow. The fast rules are held against them.
#![allow(dead_code)]

pub mod animal_shogi;
pub mod binarsi;
pub mod connect_four;
pub mod pyonpyon;
pub mod reversi;
