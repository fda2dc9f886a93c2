//! The answers of a survey as a table for people.

use yomikiri_answer::survey::{Finding, Open, Question, Record, Winner};

/// Formats records as lines: the rule code, the answer, and how it is known.
pub fn lines(records: &[Record]) -> String {
    let width = records.iter().map(|record| record.code().len()).max().unwrap_or(0);
    let answers: Vec<String> = records.iter().map(|record| answer(record.question(), record.finding())).collect();
    let longest = answers.iter().map(String::len).max().unwrap_or(0);
    let line = |(record, answer): (&Record, &String)| {
        let by = if record.finding().open.is_some() { String::new() } else { record.finding().by.to_string() };
        format!("{:<width$}  {answer:<longest$}  {by}", record.code()).trim_end().to_owned()
    };
    records.iter().zip(&answers).map(line).collect::<Vec<_>>().join("\n")
}

fn answer(question: Question, finding: &Finding) -> String {
    if let Some(open) = &finding.open {
        return still_open(finding, open);
    }
    let winner = winner(finding);
    match question {
        Question::Winner => winner.into(),
        Question::FirstMoves => {
            let moves = finding.first_moves.as_deref().unwrap_or_default();
            if moves.is_empty() { winner.into() } else { format!("{winner}: {}", moves.join(" ")) }
        }
        Question::Plies => match (finding.plies, finding.score) {
            (Some(plies), _) => format!("{winner} in {plies} plies"),
            (None, Some(score)) if score != 0 => format!("{winner} by {}", score.unsigned_abs()),
            _ => winner.into(),
        },
        Question::FairKomi => match finding.fair_komi {
            Some(0) => "fair komi 0".into(),
            Some(komi) => {
                let side = if komi > 0 { "White" } else { "Black" };
                format!("fair komi {} for {side}", komi.unsigned_abs())
            }
            None => format!("no fair komi, {winner} by targets"),
        },
    }
}

fn winner(finding: &Finding) -> &'static str {
    match finding.winner {
        Some(Winner::Black) => "Black wins",
        Some(Winner::White) => "White wins",
        Some(Winner::Draw) => "draw",
        None => "not known",
    }
}

/// Formats the progress of a variant that is open: what is known of its answer, and why it is open.
fn still_open(finding: &Finding, open: &Open) -> String {
    let known = finding.winner.map(|_| winner(finding).to_owned());
    let bounds = [("at least", open.at_least), ("at most", open.at_most)];
    let bounds = bounds.into_iter().filter_map(|(words, bound)| Some(format!("{words} {}", bound?)));
    let known = known.into_iter().chain(bounds).collect::<Vec<_>>().join(", ");
    if known.is_empty() { format!("open: {}", open.why) } else { format!("open: {}; {known}", open.why) }
}
