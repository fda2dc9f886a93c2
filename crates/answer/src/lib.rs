//! Answers: rules and tables (and certificates or search where no table reaches) to values, ranked moves and best lines.

mod certificates;
mod compare;
#[cfg(feature = "write")]
mod export;
mod json;
mod longest;
mod oracle;
mod puzzle;
mod stats;

pub use certificates::{Certificates, JudgedMove, Knower};
pub use compare::{ByOutcome, Change, Changes, Comparison, Counted, Example, Group, Summary, Worth, compare};
#[cfg(feature = "write")]
pub use export::{List, export_best_moves, export_best_play, export_gz, export_lists, export_names};
pub use json::{MoveReport, QueryReport};
pub use longest::{Far, longest};
pub use oracle::{Answer, Oracle, RankedMove, Source};
pub use puzzle::{Puzzle, Wanted, draw_puzzles};
pub use stats::{Spread, Start, Stats};
