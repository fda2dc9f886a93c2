//! What the command prints as JSON, as types. Field names and their order are the contract; other programs may rely
//! on them.
//!
//! Positions and moves are in the game's notation, rule codes in their shortest form. Values are seen by the side to
//! move. The types of `stats`, `puzzle` and `compare` stand with what makes them.

use std::collections::BTreeMap;
#[cfg(feature = "write")]
use std::path::Path;

use serde::Serialize;

use super::answerer::{Answerer, Found};
use super::key_text::KeyText;
use super::oracle::{Answer, JudgedMove, Source};
use super::points::Points;
use yomikiri_rules::{Family, Game, Measure, Outcome, Side, Value};
use yomikiri_solve::{Result, Solvable};
use yomikiri_table::Progress;
#[cfg(feature = "write")]
use yomikiri_table::disk;

/// The value of a position and of its moves: `query`.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct QueryReport {
    pub rules: String,
    pub position: String,
    /// None on boards without keys.
    pub key: Option<KeyText>,
    pub to_move: Side,
    pub outcome: Outcome,
    #[serde(flatten)]
    pub measure: Measure,
    /// None in a draw.
    pub winner: Option<Side>,
    /// Where the values come from; none if the game is over, which the rules tell.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub source: Option<Source>,
    /// By how many points, where that is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub points: Option<Points>,
    /// Where a certificate tells: whether it has been checked.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub certificate: Option<Trust>,
    /// All legal moves, the best first.
    pub moves: Vec<MoveReport>,
}

/// The value of a position, without its moves: `query CODE - --brief`.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct ValueReport {
    /// None on boards without keys.
    pub key: Option<KeyText>,
    pub outcome: Outcome,
    #[serde(flatten)]
    pub measure: Measure,
}

impl ValueReport {
    /// What is known of a position, found as [`Answerer::find`] does.
    pub fn ask<'a, G: Solvable>(
        answerer: &mut Answerer<'a, G>,
        position: &G::Position,
        memory: u64,
        progress: &'a dyn Progress,
    ) -> Result<ValueReport> {
        let game = answerer.game();
        if let Some(value) = game.terminal_value(position) {
            return Ok(ValueReport::exact(game, position, value));
        }
        match answerer.find(position, memory, progress)? {
            Found::Exact(oracle) => Ok(ValueReport::exact(game, position, oracle.value(position)?)),
            Found::Certified(certificates) => Ok(ValueReport {
                key: KeyText::of(game, position),
                outcome: Outcome::of_winner(certificates.winner(position)?, game.side(position)),
                measure: Measure::Distance { plies: None },
            }),
            Found::Excerpted(excerpt) => {
                Ok(ValueReport::exact(game, position, excerpt.value(position)?.expect("it was found")))
            }
        }
    }

    /// By an exact value.
    pub fn exact<G: Game>(game: &G, position: &G::Position, value: G::Value) -> ValueReport {
        ValueReport { key: KeyText::of(game, position), outcome: value.outcome(), measure: value.measure() }
    }
}

/// Whether a certificate has passed `yomikiri check`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub enum Trust {
    Checked,
    Unchecked,
}

/// A legal move with what it leads to.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct MoveReport {
    #[serde(rename = "move")]
    pub mv: String,
    /// For the side that moves; none where a certificate or an excerpt does not tell.
    pub outcome: Option<Outcome>,
    /// Counted from before the move.
    #[serde(flatten)]
    pub measure: Measure,
    /// The position after it.
    pub position: String,
    pub key: Option<KeyText>,
}

impl QueryReport {
    /// All that is known of a position and its moves, found as [`Answerer::find`] does; the end of the game by the
    /// rules. Points are not asked for ([`Points::of`]).
    pub fn ask<'a, G: Solvable>(
        answerer: &mut Answerer<'a, G>,
        position: &G::Position,
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

