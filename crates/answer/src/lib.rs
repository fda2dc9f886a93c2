//! Answers: from tables, certificates and search to values, ranked moves and best lines.
//!
//! `answerer` decides what answers about a position, `oracle` has the exact values, `batch` answers many questions at
//! once. `shelf` tells what files there are.
//! `stats`, `counts`, `puzzle`, `compare` and `export` read whole tables. `json` has the types that the command prints.

mod answerer;
mod batch;
mod compare;
mod counts;
#[cfg(feature = "write")]
mod export;
mod json;
mod key_text;
mod line;
mod oracle;
mod points;
mod puzzle;
#[cfg(feature = "write")]
pub mod shelf;
mod stats;
mod view;

pub use answerer::{Answerer, Certificates, Found, JudgedMove};
pub use batch::{Detail, answer_lines};
pub use compare::{ByOutcome, Change, Changes, Comparison, Counted, Example, Group, StartOf, Summary, Worth, compare};
pub use counts::{CountedGroup, Counts, Dimension, Label};
#[cfg(feature = "data")]
pub use export::{ByGame, DataExported, DataForm, Selection, export_data};
#[cfg(feature = "write")]
pub use export::{Exported, Form, export, export_gz, export_names};
pub use json::{
    CertificateReport, CheckedSearchReport, CostReport, GameList, GameReport, LegalMove, LegalMoves, MoveReport,
    QueryReport, RulesReport, SearchReport, Trust, ValueReport,
};
pub use key_text::KeyText;
pub use line::{Line, LineEnd, LineReport};
pub use oracle::{Answer, Oracle, RankedMove, Source};
pub use points::Points;
pub use puzzle::{Puzzle, PuzzleReport, Wanted, draw_puzzles};
pub use stats::{Furthest, FurthestPosition, NO_SUM, Spread, Start, Stats, longest};
pub use view::{
    ArrangedStone, Arrangement, BoardNames, BySide, Direction, Effect, End, FamilyName, Held, LineStone, MoveView,
    Parts, PieceName, PieceSteps, Played, Stone, TargetView, View, Viewed, WayKind, WayView,
};
