//! The command's JSON output, as types. Field names and their order are stable; other programs may rely on them.
//!
//! Positions and moves are in the game's notation, rule codes in their shortest form. Values are seen by the side to
//! move. The types of `stats`, `puzzle` and `compare` are in their own modules.

use std::collections::BTreeMap;
#[cfg(feature = "write")]
use std::path::Path;

use serde::Serialize;

use super::answerer::{Answerer, FoundSource};
use super::key_text::KeyText;
use super::oracle::{Answer, JudgedMove, Source, Trust};
use super::points::Points;
use yomikiri_rules::{AnyGame, AnyPosition, AnyValue, Family, Game, Measure, Outcome, Side, Value};
use yomikiri_solve::{Adapter, Result, Solvable};
use yomikiri_table::Progress;
#[cfg(feature = "write")]
use yomikiri_table::disk;

/// A position, its value and its moves: the JSON of `query`.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct QueryReport {
    /// The rule code, in its shortest form.
    pub rules: String,
    /// The position, in the game's notation.
    pub position: String,
    /// The key; `null` on boards without keys.
    pub key: Option<KeyText>,
    /// The side to move.
    pub to_move: Side,
    /// The outcome for the side to move; `null` if a proof ran out of time.
    pub outcome: Option<Outcome>,
    /// The plies to the end, or the score for the side to move.
    #[serde(flatten)]
    pub measure: Measure,
    /// The side that wins; `null` in a draw, or if the winner is not known.
    pub winner: Option<Side>,
    /// The source of the values; absent if the game is over, because the rules give the value.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub source: Option<Source>,
    /// The value in points; absent if it is not known.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub points: Option<Points>,
    /// The state of the certificate or opening that names the winner; absent for other sources.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub certificate: Option<Trust>,
    /// All legal moves, the best first. Moves of equal value are in the order of the notation.
    pub moves: Vec<MoveReport>,
}

/// The value of a position, without its moves: the JSON of `query CODE - --brief`.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct ValueReport {
    /// The key; `null` on boards without keys.
    pub key: Option<KeyText>,
    /// The outcome for the side to move; `null` if a proof ran out of time.
    pub outcome: Option<Outcome>,
    /// The plies to the end, or the score for the side to move.
    #[serde(flatten)]
    pub measure: Measure,
}

impl ValueReport {
    /// Takes the value from a report with moves, and drops the moves.
    pub fn of(report: QueryReport) -> ValueReport {
        let QueryReport { key, outcome, measure, .. } = report;
        ValueReport { key, outcome, measure }
    }

    /// Makes the report of an exact value.
    pub fn exact(game: &AnyGame, position: &AnyPosition, value: AnyValue) -> ValueReport {
        ValueReport { key: KeyText::of(game, position), outcome: Some(value.outcome()), measure: value.measure() }
    }
}

/// A legal move, its value and the position after it.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct MoveReport {
    /// The move, in the game's notation.
    #[serde(rename = "move")]
    pub mv: String,
    /// The outcome for the side that moves; `null` if it is not known.
    pub outcome: Option<Outcome>,
    /// The plies to the end, counted from before the move, or the score for the side that moves.
    #[serde(flatten)]
    pub measure: Measure,
    /// The position after the move.
    pub position: String,
    /// The key of the position after the move; `null` on boards without keys.
    pub key: Option<KeyText>,
}

impl MoveReport {
    /// Makes the report of a move whose outcome and value may be unknown.
    pub(super) fn judged(game: &AnyGame, mv: &JudgedMove) -> MoveReport {
        MoveReport {
            mv: game.move_text(mv.mv),
            outcome: mv.outcome,
            measure: measure_of(mv.value),
            position: game.position_text(&mv.position),
            key: KeyText::of(game, &mv.position),
        }
    }
}

/// Returns the measure of a value, or a distance without plies if the value is not known.
fn measure_of<V: Value>(value: Option<V>) -> Measure {
    value.map_or(Measure::Distance { plies: None }, Value::measure)
}

