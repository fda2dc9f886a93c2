//! Connect Four for play: `evaluate`. The kernels ask nothing of it.

mod evaluate;
