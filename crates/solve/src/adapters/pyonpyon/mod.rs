//! The pyonpyon game for the kernels: `graph` (children and parents for retrograde analysis), `audit` with `ranks` (rows of keys at once), `solve` (which kernel solves
//! it), `evaluate` (for play without a table).

mod audit;
mod evaluate;
mod graph;
mod ranks;
mod solve;