impl QueryReport {
    /// Reports everything that is known about a position and its moves, from the source that [`Answerer::find`]
    /// chooses. If the game is over, the value comes from the rules. Points are not looked up ([`Points::of`]).
    pub fn ask<'a>(
        answerer: &mut Answerer<'a>,
        position: &AnyPosition,
        memory: u64,
        progress: &'a dyn Progress,
    ) -> Result<QueryReport> {
        let game = answerer.game();
        if let Some(value) = game.terminal_value(position) {
            return Ok(QueryReport::exact(game, position, &Answer::over(value), None));
        }
        let found = answerer.find(position, memory, progress)?;
        QueryReport::of(answerer, position, &found, progress)
    }

    /// Makes the report of a position in which the game goes on, from a source that was found for it.
    pub fn of<'a>(
        answerer: &mut Answerer<'a>,
        position: &AnyPosition,
        found: &FoundSource<'a>,
        progress: &'a dyn Progress,
    ) -> Result<QueryReport> {
        let game = answerer.game();
        match found {
            FoundSource::Exact(oracle) => {
                Ok(QueryReport::exact(game, position, &oracle.answer(position)?, Some(oracle.source())))
            }
            FoundSource::Certified(certificates) => {
                let (winner, source) = (certificates.winner(position)?, certificates.source(position)?);
                let moves = answerer.judge(position, progress)?;
                Ok(QueryReport::certified(game, position, winner, source, &moves))
            }
            FoundSource::Excerpted(excerpt) => {
                let value = excerpt.value(position)?.expect("it was found");
                Ok(QueryReport::excerpted(game, position, value, &excerpt.judge(position)?))
            }
        }
    }

    /// Makes the same report as [`QueryReport::of`], but without moves, because each of them could need a search of its
    /// own.
    pub(super) fn without_moves(
        game: &AnyGame,
        position: &AnyPosition,
        found: &FoundSource<'_>,
    ) -> Result<QueryReport> {
        Ok(match found {
            FoundSource::Exact(oracle) => {
                let answer = Answer::of(oracle.value(position)?, Vec::new());
                QueryReport::exact(game, position, &answer, Some(oracle.source()))
            }
            FoundSource::Certified(certificates) => {
                let (winner, source) = (certificates.winner(position)?, certificates.source(position)?);
                QueryReport::certified(game, position, winner, source, &[])
            }
            FoundSource::Excerpted(excerpt) => {
                QueryReport::excerpted(game, position, excerpt.value(position)?.expect("it was found"), &[])
            }
        })
    }

    /// Makes a report of exact values.
    pub fn exact(game: &AnyGame, position: &AnyPosition, answer: &Answer, source: Option<Source>) -> QueryReport {
        let moves = answer.moves.iter().map(|mv| MoveReport {
            mv: game.move_text(mv.mv),
            outcome: Some(mv.value.outcome()),
            measure: mv.value.measure(),
            position: game.position_text(&mv.position),
            key: KeyText::of(game, &mv.position),
        });
        let to_move = game.side(position);
        QueryReport {
            rules: game.code(),
            position: game.position_text(position),
            key: KeyText::of(game, position),
            to_move,
            outcome: Some(answer.value.outcome()),
            measure: answer.value.measure(),
            winner: answer.value.outcome().winner(to_move),
            source,
            points: None,
            certificate: None,
            moves: moves.collect(),
        }
    }

    /// Makes a report from certificates or an opening, which give the winner but not the distance.
    pub fn certified(
        game: &AnyGame,
        position: &AnyPosition,
        winner: Option<Side>,
        (source, trust): (Source, Trust),
        moves: &[JudgedMove],
    ) -> QueryReport {
        // If all moves have exact values, the best one is the value of the position.
        let best =
            moves.iter().map(|mv| mv.value).collect::<Option<Vec<_>>>().and_then(|values| values.into_iter().max());
        let outcome = Outcome::of_winner(winner, game.side(position));
        QueryReport {
            source: Some(source),
            certificate: Some(trust),
            ..QueryReport::judged(game, position, Some(outcome), best, moves)
        }
    }

    /// Makes a report from an excerpt, which has exact values of the position and of some of its moves.
    fn excerpted(game: &AnyGame, position: &AnyPosition, value: AnyValue, moves: &[JudgedMove]) -> QueryReport {
        let report = QueryReport::judged(game, position, Some(value.outcome()), Some(value), moves);
        QueryReport { source: Some(Source::Excerpt), ..report }
    }

    /// Returns true if values of the game are distances and the report has none, because the distance is not known or
    /// the position is a draw.
    pub fn is_distance_open(&self) -> bool {
        self.measure == Measure::Distance { plies: None }
    }

    /// Makes a report without a source from the outcome and the value, as far as they are known.
    pub(super) fn judged(
        game: &AnyGame,
        position: &AnyPosition,
        outcome: Option<Outcome>,
        value: Option<AnyValue>,
        moves: &[JudgedMove],
    ) -> QueryReport {
        let to_move = game.side(position);
        QueryReport {
            rules: game.code(),
            position: game.position_text(position),
            key: KeyText::of(game, position),
            to_move,
            outcome,
            measure: measure_of(value),
            winner: outcome.and_then(|outcome| outcome.winner(to_move)),
            source: None,
            points: None,
            certificate: None,
            moves: moves.iter().map(|mv| MoveReport::judged(game, mv)).collect(),
        }
    }
}