    /// By what was found for a position that is not over.
    pub fn of<'a, G: Solvable>(
        answerer: &mut Answerer<'a, G>,
        position: &G::Position,
        found: &Found<'a, G>,
        progress: &'a dyn Progress,
    ) -> Result<QueryReport> {
        let game = answerer.game();
        match found {
            Found::Exact(oracle) => {
                Ok(QueryReport::exact(game, position, &oracle.answer(position)?, Some(oracle.source())))
            }
            Found::Certified(certificates) => {
                let (winner, is_checked) = (certificates.winner(position)?, certificates.is_checked(position)?);
                let moves = answerer.judge(position, progress)?;
                Ok(QueryReport::certified(game, position, winner, is_checked, &moves))
            }
            Found::Excerpted(excerpt) => {
                let value = excerpt.value(position)?.expect("it was found");
                Ok(QueryReport::excerpted(game, position, value, &excerpt.judge(position)?))
            }
        }
    }

    /// By exact values.
    pub fn exact<G: Game>(game: &G, position: &G::Position, answer: &Answer<G>, source: Option<Source>) -> QueryReport {
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
            outcome: answer.value.outcome(),
            measure: answer.value.measure(),
            winner: answer.value.outcome().winner(to_move),
            source,
            points: None,
            certificate: None,
            moves: moves.collect(),
        }
    }

    /// By certificates, which tell who wins but not how soon.
    pub fn certified<G: Game>(
        game: &G,
        position: &G::Position,
        winner: Option<Side>,
        is_checked: bool,
        moves: &[JudgedMove<G>],
    ) -> QueryReport {
        // The best of all is known where all are.
        let best =
            moves.iter().map(|mv| mv.value).collect::<Option<Vec<_>>>().and_then(|values| values.into_iter().max());
        let outcome = Outcome::of_winner(winner, game.side(position));
        QueryReport {
            source: Some(Source::Certificate),
            certificate: Some(if is_checked { Trust::Checked } else { Trust::Unchecked }),
            ..QueryReport::judged(game, position, outcome, best, moves)
        }
    }

    /// By an excerpt, which tells exact values, but not of all moves.
    fn excerpted<G: Game>(game: &G, position: &G::Position, value: G::Value, moves: &[JudgedMove<G>]) -> QueryReport {
        let report = QueryReport::judged(game, position, value.outcome(), Some(value), moves);
        QueryReport { source: Some(Source::Excerpt), ..report }
    }

    /// What is known, whatever tells it.
    fn judged<G: Game>(
        game: &G,
        position: &G::Position,
        outcome: Outcome,
        value: Option<G::Value>,
        moves: &[JudgedMove<G>],
    ) -> QueryReport {
        let to_move = game.side(position);
        let measure = |value: Option<G::Value>| value.map_or(Measure::Distance { plies: None }, Value::measure);
        let moves = moves.iter().map(|mv| MoveReport {
            mv: game.move_text(mv.mv),
            outcome: mv.outcome,
            measure: measure(mv.value),
            position: game.position_text(&mv.position),
            key: KeyText::of(game, &mv.position),
        });
        QueryReport {
            rules: game.code(),
            position: game.position_text(position),
            key: KeyText::of(game, position),
            to_move,
            outcome,
            measure: measure(value),
            winner: outcome.winner(to_move),
            source: None,
            points: None,
            certificate: None,
            moves: moves.collect(),
        }
    }
}

/// The legal moves of a position in the order of the notation: `moves`.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct LegalMoves {
    pub moves: Vec<LegalMove>,
}

/// A legal move and the position after it.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct LegalMove {
    #[serde(rename = "move")]
    pub mv: String,
    pub position: String,
    pub key: Option<KeyText>,
}

impl LegalMoves {
    /// All of them; none if the game is over.
    pub fn of<G: Game>(game: &G, position: &G::Position) -> LegalMoves {
        let moves = game.legal_moves(position);
        let legal = |mv| {
            let after = game.play(position, mv);
            let (position, key) = (game.position_text(&after), KeyText::of(game, &after));
            LegalMove { mv: game.move_text(mv), position, key }
        };
        LegalMoves { moves: moves.into_iter().map(legal).collect() }
    }
}

/// All games: `rules`.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct GameList {
    pub games: Vec<GameReport>,
}

/// A game as shown to people who have not chosen one yet.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct GameReport {
    /// How its codes are written.
    pub codes: &'static str,
    /// A rule code.
    pub example: &'static str,
    /// Its name.
    pub game: &'static str,
}

impl GameList {
    /// Of these families.
    pub fn of(families: &[Family]) -> GameList {
        let game = |family: &Family| GameReport { codes: family.codes, example: family.example, game: family.name };
        GameList { games: families.iter().map(game).collect() }
    }
}

