//! Animal shogi for the kernels: `graph` (children and parents for retrograde analysis), `solve` (which kernel solves it), `evaluate` (for play without a table).

mod evaluate;
mod graph;
mod solve;
