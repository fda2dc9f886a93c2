//! Answers: rules and tables (and certificates or search where no table reaches) to values, ranked moves and best lines.

mod certificates;
mod compare;
mod entries;
mod export;
mod longest;
mod oracle;
mod probe;
mod puzzle;
mod stats;
mod verify;

pub use certificates::{Certificates, JudgedMove, Knower};
pub use compare::{ByOutcome, Change, Changes, Comparison, Counted, Example, Group, Summary, Worth, compare};
pub use entries::{Entries, EntryReader, listed_within};
pub use export::{List, export_best_moves, export_best_play, export_gz, export_lists, export_names};
pub use longest::{Far, longest};
pub use oracle::{Answer, Oracle, RankedMove, Source};
pub use probe::{open, probe};
pub use puzzle::{Puzzle, Wanted, draw_puzzles};
pub use stats::{Spread, Start, Stats};
pub(crate) use verify::wrong;
pub use verify::{Draw, check_position, search_sample, verify_keys, verify_sample};
