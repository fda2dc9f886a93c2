//! Reversi without a table. `search` finds exact scores of single positions, with evaluation by `patterns` and
//! `weights`. `evaluate` is the evaluation for play. Certificates need no code of their own.

mod evaluate;
pub mod patterns;
pub mod search;
pub mod weights;

use yomikiri_rules::games::reversi::Reversi;

searched!(Reversi);
