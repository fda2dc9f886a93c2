//! Animal shogi for the kernels. `graph` finds children and parents for retrograde analysis.

mod graph;
