//! The pyonpyon game for the kernels: `graph` (children and parents for retrograde analysis), `complete` (all positions
//! and their audit), `evaluate` (for play without a table).

mod complete;
pub mod evaluate;
mod graph;
