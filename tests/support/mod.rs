//! Helpers that several test programs share.
#![allow(dead_code)]

pub mod animal_shogi_boards;
pub mod certificate;
pub mod coded;
pub mod command;
pub mod compare;
pub mod crash;
pub mod forged;
pub mod games;
pub mod random;
pub mod repository;
pub mod serve;
pub mod session;
pub mod solving;
pub mod table;
pub mod terminal;
