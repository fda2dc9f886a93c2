//! Other programs as players: they are asked by USI, the protocol of shogi programs, on their standard input and answer on their
//! standard output. What they write to standard error goes where this program's goes.
//!
//! `process` is a program that runs and is ended whatever happens, `usi` a player that speaks to one. No wait is without a
//! limit: a program that is late, ends or answers nonsense has lost that game and is started anew for the next one.

mod process;
mod usi;

pub use usi::Program;