/// What a rule code means: `rules CODE`.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct RulesReport {
    pub rules: String,
    /// The code that stands for all codes of the same game: of mirrored starts, transposed boards and the like.
    pub same_game: String,
    /// Every setting of the variant by its name.
    pub settings: BTreeMap<&'static str, String>,
}

impl RulesReport {
    /// Of one variant.
    pub fn of<G: Game>(game: &G) -> RulesReport {
        let settings = game.settings().into_iter().collect();
        RulesReport { rules: game.code(), same_game: game.same_game(), settings }
    }
}

/// What a whole run would cost: `estimate`.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct CostReport {
    pub rules: String,
    /// Positions in which the game goes on.
    pub positions: f64,
    /// The same by ply; empty in games that can repeat.
    pub by_ply: Vec<f64>,
    /// So many plies from the start are counted, not estimated.
    pub exact_plies: usize,
    /// Least memory in bytes; none where no amount would do.
    pub memory: Option<u64>,
    /// Bytes on disk while it runs, and of the finished table.
    pub disk: f64,
    pub table: f64,
    /// On two cores, audit included.
    pub seconds: f64,
}

impl CostReport {
    /// Estimated by sampling.
    pub fn of<G: Solvable>(game: &G) -> CostReport {
        let estimate = game.estimate();
        let positions = estimate.total();
        CostReport {
            rules: game.code(),
            positions,
            exact_plies: estimate.exact_plies,
            by_ply: if G::CYCLIC { Vec::new() } else { estimate.by_ply },
            memory: estimate.memory.or_else(|| game.memory_needed()),
            disk: positions * (G::COSTS.table + G::COSTS.work),
            table: positions * G::COSTS.table,
            seconds: positions / G::COSTS.rate,
        }
    }

    /// Whether so many bytes of memory are enough, and the room on a disk, where that is known.
    pub fn fits(&self, memory: u64, free: Option<u64>) -> bool {
        self.memory.is_some_and(|needed| needed <= memory) && free.is_none_or(|free| self.disk <= free as f64)
    }

    /// The cost of a whole game whose run would not fit so many bytes of memory, or the disk of a folder; `None` if it
    /// would.
    #[cfg(feature = "write")]
    pub fn too_large<G: Solvable>(game: &G, folder: &Path, memory: u64) -> Option<CostReport> {
        /// Below this a run needs less than any machine has.
        const SURELY_FITS: u64 = 256 << 20;
        if game.memory_needed().is_some_and(|needed| needed <= SURELY_FITS.min(memory)) {
            return None;
        }
        Some(CostReport::of(game)).filter(|cost| !cost.fits(memory, disk::free_space(folder)))
    }
}

/// What a search found out about a position: `solve`.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct SearchReport {
    pub rules: String,
    pub position: String,
    pub key: Option<KeyText>,
    pub to_move: Side,
    pub outcome: Outcome,
    #[serde(flatten)]
    pub measure: Measure,
    /// The score that test suites of the game write for the value, where that is not its measure.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub suite_score: Option<i32>,
    /// None in a draw.
    pub winner: Option<Side>,
    /// A best move; none if the game is over.
    pub best: Option<String>,
    /// Best play to the end, where asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub line: Option<String>,
    /// Positions looked at.
    pub nodes: u64,
    pub seconds: f64,
}

/// The same for a line of a file of positions, whose text may say the value: `solve --file`.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct CheckedSearchReport {
    #[serde(flatten)]
    pub found: SearchReport,
    /// What the line says, and whether that was found.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub expected: Option<Measure>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub agrees: Option<bool>,
}

/// A certificate that was checked and proves who wins: `check`.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct CertificateReport {
    pub file: String,
    pub rules: String,
    pub position: String,
    pub key: Option<KeyText>,
    pub winner: Side,
    /// The side for which draws count, where the game has draws.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub draws: Option<Side>,
    /// Always true: a certificate that proves nothing is an error.
    pub proved: bool,
    /// Plies before the end of the longest game from which nothing is listed.
    pub horizon: u32,
    /// Positions listed.
    pub entries: usize,
    /// Positions with the winner to move, where the listed move was played.
    pub winner_to_move: u64,
    /// Positions with the loser to move, where all moves were played.
    pub loser_to_move: u64,
    /// Positions solved without a listed move.
    pub read_out: u64,
    pub seconds: f64,
}
