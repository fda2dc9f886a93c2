//! Answers as text: the board, the winner and the moves.

use yomikiri_answer::{MoveReport, Points, QueryReport, Source, ValueBound};
use yomikiri_rules::{AnyGame, AnyPosition, Game, Measure, Notation, Outcome, Presentation};

use crate::settings::{final_sentence, verdict};
use crate::solve::bounds_text;

/// Returns the board, and below it the position as text, unless the text of the board already ends with the position.
pub fn head(game: &AnyGame, position: &AnyPosition) -> String {
    let (board, text) = (game.board_text(position), game.position_text(position));
    if board.ends_with(&text) { board } else { format!("{board}\n{text}") }
}

/// Returns the answer as text. `advice` says how to check the file that names the winner, if that file is unchecked.
pub fn text_of(game: &AnyGame, position: &AnyPosition, report: &QueryReport, advice: Option<String>) -> String {
    let advice = in_parentheses(advice);
    let mut text = format!("{}\n{}{advice}.", head(game, position), verdict_of(game, position, report));
    if let Some(Points { winner, measure, beyond, .. }) = &report.points {
        text += &format!("\nPlayed for points: {}.", verdict(*winner, *measure, false, *beyond));
    }
    if let Some(bounds) = bounds_of(report) {
        text += &format!("\n{bounds}");
    }
    for (mv, number) in report.moves.iter().zip(1..) {
        text += &format!("\n{number:>4}. {}", line(mv));
    }
    // If the position itself is not decided, an error line says so.
    let is_decided = report.outcome.is_some() || report.winner.is_some();
    if is_decided && report.moves.iter().any(|mv| mv.outcome.is_none()) {
        text += "\n(? = not decided; --time 5m decides more)";
    }
    text
}

/// Returns a sentence with the bounds of a value that a search has not found, or `None` if there are none. As long as
/// both sides can win, "at least a loss in 40 plies" is left out, because it does not help anybody.
fn bounds_of(report: &QueryReport) -> Option<String> {
    let told = |bound: &Option<ValueBound>, vague: Outcome| {
        bound.filter(|bound| {
            report.outcome.is_some() || bound.outcome != vague || matches!(bound.measure, Measure::Score { .. })
        })
    };
    let (at_least, at_most) = (told(&report.at_least, Outcome::Loss), told(&report.at_most, Outcome::Win));
    bounds_text(report.to_move, at_least.as_ref(), at_most.as_ref())
}

fn in_parentheses(advice: Option<String>) -> String {
    advice.map_or(String::new(), |advice| format!(" ({advice})"))
}

/// Lists the moves by outcome, for the end of a proof or a search that has already printed each move as it was decided.
/// States the bounds of a value that was not found, and names a certificate or an opening that has the winner. `advice`
/// is as in [`text_of`].
pub fn summary(report: &QueryReport, advice: Option<String>) -> String {
    let groups =
        [("win", Some(Outcome::Win)), ("draw", Some(Outcome::Draw)), ("lose", Some(Outcome::Loss)), ("are open", None)];
    let line = |(verb, outcome): (&str, Option<Outcome>)| {
        let moves: Vec<&str> = report.moves.iter().filter(|mv| mv.outcome == outcome).map(|mv| &mv.mv[..]).collect();
        (!moves.is_empty())
            .then(|| format!("{} of {} moves {verb}: {}", moves.len(), report.moves.len(), moves.join(" ")))
    };
    let named = report.certificate.is_some() && report.winner.is_some();
    let source = named.then(|| format!("The winner is known by {}{}.", by(report), in_parentheses(advice)));
    groups.into_iter().filter_map(line).chain(bounds_of(report)).chain(source).collect::<Vec<_>>().join("\n")
}

/// Returns the certificate or opening that names the winner, in words.
fn by(report: &QueryReport) -> &'static str {
    report.source.unwrap_or(Source::Certificate).in_words(report.certificate)
}

/// Returns a sentence about the value. The sentence names the source if the source is a proof, a certificate or an
/// opening.
fn verdict_of(game: &AnyGame, position: &AnyPosition, report: &QueryReport) -> String {
    let says = |winner| match report.is_distance_open() {
        true => format!("{winner} wins"),
        false => verdict(Some(winner), report.measure, false, game.beyond_points()),
    };
    match (game.terminal_value(position), report.certificate, report.winner) {
        (Some(value), ..) => final_sentence(game, position, value),
        (None, _, None) if report.outcome.is_none() => match report.source {
            Some(Source::Search) => "The value is open".into(),
            _ => "The winner is open".into(),
        },
        (None, None, Some(winner)) if report.is_distance_open() => match report.source {
            Some(Source::Search) => format!("{winner} wins, by a search"),
            _ => format!("{winner} wins, by a proof"),
        },
        (None, Some(_), Some(winner)) => format!("{}, by {}", says(winner), by(report)),
        _ => verdict(report.winner, report.measure, false, game.beyond_points()),
    }
}

/// Formats a move, its value and the position after it: `1a2b win  in  5`, three blanks, the position. An unknown
/// outcome is a question mark.
pub fn line(mv: &MoveReport) -> String {
    let measure = match mv.measure {
        Measure::Distance { plies } => plies.map_or_else(|| " ".repeat(6), |plies| format!(" in {:>2}", plies.0)),
        Measure::Score { score } => format!(" {score:+3}"),
    };
    let outcome = mv.outcome.map_or("?".into(), |outcome| outcome.to_string());
    format!("{:4} {outcome:4}{measure}   {}", mv.mv, mv.position)
}
