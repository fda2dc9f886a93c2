//! Converts the reports of other subcommands to findings.

use serde::Deserialize;
use yomikiri_answer::survey::{Finding, Open, Question, Winner};
use yomikiri_answer::{QueryReport, SearchReport, Stats, ValueBound};
use yomikiri_rules::{Measure, Outcome, Side};

use crate::prove::ProofReport;
use crate::solve::OpenSearchReport;

/// The report of the command `yomikiri solve` about one position.
#[derive(Deserialize)]
#[serde(untagged)]
pub enum SearchAnswer {
    /// The search was stopped before it found the value.
    Open(OpenSearchReport),
    Solved(SearchReport),
}

/// Converts a report of the command `yomikiri query` to a finding. `stats` has the counts of the table if the survey
/// has made a table of the whole game.
pub fn of_query(report: &QueryReport, stats: Option<&Stats>, question: Question) -> Finding {
    let first_moves = (question == Question::FirstMoves).then(|| match report.outcome {
        Some(Outcome::Loss) => Vec::new(),
        outcome => sorted(report.moves.iter().filter(|mv| mv.outcome == outcome).map(|mv| &mv.mv)),
    });
    Finding {
        first_moves,
        positions: stats.map(|stats| stats.positions),
        draws: stats.map(|stats| stats.draws),
        longest: stats.and_then(|stats| stats.spread.max_plies()).map(u64::from),
        ..of_value(report.to_move, report.outcome, report.measure, question)
    }
}

/// Converts a report of the command `yomikiri prove` to a finding. If the proof was stopped, the finding has the limits
/// of time and memory in `limits`.
pub fn of_proof(report: &ProofReport, limits: Open) -> Finding {
    let named = |winner: Option<Side>| {
        let moves = report.all_moves.as_ref()?.iter().filter(move |mv| mv.winner == winner);
        Some(sorted(moves.map(|mv| &mv.mv)))
    };
    let bounds = report.plies.as_ref().map(|plies| [plies.at_least, plies.at_most]);
    let [at_least, at_most] = [0, 1].map(|end| bounds.map(|bounds| i64::from(bounds[end])));
    let is_open = report.stopped.is_some();
    let open = is_open.then(|| Open {
        to_win: report.distances.to_win.map(u64::from),
        to_loss: report.distances.to_loss.map(u64::from),
        expansions: Some(report.expansions),
        moves: named(None),
        at_least,
        at_most,
        ..limits
    });
    Finding {
        winner: report.winner.map(Winner::from),
        first_moves: named(Some(report.to_move)),
        plies: bounds.filter(|[least, most]| !is_open && least == most).map(|[plies, _]| plies),
        open,
        ..Finding::default()
    }
}

/// Converts a report of the command `yomikiri solve` to a finding. If the search was stopped, the finding has the
/// limits of time and memory in `limits`.
pub fn of_search(answer: &SearchAnswer, question: Question, limits: Open) -> Finding {
    match answer {
        SearchAnswer::Solved(report) => Finding {
            nodes: Some(report.nodes),
            ..of_value(report.to_move, Some(report.outcome), report.measure, question)
        },
        SearchAnswer::Open(report) => {
            let score = |bound: &ValueBound| for_black(report.to_move, bound.measure).map(i64::from);
            let bounds = [&report.at_least, &report.at_most].map(score);
            let [at_least, at_most] = if report.to_move == Side::Black { bounds } else { [bounds[1], bounds[0]] };
            let open = Some(Open { at_least, at_most, ..limits });
            Finding { nodes: Some(report.nodes), open, ..Finding::default() }
        }
    }
}

/// Returns the finding about a position. Its value for `mover`, the side to move, is `outcome` with `measure` (plies or
/// score); an outcome of `None` is unknown.
fn of_value(mover: Side, outcome: Option<Outcome>, measure: Measure, question: Question) -> Finding {
    let is_asked = matches!(question, Question::Plies | Question::FairKomi);
    Finding {
        winner: outcome.map(|outcome| outcome.winner(mover).map_or(Winner::Draw, Winner::from)),
        plies: measure.plies().filter(|_| is_asked).map(|plies| plies.0.into()),
        score: for_black(mover, measure).filter(|_| is_asked),
        ..Finding::default()
    }
}

/// Converts a score relative to `mover` to a score relative to Black, as in records. Returns `None` if `measure` is a
/// distance.
fn for_black(mover: Side, measure: Measure) -> Option<i16> {
    match measure {
        Measure::Score { score } => Some(mover.pick([1, -1]) * i16::from(score)),
        Measure::Distance { .. } => None,
    }
}

/// Returns the texts of moves, sorted.
fn sorted<'a>(moves: impl Iterator<Item = &'a String>) -> Vec<String> {
    let mut moves: Vec<String> = moves.cloned().collect();
    moves.sort();
    moves
}
