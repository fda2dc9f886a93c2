//! The pyonpyon game with shogi pieces for the kernels. `graph` finds children and parents for retrograde analysis, and
//! `evaluate` is the evaluation for play without a table.

mod evaluate;
mod graph;
