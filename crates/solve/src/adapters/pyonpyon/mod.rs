//! The pyonpyon game for the kernels: `graph` (children and parents for retrograde analysis), `audit` (rows of keys at
//! once), `evaluate` (for play without a table).

mod audit;
mod evaluate;
mod graph;
