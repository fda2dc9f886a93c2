//! The pyonpyon game for the kernels. `graph` finds children and parents for retrograde analysis. `complete` is for the
//! analysis of all positions, and `rows` finds predecessors for it, row by row. `audit` checks all positions by the
//! plain rules, with `move_tables`.

mod audit;
mod complete;
mod graph;
mod move_tables;
mod rows;