/// The legal moves of a position: the JSON of `moves`.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct LegalMoves {
    /// The moves, in the order of the notation; empty if the game is over.
    pub moves: Vec<LegalMove>,
}

/// A legal move and the position after it.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct LegalMove {
    /// The move, in the game's notation.
    #[serde(rename = "move")]
    pub mv: String,
    /// The position after the move.
    pub position: String,
    /// The key of the position after the move; `null` on boards without keys.
    pub key: Option<KeyText>,
}

impl LegalMoves {
    /// Returns all legal moves, or none if the game is over.
    pub fn of(game: &AnyGame, position: &AnyPosition) -> LegalMoves {
        let moves = game.legal_moves(position);
        let legal = |mv| {
            let after = game.play(position, mv);
            let (position, key) = (game.position_text(&after), KeyText::of(game, &after));
            LegalMove { mv: game.move_text(mv), position, key }
        };
        LegalMoves { moves: moves.into_iter().map(legal).collect() }
    }
}

/// All games: the JSON of `rules`.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct GameList {
    /// The games, one for each family.
    pub games: Vec<GameReport>,
}

/// A game, as shown to people who have not chosen a game yet.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct GameReport {
    /// The form of the game's rule codes.
    pub codes: &'static str,
    /// An example of a rule code.
    pub example: &'static str,
    /// The name of the game.
    pub game: &'static str,
}

impl GameList {
    /// Makes the list of the games of these families.
    pub fn of(families: &[Family]) -> GameList {
        let game = |family: &Family| GameReport { codes: family.codes, example: family.example, game: family.name };
        GameList { games: families.iter().map(game).collect() }
    }
}

/// The meaning of a rule code: the JSON of `rules CODE`.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct RulesReport {
    /// The rule code, in its shortest form.
    pub rules: String,
    /// The rule code that represents all codes of the same game, such as codes with mirrored starts or transposed
    /// boards.
    pub same_game: String,
    /// All settings of the variant by name.
    pub settings: BTreeMap<&'static str, String>,
    /// The accepted formats, in words, of three kinds of text: `positions`, `games` and `suites`.
    pub formats: BTreeMap<&'static str, &'static str>,
}

impl RulesReport {
    /// Makes the report of a variant.
    pub fn of(game: &AnyGame) -> RulesReport {
        let settings = game.settings().into_iter().collect();
        let formats = game.family().formats.named().into();
        RulesReport { rules: game.code(), same_game: game.representative_code(), settings, formats }
    }
}

/// The estimated cost of solving a whole game: the JSON of `estimate`.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct CostReport {
    /// The rule code.
    pub rules: String,
    /// The number of positions in which the game goes on.
    pub positions: f64,
    /// The number of positions of each ply; empty in games with repetition.
    pub by_ply: Vec<f64>,
    /// The number of plies, from the start, whose positions are counted instead of estimated.
    pub exact_plies: usize,
    /// The least memory in bytes that the run needs; `null` if no amount is enough.
    pub memory: Option<u64>,
    /// The disk space in bytes that the run needs.
    pub disk: f64,
    /// The length of the finished table in bytes.
    pub table: f64,
    /// The time of the run on two cores in seconds, including the audit.
    pub seconds: f64,
}

