//! Answers questions about positions: values, ranked moves and best lines, from tables, certificates and searches.
//!
//! An [`Answerer`] uses the best available source: a table, the subgame (all positions that can follow the one asked
//! about) if it is small, a certificate, or the game's search. It opens each file once, so use one answerer for many
//! questions.
//!
//! ```
//! use yomikiri_answer::{Answerer, FoundSource, QueryReport, Source};
//! use yomikiri_rules::{AnyGame, Game, Notation, Outcome, Plies, Value};
//! use yomikiri_table::Silent;
//!
//! let game = AnyGame::parse("bin2x2")?;
//! let here = game.parse_position("startpos moves 2n")?;
//! // A folder of tables, or an address. There is no table here, so this small board is solved on the spot.
//! let mut answerer = Answerer::new(&game, std::path::Path::new("nowhere"));
//! let FoundSource::Exact(values) = answerer.find(&here, 64 << 20, &Silent)? else {
//!     panic!("nothing but a certificate")
//! };
//! assert_eq!(values.source(), Source::Subgame);
//!
//! let answer = values.answer(&here)?;
//! assert_eq!(answer.value.outcome(), Outcome::Win);
//! let best = &answer.moves[0];
//! assert_eq!((game.move_text(best.mv).as_str(), best.value.plies()), ("1nH", Some(Plies(5))));
//! assert_eq!(values.line(&here, 10)?.len(), 5);
//!
//! // The output of `yomikiri query --json`.
//! let report = QueryReport::ask(&mut answerer, &here, 64 << 20, &Silent)?;
//! assert!(serde_json::to_string(&report)?.starts_with(r#"{"rules":"bin2x2","position":"ox/2 w - - 1""#));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # What is stable
//!
//! The types that are printed as JSON ([`QueryReport`], [`ValueReport`], [`Stats`], [`PuzzleReport`],
//! [`VariantSummary`] and the others) keep their fields, with names and order. Fields may be added. [`Answerer`],
//! [`Oracle`], [`answer_lines`] and [`inventory`] are meant for other programs. An answerer's choice between a subgame
//! and a search may change, but exact values stay exact.
//!
//! # Parts
//!
//! `answerer` chooses the source of an answer. `certificates` holds the certificates of a game, and its opening.
//! `oracle` looks up exact values. `excerpt` writes and reads the small part of a table that one side needs to play its
//! best. `batch` answers many questions at once. `inventory` lists the files at a location. `stats`, `counts`, `puzzle`
//! and `compare` read whole tables. `survey` holds the records of surveys, which ask one question about many variants.
//! `json` holds the types that the command prints; `query` and `variant` make the values of these types.

#![warn(missing_docs)]

mod answerer;
mod batch;
mod certificates;
mod compare;
mod counts;
mod excerpt;
#[cfg(feature = "write")]
pub mod inventory;
mod json;
mod judged_moves;
mod key_text;
mod limits;
mod line;
mod oracle;
mod points;
mod proof;
mod proof_tree;
mod puzzle;
mod query;
#[cfg(feature = "write")]
pub mod shell;
mod stats;
#[cfg(feature = "write")]
pub mod survey;
mod value_search;
mod variant;
mod view;

pub use answerer::{Answerer, FoundSource, ProofResults};
pub use batch::{BatchSettings, answer_lines};
pub use certificates::Certificates;
pub use compare::{
    ByOutcome, Changes, ComparedPositions, Comparison, CountedExamples, Example, ExampleValue, StartOf, ValueChange,
    VariantSummary, compare,
};
pub use counts::{CountedGroup, Dimension, GroupedCounts, Label};
pub use excerpt::Excerpt;
#[cfg(feature = "write")]
pub use excerpt::{Excerpted, write_excerpt};
pub use json::{
    CertificateReport, CheckedFileKind, CheckedSearchReport, CostReport, GameList, GameReport, LegalMove, LegalMoves,
    MoveReport, QueryReport, RulesReport, SearchReport, ValueBound, ValueReport,
};
pub use key_text::KeyText;
pub use limits::ProofLimits;
pub use line::{LineEnd, LineReport, MoveLine};
pub use oracle::{Answer, JudgedMove, Oracle, RankedMove, Source, Trust};
pub use points::Points;
pub use proof::{ProofObserver, ProofQuestion};
pub use proof_tree::{Continuation, ProofMove, ProofNode};
pub use puzzle::{Puzzle, PuzzleCondition, PuzzleReport, draw_puzzles};
pub use stats::{COUNTS_OVERFLOW, Furthest, FurthestPosition, Spread, Start, Stats, longest};
pub use view::{
    ArrangedStone, Arrangement, BoardNames, BySide, Direction, Effect, End, FamilyName, Held, LineStone, MoveView,
    Parts, PieceName, PieceSteps, Played, Stone, TargetView, View, Viewed, WayKind, WayView,
};
