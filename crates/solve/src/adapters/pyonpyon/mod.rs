//! The pyonpyon game for the kernels: `graph` (children and parents for retrograde analysis), `complete` (all
//! positions) with `rows` (predecessors row by row), `audit` with `ways` (what the rules say of all positions),
//! `evaluate` (for play without a table).

mod audit;
mod complete;
pub mod evaluate;
mod graph;
mod rows;
mod ways;