impl CostReport {
    /// Estimates the cost by sampling.
    pub fn of(game: &AnyGame) -> CostReport {
        let estimate = game.estimate();
        let positions = estimate.total();
        CostReport {
            rules: game.code(),
            positions,
            exact_plies: estimate.exact_plies,
            by_ply: if game.is_cyclic() { Vec::new() } else { estimate.by_ply },
            memory: estimate.memory.or_else(|| game.memory_needed()),
            disk: positions * (game.costs().table + game.costs().work),
            table: positions * game.costs().table,
            seconds: positions / game.costs().rate,
        }
    }

    /// Returns true if `memory` bytes of memory and `free` bytes on disk are enough. `None` means that the free space
    /// is not known, and counts as enough.
    pub fn fits(&self, memory: u64, free: Option<u64>) -> bool {
        self.memory.is_some_and(|needed| needed <= memory) && free.is_none_or(|free| self.disk <= free as f64)
    }

    /// Estimates the cost of solving a whole game. Returns the estimate if the run would not fit in `memory` bytes or
    /// on the disk of `folder`, and `None` if it fits.
    #[cfg(feature = "write")]
    pub fn too_large(game: &AnyGame, folder: &Path, memory: u64) -> Option<CostReport> {
        /// A run that needs at most this number of bytes of memory fits on any machine.
        const SURELY_FITS: u64 = 256 << 20;
        if game.memory_needed().is_some_and(|needed| needed <= SURELY_FITS.min(memory)) {
            return None;
        }
        Some(CostReport::of(game)).filter(|cost| !cost.fits(memory, disk::free_space(folder)))
    }
}

/// The result of a search of a position: the JSON of `solve`.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct SearchReport {
    /// The rule code.
    pub rules: String,
    /// The position, in the game's notation.
    pub position: String,
    /// The key; `null` on boards without keys.
    pub key: Option<KeyText>,
    /// The side to move.
    pub to_move: Side,
    /// The outcome for the side to move.
    pub outcome: Outcome,
    /// The plies to the end, or the score for the side to move.
    #[serde(flatten)]
    pub measure: Measure,
    /// The score in the convention of the game's test suites, if it differs from the value.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub suite_score: Option<i32>,
    /// The side that wins; `null` in a draw.
    pub winner: Option<Side>,
    /// A best move; `null` if the game is over.
    pub best: Option<String>,
    /// Best play to the end, if it was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub line: Option<String>,
    /// The number of positions searched.
    pub nodes: u64,
    /// The time of the search in seconds.
    pub seconds: f64,
}

/// The result of searching one position of a file, whose line may state the expected value: the JSON of `solve --file`.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct CheckedSearchReport {
    /// The result of the search.
    #[serde(flatten)]
    pub found: SearchReport,
    /// The expected value, if the line states one.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub expected: Option<Measure>,
    /// True if the search found the expected value; absent if the line states none.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub agrees: Option<bool>,
}

/// A certificate that passed the check: the JSON of `check`.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct CertificateReport {
    /// The file.
    pub file: String,
    /// The rule code.
    pub rules: String,
    /// The first position, in the game's notation.
    pub position: String,
    /// The key; `null` on boards without keys.
    pub key: Option<KeyText>,
    /// The side that wins.
    pub winner: Side,
    /// The side for which draws count as wins, if the game has draws.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub draws: Option<Side>,
    /// Always true: a certificate that does not hold is an error.
    pub proved: bool,
    /// The horizon: positions with at most this number of plies left have no listed move.
    pub horizon: u32,
    /// The number of listed positions.
    pub entries: usize,
    /// The number of positions with the winner to move, in which the listed move was played.
    pub winner_to_move: u64,
    /// The number of positions with the loser to move, in which all moves were played.
    pub loser_to_move: u64,
    /// The number of positions beyond the horizon, which were solved without a listed move.
    pub read_out: u64,
    /// The time of the check in seconds.
    pub seconds: f64,
}
