//! Answers: from tables, certificates and search to values, ranked moves and best lines.
//!
//! An [`Answerer`] takes what there is: a table, all positions below one if they are few, a certificate, or the game's
//! search. It opens each file once, so one answerer is for many questions.
//!
//! ```
//! use yomikiri_answer::{Answerer, Found, QueryReport, Source};
//! use yomikiri_rules::games::binarsi::Binarsi;
//! use yomikiri_rules::{Game, Outcome, Plies, Value};
//! use yomikiri_table::Silent;
//!
//! let game = Binarsi::parse("bin2x2")?;
//! let here = game.parse_position("startpos moves 2n")?;
//! // A folder of tables, or an address. Here is no table; so small a board is solved on the spot.
//! let mut answerer = Answerer::new(&game, std::path::Path::new("nowhere"));
//! let Found::Exact(values) = answerer.find(&here, 64 << 20, &Silent)? else { panic!("nothing but a certificate") };
//! assert_eq!(values.source(), Source::Subgame);
//!
//! let answer = values.answer(&here)?;
//! assert_eq!(answer.value.outcome(), Outcome::Win);
//! let best = &answer.moves[0];
//! assert_eq!((game.move_text(best.mv).as_str(), best.value.plies()), ("1nH", Some(Plies(5))));
//! assert_eq!(values.line(&here, 10)?.len(), 5);
//!
//! // What `yomikiri query --json` prints.
//! let report = QueryReport::ask(&mut answerer, &here, 64 << 20, &Silent)?;
//! assert!(serde_json::to_string(&report)?.starts_with(r#"{"rules":"bin2x2","position":"ox/2 w - - 1""#));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # What is stable
//!
//! The fields of the types that are printed as JSON, with their names and order ([`QueryReport`], [`ValueReport`],
//! [`Stats`], [`PuzzleReport`], [`Summary`] and the others): fields may be added. [`Answerer`], [`Oracle`],
//! [`answer_lines`] and [`shelf`] are meant for other programs. How an answerer chooses between a subgame and a search
//! is not promised, only that exact values are exact.
//!
//! # Parts
//!
//! `answerer` decides what answers about a position, `oracle` has the exact values, `excerpt` those that one side
//! needs, `batch` answers many questions at once. `shelf` tells what files there are. `stats`, `counts`, `puzzle`,
//! `compare` and `export` read whole tables. `survey` has the records of surveys. `json` has the types that the command prints.

mod answerer;
mod batch;
mod compare;
mod counts;
mod excerpt;
#[cfg(feature = "write")]
mod export;
mod json;
mod key_text;
mod line;
mod oracle;
mod points;
mod proof_tree;
mod puzzle;
#[cfg(feature = "write")]
pub mod shelf;
mod stats;
#[cfg(feature = "write")]
pub mod survey;
mod view;

pub use answerer::{Answerer, Certificates, Found};
pub use batch::{Detail, answer_lines};
pub use compare::{ByOutcome, Change, Changes, Comparison, Counted, Example, Group, StartOf, Summary, Worth, compare};
pub use counts::{CountedGroup, Counts, Dimension, Label};
pub use excerpt::Excerpt;
#[cfg(feature = "write")]
pub use excerpt::{Excerpted, write_excerpt};
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
pub use oracle::{Answer, JudgedMove, Oracle, RankedMove, Source};
pub use points::Points;
pub use proof_tree::{Goes, ProofMove, ProofNode};
pub use puzzle::{Puzzle, PuzzleReport, Wanted, draw_puzzles};
pub use stats::{Furthest, FurthestPosition, NO_SUM, Spread, Start, Stats, longest};
pub use view::{
    ArrangedStone, Arrangement, BoardNames, BySide, Direction, Effect, End, FamilyName, Held, LineStone, MoveView,
    Parts, PieceName, PieceSteps, Played, Stone, TargetView, View, Viewed, WayKind, WayView,
};
