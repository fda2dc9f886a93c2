//! The pyonpyon game with shogi pieces for the kernels. `graph` finds children and parents for retrograde analysis.

mod graph;
