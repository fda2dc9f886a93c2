//! Yomikiri solves small board games completely.
//!
//! The way of the data:
//!
//! ```text
//! rule code -> game -> enumerate -> solve -> check -> pack -> query -> people
//! ```
#![deny(unsafe_code)]

pub mod engine;
pub mod game;
pub mod games;
pub mod pipeline;
pub mod progress;
pub mod query;
pub mod solve;
pub mod space;
pub mod table;
pub mod value;
