//! The pyonpyon game with shogi pieces for the kernels: `graph` (children and parents for retrograde analysis),
//! `evaluate` (for play without a table).

mod evaluate;
mod graph;
