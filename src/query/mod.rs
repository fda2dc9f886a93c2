//! Answers: rules and tables (and search where no table reaches) to values, ranked moves and best lines.

mod export;
mod oracle;
mod probe;
mod stats;
mod verify;

pub use export::{List, export_best_moves, export_best_play, export_gz, export_lists, export_names};
pub use oracle::{Answer, Oracle, RankedMove, Source};
pub use probe::{open, probe};
pub use stats::{Spread, Start, Stats};
pub use verify::{Draw, check_position, verify_keys, verify_sample};
